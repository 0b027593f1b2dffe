"""Choices as data, with their immediate losses: for clients that know no rules."""

from __future__ import annotations

from typing import Final, Literal

from landfall.core.hex_grid import DIRECTIONS
from landfall.games.survive.presentation.notation import format_outcome
from landfall.games.survive.rules import board, codes, components, message_types, phases, piece_positions
from landfall.games.survive.rules.defence import lowest_terrain_held, matching_defence_tile
from landfall.games.survive.rules.hand_tiles import tile_that_moves_kind
from landfall.games.survive.rules.position import SurvivePosition

PLACINGS: Final[list[list[object] | None]] = [None] * int(components.COLOURS * codes.PUT)  # by seat and action


def describe_action(s: SurvivePosition, a: int) -> message_types.Choice | message_types.Outcome:
    """`verb`, the `piece` that acts, its `from` and `to`, and the verb's other arguments."""
    family, first, second = codes.decode_action(a)
    if family == codes.STEP:
        return describe_step(s, first, second)
    if family in (codes.PLACE, codes.PLACE_SECOND):
        colour = components.COLOUR_NAMES[
            piece_positions.colour_of_seat(s.actor, 1 if family == codes.PLACE_SECOND else 0) % components.COLOURS
        ]
        return {"verb": "place", "colour": colour, "value": second + 1, "to": board.NAMES[board.SLOT_SPACE[first]]}
    if family == codes.MOVE:
        return describe_creature_move(s, first, second, a)
    if family == codes.SAIL:
        space = int(s.ship_space[first])
        to = int(board.NEXT[space * board.SIDES + second]) if space >= 0 else -1
        return {
            "verb": "sail",
            "piece": f"ship {space_name_or_empty(space)}",
            "from": space_name_or_empty(space),
            "to": space_name_or_empty(to),
        }
    if family == codes.SHIP_TO:
        at = space_name_or_empty(int(s.ship_space[first]))
        return {
            "verb": "wind" if s.phase == phases.HAND else "drift",
            "piece": f"ship {at}",
            "from": at,
            "to": board.NAMES[second],
        }
    if family == codes.SWIM:
        return {
            "verb": "swim_by_dolphin",
            **own_explorer_and_place(s, first),
            "to": board.NAMES[second],
            "terrain": terrain_of_tile_played(s, components.DOLPHIN_TILE, a),
        }
    if family == codes.CHANGE:
        at = space_name_or_empty(int(s.creature_space[components.FIRST_DOLPHIN + first]))
        return {"verb": "guard", "piece": f"dolphin {at}", "ward": piece_positions.explorer_name(second), "to": at}
    if family == codes.SINK:
        space = int(board.SLOT_SPACE[first])
        terrain = int(s.tile[space])
        name: message_types.TerrainName | Literal["sea"] = (
            components.TERRAIN_NAMES[terrain] if 0 <= terrain < components.TERRAINS else "sea"
        )
        return {"verb": "sink", "to": board.NAMES[space], "terrain": name}
    if family == codes.PICK:
        return {
            "verb": "pick_ward"
            if s.phase == phases.WARD
            else "pick_prey"
            if s.phase == phases.PREY
            else "pick_boarding",
            "piece": piece_positions.explorer_name(first),
            "to": space_name_or_empty(int(s.where[first])),
        }
    if family == codes.PUT:
        return {"verb": "put_squid" if s.phase == phases.PUTTING_SQUID else "put_ship", "to": board.NAMES[first]}
    if family == codes.FETCH:
        at = space_name_or_empty(int(s.ship_space[first]))
        return {"verb": "fetch", "piece": f"ship {at}", "from": at, "to": space_name_or_empty(int(s.tile_space))}
    if family == codes.DEFEND:
        if s.creature < 0:
            return {"verb": "defend", "creature": "", "terrain": ""}
        side = terrain_of_tile_played(s, matching_defence_tile(s), a)
        return {"verb": "defend", "creature": components.KIND_NAMES[components.KIND_OF[s.creature]], "terrain": side}
    if family == codes.END:
        return {"verb": "end" if s.phase == phases.MOVING else "pass"}
    return {"verb": "chance", "phase": phases.PHASE_NAMES[s.phase], "outcome": format_outcome(a)}


