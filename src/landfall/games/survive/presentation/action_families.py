"""What an action is called, what it names and whether it can harm anybody: a class for each family of actions."""

from __future__ import annotations

from typing import Final, Literal

from mypy_extensions import i64

from landfall.core.hex_grid import DIRECTIONS
from landfall.games.survive.rules import (
    board,
    codes,
    components,
    defence,
    hand_tiles,
    message_types,
    phases,
    piece_positions,
)
from landfall.games.survive.rules.position import SurvivePosition


class ActionFamily:
    """A family, and each of its actions by its two arguments. What is not said here is said of chance outcomes."""

    def notation(self, s: SurvivePosition, first: i64, second: i64) -> str:
        """The action in notation, without the terrain of a hand tile."""
        return ""

    def describe(
        self, s: SurvivePosition, first: int, second: int, a: int
    ) -> message_types.Choice | message_types.Outcome:
        """`verb`, the `piece` that acts, its `from` and `to`, and the verb's other arguments."""
        return {"verb": "chance", "phase": phases.PHASE_NAMES[s.phase], "outcome": format_outcome(a)}

    def is_harmless(self, s: SurvivePosition, first: i64, second: i64) -> bool:
        """Whether it obviously removes and hits nobody, so that no trial is needed."""
        return False


class Placing(ActionFamily):
    def __init__(self, which: int) -> None:
        self.which = which  # of the seat's colours

    def notation_without_value(self, s: SurvivePosition, slot: i64) -> str:
        colour = piece_positions.colour_of_seat(s.actor, self.which)
        return f"{components.COLOUR_LETTERS[colour % components.COLOURS]}{board.NAMES[board.SLOT_SPACE[slot]]}"

    def notation(self, s: SurvivePosition, first: i64, second: i64) -> str:
        return f"{self.notation_without_value(s, first)}={second + 1}"

    def describe(self, s: SurvivePosition, first: int, second: int, a: int) -> message_types.Choice:
        colour = components.COLOUR_NAMES[piece_positions.colour_of_seat(s.actor, self.which) % components.COLOURS]
        return {"verb": "place", "colour": colour, "value": second + 1, "to": board.NAMES[board.SLOT_SPACE[first]]}

    def is_harmless(self, s: SurvivePosition, first: i64, second: i64) -> bool:
        return True


class Putting(ActionFamily):
    """A ship at set-up, or a squid."""

    def notation(self, s: SurvivePosition, first: i64, second: i64) -> str:
        return f"{'squid' if s.phase == phases.PUTTING_SQUID else 'ship'} {board.NAMES[first]}"

    def describe(self, s: SurvivePosition, first: int, second: int, a: int) -> message_types.Choice:
        return {"verb": "put_squid" if s.phase == phases.PUTTING_SQUID else "put_ship", "to": board.NAMES[first]}

    def is_harmless(self, s: SurvivePosition, first: i64, second: i64) -> bool:
        return s.phase == phases.PUTTING_SHIPS  # a squid may have prey where it is put


class Step(ActionFamily):
    def notation(self, s: SurvivePosition, first: i64, second: i64) -> str:
        name = format_own_explorer(s, first)
        if second == codes.DIVE:
            return f"{name} dive"
        if second == codes.BOARD:
            return f"{name} board"
        if second == codes.LAND:
            e = piece_positions.nth_explorer_of_seat(s, s.actor, first)
            can_be = first < piece_positions.explorers_per_seat(s) and piece_positions.is_on_board(s, e)
            isle = board.ISLE_OF[s.where[e]] if can_be else -1
            return f"{name} {board.ISLES[isle] if isle >= 0 else 'land'}"
        tail = " dolphin" if second >= codes.WITH_DOLPHIN else " ship" if second >= codes.ONTO_SHIP else ""
        return f"{name} {DIRECTIONS[second % board.SIDES]}{tail}"

    def describe(self, s: SurvivePosition, first: int, second: int, a: int) -> message_types.Choice:
        words = own_explorer_and_place(s, first)
        at = int(s.where[piece_positions.nth_explorer_of_seat(s, s.actor, first)]) if words["from"] else -1
        if second in (codes.DIVE, codes.BOARD):
            return {"verb": "dive" if second == codes.DIVE else "board", **words, "to": words["from"]}
        if second == codes.LAND:
            isle = int(board.ISLE_OF[at]) if at >= 0 else -1
            return {"verb": "land", **words, "to": board.ISLES[isle] if isle >= 0 else ""}
        to = int(board.NEXT[at * board.SIDES + second % board.SIDES]) if at >= 0 else -1
        direction = DIRECTIONS[second % int(board.SIDES)]
        if second >= codes.WITH_DOLPHIN:
            return {"verb": "swim_with_dolphin", **words, "to": space_name_or_empty(to), "direction": direction}
        if second >= codes.ONTO_SHIP:
            return {"verb": "embark", **words, "to": space_name_or_empty(to), "direction": direction}
        into_sea = to >= 0 and s.tile[to] == components.SEA
        from_sea = at >= 0 and s.tile[at] == components.SEA
        verb: Literal["swim", "enter_water", "walk"] = "swim" if from_sea else "enter_water" if into_sea else "walk"
        return {"verb": verb, **words, "to": space_name_or_empty(to), "direction": direction}

    def is_harmless(self, s: SurvivePosition, first: i64, second: i64) -> bool:
        at = s.where[piece_positions.nth_explorer_of_seat(s, s.actor, first)]
        to = board.NEXT[at * board.SIDES + second % board.SIDES] if second < codes.DIVE else at
        return s.creatures_at[at] == 0 and (to < 0 or s.creatures_at[to] == 0)


