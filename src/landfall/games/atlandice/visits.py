"""Visits (AD.V1, AD.V6, AD.N1): a die, a piece, the submarine's piece; then the effect's turn comes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.state import NOT_A_CHOICE, Moves
from landfall.games.atlandice.actions import (
    ENTER,
    NEUTRAL_DIE,
    OWN_DIE,
    PASS,
    PIECE,
    RESOLVE,
    SUBMARINE_PIECE,
    TAKE,
)
from landfall.games.atlandice.board import BLACK_MARKET, REGIONS, SECTOR_NAMES, SECTORS
from landfall.games.atlandice.components import NEUTRAL, RESOURCE_NAMES, RESOURCES, USED_UP
from landfall.games.atlandice.events import tell

if TYPE_CHECKING:
    from landfall.games.atlandice.messages import DieTaken, Gained, PieceTaken
    from landfall.games.atlandice.state import AtlandiceState


def pieces_in(s: AtlandiceState, sector: i64) -> i64:
    """How many pieces lie in a sector."""
    lying = s.lying
    at = sector * RESOURCES
    return lying[at] + lying[at + 1] + lying[at + 2] + lying[at + 3] + lying[at + 4]


def put(s: AtlandiceState, sector: i64, resource: i64) -> None:
    """A piece comes to lie in a sector; a region has then held one, however short (AD.V3)."""
    s.lying[sector * RESOURCES + resource] += 1
    if sector < REGIONS:
        s.held[sector] = 1


def gain(s: AtlandiceState, place: i64, reason: Gained) -> None:
    """Whom the visit benefits gets the piece at a place (sector * 5 + resource)."""
    s.lying[place] -= 1
    s.stock[s.holder * RESOURCES + place % RESOURCES] += 1
    if s.events is not None:
        event: PieceTaken = {
            "kind": "take" if s.holder == s.turn else "take_neutral",
            "seat": int(s.turn),
            "sector": SECTOR_NAMES[place // RESOURCES],
            "resource": RESOURCE_NAMES[place % RESOURCES],
            "reason": reason,
        }
        tell(s, event)


# --- (a) the die --------------------------------------------------------------------------------------------------


def own_die_left(s: AtlandiceState, seat: i64) -> bool:
    """Whether a seat may take a die of its own: with two players, at most two of its three are (AD.N1)."""
    return s.players > 2 or s.taken[seat] < 2


def neutral_die_left(s: AtlandiceState, seat: i64) -> bool:
    """Whether a seat may take the neutral player's die: exactly one of its three is (AD.N1)."""
    return s.players == 2 and s.gave[seat] == 0


def generate_dice(s: AtlandiceState, moves: Moves) -> None:
    own = own_die_left(s, s.actor)
    neutral = neutral_die_left(s, s.actor)
    for sector in range(SECTORS):
        if s.dice[sector] > 0:
            if own:
                moves.add(OWN_DIE + sector)
            if neutral:
                moves.add(NEUTRAL_DIE + sector)


def forbids_die(s: AtlandiceState, action: i64) -> str:
    if action >= TAKE:
        return NOT_A_CHOICE
    if action >= NEUTRAL_DIE:
        if s.players != 2 or s.gave[s.actor] == 1:
            return "AD.N1"
    elif s.players == 2 and s.taken[s.actor] == 2:
        return "AD.N1"  # the third is the neutral player's, if none was before
    sector = action % SECTORS
    if s.dice[sector] > 0:
        return ""
    return "AD.V3" if sector != BLACK_MARKET and s.top[sector] == USED_UP else "AD.V1"


def take_die(s: AtlandiceState, action: i64) -> None:
    sector = action % SECTORS
    s.turn = s.actor
    s.holder = s.actor
    if action >= NEUTRAL_DIE:
        s.holder = NEUTRAL
        s.gave[s.actor] = 1
    s.dice[sector] -= 1
    s.taken[s.holder] += 1
    s.at = sector
    s.phase = ENTER
    if s.events is not None:
        event: DieTaken = {
            "kind": "die" if s.holder == s.turn else "die_neutral",
            "seat": int(s.turn),
            "sector": SECTOR_NAMES[sector],
        }
        tell(s, event)


# --- (b) the pieces -----------------------------------------------------------------------------------------------


def enter(s: AtlandiceState) -> None:
    """A visit to `at`, with a die or by jeweller c (AD.V6); a sector without pieces may be visited (AD.V10)."""
    s.actor = s.turn
    s.phase = PIECE if pieces_in(s, s.at) > 0 else RESOLVE


def generate_pieces(s: AtlandiceState, moves: Moves) -> None:
    first = s.at * RESOURCES
    for place in range(first, first + RESOURCES):
        if s.lying[place] > 0:
            moves.add(TAKE + place)


def forbids_piece(s: AtlandiceState, action: i64) -> str:
    if action == PASS:
        return "AD.V1"  # one takes a piece if there is one
    if action < TAKE or action >= TAKE + SECTORS * RESOURCES:
        return NOT_A_CHOICE
    place = action - TAKE
    if place // RESOURCES != s.at or s.lying[place] == 0:
        return "AD.V1"
    return ""


def take_piece(s: AtlandiceState, action: i64) -> None:
    """One piece, and one more where the submarine is, if there is one."""
    gain(s, action - TAKE, "visit" if s.phase == PIECE else "submarine")
    if s.phase == PIECE and s.submarine == s.at and pieces_in(s, s.at) > 0:
        s.phase = SUBMARINE_PIECE
    else:
        s.phase = RESOLVE
