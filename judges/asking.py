"""How a judge is asked: requests go in, replies come out as they are ready."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from judges.record import Order


@dataclass(frozen=True)
class Request:
    """Two answers to one prompt, in the order in which the judge is to read them."""

    item: str
    order: Order
    prompt: str
    first: str
    second: str


@dataclass(frozen=True)
class Reply:
    """What came back, word for word."""

    request: Request
    text: str


class Asker(Protocol):
    """Somebody who can put requests to a judge."""

    def ask(self, requests: Sequence[Request]) -> Iterator[Reply]:
        """Yield one reply a request, in whatever order they come. Nothing is asked twice."""
        ...


def both_orders(item: str, *, prompt: str, a: str, b: str) -> tuple[Request, Request]:
    """Return the two requests that one battle needs: as it stands, and swapped."""
    return (
        Request(item, Order.STRAIGHT, prompt, first=a, second=b),
        Request(item, Order.SWAPPED, prompt, first=b, second=a),
    )
