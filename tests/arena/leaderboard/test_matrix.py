"""Cells beside the ratings: which are shown, and how each kind of absence is told apart."""

import pytest
from sqlalchemy.orm import Session

from arena import leaderboard
from arena.leaderboard import Asked, BoardView, CellChoice
from arena.store.tables import ModelRow, ScenarioRow
from arena.terms import Missing
from tests.arena.leaderboard.rated import add_run, add_scenario
from tests.arena.rows import add_board, add_models, add_pool

FAILED = {"value": None, "missing": "failed", "reason": "stopped at item 212"}


@pytest.fixture
def models(session: Session) -> dict[str, ModelRow]:
    """Two models with answers on the board `people`."""
    found = add_models(session, "ash", "birch")
    add_pool(session, add_board(session), found, prompts=1)
    return found


def shown(session: Session, choice: CellChoice = CellChoice.MAIN) -> BoardView:
    return leaderboard.read_board(session, "people", Asked(cells=choice))


def test_a_scenario_shows_its_main_metric_on_its_main_split(
    session: Session, models: dict[str, ModelRow]
) -> None:
    """A board has room for one column a scenario; the others are asked for."""
    scenario = add_scenario(session, "birds", main_metric="f1", main_split="valid")
    cells = [
        {"metric": metric, "split": split, "value": 0.5}
        for metric in ("exact_match", "f1")
        for split in ("test", "valid")
    ]
    add_run(session, scenario, models["ash"], *cells)

    main, whole = shown(session), shown(session, CellChoice.ALL)

    assert list(main.cells) == ["birds:f1,split=valid"]
    assert len(whole.cells) == 4
    assert shown(session, CellChoice.NONE).cells == {}


def test_a_scenario_that_names_no_main_metric_shows_one_of_accuracy(
    session: Session, models: dict[str, ModelRow]
) -> None:
    """Seconds are easier to find in a file than a share of right answers, and say less."""
    scenario = add_scenario(session, "birds")
    seconds = {"metric": "a_time", "axis": "efficiency", "unit": "seconds", "value": 2.0}
    add_run(session, scenario, models["ash"], seconds, {"value": 0.5})

    assert [column.metric for column in shown(session).cells.values()] == ["exact_match"]


def test_a_perturbed_cell_is_never_taken_for_the_plain_one(
    session: Session, models: dict[str, ModelRow]
) -> None:
    """Robustness is another number than accuracy."""
    perturbed = {"value": 0.1, "perturbation": "typos"}
    add_run(session, add_scenario(session, "birds"), models["ash"], perturbed)

    assert shown(session).cells == {}
    assert len(shown(session, CellChoice.ALL).cells) == 1


def test_two_runs_that_differ_are_both_kept(session: Session, models: dict[str, ModelRow]) -> None:
    """The value with more items is shown, the other beside it: neither is thrown away or averaged."""
    scenario = add_scenario(session, "birds")
    for value, n in ((0.61, 500), (0.39, 20), (0.61, 500)):
        add_run(session, scenario, models["ash"], {"value": value, "n": n})

    cell = shown(session).models[0].cells["birds:exact_match,split=test"]

    assert (cell.value, cell.n, cell.others) == (0.61, 500, (0.39,))


def test_a_value_is_shown_before_a_run_that_failed(
    session: Session, models: dict[str, ModelRow]
) -> None:
    """A later failure takes nothing from what was measured."""
    scenario = add_scenario(session, "birds")
    add_run(session, scenario, models["ash"], {"value": 0.5})
    add_run(session, scenario, models["ash"], FAILED)

    assert shown(session).models[0].cells["birds:exact_match,split=test"].value == 0.5


def test_absent_cells_say_why_once_for_all_that_share_the_reason(
    session: Session, models: dict[str, ModelRow]
) -> None:
    """Never 0 and never blank: a kind for each, a numbered note for each reason, and the count of both."""
    withheld = {"value": None, "missing": "withheld", "reason": "the source doubts it"}
    for name in ("birds", "fish"):
        for model in models.values():
            add_run(session, add_or_find(session, name), model, withheld)
    run = add_run(session, add_scenario(session, "trees"), models["ash"], FAILED)

    view = shown(session)

    first, second = view.notes
    assert (first.missing, first.cells, first.model, first.run) == (Missing.WITHHELD, 4, None, None)
    assert (second.missing, second.cells, second.model) == (Missing.FAILED, 1, "ash")
    assert (second.column, second.run) == ("Trees", run.id)
    birch = view.models[1].cells["trees:exact_match,split=test"]
    assert (birch.missing, birch.note, birch.reason) == (Missing.NOT_RUN, None, None)
    assert view.absent == {
        Missing.NOT_RUN: 1,
        Missing.FAILED: 1,
        Missing.NOT_APPLICABLE: 0,
        Missing.UNDEFINED: 0,
        Missing.WITHHELD: 4,
    }


def test_models_are_sorted_by_a_column_the_better_way_round(
    session: Session, models: dict[str, ModelRow]
) -> None:
    """Of an error the smallest comes first, and a model without one comes last."""
    scenario = add_scenario(session, "birds")
    for name, value in (("ash", 0.4), ("birch", 0.2)):
        cell = {"metric": "ece", "direction": "lower", "value": value}
        add_run(session, scenario, models[name], cell)

    view = leaderboard.read_board(session, "people", Asked(sort="birds:ece,split=test"))

    assert [model.model for model in view.models] == ["birch", "ash"]


def add_or_find(session: Session, name: str) -> ScenarioRow:
    return session.query(ScenarioRow).filter_by(name=name).one_or_none() or add_scenario(
        session, name
    )


def test_a_split_that_more_models_ran_does_not_displace_the_test_split(
    session: Session, models: dict[str, ModelRow]
) -> None:
    """Values on items that were for choosing a model are kinder than those on the test items."""
    scenario = add_scenario(session, "birds")
    valid = {"split": "valid", "value": 0.9}
    add_run(session, scenario, models["ash"], valid, {"value": 0.5})
    add_run(session, scenario, models["birch"], valid)

    assert [column.split for column in shown(session).cells.values()] == ["test"]


def test_a_main_metric_that_nobody_measured_is_not_waited_for(
    session: Session, models: dict[str, ModelRow]
) -> None:
    """A scenario's own description may name a metric that a file does not have."""
    scenario = add_scenario(session, "birds", main_metric="bleu")
    add_run(session, scenario, models["ash"], {"value": 0.5})

    assert [column.metric for column in shown(session).cells.values()] == ["exact_match"]
