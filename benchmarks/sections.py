"""What a benchmark found: a table to print, and a section of the page of benchmarks, with its date and command."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from rich.console import Console
from rich.table import Table

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "benchmarks.md"


@dataclass(frozen=True)
class Section:
    """One table: what was measured in a sentence or two, on which machine, by which command."""

    title: str
    about: str
    command: str
    machine: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]
    picture: str = ""

    def show(self, console: Console) -> None:
        """Print the table."""
        console.print(self.machine, highlight=False, soft_wrap=True)
        table = Table(*self.columns, title=self.title)
        for row in self.rows:
            table.add_row(*row)
        console.print(table)

    def write(self) -> None:
        """Put the section on the page, in the place of the one with its title or at the end."""
        before, found, after = PAGE.read_text().partition(f"## {self.title}\n")
        following = after.partition("\n## ")[2] if found else ""
        rest = f"\n## {following}" if following else ""
        PAGE.write_text(f"{before.rstrip()}\n\n{self._text()}{rest}")

    def _text(self) -> str:
        lines = [self.columns, ("---",) * len(self.columns), *self.rows]
        table = "\n".join(f"| {' | '.join(row)} |" for row in lines)
        made = f"Measured on {date.today()} by `{self.command}`: {self.machine}."  # noqa: DTZ011 - of this machine
        parts = [f"## {self.title}", f"{self.about}\n{made}", table]
        if self.picture:
            parts.insert(2, self.picture)
        return "\n\n".join(parts) + "\n"


def publish(console: Console, *sections: Section) -> None:
    """Print the sections and write them to the page."""
    for section in sections:
        section.show(console)
        section.write()
