# interpreted
"""The path's length, and what each kind of tile shows: for pictures, and for the client's generated tables."""

from __future__ import annotations

from typing import Final

from landfall.core.message_types import Json
from landfall.games.atlantis.rules import board

KIND_SYMBOLS: Final = {
    "blue": "ring",
    "grey": "helmet",
    "white": "statue",
    "yellow": "crown",
    "brown": "amphora",
    "green": "olive",
    "pink": "flag",
}


def drawing_constants_for_client() -> dict[str, Json]:
    """The client's tables, by the names they have there."""
    return {"POSITIONS": board.POSITIONS, "KIND_SYMBOLS": {**KIND_SYMBOLS}}
