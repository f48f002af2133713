"""The voters of a board are listed with what speaks against them, and without who they are."""

import json
from math import log10

import pytest
from pydantic import TypeAdapter

from arena.errors import NothingToRateError, UnknownBoardError
from arena.reviewing import BoardVoters, Signed, examine_board, quarantine
from arena.reviewing.short_names import short_name
from arena.terms import BothBad
from arena.wiring import Wiring
from tests.arena.reviewing.ballot_boxes import HONEST, KEY, VOTES, fill_board
from tests.arena.rows import add_board

ODD = {"lefty": "always left", "pusher": "target only", "tier": "always tie"}


def listed(wiring: Wiring) -> BoardVoters:
    with wiring.sessions.begin() as session:
        return examine_board(session, "people", key=KEY)


def test_the_odd_ones_are_listed_with_what_they_do(wiring: Wiring) -> None:
    """A reviewer reads what was seen: how often left, which model, how far from honest."""
    fill_board(wiring, ODD)

    view = listed(wiring)

    found = {each.voter: each.evidence for each in view.listed}
    lefty, pusher, tier = (found[short_name(KEY, voter)] for voter in ODD)
    assert (view.voters, view.votes) == (HONEST + 3, (HONEST + 3) * VOTES)
    assert (lefty.conduct, lefty.left, lefty.test) == ("always votes left", VOTES, "seat")
    assert (pusher.conduct, pusher.model) == ("promotes a model", "model-12")
    assert (tier.conduct, tier.ties) == ("always ties", VOTES)
    assert all(each.suspected and each.stands_out for each in (lefty, pusher, tier))
    assert min(each.evidence for each in (lefty, pusher, tier)) > 3
    assert len(view.listed) <= 4, "at most one of twenty-five honest voters"


def test_the_oddest_stand_first(wiring: Wiring) -> None:
    """A review begins where most is to be found."""
    fill_board(wiring, ODD)

    oddness = [
        max(each.evidence.evidence, -log10(each.evidence.p_value)) for each in listed(wiring).listed
    ]

    assert oddness == sorted(oddness, reverse=True)


def test_no_voter_is_named(wiring: Wiring) -> None:
    """What is stored of a voter leads back to them, so it stays in the store."""
    fill_board(wiring, ODD)

    text = TypeAdapter(BoardVoters).dump_json(listed(wiring)).decode()

    assert json.loads(text)["listed"]
    assert not any(voter in text for voter in (*ODD, "honest-"))


def test_voters_in_quarantine_stay_listed_and_are_no_part_of_the_reference(wiring: Wiring) -> None:
    """They are held against the others; nobody else is held against them."""
    fill_board(wiring, ODD)
    before = {each.voter: each for each in listed(wiring).listed}
    name = short_name(KEY, "pusher")
    with wiring.sessions.begin() as session:
        quarantine(session, "people", [name], signed=Signed("kim", "Only one model."), key=KEY)

    view = listed(wiring)

    after = {each.voter: each for each in view.listed}
    assert view.quarantined == 1
    assert after[name].standing == "quarantined"
    assert (after[name].reason, after[name].decided_by) == ("Only one model.", "kim")
    assert after[name].evidence.evidence >= before[name].evidence.evidence
    assert after[name].evidence.votes == VOTES


def test_both_bad_is_left_out_where_the_board_leaves_it_out(wiring: Wiring) -> None:
    """Whoever answers "both bad" does not tie there."""
    fill_board(wiring, {}, both_bad=BothBad.EXCLUDE)

    assert listed(wiring).votes == HONEST * VOTES


def test_a_board_without_votes_has_nothing_to_examine(wiring: Wiring) -> None:
    """One clear line instead of an empty table."""
    with wiring.sessions.begin() as session:
        add_board(session)
    with pytest.raises(NothingToRateError, match="join no two models"):
        listed(wiring)


def test_an_unknown_board_is_said_to_be_unknown(wiring: Wiring) -> None:
    """As everywhere."""
    with pytest.raises(UnknownBoardError, match="No board is called"):
        listed(wiring)
