"""Whether the site says truly how it is."""

from dataclasses import replace
from pathlib import Path

from sqlalchemy import text

from arena.store.engine import open_engine, open_sessions
from arena.wiring import Wiring
from tests.web.site import Visitor, served


def test_a_migrated_site_is_live_and_ready(visitor: Visitor) -> None:
    """`arena up` announces the site once this answers."""
    assert visitor.get("/healthz").json() == {"status": "ok"}
    assert visitor.get("/readyz").json() == {"status": "ok"}


def test_without_postgres_the_site_is_live_but_not_ready(wiring: Wiring, tmp_path: Path) -> None:
    """A balancer must stop sending visitors, and nobody must restart a process that is well."""
    away = open_engine(f"postgresql://arena@/arena?host={tmp_path}")
    parts = replace(wiring, engine=away, sessions=open_sessions(away))

    with served(parts) as base, Visitor(base) as visitor:
        live, ready = visitor.get("/healthz"), visitor.get("/readyz")

    assert live.status_code == 200
    assert ready.status_code == 503
    assert str(tmp_path) not in ready.text


def test_a_database_behind_the_code_is_not_ready(wiring: Wiring, visitor: Visitor) -> None:
    """Pages that read a column which is not there yet would all fail."""
    with wiring.sessions.begin() as session:
        session.execute(text("UPDATE alembic_version SET version_num = 'an older one'"))

    answer = visitor.get("/readyz")

    assert answer.status_code == 503
    assert "arena db upgrade" in answer.json()["detail"]


def test_answers_are_counted_by_pattern_and_not_by_address(visitor: Visitor) -> None:
    """A label for each battle would fill the memory of whoever collects them, and tell who was here."""
    visitor.get("/battles/an-id-of-somebody")
    visitor.head("/healthz")

    counts = visitor.get("/metrics").text

    assert 'method="HEAD",route="/healthz",status="200"' in counts
    assert "an-id-of-somebody" not in counts