def list_placing_choice_groups(s: SurvivePosition) -> list[tuple[str, list[str], list[list[object]]]]:
    """All places for all values left, up to 240, as `State.choice_groups`; the rows are cached and shared."""
    rows: list[list[object]] = []
    first = int(s.actor) * int(codes.PUT)
    for action in s.legal_actions():
        known = PLACINGS[first + action]
        if known is None:
            known = [*describe_action(s, action).values(), action, s.notation(action)][1:]
            PLACINGS[first + action] = known
        rows.append(known)
    return [("place", ["colour", "value", "to", "action", "text"], rows)]


def space_name_or_empty(space: int) -> str:
    return board.NAMES[space] if space >= 0 else ""


def own_explorer_and_place(s: SurvivePosition, i: int) -> message_types.Explorer:
    """An own explorer and its place."""
    if i >= piece_positions.explorers_per_seat(s):
        return {"piece": "", "from": ""}
    e = int(piece_positions.nth_explorer_of_seat(s, s.actor, i))
    return {
        "piece": piece_positions.explorer_name(e),
        "from": board.NAMES[s.where[e]] if piece_positions.is_on_board(s, e) else "",
    }


def terrain_of_tile_played(
    s: SurvivePosition, back: components.Back, a: int
) -> message_types.TerrainName | Literal[""]:
    """The terrain of the hand tile that an action plays; "" if the actor holds none."""
    chosen = codes.higher_terrain_played(a)
    terrain = lowest_terrain_held(s, s.actor, back) if chosen == components.SEA else chosen
    return components.TERRAIN_NAMES[terrain] if terrain != components.SEA else ""


def describe_creature_move(
    s: SurvivePosition, c: int, to: int, a: int
) -> message_types.MoveCreature | message_types.SendCreature:
    at = space_name_or_empty(int(s.creature_space[c]))
    kind = components.KIND_NAMES[components.KIND_OF[c]]
    piece, space = f"{kind} {at}", board.NAMES[to]
    if s.phase != phases.HAND:
        return {"verb": "move", "piece": piece, "creature": kind, "id": c, "from": at, "to": space}
    terrain = terrain_of_tile_played(s, tile_that_moves_kind(components.kind_of_creature(c)), a)
    return {"verb": "send", "piece": piece, "creature": kind, "id": c, "from": at, "to": space, "terrain": terrain}


def describe_step(s: SurvivePosition, i: int, how: int) -> message_types.Choice:
    words = own_explorer_and_place(s, i)
    at = int(s.where[piece_positions.nth_explorer_of_seat(s, s.actor, i)]) if words["from"] else -1
    if how in (codes.DIVE, codes.BOARD):
        return {"verb": "dive" if how == codes.DIVE else "board", **words, "to": words["from"]}
    if how == codes.LAND:
        isle = int(board.ISLE_OF[at]) if at >= 0 else -1
        return {"verb": "land", **words, "to": board.ISLES[isle] if isle >= 0 else ""}
    to = int(board.NEXT[at * board.SIDES + how % board.SIDES]) if at >= 0 else -1
    direction = DIRECTIONS[how % int(board.SIDES)]
    if how >= codes.WITH_DOLPHIN:
        return {"verb": "swim_with_dolphin", **words, "to": space_name_or_empty(to), "direction": direction}
    if how >= codes.ONTO_SHIP:
        return {"verb": "embark", **words, "to": space_name_or_empty(to), "direction": direction}
    into_sea = to >= 0 and s.tile[to] == components.SEA
    from_sea = at >= 0 and s.tile[at] == components.SEA
    verb: Literal["swim", "enter_water", "walk"] = "swim" if from_sea else "enter_water" if into_sea else "walk"
    return {"verb": verb, **words, "to": space_name_or_empty(to), "direction": direction}
