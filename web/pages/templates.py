"""The templates: everything is escaped, and a name that is not given is an error instead of a blank."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from web.pages.assets import Assets

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
    environment.filters["count"] = counted
    return environment


def counted(number: int) -> str:
    """Return a whole number as people read it: 8,931."""
    return f"{number:,}"
