"""A position as a seat knows it, in numbers for nets. Of the other hands only the size and the cards all know of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, u8

from landfall.core.layout import Layout, Sheet, capped, count, counts, kind
from landfall.core.state import CHANCE, OVER
from landfall.core.vectors import filled
from landfall.games.atlantis import drawing, ending, tiles
from landfall.games.atlantis.board import ATLANTIS, MAINLAND, POSITIONS, ROW
from landfall.games.atlantis.components import (
    CARDS_A_KIND,
    FIGURES,
    KINDS,
    MOST_PLAYERS,
    NUM_KINDS,
    TILE_KIND,
    TILE_VALUE,
)
from landfall.games.atlantis.phases import PHASES

if TYPE_CHECKING:
    from landfall.games.atlantis.state import AtlantisState

SEATS: Final[i64] = MOST_PLAYERS
FIELDS: Final[i64] = 7
HOPS: Final[i64] = FIGURES * NUM_KINDS

TABLE: Final = [
    kind("players", 4),
    kind("phase", len(PHASES) - 1),
    kind("actor", 5),  # from the seat; 4: chance, 5: nobody
    kind("turn", 3),
    kind("mover", 3),
    count("bill", 20),
    count("paid", 20),
    count("to_draw", 7),
    count("bought", 3),
    count("laid", 1),
    count("idle", 4),
    *counts("hand", list(KINDS), 15),
    *counts("fresh", list(KINDS), 3),  # in hand, bought this turn
    *counts("unseen", list(KINDS), 15),  # in the deck or in another hand
    *counts("discard", list(KINDS), 15),
    count("deck", 105),
    count("path", 52),  # tiles on top
    count("below", 52),  # tiles under them
    count("price", 120),  # of the whole path
    *counts("tiles", list(KINDS), 12),  # on top, by kind
]
SEAT: Final = [
    count("worth", 255),
    count("cards", 40),
    count("home", 3),
    count("owed", 255),
    count("tiles_ahead", 156),
    count("bridge", 1),
    count("known", 40),
    count("kinds", 7),  # own: held; others: known of
    count("in_turn", 1),
    *counts("known", list(KINDS), 15),
]
# A piece is a figure with a kind of card: where that card would take it.
PIECE: Final = [
    kind("cards", 8),  # own, 1 to 4: how many held, from none; others, 5 to 8: how many known of
    kind("hop", 15),  # tiles passed
    kind("price", 8),
    kind("takes", 8),  # the value of the tile taken; 8: stands on an occupied one, hops on
    kind("toll", 31),  # still ahead from there
    kind("ahead", 27),  # tiles ahead of the figure, halved
    kind("from", 3),  # the path, Atlantis, the move under way, arrived
]
LAYOUT: Final = Layout("atlantis", 1, int(SEATS), TABLE, SEAT, int(HOPS), PIECE, [])
PIECE_AT: Final[i64] = LAYOUT.piece_at
SIZE: Final[i64] = LAYOUT.size
AHEAD: Final = filled(55, 0)  # by place + 1: top tiles beyond it; refilled at each call
BY_KIND: Final = filled(7, 0)
NONE: Final[i64] = 0


def encode(s: AtlantisState, seat: i64, sheet: Sheet) -> None:
    """One row."""
    n = s.players
    survey(s)
    sheet.put(n)
    sheet.put(s.phase)
    sheet.put(4 if s.actor == CHANCE else 5 if s.actor == OVER else (s.actor - seat + n) % n)
    sheet.put((s.seat - seat + n) % n)
    sheet.put(s.mover + 1)
    sheet.put(capped(s.bill, 20))
    sheet.put(capped(s.paid, 20))
    sheet.put(s.to_draw)
    sheet.put(s.bought_count)
    sheet.put(s.laid)
    sheet.put(s.idle)
    for k in range(NUM_KINDS):
        sheet.put(s.hand[seat * NUM_KINDS + k])
    for k in range(NUM_KINDS):
        sheet.put(s.bought[k] if s.seat == seat else NONE)
    for k in range(NUM_KINDS):
        sheet.put(unseen(s, seat, k))
    for k in range(NUM_KINDS):
        sheet.put(s.discard[k])
    sheet.put(drawing.total(s.deck))
    below: i64 = 0
    for at in range(POSITIONS):
        below += s.below[at]
    sheet.put(AHEAD[ATLANTIS + 1])
    sheet.put(below)
    sheet.put(capped(s.toll[MAINLAND + 1], 120))
    for k in range(NUM_KINDS):
        sheet.put(BY_KIND[k])
    for slot in range(SEATS):
        if slot < n:
            seat_fields(s, (seat + slot) % n, slot == 0, sheet)
        else:
            for _ in range(len(SEAT)):
                sheet.put(0)
    for slot in range(SEATS):
        o = sheet.used * SIZE + PIECE_AT + slot * HOPS * FIELDS
        if slot < n:
            hops(s, (seat + slot) % n, slot == 0, sheet, o)
        elif sheet.cells[o] != 0:
            for k in range(o, o + HOPS * FIELDS):
                sheet.cells[k] = 0
    sheet.used += 1
    sheet.at = sheet.used * SIZE


def survey(s: AtlantisState) -> None:
    """Count the top tiles beyond every place, and those of each kind."""
    for k in range(NUM_KINDS):
        BY_KIND[k] = 0
    total: i64 = 0
    AHEAD[MAINLAND + 1] = 0
    at: i64 = POSITIONS - 1
    while at >= 0:
        AHEAD[at + 1] = total
        tile = s.top[at]
        if tile >= 0:
            total += 1
            BY_KIND[TILE_KIND[tile]] += 1
        at -= 1
    AHEAD[ATLANTIS + 1] = total


def unseen(s: AtlantisState, seat: i64, k: i64) -> i64:
    """How many cards of a kind may be anywhere for all this seat knows."""
    left: i64 = CARDS_A_KIND - s.discard[k] - s.out_cards[k] - s.hand[seat * NUM_KINDS + k]
    for other in range(s.players):
        if other != seat:
            left -= s.known[other * NUM_KINDS + k]
    return left


def seat_fields(s: AtlantisState, who: i64, own: bool, sheet: Sheet) -> None:
    home: i64 = 0
    owed: i64 = 0
    ahead: i64 = 0
    for figure in range(who * FIGURES, who * FIGURES + FIGURES):
        at = s.figure_at[figure]
        if at == MAINLAND:
            home += 1
        owed += s.toll[MAINLAND + 1] - s.toll[at + 1]
        ahead += AHEAD[at + 1]
    known: i64 = 0
    kinds: i64 = 0
    for i in range(who * NUM_KINDS, (who + 1) * NUM_KINDS):
        known += s.known[i]
        if (s.hand[i] if own else s.known[i]) > 0:
            kinds += 1
    sheet.put(capped(s.worth[who], 255))
    sheet.put(capped(ending.hand_size(s, who), 40))
    sheet.put(home)
    sheet.put(capped(owed, 255))
    sheet.put(ahead)
    sheet.put(s.holds_bridge[who])
    sheet.put(capped(known, 40))
    sheet.put(kinds)
    sheet.put(1 if s.seat == who else 0)
    for i in range(who * NUM_KINDS, (who + 1) * NUM_KINDS):
        sheet.put(s.known[i])


def hops(s: AtlantisState, who: i64, own: bool, sheet: Sheet, o: i64) -> None:
    """Where each kind of card would take each figure."""
    cells = sheet.cells
    for figure in range(FIGURES):
        at = s.figure_at[who * FIGURES + figure]
        under_way = s.mover == figure and s.seat == who
        origin: i64 = s.origin if under_way else at
        start: i64 = 3 if at == MAINLAND else 2 if under_way else 1 if at == ATLANTIS else 0
        for k in range(NUM_KINDS):
            cards: i64 = 1 + capped(s.hand[who * NUM_KINDS + k], 3)
            if not own:
                cards = 5 + capped(s.known[who * NUM_KINDS + k], 3)
            cells[o] = u8(cards)
            if at == MAINLAND:
                for i in range(o + 1, o + 6):
                    cells[i] = 0
            else:
                to = s.ahead[k * ROW + at + 1]
                takes: i64 = 8
                if to == MAINLAND or s.occupant[to] < 0:
                    behind = tiles.tile_behind(s, to, origin)
                    takes = TILE_VALUE[s.top[behind]] if behind >= 0 else 0
                cells[o + 1] = u8(capped(AHEAD[at + 1] - AHEAD[to + 1], 15))
                cells[o + 2] = u8(capped(s.toll[to + 1] - s.toll[origin + 1], 8))
                cells[o + 3] = u8(takes)
                cells[o + 4] = u8(capped(s.toll[MAINLAND + 1] - s.toll[to + 1], 31))
                cells[o + 5] = u8(capped(AHEAD[at + 1] >> 1, 27))
            cells[o + 6] = u8(start)
            o += FIELDS
