"""Observation tensors: planes over the 133 spaces, lists of pieces, single numbers, the seat's own secrets.

No value or hand of another seat is read (SV.U5, SV.R8). The seat's own values stay known to it: perfect recall.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.core.feature_layout import (
    RowBuffer,
    add_to_byte,
    bool_to_int,
    clamp_to_max,
    pack_eight_bytes,
    read_byte,
    round_up_to_eight,
    write_bytes_at_word,
    zero_bytes,
)
from landfall.core.int_vectors import filled_vector, to_vector
from landfall.core.observation_layout import MAX_ENTRY, Tensor, TensorLayout
from landfall.core.state import CHANCE, OVER
from landfall.games.survive.rules import board, components, phases, piece_positions
from landfall.games.survive.rules.options import OPTIONS
from landfall.games.survive.rules.position import SurvivePosition

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf

MAX_SEATS: Final[i64] = components.COLOURS
NUM_SPACES: Final = int(board.SPACES)
LETTERS: Final = len(board.ROWS)
ACROSS: Final = max(int(name[1:]) for name in board.NAMES)
# The encoding of places in lists: the row counted from A and the number in the row; isles are row 0, counted from 1.
PLACE_CODES: Final = [board.ROWS.index(name[0]) + 1 | int(name[1:]) << 8 for name in board.NAMES] + [
    1 << 8,
    2 << 8,
    3 << 8,
    4 << 8,
]
PLACE_CODE: Final = to_vector(PLACE_CODES)
PLACE_CODE_FROM_1: Final = to_vector([0, *PLACE_CODES[:NUM_SPACES]])  # the same counted from 1; 0: nowhere
PLACE_MASK: Final[i64] = 0xFFFF
SPACE_OF_CODE: Final = to_vector(
    [
        PLACE_CODES.index(at) if (at := row | number << 8) in PLACE_CODES else 0
        for number in range(16)
        for row in range(16)
    ]
)  # the space with this encoding
# of a hand: one byte each
ON_TERRAIN: Final = to_vector(
    [t * 8 for t in range(int(components.TERRAINS)) for _ in range(int(components.HAND_KINDS))]
)
# of a hand's
KEPT_BACK: Final = to_vector(
    [t * int(components.BACKS) + b for t in range(int(components.TERRAINS)) for b in range(int(components.HAND_KINDS))]
)
MARKS: Final = to_vector([(m & int(components.ACTED)) << 32 | (m // int(components.FELL)) << 40 for m in range(4)])
OPTION_SLOTS: Final = round_up_to_eight(len(OPTIONS))  # spare slots are zero: an option that fits keeps the layout
OPTION_WORDS: Final[i64] = OPTION_SLOTS // 8

ASHORE: Final[i64] = 1  # on a tile
IN_WATER: Final[i64] = 2
ON_SHIP: Final[i64] = 3
ON_ISLE: Final[i64] = 4
GONE: Final[i64] = 5
THREE_BYTES: Final[i64] = 0xFFFFFF
TEN_BITS: Final[i64] = 0x3FF
NO_VALUE: Final[i64] = ~(0xFF << 24)
EARLIER: Final = filled_vector(int(components.EXPLORERS), 0)  # buffer for rotating the list of explorers

TENSORS: Final = TensorLayout(
    "survive",
    2,
    [
        Tensor("players", (), 6, "how many play", "s.players"),
        Tensor("phase", (), int(phases.PHASES) - 1, "what is asked, in the order of phases.py", "s.phase"),
        Tensor("step", (), int(phases.STEPS) - 1, "of the turn", "s.step"),
        Tensor("actor", (), 7, "who is asked, from the seat; 6: chance, 7: nobody", "actor"),
        Tensor("turn", (), 5, "whose turn it is", "(s.turn - seat + s.players) % s.players"),
        Tensor("points", (), int(components.MOVEMENT_POINTS), "movement points left", "s.points"),
        Tensor("die", (), int(components.FACES), "its face, counted from 1; 0: none lies", "s.face + 1"),
        Tensor("far", (), int(components.ANYWHERE), "what the second dive die shows; 0: none", "s.far"),
        Tensor(
            "attacker",
            (),
            int(components.CREATURES),
            "the creature that strikes or takes prey, counted from 1",
            "s.creature + 1",
        ),
        Tensor("prey_aboard", (), 1, "the squid may also take from the ship in its space", "s.prey_aboard"),
        Tensor(
            "asked", (), int(components.COLOURS), "seats clockwise from the turn's: who is asked next", "s.ask_next"
        ),
        Tensor(
            "mini",
            (),
            6,
            "who has the mini-round's point, counted from 1; 0: nobody",
            "1 + (s.mini_seat - seat + s.players) % s.players if s.mini_seat >= 0 else 0",
        ),
        Tensor("quiet_rounds", (), 10, "rounds in which nobody landed or was removed, near the end", "s.quiet_rounds"),
        Tensor("round_counts", (), 1, "the round began with no tile left", "s.round_counts"),
        Tensor("stirred", (), 1, "somebody landed or was removed in it", "s.stirred"),
        Tensor(
            "sunk_terrain",
            (),
            int(components.TERRAINS),
            "of the tile removed this turn, counted from 1; 0: none",
            "s.tile_terrain + 1",
        ),
        Tensor("sunk_row", (), LETTERS, "where it lay; 0: none", "sunk & 255"),
        Tensor("sunk_number", (), ACROSS, "in that row", "sunk >> 8"),
        Tensor(
            "touched_row", (), LETTERS, "a space that an event touched while a ward is chosen; 0: none", "touched & 255"
        ),
        Tensor("touched_number", (), ACROSS, "in that row", "touched >> 8"),
        Tensor("touched_too_row", (), LETTERS, "another; 0: none", "touched_too & 255"),
        Tensor("touched_too_number", (), ACROSS, "in that row", "touched_too >> 8"),
        Tensor("ships_left", (), int(components.SHIPS), "in the supply", "s.ships_left"),
        Tensor("tiles_left", (), int(board.SLOTS), "on the island", "s.tiles_left"),
        Tensor("options", (OPTION_SLOTS,), 2, "in the order of options.py; the rest is zero"),
        Tensor("creatures_left", (int(components.KINDS),), 6, "in the supply, by kind"),
        Tensor(
            "explorers",
            (int(MAX_SEATS), int(components.PER_COLOUR), 8),
            LETTERS,
            "by colour and number: 1 ashore, 2 swimming, 3 aboard, 4 on an isle, 5 lost; row, number (isles: row 0); "
            "value if own; its act in the water used; fell with the tile; ship and dolphin, counted from 1",
        ),
        Tensor(
            "crews",
            (int(components.SHIPS), 8),
            60,
            "by ship: 1 on the board; row, number; three aboard (colour * 10 + number from 1); free seats; "
            "the seat may sail it",
        ),
        Tensor(
            "seats",
            (int(MAX_SEATS), 8),
            127,
            "turns begun, ships to put, bounty, placed; hand tiles by the side all see, by terrain; in play",
        ),
        Tensor(
            "beasts",
            (int(components.CREATURES), 2),
            LETTERS,
            "row and number of each creature; zeros: not on the board",
        ),
        Tensor("tiles", (int(components.TERRAINS), NUM_SPACES), 1, "a plane for each terrain: a tile of it lies there"),
        Tensor(
            "standing",
            (int(MAX_SEATS), NUM_SPACES),
            int(components.PER_COLOUR),
            "a plane for each colour: on the tile or in the water",
        ),
        Tensor(
            "sailing",
            (int(MAX_SEATS), NUM_SPACES),
            int(components.SHIP_SEATS),
            "a plane for each colour: aboard the ship there",
        ),
        Tensor("ships", (NUM_SPACES,), 1, "a ship is there"),
        Tensor("creatures", (int(components.KINDS), NUM_SPACES), 6, "a plane for each kind: how many are there"),
        Tensor(
            "hand", (int(components.TERRAINS), int(components.HAND_KINDS)), 3, "the seat's own, by terrain and back"
        ),
        Tensor(
            "to_place", (2, int(components.VALUES)), 3, "its values yet to place; a second colour's in the second row"
        ),
        Tensor(
            "unseen",
            (int(components.TERRAINS), int(components.BACKS)),
            4,
            "backs it has not seen: on the island, or in others' hands",
        ),
    ],
)

STEP_AT: Final[i64] = TENSORS.offset_of("step")
TILES_LEFT_AT: Final[i64] = TENSORS.offset_of("tiles_left")
OPTIONS_AT: Final[i64] = TENSORS.offset_of("options")
CREATURES_LEFT_AT: Final[i64] = TENSORS.offset_of("creatures_left")
EXPLORERS_AT: Final[i64] = TENSORS.offset_of("explorers")
CREWS_AT: Final[i64] = TENSORS.offset_of("crews")
SEATS_AT: Final[i64] = TENSORS.offset_of("seats")
BEASTS_AT: Final[i64] = TENSORS.offset_of("beasts")
TILES_AT: Final[i64] = TENSORS.offset_of("tiles")
STANDING_AT: Final[i64] = TENSORS.offset_of("standing")
SAILING_AT: Final[i64] = TENSORS.offset_of("sailing")
SHIPS_AT: Final[i64] = TENSORS.offset_of("ships")
CREATURES_AT: Final[i64] = TENSORS.offset_of("creatures")
HAND_AT: Final[i64] = TENSORS.offset_of("hand")
TO_PLACE_AT: Final[i64] = TENSORS.offset_of("to_place")
UNSEEN_AT: Final[i64] = TENSORS.offset_of("unseen")


def write_observation_row(s: SurvivePosition, seat: i64, sheet: RowBuffer) -> None:
    """Write one row. Over an earlier row of the same match, only changes are written: tiles and backs only after a
    removal, and the pieces that moved. For another seat, the parts relative to the seat are rotated first.
    """
    was = sheet.seat_in_next_row()
    words = sheet.words
    o = sheet.take_row() if was >= 0 else sheet.take_zeroed_row()
    w = o >> 3
    removed = was < 0 or read_byte(words, o + TILES_LEFT_AT) != s.tiles_left
    setting_up = s.step == phases.STEP_SETUP or read_byte(words, o + STEP_AT) == phases.STEP_SETUP
    changed = s.changed
    if was < 0:
        changed = -1
    colours = piece_positions.count_colours(s)
    write_turn_state(s, seat, words, w)
    if was < 0:
        options = s.rules.packed
        for i in range(OPTION_WORDS):
            words[(o + OPTIONS_AT >> 3) + i] = options[i]
    elif was != seat:
        rotate_explorers_to_seat(s, was, seat, colours, words, o)
    if removed:
        write_tile_planes(s, words, o)
    for colour in range(colours):
        some = changed >> colour * components.PER_COLOUR & TEN_BITS
        if some != 0:
            slot = colour - seat if colour >= seat else colour - seat + colours
            write_explorers(s, colour, slot, some, piece_positions.seat_of_colour(s, colour) == seat, words, o)
    if was != seat or changed >> components.SHIPS_CHANGED & 1 != 0:
        write_ships_and_crews(s, seat, colours, words, o)
    if changed >> components.CREATURES_CHANGED & 1 != 0:
        write_creatures(s, words, o)
    if removed or was != seat or changed >> components.SEATS_CHANGED & 1 != 0:
        write_seats_and_backs(s, seat, removed, was != seat, words, o)
    if setting_up:
        write_values_to_place(s, seat, words, o)
    if was >= 0:
        s.changed = 0


def rotate_explorers_to_seat(s: SurvivePosition, was: i64, seat: i64, colours: i64, words: Buf, o: i64) -> None:
    """Rotate the explorers to another seat's perspective: permute the lists and planes of colours, and use its own
    values.

    Explorers aboard are few; they are removed from their planes one by one.
    """
    first = o + EXPLORERS_AT >> 3
    earlier = EARLIER
    for i in range(colours * components.PER_COLOUR):
        code = words[first + i]
        earlier[i] = code & NO_VALUE
        if code & 7 == ON_SHIP:
            add_explorer_to_planes(words, o + i // components.PER_COLOUR * board.SPACES, code, -1)
    zero_bytes(words, o + STANDING_AT, o + STANDING_AT + (colours * board.SPACES + 7 >> 3 << 3))
    for slot in range(colours):
        colour = (seat + slot) % colours
        own = piece_positions.seat_of_colour(s, colour) == seat
        at = (slot + seat - was + colours) % colours * components.PER_COLOUR
        for i in range(components.PER_COLOUR):
            code = earlier[at + i]
            if code != 0 and own:
                code |= s.value[colour * components.PER_COLOUR + i] << 24
            words[first + slot * components.PER_COLOUR + i] = code
            add_explorer_to_planes(words, o + slot * board.SPACES, code, 1)


def write_tile_planes(s: SurvivePosition, words: Buf, o: i64) -> None:
    """One plane of tiles per terrain."""
    zero_bytes(words, o + TILES_AT, o + STANDING_AT)
    tile = s.tile
    for slot in range(board.SLOTS):
        at = board.SLOT_SPACE[slot]
        terrain = tile[at]
        if 0 <= terrain < components.TERRAINS:
            add_to_byte(words, o + TILES_AT + terrain * board.SPACES + at, 1)


def write_turn_state(s: SurvivePosition, seat: i64, words: Buf, w: i64) -> None:
    """The single numbers: whose turn it is and what is asked."""
    actor: i64 = 6 if s.actor == CHANCE else 7 if s.actor == OVER else (s.actor - seat + s.players) % s.players
    sunk: i64 = PLACE_CODE[s.tile_space] if s.tile_space >= 0 else 0
    touched: i64 = PLACE_CODE[s.touched] if s.touched >= 0 else 0
    touched_too: i64 = PLACE_CODE[s.touched_too] if s.touched_too >= 0 else 0
    # row: TENSORS -> words[w]
    words[w] = pack_eight_bytes(
        s.players, s.phase, s.step, actor, (s.turn - seat + s.players) % s.players, s.points, s.face + 1, s.far
    )
    words[w + 1] = pack_eight_bytes(
        s.creature + 1,
        s.prey_aboard,
        s.ask_next,
        1 + (s.mini_seat - seat + s.players) % s.players if s.mini_seat >= 0 else 0,
        s.quiet_rounds,
        s.round_counts,
        s.stirred,
        s.tile_terrain + 1,
    )
    words[w + 2] = pack_eight_bytes(
        sunk & 255,
        sunk >> 8,
        touched & 255,
        touched >> 8,
        touched_too & 255,
        touched_too >> 8,
        s.ships_left,
        s.tiles_left,
    )
    # end of row


def write_explorers(s: SurvivePosition, colour: i64, slot: i64, changed: i64, own: bool, words: Buf, o: i64) -> None:
    """Update a colour's changed explorers and their marks on its planes; values only for the seat's own colour.

    A lost explorer stays lost. One on an isle stays there, but its marks of this turn expire with the turn.
    """
    word = (o + EXPLORERS_AT >> 3) + (slot - colour) * components.PER_COLOUR
    planes = o + slot * board.SPACES
    dolphins = s.rules.dolphins
    for e in range(colour * components.PER_COLOUR, colour * components.PER_COLOUR + components.PER_COLOUR):
        before = words[word + e]
        here = changed & 1
        changed >>= 1
        if here == 0 or before & 7 == GONE:
            continue
        at = s.where[e]
        code: i64 = 0
        if at < 0:
            if at != components.LOST:
                continue
            code = GONE
        elif at >= board.FIRST_ISLE:
            code = ON_ISLE | PLACE_CODE[at] << 8 | MARKS[s.marks[e]]
        elif s.aboard[e] >= 0:
            code = ON_SHIP | PLACE_CODE[at] << 8 | MARKS[s.marks[e]] | (s.aboard[e] + 1) << 48
        else:
            code = (ASHORE if s.tile[at] >= 0 else IN_WATER) | PLACE_CODE[at] << 8 | MARKS[s.marks[e]]
            if dolphins:
                code |= (s.guard[e] + 1) << 56
        if own:
            code |= s.value[e] << 24
        if code != before:
            words[word + e] = code
            add_explorer_to_planes(words, planes, before, -1)
            add_explorer_to_planes(words, planes, code, 1)


def add_explorer_to_planes(words: Buf, planes: i64, code: i64, by: i64) -> None:
    """Put an explorer, encoded as a word, on its colour's planes, or remove it."""
    state = code & 7
    if ASHORE <= state <= IN_WATER:
        add_to_byte(words, planes + STANDING_AT + decode_space(code >> 8), by)
    elif state == ON_SHIP:
        add_to_byte(words, planes + SAILING_AT + decode_space(code >> 8), by)


