"""Visits (AD.V1, AD.V6, AD.N1): a die, a piece, the submarine's piece, then the effect."""

from __future__ import annotations

from mypy_extensions import i64

from landfall.core.state import NOT_A_CHOICE, ActionList
from landfall.games.atlandice.rules import board, codes, components, message_types, phases
from landfall.games.atlandice.rules.event_recording import record_event
from landfall.games.atlandice.rules.position import AtlandicePosition


def count_pieces_in_sector(s: AtlandicePosition, sector: board.Sector) -> i64:
    """How many pieces lie in a sector."""
    lying = s.lying
    at = sector * components.RESOURCES
    return lying[at] + lying[at + 1] + lying[at + 2] + lying[at + 3] + lying[at + 4]


def add_resource_piece_to_sector(s: AtlandicePosition, sector: board.Sector, resource: components.Resource) -> None:
    """Put a piece into a sector; a region has then held one, however briefly (AD.V3)."""
    s.lying[components.place_of_resource(sector, resource)] += 1
    if sector < board.REGIONS:
        s.held[sector] = 1


def give_piece_to_visit_holder(s: AtlandicePosition, place: components.Place, reason: message_types.Gained) -> None:
    """Give the piece at a place to the holder that the visit benefits."""
    s.lying[place] -= 1
    s.stock[s.holder * components.RESOURCES + components.resource_of_place(place)] += 1
    if s.events is not None:
        event: message_types.PieceTaken = {
            "kind": "take" if s.holder == s.turn else "take_neutral",
            "seat": int(s.turn),
            "sector": board.SECTOR_NAMES[components.sector_of_place(place)],
            "resource": components.RESOURCE_NAMES[components.resource_of_place(place)],
            "reason": reason,
        }
        record_event(s, event)


# --- (a) the die --------------------------------------------------------------------------------------------------


def may_take_own_die(s: AtlandicePosition, seat: i64) -> bool:
    """Whether a seat may take a die of its own: with two players, at most two of its three are (AD.N1)."""
    return s.players > 2 or s.taken[seat] < components.OWN_DICE


def may_take_neutral_die(s: AtlandicePosition, seat: i64) -> bool:
    """Whether a seat may take the neutral player's die: exactly one of its three is (AD.N1)."""
    return s.players == 2 and s.gave[seat] == 0


def add_legal_die_choices(s: AtlandicePosition, moves: ActionList) -> None:
    own = may_take_own_die(s, s.actor)
    neutral = may_take_neutral_die(s, s.actor)
    for sector in range(board.SECTORS):
        if s.dice[sector] > 0:
            if own:
                moves.add(codes.OWN_DIE + sector)
            if neutral:
                moves.add(codes.NEUTRAL_DIE + sector)


def rule_forbidding_die(s: AtlandicePosition, sort: i64, sector: board.Sector) -> str:
    if sort == codes.NEUTRAL_DIE:
        if s.players != 2 or s.gave[s.actor] == 1:
            return "AD.N1"
    elif sort != codes.OWN_DIE:
        return NOT_A_CHOICE
    elif s.players == 2 and s.taken[s.actor] == components.OWN_DICE:
        return "AD.N1"  # the third is the neutral player's, unless an earlier one was
    if s.dice[sector] > 0:
        return ""
    return "AD.V3" if sector != board.BLACK_MARKET and s.top[sector] == components.USED_UP else "AD.V1"


def begin_visit_with_die(s: AtlandicePosition, sector: board.Sector, for_neutral: bool) -> None:
    s.turn = s.actor
    s.holder = s.actor
    if for_neutral:
        s.holder = components.NEUTRAL
        s.gave[s.actor] = 1
    s.dice[sector] -= 1
    s.taken[s.holder] += 1
    s.at = sector
    s.phase = phases.ENTER
    if s.events is not None:
        event: message_types.DieTaken = {
            "kind": "die" if s.holder == s.turn else "die_neutral",
            "seat": int(s.turn),
            "sector": board.SECTOR_NAMES[sector],
        }
        record_event(s, event)


# --- (b) the pieces -----------------------------------------------------------------------------------------------


def ask_for_piece_or_skip_to_effect(s: AtlandicePosition) -> None:
    """Start a visit to `at`, with a die or by jeweller c (AD.V6); it may have no pieces (AD.V10)."""
    s.actor = s.turn
    s.phase = phases.PIECE if count_pieces_in_sector(s, s.at) > 0 else phases.RESOLVE


def add_legal_visit_piece_choices(s: AtlandicePosition, moves: ActionList) -> None:
    first = s.at * components.RESOURCES
    for place in range(first, first + components.RESOURCES):
        if s.lying[place] > 0:
            moves.add(codes.TAKE + place)


def rule_forbidding_visit_piece(s: AtlandicePosition, sort: i64, place: components.Place) -> str:
    if sort == codes.PASS:
        return "AD.V1"  # taking a piece is mandatory if there is one
    if sort != codes.TAKE:
        return NOT_A_CHOICE
    if components.sector_of_place(place) != s.at or s.lying[place] == 0:
        return "AD.V1"
    return ""


def take_visited_piece(s: AtlandicePosition, place: components.Place) -> None:
    """Take one piece, and another if the submarine is here and a piece is left."""
    give_piece_to_visit_holder(s, place, "visit" if s.phase == phases.PIECE else "submarine")
    if s.phase == phases.PIECE and s.submarine == s.at and count_pieces_in_sector(s, s.at) > 0:
        s.phase = phases.SUBMARINE_PIECE
    else:
        s.phase = phases.RESOLVE
