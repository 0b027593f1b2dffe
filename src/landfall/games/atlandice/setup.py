"""Set-up (AD.U1): pieces laid out, and tiles turned up, at the start and later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.rng import Rng
from landfall.core.state import CHANCE
from landfall.games.atlandice import rounds
from landfall.games.atlandice.actions import REVEAL, TILE, VISITED
from landfall.games.atlandice.board import BLACK_MARKET, REGIONS, SECTOR_NAMES
from landfall.games.atlandice.components import (
    LETTERS,
    MARKET_SHARE,
    ON_TOP,
    REGION_SHARE,
    RESOURCES,
    UNSEEN,
    tile_name,
)
from landfall.games.atlandice.events import tell

if TYPE_CHECKING:
    from landfall.games.atlandice.state import AtlandiceState


def lay_out(s: AtlandiceState) -> None:
    """The pieces in their places, the stacks face down."""
    for r in range(RESOURCES):
        s.lying[BLACK_MARKET * RESOURCES + r] = MARKET_SHARE
        s.lying[r * RESOURCES + r] = REGION_SHARE[s.players]
        s.held[r] = 1
    s.phase = REVEAL
    s.reveal = 0
    s.actor = CHANCE


def draw_tile(s: AtlandiceState, rng: Rng) -> i64:
    """One of the unseen tiles of the stack, as an outcome."""
    first = s.reveal * LETTERS
    unseen: i64 = 0
    for i in range(LETTERS):
        if s.tile_place[first + i] == UNSEEN:
            unseen += 1
    left = rng.below(unseen)
    letter: i64 = 0
    while s.tile_place[first + letter] != UNSEEN or left > 0:
        if s.tile_place[first + letter] == UNSEEN:
            left -= 1
        letter += 1
    return TILE + letter


def revealed(s: AtlandiceState, letter: i64) -> None:
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
