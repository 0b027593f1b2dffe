"""Feature rows for nets, relative to a seat; all information is public (AD.V9)."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from landfall.core.feature_layout import (
    FeatureLayout,
    RowBuffer,
    bool_to_int,
    categorical_field,
    clamp_to_max,
    field_index,
    numeric_field,
    numeric_fields_for_each,
    pack_eight_bytes,
    write_bytes_at_word,
)
from landfall.core.int_vectors import filled_vector
from landfall.core.state import CHANCE, OVER
from landfall.games.atlandice.rules import board, components, phases, scoring
from landfall.games.atlandice.rules.position import AtlandicePosition
from landfall.games.atlandice.rules.visits import count_pieces_in_sector

MAX_HOLDERS: Final[i64] = components.HOLDERS  # with two players the third is the neutral player (AD.N1)
ICONS: Final[i64] = 6  # number of next clock spaces in a row

TABLE_FIELDS: Final = [
    categorical_field("players", 4),
    categorical_field("phase", len(phases.PHASES) - 1),
    categorical_field("actor", 5),  # relative to the seat; 4: chance, 5: nobody
    categorical_field("turn", 3),
    categorical_field("first", 3),
    categorical_field("for_neutral", 1),
    categorical_field("at", board.SECTORS - 1),
    categorical_field("picked", board.SECTORS * components.RESOURCES),
    categorical_field("submarine", board.SECTORS - 1),
    categorical_field("reveal", board.REGIONS - 1),
    *[categorical_field(f"top_{name}", components.FACE_DOWN + 1) for name in board.SECTOR_NAMES[: board.REGIONS]],
    *[categorical_field(f"icon_{i + 1}", 8) for i in range(ICONS)],  # on the clock's next spaces; 8: beyond the last
    numeric_field("round", 20),
    numeric_field("visits_left", 8),
    numeric_field("to_roll", 9),
    numeric_field("clock_left", 60),
    numeric_field("donors", 4),
    *numeric_fields_for_each("dice", list(board.SECTOR_NAMES), 9),
    *[numeric_field(f"{r}_in_{name}", 12) for name in board.SECTOR_NAMES for r in components.RESOURCE_NAMES],
    *numeric_fields_for_each("hands", list(board.SECTOR_NAMES), 20),  # hands that move the clock
    *numeric_fields_for_each("held", list(board.SECTOR_NAMES[: board.REGIONS]), 1),
    *[numeric_field(f"unseen_{i}", 1) for i in range(components.TILES)],
    categorical_field("visited", components.TILES),  # the tile whose effect is being resolved; 0: none
]
SEAT_FIELDS: Final = [
    numeric_field("points", 60),
    numeric_field("tiles", 15),
    numeric_field("pieces", 60),
    numeric_field("shares", 15),  # points that all shares would score now
    numeric_field("dice", 3),
    numeric_field("gave", 1),
    *numeric_fields_for_each("stock", list(components.RESOURCE_NAMES), 12),
]
# A piece is a holder's stake in a resource.
STAKE_FIELDS: Final = [
    # own, another's, the neutral player's; the resource; whether the visit benefits the holder
    categorical_field("stake", 30),
    categorical_field("stock", 12),
    categorical_field("over_best", 12),  # the lead over the best of the others, from -6
    categorical_field("over_second", 12),
    categorical_field("region", 13),  # pieces in the resource's own region
    categorical_field("lying", 39),  # pieces of the resource in all sectors; the sector of the visit
    categorical_field(
        "tile", 2 * components.FACE_DOWN + 3
    ),  # the top of the region's stack, and whether it has held a piece
    categorical_field("clock", 20),  # spaces left
]
LAYOUT: Final = FeatureLayout(
    "atlandice", 2, int(MAX_HOLDERS), TABLE_FIELDS, SEAT_FIELDS, components.RESOURCES, STAKE_FIELDS, []
)
SEAT_WORD: Final[i64] = LAYOUT.seat_at // 8
PIECE_WORD: Final[i64] = LAYOUT.piece_at // 8
SIZE: Final[i64] = LAYOUT.size // 8
SEAT_WORDS: Final[i64] = LAYOUT.seat_wide // 8
TABLE_LENGTH: Final[i64] = len(TABLE_FIELDS)
BYTES: Final = filled_vector(len(TABLE_FIELDS), 0)  # the table's fields, refilled at each call

# Indices of the table's fields; for several alike, the first.
PLAYERS_AT: Final[i64] = field_index(TABLE_FIELDS, "players")
PHASE_AT: Final[i64] = field_index(TABLE_FIELDS, "phase")
ACTOR_AT: Final[i64] = field_index(TABLE_FIELDS, "actor")
TURN_AT: Final[i64] = field_index(TABLE_FIELDS, "turn")
FIRST_AT: Final[i64] = field_index(TABLE_FIELDS, "first")
FOR_NEUTRAL_AT: Final[i64] = field_index(TABLE_FIELDS, "for_neutral")
VISIT_AT: Final[i64] = field_index(TABLE_FIELDS, "at")
PICKED_AT: Final[i64] = field_index(TABLE_FIELDS, "picked")
SUBMARINE_AT: Final[i64] = field_index(TABLE_FIELDS, "submarine")
REVEAL_AT: Final[i64] = field_index(TABLE_FIELDS, "reveal")
TOPS_AT: Final[i64] = field_index(TABLE_FIELDS, f"top_{board.SECTOR_NAMES[0]}")
ICONS_AT: Final[i64] = field_index(TABLE_FIELDS, "icon_1")
ROUND_AT: Final[i64] = field_index(TABLE_FIELDS, "round")
VISITS_LEFT_AT: Final[i64] = field_index(TABLE_FIELDS, "visits_left")
TO_ROLL_AT: Final[i64] = field_index(TABLE_FIELDS, "to_roll")
CLOCK_LEFT_AT: Final[i64] = field_index(TABLE_FIELDS, "clock_left")
DONORS_AT: Final[i64] = field_index(TABLE_FIELDS, "donors")
DICE_AT: Final[i64] = field_index(TABLE_FIELDS, f"dice_{board.SECTOR_NAMES[0]}")
LYING_AT: Final[i64] = field_index(TABLE_FIELDS, f"{components.RESOURCE_NAMES[0]}_in_{board.SECTOR_NAMES[0]}")
HANDS_AT: Final[i64] = field_index(TABLE_FIELDS, f"hands_{board.SECTOR_NAMES[0]}")
HELD_AT: Final[i64] = field_index(TABLE_FIELDS, f"held_{board.SECTOR_NAMES[0]}")
UNSEEN_AT: Final[i64] = field_index(TABLE_FIELDS, "unseen_0")
VISITED_AT: Final[i64] = field_index(TABLE_FIELDS, "visited")


def write_feature_row(s: AtlandicePosition, seat: i64, sheet: RowBuffer) -> None:
    """Write one row."""
    left: i64 = len(s.icons) - 1 - s.hand
    first = sheet.used * SIZE
    write_table_fields(s, seat, left)
    write_bytes_at_word(sheet.words, first * 8, BYTES, TABLE_LENGTH)
    for slot in range(MAX_HOLDERS):
        who = holder_at_relative_slot(s, seat, slot)
        write_holder_fields(s, who, sheet, first + SEAT_WORD + slot * SEAT_WORDS)
        whose: i64 = 0 if slot == 0 else 2 if s.players == 2 and slot == components.NEUTRAL else 1
        o = first + PIECE_WORD + slot * components.RESOURCES
        for resource in range(components.RESOURCES):
            sheet.words[o + resource] = encode_resource_stake(s, who, whose, resource, left) if who >= 0 else 0
    sheet.used += 1


def write_table_fields(s: AtlandicePosition, seat: i64, left: i64) -> None:
    n = s.players
    b = BYTES
    b[PLAYERS_AT] = n
    b[PHASE_AT] = s.phase
    b[ACTOR_AT] = 4 if s.actor == CHANCE else 5 if s.actor == OVER else (s.actor - seat + n) % n
    b[TURN_AT] = (s.turn - seat + n) % n
    b[FIRST_AT] = (s.first - seat + n) % n
    b[FOR_NEUTRAL_AT] = bool_to_int(s.holder != s.turn)
    b[VISIT_AT] = s.at
    b[PICKED_AT] = encode_picked_item(s)
    b[SUBMARINE_AT] = s.submarine
    b[REVEAL_AT] = s.reveal
    for region in range(board.REGIONS):
        letter = s.top[region]
        shown = letter != components.USED_UP and letter != components.FACE_DOWN
        b[TOPS_AT + region] = letter + 1
        b[HANDS_AT + region] = clamp_to_max(s.hands[region * components.LETTERS + letter], 20) if shown else 0
        b[HELD_AT + region] = s.held[region]
    b[HANDS_AT + board.REGIONS] = clamp_to_max(s.hands[components.TILES], 20)
    for i in range(ICONS):
        b[ICONS_AT + i] = s.icons[s.hand + i + 1] if i < left else 8
    b[ROUND_AT] = clamp_to_max(s.round, 20)
    b[VISITS_LEFT_AT] = components.VISITS[n] - s.visits if s.round > 0 else 0
    b[TO_ROLL_AT] = s.to_roll
    b[CLOCK_LEFT_AT] = clamp_to_max(left, 60)
    b[DONORS_AT] = s.donors
    for sector in range(board.SECTORS):
        b[DICE_AT + sector] = s.dice[sector]
    for i in range(board.SECTORS * components.RESOURCES):
        b[LYING_AT + i] = s.lying[i]
    for tile in range(components.TILES):
        b[UNSEEN_AT + tile] = bool_to_int(s.tile_place[tile] == components.UNSEEN)
    b[VISITED_AT] = 0
    if (
        is_visit_in_progress(s)
        and s.at < board.REGIONS
        and s.top[s.at] != components.FACE_DOWN
        and s.top[s.at] != components.USED_UP
    ):
        b[VISITED_AT] = 1 + s.at * components.LETTERS + s.top[s.at]


def encode_picked_item(s: AtlandicePosition) -> i64:
    """What was picked and must be placed: a piece, by sector and resource, or a die, by sector; 0: nothing."""
    if s.phase in (phases.SWAP, phases.PIECE_TO):
        return 1 + s.picked
    return 1 + s.picked * components.RESOURCES if s.phase == phases.DIE_TO else 0


def is_visit_in_progress(s: AtlandicePosition) -> bool:
    """Whether a visit is in progress: a piece must be taken, or the effect resolved."""
    return phases.PIECE <= s.phase <= phases.BONUS


def holder_at_relative_slot(s: AtlandicePosition, seat: i64, slot: i64) -> i64:
    """The holder at an index relative to a seat: the seats in turn order, then the neutral player; -1: nobody."""
    if slot < s.players:
        return (seat + slot) % s.players
    return slot if slot < scoring.count_scoring_holders(s) else -1


def write_holder_fields(s: AtlandicePosition, who: i64, sheet: RowBuffer, o: i64) -> None:
    if who < 0:
        sheet.words[o] = 0
        sheet.words[o + 1] = 0
        return
    shares: i64 = 0
    for resource in range(components.RESOURCES):
        shares += scoring.majority_points(s, components.Resource(resource), who)
    stock = s.stock
    k = who * components.RESOURCES
    sheet.words[o] = pack_eight_bytes(
        clamp_to_max(s.points[who], 60),
        scoring.count_tiles_of_holder(s, who),
        clamp_to_max(scoring.count_pieces_of_holder(s, who), 60),
        shares,
        s.taken[who],
        s.gave[who],
        stock[k],
        stock[k + 1],
    )
    sheet.words[o + 1] = pack_eight_bytes(stock[k + 2], stock[k + 3], stock[k + 4], 0, 0, 0, 0, 0)


def encode_resource_stake(s: AtlandicePosition, who: i64, whose: i64, resource: i64, left: i64) -> i64:
    """A holder's stake in a resource: its count, its lead, and how near its next scoring is."""
    mine = s.stock[who * components.RESOURCES + resource]
    best: i64 = 0
    second: i64 = 0
    for other in range(scoring.count_scoring_holders(s)):
        if other != who:
            theirs = s.stock[other * components.RESOURCES + resource]
            if theirs > best:
                second = best
                best = theirs
            elif theirs > second:
                second = theirs
    lying: i64 = 0
    for sector in range(board.SECTORS):
        lying += s.lying[sector * components.RESOURCES + resource]
    here: i64 = 0
    if is_visit_in_progress(s):
        here = clamp_to_max(s.lying[s.at * components.RESOURCES + resource], 3)
        if s.holder == who:
            whose += 3
    return pack_eight_bytes(
        1 + whose * components.RESOURCES + resource,
        mine,
        encode_lead(mine - best),
        encode_lead(mine - second),
        clamp_to_max(count_pieces_in_sector(s, board.Sector(resource)), 13),
        clamp_to_max(lying, 9) + 10 * here,
        (s.top[resource] + 1) * 2 + s.held[resource],
        clamp_to_max(left, 20),
    )


def encode_lead(over: i64) -> i64:
    """A lead from -6 to 6, shifted to start at 0."""
    return 0 if over < -6 else 12 if over > 6 else over + 6
