"""Votes on their way in: copied into a table that only this transaction sees, then published by joins.

A killed import leaves nothing, because nothing was there. What is stored already is recognised by its keys, so
that the same file, or one that overlaps it, adds only what is new.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import text
from sqlalchemy.orm import Session

from arena.errors import ConflictError
from arena.store.copying import OPTIONS, batched
from arena.store.imports import add_models
from arena.store.preferences import Source, add_counts, lock_preferences

# One staged row: the columns below, in their order.
StagedVote = tuple[
    int, int, int, str, str, int | None, str, str,
    str | None, str | None, str | None, str | None, datetime | None, str | None,
]  # fmt: skip

# `model_a`, `model_b` and `judge` are places in lists of names that are given when the rows are published.
# Sorts and joins of staged rows stay in memory up to here; a session's own tables have a buffer of their own.
MEMORY = ("SET LOCAL work_mem = '256MB'", "SET LOCAL temp_buffers = '128MB'")
STAGE = """
CREATE TEMPORARY TABLE staged_vote (
    line bigint, model_a int, model_b int, outcome text, voter text, judge int, battle_key text,
    public_id text, prompt_digest text, prompt text, prompt_key text, language text,
    cast_at timestamptz, cast_at_assumed text
) ON COMMIT DROP;
CREATE TEMPORARY TABLE staged_model (place int, id bigint) ON COMMIT DROP;
CREATE TEMPORARY TABLE staged_judge (place int, id bigint) ON COMMIT DROP;
CREATE TEMPORARY TABLE staged_battle (
    battle_key text, id bigint, model_a_id bigint, model_b_id bigint
) ON COMMIT DROP;
CREATE TEMPORARY TABLE new_preference (
    sequence bigint, board_id bigint, judge_id bigint, first_model_id bigint, second_model_id bigint,
    outcome text, segment text, day date
) ON COMMIT DROP
"""
CLEAR = "DROP TABLE staged_vote, staged_model, staged_judge, staged_battle, new_preference"
PLACE_MODELS = """
INSERT INTO staged_model SELECT named.place - 1, model.id
FROM unnest(CAST(:names AS text[])) WITH ORDINALITY AS named (name, place) JOIN model USING (name)
"""
ADD_JUDGES = """
INSERT INTO judge (name, model, template_digest, decoder, decoder_digest)
SELECT name, name, 'imported', '{}', 'imported' FROM unnest(CAST(:names AS text[])) AS name
ON CONFLICT (name) DO NOTHING
"""
# A judge is its template and decoder too: verdicts of a file, which names neither, are not those of a judge here.
JUDGES_OF_OURS = """
SELECT name FROM judge WHERE name = ANY(CAST(:names AS text[])) AND template_digest <> 'imported' ORDER BY name
"""
PLACE_JUDGES = """
INSERT INTO staged_judge SELECT named.place - 1, judge.id
FROM unnest(CAST(:names AS text[])) WITH ORDINALITY AS named (name, place) JOIN judge USING (name)
"""
ADD_PROMPTS = """
INSERT INTO prompt (digest, text, external_key, language)
SELECT DISTINCT ON (prompt_digest) prompt_digest, prompt, prompt_key, language
FROM staged_vote WHERE prompt_digest IS NOT NULL ORDER BY prompt_digest, line
ON CONFLICT (digest) DO NOTHING
"""
FIND_BATTLES = """
INSERT INTO staged_battle
SELECT battle.external_key, battle.id, battle.model_a_id, battle.model_b_id
FROM battle WHERE battle.board_id = :board_id
     AND battle.external_key IN (SELECT battle_key FROM staged_vote)
"""
ADD_BATTLES = """
WITH added AS (
    INSERT INTO battle (public_id, board_id, prompt_id, model_a_id, model_b_id, state, external_key,
                        import_batch_id)
    SELECT DISTINCT ON (staged.battle_key) staged.public_id, :board_id, prompt.id, model_a.id, model_b.id,
           'revealed', staged.battle_key, :batch_id
    FROM staged_vote AS staged
         JOIN staged_model AS model_a ON model_a.place = staged.model_a
         JOIN staged_model AS model_b ON model_b.place = staged.model_b
         LEFT JOIN prompt ON prompt.digest = staged.prompt_digest
    WHERE NOT EXISTS (SELECT FROM staged_battle AS known WHERE known.battle_key = staged.battle_key)
    ORDER BY staged.battle_key, staged.line
    RETURNING external_key, id, model_a_id, model_b_id
)
INSERT INTO staged_battle SELECT * FROM added
"""
ADD_VOTES = """
WITH added AS (
    INSERT INTO vote (battle_id, voter, outcome, cast_at, cast_at_assumed, language, sequence,
                      import_batch_id)
    SELECT *, nextval('preference_sequence'), :batch_id
    FROM (
        SELECT battle.id, staged.voter, staged.outcome, coalesce(staged.cast_at, now()),
               staged.cast_at_assumed, staged.language
        FROM staged_vote AS staged JOIN staged_battle AS battle USING (battle_key)
        WHERE staged.judge IS NULL ORDER BY staged.line
    ) AS vote_in_order
    ON CONFLICT (battle_id, voter) DO NOTHING
    RETURNING battle_id, outcome, language, cast_at, sequence
)
INSERT INTO new_preference
SELECT added.sequence, :board_id, NULL::bigint, battle.model_a_id, battle.model_b_id, added.outcome,
       coalesce(added.language, ''), (added.cast_at AT TIME ZONE 'UTC')::date
