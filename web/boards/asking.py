"""What can be asked of a board in its address, so that a link to a page is a link to exactly what it shows."""

from enum import StrEnum
from typing import Annotated
from urllib.parse import urlencode

from pydantic import BaseModel, Field

from arena.leaderboard import Asked, CellChoice, Sort
from web.forms import LONGEST_NAME, Name

Word = Annotated[Name, Field(max_length=LONGEST_NAME)]


class Format(StrEnum):
    """What a board can be taken as."""

    HTML = "html"
    JSON = "json"
    CSV = "csv"
    SVG = "svg"


class Wanted(BaseModel):
    """Whose preferences, read how, which cells beside them, in which order; `q` is a part of a model's name."""

    source: Word = ""
    reading: Word = ""
    cells: CellChoice = CellChoice.MAIN
    sort: Word = Sort.RATING
    q: Word = ""

    def asked(self) -> Asked:
        """Return it in the words of the use case; an empty field of a form asks for what is usual."""
        return Asked(
            source=self.source or None,
            reading=self.reading or None,
            cells=self.cells,
            sort=self.sort or Sort.RATING,
            contains=self.q,
        )

    def link(self, **changed: str) -> str:
        """Return the query of the same page with something changed; what is usual is left out."""
        usual = {
            "source": "",
            "reading": "",
            "cells": CellChoice.MAIN,
            "sort": Sort.RATING,
            "q": "",
        }
        asked = {name: str(getattr(self, name)) for name in usual} | changed
        words = urlencode(
            {name: word for name, word in asked.items() if word and word != usual.get(name)}
        )
        return f"?{words}" if words else ""


class WantedPage(Wanted):
    """The same, and as what."""

    format: Format = Format.HTML
