"""Feature rows for nets: a position as a seat knows it. No value or hand of another seat is read.

Counts of nearby pieces are kept per space and updated incrementally: a move recounts only the pieces it moved.
"""

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
from landfall.core.int_vectors import filled_vector, to_vector
from landfall.core.state import CHANCE, OVER
from landfall.games.survive.rules import board, components, phases, piece_positions
from landfall.games.survive.rules.position import SurvivePosition

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf

MAX_SEATS: Final[i64] = 6  # capacity of a row
UNKNOWN_WORTH: Final = 2.8  # the mean of a colour's values
QUARTERS: Final[i64] = 11  # ... in quarters of a point

# The options that affect strategy, each with its name in the rules. To a net, any other option is always off.
SWITCHES: Final = {
    "two_colours": "two_colours",
    "ships_per_colour": "ships_per_colour",
    "overpopulated": "overpopulated",
    "to_the_last": "to_the_last",
    "all_equal": "all_equal",
    "submerged": "submerged",
    "crowded": "crowded",
    "dolphins": "dolphins",
    "squid_spares": "squid_spares_on_arrival",  # nets know it by the name it had
    "bounty": "bounty",
    "isle_hopper": "isle_hopper",
}
TABLE_FIELDS: Final = [
    categorical_field("players", 6, "s.players"),
    categorical_field("phase", int(phases.PHASES) - 1, "s.phase"),
    categorical_field("actor", 7, "actor"),  # relative to the seat; 6: chance, 7: nobody
    categorical_field("turn", 5, "(s.turn - seat + s.players) % s.players"),
    categorical_field("step", int(phases.STEPS) - 1, "s.step"),
    categorical_field("die", len(components.FACE_NAMES), "s.face + 1"),
    categorical_field("points", int(components.MOVEMENT_POINTS), "s.points"),
    categorical_field("far", int(components.ANYWHERE), "s.far"),
    categorical_field("squid", 2, "s.rules.squid"),
    *[numeric_field(f"option_{name}", 1, f"bool_to_int(s.rules.{option})") for name, option in SWITCHES.items()],
    numeric_field("tiles", int(board.SLOTS), "s.tiles_left"),
    *numeric_fields_for_each("tiles", list(components.TERRAIN_NAMES), 16, "s.terrain_left[{i}]"),
    *numeric_fields_for_each("hand", list(components.BACK_NAMES[: int(components.HAND_KINDS)]), 4, "OWN_HAND[{i}]"),
    numeric_field("ships", int(components.SHIPS), "count_ships_on_board(s)"),
    # in others' hands or on the island
    *numeric_fields_for_each("unseen", list(components.BACK_NAMES), 8, "UNSEEN_BY_BACK[{i}]"),
    numeric_field("ships_with_room", int(components.SHIPS), "ships_with_room"),
    numeric_field("ships_left", int(components.SHIPS), "s.ships_left"),
    numeric_field("quiet_rounds", 10, "s.quiet_rounds"),
    numeric_field("bounty", int(components.EXPLORERS), "s.bounties[seat]"),
    *numeric_fields_for_each("on_board", list(components.KIND_NAMES), 6, "ON_BOARD[{i}]"),
    *[
        numeric_field(f"supply_{components.KIND_NAMES[kind]}", 6, f"s.creature_left[{kind}]")
        for kind in range(1, int(components.KINDS))
    ],
    *numeric_fields_for_each("to_place", ["1", "2", "3", "4", "5", "6"], 6, "count_explorers_to_place(s, seat, {i})"),
]
SEAT_FIELDS: Final = [
    numeric_field("saved", int(components.PER_COLOUR), "saved"),
    # quarters of a point; others' explorers count their mean value
    numeric_field("banked", 255, "clamp_to_max(banked, 255)"),
    numeric_field("on_board", 255, "clamp_to_max(on_board, 255)"),  # the same for explorers on the board
    numeric_field("unplaced", int(components.PER_COLOUR), "components.PER_COLOUR - s.placed[colour]"),
    numeric_field("hand", 18, "s.hand_size[who] if ours else 0"),
    numeric_field("ships_to_put", 4, "s.ships_to_put[who] if ours else 0"),
    numeric_field("isles", 4, "reached"),
    numeric_field("rolls", 6, "rolls"),  # die rolls before it moves again
]
PIECE_FIELDS: Final = [
    categorical_field("where", 8, "where"),  # ashore, swimming, aboard, guarded; then the same for others' explorers
    categorical_field("worth", 7, "worth"),  # 1 to 6: own; 7: every explorer counts one
    categorical_field("space", 38, "CLASS[at]"),  # spaces that are symmetric on the island share a number
    categorical_field("terrain", 3, "terrain + 1"),
    categorical_field("sinks_before", 32, "SINKS_BEFORE[terrain]"),
    categorical_field("sinks_with", 16, "clamp_to_max(s.terrain_left[terrain], 16)"),
    categorical_field("ships", 53, "ships"),  # with room: steps to the nearest, number nearby
    categorical_field("sea_sides", 6, "SEA_SIDES[at]"),
    categorical_field("serpents", 26, "BANDS[near & 4095]"),
    categorical_field("sharks", 26, "BANDS[near >> 12 & 4095]"),
    categorical_field("whales", 26, "BANDS[near >> 24 & 4095]"),
    categorical_field("others", 26, "BANDS[others >> 12 & 0xFF | dolphins << 8]"),  # squids and dolphins
    categorical_field("company", 51, "encode_companions(s, who, e, at, ship, land)"),
    # die rolls before it moves again; on its turn: points left and whether it has acted
    categorical_field("tempo", 69, "tempo + (s.marks[e] & components.ACTED)"),
    categorical_field("end", 127, "end"),  # tiles left, and the hand's tiles against creatures
    categorical_field("isle", 26, "ISLE_CODE[NEAR_ISLE[at]]"),  # creatures at the nearest isle
]
WORTHS: Final = [UNKNOWN_WORTH, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 1.0]
LAYOUT: Final = FeatureLayout(
    "survive", 1, int(MAX_SEATS), TABLE_FIELDS, SEAT_FIELDS, int(components.PER_COLOUR), PIECE_FIELDS, WORTHS
)
SEAT_WORD: Final[i64] = LAYOUT.seat_at // 8
PIECE_WORD: Final[i64] = LAYOUT.piece_at // 8
SIZE: Final[i64] = LAYOUT.size // 8