FROM added JOIN staged_battle AS battle ON battle.id = added.battle_id
"""
ADD_JUDGMENTS = """
WITH added AS (
    INSERT INTO judgment (judge_id, battle_id, "order", sample, status, outcome, created_at, sequence,
                          import_batch_id)
    SELECT *, nextval('preference_sequence'), :batch_id
    FROM (
        SELECT judge.id, battle.id, 'straight', 0, 'ok', staged.outcome, coalesce(staged.cast_at, now())
        FROM staged_vote AS staged
             JOIN staged_battle AS battle USING (battle_key)
             JOIN staged_judge AS judge ON judge.place = staged.judge
        ORDER BY staged.line
    ) AS judgment_in_order
    ON CONFLICT (judge_id, battle_id, "order", sample) DO NOTHING
    RETURNING judge_id, battle_id, outcome, created_at, sequence
)
INSERT INTO new_preference
SELECT added.sequence, :board_id, added.judge_id, battle.model_a_id, battle.model_b_id, added.outcome,
       '', (added.created_at AT TIME ZONE 'UTC')::date
FROM added JOIN staged_battle AS battle ON battle.id = added.battle_id
"""
# Rows that were there already, or come twice, with another outcome than the one that stands.
CONTRADICTIONS = """
SELECT count(*) FROM staged_vote AS staged
     JOIN staged_battle AS battle USING (battle_key)
     LEFT JOIN staged_judge AS judge ON judge.place = staged.judge
     LEFT JOIN vote ON staged.judge IS NULL AND vote.battle_id = battle.id AND vote.voter = staged.voter
     LEFT JOIN judgment ON judgment.judge_id = judge.id AND judgment.battle_id = battle.id
               AND judgment."order" = 'straight' AND judgment.sample = 0
WHERE staged.outcome IS DISTINCT FROM coalesce(vote.outcome, judgment.outcome)
"""
SIZES = "SELECT (SELECT count(*) FROM staged_vote), (SELECT count(*) FROM new_preference)"


@dataclass(frozen=True)
class Published:
    """What publishing the staged rows changed."""

    stored: int
    contradictions: int
    models_made: tuple[str, ...]
    sources: frozenset[Source]


@contextmanager
def staging(session: Session) -> Iterator[Callable[[StagedVote], None]]:
    """Open the staging table for the length of a `with` block, and yield what writes a row to it."""
    for statement in (*MEMORY, *STAGE.split(";")):
        session.execute(text(statement))
    cursor = session.connection().connection.cursor()
    with (
        cursor.copy(f"COPY staged_vote FROM STDIN {OPTIONS}") as copy,
        batched(copy.write) as write,
    ):
        yield write


def publish(
    session: Session, *, board_id: int, batch_id: int, models: Sequence[str], judges: Sequence[str]
) -> Published:
    """Turn the staged rows into models, prompts, battles, votes and judgments, numbered and counted.

    Returns
    -------
    Published
        `stored` counts votes and judgments; what was staged beyond it was there already.

    Raises
    ------
    ConflictError
        If a judge of the file bears the name of one that judges here.
    """
    where = {"board_id": board_id, "batch_id": batch_id}
    made = add_models(session, list(models))
    session.execute(text(PLACE_MODELS), {"names": list(models)})
    _place_judges(session, list(judges))
    session.execute(text("ANALYZE staged_vote, staged_model"))
    session.execute(text(ADD_PROMPTS))
    session.execute(text(FIND_BATTLES), where)
    session.execute(text(ADD_BATTLES), where)
    session.execute(text("ANALYZE staged_battle"))
    lock_preferences(session)
    session.execute(text(ADD_VOTES), where)
    session.execute(text(ADD_JUDGMENTS), where)
    sources = add_counts(session)
    staged, stored = session.execute(text(SIZES)).one()
    contradictions = session.scalars(text(CONTRADICTIONS)).one() if stored < staged else 0
    session.execute(text(CLEAR))
    return Published(stored, contradictions, tuple(made), frozenset(sources))


def _place_judges(session: Session, names: list[str]) -> None:
    ours = session.scalars(text(JUDGES_OF_OURS), {"names": names}).all()
    if ours:
        raise ConflictError(
            f"{', '.join(map(repr, ours))} is a judge here, with a template and a decoder of its own; the file says "
            "nothing of either, so its verdicts stay apart. Give another name with --judge, or in the file.",
            judges=list(ours),
        )
    session.execute(text(ADD_JUDGES), {"names": names})
    session.execute(text(PLACE_JUDGES), {"names": names})
