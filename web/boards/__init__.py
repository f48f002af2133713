"""The page of a board and its files: who leads, how sure that is, and what else was measured."""

from web.boards.routes import router

__all__ = ["router"]
