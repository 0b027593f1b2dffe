"""Feature rows for nets, relative to a seat; all information is public (AD.V9)."""

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
from landfall.core.state import CHANCE, OVER
from landfall.games.atlandice.rules import board, components, phases, scoring
from landfall.games.atlandice.rules.position import AtlandicePosition
from landfall.games.atlandice.rules.visits import count_pieces_in_sector

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf

MAX_HOLDERS: Final[i64] = components.HOLDERS  # with two players the third is the neutral player (AD.N1)
ICONS: Final = 6  # number of next clock spaces in a row

TABLE_FIELDS: Final = [
    categorical_field("players", 4, "s.players"),
    categorical_field("phase", len(phases.PHASES) - 1, "s.phase"),
    categorical_field("actor", 5, "actor"),  # relative to the seat; 4: chance, 5: nobody
    categorical_field("turn", 3, "(s.turn - seat + s.players) % s.players"),
    categorical_field("first", 3, "(s.first - seat + s.players) % s.players"),
    categorical_field("for_neutral", 1, "bool_to_int(s.holder != s.turn)"),
    categorical_field("at", board.SECTORS - 1, "s.at"),
    categorical_field("picked", board.SECTORS * components.RESOURCES, "encode_picked_item(s)"),
    categorical_field("submarine", board.SECTORS - 1, "s.submarine"),
    categorical_field("reveal", board.REGIONS - 1, "s.reveal"),
    *[
        categorical_field(f"top_{board.SECTOR_NAMES[region]}", components.FACE_DOWN + 1, f"s.top[{region}] + 1")
        for region in range(board.REGIONS)
    ],
    # on the clock's next spaces; 8: beyond the last
    *[categorical_field(f"icon_{i}", 8, f"s.icons[s.hand + {i}] if left >= {i} else 8") for i in range(1, ICONS + 1)],
    numeric_field("round", 20, "clamp_to_max(s.round, 20)"),
    numeric_field("visits_left", 8, "components.VISITS[s.players] - s.visits if s.round > 0 else 0"),
    numeric_field("to_roll", 9, "s.to_roll"),
    numeric_field("clock_left", 60, "clamp_to_max(left, 60)"),
    numeric_field("donors", 4, "s.donors"),
    *numeric_fields_for_each("dice", list(board.SECTOR_NAMES), 9, "s.dice[{i}]"),
    *[
        numeric_field(f"{resource}_in_{sector}", 12, f"s.lying[{i * len(components.RESOURCE_NAMES) + k}]")
        for i, sector in enumerate(board.SECTOR_NAMES)
        for k, resource in enumerate(components.RESOURCE_NAMES)
    ],
    # hands that move the clock
    *numeric_fields_for_each("hands", list(board.SECTOR_NAMES), 20, "clamp_to_max(hands_of_sector(s, {i}), 20)"),
    *numeric_fields_for_each("held", list(board.SECTOR_NAMES[: board.REGIONS]), 1, "s.held[{i}]"),
    *[
        numeric_field(f"unseen_{tile}", 1, f"bool_to_int(s.tile_place[{tile}] == components.UNSEEN)")
        for tile in range(components.TILES)
    ],
    categorical_field("visited", components.TILES, "visited"),  # the tile whose effect is being resolved; 0: none
]
SEAT_FIELDS: Final = [
    numeric_field("points", 60, "clamp_to_max(s.points[who], 60)"),
    numeric_field("tiles", 15, "scoring.count_tiles_of_holder(s, who)"),
    numeric_field("pieces", 60, "clamp_to_max(scoring.count_pieces_of_holder(s, who), 60)"),
    numeric_field("shares", 15, "shares"),  # points that all shares would score now
    numeric_field("dice", 3, "s.taken[who]"),
    numeric_field("gave", 1, "s.gave[who]"),
    *numeric_fields_for_each("stock", list(components.RESOURCE_NAMES), 12, "s.stock[first + {i}]"),
]
# A piece is a holder's stake in a resource.
STAKE_FIELDS: Final = [
    # own, another's, the neutral player's; the resource; whether the visit benefits the holder
    categorical_field("stake", 30, "1 + whose * components.RESOURCES + resource"),
    categorical_field("stock", 12, "mine"),
    categorical_field("over_best", 12, "encode_lead(mine - best)"),  # the lead over the best of the others, from -6
    categorical_field("over_second", 12, "encode_lead(mine - second)"),
    # pieces in the resource's own region
    categorical_field("region", 13, "clamp_to_max(count_pieces_in_sector(s, board.Sector(resource)), 13)"),
    # pieces of the resource in all sectors; the sector of the visit
    categorical_field("lying", 39, "clamp_to_max(lying, 9) + 10 * here"),
    # the top of the region's stack, and whether it has held a piece
    categorical_field("tile", 2 * components.FACE_DOWN + 3, "(s.top[resource] + 1) * 2 + s.held[resource]"),
    categorical_field("clock", 20, "clamp_to_max(left, 20)"),  # spaces left
]
LAYOUT: Final = FeatureLayout(
    "atlandice", 2, int(MAX_HOLDERS), TABLE_FIELDS, SEAT_FIELDS, components.RESOURCES, STAKE_FIELDS, []
)
SEAT_WORD: Final[i64] = LAYOUT.seat_at // 8
PIECE_WORD: Final[i64] = LAYOUT.piece_at // 8
SIZE: Final[i64] = LAYOUT.size // 8
SEAT_WORDS: Final[i64] = LAYOUT.seat_wide // 8


