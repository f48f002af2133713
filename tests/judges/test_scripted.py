"""A scripted judge does what its script says, no more and no less."""

import math
from collections import Counter

import pytest

from judges import Order, ScriptedJudge, Status, UnknownAnswerError, Verdict, read_reply
from tests.judges.requests import BAD, GOOD, battle_requests

SKILL = {GOOD: 0.6, BAD: -0.4}
N = 4000
# Five standard errors of a share of N draws: a false alarm in a million.
CLOSE = 5 * math.sqrt(0.25 / N)


def shares(judge: ScriptedJudge, order: Order) -> dict[Verdict | None, float]:
    """How often each verdict was given over N battles in one order; None is a failure."""
    judgments = [read_reply(reply) for reply in judge.ask(battle_requests(N))]
    counts = Counter(each.verdict for each in judgments if each.order is order)
    return {verdict: count / N for verdict, count in counts.items()}


@pytest.mark.parametrize(("order", "lead"), [(Order.STRAIGHT, 1.0), (Order.SWAPPED, -1.0)])
def test_verdicts_follow_the_law_of_davidson(order: Order, lead: float) -> None:
    """A test that fits its verdicts must get back the skill that was put in."""
    bias, tie_weight = 0.5, 0.7
    judge = ScriptedJudge(SKILL, position_bias=bias, tie_weight=tie_weight)
    found = shares(judge, order)
    odds = {
        Verdict.FIRST: math.exp((lead + bias) / 2),
        Verdict.SECOND: math.exp(-(lead + bias) / 2),
        Verdict.TIE: tie_weight,
    }
    expected = {verdict: share / sum(odds.values()) for verdict, share in odds.items()}
    assert found == pytest.approx(expected, abs=CLOSE)


def test_failures_come_as_often_as_the_script_says_and_are_no_ties() -> None:
    """A reply that can't be read has a status; it never becomes half a win."""
    judge = ScriptedJudge(SKILL, failure_rate=0.2, tie_weight=0)
    judgments = [read_reply(reply) for reply in judge.ask(battle_requests(N // 2))]
    statuses = Counter(each.status for each in judgments)
    assert set(statuses) == {Status.OK, Status.UNPARSED}
    assert statuses[Status.UNPARSED] / N == pytest.approx(0.2, abs=CLOSE)
    assert Verdict.TIE not in {each.verdict for each in judgments}


def test_asking_again_in_another_order_gives_the_same_replies() -> None:
    """A run that is repeated or resumed must find what it found before."""
    requests = battle_requests(50)
    judge = ScriptedJudge(SKILL, failure_rate=0.1)
    again = {reply.request: reply for reply in judge.ask(requests[::-1])}
    assert all(again[reply.request] == reply for reply in judge.ask(requests))


def test_another_seed_is_another_judge() -> None:
    """Two judges of one script must not echo each other."""
    requests = battle_requests(50)
    texts = [[reply.text for reply in ScriptedJudge(SKILL, seed=s).ask(requests)] for s in (1, 2)]
    assert texts[0] != texts[1]


def test_an_answer_without_a_skill_is_an_error() -> None:
    """Taking zero for it would be an opinion that nobody wrote."""
    with pytest.raises(UnknownAnswerError, match="battle 0"):
        list(ScriptedJudge({GOOD: 1.0}).ask(battle_requests(1)))


def test_a_script_out_of_range_is_refused() -> None:
    """A share above one would fail quietly, as always failing."""
    with pytest.raises(ValueError, match="expected a share"):
        ScriptedJudge(SKILL, failure_rate=1.2)
    with pytest.raises(ValueError, match="expected 0 or more"):
        ScriptedJudge(SKILL, tie_weight=-1)
