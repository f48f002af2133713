"""Why a value may not come in."""

LONGEST_SHOWN = 60


class RefusedError(ValueError):
    """A value that may not come in: a reason that programs can read, what was found and what was expected."""

    def __init__(self, reason: str, *, found: object, expected: str) -> None:
        self.reason = reason
        self.found = shorten(found)
        self.expected = expected
        super().__init__(f"{reason}: found {self.found}, expected {expected}")


def shorten(value: object) -> str:
    """Return a value as a message shows it: quoted, and never longer than a line."""
    if isinstance(value, int) and value.bit_length() > LONGEST_SHOWN:
        return f"an integer of {value.bit_length()} bits"
    text = repr(value[:LONGEST_SHOWN] if isinstance(value, str) else value)
    is_cut = len(text) > LONGEST_SHOWN
    return f"{text[:LONGEST_SHOWN]}…" if is_cut else text
