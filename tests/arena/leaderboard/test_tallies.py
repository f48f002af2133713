"""Sums of counts: the same whichever way they are added up."""

from arena.leaderboard.tallies import tally
from arena.store.boards import find_board, find_source
from arena.store.leaderboard import read_totals
from arena.store.preferences import read_counts
from arena.wiring import Wiring


def test_the_sums_of_the_database_are_those_of_the_rows(voted: Wiring) -> None:
    """The board asks for sums, the pairs for rows; a reader who adds the one up must get the other."""
    with voted.sessions.begin() as session:
        source = find_source(session, find_board(session, "people"), "people")

        totals = read_totals(session, source)
        rows = tally(read_counts(session, source))

    assert totals.total == rows.total == 125
    assert totals.outcomes == rows.outcomes
    assert totals.battles == rows.battles
