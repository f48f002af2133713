"""The public vote files of the arenas: conversations (33k), preferences (140k), Kaggle (55k), clean_battle."""

from arena.formats.rows import Row, Values
from arena.formats.vote_records import (
    WINNERS,
    Layout,
    Reading,
    VoteRecord,
    first_message,
    outcome_of,
    required,
    text_of,
)
from arena.hygiene import RefusedError
from arena.terms import Outcome

KAGGLE_WINNERS = {
    "winner_model_a": Outcome.A,
    "winner_model_b": Outcome.B,
    "winner_tie": Outcome.TIE,
}
YES, NO = (1, "1"), (0, "0")


def read_battle(row: Row, reading: Reading) -> VoteRecord:
    """Return a vote of the conversation layouts and of clean_battle.

    `judge` is the publisher's pseudonym of a person here, not a language model.
    """
    values = row.values
    _refuse_named(values)
    model_a, model_b = reading.models(values, "model_a", "model_b")
    cast = reading.instant(values, "tstamp", "timestamp")
    return VoteRecord(
        line=row.line,
        model_a=model_a,
        model_b=model_b,
        outcome=outcome_of(required(values, "winner"), WINNERS),
        voter=text_of(values, "judge", "evaluation_session_id"),
        prompt=first_message(values.get("conversation_a")),
        battle_key=text_of(values, "question_id", "id"),
        language=reading.optional_name(values.get("language")),
        category=reading.optional_name(values.get("category")),
        cast_at=cast.at if cast else None,
        cast_at_assumed=cast.assumed if cast else None,
    )


def read_kaggle(row: Row, reading: Reading) -> VoteRecord:
    """Return a vote of the Kaggle layout, where one of three columns is 1."""
    values = row.values
    model_a, model_b = reading.models(values, "model_a", "model_b")
    return VoteRecord(
        line=row.line,
        model_a=model_a,
        model_b=model_b,
        outcome=_kaggle_outcome(values),
        prompt=first_message(values.get("prompt")) or text_of(values, "prompt"),
        battle_key=text_of(values, "id"),
    )


def _kaggle_outcome(values: Values) -> Outcome:
    flags = {column: required(values, column) for column in KAGGLE_WINNERS}
    won = [KAGGLE_WINNERS[column] for column, flag in flags.items() if flag in YES]
    if len(won) == 1 and all(flag in YES + NO for flag in flags.values()):
        return won[0]
    raise RefusedError("unknown_winner", found=list(flags.values()), expected="one 1 and two 0")


def _refuse_named(values: Values) -> None:
    anonymous = values.get("anony")
    if anonymous is None or anonymous in (True, "True", "true", ""):
        return
    raise RefusedError(
        "not_blind", found=anonymous, expected="a vote cast before the names were seen"
    )


CONVERSATIONS = Layout(
    format="lmarena",
    required=("model_a", "model_b", "winner"),
    read=read_battle,
    marks=frozenset({"conversation_a", "full_conversation", "evaluation_session_id"}),
    names=("model_a", "model_b", "winner"),
    winners=WINNERS,
    blind="anony",
    answers=("conversation_a", "conversation_b"),
)
KAGGLE = Layout(
    format="lmarena",
    required=("model_a", "model_b", *KAGGLE_WINNERS),
    read=read_kaggle,
    answers=("response_a", "response_b"),
)
CLEAN_BATTLE = Layout(
    format="fastchat",
    required=("model_a", "model_b", "winner"),
    read=read_battle,
    marks=frozenset({"anony"}),
    names=("model_a", "model_b", "winner"),
    winners=WINNERS,
    blind="anony",
)
