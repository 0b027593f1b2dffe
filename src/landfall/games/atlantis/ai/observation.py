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
        Tensor("players", (), 4, "how many play"),
        Tensor("phase", (), len(phases.PHASES) - 1, "what is asked, in the order of phases.py"),
        Tensor("actor", (), 5, "who is asked, from the seat; 4: chance, 5: nobody"),
        Tensor("turn", (), 3, "whose turn it is"),
        Tensor("mover", (), components.FIGURES, "the figure being moved, counted from 1; 0: none"),
        Tensor("origin", (), board.STATIONS - 1, "where it stood before: 0 Atlantis, then the positions"),
        Tensor("bill_hundreds", (), 3, "of what is to be paid"),
        Tensor("bill", (), 99, "the rest of it"),
        Tensor("paid_hundreds", (), 3, "of what has been paid"),
        Tensor("paid", (), 99, "the rest of it"),
        Tensor("to_draw", (), components.MAX_TO_DRAW, "cards still to be drawn"),
        Tensor("bought", (), components.MAX_BOUGHT, "cards bought this turn"),
        Tensor("laid", (), 1, "the bridge was laid at the first moment of this turn"),
        Tensor("idle", (), 4, "players in a row who were stuck and could draw nothing"),
        Tensor("deck", (), components.NUM_CARDS, "cards in it"),
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

KIND: Final[i64] = TENSORS.offset_of("path_kind")
VALUE: Final[i64] = TENSORS.offset_of("path_value")
BRIDGE: Final[i64] = TENSORS.offset_of("path_bridge")
VALUES: Final[i64] = VALUE // 8  # offsets of these three in words
BELOWS: Final[i64] = TENSORS.first["path_below"] // 8
BRIDGED: Final[i64] = BRIDGE // 8
FOUR_BYTES: Final[i64] = 0xFFFFFFFF
FIGURE: Final[i64] = TENSORS.offset_of("path_figure")
WHERE: Final[i64] = TENSORS.offset_of("figures")
BRIDGES: Final[i64] = TENSORS.offset_of("bridges")
TILES: Final[i64] = TENSORS.offset_of("tiles")
CARDS: Final[i64] = TENSORS.offset_of("cards")
KNOWN: Final[i64] = TENSORS.offset_of("known")
HAND: Final[i64] = TENSORS.offset_of("hand")
MAY_NOT_PAY: Final[i64] = TENSORS.offset_of("may_not_pay")
DRAWN: Final[i64] = TENSORS.offset_of("drawn")
SHUFFLED: Final[i64] = TENSORS.offset_of("shuffled")
PLAYED: Final[i64] = TENSORS.offset_of("played")
DISCARD: Final[i64] = TENSORS.offset_of("discard")
OUT: Final[i64] = TENSORS.offset_of("out")


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
    write_card_counts(words, o + HAND, s.hand, own)
    if seat == s.seat:
        write_card_counts(words, o + MAY_NOT_PAY, s.bought, 0)
    else:
        words[o + MAY_NOT_PAY >> 3] = 0
    write_card_counts(words, o + DRAWN, s.drawn, own)
    write_card_counts(words, o + SHUFFLED, s.shuffled, 0)
    write_card_counts(words, o + PLAYED, s.played, 0)
    write_card_counts(words, o + DISCARD, s.discard, 0)
    write_card_counts(words, o + OUT, s.out_cards, 0)


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
            if words[w + VALUES] != value or words[w + BELOWS] != below:
                words[w + VALUES] = value
                words[w + BELOWS] = below
                changed = True
            words[w + BRIDGED] = bridge
            value = 0
            below = 0
            bridge = 0
            w += 1
    return changed


def write_top_tile_kinds(s: AtlantisPosition, words: Buf, o: i64) -> None:
    """One plane per kind."""
    zero_bytes(words, o + KIND, o + VALUE)
    for at in range(board.POSITIONS):
        tile = s.top[at]
        if tile >= 0:
            add_to_byte(words, o + KIND + components.TILE_KIND[tile] * board.POSITIONS + at, 1)


def write_held_tiles(s: AtlantisPosition, seat: i64, words: Buf, o: i64) -> None:
    """The tiles of each seat."""
    zero_bytes(words, o + TILES, o + CARDS)
    for tile in range(components.NUM_TILES):
        if s.tile_at[tile] >= components.HELD:
            add_to_byte(
                words,
                o
                + TILES
                + relative_seat(s, s.tile_at[tile] - components.HELD, seat) * components.NUM_FACES
                + components.TILE_FACE[tile],
                1,
            )


def write_public_seat_facts(s: AtlantisPosition, seat: i64, words: Buf, o: i64) -> None:
    """The public facts about each seat except its tiles."""
    zero_bytes(words, o + FIGURE, o + BRIDGES)
    zero_bytes(words, o + KNOWN, o + HAND)
    bridges: i64 = 0
    cards: i64 = 0
    for who in range(s.players):
        slot = relative_seat(s, who, seat)
        for f in range(components.FIGURES):
            place = s.figure_at[who * components.FIGURES + f]
            add_to_byte(words, o + WHERE + slot * components.FIGURES + f, place + 1)
            if 0 <= place < board.POSITIONS:
                add_to_byte(words, o + FIGURE + slot * board.POSITIONS + place, 1)
        bridges |= s.holds_bridge[who] << (slot << 3)
        cards |= count_cards_in_hand(s, who) << (slot << 3)
        for kind in range(components.NUM_KINDS):
            if s.known[who * components.NUM_KINDS + kind] != 0:
                add_to_byte(
                    words, o + KNOWN + slot * components.NUM_KINDS + kind, s.known[who * components.NUM_KINDS + kind]
                )
    words[o + BRIDGES >> 3] = bridges
    words[o + CARDS >> 3] = cards


def write_turn_state(s: AtlantisPosition, seat: i64, words: Buf, w: i64) -> None:
    """The single numbers: whose turn it is and what is asked."""
    n = s.players
    words[w] = pack_eight_bytes(
        n,
        s.phase,
        4 if s.actor == CHANCE else 5 if s.actor == OVER else (s.actor - seat + n) % n,
        relative_seat(s, s.seat, seat),
        s.mover + 1,
        s.origin + 1,
        s.bill // HUNDRED,
        s.bill % HUNDRED,
    )
    words[w + 1] = pack_eight_bytes(
        s.paid // HUNDRED, s.paid % HUNDRED, s.to_draw, s.bought_count, s.laid, s.idle, sum_card_counts(s.deck), 0
    )


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
