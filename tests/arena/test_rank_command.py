"""`arena rank`: files of votes in, a table out, with no service and no store."""

import csv
import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from numpy.testing import assert_allclose
from pyarrow import parquet
from typer.testing import CliRunner, Result

from arena.cli import app
from arena.errors import InputError, UnknownModelError
from tests.shared import shared_file

Row = tuple[str, str, str]
CHAIN: list[Row] = [
    *[("ash", "birch", "model_a")] * 30,
    *[("ash", "birch", "model_b")] * 10,
    *[("cedar", "birch", "model_b")] * 30,
    *[("cedar", "birch", "model_a")] * 10,
]
COLUMNS = ("model_a", "model_b", "winner")


def rank(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["rank", *(str(argument) for argument in arguments)])


def document(*arguments: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(rank(*arguments, "--json", "--rounds", 200).stdout)
    return found


def write_csv(path: Path, rows: list[Row]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([COLUMNS, *rows])
    return path


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    return write_csv(tmp_path / "chain.csv", CHAIN)


def test_the_document_has_every_field_and_null_for_what_was_not_fitted(chain: Path) -> None:
    """Programs read it; the fields that later fits fill are there already."""
    found = document(chain, "--seed", 4)

    assert {"models", "groups", "excluded", "warnings", "method"} < set(found)
    assert [found[name] for name in ("tie_parameter", "position", "style")] == [None, None, None]
    assert [row["model"] for row in found["models"]] == ["ash", "birch", "cedar"]
    assert_allclose([row["rating"] for row in found["models"]], [1190.85, 1000, 809.15], atol=0.005)
    assert found["method"]["seed"] == 4
    assert found["method"]["gradient_norm"] < 1e-9


def test_twice_the_same_command_prints_the_same_bytes(chain: Path) -> None:
    """The seed is part of the method; there is no other randomness."""
    once, again = rank(chain, "--json"), rank(chain, "--json")

    assert once.exit_code == 0
    assert once.stdout == again.stdout


def test_every_kind_of_file_gives_the_same_ratings(chain: Path, tmp_path: Path) -> None:
    """The votes count, not their packing."""
    packed = tmp_path / "chain.csv.gz"
    packed.write_bytes(gzip.compress(chain.read_bytes()))
    lines = tmp_path / "chain.jsonl"
    lines.write_text(
        "".join(json.dumps(dict(zip(COLUMNS, row, strict=True))) + "\n" for row in CHAIN)
    )
    columns = tmp_path / "chain.parquet"
    parquet.write_table(
        pa.table(dict(zip(COLUMNS, zip(*CHAIN, strict=True), strict=True))), columns
    )

    plain = document(chain)

    for path in (packed, lines, columns):
        assert document(path) == plain


def test_several_files_are_one_board(tmp_path: Path) -> None:
    """Months of votes come as files of months."""
    first = write_csv(tmp_path / "one.csv", CHAIN[:40])
    second = write_csv(tmp_path / "two.csv", CHAIN[40:])
    whole = write_csv(tmp_path / "whole.csv", CHAIN)

    assert document(first, second) == document(whole)


def test_rows_that_cannot_be_read_are_counted_and_named(tmp_path: Path) -> None:
    """An unknown winner is no tie, and a model does not meet itself."""
    rows = [*CHAIN, ("ash", "birch", "draw?"), ("ash", "ash", "tie")]

    found = document(write_csv(tmp_path / "votes.csv", rows))

    assert found["excluded"] == {"self_battle": 1, "unknown_winner": 1}
    assert any("line 82" in text and "draw?" in text for text in found["warnings"])
    assert sum(row["ties"] for row in found["models"]) == 0


def test_both_bad_is_left_out_if_asked(tmp_path: Path) -> None:
    """Shown among what was excluded, and still in the record of each model."""
    path = write_csv(tmp_path / "votes.csv", [*CHAIN, ("ash", "birch", "tie (bothbad)")])

    found = document(path, "--both-bad", "exclude")

    assert found["excluded"] == {"both_bad": 1}
    assert found["models"][0]["both_bad"] == 1


@pytest.mark.parametrize("interval", ["sandwich", "bootstrap"])
def test_an_anchor_is_named_and_exact(chain: Path, interval: str) -> None:
    """A shift of the scale, whichever the interval."""
    found = document(chain, "--anchor", "birch=1114", "--interval", interval)

    assert found["method"]["anchor"] == {"model": "birch", "points": 1114.0}
    assert found["models"][1]["rating"] == 1114.0


def test_the_table_says_rank_range_interval_and_reason(tmp_path: Path) -> None:
    """What a person reads: no number for an unbeaten model, and why."""
    path = write_csv(tmp_path / "votes.csv", [*CHAIN, ("oak", "ash", "model_a")])

    shown = " ".join(rank(path, "--rounds", 100).stdout.split())

    assert "1 to 4" in shown
    assert "unbounded" in shown
    assert "sha256:" in shown


@pytest.mark.parametrize(
    "arguments",
    [
        ("--cluster", "language"),
        ("--style", "size"),
        ("--style", "length,length"),
        ("--style", ""),
        ("--ties", "elo"),
        ("--since", "yesterday"),
        ("--interval", "none"),
        ("--level", "95"),
        ("--level", "nan"),
        ("--rounds", "0"),
        ("--anchor", "birch"),
        ("--anchor", "birch=nan"),
        ("--anchor", "=1000"),
    ],
)
def test_what_makes_no_sense_is_wrong_usage(chain: Path, arguments: tuple[str, ...]) -> None:
    """Exit 2, and not a table that silently ignored the wish."""
    assert rank(chain, *arguments).exit_code == 2


def test_help_names_what_is_built() -> None:
    """An option that nobody finds is none."""
    shown = rank("--help").stdout

    for name in ("--cluster", "--position", "--style", "--category", "--contrast", "davidson"):
        assert name in shown


def test_an_anchor_that_no_vote_names_is_an_error(chain: Path) -> None:
    """A typing mistake must not silently leave the scale where it was."""
    assert isinstance(rank(chain, "--anchor", "brich=1000").exception, UnknownModelError)


def test_a_file_without_a_readable_vote_is_an_error(tmp_path: Path) -> None:
    """An empty table would look like an answer."""
    path = write_csv(tmp_path / "votes.csv", [("ash", "birch", "maybe")])

    failed = rank(path).exception

    assert isinstance(failed, InputError)
    assert "unknown_winner 1" in failed.message


def test_the_llmfao_board_comes_out_of_its_file() -> None:
    """8931 votes of people over 59 models: the published first and last, from the published file."""
    found = document(shared_file("data", "preferences", "llmfao", "crowd-comparisons.csv"))

    published = shared_file("data", "preferences", "llmfao", "published_leaderboard.csv")
    with published.open(newline="", encoding="utf-8") as file:
        ranks = {
            row["model"]: int(row["rank"])
            for row in csv.DictReader(file)
            if row["judge"] == "crowd"
        }
    assert {row["model"]: row["rank"] for row in found["models"]} == ranks
    assert sum(row["battles"] for row in found["models"]) == 2 * 8931
