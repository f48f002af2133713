"""What was written for the demo: prompts, contestants, their answers, and two small scenarios."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

FOLDER = files("arena.demo")


@dataclass(frozen=True)
class Prompt:
    """A question that visitors judge answers to."""

    id: str
    text: str
    language: str
    category: str


@dataclass(frozen=True)
class Contestant:
    """A made-up model. Its skills, in logits, drive the simulated votes and the scripted judge."""

    name: str
    family: str
    organization: str
    skill: float
    skill_as_judged: float
    quirks: str


@dataclass(frozen=True)
class Answer:
    """What a contestant answered to a prompt."""

    prompt: str
    model: str
    text: str


@dataclass(frozen=True)
class Item:
    """A question of a scenario, with every answer that counts as right."""

    id: str
    language: str
    question: str
    references: tuple[str, ...]


@dataclass(frozen=True)
class Scenario:
    """A set of items, and the metrics that say how well they were answered."""

    name: str
    title: str
    language: str
    file: str
    instruction: str
    main_metric: str
    metrics: tuple[str, ...]


@dataclass(frozen=True)
class Recorded:
    """What a contestant answered to one item, or the error that ended its run there."""

    model: str
    item: str
    answer: str | None = None
    error: str | None = None


@dataclass(frozen=True)
class Content:
    """What a board is filled with."""

    prompts: tuple[Prompt, ...]
    contestants: tuple[Contestant, ...]
    answers: tuple[Answer, ...]


def read_content() -> Content:
    """Return everything that a visitor can meet."""
    return Content(tuple(read_prompts()), tuple(read_contestants()), tuple(read_answers()))


def read_prompts() -> list[Prompt]:
    """Return the prompts, in the order in which they were written."""
    return [Prompt(**values) for values in _lines("prompts.jsonl")]


def read_answers() -> list[Answer]:
    """Return every contestant's answer to every prompt."""
    return [Answer(**values) for values in _lines("completions.jsonl")]


def read_contestants() -> list[Contestant]:
    """Return the contestants, the best first."""
    return [Contestant(**values) for values in json.loads(_text("contestants.json"))]


def read_scenarios() -> list[Scenario]:
    """Return the scenarios."""
    return [
        Scenario(**{**values, "metrics": tuple(values["metrics"])})
        for values in json.loads(_text("scenarios.json"))
    ]


def read_items(scenario: Scenario) -> list[Item]:
    """Return the items of a scenario, in their order."""
    return [
        Item(**{**values, "references": tuple(values["references"])})
        for values in _lines(f"scenario_{scenario.file}.jsonl")
    ]


def recorded_name(scenario: Scenario) -> str:
    """Return the name of the file that holds the recorded answers of a scenario."""
    return f"recorded_{scenario.file}.jsonl"


def read_recorded(scenario: Scenario) -> list[Recorded]:
    """Return the recorded answers of a scenario, contestant by contestant."""
    return [Recorded(**values) for values in _lines(recorded_name(scenario))]


def content_sha256(name: str) -> str:
    """Return the SHA-256 of one of the files, in hex."""
    return hashlib.sha256(FOLDER.joinpath(name).read_bytes()).hexdigest()


def _text(name: str) -> str:
    return FOLDER.joinpath(name).read_text(encoding="utf-8")


# The files are ours, and the records above refuse a key too many or too few: `Any` is what JSON gives.
def _lines(name: str) -> Iterator[dict[str, Any]]:
    return map(json.loads, _text(name).splitlines())
