"""Cases of files that come in, told apart by their kind and by the shape of their input."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from arena.cells import import_cells
from arena.errors import FormatError
from arena.formats.cells import read_runs
from arena.formats.rejection import Rejection
from arena.formats.rows import Row, open_rows
from arena.formats.vote_records import VoteRecord
from arena.formats.votes import read_votes
from arena.hygiene import RefusedError, clean_name, match_key, read_finite, safe_file_name
from arena.importing import ImportFile, import_votes
from arena.registry import add_alias, list_models
from tests.arena.formats.files import write_jsonl
from tests.arena.formats.helm_folders import SPEC, stat, write_run
from tests.arena.formats.lm_eval_files import write_results
from tests.case_bank import packed_files
from tests.case_bank.place import Place

Case = dict[str, Any]
Given = Mapping[str, Any]

# Kinds whose part a later issue builds: answers item by item, Inspect's logs, prompts over HTTP.
LATER = {
    "wrong_file": 4,
    "partial_metadata": 4,
    "provenance": 4,
    "sample_identity": 4,
    "repeats": 4,
    "surrogates": 5,
}


def run_case(case: Case, place: Place) -> str | None:
    """Run one case by its kind; rows of single items wait for the issue that stores them."""
    given, expected, kind = case["input"], case["expected"], case["kind"]
    if kind in LATER:
        return f"pending: issue {LATER[kind]}"
    if kind == "duplicate_rows" and "battle_id" not in given["rows"][0]:
        return "pending: issue 4"
    if kind not in CHECKS:
        raise AssertionError(f"no check for the kind {kind!r} with {', '.join(given)}")
    with TemporaryDirectory() as folder:
        CHECKS[kind](given, expected, Path(folder), place)
    return None


def check_na(given: Given, expected: Given, folder: Path, place: Place) -> None:
    """A standard error that is not a number leaves the value as it is."""
    path = write_results(folder / "results_1.json", given["lm_eval"]["results"])
    [run] = read_runs(path)
    [cell] = run.cells
    assert (cell.value, cell.standard_error) == (
        expected["cell"]["value"],
        expected["cell"]["stderr"],
    )
    assert len(run.left_out) == expected["rejected"]


def check_optional(given: Given, expected: Given, folder: Path, place: Place) -> None:
    """A field that older runs lack is no error."""
    spec = SPEC | given["helm_run_spec"]
    [run] = read_runs(write_run(folder / "run", [stat("exact_match", 0.5)], spec=spec))
    assert bool(run.cells) == expected["imported"]
    assert run.model == expected["model"]
    assert run.record["run_spec"]["adapter_spec"].get("model_deployment") == expected["deployment"]


def check_nonfinite(given: Given, expected: Given, folder: Path, place: Place) -> None:
    """What is not finite is refused, names stay apart, and so do the names of their files."""
    reasons: Counter[str] = Counter()
    for score in given["scores"]:
        try:
            read_finite(score)
        except RefusedError as error:
            reasons[error.reason] += 1
    assert len(given["scores"]) - reasons.total() == expected["accepted"]
    assert reasons == {expected["reason"]: expected["rejected"]}
    names = [clean_name(name) for name in given["names"]]
    assert names == given["names"]
    assert len({safe_file_name(name).casefold() for name in names}) == len(names)
    check_warning(names, folder, place)


def check_warning(names: list[str], folder: Path, place: Place) -> None:
    """Models that differ by case alone are warned of."""
    rows: list[dict[str, object]] = [
        {"model_a": name, "model_b": "another", "winner": "tie"} for name in names
    ]
    with place.wiring.sessions() as session:
        file = ImportFile(write_jsonl(folder / "names.jsonl", rows), "people")
        report = import_votes(session, file, rejections=folder)
        session.rollback()
    assert set(names) <= set(report.models_made)
    folded = Counter(name.casefold() for name in names)
    assert bool(report.names_alike) == (max(folded.values()) > 1)


def check_empty_stat(given: Given, expected: Given, folder: Path, place: Place) -> None:
    """A statistic that counts nothing has no value; the others keep theirs."""
    items = [
        {"instance_id": f"id{item}", "train_trial_index": 0, "stats": [each | {"count": 1}]}
        for each in given["helm_stats"]
        for item in range(each["count"])
    ]
    [run] = read_runs(write_run(folder / "run", list(given["helm_stats"]), instances=items))
    cells = {cell.metric: {"value": cell.value, "n": cell.n} for cell in run.cells}
    assert cells == expected


def check_duplicates(given: Given, expected: Given, folder: Path, place: Place) -> None:
    """One battle and voter count once, in one file and in two."""
    rows = [{"model_a": "ash", "model_b": "birch"} | row for row in given["rows"]]
    file = ImportFile(write_jsonl(folder / "votes.jsonl", rows), "people")
    for wanted in (expected, expected["second_import_of_same_file"]):
        with place.wiring.sessions.begin() as session:
            counts = import_votes(session, file, rejections=folder).counts
        assert (counts.stored, counts.skipped) == (wanted["stored"], wanted["skipped_duplicates"])


def check_alias(given: Given, expected: Given, folder: Path, place: Place) -> None:
    """Two names are two models, until somebody says that they are one."""
    assert expected == {
        "default": "two models",
        "after_alias_declared": "one model, both names kept",
    }
    names = [file["model"] for file in given["files"]]
    runs = []
    for number, name in enumerate(names):
        spec = SPEC | {"adapter_spec": {"model": name}}
        runs.append(write_run(folder / str(number), [stat("exact_match", 0.5)], spec=spec))
    with place.wiring.sessions() as session:
        for run in runs:
            import_cells(session, run)
        assert [model.name for model in list_models(session)] == sorted(names)
        session.rollback()
    with place.wiring.sessions.begin() as session:
        import_cells(session, runs[0])
        for name in names[1:]:
            add_alias(session, name, names[0], actor="tester")
        for run in runs[1:]:
            import_cells(session, run)
        [model] = list_models(session)
    assert {model.name, *model.aliases} == set(names)


def check_locale(given: Given, expected: Given, folder: Path, place: Place) -> None:
    """A file is UTF-8 whatever the locale of the machine is."""
    name, _, value = given["env"].partition("=")
    rows = [{"model_a": "ash \N{SEEDLING}", "model_b": "birch", "winner": "tie"}]
    path = folder / "votes.jsonl"
    path.write_bytes(json.dumps(rows[0], ensure_ascii=False).encode())
    code = (
        "import sys; from pathlib import Path; from arena.formats.votes import read_votes;"
        "[vote] = read_votes(Path(sys.argv[1])); assert vote.model_a == 'ash \\N{SEEDLING}'"
    )
    environment = {
        **os.environ,
        "LC_ALL": value,
        name: value,
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
    }
    done = subprocess.run([sys.executable, "-c", code, str(path)], env=environment, check=False)
    assert (done.returncode == 0) == expected["imported"]


def check_encodings(given: Given, expected: Given, folder: Path, place: Place) -> None:
    """UTF-16 with its mark is read, Latin-1 refused at its byte."""
    assert expected["latin1"] == "rejected: not UTF-8 at byte N, no row stored"
    text = "model_a,model_b,winner\nash,café,tie\n"
    path = folder / "votes.csv"
    for described in given["files"]:
        if described.startswith("UTF-16"):
            path.write_bytes(
                ("\ufeff" + text).encode("utf-16-be" if "BE" in described else "utf-16-le")
            )
            assert [vote.model_b for vote in votes_in(path)] == ["café"]
        else:
            content = text.encode("latin-1")
            path.write_bytes(content)
            with pytest.raises(FormatError, match=f"not UTF-8 at byte {content.index(0xE9)}"):
                votes_in(path)


def check_lines(given: Given, expected: Given, folder: Path, place: Place) -> None:
    """Line ends of every kind, blank lines and a stray comma: rows counted, the bad one named by its line."""
    rows = rows_of(folder / "rows.jsonl", given["jsonl"].encode())
    assert expected["line_numbers_correct"]
    assert sum(isinstance(row, Row) for row in rows) == expected["rows"]
    rejected = [row for row in rows if isinstance(row, Rejection)]
    assert [{"line": each.line, "reason": each.reason} for each in rejected] == expected["rejected"]


def check_container(given: Given, expected: Given, folder: Path, place: Place) -> None:
    """An array is taken, whatever the file is called."""
    rows = rows_of(folder / given["name"], given["file"].encode())
    assert expected["accepted_as_array"]
    assert sum(isinstance(row, Row) for row in rows) == expected["rows"]


def check_versions(given: Given, expected: Given, folder: Path, place: Place) -> None:
    """Rows of two versions are read, a stranger's are not."""
    found = list(read_votes(write_jsonl(folder / "votes.jsonl", list(given["rows"]))))
    votes = [each for each in found if isinstance(each, VoteRecord)]
    assert (len(votes), len(found) - len(votes)) == (expected["imported"], expected["rejected"])
    if expected["same_instant_rows_1_2"]:
        assert votes[0].cast_at == votes[1].cast_at
        assert votes[0].cast_at is not None


