"""Builds the view of a seat as JSON-able data. Hidden information is absent."""

from __future__ import annotations

from landfall.core.int_vectors import to_list, vectors_equal
from landfall.core.state import CHANCE, OVER
from landfall.games.survive.rules import (
    board,
    components,
    hidden_information,
    message_types,
    options,
    phases,
    piece_positions,
)
from landfall.games.survive.rules.position import SurvivePosition
from landfall.games.survive.rules.scoring import count_saved_explorers


def build_view_from_scratch(s: SurvivePosition, seat: int | None) -> message_types.View:
    return build_view_reusing_previous(s, seat, s, None)


def build_view_reusing_previous(
    s: SurvivePosition, seat: int | None, before: SurvivePosition, old: message_types.View | None
) -> message_types.View:
    """With `previous`, an earlier position and its public view, unchanged parts are reused."""
    out: message_types.View = {
        "game": "survive",
        "players": int(s.players),
        "actor": int(s.actor),
        "phase": phases.PHASE_NAMES[s.phase],
        "ask": f"ask.{phases.PHASE_NAMES[s.phase]}",
        "step": phases.STEP_NAMES[s.step],
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
            str(int(components.FIRST_DOLPHIN) + d): piece_positions.explorer_name(int(s.ward[d]))
            for d in range(components.DOLPHINS)
            if s.ward[d] >= 0
        },
        "acted": [
            piece_positions.explorer_name(e)
            for e in range(components.EXPLORERS)
            if s.marks[e] & components.ACTED != 0 and piece_positions.is_on_board(s, e)
        ],
        "seats": [build_seat_view(s, other) for other in range(s.players)],
        "supply": supply_counts_by_name(s),
        "dice": rolled_face_names(s),
        "sunk": board.NAMES[s.tile_space] if s.tile_space >= 0 else None,
    }
    if s.phase in (phases.DEFENDING, phases.PREY):
        c = int(s.creature)
        out["attack"] = {
            "id": c,
            "creature": components.KIND_NAMES[components.KIND_OF[c]],
            "at": board.NAMES[s.creature_space[c]],
        }
    add_private_entries(s, seat, out)
    if s.actor == OVER:
        out["scores"] = s.scores()
        out["ranking"] = s.ranking()
        out["hands"] = [list_hand_tiles(s, other) for other in range(s.players)]
    return out


def build_private_part_of_view(s: SurvivePosition, seat: int | None) -> message_types.PrivateView:
    """What only the seat sees."""
    out: message_types.PrivateView = {}
    add_private_entries(s, seat, out)
    return out


def build_private_part_of_view_with_values(s: SurvivePosition, seat: int) -> message_types.PrivateView:
    """The same, and the values that its owner gave but may not look at any more (SV.U5)."""
    out = build_private_part_of_view(s, seat)
    placed = [
        e
        for e in range(components.EXPLORERS)
        if was_ever_placed(s, e) and piece_positions.seat_of_explorer(s, e) == seat
    ]
    if placed:
        out["values"] = {piece_positions.explorer_name(e): int(s.value[e]) for e in placed}
    return out


def add_private_entries(s: SurvivePosition, seat: int | None, out: message_types.PrivateView) -> None:
    values = explorer_values_visible_to_seat(s, seat)
    if values:
        out["values"] = values
    if seat is not None and seat >= 0:
        out["hand"] = list_hand_tiles(s, seat)
        out["to_place"] = values_left_to_place(s, seat)


def explorer_places(s: SurvivePosition) -> dict[str, str]:
    """The places of all explorers that were ever placed."""
    return {
        piece_positions.explorer_name(e): explorer_place_name(s, e)
        for e in range(components.EXPLORERS)
        if was_ever_placed(s, e)
    }


def are_crews_unchanged(s: SurvivePosition, before: SurvivePosition) -> bool:
    return vectors_equal(s.ship_space, before.ship_space) and vectors_equal(s.ship_seat, before.ship_seat)


def crews_by_space(s: SurvivePosition) -> dict[str, list[str]]:
    """The crews, by the space of their ship."""
    return {
        board.NAMES[s.ship_space[k]]: piece_positions.crew_names(s, k)
        for k in range(components.SHIPS)
        if s.ship_space[k] >= 0
    }


