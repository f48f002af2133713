"""More ways to rate, what a run finds beside its ratings, and other readings of the same run."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0004"
down_revision = "0003"

TIES = "ties IN ('half', 'davidson', 'rao-kupper')"
FORMER_TIES = "ties IN ('half')"
INTERVALS = "interval IN ('auto', 'sandwich', 'bootstrap')"
FORMER_INTERVALS = "interval IN ('sandwich', 'bootstrap')"
CLUSTERS = "cluster IN ('none', 'voter', 'prompt', 'voter-and-prompt')"
STATUSES = "status IN ('rated', 'unbounded_above', 'unbounded_below', 'disconnected')"
FORMER_FINITE = ("strength", "rating", "lower", "upper")
FINITE = (*FORMER_FINITE, "chance_best", "quasi_error")


def finite(columns: tuple[str, ...]) -> str:
    """Return the condition that all these columns are finite or absent."""
    return " AND ".join(
        f"({column} IS NULL OR {column} NOT IN ('NaN', 'Infinity', '-Infinity'))"
        for column in columns
    )


def replace_check(table: str, name: str, condition: str) -> None:
    """Put another condition under the name of a check."""
    full = op.f(f"ck_{table}_{name}")
    op.drop_constraint(full, table, type_="check")
    op.create_check_constraint(full, table, condition)


def upgrade() -> None:
    """Widen what boards may ask for, and make room for what runs find."""
    replace_check("board", "ties_known", TIES)
    replace_check("board", "interval_known", INTERVALS)
    op.add_column(
        "board",
        sa.Column("position", sa.Boolean(), server_default=sa.text("false"), nullable=False),
    )
    op.add_column("board", sa.Column("cluster", sa.Text(), server_default="none", nullable=False))
    for column in ("position", "cluster"):
        op.alter_column("board", column, server_default=None)
    op.add_column(
        "board", sa.Column("style", postgresql.JSONB(astext_type=sa.Text()), nullable=True)
    )
    op.create_check_constraint(op.f("ck_board_cluster_known"), "board", CLUSTERS)
    op.add_column(
        "rating_run", sa.Column("findings", postgresql.JSONB(astext_type=sa.Text()), nullable=True)
    )
    for name in ("rank_set_low", "rank_set_high"):
        op.add_column("rating", sa.Column(name, sa.Integer(), nullable=True))
    for name in ("chance_best", "quasi_error"):
        op.add_column("rating", sa.Column(name, sa.Double(), nullable=True))
    replace_check("rating", "strength_finite", finite(FINITE))
    op.create_check_constraint(
        op.f("ck_rating_rank_inside_set"),
        "rating",
        "rank_set_low <= rank AND rank <= rank_set_high",
    )
    op.create_check_constraint(
        op.f("ck_rating_chance_is_share"), "rating", "chance_best BETWEEN 0 AND 1"
    )
    add_views()


def add_views() -> None:
    """Make the table of other readings, which only grows."""
    numbers: list[sa.Column[float]] = [
        sa.Column(name, sa.Double(), nullable=True) for name in FORMER_FINITE
    ]
    ranks = ("rank", "rank_low", "rank_high")
    op.create_table(
        "rating_view",
        sa.Column("rating_run_id", sa.BigInteger(), nullable=False),
        sa.Column("view", sa.Text(), nullable=False),
        sa.Column("model_id", sa.BigInteger(), nullable=False),
        *numbers,
        *(sa.Column(name, sa.Integer(), nullable=True) for name in ranks),
        sa.Column("battles", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "length(view) BETWEEN 1 AND 200", name=op.f("ck_rating_view_view_length")
        ),
        sa.CheckConstraint(STATUSES, name=op.f("ck_rating_view_status_known")),
        sa.CheckConstraint(
            "(status = 'rated') = (strength IS NOT NULL AND rating IS NOT NULL)",
            name=op.f("ck_rating_view_number_iff_rated"),
        ),
        sa.CheckConstraint(
            "(status = 'rated') = (reason IS NULL)", name=op.f("ck_rating_view_reason_iff_absent")
        ),
        sa.CheckConstraint(
            "lower <= rating AND rating <= upper", name=op.f("ck_rating_view_point_inside_interval")
        ),
        sa.CheckConstraint(
            "rank_low <= rank AND rank <= rank_high", name=op.f("ck_rating_view_rank_inside_range")
        ),
        sa.CheckConstraint(finite(FORMER_FINITE), name=op.f("ck_rating_view_strength_finite")),
        sa.ForeignKeyConstraint(["model_id"], ["model.id"], name=op.f("fk_rating_view_model_id")),
        sa.ForeignKeyConstraint(
            ["rating_run_id"], ["rating_run.id"], name=op.f("fk_rating_view_rating_run_id")
        ),
        sa.PrimaryKeyConstraint("rating_run_id", "view", "model_id", name=op.f("pk_rating_view")),
    )
    op.create_index(op.f("ix_rating_view_model_id"), "rating_view", ["model_id"], unique=False)
    for event, each in (("UPDATE OR DELETE", "ROW"), ("TRUNCATE", "STATEMENT")):
        suffix = "append_only" if each == "ROW" else "no_truncate"
        op.execute(
            f"CREATE TRIGGER rating_view_{suffix} BEFORE {event} ON rating_view"
            f" FOR EACH {each} EXECUTE FUNCTION guard_append_only()"
        )


def downgrade() -> None:
    """Take the further readings away; boards that use a newer way go back to the former one."""
    op.drop_table("rating_view")
    for name in ("rank_inside_set", "chance_is_share"):
        op.drop_constraint(op.f(f"ck_rating_{name}"), "rating", type_="check")
    replace_check("rating", "strength_finite", finite(FORMER_FINITE))
    for name in ("rank_set_low", "rank_set_high", "chance_best", "quasi_error"):
        op.drop_column("rating", name)
    op.drop_column("rating_run", "findings")
    op.execute("UPDATE board SET ties = 'half'")
    op.execute("UPDATE board SET interval = 'bootstrap' WHERE interval = 'auto'")
    replace_check("board", "ties_known", FORMER_TIES)
    replace_check("board", "interval_known", FORMER_INTERVALS)
    op.drop_constraint(op.f("ck_board_cluster_known"), "board", type_="check")
    for name in ("style", "cluster", "position"):
        op.drop_column("board", name)
