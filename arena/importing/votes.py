"""Votes in: read, staged as they come, and published in one transaction, each counted once."""

from collections.abc import Iterator
from pathlib import Path

from sqlalchemy.orm import Session

from arena.errors import FormatError
from arena.formats.opening import content_digest
from arena.formats.rejection import Rejection
from arena.formats.vote_records import VoteRecord
from arena.formats.votes import Votes, open_votes
from arena.hygiene import clean_text
from arena.importing.report import ImportReport, RejectionLog, Watch, say_nothing
from arena.importing.staging import ACTOR, ImportFile, stage_rows
from arena.importing.vote_rows import VoteRows
from arena.store import staged_votes
from arena.store.imports import (
    Origin,
    begin_batch,
    end_batch,
    lock_imports,
    names_alike,
    read_aliases,
)
from arena.store.registry import checked_name, ensure_board


def import_votes(
    session: Session, file: ImportFile, *, rejections: Path, watch: Watch = say_nothing
) -> ImportReport:
    """Take in a file of votes; what is there already is skipped, what cannot be read is rejected by line.

    Nothing is visible before the caller commits. `rejections` is the folder for the rows left out; `watch` is
    told now and then how many rows have been read. The report names the sources that now want a refit.

    Raises
    ------
    FormatError
        If the file is none of the known formats, damaged, or does not say who judged.
    InputError
        If the board or the judge cannot be called so.
    """
    judge = None if file.judge is None else checked_name("A judge", file.judge)
    sha256 = content_digest(file.path, limit_bytes=file.limit_bytes)
    with open_votes(file.path, named=file.format, limit_bytes=file.limit_bytes) as votes:
        board, board_made = ensure_board(session, file.board, actor=ACTOR)
        origin = Origin("votes", clean_text(file.path.name), sha256, votes.layout.format)
        batch_id = begin_batch(session, origin, board_id=board.id)
        rows = VoteRows(origin, judge, read_aliases(session))
        with (
            RejectionLog(rejections / f"{batch_id}.jsonl") as log,
            staged_votes.staging(session) as write,
        ):
            read = stage_rows(_checked(votes, file), write, row=rows.row, log=log, watch=watch)
    lock_imports(session)
    published = staged_votes.publish(
        session, board_id=board.id, batch_id=batch_id, models=[*rows.models], judges=[*rows.judges]
    )
    counts = log.counts(read=read, stored=published.stored)
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
        names_alike=tuple(names_alike(session, published.models_made)),
        rejections=tuple(log.first),
        rejections_file=log.written,
        sources=published.sources,
    )


def _checked(votes: Votes, file: ImportFile) -> Iterator[VoteRecord | Rejection]:
    """Yield the records; stop at the first that has no voter where its format says that people have one."""
    voters = votes.layout.voters
    for record in votes.each:
        if (
            voters
            and isinstance(record, VoteRecord)
            and record.voter is None
            and file.judge is None
        ):
            raise FormatError(
                f"{file.path}: found no {voters} in line {record.line}, so no person cast it. If a language "
                "model judged, name it with --judge NAME."
            )
        yield record
