"""The one secret of an installation, and the keyed hashes made with it."""

import hashlib
import hmac
import os
import secrets
from pathlib import Path

from arena.errors import SettingsError
from arena.settings import Settings

KEY_FILE = "secret.key"
LEAST_BYTES = 16


def installation_key(settings: Settings) -> bytes:
    """Return the installation's secret, made on first use and kept in its home for its owner alone."""
    if settings.secret_key is not None:
        key = settings.secret_key.get_secret_value().encode()
    else:
        key = _read_or_make(settings.home / KEY_FILE)
    if len(key) < LEAST_BYTES:
        raise SettingsError(
            f"The secret key has {len(key)} bytes; at least {LEAST_BYTES} are needed. "
            "Unset ARENA_SECRET_KEY to have one made, or set a longer one."
        )
    return key


def _read_or_make(path: Path) -> bytes:
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_bytes().strip()
    with os.fdopen(handle, "wb") as file:
        file.write(secrets.token_hex(32).encode())
    return path.read_bytes()


def keyed_hash(key: bytes, purpose: str, text: str) -> str:
    """Return 128 bits, in hex, that stand for `text` and lead back to it only with the key."""
    message = f"{purpose}\0{text}".encode()
    return hmac.new(key, message, hashlib.sha256).hexdigest()[:32]


def new_public_id() -> str:
    """Return 128 random bits in 22 letters: the only kind of id that a voter sees."""
    return secrets.token_urlsafe(16)
