"""Builds the view: all information is public (AD.V9), so every seat and spectator sees the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.int_vectors import to_list, vector_slices_equal, vectors_equal
from landfall.core.state import OVER
from landfall.games.atlandice.rules import scoring
from landfall.games.atlandice.rules.board import BLACK_MARKET, SECTOR_NAMES, SECTORS
from landfall.games.atlandice.rules.clock_config import OUR_FACE, OUR_HANDS
from landfall.games.atlandice.rules.components import (
    COLOURS,
    FACE_DOWN,
    GONE,
    LETTERS,
    MOST_POINTS,
    NEUTRAL,
    NEUTRAL_COLOUR,
    RESOURCE_NAMES,
    RESOURCES,
    TAKEN,
    TILES,
    UNSEEN,
    USED_UP,
    VISITS,
    Place,
    Resource,
    icon_name,
    resource_of_place,
    sector_of_place,
    tile_name,
)
from landfall.games.atlandice.rules.phases import DIE_TO, PHASES, PIECE, PIECE_TO, SUBMARINE_TO, SWAP

if TYPE_CHECKING:
    from landfall.games.atlandice.rules.message_types import (
        ClockView,
        HolderView,
        Icon,
        PrivateView,
        SectorView,
        View,
        VisitView,
    )
    from landfall.games.atlandice.rules.position import AtlandicePosition


def build_view_from_scratch(s: AtlandicePosition, seat: int | None) -> View:
    """The whole table as data."""
    return build_view_reusing_previous(s, seat, s, None)


def build_view_reusing_previous(
    s: AtlandicePosition, seat: int | None, before: AtlandicePosition, old: View | None
) -> View:
    """With `previous`, an earlier position and its view, unchanged parts are reused."""
    out: View = {
        "game": "atlandice",
        "players": int(s.players),
        "seat": seat,
        "actor": int(s.actor),
        "phase": PHASES[s.phase],
        "ask": f"ask.{PHASES[s.phase]}",
        "round": int(s.round),
        "first": int(s.first),
        "order": [int((s.first + i) % s.players) for i in range(s.players)],
        "visits_left": int(VISITS[s.players] - s.visits) if s.round > 0 else 0,
        "dice_to_roll": int(s.to_roll),
        "sectors": [
            old["sectors"][sector]
            if old is not None and is_sector_unchanged(s, before, sector)
            else build_sector_view(s, sector)
            for sector in range(SECTORS)
        ],
        "submarine": SECTOR_NAMES[s.submarine],
        "clock": build_clock_view(s) if old is None else update_clock_view(s, before, old["clock"]),
        "default_clock": to_list(s.icons) == to_list(OUR_FACE),
        "default_hands": to_list(s.hands) == to_list(OUR_HANDS),
        "holders": [
            old["holders"][holder]
            if old is not None and is_holder_unchanged(s, before, holder)
            else build_holder_view(s, holder)
            for holder in range(scoring.count_scoring_holders(s))
        ],
        "leaders": old["leaders"]
        if old is not None and vectors_equal(s.stock, before.stock)
        else {name: list_resource_leaders(s, r) for r, name in enumerate(RESOURCE_NAMES)},
        "scores": s.scores(),
        "visit": build_visit_view(s),
        "gone": [tile_name(tile) for tile in range(TILES) if s.tile_place[tile] == GONE],
    }
    if s.actor == OVER:
        out["ranking"] = s.ranking()
    return out


def is_sector_unchanged(s: AtlandicePosition, before: AtlandicePosition, sector: i64) -> bool:
    """Whether a sector's entry is unchanged."""
    at = sector * RESOURCES
    if s.dice[sector] != before.dice[sector] or (s.submarine == sector) != (before.submarine == sector):
        return False
    if not vector_slices_equal(s.lying, before.lying, at, at + RESOURCES):
        return False
    return sector == BLACK_MARKET or (
        s.top[sector] == before.top[sector] and vectors_equal(s.tile_place, before.tile_place)
    )


def is_holder_unchanged(s: AtlandicePosition, before: AtlandicePosition, holder: i64) -> bool:
    """Whether a holder's entry is unchanged; its score depends on all holders."""
    return (
        s.points[holder] == before.points[holder]
        and s.taken[holder] == before.taken[holder]
        and s.gave[holder] == before.gave[holder]
        and vectors_equal(s.stock, before.stock)
        and vectors_equal(s.tile_place, before.tile_place)
    )


