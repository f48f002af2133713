"""A file of votes goes in whole, once, and is counted."""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from arena.errors import ConflictError, FormatError, InputError
from arena.importing import ImportFile, ImportReport, import_votes
from arena.store.preferences import Source, count_new, read_counts, recount
from arena.store.tables import (
    BattleRow,
    BoardRow,
    EventRow,
    ImportBatchRow,
    JudgeRow,
    JudgmentRow,
    ModelAliasRow,
    ModelRow,
    PromptRow,
    VoteRow,
)
from arena.wiring import Wiring
from tests.arena.formats.files import VOTES, gzipped, write_jsonl
from tests.arena.rows import add_judge
from tests.processes import wait_until
from tests.shared import shared_file

B1 = {"model_a": "ash", "model_b": "birch", "battle_id": "b1"}


def taken_in(session: Session, path: Path, board: str = "people", **how: Any) -> ImportReport:
    return import_votes(
        session, ImportFile(path, board, **how), rejections=path.parent / "rejections"
    )


def rows_of(session: Session, row: type) -> int:
    return session.scalars(select(func.count()).select_from(row)).one()


def test_votes_models_battles_and_counts_appear_together(session: Session, tmp_path: Path) -> None:
    """What a fit reads is right the moment the import is there."""
    report = taken_in(session, write_jsonl(tmp_path / "votes.jsonl", list(VOTES)))

    assert (report.counts.read, report.counts.stored, report.counts.skipped) == (3, 3, 0)
    assert report.board_made
    assert report.models_made == ("ash", "birch", "cedar")
    [source] = report.sources
    counted = read_counts(session, source)
    assert sum(each.n for each in counted) == 3
    assert sorted(counted, key=str) == sorted(recount(session, source, 10**9), key=str)
    assert count_new(session) == set()


def test_the_same_battle_and_voter_count_once(session: Session, tmp_path: Path) -> None:
    """A row copied by mistake must not weigh twice, nor the file imported again."""
    rows = [B1 | {"voter": "v1", "winner": "model_a"}] * 3 + [
        B1 | {"voter": "v2", "winner": "model_b"}
    ]
    path = write_jsonl(tmp_path / "votes.jsonl", rows)

    first, second = taken_in(session, path), taken_in(session, path)

    assert (first.counts.stored, first.counts.skipped) == (2, 2)
    assert (second.counts.stored, second.counts.skipped) == (0, 4)
    assert rows_of(session, BattleRow) == 1
    assert second.contradictions == 0


def test_a_second_opinion_of_one_voter_is_reported(session: Session, tmp_path: Path) -> None:
    """The first stands; that the file says otherwise is said too."""
    rows = [B1 | {"voter": "v1", "winner": winner} for winner in ("model_a", "model_b")]

    report = taken_in(session, write_jsonl(tmp_path / "votes.jsonl", rows))

    assert (report.counts.stored, report.counts.skipped, report.contradictions) == (1, 1, 1)


def test_rows_without_keys_are_known_by_their_file(session: Session, tmp_path: Path) -> None:
    """Equal rows of one file are different votes; the same file packed anew is the same votes."""
    path = write_jsonl(tmp_path / "votes.jsonl", [VOTES[0]] * 3)

    first, again = taken_in(session, path), taken_in(session, gzipped(path))

    assert (first.counts.stored, again.counts.stored, again.counts.skipped) == (3, 0, 3)


def test_rejected_rows_are_all_written_down(session: Session, tmp_path: Path) -> None:
    """Twenty are shown, every one can be looked up, and none is guessed."""
    rows = [VOTES[0], *[VOTES[0] | {"winner": "draw"} for _ in range(30)]]

    report = taken_in(session, write_jsonl(tmp_path / "votes.jsonl", rows))

    assert (report.counts.stored, report.counts.rejected) == (1, 30)
    assert report.counts.reasons == {"unknown_winner": 30}
    assert [each.line for each in report.rejections] == list(range(2, 22))
    assert report.rejections_file is not None
    written = [json.loads(line) for line in report.rejections_file.read_text().splitlines()]
    assert written[-1] == {"line": 31, "reason": "unknown_winner", "found": "'draw'"}
    batch = session.get_one(ImportBatchRow, report.batch_id)
    session.refresh(batch)
    assert (batch.state, batch.rows_read, batch.rows_rejected) == ("published", 31, 30)


