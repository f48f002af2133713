"""The first tables."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None

# A vote may change once: when it is counted, it gets its number. Nothing else about it ever changes.
VOTE_GUARD = """
CREATE FUNCTION guard_vote() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.sequence IS NULL AND NEW.sequence IS NOT NULL
       AND to_jsonb(NEW) - 'sequence' = to_jsonb(OLD) - 'sequence' THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'vote is append-only: % of vote % refused', TG_OP, OLD.id
        USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER vote_append_only BEFORE UPDATE OR DELETE ON vote
    FOR EACH ROW EXECUTE FUNCTION guard_vote();
"""

APPEND_GUARD = """
CREATE FUNCTION guard_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'restrict_violation';
END $$;
"""

# What a published run says stays as it was read.
RUN_GUARD = """
CREATE FUNCTION guard_rating_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.state = 'published' THEN
        RAISE EXCEPTION 'rating run % is published: % refused', OLD.id, TG_OP
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN COALESCE(NEW, OLD);
END $$;
CREATE TRIGGER rating_run_published BEFORE UPDATE OR DELETE ON rating_run
    FOR EACH ROW EXECUTE FUNCTION guard_rating_run();
"""

APPEND_ONLY = ("event", "rating", "vote_flag", "vote_undo")


def guard() -> None:
    """Put the triggers on the tables that only grow."""
    op.execute(APPEND_GUARD)
    op.execute(VOTE_GUARD)
    op.execute(RUN_GUARD)
    for table in APPEND_ONLY:
        op.execute(
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON {table}"
            " FOR EACH ROW EXECUTE FUNCTION guard_append_only()"
        )
    for table in (*APPEND_ONLY, "vote"):
        op.execute(
            f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table}"
            " FOR EACH STATEMENT EXECUTE FUNCTION guard_append_only()"
        )


def upgrade() -> None:
    """Make the tables and put the guards on them."""
    op.execute("CREATE SEQUENCE preference_sequence")
    op.create_table(
        "endpoint",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("base_url", sa.Text(), nullable=False),
        sa.Column("key_encrypted", sa.LargeBinary(), nullable=True),
        sa.Column("key_last4", sa.Text(), nullable=True),
        sa.Column("abilities", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint("length(name) BETWEEN 1 AND 200", name=op.f("ck_endpoint_name_length")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_endpoint")),
        sa.UniqueConstraint("name", name=op.f("uq_endpoint_name")),
    )
    op.create_table(
        "event",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column(
            "at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("detail", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event")),
    )
    op.create_table(
        "judge",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("template", sa.Text(), nullable=True),
        sa.Column("template_digest", sa.Text(), nullable=False),
        sa.Column("decoder", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("decoder_digest", sa.Text(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint("length(model) BETWEEN 1 AND 200", name=op.f("ck_judge_model_length")),
        sa.CheckConstraint("length(name) BETWEEN 1 AND 200", name=op.f("ck_judge_name_length")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judge")),
        sa.UniqueConstraint(
            "model",
            "template_digest",
            "decoder_digest",
            name=op.f("uq_judge_model_template_digest_decoder_digest"),
        ),
        sa.UniqueConstraint("name", name=op.f("uq_judge_name")),
    )
    op.create_table(
        "prompt",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("external_key", sa.Text(), nullable=True),
        sa.Column("language", sa.Text(), nullable=True),
        sa.Column("category", sa.Text(), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_prompt")),
        sa.UniqueConstraint("digest", name=op.f("uq_prompt_digest")),
    )
    op.create_table(
        "scenario",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=True),
        sa.Column("main_metric", sa.Text(), nullable=True),
        sa.Column("main_split", sa.Text(), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint("length(name) BETWEEN 1 AND 500", name=op.f("ck_scenario_name_length")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_scenario")),
        sa.UniqueConstraint("name", name=op.f("uq_scenario_name")),
    )
    op.create_table(
        "token",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("last4", sa.Text(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("length(name) BETWEEN 1 AND 200", name=op.f("ck_token_name_length")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_token")),
        sa.UniqueConstraint("hash", name=op.f("uq_token_hash")),
        sa.UniqueConstraint("name", name=op.f("uq_token_name")),
    )
    op.create_table(
        "model",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("family", sa.Text(), nullable=True),
        sa.Column("organization", sa.Text(), nullable=True),
        sa.Column("license", sa.Text(), nullable=True),
        sa.Column("decoder", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("endpoint_id", sa.BigInteger(), nullable=True),
        sa.Column("retired_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint("length(name) BETWEEN 1 AND 200", name=op.f("ck_model_name_length")),
        sa.ForeignKeyConstraint(
            ["endpoint_id"], ["endpoint.id"], name=op.f("fk_model_endpoint_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_model")),
        sa.UniqueConstraint("name", name=op.f("uq_model_name")),
    )
    op.create_table(
        "board",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("ties", sa.Text(), nullable=False),
        sa.Column("both_bad", sa.Text(), nullable=False),
        sa.Column("interval", sa.Text(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("level", sa.Double(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("anchor_model_id", sa.BigInteger(), nullable=True),
        sa.Column("anchor_points", sa.Double(), nullable=False),
        sa.Column("is_simulated", sa.Boolean(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "(anchor_points IS NULL OR anchor_points NOT IN ('NaN', 'Infinity', '-Infinity')) AND (level IS NULL OR level NOT IN ('NaN', 'Infinity', '-Infinity'))",
            name=op.f("ck_board_anchor_points_finite"),
        ),
        sa.CheckConstraint("both_bad IN ('tie', 'exclude')", name=op.f("ck_board_both_bad_known")),
        sa.CheckConstraint(
            "interval IN ('sandwich', 'bootstrap')", name=op.f("ck_board_interval_known")
        ),
        sa.CheckConstraint(
            "name ~ '^[a-z0-9][a-z0-9-]{0,62}$'", name=op.f("ck_board_name_is_slug")
        ),
        sa.CheckConstraint("ties IN ('half')", name=op.f("ck_board_ties_known")),
        sa.CheckConstraint("level > 0.5 AND level < 1", name=op.f("ck_board_level_range")),
        sa.CheckConstraint("rounds BETWEEN 1 AND 1000000", name=op.f("ck_board_rounds_range")),
        sa.ForeignKeyConstraint(
            ["anchor_model_id"], ["model.id"], name=op.f("fk_board_anchor_model_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_board")),
        sa.UniqueConstraint("name", name=op.f("uq_board_name")),
    )
    op.create_table(
        "model_alias",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("model_id", sa.BigInteger(), nullable=False),
        sa.Column("alias", sa.Text(), nullable=False),
        sa.Column("reviewed_by", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "length(alias) BETWEEN 1 AND 200", name=op.f("ck_model_alias_alias_length")
        ),
        sa.ForeignKeyConstraint(["model_id"], ["model.id"], name=op.f("fk_model_alias_model_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_model_alias")),
        sa.UniqueConstraint("alias", name=op.f("uq_model_alias_alias")),
    )
    op.create_index(op.f("ix_model_alias_model_id"), "model_alias", ["model_id"], unique=False)
    op.create_table(
        "import_batch",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("file_name", sa.Text(), nullable=False),
        sa.Column("file_sha256", sa.Text(), nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("board_id", sa.BigInteger(), nullable=True),
        sa.Column("rows_read", sa.BigInteger(), nullable=False),
        sa.Column("rows_stored", sa.BigInteger(), nullable=False),
        sa.Column("rows_skipped", sa.BigInteger(), nullable=False),
        sa.Column("rows_rejected", sa.BigInteger(), nullable=False),
        sa.Column("reasons", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "kind IN ('votes', 'completions', 'cells', 'prompts')",
            name=op.f("ck_import_batch_kind_known"),
        ),
        sa.CheckConstraint(
            "state IN ('running', 'published', 'failed')", name=op.f("ck_import_batch_state_known")
        ),
        sa.ForeignKeyConstraint(["board_id"], ["board.id"], name=op.f("fk_import_batch_board_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_import_batch")),
    )
    op.create_index("ix_import_batch_file_sha256", "import_batch", ["file_sha256"], unique=False)
    op.create_table(
        "invite",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("board_id", sa.BigInteger(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("votes_wanted", sa.Integer(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["board_id"], ["board.id"], name=op.f("fk_invite_board_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invite")),
        sa.UniqueConstraint("hash", name=op.f("uq_invite_hash")),
    )
    op.create_table(
        "judge_run",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("board_id", sa.BigInteger(), nullable=False),
        sa.Column("judge_id", sa.BigInteger(), nullable=False),
        sa.Column("plan", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["board_id"], ["board.id"], name=op.f("fk_judge_run_board_id")),
        sa.ForeignKeyConstraint(["judge_id"], ["judge.id"], name=op.f("fk_judge_run_judge_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judge_run")),
    )
    op.create_table(
        "pair_policy",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("board_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("parameters", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint("kind IN ('uniform')", name=op.f("ck_pair_policy_kind_known")),
        sa.ForeignKeyConstraint(["board_id"], ["board.id"], name=op.f("fk_pair_policy_board_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pair_policy")),
    )
    op.create_index(op.f("ix_pair_policy_board_id"), "pair_policy", ["board_id"], unique=False)
    op.create_table(
        "preference_count",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("board_id", sa.BigInteger(), nullable=False),
        sa.Column("judge_id", sa.BigInteger(), nullable=True),
        sa.Column("first_model_id", sa.BigInteger(), nullable=False),
        sa.Column("second_model_id", sa.BigInteger(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("segment", sa.Text(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("n", sa.BigInteger(), nullable=False),
        sa.Column("last_sequence", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "outcome IN ('a', 'b', 'tie', 'both_bad', 'skip')",
            name=op.f("ck_preference_count_outcome_known"),
        ),
        sa.CheckConstraint(
            "first_model_id <> second_model_id", name=op.f("ck_preference_count_two_models")
        ),
        sa.CheckConstraint(
            "length(segment) <= 200", name=op.f("ck_preference_count_segment_length")
        ),
        sa.CheckConstraint("n > 0", name=op.f("ck_preference_count_n_positive")),
        sa.ForeignKeyConstraint(
            ["board_id"], ["board.id"], name=op.f("fk_preference_count_board_id")
        ),
        sa.ForeignKeyConstraint(
            ["first_model_id"], ["model.id"], name=op.f("fk_preference_count_first_model_id")
        ),
        sa.ForeignKeyConstraint(
            ["judge_id"], ["judge.id"], name=op.f("fk_preference_count_judge_id")
        ),
        sa.ForeignKeyConstraint(
            ["second_model_id"], ["model.id"], name=op.f("fk_preference_count_second_model_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_preference_count")),
        sa.UniqueConstraint(
            "board_id",
            "judge_id",
            "first_model_id",
            "second_model_id",
            "outcome",
            "segment",
            "day",
            name="uq_preference_count_key",
            postgresql_nulls_not_distinct=True,
        ),
    )
    op.create_table(
        "rating_run",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("board_id", sa.BigInteger(), nullable=False),
        sa.Column("judge_id", sa.BigInteger(), nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column(
            "requested_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("published_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("watermark", sa.BigInteger(), nullable=True),
        sa.Column("selection", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("counts_digest", sa.Text(), nullable=True),
        sa.Column("preferences", sa.BigInteger(), nullable=True),
        sa.Column("voters", sa.BigInteger(), nullable=True),
        sa.Column("method", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("versions", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("warnings", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("gradient_norm", sa.Double(), nullable=True),
        sa.Column("iterations", sa.Integer(), nullable=True),
        sa.Column("rounds_degenerate", sa.Integer(), nullable=True),
        sa.Column("covariance_models", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("covariance", sa.LargeBinary(), nullable=True),
        sa.CheckConstraint(
            "(gradient_norm IS NULL OR gradient_norm NOT IN ('NaN', 'Infinity', '-Infinity'))",
            name=op.f("ck_rating_run_gradient_norm_finite"),
        ),
        sa.CheckConstraint(
            "(state = 'failed') = (reason IS NOT NULL)",
            name=op.f("ck_rating_run_failed_has_reason"),
        ),
        sa.CheckConstraint(
            "state <> 'published' OR (published_at IS NOT NULL AND watermark IS NOT NULL AND counts_digest IS NOT NULL AND method IS NOT NULL)",
            name=op.f("ck_rating_run_published_is_whole"),
        ),
        sa.CheckConstraint(
            "state IN ('requested', 'running', 'published', 'failed')",
            name=op.f("ck_rating_run_state_known"),
        ),
        sa.ForeignKeyConstraint(["board_id"], ["board.id"], name=op.f("fk_rating_run_board_id")),
        sa.ForeignKeyConstraint(["judge_id"], ["judge.id"], name=op.f("fk_rating_run_judge_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rating_run")),
    )
    op.create_index(
        "ix_rating_run_newest", "rating_run", ["board_id", "judge_id", "published_at"], unique=False
    )
    op.create_index(
        "uq_rating_run_open",
        "rating_run",
        ["board_id", "judge_id"],
        unique=True,
        postgresql_nulls_not_distinct=True,
        postgresql_where="state = 'requested'",
    )
    op.create_table(
        "completion",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("board_id", sa.BigInteger(), nullable=False),
        sa.Column("prompt_id", sa.BigInteger(), nullable=False),
        sa.Column("model_id", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("in_pool", sa.Boolean(), nullable=False),
        sa.Column("decoder", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("served_model", sa.Text(), nullable=True),
        sa.Column("finish_reason", sa.Text(), nullable=True),
        sa.Column("prompt_tokens", sa.BigInteger(), nullable=True),
        sa.Column("completion_tokens", sa.BigInteger(), nullable=True),
        sa.Column("seconds", sa.Double(), nullable=True),
        sa.Column("import_batch_id", sa.BigInteger(), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(["board_id"], ["board.id"], name=op.f("fk_completion_board_id")),
        sa.ForeignKeyConstraint(
            ["import_batch_id"], ["import_batch.id"], name=op.f("fk_completion_import_batch_id")
        ),
        sa.ForeignKeyConstraint(["model_id"], ["model.id"], name=op.f("fk_completion_model_id")),
        sa.ForeignKeyConstraint(["prompt_id"], ["prompt.id"], name=op.f("fk_completion_prompt_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_completion")),
        sa.UniqueConstraint(
            "board_id",
            "prompt_id",
            "model_id",
            "digest",
            name=op.f("uq_completion_board_id_prompt_id_model_id_digest"),
        ),
    )
    op.create_index(
        "ix_completion_pool",
        "completion",
        ["board_id", "prompt_id"],
        unique=False,
        postgresql_where="in_pool",
    )
    op.create_table(
        "rating",
        sa.Column("rating_run_id", sa.BigInteger(), nullable=False),
        sa.Column("model_id", sa.BigInteger(), nullable=False),
        sa.Column("strength", sa.Double(), nullable=True),
        sa.Column("rating", sa.Double(), nullable=True),
        sa.Column("lower", sa.Double(), nullable=True),
        sa.Column("upper", sa.Double(), nullable=True),
        sa.Column("rank", sa.Integer(), nullable=True),
        sa.Column("rank_low", sa.Integer(), nullable=True),
        sa.Column("rank_high", sa.Integer(), nullable=True),
        sa.Column("battles", sa.BigInteger(), nullable=False),
        sa.Column("wins", sa.BigInteger(), nullable=False),
        sa.Column("losses", sa.BigInteger(), nullable=False),
        sa.Column("ties", sa.BigInteger(), nullable=False),
        sa.Column("both_bad", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "(status = 'rated') = (reason IS NULL)", name=op.f("ck_rating_reason_iff_absent")
        ),
        sa.CheckConstraint(
            "(status = 'rated') = (strength IS NOT NULL AND rating IS NOT NULL)",
            name=op.f("ck_rating_number_iff_rated"),
        ),
        sa.CheckConstraint(
            "(strength IS NULL OR strength NOT IN ('NaN', 'Infinity', '-Infinity')) AND (rating IS NULL OR rating NOT IN ('NaN', 'Infinity', '-Infinity')) AND (lower IS NULL OR lower NOT IN ('NaN', 'Infinity', '-Infinity')) AND (upper IS NULL OR upper NOT IN ('NaN', 'Infinity', '-Infinity'))",
            name=op.f("ck_rating_strength_finite"),
        ),
        sa.CheckConstraint(
            "status IN ('rated', 'unbounded_above', 'unbounded_below', 'disconnected')",
            name=op.f("ck_rating_status_known"),
        ),
        sa.CheckConstraint(
            "lower <= rating AND rating <= upper", name=op.f("ck_rating_point_inside_interval")
        ),
        sa.CheckConstraint(
            "rank_low <= rank AND rank <= rank_high", name=op.f("ck_rating_rank_inside_range")
        ),
        sa.CheckConstraint(
            "wins + losses + ties + both_bad = battles", name=op.f("ck_rating_battles_add_up")
        ),
        sa.ForeignKeyConstraint(["model_id"], ["model.id"], name=op.f("fk_rating_model_id")),
        sa.ForeignKeyConstraint(
            ["rating_run_id"], ["rating_run.id"], name=op.f("fk_rating_rating_run_id")
        ),
        sa.PrimaryKeyConstraint("rating_run_id", "model_id", name=op.f("pk_rating")),
    )
    op.create_index(op.f("ix_rating_model_id"), "rating", ["model_id"], unique=False)
    op.create_table(
        "run",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("scenario_id", sa.BigInteger(), nullable=False),
        sa.Column("model_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("adaptation", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("adaptation_digest", sa.Text(), nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("tool_version", sa.Text(), nullable=True),
        sa.Column("file_name", sa.Text(), nullable=False),
        sa.Column("file_sha256", sa.Text(), nullable=False),
        sa.Column("record", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("ran_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("import_batch_id", sa.BigInteger(), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint("length(name) BETWEEN 1 AND 1000", name=op.f("ck_run_name_length")),
        sa.ForeignKeyConstraint(
            ["import_batch_id"], ["import_batch.id"], name=op.f("fk_run_import_batch_id")
        ),
        sa.ForeignKeyConstraint(["model_id"], ["model.id"], name=op.f("fk_run_model_id")),
        sa.ForeignKeyConstraint(["scenario_id"], ["scenario.id"], name=op.f("fk_run_scenario_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run")),
        sa.UniqueConstraint(
            "scenario_id",
            "model_id",
            "file_sha256",
            "name",
            name=op.f("uq_run_scenario_id_model_id_file_sha256_name"),
        ),
    )
    op.create_index(op.f("ix_run_model_id"), "run", ["model_id"], unique=False)
    op.create_index(op.f("ix_run_scenario_id"), "run", ["scenario_id"], unique=False)
    op.create_table(
        "battle",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("public_id", sa.Text(), nullable=False),
        sa.Column("board_id", sa.BigInteger(), nullable=False),
        sa.Column("prompt_id", sa.BigInteger(), nullable=True),
        sa.Column("model_a_id", sa.BigInteger(), nullable=False),
        sa.Column("model_b_id", sa.BigInteger(), nullable=False),
        sa.Column("completion_a_id", sa.BigInteger(), nullable=True),
        sa.Column("completion_b_id", sa.BigInteger(), nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("voter", sa.Text(), nullable=True),
        sa.Column("policy_id", sa.BigInteger(), nullable=True),
        sa.Column("probability", sa.Double(), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("external_key", sa.Text(), nullable=True),
        sa.Column("import_batch_id", sa.BigInteger(), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "state IN ('open', 'voted', 'revealed', 'undone', 'void')",
            name=op.f("ck_battle_state_known"),
        ),
        sa.CheckConstraint(
            "(completion_a_id IS NULL) = (completion_b_id IS NULL)",
            name=op.f("ck_battle_both_texts"),
        ),
        sa.CheckConstraint(
            "completion_a_id <> completion_b_id", name=op.f("ck_battle_two_completions")
        ),
        sa.CheckConstraint(
            "length(external_key) BETWEEN 1 AND 200", name=op.f("ck_battle_external_key_length")
        ),
        sa.CheckConstraint(
            "length(public_id) BETWEEN 22 AND 64", name=op.f("ck_battle_public_id_length")
        ),
        sa.CheckConstraint("length(voter) BETWEEN 1 AND 200", name=op.f("ck_battle_voter_length")),
        sa.CheckConstraint("model_a_id <> model_b_id", name=op.f("ck_battle_two_models")),
        sa.CheckConstraint(
            "probability > 0 AND probability <= 1", name=op.f("ck_battle_probability_range")
        ),
        sa.ForeignKeyConstraint(["board_id"], ["board.id"], name=op.f("fk_battle_board_id")),
        sa.ForeignKeyConstraint(
            ["completion_a_id"], ["completion.id"], name=op.f("fk_battle_completion_a_id")
        ),
        sa.ForeignKeyConstraint(
            ["completion_b_id"], ["completion.id"], name=op.f("fk_battle_completion_b_id")
        ),
        sa.ForeignKeyConstraint(
            ["import_batch_id"], ["import_batch.id"], name=op.f("fk_battle_import_batch_id")
        ),
        sa.ForeignKeyConstraint(["model_a_id"], ["model.id"], name=op.f("fk_battle_model_a_id")),
        sa.ForeignKeyConstraint(["model_b_id"], ["model.id"], name=op.f("fk_battle_model_b_id")),
        sa.ForeignKeyConstraint(
            ["policy_id"], ["pair_policy.id"], name=op.f("fk_battle_policy_id")
        ),
        sa.ForeignKeyConstraint(["prompt_id"], ["prompt.id"], name=op.f("fk_battle_prompt_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_battle")),
        sa.UniqueConstraint(
            "board_id", "external_key", name=op.f("uq_battle_board_id_external_key")
        ),
        sa.UniqueConstraint("public_id", name=op.f("uq_battle_public_id")),
    )
    op.create_index(
        "ix_battle_unsettled",
        "battle",
        ["state"],
        unique=False,
        postgresql_where="state IN ('open', 'voted')",
    )
    op.create_index(
        "ix_battle_voter",
        "battle",
        ["voter", "board_id"],
        unique=False,
        postgresql_where="voter IS NOT NULL",
    )
    op.create_table(
        "cell",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("run_id", sa.BigInteger(), nullable=False),
        sa.Column("scenario_id", sa.BigInteger(), nullable=False),
        sa.Column("model_id", sa.BigInteger(), nullable=False),
        sa.Column("metric", sa.Text(), nullable=False),
        sa.Column("axis", sa.Text(), nullable=True),
        sa.Column("split", sa.Text(), nullable=True),
        sa.Column("sub_split", sa.Text(), nullable=True),
        sa.Column("perturbation", sa.Text(), nullable=True),
        sa.Column("is_group", sa.Boolean(), nullable=False),
        sa.Column("value", sa.Double(), nullable=True),
        sa.Column("lower", sa.Double(), nullable=True),
        sa.Column("upper", sa.Double(), nullable=True),
        sa.Column("standard_error", sa.Double(), nullable=True),
        sa.Column("interval_method", sa.Text(), nullable=True),
        sa.Column("n", sa.BigInteger(), nullable=True),
        sa.Column("n_total", sa.BigInteger(), nullable=True),
        sa.Column("trials", sa.Integer(), nullable=True),
        sa.Column("direction", sa.Text(), nullable=False),
        sa.Column("unit", sa.Text(), nullable=False),
        sa.Column("scored_by", sa.Text(), nullable=False),
        sa.Column("pointer", sa.Text(), nullable=False),
        sa.Column("missing", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "(value IS NULL OR value NOT IN ('NaN', 'Infinity', '-Infinity')) AND (lower IS NULL OR lower NOT IN ('NaN', 'Infinity', '-Infinity')) AND (upper IS NULL OR upper NOT IN ('NaN', 'Infinity', '-Infinity')) AND (standard_error IS NULL OR standard_error NOT IN ('NaN', 'Infinity', '-Infinity'))",
            name=op.f("ck_cell_value_finite"),
        ),
        sa.CheckConstraint(
            "axis IN ('accuracy', 'calibration', 'robustness', 'fairness', 'bias', 'toxicity', 'efficiency')",
            name=op.f("ck_cell_axis_known"),
        ),
        sa.CheckConstraint(
            "direction IN ('higher', 'lower', 'none')", name=op.f("ck_cell_direction_known")
        ),
        sa.CheckConstraint(
            "missing IN ('not_run', 'failed', 'not_applicable', 'undefined', 'withheld')",
            name=op.f("ck_cell_missing_known"),
        ),
        sa.CheckConstraint(
            "(missing IS NULL) = (reason IS NULL)", name=op.f("ck_cell_missing_has_reason")
        ),
        sa.CheckConstraint(
            "(value IS NULL) = (missing IS NOT NULL)", name=op.f("ck_cell_value_or_missing")
        ),
        sa.CheckConstraint("length(metric) BETWEEN 1 AND 300", name=op.f("ck_cell_metric_length")),
        sa.CheckConstraint("lower <= upper", name=op.f("ck_cell_interval_order")),
        sa.CheckConstraint("n >= 0 AND trials >= 1", name=op.f("ck_cell_counts_range")),
        sa.ForeignKeyConstraint(["model_id"], ["model.id"], name=op.f("fk_cell_model_id")),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_cell_run_id")),
        sa.ForeignKeyConstraint(["scenario_id"], ["scenario.id"], name=op.f("fk_cell_scenario_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_cell")),
        sa.UniqueConstraint(
            "run_id",
            "metric",
            "split",
            "sub_split",
            "perturbation",
            name=op.f("uq_cell_run_id_metric_split_sub_split_perturbation"),
            postgresql_nulls_not_distinct=True,
        ),
    )
    op.create_index("ix_cell_matrix", "cell", ["scenario_id", "model_id", "metric"], unique=False)
    op.create_index(op.f("ix_cell_model_id"), "cell", ["model_id"], unique=False)
    op.create_table(
        "judgment",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("judge_id", sa.BigInteger(), nullable=False),
        sa.Column("battle_id", sa.BigInteger(), nullable=False),
        sa.Column("order", sa.Text(), nullable=False),
        sa.Column("sample", sa.SmallInteger(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("strength", sa.Double(), nullable=True),
        sa.Column("raw", sa.Text(), nullable=True),
        sa.Column("usage", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("seconds", sa.Double(), nullable=True),
        sa.Column("sequence", sa.BigInteger(), nullable=True),
        sa.Column("import_batch_id", sa.BigInteger(), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "(status = 'ok') = (outcome IS NOT NULL)", name=op.f("ck_judgment_outcome_iff_ok")
        ),
        sa.CheckConstraint(
            "outcome IN ('a', 'b', 'tie', 'both_bad')", name=op.f("ck_judgment_outcome_known")
        ),
        sa.CheckConstraint(
            "status = 'ok' OR sequence IS NULL", name=op.f("ck_judgment_counted_only_if_ok")
        ),
        sa.CheckConstraint(
            "status IN ('ok', 'unparsed', 'ambiguous', 'refused', 'blocked', 'truncated', 'empty', 'error', 'timeout', 'over_budget', 'identical')",
            name=op.f("ck_judgment_status_known"),
        ),
        sa.CheckConstraint(
            "\"order\" IN ('straight', 'swapped')", name=op.f('ck_judgment_"order"_known')
        ),
        sa.CheckConstraint("strength BETWEEN 0 AND 1", name=op.f("ck_judgment_strength_range")),
        sa.ForeignKeyConstraint(["battle_id"], ["battle.id"], name=op.f("fk_judgment_battle_id")),
        sa.ForeignKeyConstraint(
            ["import_batch_id"], ["import_batch.id"], name=op.f("fk_judgment_import_batch_id")
        ),
        sa.ForeignKeyConstraint(["judge_id"], ["judge.id"], name=op.f("fk_judgment_judge_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judgment")),
        sa.UniqueConstraint(
            "judge_id",
            "battle_id",
            "order",
            "sample",
            name=op.f("uq_judgment_judge_id_battle_id_order_sample"),
        ),
    )
    op.create_index("ix_judgment_battle_id", "judgment", ["battle_id"], unique=False)
    op.create_index(
        "ix_judgment_sequence",
        "judgment",
        ["sequence"],
        unique=False,
        postgresql_where="sequence IS NOT NULL",
    )
    op.create_index(
        "ix_judgment_uncounted",
        "judgment",
        ["id"],
        unique=False,
        postgresql_where="sequence IS NULL AND status = 'ok'",
    )
    op.create_table(
        "vote",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("battle_id", sa.BigInteger(), nullable=False),
        sa.Column("voter", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("idempotency_key", sa.Text(), nullable=True),
        sa.Column(
            "cast_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.Column("cast_at_assumed", sa.Text(), nullable=True),
        sa.Column("language", sa.Text(), nullable=True),
        sa.Column("address", sa.Text(), nullable=True),
        sa.Column("sequence", sa.BigInteger(), nullable=True),
        sa.Column("import_batch_id", sa.BigInteger(), nullable=True),
        sa.CheckConstraint(
            "outcome IN ('a', 'b', 'tie', 'both_bad', 'skip')", name=op.f("ck_vote_outcome_known")
        ),
        sa.CheckConstraint(
            "length(idempotency_key) BETWEEN 1 AND 200", name=op.f("ck_vote_idempotency_key_length")
        ),
        sa.CheckConstraint("length(voter) BETWEEN 1 AND 200", name=op.f("ck_vote_voter_length")),
        sa.ForeignKeyConstraint(["battle_id"], ["battle.id"], name=op.f("fk_vote_battle_id")),
        sa.ForeignKeyConstraint(
            ["import_batch_id"], ["import_batch.id"], name=op.f("fk_vote_import_batch_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vote")),
        sa.UniqueConstraint("battle_id", "voter", name=op.f("uq_vote_battle_id_voter")),
        sa.UniqueConstraint("idempotency_key", name=op.f("uq_vote_idempotency_key")),
    )
    op.create_index(
        "ix_vote_sequence",
        "vote",
        ["sequence"],
        unique=False,
        postgresql_where="sequence IS NOT NULL",
    )
    op.create_index(
        "ix_vote_uncounted", "vote", ["id"], unique=False, postgresql_where="sequence IS NULL"
    )
    op.create_table(
        "judge_run_item",
        sa.Column("judge_run_id", sa.BigInteger(), nullable=False),
        sa.Column("judgment_id", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["judge_run_id"], ["judge_run.id"], name=op.f("fk_judge_run_item_judge_run_id")
        ),
        sa.ForeignKeyConstraint(
            ["judgment_id"], ["judgment.id"], name=op.f("fk_judge_run_item_judgment_id")
        ),
        sa.PrimaryKeyConstraint("judge_run_id", "judgment_id", name=op.f("pk_judge_run_item")),
    )
    op.create_index(
        op.f("ix_judge_run_item_judgment_id"), "judge_run_item", ["judgment_id"], unique=False
    )
    op.create_table(
        "vote_flag",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("vote_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(["vote_id"], ["vote.id"], name=op.f("fk_vote_flag_vote_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vote_flag")),
        sa.UniqueConstraint("vote_id", "kind", name=op.f("uq_vote_flag_vote_id_kind")),
    )
    op.create_table(
        "vote_undo",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("vote_id", sa.BigInteger(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(["vote_id"], ["vote.id"], name=op.f("fk_vote_undo_vote_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vote_undo")),
        sa.UniqueConstraint("vote_id", name=op.f("uq_vote_undo_vote_id")),
    )
    guard()


def downgrade() -> None:
    """Drop everything that `upgrade` made."""
    op.drop_table("vote_undo")
    op.drop_table("vote_flag")
    op.drop_index(op.f("ix_judge_run_item_judgment_id"), table_name="judge_run_item")
    op.drop_table("judge_run_item")
    op.drop_index("ix_vote_uncounted", table_name="vote", postgresql_where="sequence IS NULL")
    op.drop_index("ix_vote_sequence", table_name="vote", postgresql_where="sequence IS NOT NULL")
    op.drop_table("vote")
    op.drop_index(
        "ix_judgment_uncounted",
        table_name="judgment",
        postgresql_where="sequence IS NULL AND status = 'ok'",
    )
    op.drop_index(
        "ix_judgment_sequence", table_name="judgment", postgresql_where="sequence IS NOT NULL"
    )
    op.drop_index("ix_judgment_battle_id", table_name="judgment")
    op.drop_table("judgment")
    op.drop_index(op.f("ix_cell_model_id"), table_name="cell")
    op.drop_index("ix_cell_matrix", table_name="cell")
    op.drop_table("cell")
    op.drop_index("ix_battle_voter", table_name="battle", postgresql_where="voter IS NOT NULL")
    op.drop_index(
        "ix_battle_unsettled", table_name="battle", postgresql_where="state IN ('open', 'voted')"
    )
    op.drop_table("battle")
    op.drop_index(op.f("ix_run_scenario_id"), table_name="run")
    op.drop_index(op.f("ix_run_model_id"), table_name="run")
    op.drop_table("run")
    op.drop_index(op.f("ix_rating_model_id"), table_name="rating")
    op.drop_table("rating")
    op.drop_index("ix_completion_pool", table_name="completion", postgresql_where="in_pool")
    op.drop_table("completion")
    op.drop_index(
        "uq_rating_run_open",
        table_name="rating_run",
        postgresql_nulls_not_distinct=True,
        postgresql_where="state = 'requested'",
    )
    op.drop_index("ix_rating_run_newest", table_name="rating_run")
    op.drop_table("rating_run")
    op.drop_table("preference_count")
    op.drop_index(op.f("ix_pair_policy_board_id"), table_name="pair_policy")
    op.drop_table("pair_policy")
    op.drop_table("judge_run")
    op.drop_table("invite")
    op.drop_index("ix_import_batch_file_sha256", table_name="import_batch")
    op.drop_table("import_batch")
    op.drop_index(op.f("ix_model_alias_model_id"), table_name="model_alias")
    op.drop_table("model_alias")
    op.drop_table("board")
    op.drop_table("model")
    op.drop_table("token")
    op.drop_table("scenario")
    op.drop_table("prompt")
    op.drop_table("judge")
    op.drop_table("event")
    op.drop_table("endpoint")
    op.execute("DROP SEQUENCE preference_sequence")
    for function in ("guard_vote", "guard_rating_run", "guard_append_only"):
        op.execute(f"DROP FUNCTION {function}")
