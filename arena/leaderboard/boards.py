"""Read one board: the newest rating run of a source, the ranks of another one and the cells beside it."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from arena.errors import InputError
from arena.leaderboard.columns import CellChoice
from arena.leaderboard.contrasts import Contrast, read_contrasts
from arena.leaderboard.findings import find_leader, nothing_yet
from arena.leaderboard.grounds import Grounds
from arena.leaderboard.judged import read_judged
from arena.leaderboard.matrix import Matrix, read_matrix
from arena.leaderboard.published import (
    Published,
    facts_of,
    head_of,
    read_published,
    read_trouble,
    settings_of,
)
from arena.leaderboard.readings import models_in
from arena.leaderboard.sources import board_sources, choose_source, refs_of
from arena.leaderboard.standings import (
    Beside,
    Sort,
    place_of,
    sort_models,
    standing_of,
    waiting_model,
)
from arena.leaderboard.statements import state
from arena.leaderboard.views import BoardView, Finding, RunFacts, Standing, Statement
from arena.store import leaderboard as rows
from arena.store.boards import find_board, model_names
from arena.store.leaderboard import CountedSource
from arena.store.tables import BoardRow, ModelRow
from arena.terms import BothBad


@dataclass(frozen=True)
class Asked:
    """What somebody wants to see of a board. `contains` narrows the table by a part of the model's name.

    `reading` shows another reading of the source's run in place of its ratings.
    """

    source: str | None = None
    reading: str | None = None
    cells: CellChoice = CellChoice.MAIN
    sort: str = Sort.RATING
    contains: str = ""


@dataclass(frozen=True)
class Material:
    """All that a board's page is made from, read once."""

    board: BoardRow
    sources: tuple[CountedSource, ...]
    source: CountedSource
    published: Published | None
    other: Published | None
    pool: tuple[ModelRow, ...]
    matrix: Matrix

    @property
    def beside(self) -> Beside:
        """What stands beside the ratings: the ranks by the other source, and cells."""
        other = self.other.ratings if self.other else ()
        places = {model.id: place for row, model in other if (place := place_of(row))}
        return Beside(places, self.matrix.cells)

    def standings(self) -> list[Standing]:
        """Return the models of the run, then those of the pool that it does not name."""
        beside = self.beside
        ratings = self.published.ratings if self.published else ()
        rule = BothBad(self.board.both_bad)
        named = {model.id for _, model in ratings}
        return [
            *(standing_of(row, model, beside, rule) for row, model in ratings),
            *(waiting_model(model, beside) for model in self.pool if model.id not in named),
        ]


def read_board(session: Session, name: str, asked: Asked | None = None) -> BoardView:
    """Return a board as a page shows it.

    Raises
    ------
    UnknownBoardError
        If there is no such board.
    InputError
        If the source, the reading or the order that is asked for does not exist here.
    """
    asked = asked or Asked()
    material = read_material(session, name, asked)
    models = _models(session, material, asked.reading)
    wanted = asked.contains.casefold()
    shown = [model for model in models if wanted in model.model.casefold()]
    facts = None if material.published is None else facts_of(session, material.published.run)
    return BoardView(
        board=head_of(material.board),
        settings=settings_of(session, material.board),
        run=facts,
        reading=asked.reading,
        source=material.source.name,
        sources=refs_of(material.sources),
        beside=material.other.source.name if material.other else None,
        finding=find_what_it_says(session, material, models),
        models=sort_models(shown, asked.sort, material.matrix.columns),
        cells=material.matrix.columns,
        notes=material.matrix.notes,
        absent=material.matrix.absent,
        statements=_statements(session, material, facts, models, reading=asked.reading),
        pool=len(material.pool),
        judged=read_judged(session, material.published, asked.contains),
    )


def _models(session: Session, material: Material, reading: str | None) -> list[Standing]:
    """Return the models by the run, or by another reading of it.

    Raises
    ------
    InputError
        If there is no such reading.
    """
    if reading is None:
        return material.standings()
    if material.published is None:
        raise InputError(f"There is no rating run yet, and so no reading {reading!r} of one.")
    return list(models_in(session, material.published.run, reading, material.beside))


def find_what_it_says(session: Session, material: Material, models: Sequence[Standing]) -> Finding:
    """Return the finding of a board: on its first place, or on why there is none yet."""
    if material.published is not None:
        return find_leader(models)
    trouble = read_trouble(session, material.source)
    return nothing_yet(preferences=material.source.preferences, trouble=trouble)


def read_material(session: Session, name: str, asked: Asked) -> Material:
    """Read all that a board's page is made from."""
    board = find_board(session, name)
    sources = board_sources(session, board)
    source = choose_source(sources, asked.source)
    published = read_published(session, source)
    pool = tuple(rows.pool_models(session, board.id))
    ratings = published.ratings if published else ()
    models = {model.id: model.name for model in (*(model for _, model in ratings), *pool)}
    return Material(
        board=board,
        sources=tuple(sources),
        source=source,
        published=published,
        other=_read_other(session, sources, source),
        pool=pool,
        matrix=read_matrix(session, models, asked.cells),
    )


def _read_other(
    session: Session, sources: list[CountedSource], chosen: CountedSource
) -> Published | None:
    """Return the first other source that has a run: its ranks stand beside the chosen one's."""
    for source in sources:
        if source != chosen and (published := read_published(session, source)):
            return published
    return None


def _statements(
    session: Session,
    material: Material,
    facts: RunFacts | None,
    models: list[Standing],
    *,
    reading: str | None,
) -> tuple[Statement, ...]:
    if material.published is None or facts is None:
        return ()
    totals = rows.read_totals(session, material.source.source)
    other = material.other
    return state(
        Grounds(
            run=facts,
            models=models,
            names=model_names(session, set(totals.battles)),
            totals=totals,
            prompts=rows.pool_prompts(session, material.board.id),
            # The covariance of the run is that of its ratings, and of no other reading.
            lead=None if reading else _lead(session, material.published, models),
            beside=None if other is None else (other.source.name, ratings_of(other)),
            is_by_judge=material.source.source.judge_id is not None,
            is_simulated=material.board.is_simulated,
            is_other_reading=reading is not None,
            has_cells=bool(material.matrix.columns),
        )
    )


def ratings_of(published: Published) -> dict[str, float]:
    """Return the ratings of a run by the model's name."""
    return {model.name: row.rating for row, model in published.ratings if row.rating is not None}


def _lead(session: Session, published: Published, models: list[Standing]) -> Contrast | None:
    """Return how far the first rated model stands above the second."""
    rated = [(model.model, model.rating) for model in models if model.rating is not None]
    covariance = read_contrasts(session, published.run)
    if covariance is None or len(rated) < 2:
        return None
    return covariance.contrast(rated[0], rated[1])
