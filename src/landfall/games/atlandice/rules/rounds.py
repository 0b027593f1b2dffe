"""The round (AD.P1, AD.P2, AD.P3, AD.P4): gates, the order of visits, the clock, the next first player; the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.state import CHANCE, OVER
from landfall.games.atlandice.rules import scoring
from landfall.games.atlandice.rules.board import BLACK_MARKET, JEWELLER, SECTOR_NAMES, SECTORS, Sector
from landfall.games.atlandice.rules.components import (
    DICE,
    DONATION,
    HOLDERS,
    LETTERS,
    NO_ICON,
    TILES,
    USED_UP,
    VISITS,
    Icon,
)
from landfall.games.atlandice.rules.event_recording import record_event
from landfall.games.atlandice.rules.phases import CLOCK, CLOCK_DONE, DIE, FINISHED, GATES, NEXT_DONOR

if TYPE_CHECKING:
    from landfall.games.atlandice.rules.position import AtlandicePosition


def begin_round(s: AtlandicePosition) -> None:
    """The first player has all dice in hand."""
    s.round += 1
    s.visits = 0
    s.turn = 0
    s.holder = 0
    s.at = JEWELLER
    s.picked = 0
    s.to_roll = DICE[s.players]
    for sector in range(SECTORS):
        s.dice[sector] = 0
    for holder in range(HOLDERS):
        s.taken[holder] = 0
        s.gave[holder] = 0
    s.phase = GATES
    s.actor = CHANCE
    if s.events is not None:
        record_event(s, {"kind": "round", "round": int(s.round), "seat": int(s.first)})


def sector_for_die_number(s: AtlandicePosition, shown: Sector) -> Sector:
    """AD.P1, AD.V6: the sector for a number; a used-up stack's number means the black market, like a six."""
    if shown != BLACK_MARKET and s.top[shown] == USED_UP:
        return BLACK_MARKET
    return shown


def put_die_at_gate(s: AtlandicePosition, shown: Sector) -> None:
    """AD.P1: one of the dice rolled goes to its sector."""
    sector = sector_for_die_number(s, shown)
    s.dice[sector] += 1
    s.to_roll -= 1
    if s.events is not None:
        record_event(s, {"kind": "gate", "face": int(shown) + 1, "sector": SECTOR_NAMES[sector]})
    if s.to_roll == 0:
        s.phase = DIE
        s.actor = s.first
        s.turn = s.first
        s.holder = s.first


def begin_next_visit_or_clock_step(s: AtlandicePosition) -> None:
    """AD.P2: one visit each, clockwise, until one die is left."""
    s.visits += 1
    if s.visits == VISITS[s.players]:
        s.phase = CLOCK
        return
    s.turn = (s.first + s.visits) % s.players
    s.holder = s.turn
    s.actor = s.turn
    s.phase = DIE


def count_clock_hands_on_sector(s: AtlandicePosition, sector: Sector) -> i64:
    """The clock hands on a sector now."""
    if sector == BLACK_MARKET:
        return s.hands[TILES]
    return s.hands[sector * LETTERS + s.top[sector]]


def clock_space_if_last_die_in_sector(s: AtlandicePosition, sector: Sector) -> i64:
    """AD.P3: the hand's new space if the last die lay in this sector; it stops at the last space (AD.C4)."""
    last: i64 = len(s.icons) - 1
    to = s.hand + count_clock_hands_on_sector(s, sector)
    return to if to < last else last


def move_clock_and_trigger_icon(s: AtlandicePosition) -> None:
    """AD.P3: the last die moves the hand; only the icon at its new space takes effect."""
    last: i64 = len(s.icons) - 1
    s.phase = CLOCK_DONE
    if s.hand == last:  # AD.V8: nothing is triggered
        return
    sector = JEWELLER
    while s.dice[sector] == 0:
        sector = Sector(sector + 1)
    before = s.hand
    s.hand = clock_space_if_last_die_in_sector(s, sector)
    icon = Icon(s.icons[s.hand])
    if s.events is not None:
        record_event(s, {"kind": "clock", "sector": SECTOR_NAMES[sector], "from": int(before), "to": int(s.hand)})
    if icon == NO_ICON:
        return
    if icon == DONATION:
        s.donors = 0
        s.phase = NEXT_DONOR
        if s.events is not None:
            record_event(s, {"kind": "donation"})
    else:
        scoring.score_inventory(s, icon)


def end_match_or_begin_round(s: AtlandicePosition) -> None:
    """AD.E1: the game ends if the hand is on the last space; else the first player marker moves left (AD.P4)."""
    if s.hand == len(s.icons) - 1:
        s.phase = FINISHED
        s.actor = OVER
        if s.events is not None:
            scoring.record_final_scoring(s)
        return
    s.first = (s.first + 1) % s.players
    begin_round(s)
