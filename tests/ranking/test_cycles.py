"""Circles of models: found where they were planted, and not where ratings are all there is."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from ranking import Battles, fit
from ranking.battles import Floats
from ranking.cycles import Cycles, cycles
from ranking.goodness import goodness
from ranking.loops import loop_flows
from ranking.pairs import pairs
from ranking.ties import TieModel
from tests.ranking.davidson import draw_battles
from tests.ranking.test_published import llmfao


def with_circle(battles: Battles, circle: tuple[int, int, int], share: float, n: int) -> Battles:
    """The battles with n further ones of each pair of three models, each winning this share of the next."""
    first = np.array(circle, np.int32)
    second = np.roll(first, -1)
    return Battles(
        np.r_[battles.first, first, first],
        np.r_[battles.second, second, second],
        np.r_[battles.score, np.ones(3), np.zeros(3)],
        np.r_[battles.weight, np.full(3, n * share), np.full(3, n * (1 - share))],
        battles.n_models,
    ).merged()


def ring(n_models: int, share: float, n: float) -> Battles:
    """Each model meets only the next, and wins this share: one loop, no triad."""
    first = np.arange(n_models, dtype=np.int32)
    second = np.roll(first, -1)
    return Battles(
        np.r_[first, first],
        np.r_[second, second],
        np.repeat([1.0, 0.0], n_models),
        np.repeat([n * share, n * (1 - share)], n_models),
        n_models,
    )


def shares_by_projection(battles: Battles) -> Floats:
    """The three shares by least squares on every pair and every triad, written out."""
    of = pairs(battles, fit(battles))
    weight = of.counts.meetings * of.information
    flow = of.expected.difference + of.surplus / weight
    place = {pair: number for number, pair in enumerate(zip(of.first, of.second, strict=True))}
    gradients = np.zeros((len(flow), of.n_models))
    for (i, j), row in place.items():
        gradients[row, i], gradients[row, j] = 1, -1
    triads = []
    for i, j in place:
        for k in range(j + 1, of.n_models):
            if (j, k) in place and (i, k) in place:
                around = np.zeros(len(flow))
                around[[place[i, j], place[j, k], place[i, k]]] = 1, 1, -1
                triads.append(around)
    root = np.sqrt(weight)
    scaled = root * flow
    parts = [_projected(root[:, None] * gradients, scaled)]
    if triads:
        parts.append(_projected(np.array(triads).T / root[:, None], scaled))
    energies = [part @ part for part in parts] + [0.0] * (2 - len(parts))
    return np.array([*energies, scaled @ scaled - sum(energies)]) / (scaled @ scaled)


def _projected(onto: Floats, flow: Floats) -> Floats:
    solution, *_ = np.linalg.lstsq(onto, flow, rcond=None)
    projected: Floats = onto @ solution
    return projected


def shares(found: Cycles) -> list[float]:
    return [
        found.gradient,
        found.curl.value if found.curl else 0.0,
        found.harmonic.value if found.harmonic else 0.0,
    ]


def test_a_planted_circle_is_found_and_no_other(
    battles: Battles, generator: np.random.Generator
) -> None:
    """Rock, paper, scissors among three of eight models: that triad, in its direction, and first."""
    odd = with_circle(battles, (2, 6, 4), 0.8, 200)

    found = cycles(odd, fit(odd), generator, rounds=199)

    assert found.curl is not None
    assert found.curl.p_value == pytest.approx(0.005)
    strongest = found.triads[0]
    assert set(strongest.models) == {2, 4, 6}
    assert strongest.models in {(2, 6, 4), (6, 4, 2), (4, 2, 6)}
    assert strongest.is_cycle
    assert min(strongest.scores) > 0.5


def test_the_shares_are_those_of_least_squares(battles: Battles) -> None:
    """The twin lists every triad; ours lists none."""
    kept = (battles.first + battles.second) % 3 > 0
    thin = Battles(
        battles.first[kept],
        battles.second[kept],
        battles.score[kept],
        battles.weight[kept],
        battles.n_models,
    )
    holed = ring(4, 0.6, 50).merged()
    for board in (battles, thin, holed):
        found = cycles(board, fit(board), np.random.default_rng(1), rounds=1)

        assert_allclose(shares(found), shares_by_projection(board), atol=1e-9)


def test_what_is_no_gradient_is_pearsons_statistic(
    battles: Battles, generator: np.random.Generator
) -> None:
    """Goodness of fit and cycles are two views of one number."""
    found = fit(battles)
    of = pairs(battles, found)
    spread = of.counts.meetings * of.information @ of.expected.difference**2

    about = cycles(battles, found, generator, rounds=1)

    pearson = goodness(battles, found, generator, rounds=1).pearson.value
    assert about.gradient == pytest.approx(spread / (spread + pearson))


def test_a_ring_is_all_harmonic(generator: np.random.Generator) -> None:
    """Five models in a ring, each beating the next: no triad is to blame, the loop is."""
    board = ring(5, 0.7, 100.0)

    found = cycles(board, fit(board), generator, rounds=99)

    assert found.curl is None
    assert found.n_loops == 1
    assert found.harmonic is not None
    assert found.harmonic.value == pytest.approx(1)
    assert found.triads == ()


def test_a_loop_with_a_triad_on_its_rim_is_found() -> None:
    """The flow goes round both ways of the triad, as much as leaves its curl at nothing."""
    first, second = np.array([0, 1, 2, 0, 0, 1]), np.array([1, 2, 3, 3, 4, 4])

    flow = loop_flows(first, second, 5)[:, 0]

    assert_allclose(np.abs(flow) / np.abs(flow[1]), [2 / 3, 1, 1, 1, 1 / 3, 1 / 3])


@pytest.mark.parametrize("n_models", [6, 60])
def test_loops_are_counted_as_topology_has_them(n_models: int) -> None:
    """An octahedron has none, though three pairs never met; a square without diagonals has one.

    With 60 models there are more pairs than are taken at once, so loops are searched one by one.
    """
    first, second = np.triu_indices(n_models, 1)
    octahedron = (second - first != n_models // 2) | (first >= 3)
    square = np.isin(first, range(4)) & np.isin(second, range(4))
    hanging = (first == 3) & (second > 3)
    inside = (square & ~np.isin(second - first, [2])) | hanging | ((first > 3) & (second > 3))

    assert loop_flows(first[octahedron], second[octahedron], n_models).shape[1] == 0
    assert loop_flows(first[inside], second[inside], n_models).shape[1] == 1


@pytest.mark.parametrize("ties", list(TieModel))
def test_ratings_alone_make_no_circles(ties: TieModel, generator: np.random.Generator) -> None:
    """A small twin of the long simulation: at 5 %, of 60 boards at most 8 have a triad or a share too large."""
    strength, share = np.linspace(-0.8, 0.8, 6), np.full(6, 1 / 6)
    shared = named = 0
    for _ in range(60):
        board = draw_battles(strength, 1500, generator, share=share)
        found = cycles(board, fit(board, ties=ties), generator, rounds=39)
        assert found.curl is not None
        shared += found.curl.p_value <= 0.05
        named += bool(found.triads)

    assert shared <= 8
    assert named <= 8


def test_names_and_seats_do_not_matter(battles: Battles, generator: np.random.Generator) -> None:
    """A triad keeps its direction whatever its models are called."""
    odd = with_circle(battles, (2, 6, 4), 0.8, 200)
    renamed = Battles(7 - odd.second, 7 - odd.first, 1 - odd.score, odd.weight, 8)

    found, other = (cycles(same, fit(same), generator, rounds=99) for same in (odd, renamed))

    assert_allclose(shares(found), shares(other), atol=1e-9)
    assert {tuple(sorted(7 - model for model in triad.models)) for triad in other.triads} == {
        tuple(sorted(triad.models)) for triad in found.triads
    }
    i, j, k = (7 - model for model in other.triads[0].models)
    assert found.triads[0].models in {(i, j, k), (j, k, i), (k, i, j)}


def test_two_models_cannot_go_in_circles(generator: np.random.Generator) -> None:
    """There is no triad and no loop: everything is gradient."""
    pair = Battles(
        np.array([0, 0]), np.array([1, 1]), np.array([1.0, 0.0]), np.array([6.0, 3.0]), 2
    )

    found = cycles(pair, fit(pair), generator, rounds=9)

    assert found.gradient == pytest.approx(1)
    assert found.curl is None
    assert found.harmonic is None


def test_the_crowd_on_real_models_goes_in_circles_no_more_than_chance(
    generator: np.random.Generator,
) -> None:
    """LLMFAO by GPT-4: 59 models and 2139 verdicts hold no triad that survives."""
    board = llmfao("gpt4", "gpt4-crowd-comparisons.csv").battles

    found = cycles(board, fit(board), generator, rounds=99)

    assert found.curl is not None
    assert found.curl.p_value > 0.5
    assert found.triads == ()