def list_symmetry_classes() -> list[int]:
    """Spaces that are equivalent under the board's four symmetries share a number."""
    numbers: dict[tuple[int, int], int] = {}
    out: list[int] = []
    for q, r in board.HEXES:
        alike = min((q, r), (-q, -r), (-q - r, r), (q + r, -r))
        if alike not in numbers:
            numbers[alike] = len(numbers)
        out.append(numbers[alike])
    return out


def list_landing_spaces() -> list[int]:
    return [board.INDEX[at] for two in board.LANDINGS for at in two]


def nearest_isle_by_space() -> list[int]:
    """By space: the isle with the nearest landing space."""
    spaces = list_landing_spaces()
    out: list[int] = []
    for at in range(board.SPACES):
        apart = [
            min(int(board.APART[at * board.SPACES + spaces[i]]), int(board.APART[at * board.SPACES + spaces[i + 1]]))
            for i in range(0, 8, 2)
        ]
        out.append(apart.index(min(apart)))
    return out


AROUND: Final[i64] = 61  # spaces within four steps


def nearby_spaces_by_distance() -> list[list[int]]:
    """By space: the spaces within four steps, nearest first, padded with -1."""
    out: list[list[int]] = []
    for at in range(board.SPACES):
        near = sorted(
            (int(board.APART[at * board.SPACES + to]), to)
            for to in range(board.SPACES)
            if board.APART[at * board.SPACES + to] <= 4
        )
        out.append([to for _, to in near] + [-1] * (int(AROUND) - len(near)))
    return out


def make_nearby_count_codes() -> list[int]:
    """A kind's word (three counts of four bits: within one step, at two, at three) as a number up to 26."""
    return [min(w & 15, 2) * 9 + min(w >> 4 & 15, 2) * 3 + min(w >> 8, 2) for w in range(4096)]


CLASS: Final = to_vector(list_symmetry_classes())
NEAR_ISLE: Final = to_vector(nearest_isle_by_space())
LANDING: Final = to_vector(list_landing_spaces())
RING: Final = to_vector([to for row in nearby_spaces_by_distance() for to in row])
BANDS: Final = to_vector(make_nearby_count_codes())
BAND: Final = to_vector([0, 0, 1, 2])  # by steps
CREATURE_ONE: Final = to_vector([1 << (4 * i) for i in range(15)])  # by kind and band
SHIP_ONE: Final = to_vector([1 << (4 * i) for i in range(5)])  # by steps

