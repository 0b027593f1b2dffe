# interpreted
"""The section `now:` of a position string: the question, the actor, and the state of the turn."""

from __future__ import annotations

from typing import Final

from landfall.core.errors import PositionError
from landfall.core.position_words import (
    Word,
    choice_word,
    format_words,
    number_word,
    parse_bounded_number,
    parse_one_of,
    parse_words,
)
from landfall.core.state import CHANCE, OVER
from landfall.games.survive.presentation import position_word_parsers
from landfall.games.survive.rules import board, components, phases
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
USUAL_POINTS: Final = {
    phases.PHASE_NAMES[phases.MOVING]: int(components.MOVEMENT_POINTS),
    phases.PHASE_NAMES[phases.MINI]: 1,
}
BY_CHANCE: Final = phases.PHASE_NAMES[: phases.PLACING]
MOMENT_PATTERN: Final = (
    "expected step=die turn=red asked=blue mini=blue round=3 points=2 sunk=D5/b die=shark far=2 by=shark1 prey=aboard "
    "next=1 touched=D5,E6 quiet=2 counts=1 stirred=1"
)


def colours(s: SurvivePosition) -> tuple[str, ...]:
    return components.COLOUR_NAMES[: s.players]


def is_usual_step(s: SurvivePosition) -> bool:
    return phases.STEP_NAMES[s.step] == USUAL_STEP[phases.PHASE_NAMES[s.phase]]


def has_usual_points(s: SurvivePosition) -> bool:
    return s.points == USUAL_POINTS.get(phases.PHASE_NAMES[s.phase], 0)


def read_round(s: SurvivePosition, value: str, word: str) -> None:
    s.turns[0] = parse_bounded_number(word, value, 1 << 40)


def format_sunk_tile(s: SurvivePosition) -> str:
    return f"{board.NAMES[s.tile_space]}/{position_word_parsers.GROUND[s.tile_terrain]}"


def read_sunk_tile(s: SurvivePosition, value: str, word: str) -> None:
    space, _, letter = value.partition("/")
    s.tile_space = position_word_parsers.parse_space(space, word)
    s.tile_terrain = components.Terrain(parse_one_of(position_word_parsers.GROUND, letter, word))


def format_attacker(s: SurvivePosition) -> str:
    kind = int(components.KIND_OF[s.creature])
    return f"{components.KIND_NAMES[kind]}{int(s.creature - components.FIRST[kind]) + 1}"


def read_attacker(s: SurvivePosition, value: str, word: str) -> None:
    kind = parse_one_of(components.KIND_NAMES, value.rstrip("0123456789"), word)
    nth = parse_bounded_number(word, value[len(components.KIND_NAMES[kind]) :], components.SUPPLY[kind])
    if nth == 0:
        raise PositionError(word, f"{position_word_parsers.GROUPS[kind]} are counted from 1")
    s.creature = int(components.FIRST[kind]) + nth - 1


def format_touched_spaces(s: SurvivePosition) -> str:
    return ",".join(board.NAMES[space] for space in (s.touched, s.touched_too) if space >= 0)


def read_touched_spaces(s: SurvivePosition, value: str, word: str) -> None:
    first, comma, second = value.partition(",")
    s.touched = position_word_parsers.parse_space(first, word)
    if comma:
        s.touched_too = position_word_parsers.parse_space(second, word)


WORDS: Final = (
    choice_word("step", "step", phases.STEP_NAMES, is_usual_step),
    choice_word("turn", "turn", colours, lambda s: False),
    choice_word("asked", "actor", colours, lambda s: s.actor < 0 or s.actor == s.turn),
    choice_word("mini", "mini_seat", colours, lambda s: s.mini_seat < 0),
    Word("round", lambda s: s.turns[0] == 0, lambda s: str(int(s.turns[0])), read_round),
    number_word("points", "points", int(components.MOVEMENT_POINTS), has_usual_points),
    Word("sunk", lambda s: s.tile_space < 0, format_sunk_tile, read_sunk_tile),
    choice_word("die", "face", components.FACE_NAMES, lambda s: s.face < 0),
    choice_word("far", "far", components.SECOND_DIE_NAMES, lambda s: s.far == 0, first=1),
    Word("by", lambda s: s.creature < 0, format_attacker, read_attacker),
    choice_word("prey", "prey_aboard", ("", "aboard")),
    Word("touched", lambda s: s.touched < 0, format_touched_spaces, read_touched_spaces),
    number_word("next", "ask_next", int(components.COLOURS)),
    number_word("quiet", "quiet_rounds", 10),
    number_word("counts", "round_counts", 1),
    number_word("stirred", "stirred", 1),
)


def format_turn_state(s: SurvivePosition) -> list[str]:
    """The phase, then every value that differs from its default."""
    return [phases.PHASE_NAMES[s.phase], *format_words(WORDS, s)]


def usual_turn_count(s: SurvivePosition, seat: int) -> int:
    """The number of turns a seat has begun, if all took theirs in order since the first player's."""
    return max(0, int(s.turns[0]) - int(seat > s.turn))


def parse_turn_state(s: SurvivePosition, content: str) -> None:
    """The phase, then `name=value`."""
    shown, *words = content.split() or [""]
    phase = shown.lower()
    if phase not in phases.PHASE_NAMES:
        raise PositionError(shown, f"the moments are {', '.join(phases.PHASE_NAMES)}")
    s.phase = phases.Phase(phases.PHASE_NAMES.index(phase))
    s.step = phases.Step(phases.STEP_NAMES.index(USUAL_STEP[phase]))
    s.points = USUAL_POINTS.get(phase, 0)
    s.actor = CHANCE
    parse_words(WORDS, s, words, MOMENT_PATTERN)
    if phase in BY_CHANCE:
        s.actor = CHANCE
    elif s.phase == phases.ENDED:
        s.actor = OVER
    elif s.actor < 0:
        s.actor = s.turn
    for seat in range(s.players):
        s.turns[seat] = usual_turn_count(s, seat)
