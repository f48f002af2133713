"""The registry: which models and boards there are, and who said so."""

from arena.registry.boards import BoardEntry, create_board, list_boards
from arena.registry.models import (
    ModelEntry,
    NewModel,
    add_alias,
    add_model,
    list_models,
    retire_model,
)
from arena.registry.policies import choose_policy

__all__ = [
    "BoardEntry",
    "ModelEntry",
    "NewModel",
    "add_alias",
    "add_model",
    "choose_policy",
    "create_board",
    "list_boards",
    "list_models",
    "retire_model",
]
