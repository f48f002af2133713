"""Scores of short answers, and the share of right ones."""

from decimal import Decimal

import pytest

from arena.evaluation.scoring import (
    SCORES,
    exact_match,
    final_number,
    final_number_match,
    is_right,
    quasi_exact_match,
    share_right,
)


def test_an_exact_match_forgives_only_space_around_it() -> None:
    """The strict metric must stay strict, or the gap to the lenient one says nothing."""
    assert exact_match("Lima", " Lima\n")
    assert not exact_match("Lima", "lima")
    assert not exact_match("Lima", "Lima.")


@pytest.mark.parametrize(
    "answer", ["the Amazon", "Amazon.", "AMAZON", " an  Amazon! ", "**Amazon**"]
)
def test_a_quasi_exact_match_forgives_case_punctuation_articles_and_space(answer: str) -> None:
    """The four things that HELM's definition takes away."""
    assert quasi_exact_match("The Amazon", answer)


@pytest.mark.parametrize("answer", ["¡Amazon!", "Amazonas", "It is the Amazon.", ""])
def test_a_quasi_exact_match_forgives_nothing_else(answer: str) -> None:
    """HELM's definition knows ASCII punctuation and English articles; ours must not know more."""
    assert not quasi_exact_match("Amazon", answer)


def test_punctuation_goes_before_articles() -> None:
    """The order is part of the definition: "A-Z" becomes "az" and keeps its a; "A." becomes nothing."""
    assert quasi_exact_match("AZ", "A-Z")
    assert quasi_exact_match("plan", "plan A.")


@pytest.mark.parametrize("score", SCORES.values())
def test_an_empty_answer_is_never_right(score: object) -> None:
    """A model that says nothing must not match a reference that reduces to nothing."""
    assert callable(score)
    assert not score("", "")
    assert not score("the", "")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("3 × 4.50 = 13.50; 20 − 13.50 = 6.50. The answer is 6.50.", "6.50"),
        ("It weighs 1,440 g, or 1.44 kg, so 1,440", "1440"),
        ("It is 15 eggs, sir, no more", "15"),
        ("It fell to -11", "-11"),
        ("It fell to −11 degrees", "-11"),
        ("somewhere in 10-12", "12"),
        ("1,5", "5"),
        ("1,2345", "2345"),
        ("155.", "155"),
    ],
)
def test_the_final_number_is_found(text: str, number: str) -> None:
    """Work shown before the result, thousands, signs and a full stop must not hide it."""
    assert final_number(text) == Decimal(number)


def test_a_text_without_a_number_has_none() -> None:
    """None is not zero, and not right either."""
    assert final_number("I am not sure, sorry.") is None
    assert not final_number_match("0", "I am not sure, sorry.")
    assert not final_number_match("none", "none")


def test_numbers_are_compared_as_numbers() -> None:
    """Nobody who says 6.5 for 6.50 is wrong."""
    assert final_number_match("6.50", "It is 6.5")
    assert not final_number_match("6.50", "It is 65")


def test_one_matching_reference_is_enough() -> None:
    """The score of an item is its best over the references."""
    assert is_right(exact_match, ["6", "six"], "six")
    assert not is_right(exact_match, ["6", "six"], "sixth")


def test_the_share_lies_inside_its_interval_and_counts_items() -> None:
    """Against the figures of Wilson's interval for 8 of 10, worked out by hand."""
    share = share_right([True] * 8 + [False] * 2)
    assert (share.value, share.n) == (0.8, 10)
    assert (share.lower, share.upper) == pytest.approx((0.4902, 0.9433), abs=1e-4)


def test_a_share_of_nothing_is_an_error() -> None:
    """Zero right of zero is not zero."""
    with pytest.raises(ValueError, match="at least one"):
        share_right([])
