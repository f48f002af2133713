"""`python -m benchmarks [NAME ...]`: measure, print tables; nothing here passes or fails."""

import os
import sys
from importlib import import_module

# Before numpy is loaded: ratios on one thread mean the same on any machine.
for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

WIDTH = 110
NAMES = ("ranking", "style", "scale", "cost", "diagnosis", "rank_file", "importing", "drawing")


def main() -> None:
    """Run the benchmarks that were named, or all."""
    from rich.console import Console  # noqa: PLC0415 - the environment above comes first

    console = Console(width=WIDTH)
    for name in sys.argv[1:] or NAMES:
        if name not in NAMES:
            sys.exit(f"error: there is no benchmark {name!r}; expected one of {', '.join(NAMES)}")
        import_module(f"benchmarks.{name}").run(console)


main()
