"""How often each diagnosis cries wolf, and how often it sees one, over boards with a known truth."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pytest

from ranking import (
    Battles,
    NotConnectedError,
    TieModel,
    adjacent_flips,
    agreement,
    alpha,
    among_themselves,
    coincidences,
    constancy,
    cycles,
    fit,
    goodness,
    kappa,
    with_interval,
)
from ranking.agreement import Measure, Ratings
from ranking.battles import Floats
from ranking.drop import FlipEnding
from tests.figures import written_to
from tests.ranking.davidson import draw_battles
from tests.ranking.drifting import draw_periods
from tests.ranking.test_agreement import many
from tests.ranking.test_cycles import with_circle
from tests.ranking.test_drop import fewest
from tests.ranking.test_goodness import with_favourite

HEADING = """
# Errors of diagnosis

How often each check of a board says that something is wrong, at 5 %: where nothing is, and where it was planted. 500
boards leave an error of 1 point at 5 %. Votes to flip are held to the fewest that any deletion takes, on boards small
enough to try all. Agreement is the share of 95 % intervals that hold the truth of endless items.
"""
COLUMNS = ("check", "board", "truth", "found", "of")
BOARDS = 500
ROUNDS = 99
SETS = 1500
# In logits: about a third of battles tie, as with Davidson's model.
THRESHOLD = 0.7
# At 5 %, over BOARDS boards, three standard errors either way.
LEAST, MOST = 0.02, 0.08

Rows = list[tuple[str, ...]]

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Board:
    """A truth to draw boards from."""

    name: str
    strength: Floats
    battles: int

    def draw(self, generator: np.random.Generator, ties: TieModel = TieModel.DAVIDSON) -> Battles:
        """Battles by the equations of a model of ties; for half ties, which has none, by Davidson's."""
        m = len(self.strength)
        if ties is TieModel.RAO_KUPPER:
            return self._draw_thresholds(generator)
        return draw_battles(self.strength, self.battles, generator, share=np.full(m, 1 / m))

    def _draw_thresholds(self, generator: np.random.Generator) -> Battles:
        """Rao and Kupper's: who leads by less than a threshold, in logistic noise, ties."""
        first, second = generator.integers(0, len(self.strength), (2, self.battles), np.int32)
        met = first != second
        lead = (self.strength[first] - self.strength[second])[met]
        felt = lead + generator.logistic(size=len(lead))
        score = np.where(felt > THRESHOLD, 1.0, np.where(felt < -THRESHOLD, 0.0, 0.5))
        return Battles(
            first[met], second[met], score, np.ones(len(lead)), len(self.strength)
        ).merged()


EIGHT = Board("8 models, 3,000 battles", np.linspace(-1.0, 1.0, 8), 3000)
THIN = Board("20 models, 2,000 battles", np.linspace(-1.0, 1.0, 20), 2000)


@pytest.fixture(scope="module")
def figures() -> Iterator[Rows]:
    """The rows of the page of figures, written when the simulations are done."""
    with written_to("diagnosis.md", HEADING, COLUMNS) as rows:
        yield rows


def share(
    wrong: Callable[[Battles, np.random.Generator], list[bool]],
    board: Board,
    generator: np.random.Generator,
    *,
    ties: TieModel = TieModel.DAVIDSON,
) -> Floats:
    """The share of boards that each of some checks finds wrong."""
    found = [wrong(board.draw(generator, ties), generator) for _ in range(BOARDS)]
    return np.asarray(np.mean(found, axis=0))


@pytest.mark.parametrize(
    ("board", "ties"),
    [(EIGHT, ties) for ties in TieModel] + [(THIN, TieModel.HALF), (THIN, TieModel.DAVIDSON)],
)
def test_goodness_and_cycles_keep_their_level(
    board: Board, ties: TieModel, generator: np.random.Generator, figures: Rows
) -> None:
    """A third of battles are ties, drawn by the equations that are fitted."""

    def wrong(battles: Battles, generator: np.random.Generator) -> list[bool]:
        found = fit(battles, ties=ties)
        fits = goodness(battles, found, generator, rounds=ROUNDS)
        circles = cycles(battles, found, generator, rounds=ROUNDS)
        assert circles.curl is not None
        return [
            fits.pearson.p_value <= 0.05,
            fits.deviance.p_value <= 0.05,
            len(fits.worst(level=0.95)) > 0,
            circles.curl.p_value <= 0.05,
            len(circles.triads) > 0,
        ]

    names = ("Pearson", "deviance", "some pair", "curl", "some triad")
    found = share(wrong, board, generator, ties=ties)

    for name, of in zip(names, found, strict=True):
        figures.append((name, board.name, f"nothing wrong; {ties} fit", f"{of:.1%}", "boards"))
    assert found.min() > LEAST
    assert found.max() < MOST


