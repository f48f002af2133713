"""Files of votes in, a table of ratings out: no service, no store."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from arena.errors import InputError, UnknownModelError
from arena.formats.vote_columns import OUTCOMES as FILE_OUTCOMES
from arena.formats.vote_columns import VoteColumns, read_vote_columns
from arena.formats.vote_records import VoteRecord
from arena.formats.votes import read_votes
from arena.rating_runs.counts import OUTCOMES, Counts
from arena.rating_runs.drawn import DRAWN, drawn_to_rest
from arena.rating_runs.fitting import rate
from arena.rating_runs.method import Method
from arena.rating_runs.readings import WITHOUT_STYLE, style_warnings, without_style
from arena.rating_runs.selecting import Selection
from arena.rating_runs.single_votes import UNKNOWN, SingleVotes, joined_votes
from arena.rating_runs.styles import as_styles, features_of
from arena.rating_runs.table import RatingTable
from arena.terms import Outcome
from ranking import RankingError

SHOWN_REJECTIONS = 20
ALL = Selection()


@dataclass(frozen=True, eq=False)
class CountedFile:
    """What one file held: counts over its own models, and a line for each of the first rejected rows."""

    counts: Counts
    complaints: tuple[str, ...]


def rate_files(
    paths: Sequence[Path],
    method: Method,
    *,
    named: str | None = None,
    selection: Selection = ALL,
) -> RatingTable:
    """Return the ratings by the votes of all files together, or by those that a selection takes.

    Rows that could not be read are counted among what is excluded, and the first are named in the warnings.

    Raises
    ------
    InputError
        If a file is of no known format, holds no vote that can be read, or the votes cannot be fitted.
    UnknownModelError
        If the anchor is a model that no vote names.
    """
    files = [count_file(path, named=named) for path in paths]
    counts = whole = joined([file.counts for file in files])
    votes = None
    if method.reads_votes or not selection.is_all:
        votes, left_out = _selected(paths, selection, named, with_answers=bool(method.style))
        counts = replace(votes.counts(), excluded=Counter(counts.excluded) + left_out)
    if method.anchor is not None and method.anchor[0] not in counts.models:
        raise UnknownModelError(f"No vote names the anchor {method.anchor[0]!r}.")
    try:
        table = rate(counts, method, votes)
        others = {WITHOUT_STYLE: without_style(counts, method, votes)} if method.style else {}
        if selection == Selection(category=selection.category) and not selection.is_all:
            drawn = drawn_to_rest(table.models, counts, whole, method)
            others |= {} if drawn is None else {DRAWN: drawn}
    except RankingError as error:
        raise InputError(f"These votes cannot be rated: {error}") from error
    complaints = [complaint for file in files for complaint in file.complaints]
    moved = style_warnings(table.models, others.get(WITHOUT_STYLE, ()))
    warnings = (*complaints[:SHOWN_REJECTIONS], *table.warnings, *moved)
    return replace(table, warnings=warnings, readings=others)


def count_file(path: Path, *, named: str | None = None) -> CountedFile:
    """Return the counts of a file of votes, in one of the known formats or the one named."""
    columns = read_vote_columns(path, format=named)
    if len(columns.first) == 0:
        left_out = ", ".join(f"{reason} {n}" for reason, n in columns.reasons.items())
        raise InputError(f"{path} holds no vote that can be read ({left_out or 'it has no rows'}).")
    complaints = tuple(
        f"rejected: {path.name}, line {row.line}: {row.reason}, found {row.found!r}"
        for row in columns.rejections
    )
    return CountedFile(_count(columns), complaints)


def _selected(
    paths: Sequence[Path], selection: Selection, named: str | None, *, with_answers: bool
) -> tuple[SingleVotes, Counter[str]]:
    """Return the votes that a selection takes, and how many it leaves out for which reason."""
    parts, left_out = [], Counter[str]()
    for path in paths:
        votes = []
        for vote in read_votes(path, format=named, answers=with_answers):
            if isinstance(vote, VoteRecord) and vote.outcome.is_rated:
                reason = selection.against(vote)
                if reason is None:
                    votes.append(vote)
                else:
                    left_out[reason] += 1
        parts.append(one_by_one(votes, with_styles=with_answers))
    found = joined_votes(parts)
    if len(found.first) == 0:
        reasons = ", ".join(f"{reason} {n}" for reason, n in left_out.items())
        raise InputError(
            f"No vote is left to rate ({reasons}). Choose a wider window or another category."
        )
    return found, left_out


def one_by_one(votes: Sequence[VoteRecord], *, with_styles: bool = False) -> SingleVotes:
    """Return the votes of a file as numbers, with who cast them, on which prompt, and how answers are dressed."""
    numbers: dict[str, dict[str, int]] = {"model": {}, "voter": {}, "prompt": {}}
    rows = [
        (
            _number(numbers["model"], vote.model_a),
            _number(numbers["model"], vote.model_b),
            OUTCOMES.index(vote.outcome),
            _number(numbers["voter"], vote.voter),
            _number(numbers["prompt"], vote.prompt_key or vote.prompt),
        )
        for vote in votes
    ]
    columns = np.array(rows, np.int64).reshape(-1, 5).T
    styles = as_styles([features_of(vote.answers) for vote in votes]) if with_styles else None
    votes_as_numbers = SingleVotes(tuple(numbers["model"]), *columns)
    return replace(votes_as_numbers, styles=styles)


def _number(numbers: dict[str, int], mark: str | None) -> int:
    return UNKNOWN if mark is None else numbers.setdefault(mark, len(numbers))


def joined(parts: Iterable[Counts]) -> Counts:
    """Return the counts of all parts over all their models."""
    parts = list(parts)
    names = tuple(dict.fromkeys(name for part in parts for name in part.models))
    place = {name: number for number, name in enumerate(names)}
    of_part = [np.array([place[name] for name in part.models], dtype=np.int64) for part in parts]
    excluded: Counter[str] = Counter()
    for part in parts:
        excluded.update(part.excluded)
    return Counts(
        names,
        np.concatenate([of[part.first] for of, part in zip(of_part, parts, strict=True)]),
        np.concatenate([of[part.second] for of, part in zip(of_part, parts, strict=True)]),
        np.concatenate([part.outcome for part in parts]),
        np.concatenate([part.n for part in parts]),
        dict(excluded),
    )


def _count(columns: VoteColumns) -> Counts:
    """Return one row for each (first, second, outcome) that came up; skips are not rated and said so."""
    shape = (len(columns.models), len(columns.models), len(FILE_OUTCOMES))
    keys = np.ravel_multi_index((columns.first, columns.second, columns.outcome), shape)
    distinct, n = np.unique(keys, return_counts=True)
    first, second, code = np.unravel_index(distinct, shape)
    rated = code != FILE_OUTCOMES.index(Outcome.SKIP)
    skipped = int(n[~rated].sum())
    ours = np.array(
        [OUTCOMES.index(outcome) if outcome.is_rated else -1 for outcome in FILE_OUTCOMES]
    )
    excluded = dict(columns.reasons) | ({Outcome.SKIP.value: skipped} if skipped else {})
    return Counts(
        columns.models, first[rated], second[rated], ours[code[rated]], n[rated], excluded
    )