# Counts of nearby pieces by space, and the pieces included in them.
CREATURES_NEAR: Final = filled_vector(board.SPACES, 0)
SHIPS_NEAR: Final = filled_vector(board.SPACES, 0)
SEA_SIDES: Final = to_vector(
    [sum(1 for d in range(board.SIDES) if board.NEXT[at * board.SIDES + d] >= 0) for at in range(board.SPACES)]
)
COUNTED_CREATURE: Final = filled_vector(components.CREATURES, -1)
COUNTED_SHIP: Final = filled_vector(components.SHIPS, -1)
COUNTED_LAND: Final = filled_vector(board.SLOTS, 0)
ISLE_CODE: Final = filled_vector(len(board.ISLES), 0)  # refilled at each call, like the next four
SINKS_BEFORE: Final = filled_vector(components.TERRAINS + 1, 0)
ON_BOARD: Final = filled_vector(components.KINDS, 0)
UNSEEN_BY_BACK: Final = filled_vector(components.BACKS, 0)
OWN_HAND: Final = filled_vector(components.HAND_KINDS, 0)


def write_feature_row(s: SurvivePosition, seat: i64, sheet: RowBuffer) -> None:
    """Write one row."""
    ships_with_room = update_nearby_counts(s)
    first = sheet.used * SIZE
    write_table_fields(s, seat, sheet.words, first, ships_with_room)
    colours = piece_positions.count_colours(s)
    for t in range(components.TERRAINS):
        SINKS_BEFORE[t + 1] = SINKS_BEFORE[t] + s.terrain_left[t]
    for slot in range(MAX_SEATS):
        if slot < colours:
            write_colour_fields(s, seat, (seat + slot) % colours, slot, sheet, first)
        else:
            o = first + PIECE_WORD + slot * 2 * components.PER_COLOUR
            sheet.words[first + SEAT_WORD + slot] = 0
            for i in range(o, o + 2 * components.PER_COLOUR):
                sheet.words[i] = 0
    sheet.used += 1


def write_table_fields(s: SurvivePosition, seat: i64, words: Buf, o: i64, ships_with_room: i64) -> None:
    actor: i64 = 6 if s.actor == CHANCE else 7 if s.actor == OVER else (s.actor - seat + s.players) % s.players
    for k in range(components.KINDS):
        ON_BOARD[k] = 0
    for c in range(components.CREATURES):
        if s.creature_space[c] >= 0:
            ON_BOARD[components.KIND_OF[c]] += 1
    fill_own_hand_counts(s, seat)
    fill_unseen_tile_counts(s, seat)
    # row: TABLE_FIELDS -> words[o]
    words[o] = pack_eight_bytes(
        s.players, s.phase, actor, (s.turn - seat + s.players) % s.players, s.step, s.face + 1, s.points, s.far
    )
    words[o + 1] = pack_eight_bytes(
        s.rules.squid,
        bool_to_int(s.rules.two_colours),
        bool_to_int(s.rules.ships_per_colour),
        bool_to_int(s.rules.overpopulated),
        bool_to_int(s.rules.to_the_last),
        bool_to_int(s.rules.all_equal),
        bool_to_int(s.rules.submerged),
        bool_to_int(s.rules.crowded),
    )
    words[o + 2] = pack_eight_bytes(
        bool_to_int(s.rules.dolphins),
        bool_to_int(s.rules.squid_spares_on_arrival),
        bool_to_int(s.rules.bounty),
        bool_to_int(s.rules.isle_hopper),
        s.tiles_left,
        s.terrain_left[0],
        s.terrain_left[1],
        s.terrain_left[2],
    )
    words[o + 3] = pack_eight_bytes(
        OWN_HAND[0],
        OWN_HAND[1],
        OWN_HAND[2],
        OWN_HAND[3],
        OWN_HAND[4],
        OWN_HAND[5],
        OWN_HAND[6],
        count_ships_on_board(s),
    )
    words[o + 4] = pack_eight_bytes(
        UNSEEN_BY_BACK[0],
        UNSEEN_BY_BACK[1],
        UNSEEN_BY_BACK[2],
        UNSEEN_BY_BACK[3],
        UNSEEN_BY_BACK[4],
        UNSEEN_BY_BACK[5],
        UNSEEN_BY_BACK[6],
        UNSEEN_BY_BACK[7],
    )
    words[o + 5] = pack_eight_bytes(
        UNSEEN_BY_BACK[8],
        UNSEEN_BY_BACK[9],
        UNSEEN_BY_BACK[10],
        UNSEEN_BY_BACK[11],
        ships_with_room,
        s.ships_left,
        s.quiet_rounds,
        s.bounties[seat],
    )
    words[o + 6] = pack_eight_bytes(
        ON_BOARD[0],
        ON_BOARD[1],
        ON_BOARD[2],
        ON_BOARD[3],
        ON_BOARD[4],
        s.creature_left[1],
        s.creature_left[2],
        s.creature_left[3],
    )
    words[o + 7] = pack_eight_bytes(
        s.creature_left[4],
        count_explorers_to_place(s, seat, 0),
        count_explorers_to_place(s, seat, 1),
        count_explorers_to_place(s, seat, 2),
        count_explorers_to_place(s, seat, 3),
        count_explorers_to_place(s, seat, 4),
        count_explorers_to_place(s, seat, 5),
        0,
    )
    # end of row


