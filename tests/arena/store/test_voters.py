"""How many people a rating rests on is the same number, however it is come by."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.keys import new_public_id
from arena.store import rating_runs as runs
from arena.store.preferences import Source, count_new, read_watermark
from arena.store.tables import BattleRow, BoardRow, ModelRow, VoteRow
from arena.store.voters import count_voters
from arena.terms import BattleState, Outcome
from tests.arena.rows import add_board, add_models, add_votes

FACTS: dict[str, object] = {"counts_digest": "d", "method": {}}


def add_board_of_two(session: Session) -> Source:
    board = add_board(session)
    add_models(session, "ash", "birch")
    return Source(board.id, None)


def vote(session: Session, source: Source, *voters: str, outcome: Outcome = Outcome.A) -> None:
    """Let voters of this site vote, and count it."""
    for voter in voters:
        battle = BattleRow(
            public_id=new_public_id(),
            board_id=source.board_id,
            model_a_id=1,
            model_b_id=2,
            state=BattleState.REVEALED,
            voter=voter,
        )
        session.add(battle)
        session.flush()
        session.add(VoteRow(battle_id=battle.id, voter=voter, outcome=outcome))
    session.flush()
    count_new(session)


def publish(session: Session, source: Source) -> int | None:
    """Publish a run of what is counted, and return its voters."""
    runs.request_run(session, source)
    claim = runs.claim_run(session, source)
    assert claim is not None
    watermark = read_watermark(session, source) or 0
    voters = count_voters(session, source, watermark)
    facts = FACTS | {"watermark": watermark, "voters": voters}
    assert runs.publish_run(session, claim, facts, [])
    return voters


def test_a_voter_counts_once_over_all_runs(session: Session) -> None:
    """Who voted before the last run is no new voter after it."""
    source = add_board_of_two(session)
    vote(session, source, "v1", "v2", "v1")
    first = publish(session, source)
    vote(session, source, "v2", "v3", "v3")

    assert (first, publish(session, source)) == (2, 3)


def test_who_only_skipped_becomes_a_voter_with_a_vote(session: Session) -> None:
    """A skip is recorded and never rated."""
    source = add_board_of_two(session)
    vote(session, source, "v1")
    vote(session, source, "v2", outcome=Outcome.SKIP)
    first = publish(session, source)
    vote(session, source, "v2")

    assert (first, publish(session, source)) == (1, 2)


def test_imported_voters_are_counted_once_too(session: Session) -> None:
    """Their battles do not name them, so all votes are gone through."""
    source = add_board_of_two(session)
    vote(session, source, "v1")
    first = publish(session, source)
    board = session.get_one(BoardRow, source.board_id)
    ash, birch = session.scalars(select(ModelRow).order_by(ModelRow.id))
    add_votes(session, board, ash, birch, outcome=Outcome.B, n=3)
    count_new(session)
    second = publish(session, source)
    vote(session, source, "v1", "v2")

    assert (first, second, publish(session, source)) == (1, 4, 5)


def test_voters_of_newer_votes_are_left_out(session: Session) -> None:
    """The number stands beside a watermark, and means the votes up to it."""
    source = add_board_of_two(session)
    vote(session, source, "v1")
    watermark = read_watermark(session, source) or 0
    vote(session, source, "v2")

    assert count_voters(session, source, watermark) == 1


def test_a_judge_is_no_voter(session: Session) -> None:
    """What does not apply is absent, not 0."""
    assert count_voters(session, Source(1, judge_id=1), 1) is None
