"""What float8 takes and no page can show never comes in."""

import pytest

from arena.hygiene import RefusedError, read_finite, read_integer, read_share


@pytest.mark.parametrize("value", ["1e999", "NaN", "-Infinity", float("inf"), 10**400])
def test_what_is_not_finite_is_refused(value: object) -> None:
    """NaN sorts first in Postgres; an infinity ends every average."""
    with pytest.raises(RefusedError) as refused:
        read_finite(value)
    assert refused.value.reason == "non_finite"


@pytest.mark.parametrize("value", [True, None, "N/A", "0,61", [0.5]])
def test_what_is_not_a_number_is_refused(value: object) -> None:
    """A comma may be a decimal or a thousand; nobody guesses."""
    with pytest.raises(RefusedError) as refused:
        read_finite(value)
    assert refused.value.reason == "not_a_number"


def test_integers_stay_exact() -> None:
    """A large integer is not passed through a float."""
    assert read_integer(2**63 - 1) == 2**63 - 1


@pytest.mark.parametrize("value", [2**63, 1.5, "x"])
def test_integers_that_do_not_fit_are_refused(value: object) -> None:
    """Postgres would answer with an error in the middle of a COPY."""
    with pytest.raises(RefusedError):
        read_integer(value)


@pytest.mark.parametrize("value", [50, "50%", -0.1])
def test_a_percentage_is_not_taken_for_a_share(value: object) -> None:
    """0.5 and 50 % on one column made boards that were wrong by a hundred."""
    with pytest.raises(RefusedError) as refused:
        read_share(value)
    assert refused.value.reason == "scale_not_declared"


def test_a_share_is_kept() -> None:
    """The good value passes unchanged."""
    assert read_share("0.5") == 0.5
