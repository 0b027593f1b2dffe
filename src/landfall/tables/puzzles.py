"""Puzzles laid out to be solved: what their seat sees, what comes of a try, hints in three steps, and the solution."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypedDict

from landfall import paths
from landfall.core import puzzle as puzzles
from landfall.core.puzzle import Case, Puzzle
from landfall.games import game as find_game
from landfall.match import told
from landfall.tables.errors import Refused
from landfall.tables.hints import reasons
from landfall.tables.visibility import grouped_of

if TYPE_CHECKING:
    from landfall.core.messages import GameEvent, Outlook, View
    from landfall.core.state import State
    from landfall.tables.news import Choices, Reason

STEPS: Final = 3  # of hints


class Listed(TypedDict):
    """A puzzle in a list."""

    id: str
    theme: str
    fish: str


class Laid(TypedDict):
    """A puzzle to be solved: what its seat sees and may choose."""

    id: str
    game: str
    theme: str
    fish: str
    seat: int
    players: int
    view: View
    choices: list[Choices]
    preview: Outlook


class Tried(TypedDict):
    """What comes of a try: whether it is the solution, what happens at once, and one sentence about it."""

    right: bool
    events: list[GameEvent]
    view: View
    key: str
    args: dict[str, Any]


class Step(TypedDict):
    """A hint: a sentence, or the part of the choice that it tells."""

    key: str
    args: dict[str, Any]
    places: list[str]


class Solved(TypedDict):
    """The solution, why, and how sure that is."""

    action: int
    chance: int  # to win, in per cent
    margin: int  # how many per cent less the next best gives
    next: int  # the action that is next best
    why: list[Reason]


@cache
def of_game(game: str) -> dict[str, Puzzle]:
    """A game's puzzles by their ids, in the order of these: chance's own."""
    find_game(game)
    found = puzzles.read(paths.puzzles_file(game))
    return {one.id: one for one in sorted(found, key=lambda one: one.id)}


def find(game: str, name: str) -> tuple[Puzzle, State]:
    """A puzzle, and its position."""
    one = of_game(game).get(name)
    if one is None:
        raise Refused("no_puzzle")
    return one, one.state(find_game(game))


def listed(game: str) -> list[Listed]:
    """All of a game."""
    return [{"id": one.id, "theme": one.theme, "fish": one.fish} for one in of_game(game).values()]


def laid(game: str, name: str) -> Laid:
    """A puzzle laid out."""
    one, state = find(game, name)
    return {
        "id": one.id,
        "game": game,
        "theme": one.theme,
        "fish": one.fish,
        "seat": one.seat,
        "players": int(state.players),
        "view": state.view(one.seat),
        "choices": grouped_of(state, one.seat),
        "preview": state.preview(one.seat),
    }


def tried(game: str, name: str, action: int) -> Tried:
    """Play a choice, and say what it is worth; chance is not asked."""
    one, state = find(game, name)
    rule = state.why_not(action, one.seat)
    if rule is not None:
        raise Refused("illegal", rule)
    text = state.notation(action)
    lost, _ = state.costs(action)
    after = state.copy()
    after.events = []
    after.apply(action)
    right = text == one.solution
    key, args = "puzzle.right", dict[str, Any]()
    if not right and text == one.next_best:
        key, args = "puzzle.next", {"n": percent(one.margin)}
    elif not right:
        key, args = ("puzzle.costs", {"n": len(lost)}) if lost else ("puzzle.less", {})
    return {
        "right": right,
        "events": told(after, one.seat, numbered=False),
        "view": after.view(one.seat),
        "key": key,
        "args": args,
    }


def hinted(game: str, name: str, step: int) -> Step:
    """The hint of that number, from 1 on: where to look, what it begins with, what is gained."""
    one, state = find(game, name)
    case = Case(state, one.seat, state.parse(one.solution))
    if step == 1:
        return {"key": f"puzzle.look.{one.theme}", "args": {}, "places": []}
    if step == 2:
        begins = str(case.choice.get("from", ""))
        key = "puzzle.begins" if begins else "puzzle.begins.off"
        return {"key": key, "args": {}, "places": [begins] if begins else []}
    why = reasons(game, case)
    if why:
        return {"key": why[0]["key"], "args": why[0]["args"], "places": []}
    return {"key": "puzzle.wins", "args": {"n": percent(one.margin)}, "places": []}


def solved(game: str, name: str) -> Solved:
    """What is best, and why."""
    one, state = find(game, name)
    action = state.parse(one.solution)
    return {
        "action": action,
        "chance": percent(one.chance),
        "margin": percent(one.margin),
        "next": state.parse(one.next_best),
        "why": reasons(game, Case(state, one.seat, action)),
    }


def why_not(game: str, name: str, piece: str, place: str, text: str | None) -> str | None:
    """Which rule forbids a touch, or what a text says."""
    one, state = find(game, name)
    if text is None:
        return state.explain(one.seat, piece, place)
    try:
        return state.why_not(state.parse(text), one.seat)
    except Exception:
        raise Refused("notation", text=text, reason=text) from None


def percent(share: float) -> int:
    """In whole per cent, at least one."""
    return max(1, round(100 * share))
