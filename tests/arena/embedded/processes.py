"""Parents that start one thing, say which process it is, and then only wait to be killed."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

END_OF_PARENT = """
import sys, time
from pathlib import Path
from arena.embedded.postgres import EmbeddedPostgres
from arena.embedded.valkey import EmbeddedValkey
server = globals()[sys.argv[1]](Path(sys.argv[2]))
server.start()
print(server.process.pid, flush=True)
time.sleep(60)
"""


@contextmanager
def started_by(script: str, *arguments: object) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Run a script; give its process and the process id that it says."""
    parent = subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert parent.stdout is not None
        yield parent, int(parent.stdout.readline())
    finally:
        parent.kill()
        parent.communicate()


def is_alive(pid: int) -> bool:
    """Whether a process runs: one that has ended and waits to be looked after does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"
