"""All that a seat may know as tensors: planes over the 133 spaces, lists of pieces, single numbers, its own secrets.

No value or hand of another seat is read (SV.U5, SV.R8). The seat's own values stay known to it, as a player remembers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.core.layout import Sheet, capped, eight, eights, flag, put, wipe, write
from landfall.core.state import CHANCE, OVER
from landfall.core.tensors import MOST, Tensor, Tensors
from landfall.core.vectors import buf
from landfall.games.survive.board import FIRST_ISLE, NAMES, ROWS, SLOT_SPACE, SLOTS, SPACES
from landfall.games.survive.components import (
    ACTED,
    ANYWHERE,
    BACKS,
    COLOURS,
    CREATURES,
    EXPLORERS,
    FACES,
    FELL,
    HAND_KINDS,
    KIND_OF,
    KINDS,
    LOST,
    PER_COLOUR,
    POINTS,
    SHIP_SEATS,
    SHIPS,
    TERRAINS,
    VALUES,
)
from landfall.games.survive.options import OPTIONS
from landfall.games.survive.phases import PHASES, STEP_SETUP, STEPS
from landfall.games.survive.pieces import colours_of, controls, holder, own_colour

if TYPE_CHECKING:
    from landfall.core.vectors import Buf
    from landfall.games.survive.position import SurvivePosition

SEATS: Final[i64] = COLOURS
SP: Final = int(SPACES)
LETTERS: Final = len(ROWS)
ACROSS: Final = max(int(name[1:]) for name in NAMES)
# How a place is told in lists: its row counted from A, its number in the row; an isle as row 0, counted from 1.
TOLD: Final = [ROWS.index(name[0]) + 1 | int(name[1:]) << 8 for name in NAMES] + [1 << 8, 2 << 8, 3 << 8, 4 << 8]
PLACE: Final = buf(TOLD)
SPOT: Final = buf([0, *TOLD[:SP]])  # the same counted from 1; 0: nowhere
PLACE_MASK: Final[i64] = 0xFFFF
SPACE: Final = buf([TOLD.index(at) if at in TOLD else 0 for at in range(max(TOLD) + 1)])  # the space so told
ON_TERRAIN: Final = buf([t * 8 for t in range(int(TERRAINS)) for _ in range(int(HAND_KINDS))])  # of a hand: a byte each
KEPT_BACK: Final = buf(
    [t * int(BACKS) + b for t in range(int(TERRAINS)) for b in range(int(HAND_KINDS))]
)  # of a hand's
MARKS: Final = buf([(m & int(ACTED)) << 32 | (m // int(FELL)) << 40 for m in range(4)])
OPTION_WORDS: Final[i64] = eights(len(OPTIONS)) // 8

ASHORE: Final[i64] = 1  # on a tile
IN_WATER: Final[i64] = 2
ON_SHIP: Final[i64] = 3
ON_ISLE: Final[i64] = 4
GONE: Final[i64] = 5
THREE_BYTES: Final[i64] = 0xFFFFFF
TEN_BITS: Final[i64] = 0x3FF

TENSORS: Final = Tensors(
    "survive",
    1,
    [
        Tensor("players", (), 6, "how many play"),
        Tensor("phase", (), int(PHASES) - 1, "what is asked, in the order of phases.py"),
        Tensor("step", (), int(STEPS) - 1, "of the turn"),
        Tensor("actor", (), 7, "who is asked, from the seat; 6: chance, 7: nobody"),
        Tensor("turn", (), 5, "whose turn it is"),
        Tensor("points", (), int(POINTS), "movement points left"),
        Tensor("die", (), int(FACES), "its face, counted from 1; 0: none lies"),
        Tensor("far", (), int(ANYWHERE), "what the second dive die shows; 0: none"),
        Tensor("attacker", (), int(CREATURES), "the creature that strikes or takes prey, counted from 1"),
        Tensor("prey_aboard", (), 1, "the squid may also take from the ship in its space"),
        Tensor("asked", (), int(COLOURS), "seats clockwise from the turn's: who is asked next"),
        Tensor("mini", (), 6, "who has the mini-round's point, counted from 1; 0: nobody"),
        Tensor("quiet_rounds", (), 10, "rounds in which nobody landed or was removed, near the end"),
        Tensor("round_counts", (), 1, "the round began with no tile left"),
        Tensor("stirred", (), 1, "somebody landed or was removed in it"),
        Tensor("sunk_terrain", (), int(TERRAINS), "of the tile removed this turn, counted from 1; 0: none"),
        Tensor("sunk_row", (), LETTERS, "where it lay; 0: none"),
        Tensor("sunk_number", (), ACROSS, "in that row"),
        Tensor("touched_row", (), LETTERS, "a space that an event touched while a ward is chosen; 0: none"),
        Tensor("touched_number", (), ACROSS, "in that row"),
        Tensor("touched_too_row", (), LETTERS, "another; 0: none"),
        Tensor("touched_too_number", (), ACROSS, "in that row"),
        Tensor("ships_left", (), int(SHIPS), "in the supply"),
        Tensor("tiles_left", (), int(SLOTS), "on the island"),
        Tensor("options", (len(OPTIONS),), 2, "in the order of options.py"),
        Tensor("creatures_left", (int(KINDS),), 6, "in the supply, by kind"),
        Tensor(
            "explorers",
            (int(SEATS), int(PER_COLOUR), 8),
            LETTERS,
            "by colour and number: 1 ashore, 2 swimming, 3 aboard, 4 on an isle, 5 lost; row, number (isles: row 0); "
            "value if own; its act in the water used; fell with the tile; ship and dolphin, counted from 1",
        ),
        Tensor(
            "crews",
            (int(SHIPS), 8),
            60,
            "by ship: 1 on the board; row, number; three aboard (colour * 10 + number from 1); free seats; "
            "the seat may sail it",
        ),
        Tensor(
            "seats",
            (int(SEATS), 8),
            127,
            "turns begun, ships to put, bounty, placed; hand tiles by the side all see, by terrain; in play",
        ),
        Tensor("beasts", (int(CREATURES), 2), LETTERS, "row and number of each creature; noughts: not on the board"),
        Tensor("tiles", (int(TERRAINS), SP), 1, "a plane for each terrain: a tile of it lies there"),
        Tensor("standing", (int(SEATS), SP), int(PER_COLOUR), "a plane for each colour: on the tile or in the water"),
        Tensor("sailing", (int(SEATS), SP), int(SHIP_SEATS), "a plane for each colour: aboard the ship there"),
        Tensor("ships", (SP,), 1, "a ship is there"),
        Tensor("creatures", (int(KINDS), SP), 6, "a plane for each kind: how many are there"),
        Tensor("hand", (int(TERRAINS), int(HAND_KINDS)), 3, "the seat's own, by terrain and back"),
        Tensor("to_place", (2, int(VALUES)), 3, "its values yet to place; a second colour's in the second row"),
        Tensor("unseen", (int(TERRAINS), int(BACKS)), 4, "backs it has not seen: on the island, or in others' hands"),
    ],
)

CHOSEN: Final[i64] = TENSORS.at("options")
LEFT: Final[i64] = TENSORS.at("creatures_left")
PEOPLE: Final[i64] = TENSORS.at("explorers")
CREWS: Final[i64] = TENSORS.at("crews")
OF_SEATS: Final[i64] = TENSORS.at("seats")
BEASTS: Final[i64] = TENSORS.at("beasts")
TILES: Final[i64] = TENSORS.at("tiles")
STANDING: Final[i64] = TENSORS.at("standing")
SAILING: Final[i64] = TENSORS.at("sailing")
SHIPS_THERE: Final[i64] = TENSORS.at("ships")
BEASTS_THERE: Final[i64] = TENSORS.at("creatures")
HAND: Final[i64] = TENSORS.at("hand")
TO_PLACE: Final[i64] = TENSORS.at("to_place")
UNSEEN: Final[i64] = TENSORS.at("unseen")


def observe(s: SurvivePosition, seat: i64, sheet: Sheet) -> None:
    """One row. Over an earlier one of the same match only what changed since is written: of tiles and backs nothing
    while none was removed, of pieces those that moved, and of what the seat counts from itself all if it is another."""
    was = sheet.seat()
    words = sheet.words
    o = sheet.again() if was >= 0 else sheet.begin()
    removed = was < 0 or words[(o >> 3) + 2] >> 56 != s.tiles_left
    moment(s, seat, words, o >> 3)
    left = s.creature_left
    words[o + LEFT >> 3] = eight(left[0], left[1], left[2], left[3], left[4], 0, 0, 0)
    if was < 0:
        options = s.rules.told
        for i in range(OPTION_WORDS):
            words[(o + CHOSEN >> 3) + i] = options[i]
    elif was != seat:
        wipe(words, o + PEOPLE, o + CREWS)
        wipe(words, o + STANDING, o + SHIPS_THERE)
    if removed:
        island(s, words, o)
    colours = colours_of(s)
    for colour in range(colours):
        changed = s.changed >> colour * PER_COLOUR & TEN_BITS if was == seat else TEN_BITS
        if changed != 0:
            slot = colour - seat if colour >= seat else colour - seat + colours
            people(s, colour, slot, changed, holder(s, colour) == seat, words, o)
    if was != seat or s.changed >> EXPLORERS & 1 != 0:
        for ship in range(SHIPS):
            crew(s, ship, seat, colours, words, o)
    if was < 0 or s.changed >> EXPLORERS & 2 != 0:
        beasts(s, words, o)
    if was >= 0:
        s.changed = 0
    played = False
    for other in range(s.players):
        slot = other - seat if other >= seat else other - seat + s.players
        if public(s, other, slot, removed or was != seat, words, o):
            played = True
    if played:
        backs(s, seat, words, o)
    to_place(s, seat, words, o)


def island(s: SurvivePosition, words: Buf, o: i64) -> None:
    """A plane of tiles for each terrain."""
    wipe(words, o + TILES, o + STANDING)
    tile = s.tile
    for slot in range(SLOTS):
        at = SLOT_SPACE[slot]
        terrain = tile[at]
        if 0 <= terrain < TERRAINS:
            put(words, o + TILES + terrain * SPACES + at, 1)


def moment(s: SurvivePosition, seat: i64, words: Buf, w: i64) -> None:
    """Whose turn it is and what is asked: the single numbers."""
    n = s.players
    sunk: i64 = PLACE[s.tile_space] if s.tile_space >= 0 else 0
    touched: i64 = PLACE[s.touched] if s.touched >= 0 else 0
    too: i64 = PLACE[s.touched_too] if s.touched_too >= 0 else 0
    words[w] = eight(
        n,
        s.phase,
        s.step,
        6 if s.actor == CHANCE else 7 if s.actor == OVER else (s.actor - seat + n) % n,
        (s.turn - seat + n) % n,
        s.points,
        s.face + 1,
        s.far,
    )
    words[w + 1] = eight(
        s.creature + 1,
        s.prey_aboard,
        s.ask_next,
        1 + (s.mini_seat - seat + n) % n if s.mini_seat >= 0 else 0,
        s.quiet_rounds,
        s.round_counts,
        s.stirred,
        s.tile_terrain + 1,
    )
    words[w + 2] = sunk | touched << 16 | too << 32 | s.ships_left << 48 | s.tiles_left << 56


def people(s: SurvivePosition, colour: i64, slot: i64, changed: i64, own: bool, words: Buf, o: i64) -> None:
    """A colour's explorers, of which some have changed, and their marks on its planes; values only if it is one's own.

    Who is lost or on an isle stays there.
    """
    word = (o + PEOPLE >> 3) + (slot - colour) * PER_COLOUR
    planes = o + slot * SPACES
    dolphins = s.rules.dolphins
    for e in range(colour * PER_COLOUR, colour * PER_COLOUR + PER_COLOUR):
        before = words[word + e]
        here = changed & 1
        changed >>= 1
        if here == 0 or before & 7 >= ON_ISLE:
            continue
        at = s.where[e]
        told: i64 = 0
        if at < 0:
            if at != LOST:
                continue
            told = GONE
        elif at >= FIRST_ISLE:
            told = ON_ISLE | PLACE[at] << 8 | MARKS[s.marks[e]]
        elif s.aboard[e] >= 0:
            told = ON_SHIP | PLACE[at] << 8 | MARKS[s.marks[e]] | (s.aboard[e] + 1) << 48
        else:
            told = (ASHORE if s.tile[at] >= 0 else IN_WATER) | PLACE[at] << 8 | MARKS[s.marks[e]]
            if dolphins:
                told |= (s.guard[e] + 1) << 56
        if own:
            told |= s.value[e] << 24
        if told != before:
            words[word + e] = told
            mark(words, planes, before, -1)
            mark(words, planes, told, 1)


def mark(words: Buf, planes: i64, told: i64, by: i64) -> None:
    """Put an explorer, told as a word, on its colour's planes, or take it off."""
    state = told & 7
    if ASHORE <= state <= IN_WATER:
        put(words, planes + STANDING + SPACE[told >> 8 & PLACE_MASK], by)
    elif state == ON_SHIP:
        put(words, planes + SAILING + SPACE[told >> 8 & PLACE_MASK], by)


