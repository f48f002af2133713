"""Scores between 0 and 1 that a judge, or people together, gave to battles."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from ranking.battles import Battles, Flags, Floats, Ints, tally


@dataclass(frozen=True, eq=False)
class Verdicts:
    """n rows over m models, each with one score from 0 to 1. Immutable; a row that makes no sense is refused.

    A judge that read a battle twice, once in each order, has one row for it: the mean of its two scores.

    Parameters
    ----------
    first, second : (n,) int32
        The model shown first and the model shown second, 0 to n_models - 1.
    score : (n,) float64
        What the first scored, 0 to 1.
    weight : (n,) float64
        How many battles the row stands for, above 0.
    n_models : int

    Raises
    ------
    ValueError
        If a column has another length, or a row is a self-battle, is out of range, has a score outside 0
        to 1, or a weight that is not finite and positive.
    """

    first: Ints
    second: Ints
    score: Floats
    weight: Floats
    n_models: int

    def __post_init__(self) -> None:
        score = np.array(self.score, dtype=np.float64)
        refuse_rows(~((score >= 0) & (score <= 1)), "has a score outside 0 to 1")
        rows = Battles(self.first, self.second, np.zeros(score.shape), self.weight, self.n_models)
        score.setflags(write=False)
        columns = {"first": rows.first, "second": rows.second, "weight": rows.weight}
        for name, column in (columns | {"score": score}).items():
            object.__setattr__(self, name, column)

    def __len__(self) -> int:
        return len(self.first)

    @classmethod
    def of(cls, battles: Battles) -> Self:
        """Return votes as the verdicts that they are."""
        columns = (battles.first, battles.second, battles.score, battles.weight)
        return cls(*columns, battles.n_models)

    def joined(self, other: Self) -> Self:
        """Return these rows and then the other ones."""
        return type(self)(
            np.concatenate([self.first, other.first]),
            np.concatenate([self.second, other.second]),
            np.concatenate([self.score, other.score]),
            np.concatenate([self.weight, other.weight]),
            self.n_models,
        )

    def score_table(self) -> Floats:
        """Return (m, m) float64: what the row's model scored against the column's."""
        return self.tabled(self.score) + self.tabled(1 - self.score).T

    def tabled(self, values: Floats) -> Floats:
        """Return (m, m) float64: at [first, second] the sum over its rows of weight times value."""
        m = self.n_models
        places = self.first.astype(np.int64) * m + self.second
        return tally(places, self.weight * values, m * m).reshape(m, m)


@dataclass(frozen=True, eq=False)
class DoublyJudged:
    """n rows of battles over m models that both people and a judge decided.

    Parameters
    ----------
    first, second : (n,) int32
    human : (n,) float64
        What the first scored with people, 0 to 1; the mean if several voted on the same battle.
    judge : (n,) float64
        What it scored with the judge, 0 to 1.
    weight : (n,) float64
        How many battles the row stands for, above 0.
    n_models : int

    Raises
    ------
    ValueError
        As for Verdicts.
    """

    first: Ints
    second: Ints
    human: Floats
    judge: Floats
    weight: Floats
    n_models: int

    def __post_init__(self) -> None:
        people, judge = self.by_people(), self.by_judge()
        columns = {
            "first": people.first,
            "second": people.second,
            "human": people.score,
            "judge": judge.score,
            "weight": people.weight,
        }
        for name, column in columns.items():
            object.__setattr__(self, name, column)

    def __len__(self) -> int:
        return len(self.first)

    def by_people(self) -> Verdicts:
        """Return what people said of these battles."""
        return Verdicts(self.first, self.second, self.human, self.weight, self.n_models)

    def by_judge(self) -> Verdicts:
        """Return what the judge said of these battles."""
        return Verdicts(self.first, self.second, self.judge, self.weight, self.n_models)


def refuse_rows(rows: Flags, complaint: str) -> None:
    """Raise for the first row that is flagged."""
    if rows.any():
        raise ValueError(f"battle {int(np.argmax(rows))} {complaint} ({int(rows.sum())} such rows)")
