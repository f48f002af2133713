"""Files of results, whichever tool wrote them: told by their content, or named."""

from collections.abc import Iterator
from pathlib import Path

from arena.errors import FormatError
from arena.formats import helm, lm_eval
from arena.formats.documents import read_document
from arena.formats.run_records import RunRecord

READERS = {helm.FORMAT: helm.read_helm, lm_eval.FORMAT: lm_eval.read_lm_eval}
FORMATS = tuple(READERS)
RESULTS = "results_*.json"


def read_runs(
    path: Path,
    *,
    format: str | None = None,  # noqa: A002 - the word of the command line
) -> Iterator[RunRecord]:
    """Yield each run of a file or folder of results.

    Raises
    ------
    FormatError
        If it is of no known tool, or not what that tool writes.
    """
    for source, name in _sources(path, format):
        yield from READERS[name](source)


def _sources(path: Path, named: str | None) -> list[tuple[Path, str]]:
    """Return what there is to read at a path, and the format of each."""
    if named is not None and named not in READERS:
        raise FormatError(f"No format of cells is called {named!r}. Formats: {', '.join(FORMATS)}.")
    if not path.is_dir():
        return [(path, named or _sniffed(path))]
    if helm.run_folders(path):
        return [(path, helm.FORMAT)]
    found = sorted(path.rglob(RESULTS))
    if not found:
        raise FormatError(
            f"{path}: found neither run folders of HELM nor {RESULTS} of lm-eval; expected one of them."
        )
    return [(each, lm_eval.FORMAT) for each in found]


def _sniffed(path: Path) -> str:
    value = read_document(path).value
    if lm_eval.is_results(value):
        return lm_eval.FORMAT
    kind = (
        f"an object with {', '.join(list(value)[:5])}"
        if isinstance(value, dict)
        else type(value).__name__
    )
    raise FormatError(
        f"{path}: found {kind}; expected results of lm-eval, or, for HELM, the folder of a run."
    )
