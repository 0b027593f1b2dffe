"""Choices as data, with their immediate losses: for clients that know no rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from landfall.core.hex_grid import DIRECTIONS
from landfall.games.survive.presentation.notation import format_outcome
from landfall.games.survive.rules.action_encoding import (
    BOARD,
    CHANGE,
    DEFEND,
    DIVE,
    END,
    FETCH,
    LAND,
    MOVE,
    ONTO_SHIP,
    PICK,
    PLACE,
    PLACE_SECOND,
    PUT,
    SAIL,
    SHIP_TO,
    SINK,
    STEP,
    SWIM,
    WITH_DOLPHIN,
    decode_action,
    higher_terrain_played,
)
from landfall.games.survive.rules.board import ISLE_OF, ISLES, NAMES, NEXT, SIDES, SLOT_SPACE
from landfall.games.survive.rules.components import (
    COLOUR_NAMES,
    COLOURS,
    DOLPHIN_TILE,
    FIRST_DOLPHIN,
    KIND_NAMES,
    KIND_OF,
    SEA,
    TERRAIN_NAMES,
    TERRAINS,
    Back,
    kind_of_creature,
)
from landfall.games.survive.rules.defence import lowest_terrain_held, matching_defence_tile
from landfall.games.survive.rules.hand_tiles import tile_that_moves_kind
from landfall.games.survive.rules.phases import HAND, MOVING, PHASE_NAMES, PREY, PUTTING_SQUID, WARD
from landfall.games.survive.rules.piece_positions import (
    colour_of_seat,
    explorer_name,
    explorers_per_seat,
    is_on_board,
    nth_explorer_of_seat,
)

if TYPE_CHECKING:
    from landfall.games.survive.rules.message_types import (
        Choice,
        Explorer,
        MoveCreature,
        Outcome,
        SendCreature,
        TerrainName,
    )
    from landfall.games.survive.rules.position import SurvivePosition

PLACINGS: Final[list[list[object] | None]] = [None] * int(COLOURS * PUT)  # by seat and action


def describe_action(s: SurvivePosition, a: int) -> Choice | Outcome:
    """`verb`, the `piece` that acts, its `from` and `to`, and the verb's other arguments."""
    family, first, second = decode_action(a)
    if family == STEP:
        return describe_step(s, first, second)
    if family in (PLACE, PLACE_SECOND):
        colour = COLOUR_NAMES[colour_of_seat(s.actor, 1 if family == PLACE_SECOND else 0) % COLOURS]
        return {"verb": "place", "colour": colour, "value": second + 1, "to": NAMES[SLOT_SPACE[first]]}
    if family == MOVE:
        return describe_creature_move(s, first, second, a)
    if family == SAIL:
        space = int(s.ship_space[first])
        to = int(NEXT[space * SIDES + second]) if space >= 0 else -1
        return {
            "verb": "sail",
            "piece": f"ship {space_name_or_empty(space)}",
            "from": space_name_or_empty(space),
            "to": space_name_or_empty(to),
        }
    if family == SHIP_TO:
        at = space_name_or_empty(int(s.ship_space[first]))
        return {"verb": "wind" if s.phase == HAND else "drift", "piece": f"ship {at}", "from": at, "to": NAMES[second]}
    if family == SWIM:
        return {
            "verb": "swim_by_dolphin",
            **own_explorer_and_place(s, first),
            "to": NAMES[second],
            "terrain": terrain_of_tile_played(s, DOLPHIN_TILE, a),
        }
    if family == CHANGE:
        at = space_name_or_empty(int(s.creature_space[FIRST_DOLPHIN + first]))
        return {"verb": "guard", "piece": f"dolphin {at}", "ward": explorer_name(second), "to": at}
    if family == SINK:
        space = int(SLOT_SPACE[first])
        terrain = int(s.tile[space])
        name: TerrainName | Literal["sea"] = TERRAIN_NAMES[terrain] if 0 <= terrain < TERRAINS else "sea"
        return {"verb": "sink", "to": NAMES[space], "terrain": name}
    if family == PICK:
        return {
            "verb": "pick_ward" if s.phase == WARD else "pick_prey" if s.phase == PREY else "pick_boarding",
            "piece": explorer_name(first),
            "to": space_name_or_empty(int(s.where[first])),
        }
    if family == PUT:
        return {"verb": "put_squid" if s.phase == PUTTING_SQUID else "put_ship", "to": NAMES[first]}
    if family == FETCH:
        at = space_name_or_empty(int(s.ship_space[first]))
        return {"verb": "fetch", "piece": f"ship {at}", "from": at, "to": space_name_or_empty(int(s.tile_space))}
    if family == DEFEND:
        if s.creature < 0:
            return {"verb": "defend", "creature": "", "terrain": ""}
        side = terrain_of_tile_played(s, matching_defence_tile(s), a)
        return {"verb": "defend", "creature": KIND_NAMES[KIND_OF[s.creature]], "terrain": side}
    if family == END:
        return {"verb": "end" if s.phase == MOVING else "pass"}
    return {"verb": "chance", "phase": PHASE_NAMES[s.phase], "outcome": format_outcome(a)}


