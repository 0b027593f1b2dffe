"""The round (AD.P1, AD.P2, AD.P3, AD.P4): gates, the order of visits, the clock, the next first player; the end."""

from __future__ import annotations

from mypy_extensions import i64

from landfall.core.state import CHANCE, OVER
from landfall.games.atlandice.rules import board, components, phases, scoring
from landfall.games.atlandice.rules.event_recording import record_event
from landfall.games.atlandice.rules.position import AtlandicePosition


def begin_round(s: AtlandicePosition) -> None:
    """The first player has all dice in hand."""
    s.round += 1
    s.visits = 0
    s.turn = 0
    s.holder = 0
    s.at = board.JEWELLER
    s.picked = 0
    s.to_roll = components.DICE[s.players]
    for sector in range(board.SECTORS):
        s.dice[sector] = 0
    for holder in range(components.HOLDERS):
        s.taken[holder] = 0
        s.gave[holder] = 0
    s.phase = phases.GATES
    s.actor = CHANCE
    if s.events is not None:
        record_event(s, {"kind": "round", "round": int(s.round), "seat": int(s.first)})


def sector_for_die_number(s: AtlandicePosition, shown: board.Sector) -> board.Sector:
    """AD.P1, AD.V6: the sector for a number; a used-up stack's number means the black market, like a six."""
    if shown != board.BLACK_MARKET and s.top[shown] == components.USED_UP:
        return board.BLACK_MARKET
    return shown


def put_die_at_gate(s: AtlandicePosition, shown: board.Sector) -> None:
    """AD.P1: one of the dice rolled goes to its sector."""
    sector = sector_for_die_number(s, shown)
    s.dice[sector] += 1
    s.to_roll -= 1
    if s.events is not None:
        record_event(s, {"kind": "gate", "face": int(shown) + 1, "sector": board.SECTOR_NAMES[sector]})
    if s.to_roll == 0:
        s.phase = phases.DIE
        s.actor = s.first
        s.turn = s.first
        s.holder = s.first


def begin_next_visit_or_clock_step(s: AtlandicePosition) -> None:
    """AD.P2: one visit each, clockwise, until one die is left."""
    s.visits += 1
    if s.visits == components.VISITS[s.players]:
        s.phase = phases.CLOCK
        return
    s.turn = (s.first + s.visits) % s.players
    s.holder = s.turn
    s.actor = s.turn
    s.phase = phases.DIE


def count_clock_hands_on_sector(s: AtlandicePosition, sector: board.Sector) -> i64:
    """The clock hands on a sector now."""
    if sector == board.BLACK_MARKET:
        return s.hands[components.TILES]
    return s.hands[sector * components.LETTERS + s.top[sector]]


def clock_space_if_last_die_in_sector(s: AtlandicePosition, sector: board.Sector) -> i64:
    """AD.P3: the hand's new space if the last die lay in this sector; it stops at the last space (AD.C4)."""
    last: i64 = len(s.icons) - 1
    to = s.hand + count_clock_hands_on_sector(s, sector)
    return to if to < last else last


def move_clock_and_trigger_icon(s: AtlandicePosition) -> None:
    """AD.P3: the last die moves the hand; only the icon at its new space takes effect."""
    last: i64 = len(s.icons) - 1
    s.phase = phases.CLOCK_DONE
    if s.hand == last:  # AD.V8: nothing is triggered
        return
    sector = board.JEWELLER
    while s.dice[sector] == 0:
        sector = board.Sector(sector + 1)
    before = s.hand
    s.hand = clock_space_if_last_die_in_sector(s, sector)
    icon = components.Icon(s.icons[s.hand])
    if s.events is not None:
        record_event(s, {"kind": "clock", "sector": board.SECTOR_NAMES[sector], "from": int(before), "to": int(s.hand)})
    if icon == components.NO_ICON:
        return
    if icon == components.DONATION:
        s.donors = 0
        s.phase = phases.NEXT_DONOR
        if s.events is not None:
            record_event(s, {"kind": "donation"})
    else:
        scoring.score_inventory(s, icon)


def end_match_or_begin_round(s: AtlandicePosition) -> None:
    """AD.E1: the game ends if the hand is on the last space; else the first player marker moves left (AD.P4)."""
    if s.hand == len(s.icons) - 1:
        s.phase = phases.FINISHED
        s.actor = OVER
        if s.events is not None:
            scoring.record_final_scoring(s)
        return
    s.first = (s.first + 1) % s.players
    begin_round(s)
