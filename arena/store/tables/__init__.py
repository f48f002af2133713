"""All rows. Import them from here."""

from arena.store.tables.base import Base
from arena.store.tables.battles import (
    PREFERENCE_SEQUENCE,
    BattleRow,
    BoardRow,
    InviteRow,
    JudgeRow,
    JudgeRunItemRow,
    JudgeRunRow,
    JudgmentRow,
    PairPolicyRow,
    PreferenceCountRow,
    VoteFlagRow,
    VoteRow,
    VoteUndoRow,
)
from arena.store.tables.cells import CellRow, RunRow, ScenarioRow
from arena.store.tables.ratings import RatingRow, RatingRunRow, RatingViewRow
from arena.store.tables.registry import (
    CompletionRow,
    EndpointRow,
    EventRow,
    ImportBatchRow,
    ModelAliasRow,
    ModelRow,
    PoolRow,
    PromptRow,
    TokenRow,
)
from arena.store.tables.reviews import VoterReviewRow
from arena.store.tables.styles import CompletionStyleRow

__all__ = [
    "PREFERENCE_SEQUENCE",
    "Base",
    "BattleRow",
    "BoardRow",
    "CellRow",
    "CompletionRow",
    "CompletionStyleRow",
    "EndpointRow",
    "EventRow",
    "ImportBatchRow",
    "InviteRow",
    "JudgeRow",
    "JudgeRunItemRow",
    "JudgeRunRow",
    "JudgmentRow",
    "ModelAliasRow",
    "ModelRow",
    "PairPolicyRow",
    "PoolRow",
    "PreferenceCountRow",
    "PromptRow",
    "RatingRow",
    "RatingRunRow",
    "RatingViewRow",
    "RunRow",
    "ScenarioRow",
    "TokenRow",
    "VoteFlagRow",
    "VoteRow",
    "VoteUndoRow",
    "VoterReviewRow",
]