def decode_space(code: i64) -> i64:
    """The space whose row and number are the first two bytes."""
    return SPACE_OF_CODE[code & 15 | (code >> 8 & 15) << 4]


def write_ships_and_crews(s: SurvivePosition, seat: i64, colours: i64, words: Buf, o: i64) -> None:
    """The ships' spaces and crews."""
    ship_space, place = s.ship_space, PLACE_CODE
    for ship in range(components.SHIPS):
        before = words[(o + CREWS_AT >> 3) + ship]
        at = ship_space[ship]
        word: i64 = 0
        if at >= 0:
            word = 1 | place[at] << 8 | encode_crew(s, ship, seat, colours)
        if word != before:
            words[(o + CREWS_AT >> 3) + ship] = word
            if before != 0:
                add_to_byte(words, o + SHIPS_AT + decode_space(before >> 8), -1)
            if word != 0:
                add_to_byte(words, o + SHIPS_AT + at, 1)


def encode_crew(s: SurvivePosition, ship: i64, seat: i64, colours: i64) -> i64:
    """A ship's crew relative to the first seat, its free seats, and whether the seat may sail it."""
    seats_of = s.ship_seat
    if seats_of[ship * components.SHIP_SEATS] < 0:
        return components.SHIP_SEATS << 48
    word: i64 = bool_to_int(piece_positions.does_seat_control_ship(s, seat, ship)) << 56
    free = components.SHIP_SEATS
    while free > 0:
        e = seats_of[ship * components.SHIP_SEATS + components.SHIP_SEATS - free]
        if e < 0:
            break
        e -= seat * components.PER_COLOUR
        if e < 0:
            e += colours * components.PER_COLOUR
        word |= (e + 1) << (24 + 8 * (components.SHIP_SEATS - free))
        free -= 1
    return word | free << 48


