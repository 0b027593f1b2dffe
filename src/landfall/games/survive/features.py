"""A position as a seat knows it, in numbers for nets. No value or hand of another seat is read.

What is near a space is kept in words that follow the pieces: of a move, only the pieces it moved are counted anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, u8

from landfall.core.layout import Layout, Sheet, capped, count, counts, kind
from landfall.core.state import CHANCE, OVER
from landfall.core.vectors import buf, filled
from landfall.games.survive.board import (
    APART,
    FIRST_ISLE,
    HEXES,
    INDEX,
    ISLES,
    LANDINGS,
    NEXT,
    SIDES,
    SPACES,
    TO_LANDING,
)
from landfall.games.survive.components import (
    ACTED,
    BACK_NAMES,
    BACKS,
    CREATURES,
    FACE_NAMES,
    HAND_KINDS,
    KIND_NAMES,
    KIND_OF,
    PER_COLOUR,
    SEA,
    SHARK_DEFENCE,
    SHIPS,
    TERRAIN_NAMES,
    TERRAINS,
    VALUES,
    WHALE_DEFENCE,
)
from landfall.games.survive.phases import MOVING, PHASES, STEP_MOVE, STEPS
from landfall.games.survive.pieces import controls

if TYPE_CHECKING:
    from landfall.games.survive.state import SurviveState

SEATS: Final[i64] = 6
FIELDS: Final[i64] = 19
UNKNOWN_WORTH: Final = 2.8  # the mean of a colour's values
QUARTERS: Final[i64] = 11  # ... in quarters of a point

TABLE: Final = [
    kind("players", 6),
    kind("phase", int(PHASES) - 1),
    kind("actor", 7),  # from the seat; 6: chance, 7: nobody
    kind("turn", 5),
    kind("step", int(STEPS) - 1),
    kind("die", len(FACE_NAMES)),
    kind("points", 3),
    kind("far", 4),
    kind("squid", 2),
    *counts(
        "option",
        [
            "two_colours",
            "ships_per_colour",
            "overpopulated",
            "to_the_last",
            "all_equal",
            "submerged",
            "crowded",
            "dolphins",
            "squid_spares",
            "bounty",
            "isle_hopper",
        ],
        1,
    ),
    count("tiles", 40),
    *counts("tiles", list(TERRAIN_NAMES), 16),
    *counts("hand", list(BACK_NAMES[:7]), 4),
    *counts("unseen", list(BACK_NAMES), 8),  # in others' hands or on the island
    *counts("on_board", list(KIND_NAMES), 6),
    *counts("supply", list(KIND_NAMES), 6),
    count("ships", 12),
    count("ships_with_room", 12),
    count("ships_left", 12),
    count("quiet_rounds", 10),
    *counts("to_place", ["1", "2", "3", "4", "5", "6"], 6),
]
SEAT: Final = [
    count("in_play", 20),
    count("saved", 10),
    count("banked", 255),  # quarters of a point; of others' explorers the mean worth
    count("on_board", 255),  # the same of those on the board
    count("unplaced", 10),
    count("hand", 18),
    count("ships_to_put", 4),
    count("bounty", 60),
    count("isles", 4),
    count("rolls", 6),  # of the die, before it moves again
]
PIECE: Final = [
    kind("where", 8),  # ashore, swimming, aboard, guarded; the same of others
    kind("worth", 7),  # 1 to 6: own; 7: each counts one
    kind("space", 38),  # spaces alike under the island's symmetries share a number
    kind("terrain", 3),
    kind("sinks_before", 32),
    kind("sinks_with", 16),
    kind("ship", 5),  # steps to a free place aboard
    kind("ships", 8),
    kind("serpents", 26),
    kind("sharks", 26),
    kind("whales", 26),
    kind("helpers", 26),  # squids and dolphins
    kind("company", 54),
    kind("tempo", 69),
    kind("miles", 10),
    kind("tiles", 40),
    kind("hand", 7),
    kind("sea_sides", 6),
    kind("isle", 26),  # creatures at the nearest isle
]
WORTHS: Final = [UNKNOWN_WORTH, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 1.0]
LAYOUT: Final = Layout("survive", 1, int(SEATS), TABLE, SEAT, int(PER_COLOUR), PIECE, WORTHS)
PIECE_AT: Final[i64] = LAYOUT.piece_at
SIZE: Final[i64] = LAYOUT.size


def classes() -> list[int]:
    """Spaces alike under the board's four symmetries share a number."""
    numbers: dict[tuple[int, int], int] = {}
    out: list[int] = []
    for q, r in HEXES:
        alike = min((q, r), (-q, -r), (-q - r, r), (q + r, -r))
        if alike not in numbers:
            numbers[alike] = len(numbers)
        out.append(numbers[alike])
    return out


