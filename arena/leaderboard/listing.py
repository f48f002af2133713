"""All boards, each with its finding and its first models."""

from sqlalchemy.orm import Session

from arena.leaderboard.boards import Asked, Material, find_what_it_says, read_material
from arena.leaderboard.columns import CellChoice
from arena.leaderboard.published import head_of
from arena.leaderboard.views import BoardCard
from arena.store.leaderboard import all_boards

FIRST = 8


def read_boards(session: Session) -> tuple[BoardCard, ...]:
    """Return a card for each board: those with ratings first, among them those with most preferences."""
    asked = Asked(cells=CellChoice.NONE)
    cards = [
        _card(session, read_material(session, board.name, asked)) for board in all_boards(session)
    ]
    return tuple(sorted(cards, key=lambda card: (card.run is None, -card.votes - card.judgments)))


def _card(session: Session, material: Material) -> BoardCard:
    models = material.standings()
    by_judges = [source for source in material.sources if source.source.judge_id is not None]
    total = sum(source.preferences for source in material.sources)
    judgments = sum(source.preferences for source in by_judges)
    return BoardCard(
        board=head_of(material.board),
        votes=total - judgments,
        judgments=judgments,
        judges=tuple(source.name for source in by_judges),
        models=len(models),
        pool=len(material.pool),
        run=material.published.run.id if material.published else None,
        finding=find_what_it_says(session, material, models),
        first=tuple(model for model in models if model.is_rated)[:FIRST],
    )
