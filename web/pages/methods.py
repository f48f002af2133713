"""The method of a rating run, and what it found beside the ratings, in words."""

from collections.abc import Iterator
from dataclasses import dataclass

from arena.leaderboard import Estimate, RunFacts, RunFindings
from arena.terms import BothBad, Cluster, Interval, Ties
from web.pages.numbers import counted, percent, points, signed, value

# A scale that half ties leave nearly as it was is not worth a word in a head.
NOTABLE_SLOPE = 0.95
MODELS = {Ties.DAVIDSON: "Davidson", Ties.RAO_KUPPER: "Rao–Kupper"}
CLUSTERS = {
    Cluster.VOTER: "voter",
    Cluster.PROMPT: "prompt",
    Cluster.BOTH: "voter and prompt",
}
NO_TIE_PARAMETER = "no parameter: it takes ties and decided votes"
OLDER = "not fitted by this older run"


@dataclass(frozen=True)
class MethodWords:
    """What pages say of the method of a run."""

    run: RunFacts

    @property
    def found(self) -> RunFindings | None:
        """What was found beside the ratings."""
        return self.run.findings

    @property
    def line(self) -> str:
        """The method in a few words."""
        return ", ".join(self._parts())

    def _parts(self) -> Iterator[str]:
        method = self.run.method
        named = MODELS.get(self._ties)
        yield "Bradley–Terry"
        yield f"ties by {named}" if named else "ties ½"
        if method.get("both_bad") == BothBad.EXCLUDE:
            yield "“both bad” left out"
        if method.get("position"):
            yield "first seat taken out"
        if method.get("style"):
            yield "style held apart"
        if self._by_resamples:
            yield f"{method['rounds']:,} resamples"
        else:
            yield "robust covariance"
        if cluster := CLUSTERS.get(self._cluster):
            yield f"clustered by {cluster}"

    @property
    def ties(self) -> str:
        """What a tie is, with its parameter, or with what half ties do to the scale."""
        named = MODELS.get(self._ties)
        if named is not None:
            parameter = None if self.found is None else self.found.tie_parameter
            said = NO_TIE_PARAMETER if parameter is None else f"parameter {estimated(parameter)}"
            return f"{named}, {said}"
        slope = None if self.found is None else self.found.half_tie_slope
        if slope is None or slope > NOTABLE_SLOPE:
            return "half a win to each"
        return f"half a win to each; half ties shrink this scale to {percent(slope)} of Davidson’s"

    @property
    def seat(self) -> str:
        """What being shown first adds, or why that is not known, and whether it is taken out."""
        if self.found is None:
            return OLDER
        if self.found.position is None:
            return f"not known: {self.found.position_absent or 'nothing is rated'}"
        gain = self.found.position
        use = "taken out" if self.found.position_applied else "averaged out"
        ends = f"{signed(gain.lower)} to {signed(gain.upper)}"
        return f"{signed(gain.estimate)} points ({ends}), {use}"

    @property
    def intervals(self) -> str:
        """Where the intervals come from."""
        level = self.run.method.get("level")
        share = f"{percent(level)}, " if isinstance(level, float) else ""
        return f"{share}by {'resamples' if self._by_resamples else 'the covariance'}"

    @property
    def rule(self) -> str | None:
        """What chose so, if the board left it open."""
        return None if self.found is None else self.found.interval_rule

    @property
    def clusters(self) -> str:
        """Which votes go together in the intervals."""
        cluster = CLUSTERS.get(self._cluster)
        if cluster is None:
            return "none: each is taken by itself"
        if self.found is None or not self.found.clusters:
            return f"by {cluster}, of which there is only one"
        return f"by {cluster}: {', '.join(counted(n) for n in self.found.clusters)}"

    @property
    def anchor(self) -> str:
        """What the scale is fixed at."""
        anchor = self.run.method.get("anchor")
        if not isinstance(anchor, list | tuple):
            return "mean of the rated models at 1000"
        return f"{anchor[0]} at {points(anchor[1])}"

    @property
    def _ties(self) -> Ties:
        return Ties(str(self.run.method.get("ties", Ties.HALF)))

    @property
    def _cluster(self) -> Cluster:
        return Cluster(str(self.run.method.get("cluster", Cluster.NONE)))

    @property
    def _by_resamples(self) -> bool:
        chosen = self.run.method.get("interval")
        used = chosen if self.found is None else (self.found.interval or chosen)
        return used == Interval.BOOTSTRAP


def estimated(number: Estimate) -> str:
    """Return a number with its interval."""
    return f"{value(number.estimate)} ({value(number.lower)} to {value(number.upper)})"
