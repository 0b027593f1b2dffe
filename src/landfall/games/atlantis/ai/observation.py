"""Observation tensors: all that a seat may know (AT.T8), relative to the seat. No other hand is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.core.feature_layout import RowBuffer, add_to_byte, pack_eight_bytes, zero_bytes
from landfall.core.observation_layout import Tensor, TensorLayout
from landfall.core.state import CHANCE, OVER
from landfall.games.atlantis.rules import board, components, phases
from landfall.games.atlantis.rules.card_drawing import count_cards_in_hand, sum_card_counts
from landfall.games.atlantis.rules.position import AtlantisPosition

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf

HUNDRED: Final[i64] = 100  # sums to pay exceed a byte: they are encoded as hundreds and the rest

TENSORS: Final = TensorLayout(
    "atlantis",
    1,
    [
        Tensor("players", (), 4, "how many play", "s.players"),
        Tensor("phase", (), len(phases.PHASES) - 1, "what is asked, in the order of phases.py", "s.phase"),
        Tensor("actor", (), 5, "who is asked, from the seat; 4: chance, 5: nobody", "actor"),
        Tensor("turn", (), 3, "whose turn it is", "relative_seat(s, s.seat, seat)"),
        Tensor("mover", (), components.FIGURES, "the figure being moved, counted from 1; 0: none", "s.mover + 1"),
        Tensor(
            "origin", (), board.STATIONS - 1, "where it stood before: 0 Atlantis, then the positions", "s.origin + 1"
        ),
        Tensor("bill_hundreds", (), 3, "of what is to be paid", "s.bill // HUNDRED"),
        Tensor("bill", (), 99, "the rest of it", "s.bill % HUNDRED"),
        Tensor("paid_hundreds", (), 3, "of what has been paid", "s.paid // HUNDRED"),
        Tensor("paid", (), 99, "the rest of it", "s.paid % HUNDRED"),
        Tensor("to_draw", (), components.MAX_TO_DRAW, "cards still to be drawn", "s.to_draw"),
        Tensor("bought", (), components.MAX_BOUGHT, "cards bought this turn", "s.bought_count"),
        Tensor("laid", (), 1, "the bridge was laid at the first moment of this turn", "s.laid"),
        Tensor("idle", (), 4, "players in a row who were stuck and could draw nothing", "s.idle"),
        Tensor("deck", (), components.NUM_CARDS, "cards in it", "sum_card_counts(s.deck)"),
        Tensor(
            "path_kind", (components.NUM_KINDS, board.POSITIONS), 1, "a plane for each kind: the tile on top is of it"
        ),
        Tensor("path_value", (board.POSITIONS,), components.NUM_VALUES, "of the tile on top; 0: water"),
        Tensor("path_below", (board.POSITIONS,), 1, "tiles nobody has seen"),
        Tensor("path_bridge", (board.POSITIONS,), 1, "the gap here is bridged"),
        Tensor(
            "path_figure",
            (components.MAX_PLAYERS, board.POSITIONS),
            components.FIGURES,
            "a plane for each seat: how many of its figures are there",
        ),
        Tensor(
            "figures",
            (components.MAX_PLAYERS, components.FIGURES),
            board.STATIONS - 1,
            "where each is: 0 Atlantis, then positions, 54 the mainland",
        ),
        Tensor("bridges", (components.MAX_PLAYERS,), 1, "not yet laid"),
        Tensor("tiles", (components.MAX_PLAYERS, components.NUM_FACES), 2, "held by each seat, by kind and value"),
        Tensor("cards", (components.MAX_PLAYERS,), components.NUM_CARDS, "in each hand"),
        Tensor(
            "known",
            (components.MAX_PLAYERS, components.NUM_KINDS),
            components.CARDS_A_KIND,
            "cards in each hand that all have seen",
        ),
        Tensor("hand", (components.NUM_KINDS,), components.CARDS_A_KIND, "the seat's own"),
        Tensor(
            "may_not_pay", (components.NUM_KINDS,), components.MAX_BOUGHT, "of these, bought this turn: own turn only"
        ),
        Tensor(
            "drawn",
            (components.NUM_KINDS,),
            components.NUM_CARDS,
            "by the seat itself since the deck was last shuffled",
        ),
        Tensor("shuffled", (components.NUM_KINDS,), components.CARDS_A_KIND, "the deck when it was last shuffled"),
        Tensor("played", (components.NUM_KINDS,), components.CARDS_A_KIND, "this turn"),
        Tensor("discard", (components.NUM_KINDS,), components.CARDS_A_KIND, "the discard pile"),
        Tensor("out", (components.NUM_KINDS,), components.CARDS_A_KIND, "cards out of the game"),
    ],
)

PATH_KIND_AT: Final[i64] = TENSORS.offset_of("path_kind")
PATH_VALUE_AT: Final[i64] = TENSORS.offset_of("path_value")
PATH_BRIDGE_AT: Final[i64] = TENSORS.offset_of("path_bridge")
VALUE_WORDS: Final[i64] = PATH_VALUE_AT // 8  # offsets of these three in words
BELOW_WORDS: Final[i64] = TENSORS.first["path_below"] // 8
BRIDGE_WORDS: Final[i64] = PATH_BRIDGE_AT // 8
FOUR_BYTES: Final[i64] = 0xFFFFFFFF
PATH_FIGURE_AT: Final[i64] = TENSORS.offset_of("path_figure")
FIGURES_AT: Final[i64] = TENSORS.offset_of("figures")
BRIDGES_AT: Final[i64] = TENSORS.offset_of("bridges")
TILES_AT: Final[i64] = TENSORS.offset_of("tiles")
CARDS_AT: Final[i64] = TENSORS.offset_of("cards")
KNOWN_AT: Final[i64] = TENSORS.offset_of("known")
HAND_AT: Final[i64] = TENSORS.offset_of("hand")
MAY_NOT_PAY_AT: Final[i64] = TENSORS.offset_of("may_not_pay")
DRAWN_AT: Final[i64] = TENSORS.offset_of("drawn")
SHUFFLED_AT: Final[i64] = TENSORS.offset_of("shuffled")
PLAYED_AT: Final[i64] = TENSORS.offset_of("played")
DISCARD_AT: Final[i64] = TENSORS.offset_of("discard")
OUT_AT: Final[i64] = TENSORS.offset_of("out")


def write_observation_row(s: AtlantisPosition, seat: i64, sheet: RowBuffer) -> None:
    """Write one row. Over an earlier row of the match, tiles are rewritten only if some may have been given away."""
    was = sheet.seat_in_next_row()
    words = sheet.words
    o = sheet.take_row() if was >= 0 else sheet.take_zeroed_row()
    before = payment_fingerprint(words, o)
    write_turn_state(s, seat, words, o >> 3)
    taken = write_path_except_kinds(s, words, o)
    if taken:
        write_top_tile_kinds(s, words, o)
    if taken or was != seat or payment_fingerprint(words, o) != before:
        write_held_tiles(s, seat, words, o)
    write_public_seat_facts(s, seat, words, o)
    own = seat * components.NUM_KINDS
    write_card_counts(words, o + HAND_AT, s.hand, own)
    if seat == s.seat:
        write_card_counts(words, o + MAY_NOT_PAY_AT, s.bought, 0)
    else:
        words[o + MAY_NOT_PAY_AT >> 3] = 0
    write_card_counts(words, o + DRAWN_AT, s.drawn, own)
    write_card_counts(words, o + SHUFFLED_AT, s.shuffled, 0)
    write_card_counts(words, o + PLAYED_AT, s.played, 0)
    write_card_counts(words, o + DISCARD_AT, s.discard, 0)
    write_card_counts(words, o + OUT_AT, s.out_cards, 0)


def payment_fingerprint(words: Buf, o: i64) -> i64:
    """A number that changes whenever a tile is given away: from what is to be paid, was paid and was bought."""
    return words[o >> 3] >> 48 | (words[(o >> 3) + 1] & FOUR_BYTES) << 16


def write_path_except_kinds(s: AtlantisPosition, words: Buf, o: i64) -> bool:
    """The path, except the kinds on top. Returns whether any tile there has changed."""
    changed = False
    value: i64 = 0
    below: i64 = 0
    bridge: i64 = 0
    w = o >> 3
    for at in range(board.POSITIONS):
        tile = s.top[at]
        shift = (at & 7) << 3
        if tile >= 0:
            value |= components.TILE_VALUE[tile] << shift
        below |= s.below[at] << shift
        bridge |= s.bridge[at] << shift
        if shift == 56 or at == board.POSITIONS - 1:
            if words[w + VALUE_WORDS] != value or words[w + BELOW_WORDS] != below:
                words[w + VALUE_WORDS] = value
                words[w + BELOW_WORDS] = below
                changed = True
            words[w + BRIDGE_WORDS] = bridge
            value = 0
            below = 0
            bridge = 0
            w += 1
    return changed


def write_top_tile_kinds(s: AtlantisPosition, words: Buf, o: i64) -> None:
    """One plane per kind."""
    zero_bytes(words, o + PATH_KIND_AT, o + PATH_VALUE_AT)
    for at in range(board.POSITIONS):
        tile = s.top[at]
        if tile >= 0:
            add_to_byte(words, o + PATH_KIND_AT + components.TILE_KIND[tile] * board.POSITIONS + at, 1)


def write_held_tiles(s: AtlantisPosition, seat: i64, words: Buf, o: i64) -> None:
    """The tiles of each seat."""
    zero_bytes(words, o + TILES_AT, o + CARDS_AT)
    for tile in range(components.NUM_TILES):
        if s.tile_at[tile] >= components.HELD:
            add_to_byte(
                words,
                o
                + TILES_AT
                + relative_seat(s, s.tile_at[tile] - components.HELD, seat) * components.NUM_FACES
                + components.TILE_FACE[tile],
                1,
            )


def write_public_seat_facts(s: AtlantisPosition, seat: i64, words: Buf, o: i64) -> None:
    """The public facts about each seat except its tiles."""
    zero_bytes(words, o + PATH_FIGURE_AT, o + BRIDGES_AT)
    zero_bytes(words, o + KNOWN_AT, o + HAND_AT)
    bridges: i64 = 0
    cards: i64 = 0
    for who in range(s.players):
        slot = relative_seat(s, who, seat)
        for f in range(components.FIGURES):
            place = s.figure_at[who * components.FIGURES + f]
            add_to_byte(words, o + FIGURES_AT + slot * components.FIGURES + f, place + 1)
            if 0 <= place < board.POSITIONS:
                add_to_byte(words, o + PATH_FIGURE_AT + slot * board.POSITIONS + place, 1)
        bridges |= s.holds_bridge[who] << (slot << 3)
        cards |= count_cards_in_hand(s, who) << (slot << 3)
        for kind in range(components.NUM_KINDS):
            if s.known[who * components.NUM_KINDS + kind] != 0:
                add_to_byte(
                    words, o + KNOWN_AT + slot * components.NUM_KINDS + kind, s.known[who * components.NUM_KINDS + kind]
                )
    words[o + BRIDGES_AT >> 3] = bridges
    words[o + CARDS_AT >> 3] = cards


def write_turn_state(s: AtlantisPosition, seat: i64, words: Buf, w: i64) -> None:
    """The single numbers: whose turn it is and what is asked."""
    actor: i64 = 4 if s.actor == CHANCE else 5 if s.actor == OVER else (s.actor - seat + s.players) % s.players
    # row: TENSORS -> words[w]
    words[w] = pack_eight_bytes(
        s.players,
        s.phase,
        actor,
        relative_seat(s, s.seat, seat),
        s.mover + 1,
        s.origin + 1,
        s.bill // HUNDRED,
        s.bill % HUNDRED,
    )
    words[w + 1] = pack_eight_bytes(
        s.paid // HUNDRED, s.paid % HUNDRED, s.to_draw, s.bought_count, s.laid, s.idle, sum_card_counts(s.deck), 0
    )
    # end of row


def write_card_counts(words: Buf, at: i64, cards: Buf, first: i64) -> None:
    """Cards by kind, as one word."""
    words[at >> 3] = pack_eight_bytes(
        cards[first],
        cards[first + 1],
        cards[first + 2],
        cards[first + 3],
        cards[first + 4],
        cards[first + 5],
        cards[first + 6],
        0,
    )


def relative_seat(s: AtlantisPosition, other: i64, seat: i64) -> i64:
    """A seat number relative to the observing seat."""
    return other - seat if other >= seat else other - seat + s.players
