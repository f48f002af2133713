"""Models: added, listed, retired, and joined to the names that other boards give them."""

from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from arena import clock
from arena.errors import ConflictError, UnknownModelError
from arena.store import registry as rows
from arena.store.tables import ModelAliasRow, ModelRow


@dataclass(frozen=True)
class NewModel:
    """What is known of a model when it is added."""

    name: str
    family: str | None = None
    organization: str | None = None
    license: str | None = None


@dataclass(frozen=True)
class ModelEntry:
    """A model in a list, with the other names that stand for it."""

    name: str
    family: str | None
    organization: str | None
    license: str | None
    retired_at: datetime | None
    aliases: tuple[str, ...]

    def as_document(self) -> dict[str, object]:
        """Return what `--json` prints."""
        retired_at = self.retired_at.isoformat() if self.retired_at else None
        return asdict(self) | {"retired_at": retired_at, "aliases": list(self.aliases)}


def add_model(session: Session, model: NewModel, *, actor: str) -> None:
    """Add a model.

    Raises
    ------
    ConflictError
        If a model, or an alias, has its name.
    InputError
        If the name deceives or is too long.
    """
    name = rows.checked_name("A model", model.name)
    if rows.find_model(session, name) is not None:
        raise ConflictError(
            f"{name!r} is a model already, or another name of one. See `arena model list`.",
            name=name,
        )
    session.add(
        ModelRow(
            name=name,
            family=rows.cleaned(model.family),
            organization=rows.cleaned(model.organization),
            license=rows.cleaned(model.license),
        )
    )
    rows.record(session, "model.add", name, actor=actor)
    session.flush()


def list_models(session: Session) -> list[ModelEntry]:
    """Return all models by name."""
    aliases = rows.aliases_by_model(session)
    return [
        ModelEntry(
            name=row.name,
            family=row.family,
            organization=row.organization,
            license=row.license,
            retired_at=row.retired_at,
            aliases=tuple(aliases.get(row.id, ())),
        )
        for row in session.scalars(select(ModelRow).order_by(ModelRow.name))
    ]


def retire_model(session: Session, name: str, *, actor: str) -> None:
    """Retire a model: it keeps its ratings and cells, and is drawn for no more battles.

    Raises
    ------
    UnknownModelError
        If there is no such model.
    ConflictError
        If it is retired already.
    """
    model = _existing(session, name)
    if model.retired_at is not None:
        raise ConflictError(
            f"{model.name!r} was retired on {model.retired_at:%Y-%m-%d}.", name=model.name
        )
    model.retired_at = clock.now()
    rows.record(session, "model.retire", model.name, actor=actor)
    session.flush()


def add_alias(
    session: Session, alias: str, model_name: str, *, actor: str, note: str | None = None
) -> None:
    """Say that another name means this model; whoever says it has checked it.

    A name that a model bears already can become an alias only while that model has no evidence: votes and
    cells are never moved from one model to another. An empty model of that name gives way.

    Raises
    ------
    UnknownModelError
        If there is no such model.
    ConflictError
        If the name stands for something else.
    """
    model, alias = _existing(session, model_name), rows.checked_name("A model", alias)
    note = rows.cleaned(note)
    holder = rows.find_model(session, alias)
    if holder is not None and holder.name != alias:
        raise ConflictError(f"{alias!r} stands for {holder.name!r} already.", alias=alias)
    if holder is not None:
        _give_way(session, holder, model)
    session.add(ModelAliasRow(model_id=model.id, alias=alias, reviewed_by=actor, note=note))
    rows.record(
        session, "model.alias", model.name, actor=actor, detail={"alias": alias, "note": note}
    )
    session.flush()


def _give_way(session: Session, holder: ModelRow, model: ModelRow) -> None:
    if holder.id == model.id:
        raise ConflictError(f"{model.name!r} is its own name.", alias=model.name)
    try:
        with session.begin_nested():
            session.delete(holder)
    except IntegrityError as error:
        raise ConflictError(
            f"{holder.name!r} is a model of its own here and has votes, answers or cells, which are never moved. "
            "Declare an alias before what bears that name is imported.",
            alias=holder.name,
        ) from error


def _existing(session: Session, name: str) -> ModelRow:
    model = rows.find_model(session, rows.checked_name("A model", name))
    if model is None:
        raise UnknownModelError(
            f"No model is called {name!r}. See `arena model list` for those there are.", name=name
        )
    return model
