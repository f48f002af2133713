"""Results come in once, by exact name, and two that disagree are both kept."""

from pathlib import Path

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.cells import import_cells
from arena.errors import FormatError
from arena.registry import add_alias, list_models
from arena.store.tables import CellRow, ImportBatchRow, ModelRow, RunRow, ScenarioRow
from tests.arena.formats.helm_folders import SPEC, stat, write_run
from tests.arena.formats.lm_eval_files import write_results
from tests.shared import shared_file

STATS = [stat("exact_match", 0.5), stat("num_instances", 12.0), stat("training_co2_cost", None)]


def rows_of(session: Session, row: type) -> int:
    return session.scalars(select(func.count()).select_from(row)).one()


def spec_of(model: str) -> dict[str, object]:
    return SPEC | {"adapter_spec": SPEC["adapter_spec"] | {"model": model}}


def test_a_run_comes_in_once(session: Session, tmp_path: Path) -> None:
    """Importing a folder again adds nothing and says so."""
    folder = write_run(tmp_path / "run", STATS)

    first, again = import_cells(session, folder), import_cells(session, folder)

    assert (first.runs_stored, first.counts.stored) == (1, 2)
    assert (again.runs_stored, again.runs_skipped, again.counts.skipped) == (0, 1, 2)
    assert rows_of(session, CellRow) == 2


def test_a_cell_says_where_it_was_found(session: Session, tmp_path: Path) -> None:
    """Anybody can open the file and look."""
    import_cells(session, write_run(tmp_path / "run", STATS))

    cell = session.scalars(select(CellRow).where(CellRow.metric == "exact_match")).one()
    run = session.get_one(RunRow, cell.run_id)
    assert (cell.value, cell.n, cell.pointer) == (0.5, 12, "/0")
    assert run.file_name == "run/stats.json"
    assert len(run.file_sha256) == 64
    assert run.record["run_spec"]["name"] == SPEC["name"]


def test_two_runs_that_disagree_are_both_kept(session: Session, tmp_path: Path) -> None:
    """A second measurement does not overwrite the first."""
    for name, mean in (("one", 0.5), ("two", 0.6)):
        import_cells(session, write_run(tmp_path / name, [stat("exact_match", mean)]))

    assert sorted(session.scalars(select(CellRow.value))) == [0.5, 0.6]
    assert rows_of(session, ScenarioRow) == 1
    assert rows_of(session, ModelRow) == 1


def test_other_names_are_other_models_until_somebody_checked(
    session: Session, tmp_path: Path
) -> None:
    """Names that look alike are not joined; declared ones are, and both names are kept."""
    import_cells(session, write_run(tmp_path / "a", STATS, spec=spec_of("lmx/ash-7b")))
    report = import_cells(session, write_run(tmp_path / "b", STATS, spec=spec_of("LMX/ash-7b")))
    assert report.models_made == ("LMX/ash-7b",)

    add_alias(session, "togx/ash-7b", "lmx/ash-7b", actor="tester")
    report = import_cells(session, write_run(tmp_path / "c", STATS, spec=spec_of("togx/ash-7b")))

    assert report.models_made == ()
    names = {model.name: model.aliases for model in list_models(session)}
    assert names == {"LMX/ash-7b": (), "lmx/ash-7b": ("togx/ash-7b",)}


def test_what_does_not_fit_is_left_out(session: Session, tmp_path: Path) -> None:
    """A hostile file ends in a report, not in an error of the database."""
    stats = [stat("x" * 301, 0.5), stat("exact_match", 0.5), stat("num_instances", 1e18)]
    results = {"t": {"acc,none": 0.5, "bleu,none": 5.0, "bleu_stderr,none": 1e308}}
    odd = {"n-samples": {"t": {"original": 10**30, "effective": 10**30}}}

    helm = import_cells(session, write_run(tmp_path / "run", stats))
    lm_eval = import_cells(session, write_results(tmp_path / "results_1.json", results, **odd))

    assert (helm.counts.stored, helm.counts.reasons) == (1, {"does_not_fit": 1})
    assert lm_eval.counts.stored == 0


def test_the_batch_says_what_became_of_the_file(session: Session, tmp_path: Path) -> None:
    """The account stays when the terminal is closed."""
    report = import_cells(
        session, write_run(tmp_path / "run", [*STATS, stat("exact_match@5", 50.0)])
    )

    batch = session.get_one(ImportBatchRow, report.batch_id)
    session.refresh(batch)
    assert (batch.kind, batch.rows_stored, batch.rows_rejected) == ("cells", 2, 1)
    assert batch.reasons == {"scale_not_declared": 1}


def test_a_folder_without_results_is_refused(session: Session, tmp_path: Path) -> None:
    """An empty import must not look like a good one."""
    with pytest.raises(FormatError, match="neither run folders of HELM nor"):
        import_cells(session, tmp_path)


def test_all_real_results_go_in(session: Session) -> None:
    """HELM's public run, the made suite and lm-eval's results, as the first issue must end."""
    folder = shared_file("data", "static")

    reports = [
        import_cells(session, folder / "helm"),
        import_cells(session, folder / "helm_generated"),
        import_cells(session, folder / "lm_eval" / "generated_0413"),
    ]

    assert [report.runs_stored for report in reports] == [1, 4, 6]
    assert rows_of(session, RunRow) == 11
    assert {model.name for model in list_models(session)} == {
        "openai/gpt2",
        "fake/alpha",
        "fake/beta",
        "dummy",
    }


def test_a_name_that_cannot_be_kept_is_said(session: Session, tmp_path: Path) -> None:
    """What no index takes is refused with its length, before anything is stored."""
    long_scenario = SPEC | {"scenario_spec": {"args": {"subject": "y" * 700}}}
    folders = [
        write_run(tmp_path / "scenario", STATS, spec=long_scenario),
        write_run(tmp_path / "run", STATS, spec=SPEC | {"name": "n" * 1200}),
        write_results(tmp_path / "empty.json", {"": {"acc,none": 0.5}}),
    ]

    for folder, length in zip(folders, (714, 1200, 0), strict=True):
        with pytest.raises(FormatError, match=f"has {length} characters"):
            import_cells(session, folder)

    assert rows_of(session, ScenarioRow) == 0
