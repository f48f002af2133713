"""How a board draws its pairs: by the policy in force, from a pool that may change, with the probability on record."""

from collections.abc import Callable

import numpy as np
import pytest
from sqlalchemy import select, text, update

from arena import rating_runs, registry
from arena.errors import InputError, NotEnoughModelsError, UnknownBoardError
from arena.registry import retire_model
from arena.store.preferences import Source
from arena.store.tables import (
    BattleRow,
    BoardRow,
    CompletionRow,
    EventRow,
    ModelRow,
    PairPolicyRow,
    PoolRow,
    PromptRow,
)
from arena.terms import Outcome, PolicyKind
from arena.voting import draw_battle, read_battle
from arena.wiring import Wiring
from tests.arena.rows import add_board, add_models, add_pool, add_votes

Draw = Callable[[str], BattleRow]


@pytest.fixture
def draw(wiring: Wiring) -> Draw:
    """Draws a battle for a voter."""
    generator = np.random.default_rng(7)

    def drawn(voter: str) -> BattleRow:
        with wiring.sessions.begin() as session:
            public_id = draw_battle(
                session, "people", voter, generator=generator, settings=wiring.settings
            )
            return session.scalars(select(BattleRow).where(BattleRow.public_id == public_id)).one()

    return drawn


@pytest.fixture
def board(wiring: Wiring) -> BoardRow:
    """Three models that answered two prompts; ash and birch are well known, cedar hardly, once there is a run."""
    with wiring.sessions.begin() as session:
        made = add_board(session, interval="sandwich")
        models = add_models(session, "ash", "birch", "cedar")
        add_pool(session, made, models, prompts=2)
        ash, birch, cedar = models.values()
        for outcome, n in ((Outcome.A, 60), (Outcome.B, 50)):
            add_votes(session, made, ash, birch, outcome=outcome, n=n)
        for outcome, n in ((Outcome.A, 3), (Outcome.B, 2)):
            add_votes(session, made, birch, cedar, outcome=outcome, n=n)
    return made


def choose(wiring: Wiring, kind: PolicyKind, **options: float) -> None:
    with wiring.sessions.begin() as session:
        registry.choose_policy(session, "people", kind, actor="tests", **options)


def rate(wiring: Wiring, board: BoardRow) -> None:
    source = Source(board.id, None)
    with wiring.sessions.begin() as session:
        rating_runs.request(session, source)
    assert rating_runs.refit(wiring, source) == 1


def models_of(battle: BattleRow) -> tuple[int, int]:
    low, high = sorted((battle.model_a_id, battle.model_b_id))
    return low, high


def test_without_a_rating_run_pairs_are_drawn_evenly_and_so_recorded(
    wiring: Wiring, board: BoardRow, draw: Draw
) -> None:
    """Nothing is known yet that a policy could go by."""
    choose(wiring, PolicyKind.VARIANCE)

    assert {draw(f"v{number}").probability for number in range(8)} == {1 / 3}


def test_least_variance_asks_for_the_model_that_is_known_least(
    wiring: Wiring, board: BoardRow, draw: Draw
) -> None:
    """Cedar has 5 votes, the others 110: nearly all draws show it, and the record says how likely each was."""
    choose(wiring, PolicyKind.VARIANCE, epsilon=0.3)
    rate(wiring, board)

    battles = [draw(f"v{number}") for number in range(60)]

    probability = {models_of(battle): battle.probability for battle in battles}
    ash_birch = min(probability)
    assert sum(probability.values()) == pytest.approx(1)
    assert probability[ash_birch] == pytest.approx(0.1, abs=0.01)
    assert sum(models_of(battle) == ash_birch for battle in battles) < 18


@pytest.mark.parametrize("kind", list(PolicyKind))
def test_every_policy_draws(kind: PolicyKind, wiring: Wiring, board: BoardRow, draw: Draw) -> None:
    """From stored row to stored probability, never below the floor."""
    choose(wiring, kind)
    rate(wiring, board)

    battle = draw("v")

    assert battle.probability is not None
    assert 0.1 / 3 <= battle.probability <= 1
    with wiring.sessions() as session:
        assert session.get_one(PairPolicyRow, battle.policy_id).kind == kind


def test_a_battle_names_the_policy_that_drew_it(
    wiring: Wiring, board: BoardRow, draw: Draw
) -> None:
    """A policy chosen later does not change what drew the battles before it."""
    first = draw("v1")
    choose(wiring, PolicyKind.TOP_K, epsilon=0.2, top=1)
    second = draw("v2")

    with wiring.sessions() as session:
        rows = [session.get_one(PairPolicyRow, each.policy_id) for each in (first, second)]
        event = session.scalars(select(EventRow).where(EventRow.action == "board.pairing")).one()
    assert [(row.kind, row.parameters) for row in rows] == [
        ("uniform", {}),
        ("top-k", {"epsilon": 0.2, "top": 1}),
    ]
    assert event.detail == {"policy": rows[1].id, "kind": "top-k"}


