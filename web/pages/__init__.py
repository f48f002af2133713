"""Pages: a template with the layout's context, or an error in the form its reader understands."""

from web.pages.answers import error_response, page
from web.pages.assets import Asset, Assets
from web.pages.templates import open_templates
from web.pages.twins import json_address

__all__ = ["Asset", "Assets", "error_response", "json_address", "open_templates", "page"]