def count_ships_on_board(s: SurvivePosition) -> i64:
    ships: i64 = 0
    for ship in range(components.SHIPS):
        if s.ship_space[ship] >= 0:
            ships += 1
    return ships


def count_explorers_to_place(s: SurvivePosition, seat: i64, v: i64) -> i64:
    """The number of explorers of a value that the seat still has to place."""
    left = s.values_left[seat * components.VALUES + v]
    return (
        left + s.values_left[piece_positions.colour_of_seat(seat, 1) * components.VALUES + v]
        if s.rules.two_colours
        else left
    )


def count_held_tiles(s: SurvivePosition, seat: i64, back: components.Back) -> i64:
    """The number of tiles of a back that a seat holds."""
    at = seat * components.TERRAINS * components.HAND_KINDS + back
    return s.hand[at] + s.hand[at + components.HAND_KINDS] + s.hand[at + 2 * components.HAND_KINDS]


def fill_own_hand_counts(s: SurvivePosition, seat: i64) -> None:
    """Count the seat's own tiles of each back."""
    holds_some = s.hand_size[seat] > 0
    for back in range(components.HAND_KINDS):
        OWN_HAND[back] = count_held_tiles(s, seat, components.Back(back)) if holds_some else 0


def fill_unseen_tile_counts(s: SurvivePosition, seat: i64) -> None:
    """Count the tiles of each back that the seat has not seen: on the island, or in others' hands."""
    left = s.back_left
    for back in range(components.BACKS):
        UNSEEN_BY_BACK[back] = left[back] + left[components.BACKS + back] + left[2 * components.BACKS + back]
    for other in range(s.players):
        if other != seat and s.hand_size[other] > 0:
            for back in range(components.HAND_KINDS):
                UNSEEN_BY_BACK[back] += count_held_tiles(s, other, components.Back(back))


def write_colour_fields(s: SurvivePosition, seat: i64, colour: i64, slot: i64, sheet: RowBuffer, first: i64) -> None:
    """A colour's explorers and fields; the fields of the seat go with its first colour."""
    words = sheet.words
    o = first + PIECE_WORD + slot * 2 * components.PER_COLOUR
    who = piece_positions.seat_of_colour(s, colour)
    own = who == seat
    rolls = (who - s.turn + s.players) % s.players
    if rolls == 0 and s.step > phases.STEP_MOVE:
        rolls = s.players
    moving: i64 = 1 + s.points if s.phase == phases.MOVING and s.actor == who else 0
    tempo = rolls * 10 + moving * 2
    hand: i64 = clamp_to_max(s.hand_size[who], 2)
    if own and hand > 0:
        hand = clamp_to_max(
            count_held_tiles(s, seat, components.SHARK_DEFENCE) + count_held_tiles(s, seat, components.WHALE_DEFENCE), 2
        )
    end = s.tiles_left * 3 + hand
    equal = s.rules.all_equal
    saved: i64 = 0
    banked: i64 = 0
    on_board: i64 = 0
    isles: i64 = 0
    for e in range(colour * components.PER_COLOUR, colour * components.PER_COLOUR + components.PER_COLOUR):
        at = s.where[e]
        if at < 0:
            words[o] = 0
            words[o + 1] = 0
        else:
            worth: i64 = 4 if equal else 4 * s.value[e] if own else QUARTERS
            if at >= board.FIRST_ISLE:
                saved += 1
                banked += worth
                isles |= 1 << (at - board.FIRST_ISLE)
                words[o] = 0
                words[o + 1] = 0
            else:
                on_board += worth
                ship = s.aboard[e]
                land = ship < 0 and s.tile[at] != components.SEA
                words[o] = encode_explorer_location(s, e, at, ship, land, own)
                near = CREATURES_NEAR[at]
                others = near >> 36
                dolphins = clamp_to_max((others & 15) + (others >> 4 & 15), 2)
                # row: PIECE_FIELDS word 1 -> words[o + 1]
                words[o + 1] = pack_eight_bytes(
                    BANDS[near & 4095],
                    BANDS[near >> 12 & 4095],
                    BANDS[near >> 24 & 4095],
                    BANDS[others >> 12 & 0xFF | dolphins << 8],
                    encode_companions(s, who, e, at, ship, land),
                    tempo + (s.marks[e] & components.ACTED),
                    end,
                    ISLE_CODE[NEAR_ISLE[at]],
                )
                # end of row
        o += 2
    reached = (isles & 1) + (isles >> 1 & 1) + (isles >> 2 & 1) + (isles >> 3 & 1)
    if s.rules.isle_hopper:
        banked += 4 * reached
    ours = slot < s.players
    if ours:
        banked += 4 * s.bounties[who]
    # row: SEAT_FIELDS -> words[first + SEAT_WORD + slot]
    words[first + SEAT_WORD + slot] = pack_eight_bytes(
        saved,
        clamp_to_max(banked, 255),
        clamp_to_max(on_board, 255),
        components.PER_COLOUR - s.placed[colour],
        s.hand_size[who] if ours else 0,
        s.ships_to_put[who] if ours else 0,
        reached,
        rolls,
    )
    # end of row


