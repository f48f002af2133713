"""Read one model: its place on a board, the way there, whom it met, and every cell it has."""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from arena.errors import UnknownBoardError, UnknownModelError
from arena.leaderboard.columns import CellChoice
from arena.leaderboard.matrix import Matrix, read_matrix
from arena.leaderboard.meetings import Ground, PairOrder, lay_ground
from arena.leaderboard.model_views import ModelHead, ModelView, OnBoard, Past, RankBy
from arena.leaderboard.pair_views import PairView
from arena.leaderboard.published import Published, head_of, read_published
from arena.leaderboard.record_findings import find_place
from arena.leaderboard.sources import board_sources
from arena.leaderboard.standings import Beside, place_of, standing_of
from arena.leaderboard.views import Standing
from arena.store import leaderboard as rows
from arena.store.leaderboard import CountedSource, PastRating
from arena.store.registry import aliases_by_model, find_model
from arena.store.tables import BoardRow, ModelRow
from arena.terms import BothBad

MOST_AGAINST = 14
MOST_PAST = 24


def read_model(session: Session, name: str, board: str | None = None) -> ModelView:
    """Return a model as a page shows it, on the board that is named or the first of its boards.

    Raises
    ------
    UnknownModelError
        If neither a model nor a reviewed alias has this name.
    UnknownBoardError
        If a board is named that the model has no battle and no answer on.
    """
    model = find_model(session, name)
    if model is None:
        raise UnknownModelError(f"No model is called {name!r}.", name=name)
    boards = rows.boards_of_model(session, model.id)
    chosen = _choose(boards, board, model.name)
    matrix = read_matrix(session, {model.id: model.name}, CellChoice.ALL)
    shown = None if chosen is None else _on_board(session, chosen, model, matrix)
    return ModelView(
        model=_head(session, model),
        finding=find_place(
            model.name, shown.standing if shown else None, shown.placed if shown else 0
        ),
        boards=tuple(head_of(each) for each in boards),
        shown=shown,
        columns=matrix.columns,
        cells=matrix.cells[model.id],
    )


def _choose(boards: Sequence[BoardRow], name: str | None, model: str) -> BoardRow | None:
    if name is None:
        return boards[0] if boards else None
    for board in boards:
        if board.name == name:
            return board
    raise UnknownBoardError(f"{model} is on no board called {name!r}.", name=name)


def _head(session: Session, model: ModelRow) -> ModelHead:
    return ModelHead(
        name=model.name,
        organization=model.organization,
        family=model.family,
        license=model.license,
        decoder=model.decoder,
        is_retired=model.retired_at is not None,
        aliases=tuple(aliases_by_model(session).get(model.id, ())),
    )


def _on_board(session: Session, board: BoardRow, model: ModelRow, matrix: Matrix) -> OnBoard:
    source, *others = board_sources(session, board)
    published = read_published(session, source)
    ground = lay_ground(session, source, published, BothBad(board.both_bad))
    return OnBoard(
        board=head_of(board),
        run=published.run.id if published else None,
        source=source.name,
        standing=_standing(board, model, published, matrix),
        placed=len(ground.ranks),
        shown_first=ground.counts.shown_first[model.id],
        battles=ground.counts.battles[model.id],
        by_others=tuple(_rank_by(session, other, model) for other in others),
        history=thinned(rows.past_ratings(session, source.source, model.id)),
        against=most_met(ground, model.id),
        opponents=sum(model.id in pair for pair in ground.counts.pairs),
    )


def _standing(
    board: BoardRow, model: ModelRow, published: Published | None, matrix: Matrix
) -> Standing | None:
    for rating, rated in published.ratings if published else ():
        if rated.id == model.id:
            beside = Beside({}, matrix.cells)
            return standing_of(rating, rated, beside, BothBad(board.both_bad))
    return None


def _rank_by(session: Session, source: CountedSource, model: ModelRow) -> RankBy:
    published = read_published(session, source)
    places = {rated.id: place_of(row) for row, rated in (published.ratings if published else ())}
    return RankBy(source.name, places.get(model.id))


def most_met(ground: Ground, model: int) -> tuple[PairView, ...]:
    """Return a model against those it met most, by rank."""
    others = {
        a if b == model else b: m for (a, b), m in ground.counts.pairs.items() if model in (a, b)
    }
    most = sorted(others, key=lambda other: -others[other].battles)[:MOST_AGAINST]
    order = ground.by_place(PairOrder.RATING)
    names = sorted((ground.names[other] for other in most), key=order.index)
    return tuple(ground.pair(ground.names[model], other) for other in names)


def thinned(past: Sequence[PastRating]) -> tuple[Past, ...]:
    """Return the ratings of runs over time, evenly thinned to what a chart can show; the newest stays."""
    step = max(1, -(-len(past) // MOST_PAST))
    kept = past[::-1][::step][::-1]
    return tuple(Past(p.run_id, p.preferences, p.rating, p.lower, p.upper) for p in kept)