def write_creatures(s: SurvivePosition, words: Buf, o: i64) -> None:
    """The supply of creatures, and the spaces of the others, four to a word."""
    left, where = s.creature_left, s.creature_space
    words[o + CREATURES_LEFT_AT >> 3] = pack_eight_bytes(left[0], left[1], left[2], left[3], left[4], 0, 0, 0)
    for c in range(0, components.CREATURES, 4):
        code: i64 = 0
        for i in range(c, c + 4 if c + 4 < components.CREATURES else components.CREATURES):
            code |= PLACE_CODE_FROM_1[where[i] + 1] << ((i & 3) << 4)
        before = words[(o + BEASTS_AT + c * 2) >> 3]
        if code != before:
            words[(o + BEASTS_AT + c * 2) >> 3] = code
            for i in range(c, c + 4 if c + 4 < components.CREATURES else components.CREATURES):
                shift = (i & 3) << 4
                move_creature_on_plane(
                    words, o + CREATURES_AT + components.KIND_OF[i] * board.SPACES, before >> shift, code >> shift
                )


def move_creature_on_plane(words: Buf, plane: i64, before: i64, after: i64) -> None:
    """Move a creature on its kind's plane."""
    before &= PLACE_MASK
    after &= PLACE_MASK
    if before != after:
        if before != 0:
            add_to_byte(words, plane + decode_space(before), -1)
        if after != 0:
            add_to_byte(words, plane + decode_space(after), 1)


