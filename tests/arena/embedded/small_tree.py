"""A small process tree, run as a program: `python small_tree.py HOME NAME=CODE...`, with a Valkey below it."""

import json
import os
import sys
from pathlib import Path

from arena.embedded.lines import say
from arena.embedded.tree import Part, Tree
from arena.embedded.valkey import EmbeddedValkey


class LoudValkey(EmbeddedValkey):
    """A Valkey that says in the log when it ends."""

    def stop(self) -> None:
        super().stop()
        say("valkey", "has ended")


def main(home: Path, parts: list[str]) -> None:
    commands = [part.partition("=") for part in parts]
    Tree(
        servers={"valkey": LoudValkey(home)},
        parts=[Part(name, (sys.executable, "-uc", code)) for name, _, code in commands],
        environment=os.environ,
        changed=lambda pids: write(home / "pids.json", json.dumps(pids)),
    ).run(lambda: say("tree", "prepared"), lambda: True)


def write(path: Path, text: str) -> None:
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_text(text)
    unfinished.rename(path)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
