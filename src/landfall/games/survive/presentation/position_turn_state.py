# interpreted
"""The section `now:` of a position string: the question, the actor, and the state of the turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from landfall.core.errors import PositionError
from landfall.core.state import CHANCE, OVER
from landfall.games.survive.presentation.position_word_parsers import (
    GROUND,
    GROUPS,
    one_of,
    read_number,
    seat_of,
    space_of,
)
from landfall.games.survive.rules.board import NAMES
from landfall.games.survive.rules.components import (
    COLOUR_NAMES,
    COLOURS,
    FACE_NAMES,
    FAR_NAMES,
    FIRST,
    KIND_NAMES,
    KIND_OF,
    MOVEMENT_POINTS,
    NONE,
    SUPPLY,
    Face,
    Terrain,
)
from landfall.games.survive.rules.phases import ENDED, MINI, MOVING, PHASE_NAMES, PLACING, STEP_NAMES, Phase, Step

if TYPE_CHECKING:
    from collections.abc import Callable

    from landfall.games.survive.rules.position import SurvivePosition

# By phase: the step it belongs to and the points left, unless stated otherwise.
USUAL_STEP: Final = {
    "laying": "setup",
    "placing": "setup",
    "ships": "setup",
    "hand": "hand",
    "moving": "move",
    "ward": "move",
    "removing": "tile",
    "back": "tile",
    "boarding": "tile",
    "fetching": "tile",
    "squid": "tile",
    "ended": "tile",
    "mini": "mini",
    "rolling": "die",
    "rolling_far": "die",
    "creature": "die",
    "defending": "die",
    "prey": "die",
}
USUAL_POINTS: Final = {PHASE_NAMES[MOVING]: int(MOVEMENT_POINTS), PHASE_NAMES[MINI]: 1}
BY_CHANCE: Final = PHASE_NAMES[:PLACING]
MOMENT_PATTERN: Final = (
    "expected step=die turn=red asked=blue mini=blue round=3 points=2 sunk=D5/b die=shark far=2 by=shark1 prey=aboard "
    "next=1 touched=D5,E6 quiet=2 counts=1 stirred=1"
)

# --- writing ----------------------------------------------------------------------------------------------------


def format_moment(s: SurvivePosition) -> list[str]:
    """The phase, then every value that differs from its default."""
    phase, step = PHASE_NAMES[s.phase], STEP_NAMES[s.step]
    words = [phase]
    if step != USUAL_STEP[phase]:
        words.append(f"step={step}")
    words.append(f"turn={COLOUR_NAMES[s.turn]}")
    if s.actor >= 0 and s.actor != s.turn:
        words.append(f"asked={COLOUR_NAMES[s.actor]}")
    if s.mini_seat >= 0:
        words.append(f"mini={COLOUR_NAMES[s.mini_seat]}")
    if s.turns[0] > 0:
        words.append(f"round={int(s.turns[0])}")
    if s.points != USUAL_POINTS.get(phase, 0):
        words.append(f"points={int(s.points)}")
    if s.tile_space >= 0:
        words.append(f"sunk={NAMES[s.tile_space]}/{GROUND[s.tile_terrain]}")
    if s.face >= 0:
        words.append(f"die={FACE_NAMES[s.face]}")
    if s.far > 0:
        words.append(f"far={FAR_NAMES[s.far - 1]}")
    if s.creature >= 0:
        kind = int(KIND_OF[s.creature])
        words.append(f"by={KIND_NAMES[kind]}{int(s.creature - FIRST[kind]) + 1}")
    if s.prey_aboard:
        words.append("prey=aboard")
    if s.touched >= 0:
        too = f",{NAMES[s.touched_too]}" if s.touched_too >= 0 else ""
        words.append(f"touched={NAMES[s.touched]}{too}")
    numbers = (("next", s.ask_next), ("quiet", s.quiet_rounds), ("counts", s.round_counts), ("stirred", s.stirred))
    return words + [f"{name}={int(value)}" for name, value in numbers if value]


def usual_turns(s: SurvivePosition, seat: int) -> int:
    """The number of turns a seat has begun, if all took theirs in order since the first player's."""
    return max(0, int(s.turns[0]) - int(seat > s.turn))


