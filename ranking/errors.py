"""What can go wrong in a fit.

RankingError
├── NotConnectedError   some models were never compared, so their difference is not a number
├── NotIdentifiedError  a seat effect, covariate or tie parameter cannot be told from the battles
├── NoOverlapError      people and a judge decided too little in common to be told apart
└── NotConvergedError   the search for the maximum stopped early; nothing it found is to be used
"""

from collections.abc import Sequence

SHOWN_GROUPS = 5


class RankingError(Exception):
    """A rating cannot be computed."""


class NotConnectedError(RankingError):
    """The battles do not join all models into one group; `groups` holds the models of each, by number or name."""

    def __init__(self, groups: Sequence[Sequence[int | str]]) -> None:
        shown = ", ".join(str(list(group)) for group in groups[:SHOWN_GROUPS])
        more = ", ..." if len(groups) > SHOWN_GROUPS else ""
        super().__init__(
            f"found {len(groups)} groups of models, expected one in which every model has beaten or tied "
            f"every other, directly or through others: {shown}{more}. "
            "Collect battles between the groups, or split the battles and fit one group."
        )
        self.groups = tuple(tuple(group) for group in groups)


class NotIdentifiedError(RankingError):
    """The battles say nothing of a further parameter, or no finite value of it; `names` holds which."""

    def __init__(self, message: str, names: Sequence[str]) -> None:
        super().__init__(message)
        self.names = tuple(names)


class NotConvergedError(RankingError):
    """The gradient did not vanish; `gradient_norm` is how large it still was, per battle."""

    def __init__(self, message: str, gradient_norm: float) -> None:
        super().__init__(message)
        self.gradient_norm = gradient_norm


class NoOverlapError(RankingError):
    """Battles decided by both people and a judge are missing; `groups` holds the models that they join."""

    def __init__(self, message: str, groups: Sequence[Sequence[int]]) -> None:
        super().__init__(message)
        self.groups = tuple(tuple(group) for group in groups)
