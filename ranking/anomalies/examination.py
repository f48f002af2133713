"""Every voter of a board examined: the battery, the evidence, and who is to be looked at."""

from dataclasses import dataclass, fields, replace
from typing import Self, TypeVar

import numpy as np

from ranking.anomalies.battery import Battery, run_battery
from ranking.anomalies.discoveries import e_bh
from ranking.anomalies.evidence import Evidence, weigh
from ranking.anomalies.reference import Reference, expect
from ranking.anomalies.votes import VoterVotes
from ranking.battles import Flags

Part = TypeVar("Part", Battery, Evidence)

LEVEL = 0.01
# The battery and the evidence each get an equal share of the level.
PARTS = 2
VOTES_AT_ONCE = 1 << 17
NUMBERS_AT_ONCE = 1 << 23


@dataclass(frozen=True, eq=False)
class Findings:
    """What the votes of v voters say of each of them.

    Parameters
    ----------
    battery : Battery
    evidence : Evidence
    level : float
        How often an honest voter may be suspected.
    """

    battery: Battery
    evidence: Evidence
    level: float

    @property
    def enough_evidence(self) -> float:
        """The logarithm of the evidence that is enough to suspect a voter."""
        return float(-np.log(self.level / PARTS))

    @property
    def suspected(self) -> Flags:
        """(v,) whether the battery or the evidence speaks against a voter, each at its share of the level."""
        by_battery = self.battery.p_value <= self.level / PARTS
        suspected: Flags = by_battery | (self.evidence.log_peak >= self.enough_evidence)
        return suspected

    @property
    def discovered(self) -> Flags:
        """(v,) which voters stand out among all: at most the level of them is honest, on average (e-BH)."""
        return e_bh(self.evidence.log_e_value, level=self.level)

    def with_voters_of(self, other: Self, voters: Flags) -> Self:
        """Return these findings with those of the flagged voters taken from others of the same v voters."""
        return replace(
            self,
            battery=_with_rows_of(self.battery, other.battery, voters),
            evidence=_with_rows_of(self.evidence, other.evidence, voters),
        )


def examine_voters(
    votes: VoterVotes, reference: Reference, *, level: float = LEVEL, own: bool = True
) -> Findings:
    """Return what can be said against every voter by the voter's own votes and everybody else's.

    A finding is a reason to look, never proof: an honest person with an unusual taste is found as well.

    Parameters
    ----------
    votes : VoterVotes
        n votes of v voters over the m models of the reference. With cohorts in the place of voters it is
        the cohorts that are examined.
    reference : Reference
        Of a fit that these votes are part of, unless `own` says otherwise.
    level : float
        How often an honest voter may be suspected, at most.
    own : bool
        Whether the votes are part of the fit; False if it was made without them.

    Raises
    ------
    ValueError
        If votes and reference are over different numbers of models, or the level is not between 0 and 1.
    """
    if votes.n_models != reference.n_models:
        raise ValueError(
            f"the votes are over {votes.n_models} models, the reference over {reference.n_models}"
        )
    if not 0 < level < 1:
        raise ValueError(f"the level is {level}; expected one between 0 and 1")
    log_ceiling = float(np.log(max(votes.n_voters, PARTS)) - np.log(level))
    batteries, evidences = [], []
    for _, block in votes.blocks(VOTES_AT_ONCE, max(1, NUMBERS_AT_ONCE // len(reference.inverse))):
        expected = expect(block, reference, own=own)
        batteries.append(run_battery(block, expected, reference))
        evidences.append(weigh(block, expected, reference, log_ceiling=log_ceiling))
    return Findings(_joined(Battery, batteries), _joined(Evidence, evidences), level)


def _joined(kind: type[Part], parts: list[Part]) -> Part:
    """Return the columns of all blocks one after the other."""
    columns = [[getattr(part, each.name) for part in parts] for each in fields(kind)]
    return kind(*(np.concatenate(column) for column in columns))


def _with_rows_of(one: Part, other: Part, rows: Flags) -> Part:
    """Return the columns of one part with the flagged rows of another."""
    columns = {each.name: getattr(one, each.name).copy() for each in fields(one)}
    for name, column in columns.items():
        column[rows] = getattr(other, name)[rows]
    return replace(one, **columns)
