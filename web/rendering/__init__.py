"""Texts that strangers and models wrote, as HTML that is safe to show: Markdown, code and maths, and nothing else.

No image is ever fetched and no HTML of the text is ever obeyed: both are shown as what they are. What costs a parser
much is found before it is parsed and shown as plain text.
"""

from web.rendering.answers import Renderer

__all__ = ["Renderer"]
