"""Cells of static evidence: taken in from the files of the tools that computed them."""

from arena.cells.importing import CellsReport, import_cells

__all__ = ["CellsReport", "import_cells"]