def write_feature_row(s: AtlandicePosition, seat: i64, sheet: RowBuffer) -> None:
    """Write one row."""
    left: i64 = len(s.icons) - 1 - s.hand
    first = sheet.used * SIZE
    write_table_fields(s, seat, left, sheet.words, first)
    for slot in range(MAX_HOLDERS):
        who = holder_at_relative_slot(s, seat, slot)
        write_holder_fields(s, who, sheet.words, first + SEAT_WORD + slot * SEAT_WORDS)
        whose: i64 = 0 if slot == 0 else 2 if s.players == 2 and slot == components.NEUTRAL else 1
        o = first + PIECE_WORD + slot * components.RESOURCES
        for resource in range(components.RESOURCES):
            sheet.words[o + resource] = encode_resource_stake(s, who, whose, resource, left) if who >= 0 else 0
    sheet.used += 1


def write_table_fields(s: AtlandicePosition, seat: i64, left: i64, words: Buf, o: i64) -> None:
    actor: i64 = 4 if s.actor == CHANCE else 5 if s.actor == OVER else (s.actor - seat + s.players) % s.players
    visited: i64 = 0
    if is_visit_in_progress(s) and s.at < board.REGIONS and is_tile_shown(s, s.at):
        visited = 1 + s.at * components.LETTERS + s.top[s.at]
    # row: TABLE_FIELDS -> words[o]
    words[o] = pack_eight_bytes(
        s.players,
        s.phase,
        actor,
        (s.turn - seat + s.players) % s.players,
        (s.first - seat + s.players) % s.players,
        bool_to_int(s.holder != s.turn),
        s.at,
        encode_picked_item(s),
    )
    words[o + 1] = pack_eight_bytes(
        s.submarine,
        s.reveal,
        s.top[0] + 1,
        s.top[1] + 1,
        s.top[2] + 1,
        s.top[3] + 1,
        s.top[4] + 1,
        s.icons[s.hand + 1] if left >= 1 else 8,
    )
    words[o + 2] = pack_eight_bytes(
        s.icons[s.hand + 2] if left >= 2 else 8,
        s.icons[s.hand + 3] if left >= 3 else 8,
        s.icons[s.hand + 4] if left >= 4 else 8,
        s.icons[s.hand + 5] if left >= 5 else 8,
        s.icons[s.hand + 6] if left >= 6 else 8,
        clamp_to_max(s.round, 20),
        components.VISITS[s.players] - s.visits if s.round > 0 else 0,
        s.to_roll,
    )
    words[o + 3] = pack_eight_bytes(
        clamp_to_max(left, 60), s.donors, s.dice[0], s.dice[1], s.dice[2], s.dice[3], s.dice[4], s.dice[5]
    )
    words[o + 4] = pack_eight_bytes(
        s.lying[0], s.lying[1], s.lying[2], s.lying[3], s.lying[4], s.lying[5], s.lying[6], s.lying[7]
    )
    words[o + 5] = pack_eight_bytes(
        s.lying[8], s.lying[9], s.lying[10], s.lying[11], s.lying[12], s.lying[13], s.lying[14], s.lying[15]
    )
    words[o + 6] = pack_eight_bytes(
        s.lying[16], s.lying[17], s.lying[18], s.lying[19], s.lying[20], s.lying[21], s.lying[22], s.lying[23]
    )
    words[o + 7] = pack_eight_bytes(
        s.lying[24],
        s.lying[25],
        s.lying[26],
        s.lying[27],
        s.lying[28],
        s.lying[29],
        clamp_to_max(hands_of_sector(s, 0), 20),
        clamp_to_max(hands_of_sector(s, 1), 20),
    )
    words[o + 8] = pack_eight_bytes(
        clamp_to_max(hands_of_sector(s, 2), 20),
        clamp_to_max(hands_of_sector(s, 3), 20),
        clamp_to_max(hands_of_sector(s, 4), 20),
        clamp_to_max(hands_of_sector(s, 5), 20),
        s.held[0],
        s.held[1],
        s.held[2],
        s.held[3],
    )
    words[o + 9] = pack_eight_bytes(
        s.held[4],
        bool_to_int(s.tile_place[0] == components.UNSEEN),
        bool_to_int(s.tile_place[1] == components.UNSEEN),
        bool_to_int(s.tile_place[2] == components.UNSEEN),
        bool_to_int(s.tile_place[3] == components.UNSEEN),
        bool_to_int(s.tile_place[4] == components.UNSEEN),
        bool_to_int(s.tile_place[5] == components.UNSEEN),
        bool_to_int(s.tile_place[6] == components.UNSEEN),
    )
    words[o + 10] = pack_eight_bytes(
        bool_to_int(s.tile_place[7] == components.UNSEEN),
        bool_to_int(s.tile_place[8] == components.UNSEEN),
        bool_to_int(s.tile_place[9] == components.UNSEEN),
        bool_to_int(s.tile_place[10] == components.UNSEEN),
        bool_to_int(s.tile_place[11] == components.UNSEEN),
        bool_to_int(s.tile_place[12] == components.UNSEEN),
        bool_to_int(s.tile_place[13] == components.UNSEEN),
        bool_to_int(s.tile_place[14] == components.UNSEEN),
    )
    words[o + 11] = pack_eight_bytes(visited, 0, 0, 0, 0, 0, 0, 0)
    # end of row