def landing_spaces() -> list[int]:
    return [INDEX[at] for two in LANDINGS for at in two]


def nearest_isles() -> list[int]:
    """By space: the isle whose landing spaces are nearest."""
    spaces = landing_spaces()
    out: list[int] = []
    for at in range(SPACES):
        apart = [min(int(APART[at * 133 + spaces[i]]), int(APART[at * 133 + spaces[i + 1]])) for i in range(0, 8, 2)]
        out.append(apart.index(min(apart)))
    return out


AROUND: Final[i64] = 61  # spaces within four steps


def rings() -> list[list[int]]:
    """By space, those within four steps, the nearest first; filled up with -1."""
    out: list[list[int]] = []
    for at in range(SPACES):
        near = sorted((int(APART[at * SPACES + to]), to) for to in range(SPACES) if APART[at * SPACES + to] <= 4)
        out.append([to for _, to in near] + [-1] * (61 - len(near)))
    return out


def three_bands() -> list[int]:
    """A kind's word (three counts of four bits: within one step, at two, at three) as a number up to 26."""
    return [min(w & 15, 2) * 9 + min(w >> 4 & 15, 2) * 3 + min(w >> 8, 2) for w in range(4096)]


CLASS: Final = buf(classes())
NEAR_ISLE: Final = buf(nearest_isles())
LANDING: Final = buf(landing_spaces())
RING: Final = buf([to for row in rings() for to in row])
BANDS: Final = buf(three_bands())
BAND: Final = buf([0, 0, 1, 2])  # by steps
CREATURE_ONE: Final = buf([1 << (4 * i) for i in range(15)])  # by kind and band
SHIP_ONE: Final = buf([1 << (4 * i) for i in range(5)])  # by steps

# What is near each space, and the pieces that were counted for it.
CREATURES_NEAR: Final = filled(133, 0)
SHIPS_NEAR: Final = filled(133, 0)
COUNTED_CREATURE: Final = filled(25, -1)
COUNTED_SHIP: Final = filled(12, -1)
ISLE_CODE: Final = filled(4, 0)  # refilled at each call, as the next two
SINKS_BEFORE: Final = filled(4, 0)
ON_BOARD: Final = filled(5, 0)


def encode(s: SurviveState, seat: i64, sheet: Sheet) -> None:
    """One row."""
    with_room = follow(s)
    table(s, seat, sheet, with_room)
    colours: i64 = 4 if s.rules.two_colours else s.players
    for slot in range(SEATS):
        if slot < colours:
            seat_fields(s, (seat + slot) % colours, slot, sheet)
        else:
            for _ in range(len(SEAT)):
                sheet.put(0)
    pieces(s, seat, colours, sheet)
    sheet.at = (sheet.used + 1) * SIZE
    sheet.used += 1


