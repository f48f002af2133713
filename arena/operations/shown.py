"""`arena config`: the settings in force, with what is secret left out."""

from pydantic import SecretStr
from sqlalchemy import make_url

from arena.settings import Settings


def shown_settings(settings: Settings) -> dict[str, str]:
    """Return each setting by its variable, secrets as stars and addresses without their password."""
    values = {name: getattr(settings, name) for name in Settings.model_fields}
    return {f"ARENA_{name.upper()}": _shown(name, value) for name, value in values.items()}


def _shown(name: str, value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, SecretStr):
        return str(value)
    if name.endswith("_url"):
        return make_url(value.get_secret_value()).render_as_string(hide_password=True)
    return "***"
