"""Voting by forms and by JSON, in every state that a battle can be in."""

import re
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from arena import rating_runs
from arena.clock import now
from arena.store.boards import find_board
from arena.store.preferences import Source
from arena.store.tables import BattleRow, ModelRow, RatingRunRow, VoteRow
from arena.terms import BattleState, Outcome
from arena.wiring import Wiring
from tests.arena.rows import add_board, add_votes
from tests.web.pool import (
    NAMES,
    ORGANIZATION,
    add_votable,
    begin,
    cast,
    id_of,
    show_names,
    stored_votes,
)
from tests.web.site import Visitor, form_of


@pytest.fixture(autouse=True)
def _board(wiring: Wiring) -> None:
    add_votable(wiring)


def set_battle(wiring: Wiring, public_id: str, **values: object) -> None:
    """Put a battle in a state that time would bring."""
    with wiring.sessions.begin() as session:
        session.execute(update(BattleRow).where(BattleRow.public_id == public_id).values(**values))


def publish_run(wiring: Wiring) -> Source:
    """Publish a rating run over a few votes for either model."""
    with wiring.sessions.begin() as session:
        board = find_board(session, "people")
        a, b = session.scalars(select(ModelRow).order_by(ModelRow.name))
        add_votes(session, board, a, b, outcome=Outcome.A, n=6)
        add_votes(session, board, a, b, outcome=Outcome.B, n=4)
        source = Source(board.id, None)
        rating_runs.request(session, source)
    assert rating_runs.refit(wiring, source) == 1
    return source


@pytest.mark.parametrize(
    ("outcome", "heading"),
    [
        ("a", "You chose A, NAME, over B, NAME"),
        ("b", "You chose B, NAME, over A, NAME"),
        ("tie", "You called it a tie: A, NAME, and B, NAME"),
        ("both_bad", "You called both bad: A, NAME, and B, NAME"),
        ("skip", "You skipped A, NAME, and B, NAME"),
    ],
)
def test_one_votes_by_forms_alone(visitor: Visitor, outcome: str, heading: str) -> None:
    """Everything works with scripts off, whatever one has to say."""
    voted = cast(visitor, begin(visitor), outcome)
    revealed = show_names(visitor, voted)

    words = " ".join(re.sub(r"<[^>]+>", "", revealed.text.split('id="who">')[1]).split())
    for name in NAMES:
        words = words.replace(name, "NAME")
    assert words.startswith(heading)


def test_a_vote_asks_for_a_refit_at_its_reveal(visitor: Visitor, wiring: Wiring) -> None:
    """Before the reveal it can be undone, and must count nowhere."""
    voted = cast(visitor, begin(visitor))
    with wiring.sessions() as session:
        before = session.scalars(select(RatingRunRow)).all()

    show_names(visitor, voted)

    with wiring.sessions() as session:
        after = session.scalars(select(RatingRunRow)).all()
    assert (len(before), len(after)) == (0, 1)
    assert wiring.bell.depths()["ratings"] == 1


def test_the_names_come_with_where_they_stand(visitor: Visitor, wiring: Wiring) -> None:
    """And with whether that run has read the vote already, before the refit and after it."""
    source = publish_run(wiring)

    revealed = show_names(visitor, cast(visitor, begin(visitor)))
    rating_runs.refit(wiring, source)
    later = visitor.get(revealed.url.path)

    assert "your vote will be in the next one" in revealed.text
    assert "which counts your vote" in later.text
    assert revealed.text.count('class="dot"') == len(NAMES)
    assert re.search(r"The intervals are \d+ and \d+ points wide", revealed.text)
    assert ORGANIZATION in revealed.text


def test_a_skip_asks_for_no_refit(visitor: Visitor, wiring: Wiring) -> None:
    """A refit over the same votes would be a new run with the same numbers."""
    show_names(visitor, cast(visitor, begin(visitor), "skip"))

    with wiring.sessions() as session:
        assert session.scalars(select(RatingRunRow)).all() == []


def test_voting_goes_on_without_redis(wiring: Wiring, visitor: Visitor) -> None:
    """Redis is a bell. A vote that waits for it would be lost with it."""
    wiring.bell.redis.connection_pool.connection_kwargs["path"] = "/nowhere"
    wiring.bell.redis.connection_pool.disconnect()

    revealed = show_names(visitor, cast(visitor, begin(visitor)))

    assert "You chose A" in revealed.text
    assert stored_votes(wiring) == 1


