"""Our own plain layout: model_a, model_b, winner, and what else a file cares to say."""

from arena.formats.rows import Row
from arena.formats.vote_records import (
    WINNERS,
    Layout,
    Reading,
    VoteRecord,
    outcome_of,
    required,
    text_of,
)
from arena.terms import Outcome

PLAIN_WINNERS = {**WINNERS, "skip": Outcome.SKIP}


def read_plain(row: Row, reading: Reading) -> VoteRecord:
    """Return one vote; `judge` names a language model, `voter` a person."""
    values = row.values
    model_a, model_b = reading.models(values, "model_a", "model_b")
    cast = reading.instant(values, "tstamp", "timestamp", "cast_at")
    return VoteRecord(
        line=row.line,
        model_a=model_a,
        model_b=model_b,
        outcome=outcome_of(required(values, "winner"), PLAIN_WINNERS),
        voter=text_of(values, "voter"),
        judge=reading.optional_name(values.get("judge")),
        prompt=text_of(values, "prompt"),
        prompt_key=text_of(values, "prompt_id"),
        battle_key=text_of(values, "battle_id", "question_id", "id"),
        language=reading.optional_name(values.get("language")),
        category=reading.optional_name(values.get("category")),
        cast_at=cast.at if cast else None,
        cast_at_assumed=cast.assumed if cast else None,
    )


PLAIN = Layout(
    format="plain",
    required=("model_a", "model_b", "winner"),
    read=read_plain,
    names=("model_a", "model_b", "winner"),
    winners=PLAIN_WINNERS,
    answers=("answer_a", "answer_b"),
)
