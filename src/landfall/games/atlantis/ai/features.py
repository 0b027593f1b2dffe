"""Feature rows for nets: a position as a seat knows it. Of other hands it reads only the size and the public cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

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
)
from landfall.core.int_vectors import filled_vector
from landfall.core.state import CHANCE, OVER
from landfall.games.atlantis.rules import board, card_drawing, components, path_tiles, phases
from landfall.games.atlantis.rules.position import AtlantisPosition

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf

MAX_SEATS: Final[i64] = components.MAX_PLAYERS
MAX_HOPS: Final[i64] = components.FIGURES * components.NUM_KINDS

TABLE_FIELDS: Final = [
    categorical_field("players", 4, "s.players"),
    categorical_field("phase", len(phases.PHASES) - 1, "s.phase"),
    categorical_field("actor", 5, "actor"),  # relative to the seat; 4: chance, 5: nobody
    categorical_field("turn", 3, "(s.seat - seat + s.players) % s.players"),
    categorical_field("mover", 3, "s.mover + 1"),
    numeric_field("bill", 20, "clamp_to_max(s.bill, 20)"),
    numeric_field("paid", 20, "clamp_to_max(s.paid, 20)"),
    numeric_field("path", 52, "AHEAD[board.ATLANTIS + 1]"),  # tiles on top
    *numeric_fields_for_each("hand", list(components.KINDS), 15, "s.hand[own + {i}]"),
    numeric_field("to_draw", 7, "s.to_draw"),
    # in hand, bought this turn
    *numeric_fields_for_each("fresh", list(components.KINDS), 3, "s.bought[{i}] if s.seat == seat else 0"),
    numeric_field("bought", 3, "s.bought_count"),
    # in the deck or in another hand
    *numeric_fields_for_each("unseen", list(components.KINDS), 15, "count_unseen_cards(s, seat, {i})"),
    numeric_field("laid", 1, "s.laid"),
    *numeric_fields_for_each("discard", list(components.KINDS), 15, "s.discard[{i}]"),
    numeric_field("idle", 4, "s.idle"),
    *numeric_fields_for_each("tiles", list(components.KINDS), 12, "BY_KIND[{i}]"),  # on top, by kind
    numeric_field("below", 52, "below"),  # tiles under them
    numeric_field("deck", 105, "card_drawing.sum_card_counts(s.deck)"),
    numeric_field("price", 120, "clamp_to_max(s.toll[board.MAINLAND + 1], 120)"),  # of the whole path
]
SEAT_FIELDS: Final = [
    numeric_field("worth", 255, "clamp_to_max(s.worth[who], 255)"),
    numeric_field("cards", 40, "clamp_to_max(card_drawing.count_cards_in_hand(s, who), 40)"),
    numeric_field("home", 3, "home"),
    numeric_field("owed", 255, "clamp_to_max(owed, 255)"),
    numeric_field("tiles_ahead", 156, "ahead"),
    numeric_field("bridge", 1, "s.holds_bridge[who]"),
    numeric_field("known", 40, "clamp_to_max(known, 40)"),
    numeric_field("kinds", 7, "kinds"),  # own: held; others: public
    numeric_field("in_turn", 1, "bool_to_int(s.seat == who)"),
    *numeric_fields_for_each("known", list(components.KINDS), 15, "s.known[first + {i}]"),
]
# A piece is a figure combined with a kind of card: where that card would take it.
PIECE_FIELDS: Final = [
    categorical_field("cards", 8, "cards"),  # own, 1 to 4: number held plus one; others, 5 to 8: public ones
    categorical_field("hop", 15, "clamp_to_max(AHEAD[at + 1] - AHEAD[to + 1], 15)"),  # tiles passed
    categorical_field("price", 8, "clamp_to_max(s.toll[to + 1] - s.toll[origin + 1], 8)"),
    categorical_field("takes", 8, "takes"),  # the value of the tile taken; 8: occupied, the figure hops on
    categorical_field("toll", 31, "clamp_to_max(end - s.toll[to + 1], 31)"),  # price still ahead from there
    categorical_field("ahead", 27, "clamp_to_max(AHEAD[at + 1] >> 1, 27)"),  # tiles ahead of the figure, halved
    categorical_field("from", 3, "start"),  # the path, Atlantis, the current move, arrived
]
LAYOUT: Final = FeatureLayout("atlantis", 1, int(MAX_SEATS), TABLE_FIELDS, SEAT_FIELDS, int(MAX_HOPS), PIECE_FIELDS, [])
SEAT_WORD: Final[i64] = LAYOUT.seat_at // 8
PIECE_WORD: Final[i64] = LAYOUT.piece_at // 8
SIZE: Final[i64] = LAYOUT.size // 8
AHEAD: Final = filled_vector(55, 0)  # by place + 1: top tiles beyond it; refilled at each call
BY_KIND: Final = filled_vector(7, 0)


def write_feature_row(s: AtlantisPosition, seat: i64, sheet: RowBuffer) -> None:
    """Write one row."""
    fill_tiles_ahead_counts(s)
    first = sheet.used * SIZE
    write_table_fields(s, seat, sheet.words, first)
    for slot in range(MAX_SEATS):
        o = first + PIECE_WORD + slot * MAX_HOPS
        if slot < s.players:
            who = (seat + slot) % s.players
            write_seat_fields(s, who, slot == 0, sheet.words, first + SEAT_WORD + slot * 2)
            write_card_move_targets(s, who, slot == 0, sheet, o)
        else:
            sheet.words[first + SEAT_WORD + slot * 2] = 0
            sheet.words[first + SEAT_WORD + slot * 2 + 1] = 0
            for i in range(o, o + MAX_HOPS):
                sheet.words[i] = 0
    sheet.used += 1


def write_table_fields(s: AtlantisPosition, seat: i64, words: Buf, o: i64) -> None:
    actor: i64 = 4 if s.actor == CHANCE else 5 if s.actor == OVER else (s.actor - seat + s.players) % s.players
    own = seat * components.NUM_KINDS
    below: i64 = 0
    for at in range(board.POSITIONS):
        below += s.below[at]
    # row: TABLE_FIELDS -> words[o]
    words[o] = pack_eight_bytes(
        s.players,
        s.phase,
        actor,
        (s.seat - seat + s.players) % s.players,
        s.mover + 1,
        clamp_to_max(s.bill, 20),
        clamp_to_max(s.paid, 20),
        AHEAD[board.ATLANTIS + 1],
    )
    words[o + 1] = pack_eight_bytes(
        s.hand[own + 0],
        s.hand[own + 1],
        s.hand[own + 2],
        s.hand[own + 3],
        s.hand[own + 4],
        s.hand[own + 5],
        s.hand[own + 6],
        s.to_draw,
    )
    words[o + 2] = pack_eight_bytes(
        s.bought[0] if s.seat == seat else 0,
        s.bought[1] if s.seat == seat else 0,
        s.bought[2] if s.seat == seat else 0,
        s.bought[3] if s.seat == seat else 0,
        s.bought[4] if s.seat == seat else 0,
        s.bought[5] if s.seat == seat else 0,
        s.bought[6] if s.seat == seat else 0,
        s.bought_count,
    )
    words[o + 3] = pack_eight_bytes(
        count_unseen_cards(s, seat, 0),
        count_unseen_cards(s, seat, 1),
        count_unseen_cards(s, seat, 2),
        count_unseen_cards(s, seat, 3),
        count_unseen_cards(s, seat, 4),
        count_unseen_cards(s, seat, 5),
        count_unseen_cards(s, seat, 6),
        s.laid,
    )
    words[o + 4] = pack_eight_bytes(
        s.discard[0], s.discard[1], s.discard[2], s.discard[3], s.discard[4], s.discard[5], s.discard[6], s.idle
    )
    words[o + 5] = pack_eight_bytes(
        BY_KIND[0], BY_KIND[1], BY_KIND[2], BY_KIND[3], BY_KIND[4], BY_KIND[5], BY_KIND[6], below
    )
    words[o + 6] = pack_eight_bytes(
        card_drawing.sum_card_counts(s.deck), clamp_to_max(s.toll[board.MAINLAND + 1], 120), 0, 0, 0, 0, 0, 0
    )
    # end of row


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


def write_seat_fields(s: AtlantisPosition, who: i64, own: bool, words: Buf, o: i64) -> None:
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
    first = who * components.NUM_KINDS
    for i in range(first, first + components.NUM_KINDS):
        known += s.known[i]
        if (s.hand[i] if own else s.known[i]) > 0:
            kinds += 1
    # row: SEAT_FIELDS -> words[o]
    words[o] = pack_eight_bytes(
        clamp_to_max(s.worth[who], 255),
        clamp_to_max(card_drawing.count_cards_in_hand(s, who), 40),
        home,
        clamp_to_max(owed, 255),
        ahead,
        s.holds_bridge[who],
        clamp_to_max(known, 40),
        kinds,
    )
    words[o + 1] = pack_eight_bytes(
        bool_to_int(s.seat == who),
        s.known[first + 0],
        s.known[first + 1],
        s.known[first + 2],
        s.known[first + 3],
        s.known[first + 4],
        s.known[first + 5],
        s.known[first + 6],
    )
    # end of row


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
                # row: PIECE_FIELDS word 0 of cards, from -> words[o]
                words[o] = cards | start << 48
                # end of row
            else:
                to = s.ahead[k * board.ROW + at + 1]
                takes: i64 = 8
                if to == board.MAINLAND or s.occupant[to] < 0:
                    behind = path_tiles.find_free_tile_behind(s, to, origin)
                    takes = components.TILE_VALUE[s.top[behind]] if behind >= 0 else 0
                # row: PIECE_FIELDS word 0 -> words[o]
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
                # end of row
            o += 1
