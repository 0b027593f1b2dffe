"""A position as a seat knows it, in numbers for nets. Of the other hands only the size and the cards all know of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.core.layout import Layout, Sheet, capped, count, counts, eight, flag, kind, write
from landfall.core.state import CHANCE, OVER
from landfall.core.vectors import filled
from landfall.games.atlantis import drawing, tiles
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
    from landfall.games.atlantis.position import AtlantisPosition

SEATS: Final[i64] = MOST_PLAYERS
HOPS: Final[i64] = FIGURES * NUM_KINDS

TABLE: Final = [
    kind("players", 4),
    kind("phase", len(PHASES) - 1),
    kind("actor", 5),  # from the seat; 4: chance, 5: nobody
    kind("turn", 3),
    kind("mover", 3),
    count("bill", 20),
    count("paid", 20),
    count("path", 52),  # tiles on top
    *counts("hand", list(KINDS), 15),
    count("to_draw", 7),
    *counts("fresh", list(KINDS), 3),  # in hand, bought this turn
    count("bought", 3),
    *counts("unseen", list(KINDS), 15),  # in the deck or in another hand
    count("laid", 1),
    *counts("discard", list(KINDS), 15),
    count("idle", 4),
    *counts("tiles", list(KINDS), 12),  # on top, by kind
    count("below", 52),  # tiles under them
    count("deck", 105),
    count("price", 120),  # of the whole path
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
SEAT_WORD: Final[i64] = LAYOUT.seat_at // 8
PIECE_WORD: Final[i64] = LAYOUT.piece_at // 8
SIZE: Final[i64] = LAYOUT.size // 8
AHEAD: Final = filled(55, 0)  # by place + 1: top tiles beyond it; refilled at each call
BY_KIND: Final = filled(7, 0)
BYTES: Final = filled(50, 0)


def encode(s: AtlantisPosition, seat: i64, sheet: Sheet) -> None:
    """One row."""
    survey(s)
    first = sheet.used * SIZE
    table(s, seat)
    write(sheet.words, first * 8, BYTES, len(TABLE))
    for slot in range(SEATS):
        o = first + PIECE_WORD + slot * HOPS
        if slot < s.players:
            who = (seat + slot) % s.players
            seat_fields(s, who, slot == 0, sheet, first + SEAT_WORD + slot * 2)
            hops(s, who, slot == 0, sheet, o)
        else:
            sheet.words[first + SEAT_WORD + slot * 2] = 0
            sheet.words[first + SEAT_WORD + slot * 2 + 1] = 0
            for i in range(o, o + HOPS):
                sheet.words[i] = 0
    sheet.used += 1


def table(s: AtlantisPosition, seat: i64) -> None:
    n = s.players
    b = BYTES
    b[0] = n
    b[1] = s.phase
    b[2] = 4 if s.actor == CHANCE else 5 if s.actor == OVER else (s.actor - seat + n) % n
    b[3] = (s.seat - seat + n) % n
    b[4] = s.mover + 1
    b[5] = capped(s.bill, 20)
    b[6] = capped(s.paid, 20)
    b[7] = AHEAD[ATLANTIS + 1]
    for k in range(NUM_KINDS):
        b[8 + k] = s.hand[seat * NUM_KINDS + k]
        b[16 + k] = s.bought[k] if s.seat == seat else 0
        b[24 + k] = unseen(s, seat, k)
        b[32 + k] = s.discard[k]
        b[40 + k] = BY_KIND[k]
    b[15] = s.to_draw
    b[23] = s.bought_count
    b[31] = s.laid
    b[39] = s.idle
    below: i64 = 0
    for at in range(POSITIONS):
        below += s.below[at]
    b[47] = below
    b[48] = drawing.total(s.deck)
    b[49] = capped(s.toll[MAINLAND + 1], 120)


def survey(s: AtlantisPosition) -> None:
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


def unseen(s: AtlantisPosition, seat: i64, k: i64) -> i64:
    """How many cards of a kind may be anywhere for all this seat knows."""
    left: i64 = CARDS_A_KIND - s.discard[k] - s.out_cards[k] - s.hand[seat * NUM_KINDS + k]
    for other in range(s.players):
        if other != seat:
            left -= s.known[other * NUM_KINDS + k]
    return left


def seat_fields(s: AtlantisPosition, who: i64, own: bool, sheet: Sheet, o: i64) -> None:
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
    sheet.words[o] = eight(
        capped(s.worth[who], 255),
        capped(drawing.hand_size(s, who), 40),
        home,
        capped(owed, 255),
        ahead,
        s.holds_bridge[who],
        capped(known, 40),
        kinds,
    )
    k = who * NUM_KINDS
    open_cards = s.known
    sheet.words[o + 1] = eight(
        flag(s.seat == who),
        open_cards[k],
        open_cards[k + 1],
        open_cards[k + 2],
        open_cards[k + 3],
        open_cards[k + 4],
        open_cards[k + 5],
        open_cards[k + 6],
    )


def hops(s: AtlantisPosition, who: i64, own: bool, sheet: Sheet, o: i64) -> None:
    """Where each kind of card would take each figure."""
    words = sheet.words
    end = s.toll[MAINLAND + 1]
    for figure in range(FIGURES):
        at = s.figure_at[who * FIGURES + figure]
        under_way = s.mover == figure and s.seat == who
        origin: i64 = s.origin if under_way else at
        start: i64 = 3 if at == MAINLAND else 2 if under_way else 1 if at == ATLANTIS else 0
        for k in range(NUM_KINDS):
            cards: i64 = 1 + capped(s.hand[who * NUM_KINDS + k], 3)
            if not own:
                cards = 5 + capped(s.known[who * NUM_KINDS + k], 3)
            if at == MAINLAND:
                words[o] = cards | start << 48
            else:
                to = s.ahead[k * ROW + at + 1]
                takes: i64 = 8
                if to == MAINLAND or s.occupant[to] < 0:
                    behind = tiles.tile_behind(s, to, origin)
                    takes = TILE_VALUE[s.top[behind]] if behind >= 0 else 0
                words[o] = eight(
                    cards,
                    capped(AHEAD[at + 1] - AHEAD[to + 1], 15),
                    capped(s.toll[to + 1] - s.toll[origin + 1], 8),
                    takes,
                    capped(end - s.toll[to + 1], 31),
                    capped(AHEAD[at + 1] >> 1, 27),
                    start,
                    0,
                )
            o += 1
