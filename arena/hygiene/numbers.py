"""Numbers that are finite and fit: what float8 takes but no page can show is refused here."""

import math

from arena.hygiene.refusal import RefusedError

INT64_LOWEST, INT64_HIGHEST = -(2**63), 2**63 - 1


def read_finite(value: object) -> float:
    """Return a finite number, from a number or from its text.

    Raises
    ------
    RefusedError
        If it is not a number, or is NaN or infinite; `1e999` is infinite.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise RefusedError("not_a_number", found=value, expected="a number")
    try:
        number = float(value)
    except ValueError:
        raise RefusedError("not_a_number", found=value, expected="a number") from None
    except OverflowError:
        raise RefusedError("non_finite", found=value, expected="a finite number") from None
    if not math.isfinite(number):
        raise RefusedError("non_finite", found=value, expected="a finite number")
    return number


def read_integer(value: object) -> int:
    """Return an integer that a bigint column holds.

    Raises
    ------
    RefusedError
        If it is not a whole number, or lies outside int64.
    """
    number = read_finite(value)
    if number != math.floor(number):
        raise RefusedError("not_whole", found=value, expected="a whole number")
    whole = value if isinstance(value, int) else int(number)
    if not INT64_LOWEST <= whole <= INT64_HIGHEST:
        raise RefusedError("out_of_range", found=value, expected="a 64-bit integer")
    return whole


def read_share(value: object) -> float:
    """Return a proportion between 0 and 1; a per cent is refused, since its scale is not declared.

    Raises
    ------
    RefusedError
        If it is not a number between 0 and 1.
    """
    if isinstance(value, str) and value.strip().endswith("%"):
        raise RefusedError("scale_not_declared", found=value, expected="a share from 0 to 1")
    share = read_finite(value)
    if not 0 <= share <= 1:
        raise RefusedError("scale_not_declared", found=value, expected="a share from 0 to 1")
    return share
