"""One or two sentences on two models: the difference, both intervals, the verdict, the votes still needed."""

from typing import assert_never

from arena.leaderboard.comparison_views import Span, Weighed
from ranking import Decision

MOST_SAID = 10_000_000
SIGNIFICANT = 2


def find_comparison(names: tuple[str, str], found: Weighed, margin: float) -> str:
    """Return what a source says of two models, seen from the first."""
    watched = "none yet" if found.watched is None else said(found.watched)
    return (
        f"{names[0]} against {names[1]}: {signed(found.points)} points; {said(found.once)} for one look, "
        f"{watched} for watching ({100 * found.level:g} %). {find_decision(names, found, margin)}"
    )


def find_decision(names: tuple[str, str], found: Weighed, margin: float) -> str:
    """Return the verdict in words."""
    leader = names[0] if found.points > 0 else names[1]
    match found.decision:
        case Decision.SEPARATED:
            return f"Separated: {leader} stands above."
        case Decision.PRACTICALLY_EQUAL:
            return f"Practically equal: within {margin:g} points either way."
        case Decision.OPEN:
            return find_open(found, margin)
        case _:
            assert_never(found.decision)


def find_open(found: Weighed, margin: float) -> str:
    """Return how many more votes it takes, or that none are enough."""
    if found.further_of_pair is None or found.further_of_board is None:
        return (
            "Open: no number of votes separates equal models. Give a margin within which they are."
        )
    lacking = f"neither separated nor within {margin:g} points" if margin else "not separated"
    return (
        f"Open: {lacking}. If the difference stays, "
        f"{about(found.further_of_pair)} more votes between the two decide it, or "
        f"{about(found.further_of_board)} more on the board as they come now."
    )


def said(span: Span) -> str:
    """Return an interval in whole points."""
    return f"{signed(span.lower)} to {signed(span.upper)}"


def signed(points: float) -> str:
    """Return whole points with their sign, none at zero."""
    whole = round(points)
    return f"{whole:+,}" if whole else "0"


def about(votes: int) -> str:
    """Return a number of votes as exactly as it is known: two digits."""
    if votes > MOST_SAID:
        return f"more than {MOST_SAID:,}"
    return f"about {round(votes, SIGNIFICANT - len(str(votes))):,}"
