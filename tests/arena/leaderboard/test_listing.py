"""The list of all boards."""

from arena import leaderboard
from arena.terms import Outcome
from arena.wiring import Wiring
from tests.arena.leaderboard.rated import publish
from tests.arena.rows import add_board, add_models, add_pool, add_votes


def test_a_board_with_ratings_comes_before_an_empty_one(wiring: Wiring) -> None:
    """A visitor wants to see what was found before what was not."""
    with wiring.sessions.begin() as session:
        add_board(session, "another")
        board = add_board(session, "people")
        models = add_models(session, "ash", "birch", "cedar")
        add_pool(session, board, models, prompts=1)
        ash, birch, _ = models.values()
        for outcome in (Outcome.A, Outcome.B):
            add_votes(session, board, ash, birch, outcome=outcome, n=2)
    publish(wiring, "people")

    with wiring.sessions.begin() as session:
        first, second = leaderboard.read_boards(session)

    assert (first.board.name, first.votes, first.models, first.pool) == ("people", 4, 3, 3)
    assert [model.model for model in first.first] == ["ash", "birch"]
    assert first.finding.headline == "No order yet: each of the 2 rated models could be first."
    assert (second.board.name, second.run, second.models) == ("another", None, 0)