def table(s: SurviveState, seat: i64, sheet: Sheet, with_room: i64) -> None:
    n = s.players
    rules = s.rules
    sheet.put(n)
    sheet.put(s.phase)
    sheet.put(6 if s.actor == CHANCE else 7 if s.actor == OVER else (s.actor - seat + n) % n)
    sheet.put((s.turn - seat + n) % n)
    sheet.put(s.step)
    sheet.put(s.face + 1)
    sheet.put(s.points)
    sheet.put(s.far)
    sheet.put(rules.squid)
    sheet.put(1 if rules.two_colours else 0)
    sheet.put(1 if rules.ships_per_colour else 0)
    sheet.put(1 if rules.overpopulated else 0)
    sheet.put(1 if rules.to_the_last else 0)
    sheet.put(1 if rules.all_equal else 0)
    sheet.put(1 if rules.submerged else 0)
    sheet.put(1 if rules.crowded else 0)
    sheet.put(1 if rules.dolphins else 0)
    sheet.put(1 if rules.squid_spares else 0)
    sheet.put(1 if rules.bounty else 0)
    sheet.put(1 if rules.isle_hopper else 0)
    sheet.put(s.tiles_left)
    for t in range(TERRAINS):
        sheet.put(s.terrain_left[t])
    for k in range(HAND_KINDS):
        sheet.put(held(s, seat, k))
    for k in range(BACKS):
        sheet.put(unseen(s, seat, k))
    for k in range(5):
        ON_BOARD[k] = 0
    for c in range(CREATURES):
        if s.creature_space[c] >= 0:
            ON_BOARD[KIND_OF[c]] += 1
    for k in range(5):
        sheet.put(ON_BOARD[k])
    for k in range(5):
        sheet.put(s.creature_left[k])
    ships: i64 = 0
    for ship in range(SHIPS):
        if s.ship_space[ship] >= 0:
            ships += 1
    sheet.put(ships)
    sheet.put(with_room)
    sheet.put(s.ships_left)
    sheet.put(s.quiet_rounds)
    for v in range(VALUES):
        left = s.values_left[seat * VALUES + v]
        sheet.put(left + s.values_left[(seat + 2) * VALUES + v] if rules.two_colours else left)


def held(s: SurviveState, seat: i64, back: i64) -> i64:
    """How many tiles of this back a seat holds."""
    at = seat * TERRAINS * HAND_KINDS + back
    return s.hand[at] + s.hand[at + HAND_KINDS] + s.hand[at + 2 * HAND_KINDS]


def unseen(s: SurviveState, seat: i64, back: i64) -> i64:
    """How many tiles of this back the seat has not seen: on the island, or in another's hand."""
    total = s.back_left[back] + s.back_left[BACKS + back] + s.back_left[2 * BACKS + back]
    if back < HAND_KINDS:
        for other in range(s.players):
            if other != seat and s.hand_size[other] > 0:
                total += held(s, other, back)
    return total


def seat_fields(s: SurviveState, colour: i64, slot: i64, sheet: Sheet) -> None:
    """A colour's fields; what belongs to a seat and not to a colour stands with its first one."""
    who: i64 = colour & 1 if s.rules.two_colours else colour
    first = slot < s.players
    own = slot == 0 or (slot == 2 and s.rules.two_colours)
    saved: i64 = 0
    banked: i64 = 0
    on_board: i64 = 0
    isles: i64 = 0
    for e in range(colour * PER_COLOUR, colour * PER_COLOUR + PER_COLOUR):
        at = s.where[e]
        if at < 0:
            continue
        worth: i64 = 4 if s.rules.all_equal else 4 * s.value[e] if own else QUARTERS
        if at >= FIRST_ISLE:
            saved += 1
            banked += worth
            isles |= 1 << (at - FIRST_ISLE)
        else:
            on_board += worth
    reached = (isles & 1) + (isles >> 1 & 1) + (isles >> 2 & 1) + (isles >> 3 & 1)
    if s.rules.isle_hopper:
        banked += 4 * reached
    if first:
        banked += 4 * s.bounties[who]
    rolls = (who - s.turn + s.players) % s.players
    sheet.put(s.in_play[who] if first else 0)
    sheet.put(saved)
    sheet.put(capped(banked, 255))
    sheet.put(capped(on_board, 255))
    sheet.put(PER_COLOUR - s.placed[colour])
    sheet.put(s.hand_size[who] if first else 0)
    sheet.put(s.ships_to_put[who] if first else 0)
    sheet.put(capped(s.bounties[who], 60) if first else 0)
    sheet.put(reached)
    sheet.put(s.players if rolls == 0 and s.step > STEP_MOVE else rolls)


# --- what is near ------------------------------------------------------------------------------------------------


