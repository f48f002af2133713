"""Agreement between raters: textbook figures, published figures, other tools, and intervals that hold."""

import csv
import gzip
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import evalica
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from ranking.agreement import (
    Distance,
    Ratings,
    agreement,
    agreement_without_ties,
    alpha,
    among_themselves,
    coincidences,
    compared,
    halves,
    kappa,
    left_out,
    with_interval,
)
from ranking.battles import Floats
from tests.shared import shared_file

# Krippendorff (2011), "Computing Krippendorff's alpha-reliability", example A: two observers, ten documents.
MEG = (0, 1, 0, 0, 0, 0, 0, 0, 1, 0)
OWEN = (1, 1, 1, 0, 0, 1, 0, 0, 0, 0)


def one_rater(score: Floats, *, rater: int = 0) -> Ratings:
    return Ratings(np.arange(len(score)), np.full(len(score), rater), score)


def many(generator: np.random.Generator, *, items: int, accord: float, raters: int = 5) -> Ratings:
    """Up to five raters on each item, who say what the item is like with this chance, else anything."""
    item, rater = np.nonzero(generator.random((items, raters)) < 0.7)
    truth = generator.choice([0.0, 0.5, 1.0], items, p=[0.35, 0.3, 0.35])
    anything = generator.choice([0.0, 0.5, 1.0], len(item))
    return Ratings(
        item, rater, np.where(generator.random(len(item)) < accord, truth[item], anything)
    )


def pooled(*parts: Ratings) -> Ratings:
    return Ratings(
        np.concatenate([part.item for part in parts]),
        np.concatenate([part.rater for part in parts]),
        np.concatenate([part.score for part in parts]),
    )


def test_krippendorffs_own_example_comes_out() -> None:
    """Alpha is 0.095 for his two observers of ten documents."""
    both = pooled(one_rater(np.array(MEG, float)), one_rater(np.array(OWEN, float), rater=1))

    assert alpha(coincidences(both).sum(0)) == pytest.approx(0.095, abs=5e-4)


@pytest.mark.parametrize("distance", [Distance.NOMINAL, Distance.SQUARED])
def test_alpha_is_that_of_evalica(distance: Distance, generator: np.random.Generator) -> None:
    """With raters absent here and there, as people are; squared distances are its interval metric."""
    ratings = many(generator, items=200, accord=0.5)
    table = pd.DataFrame(np.nan, index=range(5), columns=range(200))
    for item, rater, score in zip(ratings.item, ratings.rater, ratings.score, strict=True):
        table.loc[int(rater), int(item)] = score
    theirs = (
        evalica.alpha(table, distance="nominal")
        if distance is Distance.NOMINAL
        else evalica.alpha(table, distance="interval")
    )

    found = alpha(coincidences(ratings).sum(0), distance)

    assert found == pytest.approx(theirs.alpha)


@pytest.mark.parametrize("distance", list(Distance))
def test_kappa_is_its_definition(distance: Distance, generator: np.random.Generator) -> None:
    """Ten lines: disagreement seen over disagreement of every verdict of one with every of the other."""
    one, other = generator.choice([0.0, 0.5, 1.0], (2, 80), p=[0.5, 0.2, 0.3])
    other[:50] = one[:50]
    functions: dict[Distance, Callable[[float, float], float]] = {
        Distance.NOMINAL: lambda x, y: float(x != y),
        Distance.LINEAR: lambda x, y: abs(x - y),
        Distance.SQUARED: lambda x, y: (x - y) ** 2,
    }
    apart = functions[distance]
    seen = np.mean([apart(x, y) for x, y in zip(one, other, strict=True)])
    chance = np.mean([apart(x, y) for x in one for y in other])

    found = kappa(compared(one_rater(one), one_rater(other)).sum(0), distance)

    assert found == pytest.approx(1 - seen / chance)


def test_two_by_two_is_the_textbook() -> None:
    """Of 50, both yes 20 and both no 15, split 5 and 10: 70 % agree, 50 % would by chance, kappa 0.4."""
    one = np.repeat([1.0, 1.0, 0.0, 0.0], [20, 5, 10, 15])
    other = np.repeat([1.0, 0.0, 1.0, 0.0], [20, 5, 10, 15])
    table = compared(one_rater(one), one_rater(other)).sum(0)

    assert agreement(table) == pytest.approx(0.7)
    assert kappa(table) == pytest.approx(0.4)


