"""A process that imports a file and waits to be killed."""

import sys
from pathlib import Path

from arena.importing import ImportFile, import_votes
from arena.store.engine import open_engine, open_sessions


def main(url: str, path: str) -> None:
    """Import the file onto the board `people`."""
    sessions = open_sessions(open_engine(url))
    with sessions.begin() as session:
        import_votes(session, ImportFile(Path(path), "people"), rejections=Path(path).parent)


main(*sys.argv[1:])
