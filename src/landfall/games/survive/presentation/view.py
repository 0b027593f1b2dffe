"""Builds the view of a seat as JSON-able data. Hidden information is absent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from landfall.core.int_vectors import to_list, vectors_equal
from landfall.core.state import CHANCE, OVER
from landfall.games.survive.rules.board import NAMES, SLOT_SPACE, SLOTS, place_name
from landfall.games.survive.rules.components import (
    ACTED,
    BACK_NAMES,
    COLOUR_NAMES,
    DOLPHINS,
    EXPLORERS,
    FACE_NAMES,
    FAR_NAMES,
    FIRST_DOLPHIN,
    HAND_KINDS,
    KIND_NAMES,
    KIND_OF,
    KINDS,
    LOST,
    SHIPS,
    TERRAIN_NAMES,
    TERRAINS,
    VALUES,
    hand_index,
)
from landfall.games.survive.rules.hidden_information import VALUE_SECRET, can_read_secret
from landfall.games.survive.rules.options import INSTEAD_OF_WHALES, NO_SQUID
from landfall.games.survive.rules.phases import DEFENDING, PHASE_NAMES, PREY, STEP_NAMES
from landfall.games.survive.rules.piece_positions import (
    colours_of_seat,
    crew_names,
    explorer_name,
    is_on_board,
    seat_of_explorer,
)
from landfall.games.survive.rules.scoring import count_saved_explorers

if TYPE_CHECKING:
    from landfall.games.survive.rules.message_types import HandTile, PrivateView, SeatView, TerrainName, View
    from landfall.games.survive.rules.position import SurvivePosition


def build_view_from_scratch(s: SurvivePosition, seat: int | None) -> View:
    return build_view_reusing_previous(s, seat, s, None)


def build_view_reusing_previous(
    s: SurvivePosition, seat: int | None, before: SurvivePosition, old: View | None
) -> View:
    """With `previous`, an earlier position and its public view, unchanged parts are reused."""
    out: View = {
        "game": "survive",
        "players": int(s.players),
        "actor": int(s.actor),
        "phase": PHASE_NAMES[s.phase],
        "ask": f"ask.{PHASE_NAMES[s.phase]}",
        "step": STEP_NAMES[s.step],
        "turn": int(s.turn),
        "points": int(s.points),
        "tiles": old["tiles"] if old is not None and vectors_equal(s.tile, before.tile) else terrain_by_space(s),
        "explorers": old["explorers"]
        if old is not None and vectors_equal(s.where, before.where)
        else explorer_places(s),
        "aboard": old["aboard"] if old is not None and are_crews_unchanged(s, before) else crews_by_space(s),
        "ships": old["ships"] if old is not None and vectors_equal(s.ship_space, before.ship_space) else list_ships(s),
        "creatures": old["creatures"]
        if old is not None and vectors_equal(s.creature_space, before.creature_space)
        else list_creatures(s),
        "wards": {
            str(int(FIRST_DOLPHIN) + d): explorer_name(int(s.ward[d])) for d in range(DOLPHINS) if s.ward[d] >= 0
        },
        "acted": [explorer_name(e) for e in range(EXPLORERS) if s.marks[e] & ACTED != 0 and is_on_board(s, e)],
        "seats": [build_seat_view(s, other) for other in range(s.players)],
        "supply": supply_counts_by_name(s),
        "dice": rolled_face_names(s),
        "sunk": NAMES[s.tile_space] if s.tile_space >= 0 else None,
    }
    if s.phase in (DEFENDING, PREY):
        c = int(s.creature)
        out["attack"] = {"id": c, "creature": KIND_NAMES[KIND_OF[c]], "at": NAMES[s.creature_space[c]]}
    add_private_entries(s, seat, out)
    if s.actor == OVER:
        out["scores"] = s.scores()
        out["ranking"] = s.ranking()
        out["hands"] = [list_hand_tiles(s, other) for other in range(s.players)]
    return out


def build_private_part_of_view(s: SurvivePosition, seat: int | None) -> PrivateView:
    """What only the seat sees."""
    out: PrivateView = {}
    add_private_entries(s, seat, out)
    return out


def build_private_part_of_view_with_values(s: SurvivePosition, seat: int) -> PrivateView:
    """The same, and the values that its owner gave but may not look at any more (SV.U5)."""
    out = build_private_part_of_view(s, seat)
    placed = [e for e in range(EXPLORERS) if was_ever_placed(s, e) and seat_of_explorer(s, e) == seat]
    if placed:
        out["values"] = {explorer_name(e): int(s.value[e]) for e in placed}
    return out


def add_private_entries(s: SurvivePosition, seat: int | None, out: PrivateView) -> None:
    values = explorer_values_visible_to_seat(s, seat)
    if values:
        out["values"] = values
    if seat is not None and seat >= 0:
        out["hand"] = list_hand_tiles(s, seat)
        out["to_place"] = values_left_to_place(s, seat)


def explorer_places(s: SurvivePosition) -> dict[str, str]:
    """The places of all explorers that were ever placed."""
    return {explorer_name(e): explorer_place_name(s, e) for e in range(EXPLORERS) if was_ever_placed(s, e)}


def are_crews_unchanged(s: SurvivePosition, before: SurvivePosition) -> bool:
    return vectors_equal(s.ship_space, before.ship_space) and vectors_equal(s.ship_seat, before.ship_seat)


def crews_by_space(s: SurvivePosition) -> dict[str, list[str]]:
    """The crews, by the space of their ship."""
    return {NAMES[s.ship_space[k]]: crew_names(s, k) for k in range(SHIPS) if s.ship_space[k] >= 0}


def list_ships(s: SurvivePosition) -> list[list[int | str]]:
    return [[k, NAMES[s.ship_space[k]]] for k in range(SHIPS) if s.ship_space[k] >= 0]


def list_creatures(s: SurvivePosition) -> list[list[int | str]]:
    return [[c, KIND_NAMES[KIND_OF[c]], NAMES[at]] for c, at in enumerate(to_list(s.creature_space)) if at >= 0]


def supply_counts_by_name(s: SurvivePosition) -> dict[str, int]:
    """Ships and creatures not yet on the board, of the kinds this table plays with (SV.C2, SV.C4, SV.Q8)."""
    plays = [True, True, s.rules.squid != INSTEAD_OF_WHALES, s.rules.dolphins, s.rules.squid != NO_SQUID]  # by kind
    found = {"ship": int(s.ships_left)}
    for kind in range(KINDS):
        if plays[kind] and s.creature_left[kind] > 0:
            found[KIND_NAMES[kind]] = int(s.creature_left[kind])
    return found


def terrain_by_space(s: SurvivePosition) -> dict[str, TerrainName]:
    """The remaining tiles, by space."""
    found: dict[str, TerrainName] = {}
    for i in range(SLOTS):
        terrain = int(s.tile[SLOT_SPACE[i]])
        if 0 <= terrain < TERRAINS:
            found[NAMES[SLOT_SPACE[i]]] = TERRAIN_NAMES[terrain]
    return found


def was_ever_placed(s: SurvivePosition, e: int) -> bool:
    """Whether the explorer was ever placed."""
    return bool(s.where[e] >= 0 or s.where[e] == LOST)


def explorer_place_name(s: SurvivePosition, e: int) -> str:
    return "lost" if s.where[e] == LOST else place_name(int(s.where[e]))


def explorer_values_visible_to_seat(s: SurvivePosition, seat: int | None) -> dict[str, int]:
    """SV.U5: one's own during set-up or with `open_values`; all at the end."""
    read = [can_read_secret(s, seat, VALUE_SECRET + other) for other in range(s.players)]
    if not any(read):
        return {}
    return {
        explorer_name(e): int(s.value[e])
        for e in range(EXPLORERS)
        if was_ever_placed(s, e) and read[seat_of_explorer(s, e)]
    }


