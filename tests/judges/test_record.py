"""Records refuse what makes no sense, and identity is all of a judge."""

from dataclasses import replace

import pytest

from judges import Decoder, Judge, Judgment, Order, Status, Verdict

DECODER = Decoder(model="m", temperature=0.0, seed=1, budget=100)


@pytest.mark.parametrize(("status", "verdict"), [(Status.OK, None), (Status.UNPARSED, Verdict.TIE)])
def test_a_verdict_comes_exactly_with_ok(status: Status, verdict: Verdict | None) -> None:
    """A failed reading must never slip into a rating as a tie."""
    with pytest.raises(ValueError, match="expected a verdict exactly when"):
        Judgment(Order.STRAIGHT, status, raw="", verdict=verdict)


@pytest.mark.parametrize("verdict", Verdict)
def test_turning_twice_changes_nothing(verdict: Verdict) -> None:
    """Two swaps are none."""
    assert verdict.turned().turned() is verdict


def test_a_swapped_verdict_is_read_back_into_the_order_of_the_battle() -> None:
    """The first that a swapped reading saw is the second of the battle."""
    swapped = Judgment(Order.SWAPPED, Status.OK, raw="", verdict=Verdict.FIRST)
    assert swapped.straightened is Verdict.SECOND


@pytest.mark.parametrize(
    "other",
    [
        replace(DECODER, model="n"),
        replace(DECODER, temperature=0.5),
        replace(DECODER, seed=2),
        replace(DECODER, budget=99),
    ],
)
def test_any_other_setting_is_another_decoder(other: Decoder) -> None:
    """Judgments belong to a judge, and a judge with another decoder is another judge."""
    assert other.digest != DECODER.digest


def test_the_template_is_part_of_the_identity_and_the_name_is_not() -> None:
    """A judge may be renamed; a reworded template makes another judge."""
    judge = Judge("one", "Which is better?", DECODER)
    assert replace(judge, name="two").template_digest == judge.template_digest
    assert replace(judge, template="Which is worse?").template_digest != judge.template_digest
