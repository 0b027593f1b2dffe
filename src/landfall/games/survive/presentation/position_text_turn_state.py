# interpreted
"""The section `now:` of a position string: the question, the actor, and the state of the turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from landfall.core.errors import PositionError
from landfall.core.state import CHANCE, OVER
from landfall.games.survive.presentation.position_word_parsers import (
    GROUND,
    GROUPS,
    parse_bounded_number,
    parse_one_of,
    parse_seat,
    parse_space,
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


def format_turn_state(s: SurvivePosition) -> list[str]:
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


def usual_turn_count(s: SurvivePosition, seat: int) -> int:
    """The number of turns a seat has begun, if all took theirs in order since the first player's."""
    return max(0, int(s.turns[0]) - int(seat > s.turn))


# --- reading ----------------------------------------------------------------------------------------------------


def parse_turn_state(s: SurvivePosition, content: str) -> None:
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
            s.turn = parse_seat(s, value, word)
        elif name == "asked":
            asked = parse_seat(s, value, word)
        elif name in MOMENT_READERS:
            MOMENT_READERS[name](s, value, word)
        else:
            raise PositionError(word, MOMENT_PATTERN)
    s.actor = CHANCE if phase in BY_CHANCE else OVER if s.phase == ENDED else asked if asked >= 0 else s.turn
    for seat in range(s.players):
        s.turns[seat] = usual_turn_count(s, seat)


def parse_step_word(s: SurvivePosition, value: str, word: str) -> None:
    s.step = Step(parse_one_of(STEP_NAMES, value, word))


def parse_mini_seat_word(s: SurvivePosition, value: str, word: str) -> None:
    s.mini_seat = parse_seat(s, value, word)


def parse_round_word(s: SurvivePosition, value: str, word: str) -> None:
    s.turns[0] = parse_bounded_number(word, value, 1 << 40)


def parse_movement_points_word(s: SurvivePosition, value: str, word: str) -> None:
    s.points = parse_bounded_number(word, value, int(MOVEMENT_POINTS))


def parse_sunk_tile_word(s: SurvivePosition, value: str, word: str) -> None:
    space, _, letter = value.partition("/")
    s.tile_space = parse_space(space, word)
    s.tile_terrain = Terrain(parse_one_of(tuple(GROUND), letter, word))


def parse_die_word(s: SurvivePosition, value: str, word: str) -> None:
    s.face = Face(parse_one_of(FACE_NAMES, value, word))


def parse_distance_die_word(s: SurvivePosition, value: str, word: str) -> None:
    s.far = parse_one_of(FAR_NAMES, value.upper(), word) + 1


def parse_attacking_creature_word(s: SurvivePosition, value: str, word: str) -> None:
    kind = parse_one_of(KIND_NAMES, value.rstrip("0123456789"), word)
    nth = parse_bounded_number(word, value[len(KIND_NAMES[kind]) :], SUPPLY[kind])
    if nth == 0:
        raise PositionError(word, f"{GROUPS[kind]} are counted from 1")
    s.creature = int(FIRST[kind]) + nth - 1


def parse_prey_word(s: SurvivePosition, value: str, word: str) -> None:
    s.prey_aboard = parse_one_of(("", "aboard"), value, word)


def parse_touched_spaces_word(s: SurvivePosition, value: str, word: str) -> None:
    first, comma, second = value.partition(",")
    s.touched = parse_space(first, word)
    if comma:
        s.touched_too = parse_space(second, word)


def parse_next_asked_word(s: SurvivePosition, value: str, word: str) -> None:
    s.ask_next = parse_bounded_number(word, value, int(COLOURS))


def parse_quiet_rounds_word(s: SurvivePosition, value: str, word: str) -> None:
    s.quiet_rounds = parse_bounded_number(word, value, 10)


def parse_round_counts_word(s: SurvivePosition, value: str, word: str) -> None:
    s.round_counts = parse_bounded_number(word, value, 1)


def parse_stirred_word(s: SurvivePosition, value: str, word: str) -> None:
    s.stirred = parse_bounded_number(word, value, 1)


MOMENT_READERS: Final[dict[str, Callable[[SurvivePosition, str, str], None]]] = {
    "step": parse_step_word,
    "mini": parse_mini_seat_word,
    "round": parse_round_word,
    "points": parse_movement_points_word,
    "sunk": parse_sunk_tile_word,
    "die": parse_die_word,
    "far": parse_distance_die_word,
    "by": parse_attacking_creature_word,
    "prey": parse_prey_word,
    "touched": parse_touched_spaces_word,
    "next": parse_next_asked_word,
    "quiet": parse_quiet_rounds_word,
    "counts": parse_round_counts_word,
    "stirred": parse_stirred_word,
}