def crew(s: SurvivePosition, ship: i64, seat: i64, colours: i64, words: Buf, o: i64) -> None:
    """Where a ship is, and who is aboard."""
    word: i64 = 0
    before = words[(o + CREWS >> 3) + ship]
    at = s.ship_space[ship]
    if at >= 0:
        word = 1 | PLACE[at] << 8
        free = SHIP_SEATS
        while free > 0:  # from the first seat on
            e = s.ship_seat[ship * SHIP_SEATS + SHIP_SEATS - free]
            if e < 0:
                break
            e -= seat * PER_COLOUR
            if e < 0:
                e += colours * PER_COLOUR
            word |= (e + 1) << (24 + 8 * (SHIP_SEATS - free))
            free -= 1
        word |= free << 48
        if free < SHIP_SEATS:
            word |= flag(controls(s, seat, ship)) << 56
    if word != before:
        words[(o + CREWS >> 3) + ship] = word
        if before != 0:
            put(words, o + SHIPS_THERE + SPACE[before >> 8 & PLACE_MASK], -1)
        if word != 0:
            put(words, o + SHIPS_THERE + at, 1)


def beasts(s: SurvivePosition, words: Buf, o: i64) -> None:
    """Where the creatures are, four to a word."""
    where = s.creature_space
    for c in range(0, CREATURES, 4):
        told: i64 = 0
        for i in range(c, c + 4 if c + 4 < CREATURES else CREATURES):
            told |= SPOT[where[i] + 1] << ((i & 3) << 4)
        before = words[(o + BEASTS + c * 2) >> 3]
        if told != before:
            words[(o + BEASTS + c * 2) >> 3] = told
            for i in range(c, c + 4 if c + 4 < CREATURES else CREATURES):
                shift = (i & 3) << 4
                shift_beast(words, o + BEASTS_THERE + KIND_OF[i] * SPACES, before >> shift, told >> shift)


