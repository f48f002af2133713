"""How answers are dressed."""

from sqlalchemy import CheckConstraint, ForeignKey, SmallInteger
from sqlalchemy.orm import Mapped, mapped_column

from arena.store.tables.base import Base, BigInt


class CompletionStyleRow(Base):
    """The features of one completion, counted from its text by one version of the reader."""

    __tablename__ = "completion_style"
    __table_args__ = (
        CheckConstraint(
            "least(length, headers, lists, bold, code_blocks, code_spans) >= 0", name="counts"
        ),
    )
    completion_id: Mapped[BigInt] = mapped_column(ForeignKey("completion.id"), primary_key=True)
    reader: Mapped[int] = mapped_column(SmallInteger)
    length: Mapped[int]
    headers: Mapped[int]
    lists: Mapped[int]
    bold: Mapped[int]
    code_blocks: Mapped[int]
    code_spans: Mapped[int]