def build_seat_view(s: SurvivePosition, seat: int) -> SeatView:
    """The public facts about a seat; the terrain side of hand tiles is public (SV.R8)."""
    out: SeatView = {
        "colours": [COLOUR_NAMES[c] for c in colours_of_seat(s, seat)],
        "hand": [tile["terrain"] for tile in list_hand_tiles(s, seat)],
        "in_play": int(s.in_play[seat]),
        "saved": count_saved_explorers(s, seat),
        "turns": int(s.turns[seat]),
        "ships_to_put": int(s.ships_to_put[seat]),
    }
    if s.rules.bounty:
        out["bounty"] = int(s.bounties[seat])
    return out


def list_hand_tiles(s: SurvivePosition, seat: int) -> list[HandTile]:
    return [
        {"tile": BACK_NAMES[back], "terrain": TERRAIN_NAMES[t]}
        for t in range(TERRAINS)
        for back in range(HAND_KINDS)
        for _ in range(s.hand[hand_index(seat, t, back)])
    ]


def values_left_to_place(s: SurvivePosition, seat: int) -> dict[str, list[int]]:
    """The values that a seat still has to place, by colour; only during set-up."""
    return {
        COLOUR_NAMES[c]: [v + 1 for v in range(VALUES) for _ in range(s.values_left[c * VALUES + v])]
        for c in colours_of_seat(s, seat)
        if any(s.values_left[c * VALUES + v] > 0 for v in range(VALUES))
    }


def rolled_face_names(s: SurvivePosition) -> list[str]:
    if s.face < 0 or s.actor == CHANCE:
        return []
    return [FACE_NAMES[s.face]] + ([FAR_NAMES[s.far - 1]] if s.far > 0 else [])
