"""Connections to Postgres. One driver, one dialect; a transaction is a `with` block in the caller."""

from sqlalchemy import Engine, create_engine, text
from sqlalchemy.engine import make_url
from sqlalchemy.orm import Session, sessionmaker

CONNECT_SECONDS = 5
STATEMENT_MILLISECONDS = 120_000


def driver_url(url: str) -> str:
    """Return the URL with our driver named, whichever way the operator wrote it."""
    parsed = make_url(url)
    if parsed.drivername in {"postgres", "postgresql"}:
        parsed = parsed.set(drivername="postgresql+psycopg")
    return parsed.render_as_string(hide_password=False)


def libpq_url(url: str) -> str:
    """Return the URL as psycopg and the Postgres tools read it, without a driver."""
    parsed = make_url(driver_url(url)).set(drivername="postgresql")
    address, mark, query = parsed.render_as_string(hide_password=False).partition("?")
    # libpq takes a plus for a plus: a home with a space in its name would not be found.
    return address + mark + query.replace("+", "%20")


def open_engine(url: str, *, application: str = "arena", pool_size: int = 10) -> Engine:
    """Return an engine whose connections give up instead of hanging."""
    return create_engine(
        driver_url(url),
        pool_size=pool_size,
        max_overflow=pool_size,
        pool_timeout=CONNECT_SECONDS,
        pool_pre_ping=True,
        hide_parameters=True,  # they are prompts and answers, and an error's message reaches the log
        connect_args={
            "connect_timeout": CONNECT_SECONDS,
            "application_name": application,
            "options": f"-c statement_timeout={STATEMENT_MILLISECONDS} -c timezone=UTC",
        },
    )


def allow_any_time(session: Session) -> None:
    """Let the statements of a transaction take as long as what they read is large."""
    session.execute(text("SET LOCAL statement_timeout = 0"))


def open_sessions(engine: Engine) -> sessionmaker[Session]:
    """Return the maker of sessions; what is read stays readable after its transaction ended."""
    return sessionmaker(engine, expire_on_commit=False)
