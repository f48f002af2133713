"""The command `arena`. Each file here adds the commands of one thing people do."""

import gc
import sys
from io import TextIOWrapper

import typer
from psycopg.errors import UndefinedColumn, UndefinedTable
from pydantic import ValidationError
from sqlalchemy.exc import OperationalError, ProgrammingError

from arena.cli import boards, imports, models, rank, up
from arena.errors import ArenaError

app = typer.Typer(
    name="arena",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Blinded pairwise votes and judge verdicts, rated with honest intervals, beside HELM-style cells.",
)
for module in (up, boards, models, imports, rank):
    module.register(app)


def main() -> None:
    """Run a command: exit 0 fine, 1 failed with one clear line, 2 wrong usage."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # the name of a file may be any bytes
    gc.freeze()  # what is imported stays; looking through it once more at the end takes a second
    try:
        app()
    except ArenaError as error:
        sys.exit(_say(error.message))
    except ValidationError as error:
        sys.exit(_say(_settings_message(error)))
    except ProgrammingError as error:
        if not isinstance(error.orig, UndefinedTable | UndefinedColumn):
            raise
        sys.exit(_say("The database lacks tables that this version needs: run `arena db upgrade`."))
    except OperationalError as error:
        sys.exit(_say(f"Postgres does not answer: {_first_line(error)} Is `arena up` running?"))


def _say(message: str) -> int:
    print(f"error: {message}", file=sys.stderr)
    return 1


def _first_line(error: OperationalError) -> str:
    return str(error.orig).strip().splitlines()[0].rstrip(".") + "."


def _settings_message(error: ValidationError) -> str:
    found = [
        f"ARENA_{'_'.join(str(part) for part in each['loc']).upper()}: {each['msg']}"
        for each in error.errors()
    ]
    return "The settings are wrong. " + "; ".join(found)
