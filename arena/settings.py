"""Settings from the environment: `ARENA_*`, each with a line in docs/reference/settings.md."""

import os
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

ROOT_HOME = Path("/var/lib/arena")


def default_home() -> Path:
    """Return where state is kept: `./.arena`, and for root a folder that a server user can reach."""
    return ROOT_HOME if os.geteuid() == 0 else Path(".arena")


class Settings(BaseSettings):
    """Everything that an operator may set. Secrets are `SecretStr`: they print as stars."""

    model_config = SettingsConfigDict(
        env_prefix="ARENA_", secrets_dir=os.environ.get("ARENA_SECRETS_DIR"), extra="ignore"
    )

    home: Annotated[Path, AfterValidator(Path.absolute)] = Field(default_factory=default_home)
    database_url: SecretStr | None = None
    redis_url: SecretStr | None = None
    postgres_bin: Path | None = None
    valkey_bin: Path | None = None
    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)
    workers: int = Field(default=4, ge=1, le=64)
    public_url: str | None = None
    secret_key: SecretStr | None = None
    log_format: str = Field(default="console", pattern="^(console|json)$")
    log_level: str = Field(default="info", pattern="^(debug|info|warning|error)$")
    grace_seconds: int = Field(default=10, ge=0, le=600)
    settle_seconds: int = Field(default=600, ge=1)
    battle_hours: float = Field(default=24, gt=0)
    session_votes: int = Field(default=20, ge=1, le=1000)
    reconcile_seconds: int = Field(default=30, ge=1, le=60)
    refit_seconds: int = Field(default=600, ge=1)
    refit_pause_seconds: float = Field(default=2, ge=0)
    import_limit_bytes: int = Field(default=32 * 1024**3, ge=1)
