"""Whose votes move the ratings, beside what happens without them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray

from ranking import POINTS_PER_LOGIT, Battles, Covariates, TieModel, fit
from ranking.leverage import leverage
from tests.ranking.davidson import draw_rows

Voters = NDArray[np.int64]


@pytest.fixture
def rows(generator: np.random.Generator) -> Battles:
    return draw_rows(np.linspace(-0.6, 0.6, 6), 6000, generator, share=np.full(6, 1 / 6))


@pytest.fixture
def voter(rows: Battles, generator: np.random.Generator) -> Voters:
    """150 voters, numbered with gaps, some far busier than others."""
    share = generator.dirichlet(np.full(150, 0.5))
    return 7 * generator.choice(150, len(rows), p=share)


def without(rows: Battles, voter: Voters, name: int) -> Battles:
    kept = voter != name
    return Battles(
        rows.first[kept], rows.second[kept], rows.score[kept], rows.weight[kept], rows.n_models
    )


@pytest.mark.parametrize("ties", list(TieModel))
def test_it_is_what_a_fit_without_the_voter_shows(
    ties: TieModel, rows: Battles, voter: Voters
) -> None:
    """First order against the exact refit, for the voters with most of it."""
    found = fit(rows, ties=ties)

    top = leverage(rows, found, voter, top=10)

    for name, norm, model, moved in zip(
        top.voter.tolist(), top.norm, top.model, top.displacement, strict=True
    ):
        change = found.strength - fit(without(rows, voter, name), ties=ties).strength
        assert moved == pytest.approx(POINTS_PER_LOGIT * change[model], rel=0.15)
        assert norm == pytest.approx(POINTS_PER_LOGIT * np.linalg.norm(change), rel=0.15)
        assert abs(change[model]) == pytest.approx(np.abs(change).max(), rel=0.15)


def test_the_twin_agrees(rows: Battles, voter: Voters) -> None:
    """Written out voter by voter, with numpy's pseudo-inverse."""
    found = fit(rows)
    inverse = np.linalg.pinv(found.curvature, hermitian=True)
    chance = 1 / (1 + np.exp(found.strength[rows.second] - found.strength[rows.first]))
    norms = {}
    for name in np.unique(voter):
        own = voter == name
        pull = np.bincount(rows.first[own], (rows.score - chance)[own], 6)
        pull -= np.bincount(rows.second[own], (rows.score - chance)[own], 6)
        norms[int(name)] = POINTS_PER_LOGIT * np.linalg.norm(inverse @ pull)

    top = leverage(rows, found, voter, top=1000)

    assert top.n_voters == len(norms) == len(top.voter)
    assert_allclose(top.norm, [norms[name] for name in top.voter.tolist()])
    assert (np.diff(top.norm) <= 0).all()
    assert top.votes.sum() == len(rows)


def test_all_voters_together_move_nothing(rows: Battles, voter: Voters) -> None:
    """The fit balances: the gradients of all votes add up to nothing, so one voter alone has no leverage."""
    alone = leverage(rows, fit(rows), np.zeros(len(rows), np.int64))

    assert_allclose(alone.norm, 0, atol=1e-6)


def test_a_voter_with_one_goal_stands_first(rows: Battles, voter: Voters) -> None:
    """150 votes for one model, whoever it met, among 6000: named, with the model and the direction."""
    goal = Battles(
        np.r_[rows.first, np.full(150, 2)],
        np.r_[rows.second, np.tile([0, 1, 3, 4, 5], 30)],
        np.r_[rows.score, np.ones(150)],
        np.r_[rows.weight, np.ones(150)],
        6,
    )

    top = leverage(goal, fit(goal), np.r_[voter, np.full(150, 9999)])

    assert top.voter[0] == 9999
    assert top.model[0] == 2
    assert top.displacement[0] > 15
    assert top.votes[0] == 150


def test_a_fit_with_seats_and_covariates_is_read_with_them(rows: Battles, voter: Voters) -> None:
    """The strengths are those beside the further parameters, so their votes count as they do there."""
    length = Covariates(("length",), np.linspace(-1, 1, len(rows))[:, None])
    found = fit(rows, position=True, covariates=length)

    top = leverage(rows, found, voter, top=3, covariates=length)

    name = int(top.voter[0])
    kept = voter != name
    rest = fit(
        without(rows, voter, name),
        position=True,
        covariates=Covariates(("length",), length.values[kept]),
    )
    change = POINTS_PER_LOGIT * (found.strength - rest.strength)
    assert top.norm[0] == pytest.approx(np.linalg.norm(change), rel=0.15)


def test_a_row_without_a_voter_is_refused(rows: Battles) -> None:
    """A shorter list of voters would be somebody else's votes."""
    with pytest.raises(ValueError, match="one for each row"):
        leverage(rows, fit(rows), np.zeros(3, np.int64))
