"""Requests for tests: many battles between a better and a worse answer."""

from judges import Request, both_orders

GOOD, BAD = "a good answer", "a bad answer"


def battle_requests(n: int) -> list[Request]:
    """n battles, each in both orders, the good answer in slot A."""
    return [
        request
        for number in range(n)
        for request in both_orders(f"battle {number}", prompt="Which?", a=GOOD, b=BAD)
    ]