class Sailing(ActionFamily):
    def notation(self, s: SurvivePosition, first: i64, second: i64) -> str:
        return f"{format_ship_space(s, first)} {DIRECTIONS[second]}"

    def describe(self, s: SurvivePosition, first: int, second: int, a: int) -> message_types.Choice:
        space = int(s.ship_space[first])
        at = space_name_or_empty(space)
        to = int(board.NEXT[space * board.SIDES + second]) if space >= 0 else -1
        return {"verb": "sail", "piece": f"ship {at}", "from": at, "to": space_name_or_empty(to)}

    def is_harmless(self, s: SurvivePosition, first: i64, second: i64) -> bool:
        to = board.NEXT[s.ship_space[first] * board.SIDES + second]
        return to >= 0 and s.creatures_at[to] == 0


class Sinking(ActionFamily):
    def notation(self, s: SurvivePosition, first: i64, second: i64) -> str:
        return f"sink {board.NAMES[board.SLOT_SPACE[first]]}"

    def describe(self, s: SurvivePosition, first: int, second: int, a: int) -> message_types.Choice:
        space = int(board.SLOT_SPACE[first])
        terrain = int(s.tile[space])
        name: message_types.TerrainName | Literal["sea"] = (
            components.TERRAIN_NAMES[terrain] if 0 <= terrain < components.TERRAINS else "sea"
        )
        return {"verb": "sink", "to": board.NAMES[space], "terrain": name}

    def is_harmless(self, s: SurvivePosition, first: i64, second: i64) -> bool:
        return True  # the back of a tile is up to chance


class Picking(ActionFamily):
    """Who boards, which ward, which prey."""

    def notation(self, s: SurvivePosition, first: i64, second: i64) -> str:
        return f"pick {piece_positions.explorer_name(int(first))}"

    def describe(self, s: SurvivePosition, first: int, second: int, a: int) -> message_types.Choice:
        prey_or_crew: Literal["pick_prey", "pick_boarding"] = "pick_prey" if s.phase == phases.PREY else "pick_boarding"
        return {
            "verb": "pick_ward" if s.phase == phases.WARD else prey_or_crew,
            "piece": piece_positions.explorer_name(first),
            "to": space_name_or_empty(int(s.where[first])),
        }


class Fetching(ActionFamily):
    def notation(self, s: SurvivePosition, first: i64, second: i64) -> str:
        return f"fetch {format_ship_space(s, first)}"

    def describe(self, s: SurvivePosition, first: int, second: int, a: int) -> message_types.Choice:
        at = space_name_or_empty(int(s.ship_space[first]))
        return {"verb": "fetch", "piece": f"ship {at}", "from": at, "to": space_name_or_empty(int(s.tile_space))}


class Ending(ActionFamily):
    """End the step, pass, move nothing."""

    def notation(self, s: SurvivePosition, first: i64, second: i64) -> str:
        return "end" if s.phase == phases.MOVING else "pass"

    def describe(self, s: SurvivePosition, first: int, second: int, a: int) -> message_types.Choice:
        return {"verb": "end" if s.phase == phases.MOVING else "pass"}


class Defending(ActionFamily):
    def notation(self, s: SurvivePosition, first: i64, second: i64) -> str:
        return "defend"

    def describe(self, s: SurvivePosition, first: int, second: int, a: int) -> message_types.Choice:
        if s.creature < 0:
            return {"verb": "defend", "creature": "", "terrain": ""}
        side = terrain_of_tile_played(s, defence.matching_defence_tile(s), a)
        return {"verb": "defend", "creature": components.KIND_NAMES[components.KIND_OF[s.creature]], "terrain": side}

    def is_harmless(self, s: SurvivePosition, first: i64, second: i64) -> bool:
        return True


class CreatureMove(ActionFamily):
    """By a hand tile, or by the dice."""

    def notation(self, s: SurvivePosition, first: i64, second: i64) -> str:
        kind = components.KIND_NAMES[components.KIND_OF[first]]
        return f"{kind} {format_creature_space(s, first)} {board.NAMES[second]}"

    def describe(self, s: SurvivePosition, first: int, second: int, a: int) -> message_types.Choice:
        at = space_name_or_empty(int(s.creature_space[first]))
        kind = components.KIND_NAMES[components.KIND_OF[first]]
        piece, to = f"{kind} {at}", board.NAMES[second]
        if s.phase != phases.HAND:
            return {"verb": "move", "piece": piece, "creature": kind, "id": first, "from": at, "to": to}
        back = hand_tiles.tile_that_moves_kind(components.kind_of_creature(first))
        terrain = terrain_of_tile_played(s, back, a)
        return {"verb": "send", "piece": piece, "creature": kind, "id": first, "from": at, "to": to, "terrain": terrain}

    def is_harmless(self, s: SurvivePosition, first: i64, second: i64) -> bool:
        if components.KIND_OF[first] == components.SQUID and piece_positions.is_beside_tile_with_explorers(s, second):
            return False
        return s.people_at[s.creature_space[first]] == 0 and s.people_at[second] == 0 and s.ship_at[second] < 0


