"""The templates: everything is escaped, and a name that is not given is an error instead of a blank."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from web import charts
from web.pages.assets import Assets
from web.pages.numbers import FILTERS

FOLDER = Path(__file__).parent.parent / "templates"


def open_templates(assets: Assets) -> Environment:
    """Return the environment that every page is rendered in."""
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.globals["static"] = assets.address
    environment.globals["charts"] = charts
    environment.filters.update(FILTERS)
    return environment
