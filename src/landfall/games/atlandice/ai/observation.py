"""Observation tensors of the whole table, relative to a seat; nothing is hidden (AD.V9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.core.feature_layout import (
    RowBuffer,
    add_to_byte,
    bool_to_int,
    clamp_to_max,
    pack_eight_bytes,
    write_bytes_at_word,
    zero_bytes,
)
from landfall.core.observation_layout import MAX_ENTRY, Tensor, TensorLayout
from landfall.core.state import CHANCE, OVER
from landfall.games.atlandice.rules import board, components, phases
from landfall.games.atlandice.rules.position import AtlandicePosition
from landfall.games.atlandice.rules.scoring import count_scoring_holders

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf

SPACES: Final = 120  # maximum of a clock; the default has fewer

TENSORS: Final = TensorLayout(
    "atlandice",
    1,
    [
        Tensor("players", (), 4, "how many play", "s.players"),
        Tensor("phase", (), len(phases.PHASES) - 1, "what is asked, in the order of phases.py", "s.phase"),
        Tensor("actor", (), 5, "who is asked, from the seat; 4: chance, 5: nobody", "actor"),
        Tensor("turn", (), 3, "whose visit it is", "(s.turn - seat + s.players) % s.players"),
        Tensor(
            "for_neutral", (), 1, "the visit benefits the neutral player", "bool_to_int(visit and s.holder != s.turn)"
        ),
        Tensor("starter", (), 3, "this round's first player", "(s.first - seat + s.players) % s.players"),
        Tensor("round", (), 127, "counted from 1; 0 before the first", "clamp_to_max(s.round, MAX_ENTRY)"),
        Tensor("visits", (), 8, "finished in this round", "s.visits"),
        Tensor("to_roll", (), int(components.MAX_DICE), "dice still to be rolled", "s.to_roll"),
        Tensor("clock", (), 127, "the space the clock's hand points at", "clamp_to_max(s.hand, MAX_ENTRY)"),
        Tensor("last", (), 127, "the clock's last space", "clamp_to_max(last, MAX_ENTRY)"),
        Tensor("submarine", (), board.SECTORS - 1, "its sector", "s.submarine"),
        Tensor("at", (), board.SECTORS, "the sector visited, counted from 1; 0: no visit", "1 + s.at if visit else 0"),
        Tensor(
            "picked",
            (),
            board.SECTORS * components.RESOURCES,
            "counted from 1, what is to be moved: a place, or a die's sector",
            "1 + s.picked if picks else 0",
        ),
        Tensor("reveal", (), board.REGIONS - 1, "the stack whose next tile is turned up", "s.reveal"),
        Tensor("donors", (), 3, "players whom the donation has passed", "s.donors"),
        Tensor(
            "icons",
            (SPACES,),
            int(components.DONATION),
            "on each space of the clock: 0 none, 1 to 5 a resource, 6 all, 7 donation",
        ),
        Tensor(
            "hands", (components.TILES + 1,), 127, "by tile, the black market's last: by how much it moves the clock"
        ),
        Tensor(
            "pieces", (board.SECTORS, components.RESOURCES), int(components.MAX_PER_RESOURCE), "lying in each sector"
        ),
        Tensor("dice", (board.SECTORS,), int(components.MAX_DICE), "lying in each sector"),
        Tensor(
            "top", (board.REGIONS,), components.LETTERS + 1, "on each stack: 0 used up, 1 to 3 a letter, 4 face down"
        ),
        Tensor("held", (board.REGIONS,), 1, "the tile on top has held a piece"),
        Tensor(
            "tiles",
            (components.TILES,),
            components.TAKEN + components.HOLDERS - 1,
            "0 unseen, 1 on top, 2 gone, 3 on: taken, by holder",
        ),
        Tensor(
            "stock",
            (components.HOLDERS, components.RESOURCES),
            int(components.MAX_PER_RESOURCE),
            "by holder; with two players the third is neutral",
        ),
        Tensor("points", (components.HOLDERS,), 127, "tiles not counted"),
        Tensor("taken", (components.HOLDERS,), int(components.OWN_DICE) + 1, "dice of each holder in this round"),
        Tensor("gave", (components.HOLDERS,), 1, "the seat's die for the neutral player is taken"),
    ],
)

ICONS_AT: Final[i64] = TENSORS.offset_of("icons")
HANDS_AT: Final[i64] = TENSORS.offset_of("hands")
PIECES_AT: Final[i64] = TENSORS.offset_of("pieces")
DICE_AT: Final[i64] = TENSORS.offset_of("dice")
TOP_AT: Final[i64] = TENSORS.offset_of("top")
HELD_AT: Final[i64] = TENSORS.offset_of("held")
TILES_AT: Final[i64] = TENSORS.offset_of("tiles")
STOCK_AT: Final[i64] = TENSORS.offset_of("stock")
POINTS_AT: Final[i64] = TENSORS.offset_of("points")
TAKEN_AT: Final[i64] = TENSORS.offset_of("taken")
GAVE_AT: Final[i64] = TENSORS.offset_of("gave")


def write_observation_row(s: AtlandicePosition, seat: i64, sheet: RowBuffer) -> None:
    """Write one row; the clock's face is constant during a match."""
    words = sheet.words
    if sheet.seat_in_next_row() < 0:
        o = sheet.take_zeroed_row()
        write_clock_face(s, words, o)
    else:
        o = sheet.take_row()
    write_turn_state(s, seat, words, o >> 3)
    write_bytes_at_word(words, o + PIECES_AT, s.lying, board.SECTORS * components.RESOURCES)
    write_bytes_at_word(words, o + DICE_AT, s.dice, board.SECTORS)
    top: i64 = 0
    for region in range(board.REGIONS):
        top |= (s.top[region] + 1) << (region << 3)
    words[o + TOP_AT >> 3] = top
    write_bytes_at_word(words, o + HELD_AT, s.held, board.REGIONS)
    write_tile_places(s, seat, words, o + TILES_AT >> 3)
    write_holder_facts(s, seat, words, o)


