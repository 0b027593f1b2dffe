"""Scoring: emptied regions and used-up stacks (AD.V2, AD.V3), inventory (AD.V4), the end (AD.E2)."""

from __future__ import annotations

from mypy_extensions import i64

from landfall.core.state import CHANCE
from landfall.games.atlandice.rules import board, components, message_types, phases
from landfall.games.atlandice.rules.event_recording import record_event
from landfall.games.atlandice.rules.position import AtlandicePosition
from landfall.games.atlandice.rules.visits import count_pieces_in_sector


def count_scoring_holders(s: AtlandicePosition) -> i64:
    """The number of holders that score: the seats and, with two players, the neutral player (AD.N1)."""
    return 3 if s.players == 2 else s.players


def count_pieces_of_holder(s: AtlandicePosition, holder: i64) -> i64:
    """All pieces of a holder."""
    stock = s.stock
    at = holder * components.RESOURCES
    return stock[at] + stock[at + 1] + stock[at + 2] + stock[at + 3] + stock[at + 4]


def majority_points(s: AtlandicePosition, resource: components.Resource, holder: i64) -> i64:
    """3 for most of a resource (each of those tied), 1 for second most unless first is tied, 0 with none."""
    mine = s.stock[holder * components.RESOURCES + resource]
    if mine == 0:
        return 0
    above: i64 = 0
    for other in range(count_scoring_holders(s)):
        if s.stock[other * components.RESOURCES + resource] > mine:
            above += 1
    if above == 0:
        return components.MOST_POINTS
    return components.SECOND_POINTS if above == 1 else 0  # two above are a tie for first, or a first and a second


def add_points(s: AtlandicePosition, holder: i64, points: i64, reason: message_types.Reason) -> None:
    s.points[holder] += points
    if s.events is not None:
        record_points(s, holder, points, reason)


def record_points(s: AtlandicePosition, holder: i64, points: i64, reason: message_types.Reason) -> None:
    """Record points gained; the neutral player has no seat."""
    if s.players == 2 and holder == components.NEUTRAL:
        record_event(s, {"kind": "points_neutral", "points": int(points), "reason": reason})
    else:
        record_event(s, {"kind": "points", "seat": int(holder), "points": int(points), "reason": reason})


# --- emptied regions ----------------------------------------------------------------------------------------------


def must_score_region(s: AtlandicePosition, region: board.Sector) -> bool:
    """Whether a region must be scored: it is empty, and its tile has held a piece (AD.V3)."""
    return s.top[region] != components.USED_UP and s.held[region] == 1 and count_pieces_in_sector(s, region) == 0


def score_empty_regions(s: AtlandicePosition) -> None:
    """AD.V2: after a visit, score empty regions, the lowest number first, until none is left."""
    while True:
        region = board.JEWELLER
        while region < board.REGIONS and not must_score_region(s, region):
            region = board.Sector(region + 1)
        if region == board.REGIONS:
            s.phase = phases.SETTLED
            return
        score_region(s, region)
        if region_has_unseen_tile(s, region):
            return_resource_from_all(s, components.resource_of_region(region))
            s.top[region] = components.FACE_DOWN
            s.reveal = region
            s.phase = phases.REVEAL
            s.actor = CHANCE
            return
        close_region_without_tiles(s, region)


def region_has_unseen_tile(s: AtlandicePosition, region: board.Sector) -> bool:
    for tile in range(region * components.LETTERS, region * components.LETTERS + components.LETTERS):
        if s.tile_place[tile] == components.UNSEEN:
            return True
    return False


def score_region(s: AtlandicePosition, region: board.Sector) -> None:
    """AD.V2: the tile and the points. Among tied holders the first in turn order takes the tile, the neutral last."""
    tile = components.tile_of_region(region, s.top[region])
    s.tile_place[tile] = components.GONE
    if s.events is not None:
        record_event(
            s, {"kind": "emptied", "sector": board.SECTOR_NAMES[region], "tile": components.tile_name(int(tile))}
        )
    for i in range(count_scoring_holders(s)):
        holder = (s.first + i) % s.players if i < s.players else i
        points = majority_points(s, components.resource_of_region(region), holder)
        if points == components.MOST_POINTS and s.tile_place[tile] == components.GONE:
            s.tile_place[tile] = components.TAKEN + holder
            if s.events is not None:
                record_tile_won(s, tile, holder)
        elif points > 0:
            add_points(s, holder, points, "region")
    if s.tile_place[tile] == components.GONE and s.events is not None:
        record_event(s, {"kind": "tile_gone", "tile": components.tile_name(int(tile))})


