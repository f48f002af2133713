"""Answers on their way into the pool of a board: copied to a table of this transaction, then published."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from psycopg.types.json import Jsonb
from sqlalchemy import text
from sqlalchemy.orm import Session

from arena.store.imports import add_models

# One staged row: the columns below, in their order.
StagedCompletion = tuple[
    int, str, str, str, str, str, str | None, str | None, str | None,
    Jsonb | None, str | None, str | None, int | None, int | None, float | None,
]  # fmt: skip

STAGE = """
CREATE TEMPORARY TABLE staged_completion (
    line bigint, prompt_digest text, prompt text, model text, digest text, text text,
    prompt_key text, language text, category text, decoder jsonb, served_model text, finish_reason text,
    prompt_tokens bigint, completion_tokens bigint, seconds float8
) ON COMMIT DROP
"""
ADD_PROMPTS = """
INSERT INTO prompt (digest, text, external_key, language, category)
SELECT DISTINCT ON (prompt_digest) prompt_digest, prompt, prompt_key, language, category
FROM staged_completion ORDER BY prompt_digest, line
ON CONFLICT (digest) DO NOTHING
"""
ADD_COMPLETIONS = """
INSERT INTO completion (board_id, prompt_id, model_id, digest, text, decoder, served_model, finish_reason,
                        prompt_tokens, completion_tokens, seconds, in_pool, import_batch_id)
SELECT :board_id, prompt.id, model.id, staged.digest, staged.text, staged.decoder, staged.served_model,
       staged.finish_reason, staged.prompt_tokens, staged.completion_tokens, staged.seconds, true, :batch_id
FROM staged_completion AS staged
     JOIN prompt ON prompt.digest = staged.prompt_digest
     JOIN model ON model.name = staged.model
ORDER BY staged.line
ON CONFLICT (board_id, prompt_id, model_id, digest) DO NOTHING
RETURNING id
"""


@dataclass(frozen=True)
class PublishedCompletions:
    """What publishing the staged rows changed."""

    stored: int
    models_made: tuple[str, ...]


@contextmanager
def staging(session: Session) -> Iterator[Callable[[StagedCompletion], None]]:
    """Open the staging table for the length of a `with` block, and yield what writes a row to it."""
    session.execute(text(STAGE))
    cursor = session.connection().connection.cursor()
    with cursor.copy("COPY staged_completion FROM STDIN") as copy:
        yield copy.write_row


def publish(session: Session, *, board_id: int, batch_id: int) -> PublishedCompletions:
    """Turn the staged rows into models, prompts and completions that can be drawn."""
    names = session.scalars(text("SELECT DISTINCT model FROM staged_completion")).all()
    made = add_models(session, [*names])
    session.execute(text(ADD_PROMPTS))
    added = session.execute(text(ADD_COMPLETIONS), {"board_id": board_id, "batch_id": batch_id})
    stored = len(added.all())
    session.execute(text("DROP TABLE staged_completion"))
    return PublishedCompletions(stored, tuple(made))
