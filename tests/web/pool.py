"""A board that one can vote on, and whoever votes on it."""

import re

import httpx
from sqlalchemy import func, select

from arena.store.tables import VoteRow
from arena.wiring import Wiring
from tests.arena.rows import add_board, add_models, add_pool
from tests.web.site import Visitor

# Names that no page uses for anything else: finding one is finding a leak.
NAMES = ("quokka-9b-chat", "zanzibar-large")
ORGANIZATION = "Wombatworks"


def add_votable(wiring: Wiring, *, prompts: int = 3, name: str = "people") -> None:
    """A board of two models that answered some prompts."""
    with wiring.sessions.begin() as session:
        models = add_models(session, *NAMES)
        for model in models.values():
            model.organization = ORGANIZATION
        add_pool(session, add_board(session, name), models, prompts=prompts)


def begin(visitor: Visitor, board: str = "people") -> httpx.Response:
    """Go to a new battle by the forms."""
    return visitor.submit(visitor.get(f"/vote?board={board}"), "/battles")


def cast(visitor: Visitor, battle: httpx.Response, outcome: str = "a") -> httpx.Response:
    """Vote by the form."""
    return visitor.submit(battle, r"/battles/[^/]+/vote", outcome=outcome)


def show_names(visitor: Visitor, voted: httpx.Response) -> httpx.Response:
    """Ask for the names by the form."""
    return visitor.submit(voted, r"/battles/[^/]+/reveal")


def id_of(battle: httpx.Response) -> str:
    """The id in a battle's address."""
    found = re.search(r"/battles/([A-Za-z0-9_-]+)", battle.url.path)
    assert found, f"no battle at {battle.url}"
    return found[1]


def stored_votes(wiring: Wiring) -> int:
    """How many votes the database holds."""
    with wiring.sessions() as session:
        return session.scalar(select(func.count()).select_from(VoteRow)) or 0
