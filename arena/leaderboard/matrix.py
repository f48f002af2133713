"""The cells of a board: every model in every column, absent ones with their reasons."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isclose

from sqlalchemy.orm import Session

from arena.leaderboard.columns import CellChoice, choose_columns, column_of, name_of
from arena.leaderboard.views import Cell, Column, Note
from arena.store import evidence
from arena.store.evidence import CellFound, ColumnFound
from arena.terms import Missing

ABSENT = Cell()
# Two runs agree if their values do to this many parts: a file may print fewer digits than it computed.
SAME = 1e-6


@dataclass(frozen=True)
class Matrix:
    """Cells by the model's number and the column's key, and what is said of the absent ones."""

    columns: Mapping[str, Column]
    cells: Mapping[int, Mapping[str, Cell]]
    notes: tuple[Note, ...]
    absent: Mapping[Missing, int]


def read_matrix(session: Session, models: Mapping[int, str], choice: CellChoice) -> Matrix:
    """Return the cells of these models (number -> name), notes numbered in the order of the models."""
    chosen = find_columns(session, models, choice)
    columns = {name_of(column): column_of(column) for column in chosen}
    names = {column.key: name_of(column) for column in chosen}
    found: dict[tuple[int, str], list[Cell]] = {}
    for cell in evidence.cells_in(session, models, names) if names else ():
        found.setdefault((cell.model_id, names[cell.key]), []).append(cell_of(cell))
    cells = {
        model: {key: joined(found.get((model, key), [])) for key in columns} for model in models
    }
    notes = note_reasons(cells, models, columns)
    return Matrix(columns, numbered(cells, notes), tuple(notes.values()), count_absent(cells))


def find_columns(
    session: Session, models: Mapping[int, str], choice: CellChoice
) -> list[ColumnFound]:
    """Return the columns to show for these models."""
    if choice is CellChoice.NONE or not models:
        return []
    is_main = choice is CellChoice.MAIN
    return choose_columns(evidence.columns_of(session, models, whole_only=is_main), choice)


def cell_of(cell: CellFound) -> Cell:
    """Return one run's cell."""
    return Cell(
        value=cell.value,
        lower=cell.lower,
        upper=cell.upper,
        n=cell.n,
        run=cell.run_id,
        missing=None if cell.missing is None else Missing(cell.missing),
        reason=cell.reason,
    )


def joined(cells: Sequence[Cell]) -> Cell:
    """Return what several runs say together: the value with most items behind it, beside it those that differ.

    The cells come newest run first. A value is shown before an absence.
    """
    valued = [cell for cell in cells if cell.value is not None]
    if not valued:
        return cells[0] if cells else ABSENT
    best = max(valued, key=lambda cell: cell.n or 0)
    others: list[float] = []
    for cell in valued:
        if cell.value is not None and not is_known(cell.value, [best.value or 0.0, *others]):
            others.append(cell.value)
    return replace(best, others=tuple(others))


def is_known(value: float, known: Sequence[float]) -> bool:
    """Whether a value is one of those that are shown already."""
    return any(isclose(value, each, rel_tol=SAME, abs_tol=SAME) for each in known)


def note_reasons(
    cells: Mapping[int, Mapping[str, Cell]],
    models: Mapping[int, str],
    columns: Mapping[str, Column],
) -> dict[tuple[Missing, str], Note]:
    """Return a note for each kind and reason of absence, counting the cells that share it."""
    notes: dict[tuple[Missing, str], Note] = {}
    for model, row in cells.items():
        for key, cell in row.items():
            if cell.missing is None or cell.reason is None:
                continue
            said = (cell.missing, cell.reason)
            alone = Note(len(notes) + 1, *said, 1, models[model], columns[key].title, cell.run)
            notes[said] = shared(notes[said]) if said in notes else alone
    return notes


def shared(note: Note) -> Note:
    """Return the note of one more cell: it names no single one any more."""
    return replace(note, cells=note.cells + 1, model=None, column=None, run=None)


def numbered(
    cells: Mapping[int, Mapping[str, Cell]], notes: Mapping[tuple[Missing, str], Note]
) -> dict[int, dict[str, Cell]]:
    """Return the cells, the absent ones with the number of their note."""
    return {
        model: {
            key: replace(cell, note=notes[cell.missing, cell.reason].number)
            if cell.missing is not None and cell.reason is not None
            else cell
            for key, cell in row.items()
        }
        for model, row in cells.items()
    }


def count_absent(cells: Mapping[int, Mapping[str, Cell]]) -> dict[Missing, int]:
    """Return how many cells are missing, by kind; a kind that does not occur is 0."""
    found = Counter(cell.missing for row in cells.values() for cell in row.values())
    return {kind: found[kind] for kind in Missing}
