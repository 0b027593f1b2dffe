"""Feature rows for nets: a position as a seat knows it. Of other hands it reads only the size and the public cards."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from landfall.core.feature_layout import (
    FeatureLayout,
    RowBuffer,
    bool_to_int,
    categorical_field,
    clamp_to_max,
    numeric_field,
    numeric_fields_for_each,
    pack_eight_bytes,
    write_bytes_at_word,
)
from landfall.core.int_vectors import filled_vector
from landfall.core.state import CHANCE, OVER
from landfall.games.atlantis.rules import board, card_drawing, components, path_tiles, phases
from landfall.games.atlantis.rules.position import AtlantisPosition

MAX_SEATS: Final[i64] = components.MAX_PLAYERS
MAX_HOPS: Final[i64] = components.FIGURES * components.NUM_KINDS

TABLE_FIELDS: Final = [
    categorical_field("players", 4),
    categorical_field("phase", len(phases.PHASES) - 1),
    categorical_field("actor", 5),  # relative to the seat; 4: chance, 5: nobody
    categorical_field("turn", 3),
    categorical_field("mover", 3),
    numeric_field("bill", 20),
    numeric_field("paid", 20),
    numeric_field("path", 52),  # tiles on top
    *numeric_fields_for_each("hand", list(components.KINDS), 15),
    numeric_field("to_draw", 7),
    *numeric_fields_for_each("fresh", list(components.KINDS), 3),  # in hand, bought this turn
    numeric_field("bought", 3),
    *numeric_fields_for_each("unseen", list(components.KINDS), 15),  # in the deck or in another hand
    numeric_field("laid", 1),
    *numeric_fields_for_each("discard", list(components.KINDS), 15),
    numeric_field("idle", 4),
    *numeric_fields_for_each("tiles", list(components.KINDS), 12),  # on top, by kind
    numeric_field("below", 52),  # tiles under them
    numeric_field("deck", 105),
    numeric_field("price", 120),  # of the whole path
]
SEAT_FIELDS: Final = [
    numeric_field("worth", 255),
    numeric_field("cards", 40),
    numeric_field("home", 3),
    numeric_field("owed", 255),
    numeric_field("tiles_ahead", 156),
    numeric_field("bridge", 1),
    numeric_field("known", 40),
    numeric_field("kinds", 7),  # own: held; others: public
    numeric_field("in_turn", 1),
    *numeric_fields_for_each("known", list(components.KINDS), 15),
]
# A piece is a figure combined with a kind of card: where that card would take it.
PIECE_FIELDS: Final = [
    categorical_field("cards", 8),  # own, 1 to 4: number held plus one; others, 5 to 8: public ones
    categorical_field("hop", 15),  # tiles passed
    categorical_field("price", 8),
    categorical_field("takes", 8),  # the value of the tile taken; 8: the target is occupied, the figure hops on
    categorical_field("toll", 31),  # price still ahead from there
    categorical_field("ahead", 27),  # tiles ahead of the figure, halved
    categorical_field("from", 3),  # the path, Atlantis, the current move, arrived
]
LAYOUT: Final = FeatureLayout("atlantis", 1, int(MAX_SEATS), TABLE_FIELDS, SEAT_FIELDS, int(MAX_HOPS), PIECE_FIELDS, [])
SEAT_WORD: Final[i64] = LAYOUT.seat_at // 8
PIECE_WORD: Final[i64] = LAYOUT.piece_at // 8
SIZE: Final[i64] = LAYOUT.size // 8
AHEAD: Final = filled_vector(55, 0)  # by place + 1: top tiles beyond it; refilled at each call
BY_KIND: Final = filled_vector(7, 0)
BYTES: Final = filled_vector(50, 0)
TABLE_LENGTH: Final[i64] = len(TABLE_FIELDS)


def write_feature_row(s: AtlantisPosition, seat: i64, sheet: RowBuffer) -> None:
    """Write one row."""
    fill_tiles_ahead_counts(s)
    first = sheet.used * SIZE
    write_table_fields(s, seat)
    write_bytes_at_word(sheet.words, first * 8, BYTES, TABLE_LENGTH)
    for slot in range(MAX_SEATS):
        o = first + PIECE_WORD + slot * MAX_HOPS
        if slot < s.players:
            who = (seat + slot) % s.players
            write_seat_fields(s, who, slot == 0, sheet, first + SEAT_WORD + slot * 2)
            write_card_move_targets(s, who, slot == 0, sheet, o)
        else:
            sheet.words[first + SEAT_WORD + slot * 2] = 0
            sheet.words[first + SEAT_WORD + slot * 2 + 1] = 0
            for i in range(o, o + MAX_HOPS):
                sheet.words[i] = 0
    sheet.used += 1


def write_table_fields(s: AtlantisPosition, seat: i64) -> None:
    n = s.players
    b = BYTES
    b[0] = n
    b[1] = s.phase
    b[2] = 4 if s.actor == CHANCE else 5 if s.actor == OVER else (s.actor - seat + n) % n
    b[3] = (s.seat - seat + n) % n
    b[4] = s.mover + 1
    b[5] = clamp_to_max(s.bill, 20)
    b[6] = clamp_to_max(s.paid, 20)
    b[7] = AHEAD[board.ATLANTIS + 1]
    for k in range(components.NUM_KINDS):
        b[8 + k] = s.hand[seat * components.NUM_KINDS + k]
        b[16 + k] = s.bought[k] if s.seat == seat else 0
        b[24 + k] = count_unseen_cards(s, seat, k)
        b[32 + k] = s.discard[k]
        b[40 + k] = BY_KIND[k]
    b[15] = s.to_draw
    b[23] = s.bought_count
    b[31] = s.laid
    b[39] = s.idle
    below: i64 = 0
    for at in range(board.POSITIONS):
        below += s.below[at]
    b[47] = below
    b[48] = card_drawing.sum_card_counts(s.deck)
    b[49] = clamp_to_max(s.toll[board.MAINLAND + 1], 120)


def fill_tiles_ahead_counts(s: AtlantisPosition) -> None:
    """Count the top tiles beyond every place, and those of each kind."""
    for k in range(components.NUM_KINDS):
        BY_KIND[k] = 0
    total: i64 = 0
    AHEAD[board.MAINLAND + 1] = 0
    at: i64 = board.POSITIONS - 1
    while at >= 0:
        AHEAD[at + 1] = total
        tile = s.top[at]
        if tile >= 0:
            total += 1
            BY_KIND[components.TILE_KIND[tile]] += 1
        at -= 1
    AHEAD[board.ATLANTIS + 1] = total


def count_unseen_cards(s: AtlantisPosition, seat: i64, k: i64) -> i64:
    """The number of cards of a kind whose place the seat does not know."""
    left: i64 = components.CARDS_A_KIND - s.discard[k] - s.out_cards[k] - s.hand[seat * components.NUM_KINDS + k]
    for other in range(s.players):
        if other != seat:
            left -= s.known[other * components.NUM_KINDS + k]
    return left


def write_seat_fields(s: AtlantisPosition, who: i64, own: bool, sheet: RowBuffer, o: i64) -> None:
    home: i64 = 0
    owed: i64 = 0
    ahead: i64 = 0
    for figure in range(who * components.FIGURES, who * components.FIGURES + components.FIGURES):
        at = s.figure_at[figure]
        if at == board.MAINLAND:
            home += 1
        owed += s.toll[board.MAINLAND + 1] - s.toll[at + 1]
        ahead += AHEAD[at + 1]
    known: i64 = 0
    kinds: i64 = 0
    for i in range(who * components.NUM_KINDS, (who + 1) * components.NUM_KINDS):
        known += s.known[i]
        if (s.hand[i] if own else s.known[i]) > 0:
            kinds += 1
    sheet.words[o] = pack_eight_bytes(
        clamp_to_max(s.worth[who], 255),
        clamp_to_max(card_drawing.count_cards_in_hand(s, who), 40),
        home,
        clamp_to_max(owed, 255),
        ahead,
        s.holds_bridge[who],
        clamp_to_max(known, 40),
        kinds,
    )
    k = who * components.NUM_KINDS
    open_cards = s.known
    sheet.words[o + 1] = pack_eight_bytes(
        bool_to_int(s.seat == who),
        open_cards[k],
        open_cards[k + 1],
        open_cards[k + 2],
        open_cards[k + 3],
        open_cards[k + 4],
        open_cards[k + 5],
        open_cards[k + 6],
    )


def write_card_move_targets(s: AtlantisPosition, who: i64, own: bool, sheet: RowBuffer, o: i64) -> None:
    """Where each kind of card would take each figure."""
    words = sheet.words
    end = s.toll[board.MAINLAND + 1]
    for figure in range(components.FIGURES):
        at = s.figure_at[who * components.FIGURES + figure]
        under_way = s.mover == figure and s.seat == who
        origin: i64 = s.origin if under_way else at
        start: i64 = 3 if at == board.MAINLAND else 2 if under_way else 1 if at == board.ATLANTIS else 0
        for k in range(components.NUM_KINDS):
            cards: i64 = 1 + clamp_to_max(s.hand[who * components.NUM_KINDS + k], 3)
            if not own:
                cards = 5 + clamp_to_max(s.known[who * components.NUM_KINDS + k], 3)
            if at == board.MAINLAND:
                words[o] = cards | start << 48
            else:
                to = s.ahead[k * board.ROW + at + 1]
                takes: i64 = 8
                if to == board.MAINLAND or s.occupant[to] < 0:
                    behind = path_tiles.find_free_tile_behind(s, to, origin)
                    takes = components.TILE_VALUE[s.top[behind]] if behind >= 0 else 0
                words[o] = pack_eight_bytes(
                    cards,
                    clamp_to_max(AHEAD[at + 1] - AHEAD[to + 1], 15),
                    clamp_to_max(s.toll[to + 1] - s.toll[origin + 1], 8),
                    takes,
                    clamp_to_max(end - s.toll[to + 1], 31),
                    clamp_to_max(AHEAD[at + 1] >> 1, 27),
                    start,
                    0,
                )
            o += 1
