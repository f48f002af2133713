"""What a board shows: ratings with their ranges, and for each absent number its reason."""

import pytest
from sqlalchemy import select

from arena import leaderboard
from arena.errors import InputError, UnknownBoardError
from arena.leaderboard import Asked
from arena.store.tables import BoardRow, RatingRunRow
from arena.terms import Order, Outcome, RatingStatus, RunState
from arena.wiring import Wiring
from tests.arena.leaderboard.rated import publish
from tests.arena.rows import add_board, add_judge, add_judgment, add_models, add_pool, add_votes

BOTH_ORDERS = {Order.STRAIGHT: Outcome.A, Order.SWAPPED: Outcome.A}
MIRRORED = {Order.STRAIGHT: Outcome.B, Order.SWAPPED: Outcome.B}


def test_an_unknown_board_is_named_with_those_there_are(wiring: Wiring) -> None:
    """A mistyped address must lead somewhere."""
    with wiring.sessions.begin() as session, pytest.raises(UnknownBoardError):
        leaderboard.read_board(session, "nowhere")


def test_a_board_without_votes_has_models_and_no_ratings(wiring: Wiring) -> None:
    """Before the first vote there is nothing to rate, and nothing is ranked."""
    with wiring.sessions.begin() as session:
        board = add_board(session)
        add_pool(session, board, add_models(session, "ash", "birch"), prompts=1)

        view = leaderboard.read_board(session, "people")

    assert view.run is None
    assert view.finding.headline == "Nothing has been compared yet"
    assert [(model.model, model.rank, model.reason) for model in view.models] == [
        ("ash", None, "no votes yet"),
        ("birch", None, "no votes yet"),
    ]


def test_rated_models_come_by_rank_and_the_others_with_their_reason(voted: Wiring) -> None:
    """A number for a model that no votes bound would be made up."""
    with voted.sessions.begin() as session:
        view = leaderboard.read_board(session, "people")

    assert [model.model for model in view.rated] == ["ash", "birch", "cedar"]
    assert {model.model: model.status for model in view.unrated} == {
        "dawn": RatingStatus.UNBOUNDED_ABOVE,
        "elm": RatingStatus.DISCONNECTED,
    }
    assert all(model.reason for model in view.unrated)
    assert all(model.rating is None for model in view.unrated)


def test_the_headline_follows_from_the_ranges_of_the_table(voted: Wiring) -> None:
    """The finding is a sentence on the numbers below it and nothing else."""
    with voted.sessions.begin() as session:
        view = leaderboard.read_board(session, "people")

    open_to = [model.model for model in view.rated if model.could_be_first]
    assert open_to == ["ash"]
    assert view.finding.headline == "ash leads, and no other rated model could be first."
    assert view.finding.lead.startswith("dawn has not lost to a rated model")


def test_the_share_won_counts_ties_half(wiring: Wiring) -> None:
    """The share must be that of the rating, where a tie is half a win."""
    with wiring.sessions.begin() as session:
        board = add_board(session)
        ash, birch = add_models(session, "ash", "birch").values()
        for outcome, n in ((Outcome.A, 2), (Outcome.B, 1), (Outcome.TIE, 4), (Outcome.BOTH_BAD, 1)):
            add_votes(session, board, ash, birch, outcome=outcome, n=n)
    publish(wiring, "people")

    with wiring.sessions.begin() as session:
        view = leaderboard.read_board(session, "people")

    assert {model.model: model.share_won for model in view.models} == {
        "ash": 4.5 / 8,
        "birch": 3.5 / 8,
    }


def test_both_bad_is_not_shared_out_where_the_board_excludes_it(wiring: Wiring) -> None:
    """What the rating leaves out, the share leaves out."""
    with wiring.sessions.begin() as session:
        board = add_board(session, both_bad="exclude")
        ash, birch = add_models(session, "ash", "birch").values()
        for outcome, n in ((Outcome.A, 3), (Outcome.B, 1), (Outcome.BOTH_BAD, 4)):
            add_votes(session, board, ash, birch, outcome=outcome, n=n)
    publish(wiring, "people")

    with wiring.sessions.begin() as session:
        ash_row = leaderboard.read_board(session, "people").models[0]

    assert ash_row.share_won == 3 / 4


