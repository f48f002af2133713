"""Policies that choose pairs, and what a pool offers at a glance."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0003"
down_revision = "0002"

KINDS = "kind IN ('uniform', 'weighted', 'boost-new', 'variance', 'top-k')"
FORMER_KINDS = "kind IN ('uniform')"
# What a pool offers is counted under this lock, so that no change of it can be missed (see arena/store/pools.py).
FORGET = """
CREATE FUNCTION forget_pool() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE changed_board bigint;
BEGIN
    FOR changed_board IN SELECT DISTINCT board_id FROM changed ORDER BY board_id LOOP
        PERFORM pg_advisory_xact_lock(4208120, hashtext(changed_board::text));
        DELETE FROM pool WHERE board_id = changed_board;
    END LOOP;
    RETURN NULL;
END $$
"""
TRIGGER = """
CREATE TRIGGER pool_{event} AFTER {event} ON completion REFERENCING {table} TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION forget_pool()
"""


def upgrade() -> None:
    """Allow the further policies, and make the table of what pools offer with the triggers that empty it."""
    op.create_table(
        "pool",
        sa.Column("board_id", sa.BigInteger(), nullable=False),
        sa.Column("models", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("shared", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["board_id"], ["board.id"], name=op.f("fk_pool_board_id")),
        sa.PrimaryKeyConstraint("board_id", name=op.f("pk_pool")),
    )
    op.create_index(
        "ix_completion_of_model",
        "completion",
        ["board_id", "model_id", "prompt_id"],
        unique=False,
        postgresql_where="in_pool",
    )
    op.execute(FORGET)
    for event, table in (("INSERT", "NEW"), ("UPDATE", "OLD"), ("DELETE", "OLD")):
        op.execute(TRIGGER.format(event=event.lower(), table=table))
    op.drop_constraint(op.f("ck_pair_policy_kind_known"), "pair_policy", type_="check")
    op.create_check_constraint(op.f("ck_pair_policy_kind_known"), "pair_policy", KINDS)


def downgrade() -> None:
    """Go back to drawing evenly, whatever the policy of a board was."""
    op.execute("UPDATE pair_policy SET kind = 'uniform', parameters = '{}' WHERE kind <> 'uniform'")
    op.drop_constraint(op.f("ck_pair_policy_kind_known"), "pair_policy", type_="check")
    op.create_check_constraint(op.f("ck_pair_policy_kind_known"), "pair_policy", FORMER_KINDS)
    for event in ("insert", "update", "delete"):
        op.execute(f"DROP TRIGGER pool_{event} ON completion")
    op.execute("DROP FUNCTION forget_pool()")
    op.drop_index("ix_completion_of_model", table_name="completion", postgresql_where="in_pool")
    op.drop_table("pool")