def list_placing_choice_groups(s: SurvivePosition) -> list[tuple[str, list[str], list[list[object]]]]:
    """All places for all values left, up to 240, as `State.choice_groups`; the rows are cached and shared."""
    rows: list[list[object]] = []
    first = int(s.actor) * int(PUT)
    for action in s.legal_actions():
        known = PLACINGS[first + action]
        if known is None:
            known = [*describe_action(s, action).values(), action, s.notation(action)][1:]
            PLACINGS[first + action] = known
        rows.append(known)
    return [("place", ["colour", "value", "to", "action", "text"], rows)]


def space_name_or_empty(space: int) -> str:
    return NAMES[space] if space >= 0 else ""


def own_explorer_and_place(s: SurvivePosition, i: int) -> Explorer:
    """An own explorer and its place."""
    if i >= explorers_per_seat(s):
        return {"piece": "", "from": ""}
    e = int(nth_explorer_of_seat(s, s.actor, i))
    return {"piece": explorer_name(e), "from": NAMES[s.where[e]] if is_on_board(s, e) else ""}


def terrain_of_tile_played(s: SurvivePosition, back: Back, a: int) -> TerrainName | Literal[""]:
    """The terrain of the hand tile that an action plays; "" if the actor holds none."""
    chosen = higher_terrain_played(a)
    terrain = lowest_terrain_held(s, s.actor, back) if chosen == SEA else chosen
    return TERRAIN_NAMES[terrain] if terrain != SEA else ""


def describe_creature_move(s: SurvivePosition, c: int, to: int, a: int) -> MoveCreature | SendCreature:
    at = space_name_or_empty(int(s.creature_space[c]))
    kind = KIND_NAMES[KIND_OF[c]]
    piece, space = f"{kind} {at}", NAMES[to]
    if s.phase != HAND:
        return {"verb": "move", "piece": piece, "creature": kind, "id": c, "from": at, "to": space}
    terrain = terrain_of_tile_played(s, tile_that_moves_kind(kind_of_creature(c)), a)
    return {"verb": "send", "piece": piece, "creature": kind, "id": c, "from": at, "to": space, "terrain": terrain}


def describe_step(s: SurvivePosition, i: int, how: int) -> Choice:
    words = own_explorer_and_place(s, i)
    at = int(s.where[nth_explorer_of_seat(s, s.actor, i)]) if words["from"] else -1
    if how in (DIVE, BOARD):
        return {"verb": "dive" if how == DIVE else "board", **words, "to": words["from"]}
    if how == LAND:
        isle = int(ISLE_OF[at]) if at >= 0 else -1
        return {"verb": "land", **words, "to": ISLES[isle] if isle >= 0 else ""}
    to = int(NEXT[at * SIDES + how % SIDES]) if at >= 0 else -1
    direction = DIRECTIONS[how % int(SIDES)]
    if how >= WITH_DOLPHIN:
        return {"verb": "swim_with_dolphin", **words, "to": space_name_or_empty(to), "direction": direction}
    if how >= ONTO_SHIP:
        return {"verb": "embark", **words, "to": space_name_or_empty(to), "direction": direction}
    into_sea = to >= 0 and s.tile[to] == SEA
    from_sea = at >= 0 and s.tile[at] == SEA
    verb: Literal["swim", "enter_water", "walk"] = "swim" if from_sea else "enter_water" if into_sea else "walk"
    return {"verb": verb, **words, "to": space_name_or_empty(to), "direction": direction}
