"""`arena config`: the settings in force, with what is secret left out."""

from pydantic import SecretStr
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from arena.settings import Settings

STARS = "***"


def shown_settings(settings: Settings) -> dict[str, str]:
    """Return each setting by its variable, secrets as stars and addresses without their password."""
    values = {name: getattr(settings, name) for name in Settings.model_fields}
    return {f"ARENA_{name.upper()}": _shown(name, value) for name, value in values.items()}


def _shown(name: str, value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, SecretStr):
        return str(value)
    return _without_secrets(value.get_secret_value()) if name.endswith("_url") else STARS


def _without_secrets(address: str) -> str:
    """Return an address without its password, wherever in it that stands."""
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        return STARS
    hidden = {key: STARS for key in url.query if "pass" in key.lower()}
    return url.update_query_dict(hidden).render_as_string(hide_password=True).replace("%2A", "*")