def follow(s: SurviveState) -> i64:
    """Count for every space what has moved since the last call; how many ships have room."""
    for c in range(CREATURES):
        at = s.creature_space[c]
        before = COUNTED_CREATURE[c]
        if at != before:
            if before >= 0:
                near_creature(before, KIND_OF[c], -1)
            if at >= 0:
                near_creature(at, KIND_OF[c], 1)
            COUNTED_CREATURE[c] = at
    room: i64 = 0
    for ship in range(SHIPS):
        at = s.ship_space[ship]
        if at >= 0:
            if s.ship_seat[ship * 3 + 2] >= 0:
                at = -1
            else:
                room += 1
        before = COUNTED_SHIP[ship]
        if at != before:
            if before >= 0:
                near_ship(before, -1)
            if at >= 0:
                near_ship(at, 1)
            COUNTED_SHIP[ship] = at
    for isle in range(len(ISLES)):
        a = CREATURES_NEAR[LANDING[isle * 2]]
        b = CREATURES_NEAR[LANDING[isle * 2 + 1]]
        code: i64 = 0
        for k in range(3):
            shift = 12 * k
            x = (a >> shift & 15) + (a >> (shift + 4) & 15)
            y = (b >> shift & 15) + (b >> (shift + 4) & 15)
            code = code * 3 + capped(x if x > y else y, 2)
        ISLE_CODE[isle] = code
    return room


def near_creature(at: i64, kind_of: i64, more: i64) -> None:
    """A creature is here, or no longer (-1): tell the spaces within three steps."""
    row = at * SPACES
    for i in range(at * AROUND, at * AROUND + AROUND):
        to = RING[i]
        if to < 0:
            return
        apart = APART[row + to]
        if apart > 3:
            return
        CREATURES_NEAR[to] += more * CREATURE_ONE[kind_of * 3 + BAND[apart]]


def near_ship(at: i64, more: i64) -> None:
    """The same of a ship with room, within four steps."""
    row = at * SPACES
    for i in range(at * AROUND, at * AROUND + AROUND):
        to = RING[i]
        if to < 0:
            return
        SHIPS_NEAR[to] += more * SHIP_ONE[APART[row + to]]


# --- explorers ---------------------------------------------------------------------------------------------------


def pieces(s: SurviveState, seat: i64, colours: i64, sheet: Sheet) -> None:
    """Every explorer, colour by colour; a row that was nought and stays so is not written."""
    cells = sheet.cells
    o = sheet.used * SIZE + PIECE_AT
    for t in range(TERRAINS):
        SINKS_BEFORE[t + 1] = SINKS_BEFORE[t] + s.terrain_left[t]
    for slot in range(SEATS):
        if slot >= colours:
            for _ in range(PER_COLOUR):
                if cells[o] != 0:
                    for k in range(o, o + FIELDS):
                        cells[k] = 0
                o += FIELDS
            continue
        colour = (seat + slot) % colours
        who: i64 = colour & 1 if s.rules.two_colours else colour
        rolls = (who - s.turn + s.players) % s.players
        if rolls == 0 and s.step > STEP_MOVE:
            rolls = s.players
        moving: i64 = 1 + s.points if s.phase == MOVING and s.actor == who else 0
        tempo = rolls * 10 + moving * 2
        hand: i64 = 4 + capped(s.hand_size[who], 3)
        if who == seat:
            hand = capped(held(s, seat, SHARK_DEFENCE), 1) + 2 * capped(held(s, seat, WHALE_DEFENCE), 1)
        for e in range(colour * PER_COLOUR, colour * PER_COLOUR + PER_COLOUR):
            at = s.where[e]
            if 0 <= at < SPACES:
                explorer(s, sheet, o, who, e, at, who == seat, tempo, hand)
            elif cells[o] != 0:
                for k in range(o, o + FIELDS):
                    cells[k] = 0
            o += FIELDS


