"""A file is opened for what it is, and a bomb is not opened far."""

import gzip
import io
import resource
import zipfile
from pathlib import Path

import pytest

from arena.errors import FormatError
from arena.formats.opening import content_digest
from arena.formats.votes import read_votes
from tests.arena.formats.files import VOTES, gzipped, write_jsonl, write_parquet, zstandarded


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    return write_jsonl(tmp_path / "votes.jsonl", list(VOTES))


def test_packed_files_read_as_plain_ones(plain: Path, tmp_path: Path) -> None:
    """Public dumps come as .gz and .zst; Parquet among them."""
    parquet = write_parquet(tmp_path / "votes.parquet", list(VOTES))
    expected = [(vote.model_a, vote.outcome) for vote in read_votes(plain)]

    for path in (
        gzipped(plain),
        zstandarded(plain),
        parquet,
        gzipped(parquet),
        zstandarded(parquet),
    ):
        assert [(vote.model_a, vote.outcome) for vote in read_votes(path)] == expected


def test_the_digest_is_of_the_content(plain: Path) -> None:
    """The same votes, packed anew, are the same votes."""
    assert (
        content_digest(gzipped(plain))
        == content_digest(plain)
        == content_digest(zstandarded(plain))
    )


def test_a_file_packed_twice_is_refused(plain: Path) -> None:
    """Guessing how often to unpack is how bombs get in."""
    with pytest.raises(FormatError, match="compressed twice"):
        list(read_votes(gzipped(gzipped(plain))))


def test_an_empty_file_is_said_to_be_empty(tmp_path: Path) -> None:
    """No rows is an answer, but not a silent one."""
    packed = tmp_path / "empty.gz"
    packed.write_bytes(gzip.compress(b""))

    with pytest.raises(FormatError, match="empty"):
        list(read_votes(packed))


def test_a_damaged_file_is_said_to_be_damaged(plain: Path) -> None:
    """Half a download must not import half its votes as if it were whole."""
    packed = gzipped(plain)
    packed.write_bytes(packed.read_bytes()[:-12])

    with pytest.raises(FormatError, match="damaged"):
        list(read_votes(packed))


def test_a_zip_is_refused_unopened(tmp_path: Path) -> None:
    """Many entries and paths that climb out are never looked at."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("../../etc/x", "model_a,model_b,winner\n")
    path = tmp_path / "votes.zip"
    path.write_bytes(packed.getvalue())

    with pytest.raises(FormatError, match="zip archive"):
        list(read_votes(path))


def test_a_bomb_is_stopped_early(tmp_path: Path) -> None:
    """Ten megabytes that grow to ten thousand must cost neither memory nor minutes."""
    path = tmp_path / "bomb.jsonl.gz"
    with gzip.open(path, "wb", compresslevel=9) as file:
        for _ in range(100):
            file.write(b"\n" * 1024**2)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    with pytest.raises(FormatError, match="expands more than 100 times"):
        list(read_votes(path))

    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000


def test_the_limit_holds_for_plain_files(plain: Path) -> None:
    """An operator's limit is a limit."""
    with pytest.raises(FormatError, match="ARENA_IMPORT_LIMIT_BYTES"):
        list(read_votes(plain, limit_bytes=10))


def test_an_absent_file_is_named(tmp_path: Path) -> None:
    """A typo in a path is the commonest mistake."""
    with pytest.raises(FormatError, match="cannot be opened"):
        list(read_votes(tmp_path / "nothing.csv"))
