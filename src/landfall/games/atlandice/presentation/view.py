"""Builds the view: all information is public (AD.V9), so every seat and spectator sees the same."""

from __future__ import annotations

from mypy_extensions import i64

from landfall.core.int_vectors import to_list, vector_slices_equal, vectors_equal
from landfall.core.state import OVER
from landfall.games.atlandice.rules import board, clock_config, components, message_types, phases, scoring
from landfall.games.atlandice.rules.position import AtlandicePosition


def build_view_from_scratch(s: AtlandicePosition, seat: int | None) -> message_types.View:
    """The whole table as data."""
    return build_view_reusing_previous(s, seat, s, None)


def build_view_reusing_previous(
    s: AtlandicePosition, seat: int | None, before: AtlandicePosition, old: message_types.View | None
) -> message_types.View:
    """With `previous`, an earlier position and its view, unchanged parts are reused."""
    out: message_types.View = {
        "game": "atlandice",
        "players": int(s.players),
        "seat": seat,
        "actor": int(s.actor),
        "phase": phases.PHASES[s.phase],
        "ask": f"ask.{phases.PHASES[s.phase]}",
        "round": int(s.round),
        "first": int(s.first),
        "order": [int((s.first + i) % s.players) for i in range(s.players)],
        "visits_left": int(components.VISITS[s.players] - s.visits) if s.round > 0 else 0,
        "dice_to_roll": int(s.to_roll),
        "sectors": [
            old["sectors"][sector]
            if old is not None and is_sector_unchanged(s, before, sector)
            else build_sector_view(s, sector)
            for sector in range(board.SECTORS)
        ],
        "submarine": board.SECTOR_NAMES[s.submarine],
        "clock": build_clock_view(s) if old is None else update_clock_view(s, before, old["clock"]),
        "default_clock": to_list(s.icons) == to_list(clock_config.OUR_FACE),
        "default_hands": to_list(s.hands) == to_list(clock_config.OUR_HANDS),
        "holders": [
            old["holders"][holder]
            if old is not None and is_holder_unchanged(s, before, holder)
            else build_holder_view(s, holder)
            for holder in range(scoring.count_scoring_holders(s))
        ],
        "leaders": old["leaders"]
        if old is not None and vectors_equal(s.stock, before.stock)
        else {name: list_resource_leaders(s, r) for r, name in enumerate(components.RESOURCE_NAMES)},
        "scores": s.scores(),
        "visit": build_visit_view(s),
        "gone": [
            components.tile_name(tile) for tile in range(components.TILES) if s.tile_place[tile] == components.GONE
        ],
    }
    if s.actor == OVER:
        out["ranking"] = s.ranking()
    return out


def is_sector_unchanged(s: AtlandicePosition, before: AtlandicePosition, sector: i64) -> bool:
    """Whether a sector's entry is unchanged."""
    at = sector * components.RESOURCES
    if s.dice[sector] != before.dice[sector] or (s.submarine == sector) != (before.submarine == sector):
        return False
    if not vector_slices_equal(s.lying, before.lying, at, at + components.RESOURCES):
        return False
    return sector == board.BLACK_MARKET or (
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


def update_clock_view(
    s: AtlandicePosition, before: AtlandicePosition, old: message_types.ClockView
) -> message_types.ClockView:
    """The clock's entry with a new hand position."""
    if s.hand == before.hand:
        return old
    return {"hand": int(s.hand), "last": old["last"], "icons": old["icons"], "hands": old["hands"]}


def build_sector_view(s: AtlandicePosition, sector: int) -> message_types.SectorView:
    """One sector: its tile and the tiles that may follow, its pieces and dice."""
    at = sector * components.RESOURCES
    out: message_types.SectorView = {
        "sector": board.SECTOR_NAMES[sector],
        "number": sector + 1,
        "pieces": {components.RESOURCE_NAMES[r]: int(s.lying[at + r]) for r in range(components.RESOURCES)},
        "dice": int(s.dice[sector]),
        "submarine": bool(s.submarine == sector),
        "tile": None,
        "hands": int(s.hands[components.TILES]),
        "used_up": False,
        "unseen": [],
    }
    if sector == board.BLACK_MARKET:
        return out
    top = s.top[sector]
    shown = top != components.USED_UP and top != components.FACE_DOWN
    first = sector * components.LETTERS
    out["tile"] = components.tile_name(first + int(top)) if shown else None
    out["hands"] = int(s.hands[first + top]) if shown else None
    out["used_up"] = bool(top == components.USED_UP)
    out["unseen"] = [
        components.tile_name(t)
        for t in range(first, first + components.LETTERS)
        if s.tile_place[t] == components.UNSEEN
    ]
    return out


def build_clock_view(s: AtlandicePosition) -> message_types.ClockView:
    """The face and the hand; `hands` are those of all tiles, revealed or not."""
    icons: dict[str, message_types.Icon] = {}
    for space, icon in enumerate(to_list(s.icons)):
        name = components.icon_name(icon)
        if name is not None:
            icons[str(space)] = name
    hands = {components.tile_name(tile): int(s.hands[tile]) for tile in range(components.TILES)}
    hands["black_market"] = int(s.hands[components.TILES])
    return {"hand": int(s.hand), "last": len(s.icons) - 1, "icons": icons, "hands": hands}


def build_holder_view(s: AtlandicePosition, holder: int) -> message_types.HolderView:
    """A seat, or the neutral player: stock, points, tiles, dice of this round."""
    neutral = s.players == 2 and holder == components.NEUTRAL
    at = holder * components.RESOURCES
    return {
        "seat": None if neutral else holder,
        "neutral": neutral,
        "colour": components.NEUTRAL_COLOUR if neutral else components.COLOURS[holder],
        "stock": {components.RESOURCE_NAMES[r]: int(s.stock[at + r]) for r in range(components.RESOURCES)},
        "pieces": int(scoring.count_pieces_of_holder(s, holder)),
        "points": int(s.points[holder]),
        "tiles": [
            components.tile_name(tile)
            for tile in range(components.TILES)
            if s.tile_place[tile] == components.TAKEN + holder
        ],
        "score": int(scoring.total_points(s, holder)),
        "dice": int(s.taken[holder]),
        "neutral_die_taken": bool(s.gave[holder] == 1),
    }


def list_resource_leaders(s: AtlandicePosition, resource: int) -> list[int]:
    """The holders with most of a resource, in `holders`' order; none if nobody holds any."""
    return [
        h
        for h in range(scoring.count_scoring_holders(s))
        if scoring.majority_points(s, components.Resource(resource), h) == components.MOST_POINTS
    ]


def build_visit_view(s: AtlandicePosition) -> message_types.VisitView | None:
    """The current visit: who visits what, for whom, and what is being moved."""
    if s.phase < phases.PIECE or s.phase > phases.SUBMARINE_TO:
        return None
    out: message_types.VisitView = {
        "seat": int(s.turn),
        "neutral": bool(s.holder != s.turn),
        "sector": board.SECTOR_NAMES[s.at],
    }
    if s.phase == phases.DIE_TO:
        out["picked"] = {"die": True, "sector": board.SECTOR_NAMES[s.picked]}
    elif s.phase in (phases.SWAP, phases.PIECE_TO):
        place = int(s.picked)
        out["picked"] = {
            "resource": components.RESOURCE_NAMES[components.resource_of_place(components.Place(place))],
            "sector": board.SECTOR_NAMES[components.sector_of_place(components.Place(place))],
        }
    return out


def build_private_part_of_view(seat: int | None) -> message_types.PrivateView:
    """AD.V9: all is public; a private view only names its seat."""
    return {"seat": seat}
