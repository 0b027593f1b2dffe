"""Puzzles to solve: the seat's view, the result of a try, hints in three steps, and the solution."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypedDict

from landfall import paths
from landfall.core import puzzle as puzzles
from landfall.core.puzzle import ChoiceCase, ChoicePlaces, Facts, Puzzle
from landfall.games import game as find_game
from landfall.games import game_module
from landfall.match import visible_events
from landfall.tables.protocol.errors import Refused
from landfall.tables.protocol.projections import grouped_choices_of_seat
from landfall.tables.teaching.hints import strongest_reasons

if TYPE_CHECKING:
    from landfall.core.message_types import BasePreview, GameEvent, View
    from landfall.core.state import State
    from landfall.tables.protocol.server_messages import Choices, Reason

HINT_STEPS: Final = 3
CARD_SIZE: Final = (300, 190)  # of a picture in the list, in units of the board
LARGE_SIZE: Final = (560, 300)
MAX_SHIFT: Final = 60  # by which a picture's middle is off the solution, which it must not give away


class PuzzleListing(TypedDict):
    """A puzzle in a list. `puzzle.goal.GOAL`, filled with the facts, is its goal."""

    id: str
    number: int
    theme: str
    fish: str
    seat: int
    colour: str
    goal: str
    facts: Facts
    sets: list[str]


class PuzzleSetup(PuzzleListing):
    """A puzzle to solve: the seat's view and choices."""

    game: str
    players: int
    view: View
    choices: list[Choices]
    preview: BasePreview


class PuzzlePicture(TypedDict):
    """A part of the position as its seat sees it."""

    svg: str


class AttemptResult(TypedDict):
    """The result of a try: whether it is the solution, the immediate events, a sentence about it, what it does, and the
    places where that is said."""

    right: bool
    events: list[GameEvent]
    view: View
    key: str
    args: dict[str, Any]
    why: list[Reason]
    places: list[str]


class PuzzleStep(TypedDict):
    """A hint: a sentence, and what it points at."""

    key: str
    args: dict[str, Any]
    places: list[str]


class PuzzleSolution(TypedDict):
    """The solution, the reasons, and the confidence."""

    action: int
    places: list[str]  # where it leads
    chance: int  # win probability in percent
    margin: int  # how many percent lower the next best choice is
    next: int  # the next best action
    why: list[Reason]


@cache
def load_puzzles_by_id(game: str) -> dict[str, Puzzle]:
    """A game's puzzles by id, in the order of their numbers."""
    find_game(game)
    found = puzzles.load_puzzles(paths.puzzles_file(game))
    return {one.id: one for one in sorted(found, key=lambda one: one.number)}


def get_puzzle_and_position(game: str, name: str) -> tuple[Puzzle, State]:
    """A puzzle, and its position."""
    one = load_puzzles_by_id(game).get(name)
    if one is None:
        raise Refused("no_puzzle")
    return one, one.to_state(find_game(game))


def list_puzzles(game: str) -> list[PuzzleListing]:
    """All puzzles of a game."""
    return [describe_puzzle(game, one) for one in load_puzzles_by_id(game).values()]


def describe_puzzle(game: str, one: Puzzle) -> PuzzleListing:
    """A puzzle as the list shows it."""
    return {
        "id": one.id,
        "number": one.number,
        "theme": one.theme,
        "fish": one.fish,
        "seat": one.seat,
        "colour": find_game(game).colours[one.seat],
        "goal": one.goal,
        "facts": one.facts,
        "sets": list(one.sets),
    }


def describe_puzzle_setup(game: str, name: str) -> PuzzleSetup:
    """A puzzle with its view and choices."""
    one, state = get_puzzle_and_position(game, name)
    return {
        **describe_puzzle(game, one),
        "game": game,
        "players": int(state.players),
        "view": state.view(one.seat),
        "choices": grouped_choices_of_seat(state, one.seat),
        "preview": state.preview(one.seat),
    }