def test_asking_again_finds_the_battle_that_waits(visitor: Visitor) -> None:
    """Two tabs must not use up two prompts."""
    assert id_of(begin(visitor)) == id_of(begin(visitor))


def test_a_reload_shows_the_vote_that_was_stored(visitor: Visitor, wiring: Wiring) -> None:
    """Whoever lost the answer to their vote looks again, and must not vote twice."""
    battle = begin(visitor)
    cast(visitor, battle, "tie")

    again = visitor.get(battle.url.path)

    assert "Saved: a tie" in again.text
    assert stored_votes(wiring) == 1


def test_the_same_form_twice_is_one_vote(visitor: Visitor, wiring: Wiring) -> None:
    """A nervous finger presses twenty times."""
    battle = begin(visitor)
    action, hidden = form_of(battle.text, r"/battles/[^/]+/vote")

    answers = [visitor.post(action, data=hidden | {"outcome": "b"}) for _ in range(5)]

    assert {answer.status_code for answer in answers} == {200}
    assert stored_votes(wiring) == 1


def test_after_the_reveal_no_other_vote_is_taken(visitor: Visitor, wiring: Wiring) -> None:
    """Who knows the names is not blind any more."""
    battle = begin(visitor)
    action, hidden = form_of(battle.text, r"/battles/[^/]+/vote")
    revealed = show_names(visitor, cast(visitor, battle, "a"))

    second = visitor.post(action, data=hidden | {"outcome": "b", "idempotency_key": "another"})
    call = visitor.post(
        f"/api/v1{action}", json={"outcome": "b"}, headers={"Idempotency-Key": "third"}
    )

    assert second.status_code == call.status_code == 409
    assert call.json()["code"] == "already_voted"
    assert 'name="outcome"' not in revealed.text
    with wiring.sessions() as session:
        assert session.scalars(select(VoteRow.outcome)).all() == ["a"]


def test_an_unknown_outcome_leaves_the_battle_open(visitor: Visitor, wiring: Wiring) -> None:
    """A mistake in a form must not cost the voter the battle."""
    battle = begin(visitor)

    refused = cast(visitor, battle, "left")
    taken = cast(visitor, battle, "a")

    assert (refused.status_code, taken.status_code) == (422, 200)
    assert stored_votes(wiring) == 1


def test_a_side_cannot_be_sent(visitor: Visitor, wiring: Wiring) -> None:
    """Which model stood where is the server's to know."""
    battle = begin(visitor)
    action, hidden = form_of(battle.text, r"/battles/[^/]+/vote")
    extra = {"model_a": NAMES[1], "swap": "true", "rating": "9"}

    form = visitor.post(action, data=hidden | {"outcome": "a"} | extra)
    call = visitor.post(
        f"/api/v1{action}", json={"outcome": "a"} | extra, headers={"Idempotency-Key": "k"}
    )

    assert form.status_code == call.status_code == 422
    assert stored_votes(wiring) == 0


def test_a_vote_can_be_taken_back_until_the_reveal(visitor: Visitor, wiring: Wiring) -> None:
    """A slip of the finger is no preference. The names stay hidden, and the pair is not offered again."""
    voted = cast(visitor, begin(visitor))

    undone = visitor.submit(voted, r"/battles/[^/]+/undo")

    assert "Your vote is taken back" in undone.text
    assert not [name for name in NAMES if name in undone.text]
    assert id_of(visitor.submit(undone, "/battles")) != id_of(undone)


def test_after_the_reveal_nothing_is_taken_back(visitor: Visitor) -> None:
    """Else one could look at the names and then choose what to say."""
    voted = cast(visitor, begin(visitor))
    action, hidden = form_of(voted.text, r"/battles/[^/]+/undo")
    show_names(visitor, voted)

    assert visitor.post(action, data=hidden).status_code == 409


def test_names_are_not_shown_before_a_vote(visitor: Visitor) -> None:
    """The reveal is the price of a vote."""
    battle = begin(visitor)

    answer = visitor.post(f"/api/v1/battles/{id_of(battle)}/reveal")

    assert answer.status_code == 409
    assert answer.json()["code"] == "not_voted"


