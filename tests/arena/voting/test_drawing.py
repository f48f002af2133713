import numpy as np
import pytest
from sqlalchemy import func, select

from arena.errors import NotEnoughModelsError, NothingLeftError, UnknownBattleError
from arena.store.tables import BattleRow
from arena.voting import draw_battle, read_battle
from arena.wiring import Wiring
from tests.arena.rows import add_board, add_models, add_pool


@pytest.fixture
def generator() -> np.random.Generator:
    return np.random.default_rng(7)


def draw(wiring: Wiring, generator: np.random.Generator, voter: str = "v") -> str:
    with wiring.sessions.begin() as session:
        return draw_battle(session, "people", voter, generator=generator, settings=wiring.settings)


def fill(wiring: Wiring, *names: str, prompts: int) -> None:
    with wiring.sessions.begin() as session:
        board = add_board(session)
        add_pool(session, board, add_models(session, *names), prompts=prompts)


def test_asking_again_gives_the_waiting_battle(
    wiring: Wiring, generator: np.random.Generator
) -> None:
    """A reload must not fish for a pair that the voter likes better."""
    fill(wiring, "ash", "birch", "cedar", prompts=3)

    first, second = draw(wiring, generator), draw(wiring, generator)

    assert first == second


def test_before_the_vote_the_view_holds_no_name(
    wiring: Wiring, generator: np.random.Generator
) -> None:
    """What is not in the view cannot leak from the page."""
    fill(wiring, "ash", "birch", prompts=1)
    public_id = draw(wiring, generator)

    with wiring.sessions() as session:
        view = read_battle(session, public_id, "v", settings=wiring.settings)

    assert view.names is None
    assert "ash" not in repr(view)
    assert "birch" not in repr(view)


def test_a_battle_is_found_by_its_voter_alone(
    wiring: Wiring, generator: np.random.Generator
) -> None:
    """Somebody else's battle must look like none at all."""
    fill(wiring, "ash", "birch", prompts=1)
    public_id = draw(wiring, generator)

    with wiring.sessions() as session, pytest.raises(UnknownBattleError):
        read_battle(session, public_id, "somebody else", settings=wiring.settings)


def test_one_model_is_not_enough(wiring: Wiring, generator: np.random.Generator) -> None:
    """With one model both sides would be the same."""
    fill(wiring, "ash", prompts=2)

    with pytest.raises(NotEnoughModelsError, match="1 models"):
        draw(wiring, generator)

    with wiring.sessions() as session:
        assert session.scalar(select(func.count()).select_from(BattleRow)) == 0


def test_a_prompt_and_pair_is_never_shown_twice(
    wiring: Wiring, generator: np.random.Generator
) -> None:
    """Three models and two prompts make six battles for a voter, and then no more."""
    fill(wiring, "ash", "birch", "cedar", prompts=2)
    seen = set()

    for _ in range(6):
        public_id = draw(wiring, generator)
        with wiring.sessions.begin() as session:
            battle = session.scalars(
                select(BattleRow).where(BattleRow.public_id == public_id)
            ).one()
            battle.state = "void"
            seen.add((battle.prompt_id, *sorted((battle.model_a_id, battle.model_b_id))))

    assert len(seen) == 6
    with pytest.raises(NothingLeftError):
        draw(wiring, generator)


def test_the_stored_probability_is_how_often_the_pair_is_drawn(
    wiring: Wiring, generator: np.random.Generator
) -> None:
    """Inverse-propensity weights are only as good as the probability that was stored."""
    fill(wiring, "ash", "birch", "cedar", prompts=2)

    for voter in range(60):
        draw(wiring, generator, voter=f"v{voter}")

    with wiring.sessions() as session:
        battles = session.scalars(select(BattleRow)).all()
    assert {battle.probability for battle in battles} == {1 / 3}
    pairs = [tuple(sorted((each.model_a_id, each.model_b_id))) for each in battles]
    assert all(10 <= pairs.count(pair) <= 32 for pair in set(pairs))
    left = sum(battle.model_a_id < battle.model_b_id for battle in battles)
    assert 18 <= left <= 42
