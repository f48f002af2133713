"""A published run is computed again from its preferences, whatever came in after it and by whichever way."""

from pathlib import Path

from sqlalchemy import select

from arena import rating_runs
from arena.importing import ImportFile, import_votes
from arena.rating_runs import requesting
from arena.store.boards import find_board
from arena.store.preferences import Source
from arena.store.tables import JudgeRow, ModelRow, RatingRunRow
from arena.terms import Order, Outcome
from arena.wiring import Wiring
from tests.arena.formats.files import write_jsonl
from tests.arena.rows import add_judgment, add_votes


def file_of(folder: Path, name: str, battles: range, **more: object) -> Path:
    winners = ("model_a", "model_b", "tie", "tie (bothbad)", "skip")
    rows: list[dict[str, object]] = [
        {
            "model_a": "ash",
            "model_b": "birch",
            "battle_id": f"b{n}",
            "winner": winners[n % (4 if more else 5)],
            "voter": f"v{n % 3}",
        }
        | more
        for n in battles
    ]
    return write_jsonl(folder / name, rows)


def take_in(wiring: Wiring, path: Path) -> None:
    with wiring.sessions.begin() as session:
        import_votes(session, ImportFile(path, "people"), rejections=path.parent)


def refit_all(wiring: Wiring) -> None:
    requesting.count_all(wiring)
    for source in sources(wiring):
        with wiring.sessions.begin() as session:
            rating_runs.request(session, source)
        assert rating_runs.refit(wiring, source) == 1


def sources(wiring: Wiring) -> list[Source]:
    with wiring.sessions() as session:
        board = find_board(session, "people")
        judges = session.scalars(select(JudgeRow.id)).all()
    return [Source(board.id, None), *(Source(board.id, judge) for judge in judges)]


def vote_and_judge(wiring: Wiring) -> None:
    """Votes of people and readings of the judge, in both orders, that nobody has counted yet."""
    with wiring.sessions.begin() as session:
        board = find_board(session, "people")
        ash, birch = session.scalars(select(ModelRow).order_by(ModelRow.name))
        judge = session.scalars(select(JudgeRow)).one()
        for outcome, n in ((Outcome.A, 7), (Outcome.B, 2), (Outcome.SKIP, 3)):
            add_votes(session, board, birch, ash, outcome=outcome, n=n)
        for order in Order:
            verdict: dict[Order, Outcome | None] = {order: Outcome.A}
            add_judgment(session, board, judge, ash, birch, outcomes=verdict)


def test_every_run_replays_after_imports_votes_and_judgments(
    wiring: Wiring, tmp_path: Path
) -> None:
    """Imports number what they bring by themselves; a watermark must mean the same for all of it."""
    take_in(wiring, file_of(tmp_path, "people.jsonl", range(40)))
    take_in(wiring, file_of(tmp_path, "judge.jsonl", range(30), judge="gavel"))
    refit_all(wiring)
    vote_and_judge(wiring)
    refit_all(wiring)
    vote_and_judge(wiring)
    take_in(wiring, file_of(tmp_path, "more.jsonl", range(20, 90)))
    take_in(wiring, file_of(tmp_path, "more-judge.jsonl", range(20, 90), judge="gavel"))
    refit_all(wiring)
    take_in(wiring, file_of(tmp_path, "last.jsonl", range(200)))

    with wiring.sessions() as session:
        runs = session.execute(
            select(RatingRunRow.id, RatingRunRow.preferences).order_by(RatingRunRow.id)
        ).all()
        found = [rating_runs.replay(session, run.id) for run in runs]

    assert [run.preferences for run in runs] == [32, 30, 41, 32, 90, 94]
    assert [each.agrees for each in found] == [True] * 6
