"""The prompts, contestants and answers of the demo, as rows of its board."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.orm import Session

from arena.demo.content import Answer, Contestant, Prompt
from arena.hygiene import match_key
from arena.store.tables import CompletionRow, ModelRow, PromptRow


@dataclass(frozen=True)
class Pool:
    """Where the content lies: ids of prompts and models by name, of completions by both."""

    prompts: dict[str, int]
    models: dict[str, int]
    completions: dict[tuple[str, str], int]


def add_pool(
    session: Session,
    board_id: int,
    *,
    prompts: Sequence[Prompt],
    contestants: Sequence[Contestant],
    answers: Sequence[Answer],
) -> Pool:
    """Store what is not there yet, and return where everything lies."""
    prompt_ids = _add_prompts(session, prompts)
    model_ids = _add_models(session, contestants)
    completion_ids = _add_completions(session, board_id, answers, Pool(prompt_ids, model_ids, {}))
    return Pool(prompt_ids, model_ids, completion_ids)


def digest(text: str) -> str:
    """Return what makes two texts the same text."""
    return hashlib.sha256(match_key(text).encode()).hexdigest()


def _add_prompts(session: Session, prompts: Sequence[Prompt]) -> dict[str, int]:
    names = {digest(prompt.text): prompt.id for prompt in prompts}
    rows = [
        {
            "digest": digest(prompt.text),
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


def _add_completions(
    session: Session, board_id: int, answers: Sequence[Answer], pool: Pool
) -> dict[tuple[str, str], int]:
    rows = [
        {
            "board_id": board_id,
            "prompt_id": pool.prompts[answer.prompt],
            "model_id": pool.models[answer.model],
            "digest": digest(answer.text),
            "text": answer.text,
        }
        for answer in answers
    ]
    statement = upsert(CompletionRow).returning(CompletionRow.id, sort_by_parameter_order=True)
    ids = session.scalars(statement, rows)
    places = [(answer.prompt, answer.model) for answer in answers]
    return dict(zip(places, ids, strict=True))
