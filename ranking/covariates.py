"""What else a battle's outcome may hang on: columns beside the two models."""

from dataclasses import dataclass

import numpy as np

from ranking.battles import Battles, Floats


@dataclass(frozen=True, eq=False)
class Covariates:
    """k columns over the rows of some battles, each a difference in favour of the first shown.

    Exchanging the seats of a row changes the sign of its values and nothing else. No mean is taken off: that
    would favour a seat.

    Parameters
    ----------
    names : tuple of k str
        Each once.
    values : (n, k) float64
        Finite.

    Raises
    ------
    ValueError
        If names and columns differ in number, a name comes twice, or a value is not finite.
    """

    names: tuple[str, ...]
    values: Floats

    def __post_init__(self) -> None:
        values = np.array(self.values, dtype=np.float64)
        if values.ndim != 2 or values.shape[1] != len(self.names):
            raise ValueError(
                f"{len(self.names)} covariates are named and the values have the shape {values.shape}; "
                "expected a column for each"
            )
        if len(set(self.names)) != len(self.names):
            raise ValueError(
                f"covariates are named twice in {list(self.names)}; expected each once"
            )
        for name, column in zip(self.names, values.T, strict=True):
            if not np.isfinite(column).all():
                row = int(np.argmin(np.isfinite(column)))
                raise ValueError(
                    f"covariate {name!r} is {column[row]} in battle {row}; expected finite"
                )
        values.setflags(write=False)
        object.__setattr__(self, "values", values)


def columns_of(
    battles: Battles, *, position: bool, covariates: Covariates | None
) -> tuple[tuple[str, ...], Floats]:
    """Return the names and the (n, k) values of all columns of a fit: the seat's, then the covariates'.

    Raises
    ------
    ValueError
        If the covariates are over another number of rows than the battles.
    """
    names: tuple[str, ...] = ()
    parts = [np.zeros((len(battles), 0))]
    if position:
        names, parts = ("position",), [np.ones((len(battles), 1))]
    if covariates is not None:
        if len(covariates.values) != len(battles):
            raise ValueError(
                f"the covariates are over {len(covariates.values)} rows and the battles are "
                f"{len(battles)}; expected one row each"
            )
        names, parts = names + covariates.names, [*parts, covariates.values]
    return names, np.hstack(parts)
