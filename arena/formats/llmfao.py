"""The llmfao comparisons: a crowd's, with a worker a row, and those of judges, without."""

from arena.formats.rows import Row
from arena.formats.vote_records import Layout, Reading, VoteRecord, outcome_of, required, text_of
from arena.terms import Outcome

WINNERS = {"left": Outcome.A, "right": Outcome.B, "tie": Outcome.TIE}


def read_comparison(row: Row, reading: Reading) -> VoteRecord:
    """Return one comparison; the left answer is slot A, and `id` names the pair of answers."""
    values = row.values
    model_a, model_b = reading.models(values, "left", "right")
    return VoteRecord(
        line=row.line,
        model_a=model_a,
        model_b=model_b,
        outcome=outcome_of(required(values, "winner"), WINNERS),
        voter=text_of(values, "worker"),
        prompt_key=text_of(values, "prompt"),
        battle_key=text_of(values, "id"),
    )


LLMFAO = Layout(
    format="llmfao",
    required=("id", "prompt", "left", "right", "winner"),
    read=read_comparison,
    names=("left", "right", "winner"),
    winners=WINNERS,
    voters="worker",
)
