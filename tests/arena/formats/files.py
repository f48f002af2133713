"""Files for tests, written as the public ones are."""

import gzip
import json
from pathlib import Path

import pyarrow
import pyarrow.parquet
import zstandard

VOTES = [
    {"model_a": "ash", "model_b": "birch", "winner": "model_a"},
    {"model_a": "birch", "model_b": "cedar", "winner": "tie"},
    {"model_a": "cedar", "model_b": "ash", "winner": "both_bad"},
]


def write_jsonl(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def write_parquet(path: Path, rows: list[dict[str, object]]) -> Path:
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    return path


def gzipped(path: Path) -> Path:
    packed = path.with_name(f"{path.name}.gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    return packed


def zstandarded(path: Path) -> Path:
    packed = path.with_name(f"{path.name}.zst")
    packed.write_bytes(zstandard.compress(path.read_bytes()))
    return packed
