"""Donation (AD.V5): in turn order, any two pieces for a point, as often as one likes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.state import NOT_A_CHOICE, Moves
from landfall.games.atlandice.actions import (
    CLOCK_DONE,
    DONATE,
    DONATE_SECOND,
    GIVE,
    NEXT_DONOR,
    PASS,
)
from landfall.games.atlandice.components import RESOURCE_NAMES, RESOURCES
from landfall.games.atlandice.events import tell
from landfall.games.atlandice.scoring import score_points, stock_total
from landfall.games.atlandice.visits import put

if TYPE_CHECKING:
    from landfall.games.atlandice.state import AtlandiceState


def next_donor(s: AtlandiceState) -> None:
    """One pass from this round's first player; who holds fewer than two is passed over, the neutral never asked."""
    while s.donors < s.players:
        seat = (s.first + s.donors) % s.players
        if stock_total(s, seat) >= 2:
            s.phase = DONATE
            s.actor = seat
            return
        s.donors += 1
    s.donors = 0
    s.phase = CLOCK_DONE


def generate(s: AtlandiceState, moves: Moves) -> None:
    mine = s.actor * RESOURCES
    for resource in range(RESOURCES):
        if s.stock[mine + resource] > 0:
            moves.add(GIVE + resource)
    if s.phase == DONATE:
        moves.add(PASS)


def forbids(s: AtlandiceState, action: i64) -> str:
    if action == PASS:
        return "" if s.phase == DONATE else "AD.V5"  # two pieces make a point, one makes none
    if action < GIVE:
        return NOT_A_CHOICE
    return "" if s.stock[s.actor * RESOURCES + action - GIVE] > 0 else "AD.V5"


def apply(s: AtlandiceState, action: i64) -> None:
    """A piece returns to its own region; the second of two brings the point."""
    if action == PASS:
        if s.events is not None:
            tell(s, {"kind": "no_more", "seat": int(s.actor)})
        s.donors += 1
        s.phase = NEXT_DONOR
        return
    resource = action - GIVE
    s.stock[s.actor * RESOURCES + resource] -= 1
    put(s, resource, resource)
    if s.events is not None:
        tell(s, {"kind": "give", "seat": int(s.actor), "resource": RESOURCE_NAMES[resource]})
    if s.phase == DONATE:
        s.phase = DONATE_SECOND
    else:
        score_points(s, s.actor, 1, "donation")
        s.phase = NEXT_DONOR  # the same donor again, while two pieces are left
