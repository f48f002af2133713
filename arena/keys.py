"""The one secret of an installation, and the keyed hashes made with it."""

import hashlib
import hmac
import os
import secrets
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

from arena.errors import SettingsError
from arena.settings import Settings

KEY_FILE = "secret.key"
LEAST_BYTES = 16
FOR_VARIABLE = "Unset ARENA_SECRET_KEY to have one made, or set a longer one."
FOR_FILE = (
    "{path} is damaged: put its former content back, or delete it to have a new key made, which makes every voter "
    "a new one."
)


def installation_key(settings: Settings) -> bytes:
    """Return the installation's secret, made on first use and kept in its home for its owner alone."""
    if settings.secret_key is not None:
        key, mend = settings.secret_key.get_secret_value().encode(), FOR_VARIABLE
    else:
        path = settings.home / KEY_FILE
        key, mend = _read_or_make(path), FOR_FILE.format(path=path)
    if len(key) < LEAST_BYTES:
        raise SettingsError(
            f"The secret key has {len(key)} bytes; at least {LEAST_BYTES} are needed. {mend}"
        )
    return key


def _read_or_make(path: Path) -> bytes:
    """Return the key in a file, which is made whole or not at all: of several who make it, one wins."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        with NamedTemporaryFile(dir=path.parent, prefix=f"{KEY_FILE}.") as unfinished:
            unfinished.write(secrets.token_hex(32).encode())
            unfinished.flush()
            with suppress(FileExistsError):
                os.link(unfinished.name, path)
    return path.read_bytes().strip()


def keyed_hash(key: bytes, purpose: str, text: str) -> str:
    """Return 128 bits, in hex, that stand for `text` and lead back to it only with the key."""
    message = f"{purpose}\0{text}".encode()
    return hmac.new(key, message, hashlib.sha256).hexdigest()[:32]


def new_public_id() -> str:
    """Return 128 random bits in 22 letters: the only kind of id that a voter sees."""
    return secrets.token_urlsafe(16)
