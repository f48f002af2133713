"""The most memory that a process takes to load a tool and fit once: `python -m benchmarks.memory NAME MODELS`."""

import resource
import subprocess
import sys
from pathlib import Path

from benchmarks.made_votes import make_votes
from benchmarks.peers import PEERS
from ranking import fit, sandwich

OURS = "ours"
VOTES = 200_000
KILOBYTES = 1024


def peak_megabytes(name: str, n_models: int) -> str:
    """Return the peak of a process of its own, as whole megabytes."""
    command = [sys.executable, "-m", "benchmarks.memory", name, str(n_models)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - itself
    return done.stdout.strip()


def main(name: str, n_models: int) -> None:
    """Fit once by the tool that is named, and print the peak; ours gives the covariance as well."""
    battles = make_votes(n_models, VOTES, seed=1).battles()
    if name == OURS:
        sandwich(battles, fit(battles))
    else:
        (peer,) = (peer for peer in PEERS if peer.name == name)
        peer.ready(battles)(battles.weight)
    sys.stdout.write(f"{_peak_kilobytes() // KILOBYTES}\n")


def _peak_kilobytes() -> int:
    """Return the peak of this program alone: the usage that the system adds up begins with the parent's."""
    facts = Path("/proc/self/status")
    if facts.exists():
        (peak,) = (line for line in facts.read_text().splitlines() if line.startswith("VmHWM"))
        return int(peak.split()[1])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