def update_clock_view(s: AtlandicePosition, before: AtlandicePosition, old: ClockView) -> ClockView:
    """The clock's entry with a new hand position."""
    if s.hand == before.hand:
        return old
    return {"hand": int(s.hand), "last": old["last"], "icons": old["icons"], "hands": old["hands"]}


def build_sector_view(s: AtlandicePosition, sector: int) -> SectorView:
    """One sector: its tile and the tiles that may follow, its pieces and dice."""
    at = sector * RESOURCES
    out: SectorView = {
        "sector": SECTOR_NAMES[sector],
        "number": sector + 1,
        "pieces": {RESOURCE_NAMES[r]: int(s.lying[at + r]) for r in range(RESOURCES)},
        "dice": int(s.dice[sector]),
        "submarine": bool(s.submarine == sector),
        "tile": None,
        "hands": int(s.hands[TILES]),
        "used_up": False,
        "unseen": [],
    }
    if sector == BLACK_MARKET:
        return out
    top = s.top[sector]
    shown = top != USED_UP and top != FACE_DOWN
    first = sector * LETTERS
    out["tile"] = tile_name(first + int(top)) if shown else None
    out["hands"] = int(s.hands[first + top]) if shown else None
    out["used_up"] = bool(top == USED_UP)
    out["unseen"] = [tile_name(t) for t in range(first, first + LETTERS) if s.tile_place[t] == UNSEEN]
    return out


def build_clock_view(s: AtlandicePosition) -> ClockView:
    """The face and the hand; `hands` are those of all tiles, revealed or not."""
    icons: dict[str, Icon] = {}
    for space, icon in enumerate(to_list(s.icons)):
        name = icon_name(icon)
        if name is not None:
            icons[str(space)] = name
    hands = {tile_name(tile): int(s.hands[tile]) for tile in range(TILES)}
    hands["black_market"] = int(s.hands[TILES])
    return {"hand": int(s.hand), "last": len(s.icons) - 1, "icons": icons, "hands": hands}


def build_holder_view(s: AtlandicePosition, holder: int) -> HolderView:
    """A seat, or the neutral player: stock, points, tiles, dice of this round."""
    neutral = s.players == 2 and holder == NEUTRAL
    at = holder * RESOURCES
    return {
        "seat": None if neutral else holder,
        "neutral": neutral,
        "colour": NEUTRAL_COLOUR if neutral else COLOURS[holder],
        "stock": {RESOURCE_NAMES[r]: int(s.stock[at + r]) for r in range(RESOURCES)},
        "pieces": int(scoring.count_pieces_of_holder(s, holder)),
        "points": int(s.points[holder]),
        "tiles": [tile_name(tile) for tile in range(TILES) if s.tile_place[tile] == TAKEN + holder],
        "score": int(scoring.total_points(s, holder)),
        "dice": int(s.taken[holder]),
        "neutral_die_taken": bool(s.gave[holder] == 1),
    }


def list_resource_leaders(s: AtlandicePosition, resource: int) -> list[int]:
    """The holders with most of a resource, in `holders`' order; none if nobody holds any."""
    return [
        h
        for h in range(scoring.count_scoring_holders(s))
        if scoring.majority_points(s, Resource(resource), h) == MOST_POINTS
    ]


def build_visit_view(s: AtlandicePosition) -> VisitView | None:
    """The current visit: who visits what, for whom, and what is being moved."""
    if s.phase < PIECE or s.phase > SUBMARINE_TO:
        return None
    out: VisitView = {
        "seat": int(s.turn),
        "neutral": bool(s.holder != s.turn),
        "sector": SECTOR_NAMES[s.at],
    }
    if s.phase == DIE_TO:
        out["picked"] = {"die": True, "sector": SECTOR_NAMES[s.picked]}
    elif s.phase in (SWAP, PIECE_TO):
        place = int(s.picked)
        out["picked"] = {
            "resource": RESOURCE_NAMES[resource_of_place(Place(place))],
            "sector": SECTOR_NAMES[sector_of_place(Place(place))],
        }
    return out


def build_private_part_of_view(seat: int | None) -> PrivateView:
    """AD.V9: all is public; a private view only names its seat."""
    return {"seat": seat}