def test_ties_count_with_and_without() -> None:
    """Two of four agree; of the two in which nobody said tie, one."""
    one, other = np.array([1.0, 0.5, 0.5, 0.0]), np.array([1.0, 0.5, 0.0, 1.0])
    table = compared(one_rater(one), one_rater(other)).sum(0)

    assert agreement(table) == pytest.approx(0.5)
    assert agreement_without_ties(table) == pytest.approx(0.5)


def test_people_agree_with_each_other_as_often_as_pairs_of_them(
    generator: np.random.Generator,
) -> None:
    """The ceiling, pair by pair and item by item."""
    ratings = many(generator, items=60, accord=0.6)
    shares = []
    for item in range(60):
        scores = ratings.score[ratings.item == item].tolist()
        if len(scores) >= 2:
            pairs = [
                scores[i] == scores[j]
                for i in range(len(scores))
                for j in range(len(scores))
                if i != j
            ]
            shares.append(np.mean(pairs))

    tables = among_themselves(ratings)

    assert len(tables) == len(shares)
    assert agreement(tables.sum(0)) == pytest.approx(np.mean(shares))


def test_a_rater_left_out_meets_the_majority_of_the_others() -> None:
    """Three say a win, one a tie: each of the three meets a majority of wins, the fourth as well."""
    ratings = Ratings(np.zeros(4, np.int64), np.arange(4), np.array([1.0, 1.0, 1.0, 0.5]))

    table = left_out(ratings)[0]

    assert_allclose(table, np.array([[0, 0, 0], [0, 0, 0.25], [0, 0, 0.75]]))


def test_an_even_majority_counts_in_part() -> None:
    """The others of the first say a win and a loss: half of each."""
    ratings = Ratings(np.zeros(3, np.int64), np.arange(3), np.array([1.0, 1.0, 0.0]))

    table = left_out(ratings)[0]

    assert_allclose(table[2], [1 / 3, 0, 1 / 3])


def test_halves_have_no_rater_twice(generator: np.random.Generator) -> None:
    """Raters who are of one mind agree wholly; with two raters it is the agreement of the two."""
    alike = many(generator, items=80, accord=1.0)
    two = many(generator, items=400, accord=0.5, raters=2)

    assert agreement(halves(alike, generator).sum(0)) == pytest.approx(1)
    assert agreement(halves(two, generator).sum(0)) == pytest.approx(
        float(agreement(among_themselves(two).sum(0)))
    )


def test_a_judge_can_reach_the_ceiling_and_not_pass_it_by_much(
    generator: np.random.Generator,
) -> None:
    """One more person in the judge's place agrees with people as people do with each other."""
    everyone = many(generator, items=3000, accord=0.6, raters=6)
    judge = everyone.only(np.flatnonzero(everyone.rater == 5))
    people = everyone.only(np.flatnonzero(everyone.rater < 5))

    by_judge = agreement(compared(judge, people).sum(0))
    ceiling = agreement(among_themselves(people).sum(0))

    assert float(by_judge) == pytest.approx(float(ceiling), abs=0.03)


def test_which_side_is_first_changes_no_measure(generator: np.random.Generator) -> None:
    """Every item turned over: wins are losses, and all distances are the same."""
    ratings = many(generator, items=100, accord=0.6)
    turned = Ratings(ratings.item, ratings.rater, 1 - ratings.score)

    for tables in (among_themselves, coincidences, left_out):
        measures = (agreement, agreement_without_ties, kappa, alpha)
        for measure in measures[: 3 if tables is left_out else 4]:
            assert measure(tables(ratings).sum(0)) == pytest.approx(
                float(measure(tables(turned).sum(0)))
            )


def test_intervals_hold_the_truth(generator: np.random.Generator) -> None:
    """A small twin of the long simulation: 100 sets of 150 items, 90 to 99 % of intervals right."""
    truth = float(agreement(among_themselves(many(generator, items=100_000, accord=0.6)).sum(0)))
    held = 0
    for _ in range(100):
        tables = among_themselves(many(generator, items=150, accord=0.6))
        found = with_interval(tables, agreement, generator, rounds=200)
        assert found is not None
        held += found.lower <= truth <= found.upper

    assert 89 <= held <= 99