def write_seats_and_backs(s: SurvivePosition, seat: i64, removed: bool, turned: bool, words: Buf, o: i64) -> None:
    """The public facts about all seats, and the seat's knowledge of hands and backs."""
    held = removed
    for other in range(s.players):
        slot = other - seat if other >= seat else other - seat + s.players
        if write_public_seat_facts(s, other, slot, removed or turned, words, o):
            held = True
    if held:
        write_own_hand_and_unseen_backs(s, seat, words, o)


def write_public_seat_facts(s: SurvivePosition, who: i64, slot: i64, rewrite: bool, words: Buf, o: i64) -> bool:
    """The public facts about a seat, including the terrain side of its hand (SV.R8). A flag says that it has or had a
    tile, which may have changed since.
    """
    at = (o + SEATS_AT >> 3) + slot
    before = words[at] >> 32 & THREE_BYTES
    held = before
    if not rewrite:
        rewrite = (held & 255) + (held >> 8 & 255) + (held >> 16) != s.hand_size[who]
    if rewrite:
        held = 0
        left = s.hand_size[who]
        i: i64 = 0
        while left > 0:
            tiles = s.hand[who * components.TERRAINS * components.HAND_KINDS + i]
            if tiles != 0:
                held += tiles << ON_TERRAIN[i]
                left -= tiles
            i += 1
    word = (
        clamp_to_max(s.turns[who], MAX_ENTRY) | s.ships_to_put[who] << 8 | s.bounties[who] << 16 | s.placed[who] << 24
    )
    words[at] = word | held << 32 | s.in_play[who] << 56
    return rewrite and (held != 0 or before != 0)


