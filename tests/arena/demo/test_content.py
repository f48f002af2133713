"""The demo's content is whole: nobody's answer is lost, named, or twice there."""

from collections import Counter

import pytest

from arena.demo.content import (
    Contestant,
    Scenario,
    read_answers,
    read_contestants,
    read_items,
    read_prompts,
    read_recorded,
    read_scenarios,
)

SCENARIOS = read_scenarios()
FULL_SPAN = 40


def test_there_are_prompts_of_many_languages_and_kinds() -> None:
    """The board shows what it can do only with more than English small talk on it."""
    prompts = read_prompts()
    languages = Counter(prompt.language for prompt in prompts)
    assert len(prompts) >= 32
    assert languages["en"] >= 16
    assert languages.keys() >= {"en", "fr", "de", "es", "zh", "ko", "ar", "he"}
    assert len({prompt.category for prompt in prompts}) >= 10
    assert len({prompt.id for prompt in prompts}) == len({each.text for each in prompts})


def test_every_contestant_answered_every_prompt_once() -> None:
    """A gap would be a pair that can never be drawn."""
    wanted = {(prompt.id, each.name) for prompt in read_prompts() for each in read_contestants()}
    answered = Counter((answer.prompt, answer.model) for answer in read_answers())
    assert answered.keys() == wanted
    assert set(answered.values()) == {1}


def test_no_two_answers_are_one_text() -> None:
    """The scripted judge knows an answer by its text, and a battle of equals would be void."""
    texts = [answer.text for answer in read_answers()]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("contestant", read_contestants(), ids=lambda each: each.name)
def test_no_answer_names_a_contestant(contestant: Contestant) -> None:
    """A vote is blind only as long as the text is."""
    texts = [answer.text.casefold() for answer in read_answers()]
    assert not [text for text in texts if contestant.family in text or contestant.name in text]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda each: each.name)
def test_every_record_belongs_to_an_item_and_a_contestant(scenario: Scenario) -> None:
    """A record that hangs nowhere would be left out of a score without a word."""
    items = {item.id for item in read_items(scenario)}
    names = {each.name for each in read_contestants()}
    recorded = read_recorded(scenario)
    assert len(items) == FULL_SPAN
    assert {each.item for each in recorded} == items
    assert {each.model for each in recorded} <= names
    assert all((each.answer is None) != (each.error is None) for each in recorded)
    assert max(Counter((each.model, each.item) for each in recorded).values()) == 1


def test_one_scenario_asks_in_more_than_one_language() -> None:
    """English alone would hide what an English-minded metric does to the others."""
    assert max(len({item.language for item in read_items(each)}) for each in SCENARIOS) >= 2
