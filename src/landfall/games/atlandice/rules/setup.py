"""Set-up (AD.U1): laying out the pieces, and turning up tiles, at the start and later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from landfall.core.state import CHANCE
from landfall.games.atlandice.rules import rounds
from landfall.games.atlandice.rules.board import BLACK_MARKET, JEWELLER, REGIONS, SECTOR_NAMES, Sector
from landfall.games.atlandice.rules.components import (
    MARKET_SHARE,
    ON_TOP,
    REGION_SHARE,
    RESOURCES,
    Letter,
    Resource,
    place_of_resource,
    tile_name,
    tile_of_region,
)
from landfall.games.atlandice.rules.event_recording import record_event
from landfall.games.atlandice.rules.phases import REVEAL, VISITED

if TYPE_CHECKING:
    from landfall.games.atlandice.rules.position import AtlandicePosition


def set_up_pieces(s: AtlandicePosition) -> None:
    """The pieces in their places, the stacks face down."""
    for r in range(RESOURCES):
        s.lying[place_of_resource(BLACK_MARKET, Resource(r))] = MARKET_SHARE
        s.lying[place_of_resource(Sector(r), Resource(r))] = REGION_SHARE[s.players]
        s.held[r] = 1
    s.phase = REVEAL
    s.reveal = JEWELLER
    s.actor = CHANCE


def turn_up_next_tile(s: AtlandicePosition, letter: Letter) -> None:
    """Turn up a stack's next tile; when all five are up at the start, the first round begins."""
    region = s.reveal
    tile = tile_of_region(region, letter)
    s.tile_place[tile] = ON_TOP
    s.top[region] = letter
    if s.events is not None:
        hands = int(s.hands[tile])
        record_event(
            s, {"kind": "reveal", "sector": SECTOR_NAMES[region], "tile": tile_name(int(tile)), "hands": hands}
        )
    s.reveal = JEWELLER
    if s.round > 0:
        s.phase = VISITED  # continue with the visit's other empty regions (AD.V2)
    elif region + 1 < REGIONS:
        s.reveal = Sector(region + 1)
    else:
        rounds.begin_round(s)
