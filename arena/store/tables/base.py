"""What every table shares: one metadata with named constraints, and column types that keep text and numbers clean."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any, ClassVar

from sqlalchemy import BigInteger, CheckConstraint, DateTime, Identity, MetaData, Text, func
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import DeclarativeBase, mapped_column

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}

# A JSON document whose shape belongs to whoever wrote it: `Any` is the honest type here.
Json = dict[str, Any]

Id = Annotated[int, mapped_column(BigInteger, Identity(always=False), primary_key=True)]
BigInt = Annotated[int, mapped_column(BigInteger)]
When = Annotated[datetime, mapped_column(DateTime(timezone=True))]
Created = Annotated[
    datetime, mapped_column(DateTime(timezone=True), server_default=func.now(), nullable=False)
]


class Base(DeclarativeBase):
    """The rows of the house. A class here is a row, never a model."""

    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map: ClassVar = {str: Text, Json: JSONB, datetime: DateTime(timezone=True)}


def one_of(column: str, choices: Iterable[str]) -> CheckConstraint:
    """Return the constraint that a column holds one of the words and no other."""
    words = ", ".join(f"'{choice}'" for choice in choices)
    return CheckConstraint(f"{column} IN ({words})", name=f"{column}_known")


def finite(*columns: str) -> CheckConstraint:
    """Return the constraint that float columns are finite; Postgres takes NaN and sorts it first."""
    tests = " AND ".join(
        f"({column} IS NULL OR {column} NOT IN ('NaN', 'Infinity', '-Infinity'))"
        for column in columns
    )
    return CheckConstraint(tests, name=f"{columns[0]}_finite")


def bounded(column: str, longest: int = 200) -> CheckConstraint:
    """Return the constraint that an indexed text is neither empty nor too long for an index row."""
    return CheckConstraint(f"length({column}) BETWEEN 1 AND {longest}", name=f"{column}_length")
