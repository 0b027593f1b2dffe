"""The numbering of actions and chance outcomes, the same for all options and player counts.

An action names what is chosen, not when. The int for "this creature to that space" serves hand tile and die alike,
because the position determines which of them applies. Explorers in STEP and SWIM are the actor's own, 0 to 19.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from landfall.games.survive.rules import board, components

# A family is identified by its first int.
PLACE: Final[i64] = 0  # + slot * VALUES + value - 1
PLACE_SECOND: Final[i64] = 240  # the same with the second colour (SV.V1)
PUT: Final[i64] = 480  # + space: a ship at set-up, a squid
STEP: Final[i64] = 613  # + own explorer * WAYS_TO_STEP + how
SAIL: Final[i64] = 1033  # + ship * SIDES + direction
SINK: Final[i64] = 1105  # + slot
PICK: Final[i64] = 1145  # + explorer: who boards, which ward, which prey
FETCH: Final[i64] = 1205  # + ship
END: Final[i64] = 1217  # end the step, pass, move nothing
DEFEND: Final[i64] = 1218
MOVE: Final[i64] = 1219  # + creature * SPACES + space
SHIP_TO: Final[i64] = 4544  # + ship * SPACES + space: by wind, by the dice
SWIM: Final[i64] = 6140  # + own explorer * SPACES + space: by a dolphin tile
CHANGE: Final[i64] = 8800  # + dolphin * EXPLORERS + explorer: another ward
# SV.R8: MOVE by a hand tile, SWIM and DEFEND play the tile of the lowest terrain held; these play a higher one.
SEND_FOREST: Final[i64] = 9040  # + creature * SPACES + space
SWIM_FOREST: Final[i64] = 12365  # + own explorer * SPACES + space
DEFEND_HIGHER: Final[i64] = 15025  # + terrain - 1
NUM_ACTIONS: Final[i64] = 15027

# The `how` of STEP: a direction alone, a direction added to one of the first two, or one of the others.
WAYS_TO_STEP: Final[i64] = 21
ONTO_SHIP: Final[i64] = 6  # + direction
WITH_DOLPHIN: Final[i64] = 12  # + direction
DIVE: Final[i64] = 18
BOARD: Final[i64] = 19
LAND: Final[i64] = 20

# Chance outcomes.
LAY: Final[i64] = 15027  # + terrain
BACK: Final[i64] = 15030  # + back
DIE: Final[i64] = 15042  # + face, of the creature die and the first dive die
SECOND_DIE: Final[i64] = 15048  # + face of the second dive die
NUM_OUTCOMES: Final[i64] = 25

ARGUMENT_SIZES: Final = {
    "slot": int(board.SLOTS),
    "value": int(components.VALUES),
    "space": int(board.SPACES),
    "own_explorer": 20,
    "how": int(WAYS_TO_STEP),
    "ship": int(components.SHIPS),
    "direction": int(board.SIDES),
    "explorer": int(components.EXPLORERS),
    "creature": int(components.CREATURES),
    "dolphin": int(components.DOLPHINS),
}


class Family:
    """A family of actions: its first int and what its arguments are, the last of them counting fastest."""

    def __init__(self, code: int, *arguments: str) -> None:
        self.code = code
        self.arguments = arguments
        self.sizes = [ARGUMENT_SIZES[one] for one in arguments]


ACTION_FAMILIES: Final = (
    Family(PLACE, "slot", "value"),
    Family(PLACE_SECOND, "slot", "value"),
    Family(PUT, "space"),
    Family(STEP, "own_explorer", "how"),
    Family(SAIL, "ship", "direction"),
    Family(SINK, "slot"),
    Family(PICK, "explorer"),
    Family(FETCH, "ship"),
    Family(END),
    Family(DEFEND),
    Family(MOVE, "creature", "space"),
    Family(SHIP_TO, "ship", "space"),
    Family(SWIM, "own_explorer", "space"),
    Family(CHANGE, "dolphin", "explorer"),
)


def decode_action(a: i64) -> tuple[i64, i64, i64]:
    """The family of an action or outcome and its two arguments, in the order above; 0 for a missing one.

    An action that plays the tile of a higher terrain has the family of the action that plays the lowest.
    """
    if a < SAIL:
        if a >= STEP:
            return STEP, (a - STEP) // WAYS_TO_STEP, (a - STEP) % WAYS_TO_STEP
        if a >= PUT:
            return PUT, a - PUT, 0
        if a >= PLACE_SECOND:
            return PLACE_SECOND, (a - PLACE_SECOND) // components.VALUES, (a - PLACE_SECOND) % components.VALUES
        return PLACE, a // components.VALUES, a % components.VALUES
    if a < MOVE:
        return decode_short_action(a)
    if a < SHIP_TO:
        return MOVE, (a - MOVE) // board.SPACES, (a - MOVE) % board.SPACES
    if a < SWIM:
        return SHIP_TO, (a - SHIP_TO) // board.SPACES, (a - SHIP_TO) % board.SPACES
    if a < CHANGE:
        return SWIM, (a - SWIM) // board.SPACES, (a - SWIM) % board.SPACES
    if a < SEND_FOREST:
        return CHANGE, (a - CHANGE) // components.EXPLORERS, (a - CHANGE) % components.EXPLORERS
    if a < SWIM_FOREST:
        return MOVE, (a - SEND_FOREST) // board.SPACES, (a - SEND_FOREST) % board.SPACES
    if a < DEFEND_HIGHER:
        return SWIM, (a - SWIM_FOREST) // board.SPACES, (a - SWIM_FOREST) % board.SPACES
    if a < NUM_ACTIONS:
        return DEFEND, 0, 0
    return decode_outcome(a)


def plays_higher_terrain(a: i64) -> bool:
    """Whether the action chooses a hand tile of a higher terrain than the lowest held (SV.R8)."""
    return SEND_FOREST <= a < NUM_ACTIONS


def higher_terrain_played(a: i64) -> components.Terrain:
    """The terrain that such an action chooses; SEA if it leaves it at the lowest."""
    if a < SEND_FOREST or a >= NUM_ACTIONS:
        return components.SEA
    return components.FOREST if a < DEFEND_HIGHER else components.Terrain(a - DEFEND_HIGHER + 1)


def decode_short_action(a: i64) -> tuple[i64, i64, i64]:
    """The same for the families from SAIL to DEFEND."""
    if a < SINK:
        return SAIL, (a - SAIL) // board.SIDES, (a - SAIL) % board.SIDES
    if a < PICK:
        return SINK, a - SINK, 0
    if a < FETCH:
        return PICK, a - PICK, 0
    if a < END:
        return FETCH, a - FETCH, 0
    return a, 0, 0


def decode_outcome(a: i64) -> tuple[i64, i64, i64]:
    """The same for chance outcomes."""
    if a < BACK:
        return LAY, a - LAY, 0
    if a < DIE:
        return BACK, a - BACK, 0
    if a < SECOND_DIE:
        return DIE, a - DIE, 0
    return SECOND_DIE, a - SECOND_DIE, 0
