"""Choices in structured words, and what each would cost: for clients that know no rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from landfall.core.hex import DIRECTIONS
from landfall.games.survive.actions import (
    BOARD,
    CHANGE,
    DEFEND,
    DIVE,
    END,
    FETCH,
    LAND,
    LAY,
    MOVE,
    ONTO_SHIP,
    PICK,
    PUT,
    SAIL,
    SHIP_TO,
    SINK,
    STEP,
    SWIM,
    WITH_DOLPHIN,
)
from landfall.games.survive.board import ISLE_OF, ISLES, NAMES, NEXT, SLOT_SPACE
from landfall.games.survive.components import COLOUR_NAMES, FIRST_DOLPHIN, KIND_NAMES, KIND_OF, SEA, TERRAIN_NAMES
from landfall.games.survive.notation import outcome_name
from landfall.games.survive.phases import HAND, MOVING, PHASE_NAMES, PREY, PUTTING_SQUID, WARD
from landfall.games.survive.pieces import on_board, own, own_count, piece_name

if TYPE_CHECKING:
    from landfall.games.survive.position import SurvivePosition

PLACINGS: Final[list[list[object] | None]] = [None] * (6 * int(PUT))  # by seat and action


def describe(s: SurvivePosition, a: int) -> dict[str, object]:
    """`verb`, the `piece` that acts, where it comes `from` and goes `to`, and what else the verb needs."""
    if a >= LAY:
        return {"verb": "chance", "phase": PHASE_NAMES[s.phase], "outcome": outcome_name(a)}
    if a >= CHANGE:
        dolphin = (a - int(CHANGE)) // 60
        at = place(int(s.creature_space[FIRST_DOLPHIN + dolphin]))
        return {"verb": "guard", "piece": f"dolphin {at}", "ward": piece_name((a - int(CHANGE)) % 60), "to": at}
    if a >= SWIM:
        i, to = divmod(a - int(SWIM), 133)
        return {"verb": "swim_by_dolphin", **explorer(s, i), "to": NAMES[to]}
    if a >= SHIP_TO:
        ship, to = divmod(a - int(SHIP_TO), 133)
        at = place(int(s.ship_space[ship]))
        verb = "wind" if s.phase == HAND else "drift"
        return {"verb": verb, "piece": f"ship {at}", "from": at, "to": NAMES[to]}
    if a >= MOVE:
        return describe_creature(s, a - int(MOVE))
    if a == DEFEND:
        return {"verb": "defend", "creature": KIND_NAMES[KIND_OF[s.creature]] if s.creature >= 0 else ""}
    if a == END:
        return {"verb": "end" if s.phase == MOVING else "pass"}
    if a >= FETCH:
        at = place(int(s.ship_space[a - FETCH]))
        return {"verb": "fetch", "piece": f"ship {at}", "from": at, "to": place(int(s.tile_space))}
    if a >= PICK:
        e = a - int(PICK)
        verb = "pick_ward" if s.phase == WARD else "pick_prey" if s.phase == PREY else "pick_boarding"
        return {"verb": verb, "piece": piece_name(e), "to": place(int(s.where[e]))}
    if a >= SINK:
        space = int(SLOT_SPACE[a - SINK])
        terrain = int(s.tile[space])
        return {"verb": "sink", "to": NAMES[space], "terrain": TERRAIN_NAMES[terrain] if 0 <= terrain < 3 else "sea"}
    if a >= SAIL:
        ship, d = divmod(a - int(SAIL), 6)
        space = int(s.ship_space[ship])
        to = int(NEXT[space * 6 + d]) if space >= 0 else -1
        return {"verb": "sail", "piece": f"ship {place(space)}", "from": place(space), "to": place(to)}
    if a >= STEP:
        i, how = divmod(a - int(STEP), 21)
        return describe_step(s, i, how)
    if a >= PUT:
        return {"verb": "put_squid" if s.phase == PUTTING_SQUID else "put_ship", "to": NAMES[a - PUT]}
    which, slot, v = a // 240, a // 6 % 40, a % 6
    colour = COLOUR_NAMES[(int(s.actor) + 2 * which) % 6]
    return {"verb": "place", "colour": colour, "value": v + 1, "to": NAMES[SLOT_SPACE[slot]]}


def placings(s: SurvivePosition) -> list[tuple[str, list[str], list[list[object]]]]:
    """All places for all values left, up to 240: what `State.grouped` gives, its rows made once and shared."""
    rows: list[list[object]] = []
    first = int(s.actor) * int(PUT)
    for action in s.legal():
        known = PLACINGS[first + action]
        if known is None:
            known = [*describe(s, action).values(), action, s.notation(action)][1:]
            PLACINGS[first + action] = known
        rows.append(known)
    return [("place", ["colour", "value", "to", "action", "text"], rows)]


def place(space: int) -> str:
    return NAMES[space] if space >= 0 else ""


def explorer(s: SurvivePosition, i: int) -> dict[str, object]:
    """An own explorer and where it is."""
    if i >= own_count(s):
        return {"piece": "", "from": ""}
    e = int(own(s, s.actor, i))
    return {"piece": piece_name(e), "from": NAMES[s.where[e]] if on_board(s, e) else ""}


def describe_creature(s: SurvivePosition, code: int) -> dict[str, object]:
    c, to = divmod(code, 133)
    at = place(int(s.creature_space[c]))
    kind = KIND_NAMES[KIND_OF[c]]
    verb = "send" if s.phase == HAND else "move"
    return {"verb": verb, "piece": f"{kind} {at}", "creature": kind, "id": c, "from": at, "to": NAMES[to]}


def describe_step(s: SurvivePosition, i: int, how: int) -> dict[str, object]:
    words = explorer(s, i)
    at = int(s.where[own(s, s.actor, i)]) if words["from"] else -1
    if how in (DIVE, BOARD):
        return {"verb": "dive" if how == DIVE else "board", **words, "to": words["from"]}
    if how == LAND:
        isle = int(ISLE_OF[at]) if at >= 0 else -1
        return {"verb": "land", **words, "to": ISLES[isle] if isle >= 0 else ""}
    to = int(NEXT[at * 6 + how % 6]) if at >= 0 else -1
    words["to"] = place(to)
    words["direction"] = DIRECTIONS[how % 6]
    if how >= WITH_DOLPHIN:
        return {"verb": "swim_with_dolphin", **words}
    if how >= ONTO_SHIP:
        return {"verb": "embark", **words}
    into_sea = to >= 0 and s.tile[to] == SEA
    from_sea = at >= 0 and s.tile[at] == SEA
    return {"verb": "swim" if from_sea else "enter_water" if into_sea else "walk", **words}
