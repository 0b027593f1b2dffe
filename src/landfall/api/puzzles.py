"""Endpoints about puzzles: one laid out, a try, hints in steps, the solution. Nobody need say who they are."""

from __future__ import annotations

from typing import Annotated, Any

from landfall.api.types import Explanation, GameName, PuzzleId, TouchBody, TryBody
from landfall.tables.live.hub import Hub
from landfall.tables.protocol.commands import Bounds
from landfall.tables.teaching import puzzle_difficulty, puzzles

HintStep = Annotated[int, Bounds(1, puzzles.HINT_STEPS)]


def list_puzzles(game: GameName) -> object:
    """The puzzles of a game, by number: an order that has no meaning."""
    return puzzles.list_puzzles(game)


async def get_puzzle_setup(hub: Hub, game: GameName, puzzle: PuzzleId) -> dict[str, Any]:
    """A puzzle as its seat sees it, and how hard it is for people, if enough tried it."""
    setup = puzzles.describe_puzzle_setup(game, puzzle)
    stats = await hub.store.get_puzzle_stats(f"{game}/{puzzle}")
    if stats is None or stats[0] < puzzle_difficulty.MIN_RATED_TRIES:
        return {**setup, "tenths": None, "rating": None}
    return {**setup, "tenths": round(10 * stats[1] / stats[0]), "rating": round(stats[2], 2)}


def draw_small_puzzle_picture(game: GameName, puzzle: PuzzleId) -> object:
    """A picture of where it happens, for a list."""
    return puzzles.draw_puzzle_picture(game, puzzle)


def draw_large_puzzle_picture(game: GameName, puzzle: PuzzleId) -> object:
    """The same of a larger part."""
    return puzzles.draw_puzzle_picture(game, puzzle, large=True)


def try_puzzle(game: GameName, puzzle: PuzzleId, body: TryBody) -> puzzles.AttemptResult:
    """What happens at once, and whether it is the solution."""
    return puzzles.try_puzzle_choice(game, puzzle, body.action)


def find_rule_forbidding_try(game: GameName, puzzle: PuzzleId, body: TouchBody) -> Explanation:
    """Which rule forbids a touch."""
    return Explanation(puzzles.find_rule_forbidding_try(game, puzzle, body.piece, body.place, body.text))


def get_puzzle_hint(game: GameName, puzzle: PuzzleId, step: HintStep = 1) -> object:
    """Where to look; what to choose; where it leads, and what is gained."""
    return puzzles.get_puzzle_hint(game, puzzle, step)


def get_puzzle_solution(game: GameName, puzzle: PuzzleId) -> object:
    """What is best, and why."""
    return puzzles.get_puzzle_solution(game, puzzle)
