"""The chart of a rating over time."""

import re

from web.charts import Span
from web.history import Step, history


def test_the_chart_says_in_words_how_the_interval_went() -> None:
    """Whoever does not see the band must learn what it shows."""
    steps = [Step(100, Span(900, 1000, 1100)), Step(400, Span(950, 1000, 1050))]

    drawn = history("ash", steps)

    assert "from about ±100 to ±50 points" in drawn
    assert "400 counted" in drawn


def test_the_chart_stays_inside_its_square() -> None:
    """A path outside of its box would be drawn over the text around it."""
    steps = [Step(n, Span(1000 - 500 / n, 1000 + n, 1000 + 500 / n + n)) for n in range(1, 30)]

    points = re.findall(
        r"(-?[\d.]+) (-?[\d.]+)", " ".join(re.findall(r' d="M([^"]+)"', history("ash", steps)))
    )

    assert len(points) == 5 * 29
    assert all(0 <= float(number) <= 100 for point in points for number in point)


def test_a_run_without_an_interval_is_drawn_without_width() -> None:
    """Absent is not wide, and not an error."""
    drawn = history("ash", [Step(10, Span(None, 1000, None)), Step(20, Span(990, 1000, 1010))])

    assert "Some of these runs give no interval." in drawn


def test_a_name_cannot_leave_its_title() -> None:
    """Names come from files that strangers wrote."""
    assert "<script>" not in history("<script>", [Step(1, Span(1, 2, 3))])
