"""How answers are dressed, measured once each."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

FEATURES = ("length", "headers", "lists", "bold", "code_blocks", "code_spans")


def upgrade() -> None:
    """Make the table of measured styles; a fit that asks for them fills it."""
    op.create_table(
        "completion_style",
        sa.Column("completion_id", sa.BigInteger(), nullable=False),
        sa.Column("reader", sa.SmallInteger(), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in FEATURES),
        sa.CheckConstraint(
            f"least({', '.join(FEATURES)}) >= 0", name=op.f("ck_completion_style_counts")
        ),
        sa.ForeignKeyConstraint(
            ["completion_id"], ["completion.id"], name=op.f("fk_completion_style_completion_id")
        ),
        sa.PrimaryKeyConstraint("completion_id", name=op.f("pk_completion_style")),
    )


def downgrade() -> None:
    """Take the styles away: they are measured again when they are asked for."""
    op.drop_table("completion_style")
