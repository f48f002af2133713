"""What a browser or a program may send: names cleaned at the border, unknown fields refused."""

from typing import Annotated

from fastapi.exceptions import RequestValidationError
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from arena.hygiene import clean_text, match_key, shorten
from arena.terms import Outcome

LONGEST_NAME = 200
LONGEST_KEY = 200
LONGEST_LIST = 5

# The name of a board, a model or a battle in an address: whatever it is, Postgres can look it up.
Name = Annotated[str, AfterValidator(match_key)]
Key = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_KEY, pattern=r"^[!-~]+$")]
Token = Annotated[str, StringConstraints(max_length=LONGEST_KEY)]


class Form(BaseModel):
    """A form of ours: a field that it does not have is refused, so that nothing is taken for what it is not."""

    model_config = ConfigDict(extra="forbid")


class PlainForm(Form):
    """A form with nothing to fill in."""

    csrf: Token


class DrawForm(Form):
    """Ask for a battle."""

    csrf: Token
    board: Annotated[str, Field(max_length=LONGEST_NAME), AfterValidator(match_key)]


class VoteForm(Form):
    """Say which answer is better."""

    csrf: Token
    idempotency_key: Key
    outcome: Outcome


class DrawCall(Form):
    """Ask for a battle, as a program."""

    board: Annotated[str, Field(max_length=LONGEST_NAME), AfterValidator(match_key)]


class VoteCall(Form):
    """Say which answer is better, as a program; the key comes in the header `Idempotency-Key`."""

    outcome: Outcome


def describe(error: RequestValidationError) -> str:
    """Return which fields were wrong and why. What came in them is never sent back."""
    found = [f"{_place(each['loc'])}: {each['msg']}" for each in error.errors()]
    rest = f" And {len(found) - LONGEST_LIST} more." if len(found) > LONGEST_LIST else ""
    return f"{'; '.join(found[:LONGEST_LIST])}.{rest}"


def _place(location: tuple[str | int, ...]) -> str:
    """Return where a field is, in words: its name may be anything that somebody sent."""
    parts = [clean_text(str(part)) for part in location[1:]] or ["the request"]
    return shorten(".".join(parts)).strip("'\"")
