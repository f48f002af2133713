"""The words that code, tables, pages and documents share (docs/glossary.md)."""

from enum import StrEnum

# How the voters of a simulated history are named; a person's is a keyed hash and never begins so.
SIMULATED_VOTER = "simulated:"


class Outcome(StrEnum):
    """What a voter or a judge said of one battle, by slot; a skip is recorded and never rated."""

    A = "a"
    B = "b"
    TIE = "tie"
    BOTH_BAD = "both_bad"
    SKIP = "skip"

    def mirrored(self) -> "Outcome":
        """Return the same verdict with the two slots exchanged."""
        return {Outcome.A: Outcome.B, Outcome.B: Outcome.A}.get(self, self)

    @property
    def is_rated(self) -> bool:
        """Whether a rating may read this outcome at all."""
        return self is not Outcome.SKIP


class Slot(StrEnum):
    """Where an answer stands on the page: A left or first, B right or second."""

    A = "a"
    B = "b"


class BattleState(StrEnum):
    """open -> voted -> revealed; or undone, or void. Only a revealed vote is settled and counts."""

    OPEN = "open"
    VOTED = "voted"
    REVEALED = "revealed"
    UNDONE = "undone"
    VOID = "void"


class Order(StrEnum):
    """Which slot a judge read first: A in the straight order, B in the swapped one."""

    STRAIGHT = "straight"
    SWAPPED = "swapped"


class JudgmentStatus(StrEnum):
    """How one reading by a judge ended; only `ok` reaches a rating."""

    OK = "ok"
    UNPARSED = "unparsed"
    AMBIGUOUS = "ambiguous"
    REFUSED = "refused"
    BLOCKED = "blocked"
    TRUNCATED = "truncated"
    EMPTY = "empty"
    ERROR = "error"
    TIMEOUT = "timeout"
    OVER_BUDGET = "over_budget"
    IDENTICAL = "identical"


class BothBad(StrEnum):
    """What a board makes of "both bad": the half win of a tie, or nothing. Counted apart anyway."""

    TIE = "tie"
    EXCLUDE = "exclude"


class Ties(StrEnum):
    """What a tie is in a fit."""

    HALF = "half"
    DAVIDSON = "davidson"
    RAO_KUPPER = "rao-kupper"


class Interval(StrEnum):
    """Where the published interval of a rating comes from; `auto` decides by how many results each model has."""

    AUTO = "auto"
    SANDWICH = "sandwich"
    BOOTSTRAP = "bootstrap"


class Cluster(StrEnum):
    """Which votes may go together, so that they say less than as many independent ones."""

    NONE = "none"
    VOTER = "voter"
    PROMPT = "prompt"
    BOTH = "voter-and-prompt"


class Review(StrEnum):
    """What somebody decided about a voter of a board; the newest decision is in force."""

    QUARANTINED = "quarantined"
    RELEASED = "released"


class RatingStatus(StrEnum):
    """Whether a model has a rating on a board, and if not, what kind of absence it is."""

    RATED = "rated"
    UNBOUNDED_ABOVE = "unbounded_above"
    UNBOUNDED_BELOW = "unbounded_below"
    DISCONNECTED = "disconnected"


class RunState(StrEnum):
    """The life of a rating run: a request is a row, a worker publishes it, a failure keeps its reason."""

    REQUESTED = "requested"
    RUNNING = "running"
    PUBLISHED = "published"
    FAILED = "failed"


class Missing(StrEnum):
    """Why a cell has no value. Never a 0, a tie, a loss or a blank."""

    NOT_RUN = "not_run"
    FAILED = "failed"
    NOT_APPLICABLE = "not_applicable"
    UNDEFINED = "undefined"
    WITHHELD = "withheld"


class Axis(StrEnum):
    """What a metric measures; the seven axes of HELM."""

    ACCURACY = "accuracy"
    CALIBRATION = "calibration"
    ROBUSTNESS = "robustness"
    FAIRNESS = "fairness"
    BIAS = "bias"
    TOXICITY = "toxicity"
    EFFICIENCY = "efficiency"


class Direction(StrEnum):
    """Which way a metric is better; `none` is never ranked."""

    HIGHER = "higher"
    LOWER = "lower"
    NONE = "none"


class PolicyKind(StrEnum):
    """How the pair of a battle was chosen; the probability of each draw is stored with it."""

    UNIFORM = "uniform"
    WEIGHTED = "weighted"
    BOOST_NEW = "boost-new"
    VARIANCE = "variance"
    TOP_K = "top-k"


class ImportState(StrEnum):
    """An import is visible when it is published, and not at all before."""

    RUNNING = "running"
    PUBLISHED = "published"
    FAILED = "failed"