def test_the_probability_is_among_the_pairs_that_are_still_open_to_the_voter(
    wiring: Wiring, board: BoardRow, draw: Draw
) -> None:
    """After all prompts of one pair two pairs are left, each with one half."""
    closed, shown = None, dict.fromkeys([(0, 0)], 0)
    while closed is None:
        battle = draw("v")
        shown[models_of(battle)] = shown.get(models_of(battle), 0) + 1
        with wiring.sessions.begin() as session:
            session.execute(update(BattleRow).where(BattleRow.id == battle.id).values(state="void"))
        closed = next((pair for pair, times in shown.items() if times == 2), None)

    battle = draw("v")

    assert models_of(battle) != closed
    assert battle.probability == 1 / 2


def test_nothing_of_the_policy_is_in_what_a_voter_sees(
    wiring: Wiring, board: BoardRow, draw: Draw
) -> None:
    """A probability far from even would say which of the two is new."""
    choose(wiring, PolicyKind.VARIANCE)
    rate(wiring, board)
    battle = draw("v")

    with wiring.sessions() as session:
        view = read_battle(session, battle.public_id, "v", settings=wiring.settings)

    assert str(battle.probability) not in repr(view)
    assert "variance" not in repr(view)
    assert not {"probability", "policy"} & set(vars(view))


def test_an_answer_that_joins_the_pool_can_be_drawn_next(
    wiring: Wiring, board: BoardRow, draw: Draw
) -> None:
    """What the pool offers is kept from draw to draw; a trigger drops it when an answer changes."""
    draw("v1")
    with wiring.sessions.begin() as session:
        assert session.get(PoolRow, board.id) is not None
        oak = add_models(session, "oak")["oak"]
        session.add(
            CompletionRow(
                board_id=board.id,
                prompt_id=session.scalars(select(PromptRow.id).limit(1)).one(),
                model_id=oak.id,
                digest="d",
                text="An answer of oak.",
            )
        )

    drawn = [draw(f"w{number}") for number in range(40)]

    assert {battle.probability for battle in drawn} == {1 / 6}
    assert any(oak.id in models_of(battle) for battle in drawn)


def test_what_leaves_the_pool_is_drawn_no_more(wiring: Wiring, board: BoardRow, draw: Draw) -> None:
    """A withdrawn answer and a retired model leave it, and then two models are not left."""
    draw("v1")
    with wiring.sessions.begin() as session:
        retire_model(session, "ash", actor="tests")
    assert {draw(f"w{number}").probability for number in range(4)} == {1.0}

    with wiring.sessions.begin() as session:
        cedar = session.scalars(select(ModelRow.id).where(ModelRow.name == "cedar")).one()
        session.execute(
            update(CompletionRow).where(CompletionRow.model_id == cedar).values(in_pool=False)
        )

    with pytest.raises(NotEnoughModelsError, match="1 models"):
        draw("x")


def test_an_import_under_way_neither_stops_draws_nor_is_missed(
    wiring: Wiring, board: BoardRow, draw: Draw
) -> None:
    """What a draw counts while somebody changes the pool is not kept: it would be out of date for good."""
    with wiring.sessions() as importing:
        importing.execute(text("UPDATE completion SET in_pool = false WHERE digest LIKE '0-%'"))

        during = draw("v1")
        with wiring.sessions() as session:
            kept = session.get(PoolRow, board.id)
        importing.commit()

    after = {draw(f"w{number}").prompt_id for number in range(12)}
    assert during.probability == 1 / 3
    assert kept is None
    assert len(after) == 1


@pytest.mark.parametrize(
    ("kind", "options", "complaint"),
    [
        (PolicyKind.VARIANCE, {"epsilon": 0.0}, "above 0 and at most 1"),
        (PolicyKind.VARIANCE, {"epsilon": 1.5}, "above 0 and at most 1"),
        (PolicyKind.UNIFORM, {"epsilon": 0.1}, "uniform already"),
        (PolicyKind.WEIGHTED, {"top": 3}, "no top ranks"),
        (PolicyKind.TOP_K, {"top": 0}, "expected 1 or more"),
    ],
)
def test_a_policy_that_makes_no_sense_is_refused(
    kind: PolicyKind,
    options: dict[str, float],
    complaint: str,
    wiring: Wiring,
    board: BoardRow,
) -> None:
    """An option that does nothing was meant for something else."""
    with pytest.raises(InputError, match=complaint):
        choose(wiring, kind, **options)


def test_a_board_that_is_not_there_has_no_policy(wiring: Wiring) -> None:
    """A typo must not go unnoticed."""
    with pytest.raises(UnknownBoardError):
        choose(wiring, PolicyKind.VARIANCE)
