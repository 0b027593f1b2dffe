"""All that a seat may know as tensors: planes over the 133 spaces, lists of pieces, single numbers, its own secrets.

No value or hand of another seat is read (SV.U5, SV.R8). The seat's own values stay known to it, as a player remembers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.core.layout import Sheet, capped, eight, eights, flag, put, write
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
    hand_at,
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
PLACE: Final = buf([ROWS.index(name[0]) + 1 | int(name[1:]) << 8 for name in NAMES] + [1 << 8, 2 << 8, 3 << 8, 4 << 8])
MARKS: Final = buf([(m & int(ACTED)) << 32 | (m // int(FELL)) << 40 for m in range(4)])
OPTION_WORDS: Final[i64] = eights(len(OPTIONS)) // 8

ASHORE: Final[i64] = 1  # on a tile
IN_WATER: Final[i64] = 2
ON_SHIP: Final[i64] = 3
ON_ISLE: Final[i64] = 4
GONE: Final[i64] = 5

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
    """One row."""
    o = sheet.begin()
    words = sheet.words
    moment(s, seat, words, o >> 3)
    options = s.rules.told
    for i in range(OPTION_WORDS):
        words[(o + CHOSEN >> 3) + i] = options[i]
    for kind in range(KINDS):
        put(words, o + LEFT + kind, s.creature_left[kind])
    for slot in range(SLOTS):
        at = SLOT_SPACE[slot]
        terrain = s.tile[at]
        if 0 <= terrain < TERRAINS:
            put(words, o + TILES + terrain * SPACES + at, 1)
    colours = colours_of(s)
    for colour in range(colours):
        people(s, colour, (colour - seat + colours) % colours, holder(s, colour) == seat, words, o)
    for ship in range(SHIPS):
        if s.ship_space[ship] >= 0:
            crew(s, ship, seat, colours, words, o)
    for c in range(CREATURES):
        at = s.creature_space[c]
        if at >= 0:
            put(words, o + BEASTS_THERE + KIND_OF[c] * SPACES + at, 1)
            put(words, o + BEASTS + c * 2, PLACE[at])
    for other in range(s.players):
        public(s, other, (other - seat + s.players) % s.players, words, o)
    secrets(s, seat, words, o)


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


def people(s: SurvivePosition, colour: i64, slot: i64, own: bool, words: Buf, o: i64) -> None:
    """A colour's explorers, one after the other, and their marks on its planes; values only if it is one's own."""
    word = (o + PEOPLE >> 3) + slot * PER_COLOUR - colour * PER_COLOUR
    standing = o + STANDING + slot * SPACES
    sailing = o + SAILING + slot * SPACES
    for e in range(colour * PER_COLOUR, colour * PER_COLOUR + PER_COLOUR):
        at = s.where[e]
        if at < 0 and at != LOST:
            continue
        told: i64 = 0
        if own:
            told = s.value[e] << 24
        if at == LOST:
            words[word + e] = told | GONE
            continue
        if at >= FIRST_ISLE:
            told |= ON_ISLE
        elif s.aboard[e] >= 0:
            told |= ON_SHIP | (s.aboard[e] + 1) << 48
            put(words, sailing + at, 1)
        else:
            told |= (s.guard[e] + 1) << 56
            if s.tile[at] >= 0:
                told |= ASHORE
            else:
                told |= IN_WATER
            put(words, standing + at, 1)
        words[word + e] = told | PLACE[at] << 8 | MARKS[s.marks[e]]


def crew(s: SurvivePosition, ship: i64, seat: i64, colours: i64, words: Buf, o: i64) -> None:
    """Where a ship is, and who is aboard."""
    word = 1 | PLACE[s.ship_space[ship]] << 8
    free: i64 = 0
    for i in range(SHIP_SEATS):
        e = s.ship_seat[ship * SHIP_SEATS + i]
        if e >= 0:
            e -= seat * PER_COLOUR
            if e < 0:
                e += colours * PER_COLOUR
            word |= (e + 1) << (24 + 8 * i)
        else:
            free += 1
    put(words, o + SHIPS_THERE + s.ship_space[ship], 1)
    words[(o + CREWS >> 3) + ship] = word | free << 48 | flag(controls(s, seat, ship)) << 56


def public(s: SurvivePosition, who: i64, slot: i64, words: Buf, o: i64) -> None:
    """What all may know of a seat; of its hand the terrain side (SV.R8)."""
    word = capped(s.turns[who], MOST) | s.ships_to_put[who] << 8 | s.bounties[who] << 16 | s.placed[who] << 24
    if s.hand_size[who] > 0:
        for terrain in range(TERRAINS):
            held: i64 = 0
            for i in range(hand_at(who, terrain, 0), hand_at(who, terrain, HAND_KINDS)):
                held += s.hand[i]
            word |= held << (32 + 8 * terrain)
    words[(o + OF_SEATS >> 3) + slot] = word | s.in_play[who] << 56


def secrets(s: SurvivePosition, seat: i64, words: Buf, o: i64) -> None:
    """The seat's own hand and values; backs on the island and in others' hands cannot be told apart (SV.R8): a sum."""
    if s.hand_size[seat] > 0:
        for i in range(TERRAINS * HAND_KINDS):
            put(words, o + HAND + i, s.hand[seat * TERRAINS * HAND_KINDS + i])
    write(words, o + UNSEEN, s.back_left, TERRAINS * BACKS)
    for other in range(s.players):
        if other != seat and s.hand_size[other] > 0:
            for terrain in range(TERRAINS):
                for back in range(HAND_KINDS):
                    put(words, o + UNSEEN + terrain * BACKS + back, s.hand[hand_at(other, terrain, back)])
    if s.step == STEP_SETUP:
        for which in range(2 if s.rules.two_colours else 1):
            for v in range(VALUES):
                put(words, o + TO_PLACE + which * VALUES + v, s.values_left[own_colour(seat, which) * VALUES + v])
