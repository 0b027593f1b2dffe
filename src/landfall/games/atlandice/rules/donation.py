"""Donation (AD.V5): in turn order, any two pieces for a point, any number of times."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from landfall.core.state import NOT_A_CHOICE, ActionList
from landfall.games.atlandice.rules import codes, components, phases
from landfall.games.atlandice.rules.event_recording import record_event
from landfall.games.atlandice.rules.position import AtlandicePosition
from landfall.games.atlandice.rules.scoring import add_points, count_pieces_of_holder
from landfall.games.atlandice.rules.visits import add_resource_piece_to_sector

PIECES_A_POINT: Final = 2


def ask_next_donor(s: AtlandicePosition) -> None:
    """One pass from this round's first player; holders of fewer than two are skipped, the neutral player too."""
    while s.donors < s.players:
        seat = (s.first + s.donors) % s.players
        if count_pieces_of_holder(s, seat) >= PIECES_A_POINT:
            s.phase = phases.DONATE
            s.actor = seat
            return
        s.donors += 1
    s.donors = 0
    s.phase = phases.CLOCK_DONE


def add_legal_donations(s: AtlandicePosition, moves: ActionList) -> None:
    mine = s.actor * components.RESOURCES
    for resource in range(components.RESOURCES):
        if s.stock[mine + resource] > 0:
            moves.add(codes.GIVE + resource)
    if s.phase == phases.DONATE:
        moves.add(codes.PASS)


def rule_forbidding_donation(s: AtlandicePosition, sort: i64, resource: components.Resource) -> str:
    if sort == codes.PASS:
        return "" if s.phase == phases.DONATE else "AD.V5"  # two pieces make a point, one makes none
    if sort != codes.GIVE:
        return NOT_A_CHOICE
    return "" if s.stock[s.actor * components.RESOURCES + resource] > 0 else "AD.V5"


def end_seat_donation(s: AtlandicePosition) -> None:
    """The next player may donate."""
    if s.events is not None:
        record_event(s, {"kind": "no_more", "seat": int(s.actor)})
    s.donors += 1
    s.phase = phases.NEXT_DONOR


def donate_piece(s: AtlandicePosition, resource: components.Resource) -> None:
    """A piece returns to its own region; the second of two scores the point."""
    s.stock[s.actor * components.RESOURCES + resource] -= 1
    add_resource_piece_to_sector(s, components.home_region_of_resource(resource), resource)
    if s.events is not None:
        record_event(s, {"kind": "give", "seat": int(s.actor), "resource": components.RESOURCE_NAMES[resource]})
    if s.phase == phases.DONATE:
        s.phase = phases.DONATE_SECOND
    else:
        add_points(s, s.actor, components.DONATION_POINTS, "donation")
        s.phase = phases.NEXT_DONOR  # the same donor again, if two pieces are left