def test_an_expired_battle_says_so_and_offers_the_next(visitor: Visitor, wiring: Wiring) -> None:
    """Nobody should vote on a page from last week, nor wonder why they cannot."""
    battle = begin(visitor)
    set_battle(wiring, id_of(battle), expires_at=now() - timedelta(seconds=1))

    late = cast(visitor, battle)
    again = visitor.get(battle.url.path)

    assert late.status_code == 410
    assert "This battle waited too long" in again.text
    assert id_of(visitor.submit(again, "/battles")) != id_of(battle)
    assert stored_votes(wiring) == 0


def test_a_void_battle_shows_no_answer_and_takes_no_vote(visitor: Visitor, wiring: Wiring) -> None:
    """Which side failed could give a name away."""
    battle = begin(visitor)
    set_battle(wiring, id_of(battle), state=BattleState.VOID)

    page = visitor.get(battle.url.path)
    late = cast(visitor, battle)

    assert "This battle is void" in page.text
    assert page.text.count("Not shown, the battle is void.") == 2
    assert late.status_code == 410


def test_when_all_is_seen_the_page_says_so(visitor: Visitor) -> None:
    """Three prompts of one pair are three battles."""
    for _ in range(3):
        cast(visitor, begin(visitor))

    last = begin(visitor)

    assert last.status_code == 409
    assert "You have seen every pair" in last.text


def test_somebody_elses_battle_looks_like_none(site: str, visitor: Visitor) -> None:
    """Ids must not be tried out, and nobody may read or use another's battle."""
    battle = begin(visitor)
    with Visitor(site) as other:
        begin(other)
        answers = [
            other.get(f"/api/v1/battles/{each}")
            for each in (id_of(battle), "A" * 22, "1", "%00", "\u00e9")
        ]

    assert {answer.status_code for answer in answers} == {404}
    bodies = {str(answer.json() | {"request_id": ""}) for answer in answers}
    assert len(bodies) == 1


def test_two_visitors_may_choose_the_same_key(site: str, visitor: Visitor) -> None:
    """A stranger's key must not stand in the way of a vote."""
    keys = {"Idempotency-Key": "1"}
    with Visitor(site) as other:
        answers = [
            each.post(
                f"/api/v1/battles/{id_of(begin(each))}/vote", json={"outcome": "a"}, headers=keys
            )
            for each in (visitor, other)
        ]

    assert [answer.status_code for answer in answers] == [200, 200]


def test_a_program_votes_without_a_page(site: str, wiring: Wiring) -> None:
    """Every page has a JSON twin; a retry gets the very same answer."""
    with Visitor(site) as program:
        drawn = program.post("/api/v1/battles", json={"board": "people"})
        address = drawn.headers["Location"]
        keys = {"Idempotency-Key": "one"}
        votes = [
            program.post(f"{address}/vote", json={"outcome": "b"}, headers=keys) for _ in range(2)
        ]
        voted = program.get(address).json()
        revealed = program.post(f"{address}/reveal").json()

    assert drawn.status_code == 201
    assert drawn.json()["names"] is None
    assert votes[0].json() == votes[1].json() == {"battle": drawn.json()["id"], "outcome": "b"}
    assert (voted["state"], voted["names"]) == ("voted", None)
    assert set(revealed["names"].values()) == set(NAMES)
    assert stored_votes(wiring) == 1


def test_a_vote_without_a_key_is_refused(visitor: Visitor, wiring: Wiring) -> None:
    """Without a key a retry would be a second try."""
    answer = visitor.post(f"/api/v1/battles/{id_of(begin(visitor))}/vote", json={"outcome": "a"})

    assert answer.status_code == 422
    assert stored_votes(wiring) == 0


def test_with_several_boards_one_chooses(visitor: Visitor, wiring: Wiring) -> None:
    """`/vote` is linked from every page, and none of them knows which board is meant."""
    with wiring.sessions.begin() as session:
        add_board(session, "empty")

    page = visitor.get("/vote")

    assert page.text.count('action="/battles"') == 1
    assert visitor.get("/vote?board=none-of-this-name").status_code == 404
