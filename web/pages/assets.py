"""The sheet, the script and the mark, each at an address that names its content and so never goes stale."""

import gzip
import hashlib
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

FOLDER = Path(__file__).parent.parent / "static"
PREFIX = "/static/"
KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
FOREVER = "public, max-age=31536000, immutable"


@dataclass(frozen=True)
class Asset:
    """One file, its address, and its content as it is sent."""

    address: str
    kind: str
    content: bytes
    packed: bytes

    def answer(self, request: Request) -> Response:
        """Return the file, packed if the browser can unpack it."""
        headers = {"Cache-Control": FOREVER, "Vary": "Accept-Encoding"}
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(self.content, media_type=self.kind, headers=headers)
        headers["Content-Encoding"] = "gzip"
        return Response(self.packed, media_type=self.kind, headers=headers)


class Assets:
    """All files of the site, read once."""

    def __init__(self, folder: Path = FOLDER) -> None:
        found = {path.name: read_asset(path) for path in folder.iterdir() if path.suffix in KINDS}
        self._by_name = found
        self._by_address = {asset.address: asset for asset in found.values()}

    def address(self, name: str) -> str:
        """Return where a file is served."""
        return self._by_name[name].address

    def find(self, address: str) -> Asset | None:
        """Return the file at an address, if its content is still that one."""
        return self._by_address.get(address)


def read_asset(path: Path) -> Asset:
    """Read a file and give it its address."""
    content = path.read_bytes()
    digest = hashlib.sha256(content).hexdigest()[:12]
    return Asset(
        address=f"{PREFIX}{path.stem}.{digest}{path.suffix}",
        kind=KINDS[path.suffix],
        content=content,
        packed=gzip.compress(content, mtime=0),
    )
