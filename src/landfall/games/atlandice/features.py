"""A position in numbers for nets, from a seat's place at the table; all is public (AD.V9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, u8

from landfall.core.layout import Layout, Sheet, capped, count, counts, kind
from landfall.core.state import CHANCE, OVER
from landfall.games.atlandice.actions import DIE_TO, PHASES, PIECE_TO, SWAP
from landfall.games.atlandice.board import REGIONS, SECTOR_NAMES, SECTORS
from landfall.games.atlandice.components import (
    FACE_DOWN,
    HOLDERS,
    LETTERS,
    NEUTRAL,
    RESOURCE_NAMES,
    RESOURCES,
    TILES,
    UNSEEN,
    USED_UP,
    VISITS,
)
from landfall.games.atlandice.scoring import holders, share, stock_total, tiles_of
from landfall.games.atlandice.visits import pieces_in

if TYPE_CHECKING:
    from landfall.games.atlandice.state import AtlandiceState

SEATS: Final[i64] = HOLDERS  # with two players the third is the neutral player (AD.N1)
FIELDS: Final[i64] = 10
ICONS: Final[i64] = 6  # spaces of the clock that are looked at

TABLE: Final = [
    kind("players", 4),
    kind("phase", PHASES - 1),
    kind("actor", 5),  # from the seat; 4: chance, 5: nobody
    kind("turn", 3),
    kind("first", 3),
    kind("for_neutral", 1),
    kind("at", SECTORS - 1),
    kind("picked", SECTORS * RESOURCES),
    kind("submarine", SECTORS - 1),
    kind("reveal", REGIONS - 1),
    *[kind(f"top_{name}", FACE_DOWN + 1) for name in SECTOR_NAMES[:REGIONS]],
    *[kind(f"icon_{i + 1}", 8) for i in range(ICONS)],  # on the clock's next spaces; 8: beyond its last
    count("round", 20),
    count("visits_left", 8),
    count("to_roll", 9),
    count("clock_left", 60),
    count("donors", 4),
    *[count(f"{r}_in_{name}", 12) for name in SECTOR_NAMES for r in RESOURCE_NAMES],
    *counts("dice", list(SECTOR_NAMES), 9),
    *counts("held", list(SECTOR_NAMES[:REGIONS]), 1),
    *counts("hands", list(SECTOR_NAMES), 20),  # by which the clock moves
    *[count(f"unseen_{i}", 1) for i in range(TILES)],
]
SEAT: Final = [
    count("points", 60),
    count("tiles", 15),
    count("pieces", 60),
    count("shares", 15),  # what all shares would score now
    count("dice", 3),
    count("gave", 1),
    *counts("stock", list(RESOURCE_NAMES), 12),
]
# A piece is a holder's stake in a resource.
PIECE: Final = [
    kind("whose", 3),  # own, another's, the neutral player's
    kind("resource", RESOURCES - 1),
    kind("stock", 12),
    kind("over_best", 12),  # the lead over the best of the others, from -6
    kind("over_second", 12),
    kind("region", 13),  # pieces lying in the resource's own region
    kind("elsewhere", 9),  # pieces of the resource lying anywhere
    kind("tile", FACE_DOWN + 1),
    kind("held", 1),
    kind("clock", 20),
]
LAYOUT: Final = Layout("atlandice", 1, int(SEATS), TABLE, SEAT, RESOURCES, PIECE, [])
PIECE_AT: Final[i64] = LAYOUT.piece_at
SIZE: Final[i64] = LAYOUT.size


def encode(s: AtlandiceState, seat: i64, sheet: Sheet) -> None:
    """One row."""
    n = s.players
    left: i64 = len(s.face) - 1 - s.hand
    sheet.put(n)
    sheet.put(s.phase)
    sheet.put(4 if s.actor == CHANCE else 5 if s.actor == OVER else (s.actor - seat + n) % n)
    sheet.put((s.turn - seat + n) % n)
    sheet.put((s.first - seat + n) % n)
    sheet.put(1 if s.holder != s.turn else 0)
    sheet.put(s.at)
    sheet.put(1 + s.picked if s.phase in (SWAP, PIECE_TO) else 1 + s.picked * RESOURCES if s.phase == DIE_TO else 0)
    sheet.put(s.submarine)
    sheet.put(s.reveal)
    for region in range(REGIONS):
        sheet.put(s.top[region] + 1)
    for i in range(1, ICONS + 1):
        sheet.put(s.face[s.hand + i] if i <= left else 8)
    sheet.put(capped(s.round, 20))
    sheet.put(VISITS[n] - s.visits if s.round > 0 else 0)
    sheet.put(s.to_roll)
    sheet.put(capped(left, 60))
    sheet.put(s.donors)
    for i in range(SECTORS * RESOURCES):
        sheet.put(s.lying[i])
    for sector in range(SECTORS):
        sheet.put(s.dice[sector])
    for region in range(REGIONS):
        sheet.put(s.held[region])
    for region in range(REGIONS):
        letter = s.top[region]
        sheet.put(capped(s.hands[region * LETTERS + letter], 20) if letter != USED_UP and letter != FACE_DOWN else 0)
    sheet.put(capped(s.hands[TILES], 20))
    for tile in range(TILES):
        sheet.put(1 if s.tile_place[tile] == UNSEEN else 0)
    for slot in range(SEATS):
        who = holder_at(s, seat, slot)
        if who >= 0:
            seat_fields(s, who, sheet)
        else:
            for _ in range(len(SEAT)):
                sheet.put(0)
    o = sheet.used * SIZE + PIECE_AT
    for slot in range(SEATS):
        who = holder_at(s, seat, slot)
        whose: i64 = 1 if slot == 0 else 3 if n == 2 and slot == NEUTRAL else 2
        for resource in range(RESOURCES):
            if who >= 0:
                stake(s, who, whose, resource, left, sheet, o)
            elif sheet.cells[o] != 0:
                for k in range(o, o + FIELDS):
                    sheet.cells[k] = 0
            o += FIELDS
    sheet.used += 1
    sheet.at = sheet.used * SIZE


def holder_at(s: AtlandiceState, seat: i64, slot: i64) -> i64:
    """Who sits there from a seat's place: the seats in turn order, then the neutral player; -1: nobody."""
    if slot < s.players:
        return (seat + slot) % s.players
    return slot if slot < holders(s) else -1


