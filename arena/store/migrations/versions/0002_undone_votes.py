"""Votes taken back leave the index of what is to be counted."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

# A vote may change once: it is counted, and gets its number, or it is taken back and never will be.
GUARD = """
CREATE OR REPLACE FUNCTION guard_vote() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.sequence IS NULL AND NOT OLD.is_undone
       AND (NEW.sequence IS NOT NULL) <> NEW.is_undone
       AND to_jsonb(NEW) - ARRAY['sequence', 'is_undone'] = to_jsonb(OLD) - ARRAY['sequence', 'is_undone'] THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'vote is append-only: % of vote % refused', TG_OP, OLD.id
        USING ERRCODE = 'restrict_violation';
END $$
"""
FORMER_GUARD = """
CREATE OR REPLACE FUNCTION guard_vote() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.sequence IS NULL AND NEW.sequence IS NOT NULL
       AND to_jsonb(NEW) - 'sequence' = to_jsonb(OLD) - 'sequence' THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'vote is append-only: % of vote % refused', TG_OP, OLD.id
        USING ERRCODE = 'restrict_violation';
END $$
"""
MARK = "UPDATE vote SET is_undone = true FROM vote_undo WHERE vote_undo.vote_id = vote.id"


def upgrade() -> None:
    """Mark the votes that were taken back, and index the others that are not counted yet."""
    op.add_column(
        "vote",
        sa.Column("is_undone", sa.Boolean(), server_default=sa.text("false"), nullable=False),
    )
    op.execute(GUARD)
    op.execute(MARK)
    op.drop_index("ix_vote_uncounted", table_name="vote")
    op.create_index(
        "ix_vote_uncounted",
        "vote",
        ["id"],
        unique=False,
        postgresql_where="sequence IS NULL AND NOT is_undone",
    )


def downgrade() -> None:
    """Index every vote that has no number again."""
    op.drop_index("ix_vote_uncounted", table_name="vote")
    op.execute(FORMER_GUARD)
    op.drop_column("vote", "is_undone")
    op.create_index(
        "ix_vote_uncounted", "vote", ["id"], unique=False, postgresql_where="sequence IS NULL"
    )