def shift_beast(words: Buf, plane: i64, before: i64, after: i64) -> None:
    """Take a creature off its kind's plane where it was, and put it where it is."""
    before &= PLACE_MASK
    after &= PLACE_MASK
    if before != after:
        if before != 0:
            put(words, plane + SPACE[before], -1)
        if after != 0:
            put(words, plane + SPACE[after], 1)


def public(s: SurvivePosition, who: i64, slot: i64, anew: bool, words: Buf, o: i64) -> bool:
    """What all may know of a seat; of its hand the terrain side (SV.R8). Whether its hand may have changed."""
    word = capped(s.turns[who], MOST) | s.ships_to_put[who] << 8 | s.bounties[who] << 16 | s.placed[who] << 24
    held = words[(o + OF_SEATS >> 3) + slot] >> 32 & THREE_BYTES
    if not anew:
        anew = (held & 255) + (held >> 8 & 255) + (held >> 16) != s.hand_size[who]
    if anew:
        held = 0
        left = s.hand_size[who]
        i: i64 = 0
        while left > 0:
            tiles = s.hand[who * TERRAINS * HAND_KINDS + i]
            if tiles != 0:
                held += tiles << ON_TERRAIN[i]
                left -= tiles
            i += 1
    words[(o + OF_SEATS >> 3) + slot] = word | held << 32 | s.in_play[who] << 56
    return anew


def backs(s: SurvivePosition, seat: i64, words: Buf, o: i64) -> None:
    """The seat's own hand; backs on the island and in others' hands cannot be told apart (SV.R8): a sum."""
    wipe(words, o + HAND, o + TO_PLACE)
    write(words, o + UNSEEN, s.back_left, TERRAINS * BACKS)
    for who in range(s.players):
        left = s.hand_size[who]
        i: i64 = 0
        while left > 0:
            tiles = s.hand[who * TERRAINS * HAND_KINDS + i]
            if tiles != 0:
                put(words, o + (HAND + i if who == seat else UNSEEN + KEPT_BACK[i]), tiles)
                left -= tiles
            i += 1


def to_place(s: SurvivePosition, seat: i64, words: Buf, o: i64) -> None:
    """The seat's values not yet placed."""
    wipe(words, o + TO_PLACE, o + UNSEEN)
    if s.step == STEP_SETUP:
        for which in range(2 if s.rules.two_colours else 1):
            for v in range(VALUES):
                put(words, o + TO_PLACE + which * VALUES + v, s.values_left[own_colour(seat, which) * VALUES + v])