def check_columns(given: Given, expected: Given, folder: Path, place: Place) -> None:
    """What is missing is named, beside what was found."""
    path = folder / "votes.csv"
    path.write_text(given["csv"], encoding="utf-8")
    with pytest.raises(FormatError) as refused:
        votes_in(path)
    missing = expected["error"].partition(";")[0]
    assert expected["rows"] == 0
    assert refused.value.status == expected["http"]
    assert missing in refused.value.message
    assert all(
        column in refused.value.message for column in given["csv"].splitlines()[0].split(",")
    )


def check_keys(given: Given, expected: Given, folder: Path, place: Place) -> None:
    """Keys match after NFC and without the space around them."""
    assert expected["because"] == "keys compared after strip and NFC"
    left = {match_key(key) for key in given["left_keys"]}
    assert len(left & {match_key(key) for key in given["right_keys"]}) == expected["matched"]


def check_limit(given: Given, expected: Given, folder: Path, place: Place) -> None:
    """A limited run says of how many items it had some, and never becomes one with a full run."""
    assert expected["not_merged_with_full"]
    cell = given["cell"]
    results = {"t": {"acc,none": 0.5}}
    for name, n in (("limited", cell["n"]), ("full", cell["dataset_n"])):
        samples = {"t": {"original": cell["dataset_n"], "effective": n}}
        config = {
            "model": "ash",
            "model_args": {},
            "limit": cell["limit"] if name == "limited" else None,
        }
        write_results(
            folder / f"results_{name}.json", results, config=config, **{"n-samples": samples}
        )
    cells = [cell for run in read_runs(folder) for cell in run.cells]
    shown = {f"n={each.n} of {each.n_total}" for each in cells}
    assert len(cells) == 2
    assert expected["shown"].removesuffix(" (limited)") in shown