def test_what_was_planted_is_seen(generator: np.random.Generator, figures: Rows) -> None:
    """One pair of eight that plays by rules of its own, and one circle of three."""

    def wrong(battles: Battles, generator: np.random.Generator) -> list[bool]:
        odd = with_favourite(battles, (1, 7), 0.5, generator)
        fits = goodness(odd, fit(odd), generator, rounds=ROUNDS)
        worst = fits.worst(level=0.95)
        named = [(fits.first[pair], fits.second[pair]) for pair in worst[:1]]
        circle = with_circle(battles, (2, 6, 4), 0.75, 100)
        about = cycles(circle, fit(circle), generator, rounds=ROUNDS)
        assert about.curl is not None
        triads = [set(triad.models) for triad in about.triads[:1]]
        return [
            fits.pearson.p_value <= 0.05,
            named == [(1, 7)],
            about.curl.p_value <= 0.05,
            triads == [{2, 4, 6}],
        ]

    names = ("Pearson", "that pair first", "curl", "that triad first")
    truths = ["a pair at 50 % instead of 21 %"] * 2 + ["a circle, 75 % of 100 each"] * 2
    found = share(wrong, EIGHT, generator)

    for name, truth, of in zip(names, truths, found, strict=True):
        figures.append((name, EIGHT.name, truth, f"{of:.1%}", "boards"))
    assert found.min() > 0.8


@pytest.mark.parametrize("jump", [0.0, 0.4, 0.8])
def test_drift_keeps_its_level_and_sees_changes(
    jump: float, generator: np.random.Generator, figures: Rows
) -> None:
    """20,000 battles of ten models in four periods; one changes halfway, the others stand accused by none."""
    named = charged = 0
    for _ in range(BOARDS):
        battles, period = draw_periods(
            np.linspace(-1.0, 1.0, 10), 20_000, generator, periods=4, changed=3, jump=jump
        )
        drifted = constancy(battles, period).drifted
        named += 3 in drifted
        charged += bool(set(drifted) - {3}) if jump else len(drifted) > 0

    truth = f"model 3 gains {jump} logits" if jump else "nothing changes"
    board = "10 models, 20,000 battles"
    if jump:
        figures.append(("drift of that model", board, truth, f"{named / BOARDS:.1%}", "boards"))
    figures.append(("drift of any other", board, truth, f"{charged / BOARDS:.1%}", "boards"))
    assert charged / BOARDS < MOST
    if jump == 0.8:
        assert named / BOARDS > 0.99


def test_votes_to_flip_are_seldom_more_than_the_fewest(
    generator: np.random.Generator, figures: Rows
) -> None:
    """Boards of three models and about ten battles, every deletion tried."""
    above: list[int] = []
    while len(above) < BOARDS:
        board = draw_battles(np.array([0.4, 0.0, -0.4]), 14, generator, share=np.full(3, 1 / 3))
        if len(board) > 3:
            above += _above_fewest(board)

    exact, one_more = np.mean(np.array(above) == 0), np.mean(np.array(above) <= 1)
    figures.append(("votes to flip", "3 models", "the fewest", f"{exact:.1%}", "pairs"))
    figures.append(("votes to flip", "3 models", "at most one more", f"{one_more:.1%}", "pairs"))
    assert min(above) == 0
    assert one_more > 0.95


def _above_fewest(board: Battles) -> list[int]:
    """How many votes more than the fewest were named, pair by pair."""
    try:
        flips = adjacent_flips(board, fit(board))
    except NotConnectedError:
        return []
    return [
        flip.votes - fewest(board, flip.leader, flip.follower)
        for flip in flips
        if flip.ending is FlipEnding.FLIPPED
    ]


TABLES: dict[str, tuple[Callable[[Ratings], Floats], Measure]] = {
    "agreement among people": (among_themselves, agreement),
    "kappa among people": (among_themselves, kappa),
    "Krippendorff's alpha": (coincidences, alpha),
}


@pytest.mark.parametrize("name", list(TABLES))
@pytest.mark.parametrize("items", [50, 300])
def test_intervals_of_agreement_cover(
    name: str, items: int, generator: np.random.Generator, figures: Rows
) -> None:
    """Two to five people an item, of whom six in ten say what the item is like."""
    tables, measure = TABLES[name]
    truth = float(measure(tables(many(generator, items=300_000, accord=0.6)).sum(0)))
    held = 0
    for _ in range(SETS):
        found = with_interval(
            tables(many(generator, items=items, accord=0.6)), measure, generator, rounds=500
        )
        assert found is not None
        held += found.lower <= truth <= found.upper

    covered = held / (SETS)
    figures.append((name, f"{items} items", "the interval holds it", f"{covered:.1%}", "sets"))
    assert 0.93 < covered < 0.97
