"""Read who met whom on a board, and two of its models against each other."""

from dataclasses import dataclass

from sqlalchemy.orm import Session

from arena.errors import UnknownModelError
from arena.leaderboard.joints import read_joints
from arena.leaderboard.meetings import Ground, PairOrder, lay_ground
from arena.leaderboard.pair_views import PairsView, PairView
from arena.leaderboard.published import head_of, read_published
from arena.leaderboard.sources import board_sources, choose_source, refs_of
from arena.store.boards import find_board
from arena.terms import BothBad

SHOWN = 22


@dataclass(frozen=True)
class AskedPairs:
    """What somebody wants to see of pairs; with both models named, those two against each other.

    `whole` asks for the list of all pairs that met, which a page has no room for.
    """

    source: str | None = None
    order: PairOrder = PairOrder.RATING
    model: str | None = None
    other: str | None = None
    whole: bool = False


def read_pairs(session: Session, name: str, asked: AskedPairs | None = None) -> PairsView:
    """Return who met whom on a board.

    Raises
    ------
    UnknownBoardError, UnknownModelError
        If there is no such board, or a model is named that has no battle on it.
    InputError
        If the board has no preferences of the source.
    """
    asked = asked or AskedPairs()
    board = find_board(session, name)
    sources = board_sources(session, board)
    source = choose_source(sources, asked.source)
    published = read_published(session, source)
    ground = lay_ground(session, source, published, BothBad(board.both_bad))
    models = shown_models(ground, asked.order)
    return PairsView(
        board=head_of(board),
        run=published.run.id if published else None,
        source=source.name,
        sources=refs_of(sources),
        models=tuple(models),
        squares=tuple(
            tuple(None if row == column else ground.pair(row, column) for column in models)
            for row in models
        ),
        chosen=choose_pair(ground, asked),
        all_models=tuple(ground.by_place(PairOrder.NAME)),
        pairs=all_pairs(ground) if asked.whole else (),
        joints=read_joints(ground),
    )


def shown_models(ground: Ground, order: PairOrder) -> list[str]:
    """Return the models with most battles, as many as a matrix can show, in the order that was asked for."""
    most = {ground.names[model] for model, _ in ground.counts.battles.most_common(SHOWN)}
    return [name for name in ground.by_place(order) if name in most]


def choose_pair(ground: Ground, asked: AskedPairs) -> PairView | None:
    """Return the two models that were named against each other; without names, the pair that met most."""
    if asked.model is None or asked.other is None or asked.model == asked.other:
        return most_met(ground)
    for name in (asked.model, asked.other):
        if name not in ground.ids:
            raise UnknownModelError(f"No model called {name!r} has a battle here.", model=name)
    return ground.pair(asked.model, asked.other)


def most_met(ground: Ground) -> PairView | None:
    """Return the pair that met most, seen from the higher of the two."""
    pairs = ground.counts.pairs
    if not pairs:
        return None
    pair = max(pairs, key=lambda pair: pairs[pair].battles)
    order = ground.by_place(PairOrder.RATING)
    return ground.pair(*sorted((ground.names[model] for model in pair), key=order.index))


def all_pairs(ground: Ground) -> tuple[PairView, ...]:
    """Return every pair that met."""
    return tuple(
        ground.pair(ground.names[a], ground.names[b]) for a, b in sorted(ground.counts.pairs)
    )
