"""A row that could not be read: where it stood, why, and what was found there."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rejection:
    """One row left out. `line` counts from 1: the line of a text file, the row of an array or of Parquet."""

    line: int
    reason: str
    found: str

    def as_document(self) -> dict[str, object]:
        """Return what a report and the file of rejections hold."""
        return {"line": self.line, "reason": self.reason, "found": self.found}