def seat_fields(s: AtlandiceState, who: i64, sheet: Sheet) -> None:
    shares: i64 = 0
    for resource in range(RESOURCES):
        shares += share(s, resource, who)
    sheet.put(capped(s.points[who], 60))
    sheet.put(tiles_of(s, who))
    sheet.put(capped(stock_total(s, who), 60))
    sheet.put(shares)
    sheet.put(s.taken[who])
    sheet.put(s.gave[who])
    for i in range(who * RESOURCES, (who + 1) * RESOURCES):
        sheet.put(s.stock[i])


def stake(s: AtlandiceState, who: i64, whose: i64, resource: i64, left: i64, sheet: Sheet, o: i64) -> None:
    """What a holder has of a resource, how it stands to the others, how near its next scoring is."""
    cells = sheet.cells
    mine = s.stock[who * RESOURCES + resource]
    best: i64 = 0
    second: i64 = 0
    for other in range(holders(s)):
        if other != who:
            theirs = s.stock[other * RESOURCES + resource]
            if theirs > best:
                second = best
                best = theirs
            elif theirs > second:
                second = theirs
    lying: i64 = 0
    for sector in range(SECTORS):
        lying += s.lying[sector * RESOURCES + resource]
    cells[o] = u8(whose)
    cells[o + 1] = u8(resource)
    cells[o + 2] = u8(mine)
    cells[o + 3] = u8(lead(mine - best))
    cells[o + 4] = u8(lead(mine - second))
    cells[o + 5] = u8(capped(pieces_in(s, resource), 13))
    cells[o + 6] = u8(capped(lying, 9))
    cells[o + 7] = u8(s.top[resource] + 1)
    cells[o + 8] = u8(s.held[resource])
    cells[o + 9] = u8(capped(left, 20))


def lead(over: i64) -> i64:
    """A lead from -6 to 6 as a number from 0."""
    return 0 if over < -6 else 12 if over > 6 else over + 6