def test_what_the_file_says_of_a_vote_is_kept(session: Session, tmp_path: Path) -> None:
    """Seat, voter, prompt, time and language come along; the voter's own id does not."""
    row = B1 | {
        "winner": "model_b", "voter": "somebody", "prompt": "Why? ", "language": "de",
        "tstamp": "2024-04-24T23:06:40",
    }  # fmt: skip

    taken_in(session, write_jsonl(tmp_path / "votes.jsonl", [row]))

    vote = session.scalars(select(VoteRow)).one()
    assert (vote.outcome, vote.language, vote.cast_at_assumed) == ("b", "de", "tz_assumed")
    assert vote.cast_at.isoformat() == "2024-04-24T23:06:40+00:00"
    assert "somebody" not in vote.voter
    prompt = session.scalars(select(PromptRow)).one()
    battle = session.scalars(select(BattleRow)).one()
    assert (prompt.text, battle.prompt_id) == ("Why? ", prompt.id)
    assert session.get_one(ModelRow, battle.model_a_id).name == "ash"


def test_an_alias_leads_to_its_model_and_never_to_itself(session: Session, tmp_path: Path) -> None:
    """Names are joined because somebody checked, and a model does not battle itself."""
    ash = ModelRow(name="ash")
    session.add(ash)
    session.flush()
    session.add(ModelAliasRow(model_id=ash.id, alias="togx/ash", reviewed_by="tester"))
    session.flush()
    rows = [VOTES[0] | {"model_a": "togx/ash"}, VOTES[0] | {"model_b": "togx/ash"}]

    report = taken_in(session, write_jsonl(tmp_path / "votes.jsonl", rows))

    assert (report.counts.stored, report.counts.reasons) == (1, {"self_battle": 1})
    assert report.models_made == ("birch",)
    assert session.scalars(select(BattleRow.model_a_id)).one() == ash.id


def test_a_named_judge_gives_judgments(session: Session, tmp_path: Path) -> None:
    """A model's verdicts are never counted as people's."""
    path = write_jsonl(tmp_path / "votes.jsonl", list(VOTES))

    report, again = (taken_in(session, path, judge="gpt-4") for _ in range(2))

    judge = session.scalars(select(JudgeRow)).one()
    assert report.sources == {Source(session.scalars(select(BoardRow.id)).one(), judge.id)}
    assert (report.counts.stored, again.counts.stored) == (3, 0)
    assert rows_of(session, VoteRow) == 0
    assert {(row.order, row.status) for row in session.scalars(select(JudgmentRow))} == {
        ("straight", "ok")
    }


def test_verdicts_of_a_file_do_not_join_a_judge_of_ours(session: Session, tmp_path: Path) -> None:
    """A judge is its template and decoder too, and a file that names neither cannot speak for it."""
    add_judge(session, "gavel")
    path = write_jsonl(tmp_path / "votes.jsonl", [B1 | {"winner": "model_a"}])

    with pytest.raises(ConflictError, match="'gavel' is a judge here"):
        taken_in(session, path, judge="gavel")


def test_people_and_judges_of_one_file_stay_apart(session: Session, tmp_path: Path) -> None:
    """A `judge` column says whose each row is."""
    rows = [
        B1 | {"winner": "model_a", "voter": "v1"},
        B1 | {"winner": "model_a", "judge": "gpt-4"},
        B1 | {"winner": "skip", "judge": "gpt-4"},
    ]

    report = taken_in(session, write_jsonl(tmp_path / "votes.jsonl", rows))

    assert (
        rows_of(session, VoteRow),
        rows_of(session, JudgmentRow),
        rows_of(session, BattleRow),
    ) == (1, 1, 1)
    assert report.counts.reasons == {"skip_by_judge": 1}
    assert len(report.sources) == 2