def draw_puzzle_picture(game: str, name: str, large: bool = False) -> PuzzlePicture:
    """The part of the position where it happens, never with the solution in the middle."""
    one, state = get_puzzle_and_position(game, name)
    case = ChoiceCase(state, one.seat, state.parse(one.solution))
    seed = int(one.id, 16)
    shift = float(seed % (2 * MAX_SHIFT) - MAX_SHIFT), float(seed // 999 % MAX_SHIFT - MAX_SHIFT / 2)
    places = places_of_choice(game, case).places_on_board
    places = places or game_module(game, "puzzle_themes").places_shown_for_hand_choice(case)
    picture = game_module(game, "picture")
    return {"svg": picture.render_crop_around_places(case.view, places, LARGE_SIZE if large else CARD_SIZE, shift)}


def places_of_choice(game: str, case: ChoiceCase) -> ChoicePlaces:
    """What a choice is made with, and where it leads."""
    found: ChoicePlaces = game_module(game, "puzzle_themes").choice_places(case)
    return found


def try_puzzle_choice(game: str, name: str, action: int) -> AttemptResult:
    """Apply a choice and assess it; chance is not resolved."""
    one, state = get_puzzle_and_position(game, name)
    rule = state.why_illegal(action, one.seat)
    if rule is not None:
        raise Refused("illegal", rule)
    case = ChoiceCase(state, one.seat, action)
    right = state.notation(action) == one.solution
    key, args = ("puzzle.right", dict[str, Any]()) if right else explain_wrong_choice(case)
    return {
        "right": right,
        "events": visible_events(case.position_after, one.seat, numbered=False),
        "view": case.view_after,
        "key": key,
        "args": args,
        "why": strongest_reasons(game, case)[:1],
        "places": places_of_choice(game, case).end,
    }


def explain_wrong_choice(case: ChoiceCase) -> tuple[str, dict[str, Any]]:
    """What a wrong choice lacks: it costs own pieces, or misses the goal, which only the solution reaches."""
    lost, _ = case.state.immediate_losses(case.action)
    return ("puzzle.costs", {"n": len(lost)}) if lost else ("puzzle.less", {})


def get_puzzle_hint(game: str, name: str, step: int) -> PuzzleStep:
    """A hint by number from 1: where to look, what to choose, where it leads and what it gains."""
    one, state = get_puzzle_and_position(game, name)
    case = ChoiceCase(state, one.seat, state.parse(one.solution))
    places = places_of_choice(game, case)
    if step == 1:
        return {"key": f"puzzle.look.{one.theme}", "args": {}, "places": places.begin}
    if step == 2:
        return {"key": "puzzle.begins", "args": {}, "places": places.begin}
    why = strongest_reasons(game, case)
    reason: Reason = why[0] if why else {"key": "puzzle.wins", "args": {"n": to_whole_percent(one.margin)}}
    return {"key": reason["key"], "args": reason["args"], "places": places.end}


def get_puzzle_solution(game: str, name: str) -> PuzzleSolution:
    """The best choice, and the reasons."""
    one, state = get_puzzle_and_position(game, name)
    action = state.parse(one.solution)
    case = ChoiceCase(state, one.seat, action)
    return {
        "action": action,
        "places": places_of_choice(game, case).end,
        "chance": to_whole_percent(one.chance),
        "margin": to_whole_percent(one.margin),
        "next": state.parse(one.next_best),
        "why": strongest_reasons(game, case),
    }


def find_rule_forbidding_try(game: str, name: str, piece: str, place: str, text: str | None) -> str | None:
    """The rule that forbids a click, or a choice in notation."""
    one, state = get_puzzle_and_position(game, name)
    if text is None:
        return state.why_cannot_move(one.seat, piece, place)
    try:
        return state.why_illegal(state.parse(text), one.seat)
    except Exception:
        raise Refused("notation", text=text, reason=text) from None


def to_whole_percent(share: float) -> int:
    """Whole percent, at least one."""
    return max(1, round(100 * share))
