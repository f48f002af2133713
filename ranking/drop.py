"""How few votes hold a lead up: the smallest known set whose removal puts the follower ahead.

Each vote is ranked by what its removal would take off the lead, to first order at the fit. Dropping them in
that order is tried by exact refits until one vote makes the difference. What is found is a set that does
turn the order, so the number is an upper bound on the fewest; a smaller set may exist.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ranking.battles import Battles, Floats
from ranking.bradley_terry import Fit, inverse_curvature, maximise
from ranking.connectivity import is_table_connected
from ranking.errors import NotIdentifiedError
from ranking.fitting import fit as fit_of
from ranking.influence import Order, ordered
from ranking.joint import RowGradients, gradients
from ranking.ranks import EQUAL
from ranking.ties import TieModel

# Every so many steps the search halves its bracket instead of trusting that the lead falls evenly.
HALVE_EVERY = 3


class FlipEnding(StrEnum):
    """How the search for votes ended."""

    FLIPPED = "flipped"
    """The refit without these votes has the follower ahead."""
    SPLIT = "split"
    """The leader is still ahead, and one more vote leaves some model without a finite strength."""
    HELD = "held"
    """The leader is still ahead without any of the votes whose removal lowers the lead."""


@dataclass(frozen=True, eq=False)
class Flip:
    """How many votes hold one lead up.

    Parameters
    ----------
    leader, follower : int
        The two models.
    lead : float
        By how much the leader is ahead in the fit, in logits.
    predicted : int or None
        How many votes the first-order estimate asks for; None where all that help do not suffice.
    ending : FlipEnding
    votes : int
        Flipped: the refit without these turns the order, and without one less it does not. Otherwise the
        refit without these, the most that could be tried, does not turn it.
    lead_left : float
        The lead in the refit without them, in logits; negative if flipped.
    dropped : Battles
        These votes, as rows of pairs; the weights are how many of each.
    refits : int
        How many fits it took.
    """

    leader: int
    follower: int
    lead: float
    predicted: int | None
    ending: FlipEnding
    votes: int
    lead_left: float
    dropped: Battles
    refits: int


@dataclass(frozen=True, eq=False)
class Board:
    """What the searches of all pairs share.

    Parameters
    ----------
    battles : Battles
        Paired; c cells.
    fit : Fit
    slope : RowGradients
        Of one vote of each cell at the fit.
    scores : (m, m) float64
        What each model scored against each other.
    inverse : (m + p, m + p) float64
        Of the curvature; p is 1 with a tie parameter.
    """

    battles: Battles
    fit: Fit
    slope: RowGradients
    scores: Floats
    inverse: Floats


def votes_to_flip(battles: Battles, fit: Fit, leader: int, follower: int) -> Flip:
    """Return how many votes would have to be dropped for `follower` to overtake `leader`.

    Parameters
    ----------
    battles : Battles
        Over m models that are connected; weights are whole numbers of votes.
    fit : Fit
        Their fit, by any model of ties, without position or covariates.
    leader, follower : int
        Two models, the first ahead of the second by more than rounding.

    Raises
    ------
    ValueError
        If the leader is not ahead, a weight is not a whole number, or the fit has a position or covariates.

    Source
    ------
    Huang, Shen, Wei and Broderick (2025), "Dropping just a handful of preferences can change top large
    language model rankings", arXiv 2508.11847; Broderick, Giordano and Meager (2020), "An automatic
    finite-sample robustness metric", arXiv 2011.14999.
    """
    lead = float(fit.strength[leader] - fit.strength[follower])
    if not lead > EQUAL:
        raise ValueError(
            f"model {leader} is {lead:.2g} logits ahead of model {follower}; expected more than {EQUAL:.0e}. "
            "Name the model that leads first."
        )
    return _flip(_board(battles, fit), leader, follower)


def adjacent_flips(battles: Battles, fit: Fit, *, most: int | None = None) -> tuple[Flip, ...]:
    """Return the votes to flip of each model and the next one below it, from the top.

    Models of equal strength share a place and there is no lead to flip; such a pair is left out.

    Parameters
    ----------
    most : int, optional
        Only so many pairs from the top; all if not given.

    Raises
    ------
    ValueError
        If a weight is not a whole number, or the fit has a position or covariates.
    """
    board = _board(battles, fit)
    order = np.argsort(-fit.strength, kind="stable")
    apart = -np.diff(fit.strength[order]) > EQUAL
    pairs = zip(order[:-1][apart][:most], order[1:][apart][:most], strict=True)
    return tuple(_flip(board, int(leader), int(follower)) for leader, follower in pairs)


def _board(battles: Battles, fit: Fit) -> Board:
    whole = battles.weight % 1 == 0
    if not whole.all():
        raise ValueError(
            f"the weight {battles.weight[~whole][0]:g} is not a whole number; votes are dropped one by one. "
            "Give counts of votes, without weights of their own."
        )
    further = [name for name in fit.extra_names if name != "tie"]
    if further:
        raise ValueError(
            f"the fit has the parameters {further}, which change from row to row. Fit without them."
        )
    paired = battles.paired()
    return Board(
        battles=paired,
        fit=fit,
        slope=gradients(paired, fit),
        scores=paired.score_table(),
        inverse=inverse_curvature(fit.curvature, battles.n_models),
    )


def _flip(board: Board, leader: int, follower: int) -> Flip:
    lead = float(board.fit.strength[leader] - board.fit.strength[follower])
    order = _order(board, leader, follower)

    def lead_without(votes: int) -> float | None:
        strength = _refitted(board, order, votes)
        return None if strength is None else float(strength[leader] - strength[follower])

    leads, ending, votes = _search(lead_without, order, lead)
    lead_left = leads[votes]
    assert lead_left is not None, "the search ends at a fit"
    return Flip(
        leader=leader,
        follower=follower,
        lead=lead,
        predicted=order.votes_over(lead),
        ending=ending,
        votes=votes,
        lead_left=lead_left,
        dropped=_cells(board, order, votes),
        refits=len(leads) - 1,
    )


def _order(board: Board, leader: int, follower: int) -> Order:
    """Return the cells by what one of their votes adds to the lead: its gradient through pinv(H)."""
    toward, m = board.inverse[leader] - board.inverse[follower], board.battles.n_models
    between = toward[board.battles.first] - toward[board.battles.second]
    effect = between * board.slope.difference + board.slope.extra @ toward[m:]
    return ordered(effect, board.battles.weight)


def _refitted(board: Board, order: Order, votes: int) -> Floats | None:
    """Return the strengths without the first so many votes, or None where they are not all finite."""
    dropped = _cells(board, order, votes)
    first, second = dropped.first, dropped.second
    scores = board.scores.copy()
    np.subtract.at(scores, (first, second), dropped.weight * dropped.score)
    np.subtract.at(scores, (second, first), dropped.weight * (1 - dropped.score))
    if not is_table_connected(scores):
        return None
    if board.fit.ties is TieModel.HALF:
        return maximise(scores, board.fit.strength).strength
    try:
        return fit_of(_left(board, order, votes), ties=board.fit.ties).strength
    except NotIdentifiedError:  # no tie is left, or nothing else
        return None


def _search(
    lead_without: Callable[[int], float | None], order: Order, lead: float
) -> tuple[dict[int, float | None], FlipEnding, int]:
    """Return the leads that were tried, how it ended, and at how many votes.

    Between `low`, after which the leader is still ahead, and `high`, after which not, the next guess is
    where the lead would reach zero if it fell in proportion to the first-order relief.
    """
    leads: dict[int, float | None] = {0: lead}
    low, high = 0, order.total + 1
    guess = order.votes_over(lead) or order.total
    while high - low > 1:
        leads[guess] = left = lead_without(guess)
        if left is not None and left >= -EQUAL:
            low = guess
        else:
            high = guess
        guess = _next_guess(leads, order, low, high)
    if high > order.total:
        return leads, FlipEnding.HELD, low
    return (
        (leads, FlipEnding.SPLIT, low) if leads[high] is None else (leads, FlipEnding.FLIPPED, high)
    )


def _next_guess(leads: dict[int, float | None], order: Order, low: int, high: int) -> int:
    """Return a number of votes strictly between low and high, if there is one."""
    middle = (low + high) // 2
    left, beyond = leads[low], leads.get(high)
    assert left is not None, "the leader is ahead at a fit"
    if len(leads) % HALVE_EVERY == 0 or (high in leads and beyond is None):
        return middle
    start, lead, relief = (0, leads[0], order.relief_of(low))
    if beyond is not None:
        start, lead, relief = low, left, order.relief_of(high) - order.relief_of(low)
        left = beyond
    assert lead is not None
    fallen = lead - left
    if fallen <= 0:
        return middle
    guess = order.votes_over(order.relief_of(start) + relief * lead / fallen)
    return min(max(guess or order.total, low + 1), high - 1)


def _cells(board: Board, order: Order, votes: int) -> Battles:
    """Return the first so many votes of an order."""
    counts = order.counts(votes)
    cells, counts = order.cells[counts > 0], counts[counts > 0]
    battles = board.battles
    return Battles(
        battles.first[cells], battles.second[cells], battles.score[cells], counts, battles.n_models
    )


def _left(board: Board, order: Order, votes: int) -> Battles:
    """Return all other votes."""
    weight = board.battles.weight.copy()
    weight[order.cells] -= order.counts(votes)
    kept, battles = weight > 0, board.battles
    return Battles(
        battles.first[kept],
        battles.second[kept],
        battles.score[kept],
        weight[kept],
        battles.n_models,
    )
