"""A board with everything that a page must tell apart: rated and unrated models, a judge, cells and absences of every kind."""

import re
from html import unescape

from sqlalchemy import select

from arena.store.boards import find_board
from arena.store.leaderboard import newest_run
from arena.store.preferences import Source
from arena.store.tables import ModelRow, RatingRow, RatingRunRow, RatingViewRow
from arena.terms import Missing, Order, Outcome
from arena.wiring import Wiring
from tests.arena.leaderboard.rated import add_run, add_scenario, publish
from tests.arena.rows import add_board, add_judge, add_judgment, add_models, add_pool, add_votes

JUDGE = "strict"
REASONS = {kind: f"reason of a cell that is {kind}" for kind in Missing}
BEATS = (("ash", "birch", 30, 10), ("birch", "cedar", 30, 10), ("ash", "cedar", 35, 5))


def add_rated(wiring: Wiring, name: str = "people", **fields: object) -> None:
    """ash beats birch beats cedar; dawn only wins; elm has no votes; a judge sees it the other way round."""
    with wiring.sessions.begin() as session:
        board = add_board(session, name, **fields)
        models = add_models(session, "ash", "birch", "cedar", "dawn", "elm")
        models["ash"].organization = "Trees & Sons"
        for winner, loser, wins, losses in BEATS:
            pair = models[winner], models[loser]
            add_votes(session, board, *pair, outcome=Outcome.A, n=wins)
            add_votes(session, board, *pair, outcome=Outcome.B, n=losses)
        add_votes(session, board, models["dawn"], models["ash"], outcome=Outcome.A, n=5)
        add_pool(session, board, models, prompts=2)
        judge = add_judge(session, JUDGE)
        for winner, loser, wins, losses in BEATS:
            for number in range(wins + losses):
                said = Outcome.B if number < wins else Outcome.A
                both = dict.fromkeys(Order, said)
                add_judgment(session, board, judge, models[winner], models[loser], outcomes=both)
    publish(wiring, name)
    publish(wiring, name, JUDGE)


def add_cells(wiring: Wiring) -> None:
    """Two scenarios: one with values of two runs that differ, one with a cell of each kind of missing."""
    with wiring.sessions.begin() as session:
        models = {
            row.name: row for row in session.scalars(select(ModelRow).order_by(ModelRow.name))
        }
        arithmetic = add_scenario(session, "arithmetic")
        add_run(
            session, arithmetic, models["ash"], {"value": 0.75, "lower": 0.6, "upper": 0.9, "n": 40}
        )
        add_run(session, arithmetic, models["birch"], {"value": 0.5})
        add_run(session, arithmetic, models["cedar"], {"value": 0.25, "n": 40})
        add_run(session, arithmetic, models["cedar"], {"value": 0.39, "n": 20})
        facts = add_scenario(session, "facts")
        for model, kind in zip(models.values(), Missing, strict=True):
            add_run(
                session, facts, model, {"value": None, "missing": kind, "reason": REASONS[kind]}
            )


def newest_of(wiring: Wiring) -> RatingRunRow:
    """The newest published run of people's votes."""
    with wiring.sessions() as session:
        run = newest_run(session, Source(find_board(session, "people").id, None))
    assert run is not None
    return run


def add_reading(wiring: Wiring, name: str, run_id: int, *, shift: float) -> None:
    """Another reading of a run: every rated model so many points higher, the others as they are."""
    kept = ("model_id", "strength", "rank", "rank_low", "rank_high", "battles", "status", "reason")
    with wiring.sessions.begin() as session:
        for row in session.scalars(select(RatingRow).where(RatingRow.rating_run_id == run_id)):
            ends = {
                end: None if (known := getattr(row, end)) is None else known + shift
                for end in ("lower", "rating", "upper")
            }
            same = {column: getattr(row, column) for column in kept}
            session.add(RatingViewRow(rating_run_id=run_id, view=name, **same, **ends))


def rows_of(page: str) -> list[str]:
    """The text of each row in the bodies of a page's tables."""
    bodies = "".join(re.findall(r"<tbody.*?</tbody>", page, re.DOTALL))
    return [text_of(row) for row in re.findall(r"<tr.*?</tr>", bodies, re.DOTALL)]


def model_in(row: str) -> str | None:
    """The model whose rank and name a row begins with."""
    found = re.match(r"[\d–]+ (?:\(last of class \d+\) )?(\w+)", row)
    return found and found[1]


def text_of(markup: str) -> str:
    """The text of some markup on one line."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", markup)).split())