def encode_explorer_location(s: SurvivePosition, e: i64, at: i64, ship: i64, land: bool, own: bool) -> i64:
    """Where an explorer is, and what it can gain there."""
    where: i64 = 3 if ship >= 0 else 1 if land else 4 if s.guard[e] >= 0 else 2
    if not own:
        where += 4
    worth: i64 = 7 if s.rules.all_equal else s.value[e] if own else 0
    ships: i64 = 45
    if ship < 0:
        near = SHIPS_NEAR[at]
        ships = steps_to_nearest_counted_ship(near) * 9
        ships += clamp_to_max((near & 15) + (near >> 4 & 15), 2) * 3 + clamp_to_max(
            (near >> 8 & 15) + (near >> 12 & 15), 2
        )
    if not land:
        # row: PIECE_FIELDS word 0 of where, worth, space, ships -> return
        return where | worth << 8 | CLASS[at] << 16 | ships << 48
        # end of row
    terrain = clamp_to_max(s.tile[at], 2)
    # row: PIECE_FIELDS word 0 -> return
    return pack_eight_bytes(
        where,
        worth,
        CLASS[at],
        terrain + 1,
        SINKS_BEFORE[terrain],
        clamp_to_max(s.terrain_left[terrain], 16),
        ships,
        SEA_SIDES[at],
    )
    # end of row


# --- nearby pieces ------------------------------------------------------------------------------------------------


def update_nearby_counts(s: SurvivePosition) -> i64:
    """Update the counts of every space for pieces that moved since the last call. Returns the ships with room."""
    for c in range(components.CREATURES):
        at = s.creature_space[c]
        before = COUNTED_CREATURE[c]
        if at != before:
            if before >= 0:
                add_creature_to_nearby_counts(before, components.KIND_OF[c], -1)
            if at >= 0:
                add_creature_to_nearby_counts(at, components.KIND_OF[c], 1)
            COUNTED_CREATURE[c] = at
    room: i64 = 0
    for ship in range(components.SHIPS):
        at = s.ship_space[ship]
        if at >= 0:
            if s.ship_seat[ship * components.SHIP_SEATS + components.SHIP_SEATS - 1] >= 0:
                at = -1
            else:
                room += 1
        before = COUNTED_SHIP[ship]
        if at != before:
            if before >= 0:
                add_ship_to_nearby_counts(before, -1)
            if at >= 0:
                add_ship_to_nearby_counts(at, 1)
            COUNTED_SHIP[ship] = at
    for slot in range(board.SLOTS):
        land: i64 = 1 if s.tile[board.SLOT_SPACE[slot]] != components.SEA else 0
        if land != COUNTED_LAND[slot]:
            add_to_sea_side_counts(board.SLOT_SPACE[slot], COUNTED_LAND[slot] - land)
            COUNTED_LAND[slot] = land
    for isle in range(len(board.ISLES)):
        a = CREATURES_NEAR[LANDING[isle * 2]]
        b = CREATURES_NEAR[LANDING[isle * 2 + 1]]
        code: i64 = 0
        for k in range(3):
            shift = 12 * k
            x = (a >> shift & 15) + (a >> (shift + 4) & 15)
            y = (b >> shift & 15) + (b >> (shift + 4) & 15)
            code = code * 3 + clamp_to_max(x if x > y else y, 2)
        ISLE_CODE[isle] = code
    return room


