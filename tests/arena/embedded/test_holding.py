"""A home has one holder, who can be found."""

import os
from pathlib import Path

import pytest

from arena.embedded.holding import held, is_held, new_state, read_state, write_state
from arena.errors import ConflictError
from tests.arena.embedded.processes import started_by

HOLDER = """
import os, sys, time
from pathlib import Path
from arena.embedded.holding import held, new_state, write_state
home = Path(sys.argv[1])
with held(home):
    write_state(home, new_state("http://127.0.0.1:8123"))
    print(os.getpid(), flush=True)
    time.sleep(60)
"""


def test_a_second_holder_is_told_who_the_first_is(tmp_path: Path) -> None:
    """Two servers on one cluster would ruin it; the operator needs the first one's address, or its process."""
    with started_by(HOLDER, tmp_path) as (_, pid):
        with pytest.raises(ConflictError) as caught, held(tmp_path):
            pass

        assert is_held(tmp_path)
    assert f"process {pid}" in str(caught.value)
    assert "http://127.0.0.1:8123" in str(caught.value)


def test_a_holder_that_was_killed_holds_nothing(tmp_path: Path) -> None:
    """No lock file has to be removed by hand after a crash."""
    with started_by(HOLDER, tmp_path) as (holder, _):
        holder.kill()
        holder.wait()

        assert not is_held(tmp_path)
        with held(tmp_path):
            assert is_held(tmp_path)


def test_what_runs_is_written_while_it_runs(tmp_path: Path) -> None:
    """`arena status` reads it, and finds nothing once all has ended."""
    with held(tmp_path):
        write_state(tmp_path, new_state("http://127.0.0.1:8123"))
        assert read_state(tmp_path).pid == os.getpid()

    assert read_state(tmp_path) is None


@pytest.mark.parametrize("written", ["", "{", "[]", '{"unknown": 1}'])
def test_a_state_that_makes_no_sense_is_none(tmp_path: Path, written: str) -> None:
    """Another version may have written it."""
    (tmp_path / "state.json").write_text(written)

    assert read_state(tmp_path) is None