def check_dialect(given: Given, expected: Given, folder: Path, place: Place) -> None:
    """The separator is found, quotes are undone, and a number that may be two is refused."""
    first_line = given["csv"].splitlines()[0]
    rows = [
        row for row in rows_of(folder / "cells.csv", given["csv"].encode()) if isinstance(row, Row)
    ]
    assert list(rows[0].values) == first_line.split(expected["detected_separator"])
    assert [clean_name(row.values["model"]) for row in rows] == expected["names"]
    for row in rows:
        with pytest.raises(RefusedError):
            read_finite(row.values["score"])


def rows_of(path: Path, content: bytes) -> list[Row | Rejection]:
    path.write_bytes(content)
    with open_rows(path) as rows:
        return list(rows.each)


def votes_in(path: Path) -> list[VoteRecord]:
    return [each for each in read_votes(path) if isinstance(each, VoteRecord)]


CHECKS = {
    "na_string": check_na,
    "missing_optional": check_optional,
    "nonfinite": check_nonfinite,
    "empty_stat": check_empty_stat,
    "duplicate_rows": check_duplicates,
    "alias": check_alias,
    "encoding": check_locale,
    "utf16_latin1": check_encodings,
    "line_endings": check_lines,
    "wrong_container": check_container,
    "compressed": packed_files.check,
    "mixed_versions": check_versions,
    "missing_columns": check_columns,
    "no_match": check_keys,
    "limit_recorded": check_limit,
    "csv_dialect": check_dialect,
}