def add_creature_to_nearby_counts(at: i64, kind_of: i64, more: i64) -> None:
    """Add a creature to the counts of the spaces within three steps, or remove it (-1)."""
    row = at * board.SPACES
    for i in range(at * AROUND, at * AROUND + AROUND):
        to = RING[i]
        if to < 0:
            return
        apart = board.APART[row + to]
        if apart > 3:
            return
        CREATURES_NEAR[to] += more * CREATURE_ONE[kind_of * 3 + BAND[apart]]


def add_ship_to_nearby_counts(at: i64, more: i64) -> None:
    """The same for a ship with room, within four steps."""
    row = at * board.SPACES
    for i in range(at * AROUND, at * AROUND + AROUND):
        to = RING[i]
        if to < 0:
            return
        SHIPS_NEAR[to] += more * SHIP_ONE[board.APART[row + to]]


def add_to_sea_side_counts(at: i64, more: i64) -> None:
    """A tile sank or was laid: update the number of sea sides of the adjacent spaces."""
    for x in range(at * board.SIDES, at * board.SIDES + board.SIDES):
        if board.NEXT[x] >= 0:
            SEA_SIDES[board.NEXT[x]] += more


# --- explorers ---------------------------------------------------------------------------------------------------


def steps_to_nearest_counted_ship(ships: i64) -> i64:
    """Steps to the nearest ship counted in a word; 5: none within four."""
    if ships == 0:
        return 5
    steps: i64 = 0
    while ships & 15 == 0:
        ships >>= 4
        steps += 1
    return steps


def encode_companions(s: SurvivePosition, who: i64, e: i64, at: i64, ship: i64, land: bool) -> i64:
    """Who else is aboard, on the tile or in the water of the same space."""
    mine: i64 = 0
    others: i64 = 0
    if ship >= 0:
        for i in range(ship * components.SHIP_SEATS, (ship + 1) * components.SHIP_SEATS):
            if s.ship_seat[i] >= 0:
                if piece_positions.seat_of_explorer(s, s.ship_seat[i]) == who:
                    mine += 1
                else:
                    others += 1
        return (mine - 1) * 6 + others * 2 + (1 if piece_positions.does_seat_control_ship(s, who, ship) else 0)
    people = s.people_at[at]
    if people > 1:
        for x in range(who * components.PER_COLOUR, who * components.PER_COLOUR + components.PER_COLOUR):
            if s.where[x] == at and s.aboard[x] < 0 and x != e:
                mine += 1
        if s.rules.two_colours:
            for x in range(
                piece_positions.colour_of_seat(who, 1) * components.PER_COLOUR,
                piece_positions.colour_of_seat(who, 1) * components.PER_COLOUR + components.PER_COLOUR,
            ):
                if s.where[x] == at and s.aboard[x] < 0 and x != e:
                    mine += 1
    others = people - 1 - mine
    if land:
        return 18 + clamp_to_max(mine, 3) * 4 + clamp_to_max(others, 3)
    k = s.ship_at[at]
    room: i64 = 1 if k >= 0 and piece_positions.has_free_seat(s, k) else 0
    return 34 + (clamp_to_max(mine, 2) * 3 + clamp_to_max(others, 2)) * 2 + room


def explorer_rescue_flags(s: SurvivePosition, seat: i64) -> list[int]:
    """Whether each explorer is on an isle, in the order of `write_feature_row`."""
    return [rescue_flag(s, seat, number) for number in range(MAX_SEATS * components.PER_COLOUR)]


def rescue_flag(s: SurvivePosition, seat: i64, number: i64) -> int:
    """1 if the explorer of that number in a seat's row is on an isle."""
    slot = number // components.PER_COLOUR
    colours = piece_positions.count_colours(s)
    if slot >= colours:
        return 0
    e = (seat + slot) % colours * components.PER_COLOUR + number % components.PER_COLOUR
    return 1 if s.where[e] >= board.FIRST_ISLE else 0