def test_votes_newer_than_the_run_are_counted_as_waiting(voted: Wiring) -> None:
    """A reader must know that the table is not the last word, also before anything counted them."""
    with voted.sessions.begin() as session:
        board = session.query(BoardRow).one()
        fir, gum = add_models(session, "fir", "gum").values()
        add_votes(session, board, fir, gum, outcome=Outcome.A, n=3)
        add_votes(session, board, fir, gum, outcome=Outcome.SKIP, n=2)

        view = leaderboard.read_board(session, "people")

    assert view.run is not None
    assert view.run.waiting == 3
    assert view.run.preferences == 125


def test_a_judges_ranks_stand_beside_the_peoples(voted: Wiring) -> None:
    """Two sources are two tables; only ranks can be compared."""
    with voted.sessions.begin() as session:
        board = session.query(BoardRow).one()
        judge = add_judge(session, "oak")
        ash, birch = add_models(session, "ash2", "birch2").values()
        for outcomes, n in ((BOTH_ORDERS, 8), (MIRRORED, 4)):
            for _ in range(n):
                add_judgment(session, board, judge, ash, birch, outcomes=outcomes)
    publish(voted, "people", "oak")

    with voted.sessions.begin() as session:
        people = leaderboard.read_board(session, "people")
        judged = leaderboard.read_board(session, "people", Asked(source="oak"))

    assert (people.source, people.beside) == ("people", "oak")
    assert (judged.source, judged.beside) == ("oak", "people")
    assert [model.model for model in judged.rated] == ["ash2", "birch2"]
    assert judged.run is not None
    assert judged.run.voters is None


def test_a_source_that_the_board_lacks_is_refused_with_those_it_has(voted: Wiring) -> None:
    """A table by another source under the wrong name would mislead."""
    with voted.sessions.begin() as session, pytest.raises(InputError, match="people"):
        leaderboard.read_board(session, "people", Asked(source="nobody"))


def test_models_are_found_by_a_part_of_their_name(voted: Wiring) -> None:
    """Narrowing the table changes no rank in it."""
    with voted.sessions.begin() as session:
        view = leaderboard.read_board(session, "people", Asked(contains="BIR"))

    assert [(model.model, model.rank) for model in view.rated] == [("birch", 3)]


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ("rating", ["dawn", "ash", "birch", "cedar", "elm"]),
        ("name", ["ash", "birch", "cedar", "dawn", "elm"]),
        ("votes", ["ash", "birch", "cedar", "dawn", "elm"]),
    ],
)
def test_models_are_sorted_as_asked(voted: Wiring, sort: str, expected: list[str]) -> None:
    """The query string is the state of the page, so it must decide the order."""
    with voted.sessions.begin() as session:
        view = leaderboard.read_board(session, "people", Asked(sort=sort))

    assert [model.model for model in view.models] == expected


def test_an_order_that_there_is_not_is_refused(voted: Wiring) -> None:
    """An order that was silently another one would be read as the wanted one."""
    with voted.sessions.begin() as session, pytest.raises(InputError, match="sorted by"):
        leaderboard.read_board(session, "people", Asked(sort="shoe size"))


def test_statements_are_made_from_the_numbers(voted: Wiring) -> None:
    """What is said of the first two must be their ratings' difference."""
    with voted.sessions.begin() as session:
        view = leaderboard.read_board(session, "people")

    first, second = view.rated[:2]
    assert first.rating is not None
    assert second.rating is not None
    said = {statement.point: statement.detail for statement in view.statements}
    assert f"{first.rating - second.rating:.0f} points" in said["The first two are told apart."]
    assert "75\u00a0% ties" not in str(said)


def test_simulated_voters_are_not_called_people(voted: Wiring) -> None:
    """Nobody cast these votes, so no sentence may say that people did."""
    with voted.sessions.begin() as session:
        session.scalars(select(BoardRow)).one().is_simulated = True

    with voted.sessions() as session:
        view = leaderboard.read_board(session, "people")

    said = " ".join(f"{each.point} {each.detail}" for each in view.statements)
    assert "Simulated." in said
    assert "voters" in said
    assert "people" not in said


def test_a_board_whose_last_run_failed_says_why(wiring: Wiring) -> None:
    """Somebody who waits for ratings must learn that none will come, and what to do."""
    with wiring.sessions.begin() as session:
        board = add_board(session)
        run = RatingRunRow(board_id=board.id, state=RunState.FAILED, reason="Out of memory.")
        session.add(run)
        session.flush()
        failed = leaderboard.read_board(session, "people").finding
        session.add(RatingRunRow(board_id=board.id, state=RunState.REQUESTED))
        session.flush()
        asked_again = leaderboard.read_board(session, "people").finding

    assert failed.lead == "Out of memory."
    assert "failed" not in asked_again.headline
