"""Every voter of a board examined against all others."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import log10

import numpy as np
from sqlalchemy.orm import Session

from arena.errors import NothingToRateError
from arena.reviewing.ballots import BoardBallots, picked, read_ballots
from arena.reviewing.conduct import conduct_of, tally_of
from arena.reviewing.short_names import short_name
from arena.reviewing.views import BoardVoters, Standing, VoterEvidence, VoterView
from arena.store.boards import find_board
from arena.store.reviews import is_quarantined, newest_reviews
from arena.store.tables import BoardRow, VoterReviewRow
from ranking import Findings, RankingError, by_voter, examine_voters, fit_reference
from ranking.anomalies import TESTS

LEVEL = 0.01


@dataclass(frozen=True, eq=False)
class Examination:
    """The voters of a board and what is found of each.

    `findings` is of all v voters in the order of the ballots.
    """

    ballots: BoardBallots
    findings: Findings
    reviews: Mapping[str, VoterReviewRow]

    def evidence_of(self, place: int) -> VoterEvidence:
        """Return what is found of one voter, in words and numbers."""
        battery, evidence = self.findings.battery, self.findings.evidence
        conduct = conduct_of(self.findings, self.ballots, place)
        return VoterEvidence(
            **tally_of(self.ballots, place)._asdict(),
            p_value=float(battery.p_value[place]),
            test=TESTS[int(battery.p_values[place].argmin())].value,
            evidence=float(evidence.log_peak[place] / np.log(10)),
            conduct=conduct.words,
            model=None if conduct.model is None else self.ballots.models[conduct.model],
            suspected=bool(self.findings.suspected[place]),
            stands_out=bool(self.findings.discovered[place]),
        )

    def view_of(self, place: int, *, key: bytes) -> VoterView:
        """Return one voter as listed."""
        voter = self.ballots.voters[place]
        review = self.reviews.get(voter)
        return VoterView(
            voter=short_name(key, voter),
            standing=Standing.SUSPECTED if review is None else Standing(review.decision),
            evidence=self.evidence_of(place),
            reason=None if review is None else review.reason,
            decided_by=None if review is None else review.actor,
            decided_at=None if review is None else review.created_at,
        )


def examine(session: Session, board: BoardRow) -> Examination:
    """Examine every voter of a board.

    The reference is fitted without the voters in quarantine, so that an attack that was found does not hide
    what is left of it; they are held against it too.

    Raises
    ------
    NothingToRateError
        If there are no votes that can be fitted.
    """
    reviews = newest_reviews(session, board.id)
    quarantined = {voter for voter, review in reviews.items() if is_quarantined(review)}
    ballots = read_ballots(session, board, quarantined=quarantined)
    if len(ballots.models) < 2:
        raise NothingToRateError(
            f"The votes of people on board {board.name!r} join no two models by wins and losses both ways, so "
            "nothing says what to expect of a voter. Collect more votes first."
        )
    try:
        return Examination(ballots, _find(ballots), reviews)
    except RankingError as error:
        message = f"The voters of board {board.name!r} cannot be examined: {error}"
        raise NothingToRateError(message) from error


def _find(ballots: BoardBallots) -> Findings:
    """Hold every voter against the votes outside of quarantine; those inside are no part of that fit."""
    is_out = ballots.is_out[ballots.voter]
    voters = len(ballots.voters)
    kept, held = picked(ballots.battles, ~is_out), picked(ballots.battles, is_out)
    reference = fit_reference(kept.merged())
    votes = by_voter(ballots.voter[~is_out], kept, n_voters=voters)
    findings = examine_voters(votes, reference, level=LEVEL)
    if not is_out.any():
        return findings
    votes = by_voter(ballots.voter[is_out], held, n_voters=voters)
    of_held = examine_voters(votes, reference, level=LEVEL, own=False)
    return findings.with_voters_of(of_held, ballots.is_out)


def examine_board(session: Session, board_name: str, *, key: bytes) -> BoardVoters:
    """Return the voters of a board to look at: those suspected, and those that somebody decided about.

    Parameters
    ----------
    key : bytes
        The installation's key: voters are listed by short names made with it.

    Raises
    ------
    UnknownBoardError
        If no board is called so.
    NothingToRateError
        If there are no votes that can be fitted.
    """
    board = find_board(session, board_name)
    found = examine(session, board)
    listed = [
        found.view_of(place, key=key)
        for place, voter in enumerate(found.ballots.voters)
        if found.findings.suspected[place] or voter in found.reviews
    ]
    return BoardVoters(
        board=board.name,
        is_simulated=board.is_simulated,
        voters=len(found.ballots.voters),
        votes=len(found.ballots.battles),
        level=LEVEL,
        quarantined=int(found.ballots.is_out.sum()),
        listed=tuple(sorted(listed, key=_oddness, reverse=True)),
    )


def _oddness(view: VoterView) -> float:
    """Return by how many powers of ten a voter is odd, by the part that says more."""
    return max(view.evidence.evidence, -log10(view.evidence.p_value))
