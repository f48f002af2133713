"""What a scripted judge says of a sample of the battles, read in both orders."""

from collections.abc import Sequence

from arena.demo.content import Content
from arena.demo.simulation import SimulatedVote
from judges import Decoder, Judge, Judgment, Request, ScriptedJudge, both_orders, read_reply

POSITION_BIAS = 0.5
TIE_WEIGHT = 0.3
FAILURE_RATE = 0.04
# What a script says is part of who the judge is, so its numbers stand in the template.
TEMPLATE = (
    "This judge reads no prompt: its verdicts are drawn from the skills in contestants.json, with a lead of "
    f"{POSITION_BIAS} logits for the answer it reads first and a tie weight of {TIE_WEIGHT}. It ends with "
    f"[[first]], [[second]] or [[tie]], but for a share of {FAILURE_RATE} that ends with none."
)
JUDGE = Judge(
    name="scripted",
    template=TEMPLATE,
    decoder=Decoder(model="scripted", temperature=0.0, seed=7, budget=64),
)
# Of the history the judge reads one battle in so many.
JUDGED_EVERY = 5


def judge_history(votes: Sequence[SimulatedVote], content: Content) -> list[tuple[int, Judgment]]:
    """Return what the judge says of a sample of the history: its place in it, and a judgment an order."""
    texts = {(answer.prompt, answer.model): answer.text for answer in content.answers}
    requests = [
        request
        for place in range(0, len(votes), JUDGED_EVERY)
        for request in _requests(str(place), votes[place], texts)
    ]
    replies = _scripted(content).ask(requests)
    return [(int(reply.request.item), read_reply(reply)) for reply in replies]


def _requests(
    key: str, vote: SimulatedVote, texts: dict[tuple[str, str], str]
) -> tuple[Request, Request]:
    a, b = texts[vote.prompt.id, vote.a], texts[vote.prompt.id, vote.b]
    return both_orders(key, prompt=vote.prompt.text, a=a, b=b)


def _scripted(content: Content) -> ScriptedJudge:
    """Return a judge whose taste is not quite that of the simulated voters."""
    taste = {contestant.name: contestant.skill_as_judged for contestant in content.contestants}
    return ScriptedJudge(
        skill={answer.text: taste[answer.model] for answer in content.answers},
        position_bias=POSITION_BIAS,
        tie_weight=TIE_WEIGHT,
        failure_rate=FAILURE_RATE,
        seed=JUDGE.decoder.seed,
    )
