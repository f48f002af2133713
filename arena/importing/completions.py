"""Answers in: into the pool of a board, from which battles are drawn."""

from pathlib import Path

from psycopg.types.json import Jsonb
from sqlalchemy.orm import Session

from arena.formats.completions import CompletionRecord, open_completions
from arena.formats.opening import content_digest
from arena.hygiene import clean_text
from arena.importing.keys import completion_digest, prompt_digest
from arena.importing.report import ImportReport, RejectionLog, Watch, say_nothing
from arena.importing.staging import ACTOR, ImportFile, stage_rows
from arena.store import staged_completions
from arena.store.imports import (
    Origin,
    begin_batch,
    end_batch,
    lock_imports,
    names_alike,
    read_aliases,
)
from arena.store.registry import ensure_board
from arena.store.staged_completions import StagedCompletion

FORMAT = "plain"


def import_completions(
    session: Session, file: ImportFile, *, rejections: Path, watch: Watch = say_nothing
) -> ImportReport:
    """Take in a file of answers; an answer that the board has already is skipped.

    Nothing is visible before the caller commits. `rejections` is the folder for the rows left out.

    Raises
    ------
    FormatError
        If the file has not the columns of a file of answers, or is damaged.
    """
    sha256 = content_digest(file.path, limit_bytes=file.limit_bytes)
    with open_completions(file.path, limit_bytes=file.limit_bytes) as records:
        board, board_made = ensure_board(session, file.board, actor=ACTOR)
        origin = Origin("completions", clean_text(file.path.name), sha256, FORMAT)
        batch_id = begin_batch(session, origin, board_id=board.id)
        aliases = read_aliases(session)
        with (
            RejectionLog(rejections / f"{batch_id}.jsonl") as log,
            staged_completions.staging(session) as write,
        ):
            read = stage_rows(
                records, write, row=lambda record: _row(record, aliases), log=log, watch=watch
            )
    lock_imports(session)
    published = staged_completions.publish(session, board_id=board.id, batch_id=batch_id)
    counts = log.counts(read=read, stored=published.stored)
    end_batch(session, batch_id, counts)
    return ImportReport(
        file=str(file.path),
        format=FORMAT,
        board=board.name,
        board_made=board_made,
        batch_id=batch_id,
        counts=counts,
        models_made=published.models_made,
        names_alike=tuple(names_alike(session, published.models_made)),
        rejections=tuple(log.first),
        rejections_file=log.written,
    )


def _row(answer: CompletionRecord, aliases: dict[str, str]) -> StagedCompletion:
    return (
        answer.line,
        prompt_digest(answer.prompt),
        answer.prompt,
        aliases.get(answer.model, answer.model),
        completion_digest(answer.text),
        answer.text,
        answer.prompt_key,
        answer.language,
        answer.category,
        None if answer.decoder is None else Jsonb(answer.decoder),
        answer.served_model,
        answer.finish_reason,
        answer.prompt_tokens,
        answer.completion_tokens,
        answer.seconds,
    )
