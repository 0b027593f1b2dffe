# interpreted
"""The section `now:` of a position string: the question, the actor, and the state of the turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from landfall.core.errors import PositionError
from landfall.core.state import CHANCE, OVER
from landfall.games.survive.presentation import position_word_parsers
from landfall.games.survive.rules import board, components, phases
from landfall.games.survive.rules.position import SurvivePosition

if TYPE_CHECKING:
    from collections.abc import Callable

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
USUAL_POINTS: Final = {
    phases.PHASE_NAMES[phases.MOVING]: int(components.MOVEMENT_POINTS),
    phases.PHASE_NAMES[phases.MINI]: 1,
}
BY_CHANCE: Final = phases.PHASE_NAMES[: phases.PLACING]
MOMENT_PATTERN: Final = (
    "expected step=die turn=red asked=blue mini=blue round=3 points=2 sunk=D5/b die=shark far=2 by=shark1 prey=aboard "
    "next=1 touched=D5,E6 quiet=2 counts=1 stirred=1"
)

# --- writing ----------------------------------------------------------------------------------------------------


def format_turn_state(s: SurvivePosition) -> list[str]:
    """The phase, then every value that differs from its default."""
    phase, step = phases.PHASE_NAMES[s.phase], phases.STEP_NAMES[s.step]
    words = [phase]
    if step != USUAL_STEP[phase]:
        words.append(f"step={step}")
    words.append(f"turn={components.COLOUR_NAMES[s.turn]}")
    if s.actor >= 0 and s.actor != s.turn:
        words.append(f"asked={components.COLOUR_NAMES[s.actor]}")
    if s.mini_seat >= 0:
        words.append(f"mini={components.COLOUR_NAMES[s.mini_seat]}")
    if s.turns[0] > 0:
        words.append(f"round={int(s.turns[0])}")
    if s.points != USUAL_POINTS.get(phase, 0):
        words.append(f"points={int(s.points)}")
    if s.tile_space >= 0:
        words.append(f"sunk={board.NAMES[s.tile_space]}/{position_word_parsers.GROUND[s.tile_terrain]}")
    if s.face >= 0:
        words.append(f"die={components.FACE_NAMES[s.face]}")
    if s.far > 0:
        words.append(f"far={components.SECOND_DIE_NAMES[s.far - 1]}")
    if s.creature >= 0:
        kind = int(components.KIND_OF[s.creature])
        words.append(f"by={components.KIND_NAMES[kind]}{int(s.creature - components.FIRST[kind]) + 1}")
    if s.prey_aboard:
        words.append("prey=aboard")
    if s.touched >= 0:
        too = f",{board.NAMES[s.touched_too]}" if s.touched_too >= 0 else ""
        words.append(f"touched={board.NAMES[s.touched]}{too}")
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
    if phase not in phases.PHASE_NAMES:
        raise PositionError(shown, f"the moments are {', '.join(phases.PHASE_NAMES)}")
    s.phase = phases.Phase(phases.PHASE_NAMES.index(phase))
    s.step = phases.Step(phases.STEP_NAMES.index(USUAL_STEP[phase]))
    s.points = USUAL_POINTS.get(phase, 0)
    asked = int(components.NONE)
    for word in words:
        name, _, value = word.lower().partition("=")
        if name == "turn":
            s.turn = position_word_parsers.parse_seat(s, value, word)
        elif name == "asked":
            asked = position_word_parsers.parse_seat(s, value, word)
        elif name in MOMENT_READERS:
            MOMENT_READERS[name](s, value, word)
        else:
            raise PositionError(word, MOMENT_PATTERN)
    s.actor = CHANCE if phase in BY_CHANCE else OVER if s.phase == phases.ENDED else asked if asked >= 0 else s.turn
    for seat in range(s.players):
        s.turns[seat] = usual_turn_count(s, seat)


def parse_step_word(s: SurvivePosition, value: str, word: str) -> None:
    s.step = phases.Step(position_word_parsers.parse_one_of(phases.STEP_NAMES, value, word))


def parse_mini_seat_word(s: SurvivePosition, value: str, word: str) -> None:
    s.mini_seat = position_word_parsers.parse_seat(s, value, word)


def parse_round_word(s: SurvivePosition, value: str, word: str) -> None:
    s.turns[0] = position_word_parsers.parse_bounded_number(word, value, 1 << 40)


def parse_movement_points_word(s: SurvivePosition, value: str, word: str) -> None:
    s.points = position_word_parsers.parse_bounded_number(word, value, int(components.MOVEMENT_POINTS))


def parse_sunk_tile_word(s: SurvivePosition, value: str, word: str) -> None:
    space, _, letter = value.partition("/")
    s.tile_space = position_word_parsers.parse_space(space, word)
    s.tile_terrain = components.Terrain(
        position_word_parsers.parse_one_of(tuple(position_word_parsers.GROUND), letter, word)
    )


def parse_die_word(s: SurvivePosition, value: str, word: str) -> None:
    s.face = components.Face(position_word_parsers.parse_one_of(components.FACE_NAMES, value, word))


def parse_distance_die_word(s: SurvivePosition, value: str, word: str) -> None:
    s.far = position_word_parsers.parse_one_of(components.SECOND_DIE_NAMES, value.upper(), word) + 1


def parse_attacking_creature_word(s: SurvivePosition, value: str, word: str) -> None:
    kind = position_word_parsers.parse_one_of(components.KIND_NAMES, value.rstrip("0123456789"), word)
    nth = position_word_parsers.parse_bounded_number(
        word, value[len(components.KIND_NAMES[kind]) :], components.SUPPLY[kind]
    )
    if nth == 0:
        raise PositionError(word, f"{position_word_parsers.GROUPS[kind]} are counted from 1")
    s.creature = int(components.FIRST[kind]) + nth - 1


def parse_prey_word(s: SurvivePosition, value: str, word: str) -> None:
    s.prey_aboard = position_word_parsers.parse_one_of(("", "aboard"), value, word)


def parse_touched_spaces_word(s: SurvivePosition, value: str, word: str) -> None:
    first, comma, second = value.partition(",")
    s.touched = position_word_parsers.parse_space(first, word)
    if comma:
        s.touched_too = position_word_parsers.parse_space(second, word)


def parse_next_asked_word(s: SurvivePosition, value: str, word: str) -> None:
    s.ask_next = position_word_parsers.parse_bounded_number(word, value, int(components.COLOURS))


def parse_quiet_rounds_word(s: SurvivePosition, value: str, word: str) -> None:
    s.quiet_rounds = position_word_parsers.parse_bounded_number(word, value, 10)


def parse_round_counts_word(s: SurvivePosition, value: str, word: str) -> None:
    s.round_counts = position_word_parsers.parse_bounded_number(word, value, 1)


def parse_stirred_word(s: SurvivePosition, value: str, word: str) -> None:
    s.stirred = position_word_parsers.parse_bounded_number(word, value, 1)


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
