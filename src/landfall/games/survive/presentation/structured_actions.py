"""Choices as data, with their immediate losses: for clients that know no rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from landfall.core.hex_grid import DIRECTIONS
from landfall.games.survive.presentation.notation import outcome_name
from landfall.games.survive.rules.actions import (
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
)
from landfall.games.survive.rules.board import ISLE_OF, ISLES, NAMES, NEXT, SIDES, SLOT_SPACE
from landfall.games.survive.rules.components import (
    COLOUR_NAMES,
    COLOURS,
    FIRST_DOLPHIN,
    KIND_NAMES,
    KIND_OF,
    SEA,
    TERRAIN_NAMES,
    TERRAINS,
)
from landfall.games.survive.rules.phases import HAND, MOVING, PHASE_NAMES, PREY, PUTTING_SQUID, WARD
from landfall.games.survive.rules.pieces import explorers_per_seat, is_on_board, own_colour, own_explorer, piece_name

if TYPE_CHECKING:
    from landfall.games.survive.rules.message_types import Choice, Explorer, MoveCreature, Outcome, TerrainName
    from landfall.games.survive.rules.position import SurvivePosition

PLACINGS: Final[list[list[object] | None]] = [None] * int(COLOURS * PUT)  # by seat and action


def describe(s: SurvivePosition, a: int) -> Choice | Outcome:
    """`verb`, the `piece` that acts, its `from` and `to`, and the verb's other arguments."""
    family, first, second = decode_action(a)
    if family == STEP:
        return describe_step(s, first, second)
    if family in (PLACE, PLACE_SECOND):
        colour = COLOUR_NAMES[own_colour(s.actor, 1 if family == PLACE_SECOND else 0) % COLOURS]
        return {"verb": "place", "colour": colour, "value": second + 1, "to": NAMES[SLOT_SPACE[first]]}
    if family == MOVE:
        return describe_creature(s, first, second)
    if family == SAIL:
        space = int(s.ship_space[first])
        to = int(NEXT[space * SIDES + second]) if space >= 0 else -1
        return {"verb": "sail", "piece": f"ship {place(space)}", "from": place(space), "to": place(to)}
    if family == SHIP_TO:
        at = place(int(s.ship_space[first]))
        return {"verb": "wind" if s.phase == HAND else "drift", "piece": f"ship {at}", "from": at, "to": NAMES[second]}
    if family == SWIM:
        return {"verb": "swim_by_dolphin", **explorer(s, first), "to": NAMES[second]}
    if family == CHANGE:
        at = place(int(s.creature_space[FIRST_DOLPHIN + first]))
        return {"verb": "guard", "piece": f"dolphin {at}", "ward": piece_name(second), "to": at}
    if family == SINK:
        space = int(SLOT_SPACE[first])
        terrain = int(s.tile[space])
        name: TerrainName | Literal["sea"] = TERRAIN_NAMES[terrain] if 0 <= terrain < TERRAINS else "sea"
        return {"verb": "sink", "to": NAMES[space], "terrain": name}
    if family == PICK:
        return {
            "verb": "pick_ward" if s.phase == WARD else "pick_prey" if s.phase == PREY else "pick_boarding",
            "piece": piece_name(first),
            "to": place(int(s.where[first])),
        }
    if family == PUT:
        return {"verb": "put_squid" if s.phase == PUTTING_SQUID else "put_ship", "to": NAMES[first]}
    if family == FETCH:
        at = place(int(s.ship_space[first]))
        return {"verb": "fetch", "piece": f"ship {at}", "from": at, "to": place(int(s.tile_space))}
    if family == DEFEND:
        return {"verb": "defend", "creature": KIND_NAMES[KIND_OF[s.creature]] if s.creature >= 0 else ""}
    if family == END:
        return {"verb": "end" if s.phase == MOVING else "pass"}
    return {"verb": "chance", "phase": PHASE_NAMES[s.phase], "outcome": outcome_name(a)}


def placing_groups(s: SurvivePosition) -> list[tuple[str, list[str], list[list[object]]]]:
    """All places for all values left, up to 240, as `State.choice_groups`; the rows are cached and shared."""
    rows: list[list[object]] = []
    first = int(s.actor) * int(PUT)
    for action in s.legal_actions():
        known = PLACINGS[first + action]
        if known is None:
            known = [*describe(s, action).values(), action, s.notation(action)][1:]
            PLACINGS[first + action] = known
        rows.append(known)
    return [("place", ["colour", "value", "to", "action", "text"], rows)]


def place(space: int) -> str:
    return NAMES[space] if space >= 0 else ""


def explorer(s: SurvivePosition, i: int) -> Explorer:
    """An own explorer and its place."""
    if i >= explorers_per_seat(s):
        return {"piece": "", "from": ""}
    e = int(own_explorer(s, s.actor, i))
    return {"piece": piece_name(e), "from": NAMES[s.where[e]] if is_on_board(s, e) else ""}


def describe_creature(s: SurvivePosition, c: int, to: int) -> MoveCreature:
    at = place(int(s.creature_space[c]))
    kind = KIND_NAMES[KIND_OF[c]]
    return {
        "verb": "send" if s.phase == HAND else "move",
        "piece": f"{kind} {at}",
        "creature": kind,
        "id": c,
        "from": at,
        "to": NAMES[to],
    }


def describe_step(s: SurvivePosition, i: int, how: int) -> Choice:
    words = explorer(s, i)
    at = int(s.where[own_explorer(s, s.actor, i)]) if words["from"] else -1
    if how in (DIVE, BOARD):
        return {"verb": "dive" if how == DIVE else "board", **words, "to": words["from"]}
    if how == LAND:
        isle = int(ISLE_OF[at]) if at >= 0 else -1
        return {"verb": "land", **words, "to": ISLES[isle] if isle >= 0 else ""}
    to = int(NEXT[at * SIDES + how % SIDES]) if at >= 0 else -1
    direction = DIRECTIONS[how % int(SIDES)]
    if how >= WITH_DOLPHIN:
        return {"verb": "swim_with_dolphin", **words, "to": place(to), "direction": direction}
    if how >= ONTO_SHIP:
        return {"verb": "embark", **words, "to": place(to), "direction": direction}
    into_sea = to >= 0 and s.tile[to] == SEA
    from_sea = at >= 0 and s.tile[at] == SEA
    verb: Literal["swim", "enter_water", "walk"] = "swim" if from_sea else "enter_water" if into_sea else "walk"
    return {"verb": verb, **words, "to": place(to), "direction": direction}
