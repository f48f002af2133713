"""Decisions about voters, and their votes found by voter."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0005"
down_revision = "0004"

TABLE = "voter_review"


def upgrade() -> None:
    """Make the table of decisions, which only grows, and index votes by voter."""
    op.create_table(
        TABLE,
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("board_id", sa.BigInteger(), nullable=False),
        sa.Column("voter", sa.Text(), nullable=False),
        sa.Column("decision", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("test", sa.Text(), nullable=True),
        sa.Column("evidence", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "decision IN ('quarantined', 'released')",
            name=op.f("ck_voter_review_decision_known"),
        ),
        sa.CheckConstraint(
            "length(voter) BETWEEN 1 AND 200", name=op.f("ck_voter_review_voter_length")
        ),
        sa.ForeignKeyConstraint(["board_id"], ["board.id"], name=op.f("fk_voter_review_board_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_voter_review")),
    )
    op.create_index("ix_voter_review_newest", TABLE, ["board_id", "voter", "id"], unique=False)
    op.create_index("ix_vote_voter", "vote", ["voter"], unique=False)
    for event, each, name in (
        ("UPDATE OR DELETE", "ROW", "append_only"),
        ("TRUNCATE", "STATEMENT", "no_truncate"),
    ):
        op.execute(
            f"CREATE TRIGGER {TABLE}_{name} BEFORE {event} ON {TABLE}"
            f" FOR EACH {each} EXECUTE FUNCTION guard_append_only()"
        )


def downgrade() -> None:
    """Take the decisions away: every vote is rated again."""
    op.drop_index("ix_vote_voter", table_name="vote")
    op.drop_table(TABLE)
