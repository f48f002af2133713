"""Whatever a file holds, reading it ends in records, rejections, or one error that names the file."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import FormatError
from arena.formats.cells import read_runs
from arena.formats.completions import open_completions
from arena.formats.votes import read_votes
from tests.arena.formats.helm_folders import ROBUSTNESS, SPEC, TYPOS, stat

SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.just(10**400)
)
VALUES = st.recursive(
    SCALARS,
    lambda each: (
        st.lists(each, max_size=3) | st.dictionaries(st.text(max_size=5), each, max_size=3)
    ),
    max_leaves=6,
)
COLUMNS = (
    "model_a", "model_b", "winner", "tstamp", "judge", "anony", "language", "conversation_a", "left",
    "right", "id", "prompt", "winner_model_a", "winner_model_b", "winner_tie", "worker", "text", "model",
    "decoder", "seconds", "prompt_tokens",
)  # fmt: skip
ROW = st.dictionaries(st.sampled_from(COLUMNS), VALUES | st.sampled_from(["model_a", "tie", "ash"]))
RESULTS: dict[str, Any] = {
    "results": {"t": {"acc,none": 0.5, "acc_stderr,none": 0.1, "sample_count": {}}},
    "higher_is_better": {"t": {"acc": True}},
    "n-samples": {"t": {"effective": 5, "original": 5}},
    "config": {"model": "hf", "model_args": {"pretrained": "ash"}},
    "configs": {"t": {"repeats": 1}},
    "groups": {},
    "date": 1714000000.0,
}
STATS = [
    stat("exact_match", 0.5),
    stat("exact_match", 0.5, perturbation=TYPOS),
    stat("exact_match", 0.5, perturbation=ROBUSTNESS),
    stat("num_instances", 12.0),
    stat("logprob", 0.0),
]


def broken(document: Any, data: st.DataObject) -> Any:
    """The document, with something anywhere in it replaced by anything."""
    keys: list[Any] = []
    if isinstance(document, dict):
        keys = list(document)
    elif isinstance(document, list):
        keys = list(range(len(document)))
    if not keys or data.draw(st.integers(0, 3)) == 0:
        return data.draw(VALUES)
    key = data.draw(st.sampled_from(keys))
    copy = document.copy()
    copy[key] = broken(document[key], data)
    return copy


def written(folder: str, name: str, document: Any) -> Path:
    path = Path(folder) / name
    path.write_text(json.dumps(document))
    return path


def read_well(path: Path, read: Callable[[Path], Iterable[Any]]) -> list[Any] | None:
    """What was read, or None if it was refused by an error that names the file."""
    try:
        return list(read(path))
    except FormatError as error:
        message = error.message
    assert str(path) in message
    return None


def answers(path: Path) -> list[Any]:
    with open_completions(path) as records:
        return list(records)


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_bytes_of_any_kind_end_well(content: bytes) -> None:
    """A stack trace tells a person nothing, and in a service it is a 500."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(content)

        for read in (read_votes, read_runs, answers):
            read_well(path, read)


@settings(deadline=None)
@given(st.lists(ROW, min_size=1, max_size=4))
def test_rows_of_any_kind_end_well(rows: list[dict[str, Any]]) -> None:
    """Each row is a record or a rejection, in its order."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rows.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))

        for read in (read_votes, answers):
            found = read_well(path, read)
            assert found is None or len(found) == len(rows)


@settings(deadline=None)
@given(st.data())
def test_results_with_anything_in_them_end_well(data: st.DataObject) -> None:
    """Every tool has written null, NaN or a list where a number belongs."""
    with TemporaryDirectory() as folder:
        results = written(folder, "results_1.json", broken(RESULTS, data))
        run = Path(folder) / "run"
        run.mkdir()
        for name, document in (("run_spec.json", SPEC), ("stats.json", STATS)):
            is_broken = data.draw(st.booleans())
            written(str(run), name, broken(document, data) if is_broken else document)

        for path in (results, run):
            for one in read_well(path, read_runs) or ():
                assert all((cell.value is None) == (cell.missing is not None) for cell in one.cells)