def write_own_hand_and_unseen_backs(s: SurvivePosition, seat: i64, words: Buf, o: i64) -> None:
    """The seat's own hand; backs on the island and in others' hands are indistinguishable (SV.R8), hence summed."""
    zero_bytes(words, o + HAND_AT, o + TO_PLACE_AT)
    write_bytes_at_word(words, o + UNSEEN_AT, s.back_left, components.TERRAINS * components.BACKS)
    for who in range(s.players):
        left = s.hand_size[who]
        i: i64 = 0
        while left > 0:
            tiles = s.hand[who * components.TERRAINS * components.HAND_KINDS + i]
            if tiles != 0:
                add_to_byte(words, o + (HAND_AT + i if who == seat else UNSEEN_AT + KEPT_BACK[i]), tiles)
                left -= tiles
            i += 1


def write_values_to_place(s: SurvivePosition, seat: i64, words: Buf, o: i64) -> None:
    """The seat's values still to be placed."""
    zero_bytes(words, o + TO_PLACE_AT, o + UNSEEN_AT)
    if s.step == phases.STEP_SETUP:
        for which in range(2 if s.rules.two_colours else 1):
            for v in range(components.VALUES):
                add_to_byte(
                    words,
                    o + TO_PLACE_AT + which * components.VALUES + v,
                    s.values_left[piece_positions.colour_of_seat(seat, which) * components.VALUES + v],
                )
