"""The board that an empty installation can start with: written for this project, and said to be simulated."""

from arena.demo.loading import BOARD, load_demo

__all__ = ["BOARD", "load_demo"]