def record_tile_won(s: AtlandicePosition, tile: components.Tile, holder: i64) -> None:
    if s.players == 2 and holder == components.NEUTRAL:
        record_event(
            s, {"kind": "tile_neutral", "tile": components.tile_name(int(tile)), "points": components.TILE_POINTS}
        )
    else:
        record_event(
            s,
            {
                "kind": "tile",
                "seat": int(holder),
                "tile": components.tile_name(int(tile)),
                "points": components.TILE_POINTS,
            },
        )


def return_resource_from_all(s: AtlandicePosition, resource: components.Resource) -> None:
    """AD.V3: all return that resource; the black market is filled up to three, the rest goes to the new tile."""
    back: i64 = 0
    from_each: list[int] = []
    for holder in range(count_scoring_holders(s)):
        at = holder * components.RESOURCES + resource
        back += s.stock[at]
        if s.events is not None:
            from_each.append(int(s.stock[at]))
        s.stock[at] = 0
    market = board.BLACK_MARKET * components.RESOURCES + resource
    to_market = components.MARKET_SHARE - s.lying[market]
    if to_market < 0:
        to_market = 0
    if to_market > back:
        to_market = back
    s.lying[market] += to_market
    s.lying[resource * components.RESOURCES + resource] += back - to_market
    s.held[resource] = 1 if back > to_market else 0  # a region without pieces is not scored until it has held one
    if s.events is not None:
        event: message_types.Returned = {
            "kind": "returned",
            "resource": components.RESOURCE_NAMES[resource],
            "market": int(to_market),
            "region": int(back - to_market),
            "from": from_each,
        }
        record_event(s, event)


def close_region_without_tiles(s: AtlandicePosition, region: board.Sector) -> None:
    """AD.V3: the stack is used up. Its resource leaves the game wherever it is, its dice go to the black market."""
    s.top[region] = components.USED_UP
    s.held[region] = 0
    for holder in range(count_scoring_holders(s)):
        s.stock[holder * components.RESOURCES + region] = 0
    for sector in range(board.SECTORS):
        s.lying[sector * components.RESOURCES + region] = 0
    s.dice[board.BLACK_MARKET] += s.dice[region]
    s.dice[region] = 0
    if s.events is not None:
        record_event(
            s, {"kind": "used_up", "sector": board.SECTOR_NAMES[region], "resource": components.RESOURCE_NAMES[region]}
        )


# --- inventory and the end ----------------------------------------------------------------------------------------


def count_inventory_pieces(s: AtlandicePosition, icon: components.Icon, holder: i64) -> i64:
    """What an inventory counts of a holder: the named resource, or the whole stock."""
    if icon == components.WHOLE_STOCK:
        return count_pieces_of_holder(s, holder)
    return s.stock[holder * components.RESOURCES + icon - 1]


def record_inventory_called(s: AtlandicePosition, icon: message_types.Icon | None) -> None:
    if icon is not None:
        record_event(s, {"kind": "inventory", "icon": icon})


def score_inventory(s: AtlandicePosition, icon: components.Icon) -> None:
    """AD.V4: most of what the icon names, 1 point to all tied; nobody scores with none, nothing is returned."""
    most: i64 = 1
    for holder in range(count_scoring_holders(s)):
        if count_inventory_pieces(s, icon, holder) > most:
            most = count_inventory_pieces(s, icon, holder)
    if s.events is not None:
        record_inventory_called(s, components.icon_name(int(icon)))
    for holder in range(count_scoring_holders(s)):
        if count_inventory_pieces(s, icon, holder) == most:
            add_points(s, holder, components.INVENTORY_POINTS, "inventory")


def count_tiles_of_holder(s: AtlandicePosition, holder: i64) -> i64:
    """How many region tiles a holder has."""
    count: i64 = 0
    for tile in range(components.TILES):
        if s.tile_place[tile] == components.TAKEN + holder:
            count += 1
    return count


def final_stock_points(s: AtlandicePosition, holder: i64) -> i64:
    """AD.E2: the points of a holder's stock at the end; nobody holds a used-up resource."""
    points: i64 = 0
    for resource in range(components.RESOURCES):
        points += majority_points(s, components.Resource(resource), holder)
    return points


def total_points(s: AtlandicePosition, holder: i64) -> i64:
    """AD.E2: all points of a holder if the game ended now."""
    return s.points[holder] + components.TILE_POINTS * count_tiles_of_holder(s, holder) + final_stock_points(s, holder)


def record_final_scoring(s: AtlandicePosition) -> None:
    """Record the events of the final scoring."""
    for resource in range(components.RESOURCES):
        for holder in range(count_scoring_holders(s)):
            points = majority_points(s, components.Resource(resource), holder)
            if points > 0:
                record_points(s, holder, points, components.RESOURCE_NAMES[resource])
    record_event(s, {"kind": "end", "scores": s.scores()})
