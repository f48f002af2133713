"""What can go wrong, and what the edge says of it.

ArenaError                       500  never raised itself
├── InputError                   422  what came in cannot be read; says where and what was expected
│   └── FormatError              422  a file is not what its format promises
├── NotFoundError                404
│   ├── UnknownBoardError        404
│   ├── UnknownModelError        404
│   ├── UnknownRatingRunError    404
│   ├── UnknownRunError          404
│   ├── UnknownVoterError        404  no voter of the board, or several, have this short name
│   └── UnknownBattleError       404  also somebody else's battle: the answer is the same
├── ConflictError                409
│   ├── AlreadyVotedError        409
│   ├── AlreadySettledError      409  too late to undo
│   ├── KeyReusedError           409  an idempotency key came back with another body
│   ├── NotVotedError            409  names asked for before the vote
│   ├── NotEnoughModelsError     409
│   ├── NothingLeftError         409  this voter has seen all that the pool offers
│   ├── NothingToRateError       409
│   └── NotRatedError            409  of two models no source has a difference; says why for each
├── BattleExpiredError           410
├── RateLimitedError             429
├── UnavailableError             503  a server we stand on does not answer; try again
└── SettingsError                 -   the environment is wrong; the command line says how to mend it
"""


class ArenaError(Exception):
    """An error with a status, a code that programs can read, and a sentence for people."""

    status = 500
    code = "internal"

    def __init__(self, message: str, **facts: object) -> None:
        super().__init__(message)
        self.message = message
        self.facts = facts


class InputError(ArenaError):
    """What came in cannot be read."""

    status = 422
    code = "bad_input"


class FormatError(InputError):
    """A file is not what its format promises."""

    code = "bad_file"


class NotFoundError(ArenaError):
    """There is no such thing here."""

    status = 404
    code = "not_found"


class UnknownBoardError(NotFoundError):
    """No board has this name."""

    code = "unknown_board"


class UnknownModelError(NotFoundError):
    """No model has this name."""

    code = "unknown_model"


class UnknownRatingRunError(NotFoundError):
    """No rating run has this number."""

    code = "unknown_rating_run"


class UnknownRunError(NotFoundError):
    """No run has this number."""

    code = "unknown_run"


class UnknownVoterError(NotFoundError):
    """No single voter of the board has this short name."""

    code = "unknown_voter"


class UnknownBattleError(NotFoundError):
    """No battle with this id belongs to this voter."""

    code = "unknown_battle"


class ConflictError(ArenaError):
    """The state of things does not allow this."""

    status = 409
    code = "conflict"


class AlreadyVotedError(ConflictError):
    """The battle has a vote."""

    code = "already_voted"


class AlreadySettledError(ConflictError):
    """The vote is settled and can no longer be undone."""

    code = "already_settled"


class KeyReusedError(ConflictError):
    """An idempotency key came back with another body."""

    code = "key_reused"


class NotVotedError(ConflictError):
    """Names are shown after the vote."""

    code = "not_voted"


class NotEnoughModelsError(ConflictError):
    """A battle needs two models that have answered one prompt."""

    code = "not_enough_models"


class NothingLeftError(ConflictError):
    """The voter has seen every prompt and pair."""

    code = "nothing_left"


class NothingToRateError(ConflictError):
    """A board without settled preferences has nothing to fit."""

    code = "nothing_to_rate"


class NotRatedError(ConflictError):
    """No source of a board has a difference of two models."""

    code = "not_rated"


class BattleExpiredError(ArenaError):
    """The battle was open too long."""

    status = 410
    code = "battle_expired"


class RateLimitedError(ArenaError):
    """Too many requests; `retry_after` says in how many seconds."""

    status = 429
    code = "rate_limited"


class UnavailableError(ArenaError):
    """A server we stand on does not answer."""

    status = 503
    code = "unavailable"


class SettingsError(ArenaError):
    """The environment is wrong."""

    code = "settings"