# --- reading ----------------------------------------------------------------------------------------------------


def parse_moment(s: SurvivePosition, content: str) -> None:
    """The phase, then `name=value`."""
    shown, *words = content.split() or [""]
    phase = shown.lower()
    if phase not in PHASE_NAMES:
        raise PositionError(shown, f"the moments are {', '.join(PHASE_NAMES)}")
    s.phase = Phase(PHASE_NAMES.index(phase))
    s.step = Step(STEP_NAMES.index(USUAL_STEP[phase]))
    s.points = USUAL_POINTS.get(phase, 0)
    asked = int(NONE)
    for word in words:
        name, _, value = word.lower().partition("=")
        if name == "turn":
            s.turn = seat_of(s, value, word)
        elif name == "asked":
            asked = seat_of(s, value, word)
        elif name in MOMENT_READERS:
            MOMENT_READERS[name](s, value, word)
        else:
            raise PositionError(word, MOMENT_PATTERN)
    s.actor = CHANCE if phase in BY_CHANCE else OVER if s.phase == ENDED else asked if asked >= 0 else s.turn
    for seat in range(s.players):
        s.turns[seat] = usual_turns(s, seat)


def read_step(s: SurvivePosition, value: str, word: str) -> None:
    s.step = Step(one_of(STEP_NAMES, value, word))


def read_mini(s: SurvivePosition, value: str, word: str) -> None:
    s.mini_seat = seat_of(s, value, word)


def read_round(s: SurvivePosition, value: str, word: str) -> None:
    s.turns[0] = read_number(word, value, 1 << 40)


def read_points(s: SurvivePosition, value: str, word: str) -> None:
    s.points = read_number(word, value, int(MOVEMENT_POINTS))


def read_sunk(s: SurvivePosition, value: str, word: str) -> None:
    space, _, letter = value.partition("/")
    s.tile_space = space_of(space, word)
    s.tile_terrain = Terrain(one_of(tuple(GROUND), letter, word))


def read_die(s: SurvivePosition, value: str, word: str) -> None:
    s.face = Face(one_of(FACE_NAMES, value, word))


def read_far(s: SurvivePosition, value: str, word: str) -> None:
    s.far = one_of(FAR_NAMES, value.upper(), word) + 1


def read_by(s: SurvivePosition, value: str, word: str) -> None:
    kind = one_of(KIND_NAMES, value.rstrip("0123456789"), word)
    nth = read_number(word, value[len(KIND_NAMES[kind]) :], SUPPLY[kind])
    if nth == 0:
        raise PositionError(word, f"{GROUPS[kind]} are counted from 1")
    s.creature = int(FIRST[kind]) + nth - 1


def read_prey(s: SurvivePosition, value: str, word: str) -> None:
    s.prey_aboard = one_of(("", "aboard"), value, word)


def read_touched(s: SurvivePosition, value: str, word: str) -> None:
    first, comma, second = value.partition(",")
    s.touched = space_of(first, word)
    if comma:
        s.touched_too = space_of(second, word)


def read_next(s: SurvivePosition, value: str, word: str) -> None:
    s.ask_next = read_number(word, value, int(COLOURS))


def read_quiet(s: SurvivePosition, value: str, word: str) -> None:
    s.quiet_rounds = read_number(word, value, 10)


def read_counts(s: SurvivePosition, value: str, word: str) -> None:
    s.round_counts = read_number(word, value, 1)


def read_stirred(s: SurvivePosition, value: str, word: str) -> None:
    s.stirred = read_number(word, value, 1)


MOMENT_READERS: Final[dict[str, Callable[[SurvivePosition, str, str], None]]] = {
    "step": read_step,
    "mini": read_mini,
    "round": read_round,
    "points": read_points,
    "sunk": read_sunk,
    "die": read_die,
    "far": read_far,
    "by": read_by,
    "prey": read_prey,
    "touched": read_touched,
    "next": read_next,
    "quiet": read_quiet,
    "counts": read_counts,
    "stirred": read_stirred,
}
