"""Which pair to show next. Pure: a pool and what a voter has seen go in, a draw with its probability comes out."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from numpy.random import Generator


@dataclass(frozen=True)
class Candidate:
    """A completion that may be drawn."""

    completion_id: int
    prompt_id: int
    model_id: int


@dataclass(frozen=True)
class Draw:
    """Two completions of one prompt in their slots, and the probability with which the pair was drawn."""

    a: Candidate
    b: Candidate
    probability: float


# A pair of models and a prompt: what a voter is never shown twice.
Seen = frozenset[tuple[int, int, int]]
Options = dict[tuple[int, int], list[int]]


def seen_key(prompt_id: int, model_ids: Iterable[int]) -> tuple[int, int, int]:
    """Return what marks a prompt and pair as seen, whichever side each model stood on."""
    low, high = sorted(model_ids)
    return prompt_id, low, high


def open_pairs(pool: Sequence[Candidate], seen: Seen) -> Options:
    """Return, for each pair of models, the prompts that both answered and the voter has not seen it on."""
    prompts = defaultdict(set)
    for candidate in pool:
        prompts[candidate.model_id].add(candidate.prompt_id)
    options: Options = {}
    for low, high in combinations(sorted(prompts), 2):
        shared = prompts[low] & prompts[high]
        unseen = sorted(prompt for prompt in shared if (prompt, low, high) not in seen)
        if unseen:
            options[low, high] = unseen
    return options


def draw_uniform(pool: Sequence[Candidate], seen: Seen, generator: Generator) -> Draw | None:
    """Draw a pair of models uniformly, then a prompt, then one completion each, then the seats.

    Returns None when the voter has seen everything that the pool offers.
    """
    options = open_pairs(pool, seen)
    if not options:
        return None
    pairs = list(options)
    pair = pairs[int(generator.integers(len(pairs)))]
    prompts = options[pair]
    prompt_id = prompts[int(generator.integers(len(prompts)))]
    sides = [_one_of(pool, prompt_id, model_id, generator) for model_id in pair]
    if generator.integers(2):
        sides.reverse()
    return Draw(a=sides[0], b=sides[1], probability=1 / len(pairs))


def _one_of(
    pool: Sequence[Candidate], prompt_id: int, model_id: int, generator: Generator
) -> Candidate:
    answers = [each for each in pool if (each.prompt_id, each.model_id) == (prompt_id, model_id)]
    return answers[int(generator.integers(len(answers)))]
