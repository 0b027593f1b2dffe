"""Set-up (AD.U1): laying out the pieces, and turning up tiles, at the start and later."""

from __future__ import annotations

from landfall.core.state import CHANCE
from landfall.games.atlandice.rules import board, components, phases, rounds
from landfall.games.atlandice.rules.event_recording import record_event
from landfall.games.atlandice.rules.position import AtlandicePosition


def set_up_pieces(s: AtlandicePosition) -> None:
    """The pieces in their places, the stacks face down."""
    for r in range(components.RESOURCES):
        s.lying[components.place_of_resource(board.BLACK_MARKET, components.Resource(r))] = components.MARKET_SHARE
        s.lying[components.place_of_resource(board.Sector(r), components.Resource(r))] = components.REGION_SHARE[
            s.players
        ]
        s.held[r] = 1
    s.phase = phases.REVEAL
    s.reveal = board.JEWELLER
    s.actor = CHANCE


def turn_up_next_tile(s: AtlandicePosition, letter: components.Letter) -> None:
    """Turn up a stack's next tile; when all five are up at the start, the first round begins."""
    region = s.reveal
    tile = components.tile_of_region(region, letter)
    s.tile_place[tile] = components.ON_TOP
    s.top[region] = letter
    if s.events is not None:
        hands = int(s.hands[tile])
        record_event(
            s,
            {
                "kind": "reveal",
                "sector": board.SECTOR_NAMES[region],
                "tile": components.tile_name(int(tile)),
                "hands": hands,
            },
        )
    s.reveal = board.JEWELLER
    if s.round > 0:
        s.phase = phases.VISITED  # continue with the visit's other empty regions (AD.V2)
    elif region + 1 < board.REGIONS:
        s.reveal = board.Sector(region + 1)
    else:
        rounds.begin_round(s)
