"""What a scripted judge says of a sample of the battles, read in both orders."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.demo.content import Answer, Contestant
from judges import Decoder, Judge, Judgment, ScriptedJudge, both_orders, read_reply

TEMPLATE = (
    "This judge reads no prompt: its verdicts are drawn from the skills in contestants.json, "
    "with a lead for the answer it reads first. It ends with [[first]], [[second]] or [[tie]]."
)
JUDGE = Judge(
    name="scripted",
    template=TEMPLATE,
    decoder=Decoder(model="scripted", temperature=0.0, seed=7, budget=64),
)
POSITION_BIAS = 0.5
TIE_WEIGHT = 0.3
FAILURE_RATE = 0.04


@dataclass(frozen=True)
class Sampled:
    """A battle as a judge gets it: a key, the question, and the two answers by slot."""

    key: str
    prompt: str
    a: str
    b: str


def ask_scripted(judge: ScriptedJudge, battles: Sequence[Sampled]) -> list[tuple[str, Judgment]]:
    """Return two judgments a battle, each with the key of its battle."""
    requests = [
        request
        for battle in battles
        for request in both_orders(battle.key, prompt=battle.prompt, a=battle.a, b=battle.b)
    ]
    return [(reply.request.item, read_reply(reply)) for reply in judge.ask(requests)]


def scripted_judge(contestants: Sequence[Contestant], answers: Sequence[Answer]) -> ScriptedJudge:
    """Return the judge of the demo, whose taste is not quite that of the simulated voters."""
    taste: Mapping[str, float] = {each.name: each.skill_as_judged for each in contestants}
    return ScriptedJudge(
        skill={answer.text: taste[answer.model] for answer in answers},
        position_bias=POSITION_BIAS,
        tie_weight=TIE_WEIGHT,
        failure_rate=FAILURE_RATE,
        seed=JUDGE.decoder.seed,
    )