def explorer(
    s: SurviveState, sheet: Sheet, o: i64, who: i64, e: i64, at: i64, own: bool, tempo: i64, hand: i64
) -> None:
    cells = sheet.cells
    ship = s.aboard[e]
    terrain = s.tile[at]
    land = ship < 0 and terrain != SEA
    near = CREATURES_NEAR[at]
    where: i64 = 3 if ship >= 0 else 1 if land else 4 if s.guard[e] >= 0 else 2
    cells[o] = u8(where if own else where + 4)
    cells[o + 1] = u8(7 if s.rules.all_equal else s.value[e] if own else 0)
    cells[o + 2] = u8(CLASS[at])
    sea: i64 = 0
    if land:
        t = capped(terrain, 2)
        cells[o + 3] = u8(t + 1)
        cells[o + 4] = u8(capped(SINKS_BEFORE[t], 32))
        cells[o + 5] = u8(capped(s.terrain_left[t], 16))
        for x in range(at * SIDES, at * SIDES + SIDES):
            to = NEXT[x]
            if to >= 0 and s.tile[to] == SEA:
                sea += 1
    else:
        cells[o + 3] = 0
        cells[o + 4] = 0
        cells[o + 5] = 0
    if ship < 0:
        ships = SHIPS_NEAR[at]
        cells[o + 6] = u8(lowest(ships))
        cells[o + 7] = u8(
            capped((ships & 15) + (ships >> 4 & 15), 2) * 3 + capped((ships >> 8 & 15) + (ships >> 12 & 15), 2)
        )
    else:
        cells[o + 6] = 5
        cells[o + 7] = 0
    cells[o + 8] = u8(BANDS[near & 4095])
    cells[o + 9] = u8(BANDS[near >> 12 & 4095])
    cells[o + 10] = u8(BANDS[near >> 24 & 4095])
    helpers = near >> 36
    dolphins = capped((helpers & 15) + (helpers >> 4 & 15), 2)
    cells[o + 11] = u8(BANDS[helpers >> 12 & 0xFF | dolphins << 8])
    cells[o + 12] = u8(company(s, who, e, at, ship, land))
    cells[o + 13] = u8(tempo + (1 if s.marks[e] & ACTED != 0 else 0))
    cells[o + 14] = u8(capped(TO_LANDING[at], 10))
    cells[o + 15] = u8(s.tiles_left)
    cells[o + 16] = u8(hand)
    cells[o + 17] = u8(sea)
    cells[o + 18] = u8(ISLE_CODE[NEAR_ISLE[at]])


def lowest(ships: i64) -> i64:
    """Steps to the nearest of the ships counted in a word; 5: none within four."""
    if ships == 0:
        return 5
    steps: i64 = 0
    while ships & 15 == 0:
        ships >>= 4
        steps += 1
    return steps


def company(s: SurviveState, who: i64, e: i64, at: i64, ship: i64, land: bool) -> i64:
    """Who else is aboard, on the tile or in the water here."""
    mine: i64 = 0
    others: i64 = 0
    if ship >= 0:
        for i in range(ship * 3, ship * 3 + 3):
            if s.ship_seat[i] >= 0:
                colour = s.ship_seat[i] // PER_COLOUR
                if (colour & 1 if s.rules.two_colours else colour) == who:
                    mine += 1
                else:
                    others += 1
        return (mine - 1) * 6 + others * 2 + (1 if controls(s, who, ship) else 0)
    people = s.people_at[at]
    if people > 1:
        for x in range(who * PER_COLOUR, who * PER_COLOUR + PER_COLOUR):
            if s.where[x] == at and s.aboard[x] < 0 and x != e:
                mine += 1
        if s.rules.two_colours:
            for x in range((who + 2) * PER_COLOUR, (who + 3) * PER_COLOUR):
                if s.where[x] == at and s.aboard[x] < 0 and x != e:
                    mine += 1
    others = people - 1 - mine
    if land:
        return 18 + capped(mine, 3) * 4 + capped(others, 3)
    k = s.ship_at[at]
    room: i64 = 1 if k >= 0 and s.ship_seat[k * 3 + 2] < 0 else 0
    return 34 + (capped(mine, 2) * 3 + capped(others, 2)) * 2 + room


def fates(s: SurviveState, seat: i64) -> list[int]:
    """At the end, for every explorer in the order of `encode`: whether it is on an isle."""
    colours: i64 = 4 if s.rules.two_colours else s.players
    out: list[int] = []
    for slot in range(SEATS):
        colour = (seat + slot) % colours
        for e in range(colour * PER_COLOUR, colour * PER_COLOUR + PER_COLOUR):
            out.append(1 if slot < colours and s.where[e] >= FIRST_ISLE else 0)
    return out
