"""Puzzles to solve: the seat's view, the result of a try, hints in three steps, and the solution."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypedDict

from landfall import paths
from landfall.core import puzzle as puzzles
from landfall.core.puzzle import ChoiceCase, Puzzle
from landfall.games import game as find_game
from landfall.match import visible_events
from landfall.tables.protocol.errors import Refused
from landfall.tables.protocol.projections import group_choices
from landfall.tables.teaching.hints import top_reasons

if TYPE_CHECKING:
    from landfall.core.message_types import BasePreview, GameEvent, View
    from landfall.core.state import State
    from landfall.tables.protocol.server_messages import Choices, Reason

HINT_STEPS: Final = 3


class PuzzleListing(TypedDict):
    """A puzzle in a list."""

    id: str
    theme: str
    fish: str


class PuzzleSetup(TypedDict):
    """A puzzle to solve: the seat's view and choices."""

    id: str
    game: str
    theme: str
    fish: str
    seat: int
    players: int
    view: View
    choices: list[Choices]
    preview: BasePreview


class AttemptResult(TypedDict):
    """The result of a try: whether it is the solution, the immediate events, and a sentence about it."""

    right: bool
    events: list[GameEvent]
    view: View
    key: str
    args: dict[str, Any]


class PuzzleStep(TypedDict):
    """A hint: a sentence, or the part of the choice that it reveals."""

    key: str
    args: dict[str, Any]
    places: list[str]


class PuzzleSolution(TypedDict):
    """The solution, the reasons, and the confidence."""

    action: int
    chance: int  # win probability in percent
    margin: int  # how many percent lower the next best choice is
    next: int  # the next best action
    why: list[Reason]


@cache
def load_puzzles(game: str) -> dict[str, Puzzle]:
    """A game's puzzles by id, sorted by id, which is a random order."""
    find_game(game)
    found = puzzles.load_puzzles(paths.puzzles_file(game))
    return {one.id: one for one in sorted(found, key=lambda one: one.id)}


def find_puzzle(game: str, name: str) -> tuple[Puzzle, State]:
    """A puzzle, and its position."""
    one = load_puzzles(game).get(name)
    if one is None:
        raise Refused("no_puzzle")
    return one, one.state(find_game(game))


def list_puzzles(game: str) -> list[PuzzleListing]:
    """All puzzles of a game."""
    return [{"id": one.id, "theme": one.theme, "fish": one.fish} for one in load_puzzles(game).values()]


def set_up_puzzle(game: str, name: str) -> PuzzleSetup:
    """A puzzle with its view and choices."""
    one, state = find_puzzle(game, name)
    return {
        "id": one.id,
        "game": game,
        "theme": one.theme,
        "fish": one.fish,
        "seat": one.seat,
        "players": int(state.players),
        "view": state.view(one.seat),
        "choices": group_choices(state, one.seat),
        "preview": state.preview(one.seat),
    }


def try_choice(game: str, name: str, action: int) -> AttemptResult:
    """Apply a choice and assess it; chance is not resolved."""
    one, state = find_puzzle(game, name)
    rule = state.why_illegal(action, one.seat)
    if rule is not None:
        raise Refused("illegal", rule)
    text = state.notation(action)
    lost, _ = state.immediate_losses(action)
    after = state.copy()
    after.events = []
    after.apply(action)
    right = text == one.solution
    key, args = "puzzle.right", dict[str, Any]()
    if not right and text == one.next_best:
        key, args = "puzzle.next", {"n": to_percent(one.margin)}
    elif not right:
        key, args = ("puzzle.costs", {"n": len(lost)}) if lost else ("puzzle.less", {})
    return {
        "right": right,
        "events": visible_events(after, one.seat, numbered=False),
        "view": after.view(one.seat),
        "key": key,
        "args": args,
    }


def give_hint(game: str, name: str, step: int) -> PuzzleStep:
    """A hint by number from 1: where to look, how the choice begins, what it gains."""
    one, state = find_puzzle(game, name)
    case = ChoiceCase(state, one.seat, state.parse(one.solution))
    if step == 1:
        return {"key": f"puzzle.look.{one.theme}", "args": {}, "places": []}
    if step == 2:
        begins = str(case.choice.get("from", ""))
        key = "puzzle.begins" if begins else "puzzle.begins.off"
        return {"key": key, "args": {}, "places": [begins] if begins else []}
    why = top_reasons(game, case)
    if why:
        return {"key": why[0]["key"], "args": why[0]["args"], "places": []}
    return {"key": "puzzle.wins", "args": {"n": to_percent(one.margin)}, "places": []}


def show_solution(game: str, name: str) -> PuzzleSolution:
    """The best choice, and the reasons."""
    one, state = find_puzzle(game, name)
    action = state.parse(one.solution)
    return {
        "action": action,
        "chance": to_percent(one.chance),
        "margin": to_percent(one.margin),
        "next": state.parse(one.next_best),
        "why": top_reasons(game, ChoiceCase(state, one.seat, action)),
    }


def explain_refusal(game: str, name: str, piece: str, place: str, text: str | None) -> str | None:
    """The rule that forbids a click, or a choice in notation."""
    one, state = find_puzzle(game, name)
    if text is None:
        return state.why_cannot_move(one.seat, piece, place)
    try:
        return state.why_illegal(state.parse(text), one.seat)
    except Exception:
        raise Refused("notation", text=text, reason=text) from None


def to_percent(share: float) -> int:
    """Whole percent, at least one."""
    return max(1, round(100 * share))