def list_ships(s: SurvivePosition) -> list[list[int | str]]:
    return [[k, board.NAMES[s.ship_space[k]]] for k in range(components.SHIPS) if s.ship_space[k] >= 0]


def list_creatures(s: SurvivePosition) -> list[list[int | str]]:
    return [
        [c, components.KIND_NAMES[components.KIND_OF[c]], board.NAMES[at]]
        for c, at in enumerate(to_list(s.creature_space))
        if at >= 0
    ]


def supply_counts_by_name(s: SurvivePosition) -> dict[str, int]:
    """Ships and creatures not yet on the board, of the kinds this table plays with (SV.C2, SV.C4, SV.Q8)."""
    plays = [
        True,
        True,
        s.rules.squid != options.INSTEAD_OF_WHALES,
        s.rules.dolphins,
        s.rules.squid != options.NO_SQUID,
    ]  # by kind
    found = {"ship": int(s.ships_left)}
    for kind in range(components.KINDS):
        if plays[kind] and s.creature_left[kind] > 0:
            found[components.KIND_NAMES[kind]] = int(s.creature_left[kind])
    return found


def terrain_by_space(s: SurvivePosition) -> dict[str, message_types.TerrainName]:
    """The remaining tiles, by space."""
    found: dict[str, message_types.TerrainName] = {}
    for i in range(board.SLOTS):
        terrain = int(s.tile[board.SLOT_SPACE[i]])
        if 0 <= terrain < components.TERRAINS:
            found[board.NAMES[board.SLOT_SPACE[i]]] = components.TERRAIN_NAMES[terrain]
    return found


def was_ever_placed(s: SurvivePosition, e: int) -> bool:
    """Whether the explorer was ever placed."""
    return bool(s.where[e] >= 0 or s.where[e] == components.LOST)


def explorer_place_name(s: SurvivePosition, e: int) -> str:
    return "lost" if s.where[e] == components.LOST else board.place_name(int(s.where[e]))


def explorer_values_visible_to_seat(s: SurvivePosition, seat: int | None) -> dict[str, int]:
    """SV.U5: one's own during set-up or with `open_values`; all at the end."""
    read = [
        hidden_information.can_read_secret(s, seat, hidden_information.VALUE_SECRET + other)
        for other in range(s.players)
    ]
    if not any(read):
        return {}
    return {
        piece_positions.explorer_name(e): int(s.value[e])
        for e in range(components.EXPLORERS)
        if was_ever_placed(s, e) and read[piece_positions.seat_of_explorer(s, e)]
    }


def build_seat_view(s: SurvivePosition, seat: int) -> message_types.SeatView:
    """The public facts about a seat; the terrain side of hand tiles is public (SV.R8)."""
    out: message_types.SeatView = {
        "colours": [components.COLOUR_NAMES[c] for c in piece_positions.colours_of_seat(s, seat)],
        "hand": [tile["terrain"] for tile in list_hand_tiles(s, seat)],
        "in_play": int(s.in_play[seat]),
        "saved": count_saved_explorers(s, seat),
        "turns": int(s.turns[seat]),
        "ships_to_put": int(s.ships_to_put[seat]),
    }
    if s.rules.bounty:
        out["bounty"] = int(s.bounties[seat])
    return out


def list_hand_tiles(s: SurvivePosition, seat: int) -> list[message_types.HandTile]:
    return [
        {"tile": components.BACK_NAMES[back], "terrain": components.TERRAIN_NAMES[t]}
        for t in range(components.TERRAINS)
        for back in range(components.HAND_KINDS)
        for _ in range(s.hand[components.hand_index(seat, t, back)])
    ]


def values_left_to_place(s: SurvivePosition, seat: int) -> dict[str, list[int]]:
    """The values that a seat still has to place, by colour; only during set-up."""
    return {
        components.COLOUR_NAMES[c]: [
            v + 1 for v in range(components.VALUES) for _ in range(s.values_left[c * components.VALUES + v])
        ]
        for c in piece_positions.colours_of_seat(s, seat)
        if any(s.values_left[c * components.VALUES + v] > 0 for v in range(components.VALUES))
    }


def rolled_face_names(s: SurvivePosition) -> list[str]:
    if s.face < 0 or s.actor == CHANCE:
        return []
    return [components.FACE_NAMES[s.face]] + ([components.SECOND_DIE_NAMES[s.far - 1]] if s.far > 0 else [])
