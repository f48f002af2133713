"""Voting: choose a board, see two answers, say which is better, take it back or see the names."""

from fastapi import APIRouter

from web.voting import calls, pages

router = APIRouter(tags=["voting"])
router.include_router(pages.router)
router.include_router(calls.router)

__all__ = ["router"]