def write_tile_places(s: AtlandicePosition, seat: i64, words: Buf, w: i64) -> None:
    """The place of each tile."""
    packed: i64 = 0
    for tile in range(components.TILES):
        where = s.tile_place[tile]
        if where >= components.TAKEN:
            where = components.TAKEN + relative_holder(s, where - components.TAKEN, seat)
        packed |= where << ((tile & 7) << 3)
        if tile & 7 == 7:
            words[w] = packed
            w += 1
            packed = 0
    words[w] = packed


def write_holder_facts(s: AtlandicePosition, seat: i64, words: Buf, o: i64) -> None:
    """Their stocks, points and dice."""
    zero_bytes(words, o + STOCK_AT, o + POINTS_AT)
    points: i64 = 0
    taken: i64 = 0
    gave: i64 = 0
    for holder in range(count_scoring_holders(s)):
        slot = relative_holder(s, holder, seat)
        for resource in range(components.RESOURCES):
            if s.stock[holder * components.RESOURCES + resource] != 0:
                add_to_byte(
                    words,
                    o + STOCK_AT + slot * components.RESOURCES + resource,
                    s.stock[holder * components.RESOURCES + resource],
                )
        points |= clamp_to_max(s.points[holder], MAX_ENTRY) << (slot << 3)
        taken |= s.taken[holder] << (slot << 3)
        gave |= s.gave[holder] << (slot << 3)
    words[o + POINTS_AT >> 3] = points
    words[o + TAKEN_AT >> 3] = taken
    words[o + GAVE_AT >> 3] = gave


def write_clock_face(s: AtlandicePosition, words: Buf, o: i64) -> None:
    """Its icons, and how far each tile moves its hand."""
    spaces: i64 = len(s.icons)
    for i in range(clamp_to_max(spaces, SPACES)):
        if s.icons[i] != components.NO_ICON:
            add_to_byte(words, o + ICONS_AT + i, s.icons[i])
    for i in range(components.TILES + 1):
        add_to_byte(words, o + HANDS_AT + i, clamp_to_max(s.hands[i], MAX_ENTRY))


def write_turn_state(s: AtlandicePosition, seat: i64, words: Buf, w: i64) -> None:
    """The single numbers: whose turn it is and what is asked."""
    visit = phases.PIECE <= s.phase <= phases.SUBMARINE_TO
    picks = s.phase in (phases.DIE_TO, phases.SWAP, phases.PIECE_TO)
    last: i64 = len(s.icons) - 1
    actor: i64 = 4 if s.actor == CHANCE else 5 if s.actor == OVER else (s.actor - seat + s.players) % s.players
    # row: TENSORS -> words[w]
    words[w] = pack_eight_bytes(
        s.players,
        s.phase,
        actor,
        (s.turn - seat + s.players) % s.players,
        bool_to_int(visit and s.holder != s.turn),
        (s.first - seat + s.players) % s.players,
        clamp_to_max(s.round, MAX_ENTRY),
        s.visits,
    )
    words[w + 1] = pack_eight_bytes(
        s.to_roll,
        clamp_to_max(s.hand, MAX_ENTRY),
        clamp_to_max(last, MAX_ENTRY),
        s.submarine,
        1 + s.at if visit else 0,
        1 + s.picked if picks else 0,
        s.reveal,
        s.donors,
    )
    # end of row


def relative_holder(s: AtlandicePosition, holder: i64, seat: i64) -> i64:
    """A holder number relative to the seat; the neutral player stays after the seats."""
    if holder >= s.players:
        return holder
    return holder - seat if holder >= seat else holder - seat + s.players
