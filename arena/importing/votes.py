"""Votes in: read, staged as they come, and published in one transaction, each counted once."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy.orm import Session

from arena.errors import FormatError
from arena.formats.opening import MOST_BYTES, content_digest
from arena.formats.rejection import Rejection
from arena.formats.vote_records import VoteRecord
from arena.formats.votes import Votes, open_votes
from arena.hygiene import match_key
from arena.importing.report import ImportReport, RejectionLog, Watch, say_nothing
from arena.keys import new_public_id
from arena.store import staged_votes
from arena.store.imports import (
    Origin,
    begin_batch,
    end_batch,
    lock_imports,
    read_aliases,
)
from arena.store.registry import ensure_board
from arena.store.staged_votes import StagedVote
from arena.terms import Outcome

ROWS_BETWEEN_WORDS = 5_000
KEY_LENGTH = 32
IMPORT_TIME = "import_time"
ACTOR = "import"


@dataclass(frozen=True)
class VoteFile:
    """A file of votes, where it goes, and what the person who gives it knows of it.

    `judge` names the language model that cast all of them; without it they are people's, but for those whose
    row names a judge.
    """

    path: Path
    board: str
    format: str | None = None
    judge: str | None = None
    limit_bytes: int = MOST_BYTES


def import_votes(
    session: Session,
    file: VoteFile,
    *,
    rejections: Path,
    watch: Watch = say_nothing,
) -> ImportReport:
    """Take in a file of votes; what is there already is skipped, what cannot be read is rejected by line.

    Nothing is visible before the caller commits. `rejections` is the folder for the rows left out; `watch` is
    told now and then how many rows have been read.

    Raises
    ------
    FormatError
        If the file is none of the known formats, damaged, or does not say who judged.
    """
    sha256 = content_digest(file.path, limit_bytes=file.limit_bytes)
    with open_votes(file.path, named=file.format, limit_bytes=file.limit_bytes) as votes:
        board, board_made = ensure_board(session, file.board, actor=ACTOR)
        origin = Origin("votes", file.path.name, sha256, votes.layout.format)
        batch_id = begin_batch(session, origin, board_id=board.id)
        stage = _Stage(votes.layout.format, sha256, file.judge, read_aliases(session))
        with RejectionLog(rejections / f"{batch_id}.jsonl") as log:
            rows_read = _stage_all(
                session, _checked(votes, file), stage=stage, log=log, watch=watch
            )
    lock_imports(session)
    published = staged_votes.publish(
        session,
        board_id=board.id,
        batch_id=batch_id,
        models=[*stage.models],
        judges=[*stage.judges],
    )
    counts = log.counts(read=rows_read, stored=published.stored)
    end_batch(session, batch_id, counts)
    return ImportReport(
        file=str(file.path),
        format=origin.format,
        board=board.name,
        board_made=board_made,
        batch_id=batch_id,
        counts=counts,
        contradictions=published.contradictions,
        models_made=published.models_made,
        rejections=tuple(log.first),
        rejections_file=log.written,
        sources=published.sources,
    )


def _checked(votes: Votes, file: VoteFile) -> Iterator[VoteRecord | Rejection]:
    """Yield the records; stop at the first that has no voter where its format says that people have one."""
    voters = votes.layout.voters
    for record in votes.each:
        if voters and isinstance(record, VoteRecord) and record.voter is None and not file.judge:
            raise FormatError(
                f"{file.path}: found no {voters} in line {record.line}, so no person cast it. If a language "
                "model judged, name it with --judge NAME."
            )
        yield record


def _stage_all(
    session: Session,
    records: Iterator[VoteRecord | Rejection],
    *,
    stage: "_Stage",
    log: RejectionLog,
    watch: Watch,
) -> int:
    rows = 0
    with staged_votes.staging(session) as write:
        for record in records:
            rows += 1
            if rows % ROWS_BETWEEN_WORDS == 0:
                watch(rows)
            staged = record if isinstance(record, Rejection) else stage.row(record)
            if isinstance(staged, Rejection):
                log.add(staged)
            else:
                write(staged)
    watch(rows)
    return rows


@dataclass(frozen=True)
class _Stage:
    """Turns records into rows to stage; models and judges become places in lists of their names."""

    format: str
    sha256: str
    judge: str | None
    aliases: dict[str, str]
    models: dict[str, int] = field(default_factory=dict)
    judges: dict[str, int] = field(default_factory=dict)

    def row(self, vote: VoteRecord) -> StagedVote | Rejection:
        """Return the row of a vote, or why it cannot be one here."""
        model_a, model_b = self._place(vote.model_a), self._place(vote.model_b)
        if model_a == model_b:
            return Rejection(vote.line, "self_battle", f"{vote.model_a!r} is an alias of the other")
        judge = self.judge or vote.judge
        if judge is not None and vote.outcome is Outcome.SKIP:
            return Rejection(vote.line, "skip_by_judge", repr(judge))
        battle_key = self._battle_key(vote)
        assumed = vote.cast_at_assumed if vote.cast_at else IMPORT_TIME
        return (
            vote.line,
            model_a,
            model_b,
            vote.outcome.value,
            self._voter(vote, battle_key),
            None if judge is None else self.judges.setdefault(judge, len(self.judges)),
            battle_key,
            new_public_id(),
            *self._prompt(vote),
            vote.language,
            vote.cast_at,
            assumed,
        )

    def _place(self, name: str) -> int:
        return self.models.setdefault(self.aliases.get(name, name), len(self.models))

    def _battle_key(self, vote: VoteRecord) -> str:
        """Return what names the battle wherever it is imported again; without a key, its place in the file."""
        if vote.battle_key is None:
            return f"{self.sha256[:KEY_LENGTH]}:{vote.line}"
        return _digest(self.format, vote.battle_key, vote.model_a, vote.model_b)

    def _voter(self, vote: VoteRecord, battle_key: str) -> str:
        """Return the same voter for every file of a format; a vote without one is its own voter's."""
        if vote.voter is None:
            return f"import:unnamed:{battle_key}"
        return f"import:{_digest(self.format, vote.voter)}"

    def _prompt(self, vote: VoteRecord) -> tuple[str | None, str | None, str | None]:
        """Return digest, text and key of the prompt; of one known by its key alone the text says so."""
        if vote.prompt is not None:
            return prompt_digest(vote.prompt), vote.prompt, vote.prompt_key
        if vote.prompt_key is None:
            return None, None, None
        label = f"[prompt {vote.prompt_key} of {self.format}; its text was not in the file]"
        return _digest("prompt", self.format, vote.prompt_key), label, vote.prompt_key


def prompt_digest(prompt: str) -> str:
    """Return the digest by which one question is one row, however its ends are spaced."""
    return hashlib.sha256(match_key(prompt).encode()).hexdigest()


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:KEY_LENGTH]