def test_what_is_undefined_is_absent(generator: np.random.Generator) -> None:
    """No items, one item, or raters who could not have disagreed: no number, rather than 0 or 1."""
    none = compared(one_rater(np.zeros(0)), one_rater(np.zeros(0)))
    single = compared(one_rater(np.ones(1)), one_rater(np.ones(1)))
    alike = compared(one_rater(np.ones(20)), one_rater(np.ones(20)))
    tied = compared(one_rater(np.full(20, 0.5)), one_rater(np.ones(20)))

    assert with_interval(none, agreement, generator) is None
    assert with_interval(single, agreement, generator) is None
    assert with_interval(alike, kappa, generator) is None
    assert with_interval(tied, agreement_without_ties, generator) is None


def test_what_makes_no_sense_is_refused() -> None:
    """Two verdicts of one rater on an item, a score of its own, two lengths, and alpha of two sources."""
    one, other = one_rater(np.array([1.0, 0.0, 1.0])), one_rater(np.array([1.0, 1.0, 1.0]))

    with pytest.raises(ValueError, match="not symmetric"):
        alpha(compared(one, other).sum(0))
    with pytest.raises(ValueError, match="two verdicts on one item"):
        Ratings(np.array([3, 3]), np.array([1, 1]), np.array([1.0, 0.0]))
    with pytest.raises(ValueError, match=r"0\.7; expected"):
        Ratings(np.array([3]), np.array([1]), np.array([0.7]))
    with pytest.raises(ValueError, match="one length"):
        Ratings(np.array([3, 4]), np.array([1, 1]), np.array([1.0]))


def verdicts() -> Iterator[dict[str, str]]:
    with gzip.open(
        shared_file("data", "preferences", "llmbar", "verdicts.csv.gz"), "rt", encoding="utf-8"
    ) as file:
        yield from csv.DictReader(file)


def published_kappas() -> dict[tuple[str, str, str], float]:
    path: Path = shared_file("data", "preferences", "llmbar", "published_statistics.csv")
    with path.open(newline="", encoding="utf-8") as file:
        return {
            (row["dataset"], row["judge"], row["strategy"]): float(row["kappa_agreement"])
            for row in csv.DictReader(file)
            if row["kappa_agreement"]
        }


def test_the_kappas_of_llmbar_come_out() -> None:
    """Zeng and others (2024), LLMBar: the same judge in one order and in the other, 381 of them."""
    expected = published_kappas()
    said: defaultdict[tuple[str, str, str], list[tuple[str, str]]] = defaultdict(list)
    for row in verdicts():
        said[row["dataset"], row["judge"], row["strategy"]].append((row["w_orig"], row["w_swap"]))
    read = {key: rows for key, rows in said.items() if not any("" in row for row in rows)}

    for key, rows in read.items():
        straight, swapped = (
            one_rater(np.array([float(verdict == "1") for verdict in column]))
            for column in zip(*rows, strict=True)
        )
        found = float(kappa(compared(straight, swapped).sum(0), Distance.NOMINAL))
        assert found == pytest.approx(expected[key], abs=1e-12, nan_ok=True)

    assert len(read) == 381


def llmfao(file: str) -> Ratings:
    """Verdicts on LLMFAO's 2139 items; a file without raters has one."""
    path = shared_file("data", "preferences", "llmfao", file)
    worth = {"left": 1.0, "right": 0.0, "tie": 0.5}
    with path.open(newline="", encoding="utf-8") as rows:
        votes = list(csv.DictReader(rows))
    return Ratings(
        np.array([int(vote["id"]) for vote in votes]),
        np.array([int(vote.get("worker", -1)) for vote in votes]),
        np.array([worth[vote["winner"]] for vote in votes]),
    )


def test_a_real_judge_stands_beside_the_ceiling_of_people(generator: np.random.Generator) -> None:
    """LLMFAO: people agree with each other more often than by chance, and there is room for a judge."""
    crowd, judge = llmfao("crowd-comparisons.csv"), llmfao("gpt4-crowd-comparisons.csv")

    ceiling = with_interval(among_themselves(crowd), agreement, generator, rounds=200)
    reached = with_interval(compared(judge, crowd), agreement, generator, rounds=200)
    chance_corrected = with_interval(
        coincidences(crowd), partial(alpha, distance=Distance.SQUARED), generator, rounds=200
    )

    assert ceiling is not None
    assert reached is not None
    assert chance_corrected is not None
    assert ceiling.upper - ceiling.lower < 0.05
    assert chance_corrected.lower > 0.05
    assert 1 / 3 < reached.value < 1
    assert reached.items > ceiling.items
