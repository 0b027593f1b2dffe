"""The games, by name. A new game is one folder here and one line below."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from landfall.core.errors import UnknownGame

if TYPE_CHECKING:
    from landfall.core.game import Game

NAMES: Final = ("survive", "atlantis", "atlandice")


def game(name: str) -> Game:
    """The game of that name; UnknownGame lists those there are."""
    if name not in NAMES:
        raise UnknownGame(name, list(NAMES))
    found: Game = import_module(f"landfall.games.{name}.ruleset").GAME
    return found