class ShipMove(ActionFamily):
    """By wind, or by the dice."""

    def notation(self, s: SurvivePosition, first: i64, second: i64) -> str:
        return f"{format_ship_space(s, first)} {board.NAMES[second]}"

    def describe(self, s: SurvivePosition, first: int, second: int, a: int) -> message_types.Choice:
        at = space_name_or_empty(int(s.ship_space[first]))
        verb: Literal["wind", "drift"] = "wind" if s.phase == phases.HAND else "drift"
        return {"verb": verb, "piece": f"ship {at}", "from": at, "to": board.NAMES[second]}

    def is_harmless(self, s: SurvivePosition, first: i64, second: i64) -> bool:
        return s.creatures_at[second] == 0


class SwimByTile(ActionFamily):
    def notation(self, s: SurvivePosition, first: i64, second: i64) -> str:
        return f"{format_own_explorer(s, first)} {board.NAMES[second]}"

    def describe(self, s: SurvivePosition, first: int, second: int, a: int) -> message_types.Choice:
        return {
            "verb": "swim_by_dolphin",
            **own_explorer_and_place(s, first),
            "to": board.NAMES[second],
            "terrain": terrain_of_tile_played(s, components.DOLPHIN_TILE, a),
        }

    def is_harmless(self, s: SurvivePosition, first: i64, second: i64) -> bool:
        at = s.where[piece_positions.nth_explorer_of_seat(s, s.actor, first)]
        return s.creatures_at[at] == 0 and s.creatures_at[second] == 0


class WardChange(ActionFamily):
    def notation(self, s: SurvivePosition, first: i64, second: i64) -> str:
        at = format_creature_space(s, components.FIRST_DOLPHIN + first)
        return f"dolphin {at} {piece_positions.explorer_name(int(second))}"

    def describe(self, s: SurvivePosition, first: int, second: int, a: int) -> message_types.Choice:
        at = space_name_or_empty(int(s.creature_space[components.FIRST_DOLPHIN + first]))
        return {"verb": "guard", "piece": f"dolphin {at}", "ward": piece_positions.explorer_name(second), "to": at}


class Outcome(ActionFamily):
    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names

    def notation(self, s: SurvivePosition, first: i64, second: i64) -> str:
        return self.names[first]


FAMILIES: Final[dict[int, ActionFamily]] = {
    codes.PLACE: Placing(0),
    codes.PLACE_SECOND: Placing(1),
    codes.PUT: Putting(),
    codes.STEP: Step(),
    codes.SAIL: Sailing(),
    codes.SINK: Sinking(),
    codes.PICK: Picking(),
    codes.FETCH: Fetching(),
    codes.END: Ending(),
    codes.DEFEND: Defending(),
    codes.MOVE: CreatureMove(),
    codes.SHIP_TO: ShipMove(),
    codes.SWIM: SwimByTile(),
    codes.CHANGE: WardChange(),
    codes.LAY: Outcome(components.TERRAIN_NAMES),
    codes.BACK: Outcome(components.BACK_NAMES),
    codes.DIE: Outcome(components.FACE_NAMES),
    codes.SECOND_DIE: Outcome(components.SECOND_DIE_NAMES),
}


def format_outcome(a: int) -> str:
    family, number, _ = codes.decode_action(a)
    outcome = FAMILIES[int(family)]
    assert isinstance(outcome, Outcome)
    return outcome.names[number]


def format_own_explorer(s: SurvivePosition, i: i64) -> str:
    """The name of the actor's explorer; invalid numbers are written with a # and never parse."""
    return (
        piece_positions.explorer_name(int(piece_positions.nth_explorer_of_seat(s, s.actor, i)))
        if i < piece_positions.explorers_per_seat(s)
        else f"#{int(i)}"
    )


def format_ship_space(s: SurvivePosition, ship: i64) -> str:
    at = s.ship_space[ship]
    return board.NAMES[at] if at >= 0 else f"#{int(ship)}"


def format_creature_space(s: SurvivePosition, c: i64) -> str:
    at = s.creature_space[c]
    if at < 0:
        return f"#{int(c)}"
    nth = 1
    for other in range(components.FIRST[components.KIND_OF[c]], c):
        nth += s.creature_space[other] == at
    return board.NAMES[at] if nth == 1 else f"{board.NAMES[at]}/{nth}"


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
    terrain = defence.lowest_terrain_held(s, s.actor, back) if chosen == components.SEA else chosen
    return components.TERRAIN_NAMES[terrain] if terrain != components.SEA else ""
