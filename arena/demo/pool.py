"""The prompts, contestants and answers of the demo, as rows of its board."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import insert, select
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.orm import Session

from arena.demo.content import Content, Contestant, Prompt
from arena.importing.keys import completion_digest, prompt_digest
from arena.store.tables import CompletionRow, ModelRow, PromptRow


@dataclass(frozen=True)
class Pool:
    """Where the content lies: ids of prompts and models by name, of completions by both."""

    prompts: dict[str, int]
    models: dict[str, int]
    completions: dict[tuple[str, str], int]


def add_pool(session: Session, board_id: int, content: Content) -> Pool:
    """Store what is not there yet, and return where everything lies."""
    prompt_ids = _add_prompts(session, content.prompts)
    model_ids = _add_models(session, content.contestants)
    places = [(answer.prompt, answer.model) for answer in content.answers]
    rows = [
        {
            "board_id": board_id,
            "prompt_id": prompt_ids[answer.prompt],
            "model_id": model_ids[answer.model],
            "digest": completion_digest(answer.text),
            "text": answer.text,
        }
        for answer in content.answers
    ]
    statement = insert(CompletionRow).returning(CompletionRow.id, sort_by_parameter_order=True)
    completion_ids = session.scalars(statement, rows)
    return Pool(prompt_ids, model_ids, dict(zip(places, completion_ids, strict=True)))


def _add_prompts(session: Session, prompts: Sequence[Prompt]) -> dict[str, int]:
    names = {prompt_digest(prompt.text): prompt.id for prompt in prompts}
    rows = [
        {
            "digest": prompt_digest(prompt.text),
            "text": prompt.text,
            "external_key": prompt.id,
            "language": prompt.language,
            "category": prompt.category,
        }
        for prompt in prompts
    ]
    session.execute(upsert(PromptRow).on_conflict_do_nothing(), rows)
    stored = select(PromptRow.digest, PromptRow.id).where(PromptRow.digest.in_(names))
    return {names[found]: row_id for found, row_id in session.execute(stored)}


def _add_models(session: Session, contestants: Sequence[Contestant]) -> dict[str, int]:
    rows = [
        {"name": each.name, "family": each.family, "organization": each.organization}
        for each in contestants
    ]
    session.execute(upsert(ModelRow).on_conflict_do_nothing(), rows)
    names = [each.name for each in contestants]
    stored = select(ModelRow.name, ModelRow.id).where(ModelRow.name.in_(names))
    return {row.name: row.id for row in session.execute(stored)}
