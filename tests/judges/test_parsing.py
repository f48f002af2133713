"""A reply is read for what it decides, not for what it mentions."""

import pytest

from judges import Reply, Status, Verdict, both_orders, read_reply, read_verdict


@pytest.mark.parametrize("verdict", Verdict)
def test_each_label_is_read(verdict: Verdict) -> None:
    """All three verdicts can be given."""
    assert read_verdict(f"Because.\n[[{verdict.value}]]") == (Status.OK, verdict)


def test_a_label_quoted_while_reasoning_does_not_vote() -> None:
    """Reading the first label that turns up makes a position bias of the parser's own."""
    text = "At first I would have said [[first]].\nBut it is wrong: [[second]]"
    assert read_verdict(text) == (Status.OK, Verdict.SECOND)


@pytest.mark.parametrize(
    "text", ["[[FIRST]]", "[[fi\u200brst]]", "［［first］］", "  [[first]].\n\n"]
)
def test_case_width_and_invisible_letters_do_not_hide_a_verdict(text: str) -> None:
    """Models decorate; a verdict that a person can see should be seen."""
    assert read_verdict(text) == (Status.OK, Verdict.FIRST)


def test_two_labels_in_the_deciding_line_are_ambiguous() -> None:
    """Whoever says both has not decided."""
    assert read_verdict("[[first]] or [[second]]") == (Status.AMBIGUOUS, None)


@pytest.mark.parametrize("text", ["first", "[first]", "[[third]]", "The first answer is better."])
def test_text_without_a_label_is_unparsed(text: str) -> None:
    """A word of prose is no verdict, however likely it looks."""
    assert read_verdict(text) == (Status.UNPARSED, None)


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_nothing_is_empty(text: str) -> None:
    """An empty reply is told apart from one that rambles."""
    assert read_verdict(text) == (Status.EMPTY, None)


def test_a_judgment_keeps_the_order_and_the_raw_text() -> None:
    """The text is kept, so that a better parser can read it again."""
    _, swapped = both_orders("item", prompt="Which?", a="x", b="y")
    judgment = read_reply(Reply(swapped, "Hm.\n[[tie]]"))
    assert (judgment.order, judgment.raw) == (swapped.order, "Hm.\n[[tie]]")