def is_tile_shown(s: AtlandicePosition, region: i64) -> bool:
    """Whether a region's stack has a tile on top that is face up."""
    return s.top[region] != components.USED_UP and s.top[region] != components.FACE_DOWN


def hands_of_sector(s: AtlandicePosition, sector: i64) -> i64:
    """By how much a visit to the sector moves the clock; 0 if its tile is not shown."""
    if sector >= board.REGIONS:
        return s.hands[components.TILES]
    return s.hands[sector * components.LETTERS + s.top[sector]] if is_tile_shown(s, sector) else 0


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


def write_holder_fields(s: AtlandicePosition, who: i64, words: Buf, o: i64) -> None:
    if who < 0:
        words[o] = 0
        words[o + 1] = 0
        return
    shares: i64 = 0
    for resource in range(components.RESOURCES):
        shares += scoring.majority_points(s, components.Resource(resource), who)
    first = who * components.RESOURCES
    # row: SEAT_FIELDS -> words[o]
    words[o] = pack_eight_bytes(
        clamp_to_max(s.points[who], 60),
        scoring.count_tiles_of_holder(s, who),
        clamp_to_max(scoring.count_pieces_of_holder(s, who), 60),
        shares,
        s.taken[who],
        s.gave[who],
        s.stock[first + 0],
        s.stock[first + 1],
    )
    words[o + 1] = pack_eight_bytes(s.stock[first + 2], s.stock[first + 3], s.stock[first + 4], 0, 0, 0, 0, 0)
    # end of row


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
    # row: STAKE_FIELDS word 0 -> return
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
    # end of row


def encode_lead(over: i64) -> i64:
    """A lead from -6 to 6, shifted to start at 0."""
    return 0 if over < -6 else 12 if over > 6 else over + 6