def test_verdicts_without_a_judge_are_refused(session: Session) -> None:
    """The judges' files of llmfao name no worker; taking them for people would be a lie."""
    path = shared_file("data", "preferences", "llmfao", "gpt4-crowd-comparisons.csv")

    with pytest.raises(FormatError, match="--judge NAME"):
        taken_in(session, path)


def test_a_board_that_cannot_have_its_name_is_refused(session: Session, tmp_path: Path) -> None:
    """The name stands in an address."""
    with pytest.raises(InputError, match="small letters"):
        taken_in(session, write_jsonl(tmp_path / "votes.jsonl", list(VOTES)), board="My Board")


def test_the_event_says_that_the_board_was_made(session: Session, tmp_path: Path) -> None:
    """Who did what to the registry is written down."""
    taken_in(session, write_jsonl(tmp_path / "votes.jsonl", list(VOTES)), board="new")

    event = session.scalars(select(EventRow)).one()
    assert (event.actor, event.action, event.subject) == ("import", "board.create", "new")


def test_crowd_and_judge_of_llmfao_meet_in_the_same_battles(session: Session) -> None:
    """Agreement between people and a judge is read off battles that both saw."""
    folder = shared_file("data", "preferences", "llmfao")

    people = taken_in(session, folder / "crowd-comparisons.csv")
    judge = taken_in(session, folder / "gpt4-crowd-comparisons.csv", judge="GPT-4")

    assert (people.counts.stored, judge.counts.stored) == (8931, 2139)
    assert rows_of(session, BattleRow) == 2139
    assert rows_of(session, ModelRow) == 59
    assert session.scalars(select(func.count(func.distinct(VoteRow.voter)))).one() == 124


def test_an_import_that_is_killed_leaves_nothing_and_can_be_repeated(
    wiring: Wiring, tmp_path: Path
) -> None:
    """A machine that dies in the middle must not leave half a board."""
    path = write_jsonl(tmp_path / "votes.jsonl", [VOTES[0]] * 400_000)
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.arena.importing.slow_import", wiring.libpq_url, str(path)],
        cwd=Path(__file__).parents[3],
    )
    wait_until(lambda: staging_begun(wiring), what="the staging table")
    os.kill(child.pid, signal.SIGKILL)
    child.wait()

    with wiring.sessions() as session:
        assert [
            rows_of(session, row) for row in (VoteRow, BattleRow, BoardRow, ImportBatchRow)
        ] == [0] * 4
    few = write_jsonl(tmp_path / "few.jsonl", list(VOTES))
    with wiring.sessions.begin() as session:
        assert taken_in(session, few).counts.stored == 3


def staging_begun(wiring: Wiring) -> bool:
    time.sleep(0.05)
    with wiring.engine.connect() as connection:
        found = connection.scalar(
            text("SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'COPY staged_vote%'")
        )
    return bool(found)


def test_two_imports_may_make_one_board(wiring: Wiring, tmp_path: Path) -> None:
    """Started side by side, the second waits for the first and joins its board."""
    files = [
        write_jsonl(tmp_path / f"{n}.jsonl", [B1 | {"voter": f"v{n}", "winner": "tie"}])
        for n in range(2)
    ]

    def second() -> ImportReport:
        with wiring.sessions.begin() as session:
            return taken_in(session, files[1])

    with ThreadPoolExecutor(1) as pool:
        with wiring.sessions.begin() as session:
            first = taken_in(session, files[0])
            later = pool.submit(second)
            wait_until(lambda: is_anybody_blocked(wiring))
        report = later.result(timeout=20)

    assert (first.board_made, report.board_made) == (True, False)
    with wiring.sessions() as session:
        assert rows_of(session, VoteRow) == 2


def is_anybody_blocked(wiring: Wiring) -> bool:
    """Return whether some statement waits for another's transaction."""
    blocked = text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
    with wiring.sessions() as session:
        return session.scalars(blocked).one() > 0
