"""What became of a file: how many rows were stored, skipped and rejected, and why."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from arena.formats.rejection import Rejection
from arena.store.imports import RowCounts
from arena.store.preferences import Source

SHOWN = 20

# Told now and then how many rows have been read.
Watch = Callable[[int], None]


def say_nothing(rows: int) -> None:
    """Watch an import without a word."""
    del rows


@dataclass(frozen=True)
class ImportReport:
    """The account of one import; `stored + skipped_duplicates + rejected` is `rows_read`."""

    file: str
    format: str
    board: str
    board_made: bool
    batch_id: int
    counts: RowCounts
    models_made: tuple[str, ...]
    rejections: tuple[Rejection, ...]
    rejections_file: Path | None
    names_alike: tuple[tuple[str, str], ...] = ()
    contradictions: int = 0
    sources: frozenset[Source] = field(default=frozenset())

    def as_document(self) -> dict[str, object]:
        """Return what `--json` prints."""
        return {
            "file": self.file,
            "format": self.format,
            "board": self.board,
            "board_made": self.board_made,
            "batch": self.batch_id,
            "rows_read": self.counts.read,
            "stored": self.counts.stored,
            "skipped_duplicates": self.counts.skipped,
            "contradictions": self.contradictions,
            "rejected": self.counts.rejected,
            "reasons": dict(self.counts.reasons),
            "rejections": [each.as_document() for each in self.rejections],
            "rejections_file": str(self.rejections_file) if self.rejections_file else None,
            "models_made": list(self.models_made),
            "names_alike": [list(pair) for pair in self.names_alike],
        }


class RejectionLog:
    """Rejected rows as they come: counted, the first 20 kept, all of them in a file once there is one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.reasons: Counter[str] = Counter()
        self.first: list[Rejection] = []
        self._file: IO[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, rejection: Rejection) -> None:
        """Keep one more."""
        self.reasons[rejection.reason] += 1
        if len(self.first) < SHOWN:
            self.first.append(rejection)
        if self._file is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("w", encoding="utf-8")
        self._file.write(json.dumps(rejection.as_document(), ensure_ascii=False) + "\n")

    def counts(self, *, read: int, stored: int) -> RowCounts:
        """Return what became of all rows: those neither stored nor rejected were there already."""
        return RowCounts(
            read=read,
            stored=stored,
            skipped=read - stored - self.total,
            rejected=self.total,
            reasons=self.reasons,
        )

    @property
    def total(self) -> int:
        """How many there were."""
        return self.reasons.total()

    @property
    def written(self) -> Path | None:
        """Where they are, if there are any."""
        return self.path if self.total else None
