"""The command that rates a file of the same votes by the method of a run."""

import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from arena.terms import BothBad, Cluster, Interval, Ties

VOTES = "votes.csv"


def rank_command(method: Mapping[str, Any], files: str = VOTES) -> str:
    """Return `arena rank` with every option that the method needs, so that no default matters."""
    return shlex.join(["arena", "rank", files, *rank_options(method)])


def rank_options(method: Mapping[str, Any]) -> Iterator[str]:
    """Yield the options of a method; what an older run did not choose yet is as it was then."""
    interval = method.get("interval", Interval.BOOTSTRAP)
    yield from ("--ties", method.get("ties", Ties.HALF))
    yield from ("--both-bad", method.get("both_bad", BothBad.TIE))
    yield from ("--interval", interval)
    if interval != Interval.SANDWICH:
        yield from ("--rounds", str(method.get("rounds", 1000)))
    yield from ("--level", str(method.get("level", 0.95)), "--seed", str(method.get("seed", 0)))
    if anchor := method.get("anchor"):
        yield from ("--anchor", f"{anchor[0]}={anchor[1]:g}")
    if method.get("position"):
        yield "--position"
    if (cluster := method.get("cluster", Cluster.NONE)) != Cluster.NONE:
        yield from ("--cluster", cluster)
    if style := method.get("style"):
        yield from ("--style", ",".join(style))
