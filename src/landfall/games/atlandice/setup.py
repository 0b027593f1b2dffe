"""Set-up (AD.U1): pieces laid out, and tiles turned up, at the start and later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.state import CHANCE
from landfall.games.atlandice import rounds
from landfall.games.atlandice.board import BLACK_MARKET, REGIONS, SECTOR_NAMES
from landfall.games.atlandice.components import (
    LETTERS,
    MARKET_SHARE,
    ON_TOP,
    REGION_SHARE,
    RESOURCES,
    place_of,
    tile_name,
)
from landfall.games.atlandice.events import tell
from landfall.games.atlandice.phases import REVEAL, VISITED

if TYPE_CHECKING:
    from landfall.games.atlandice.position import AtlandicePosition


def lay_out(s: AtlandicePosition) -> None:
    """The pieces in their places, the stacks face down."""
    for r in range(RESOURCES):
        s.lying[place_of(BLACK_MARKET, r)] = MARKET_SHARE
        s.lying[place_of(r, r)] = REGION_SHARE[s.players]
        s.held[r] = 1
    s.phase = REVEAL
    s.reveal = 0
    s.actor = CHANCE


def revealed(s: AtlandicePosition, letter: i64) -> None:
    """A stack's next tile is turned up; with all five up at the start, the first round begins."""
    region = s.reveal
    tile = region * LETTERS + letter
    s.tile_place[tile] = ON_TOP
    s.top[region] = letter
    if s.events is not None:
        hands = int(s.hands[tile])
        tell(s, {"kind": "reveal", "sector": SECTOR_NAMES[region], "tile": tile_name(int(tile)), "hands": hands})
    s.reveal = 0
    if s.round > 0:
        s.phase = VISITED  # the visit's other empty regions (AD.V2)
    elif region + 1 < REGIONS:
        s.reveal = region + 1
    else:
        rounds.begin(s)
