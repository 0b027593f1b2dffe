"""Endpoints about puzzles: one laid out, a try, hints in steps, the solution. Nobody need say who they are."""

from __future__ import annotations

from typing import Annotated, Any, Protocol

from landfall.api.limits import QUERY
from landfall.api.routes import Access, Route
from landfall.api.types import Caller, Explanation, GameName, PuzzleId, TouchBody, TryBody
from landfall.tables.protocol.commands import Bounds
from landfall.tables.teaching import puzzle_difficulty, puzzles

HintStep = Annotated[int, Bounds(1, puzzles.HINT_STEPS)]


class FirstTries(Protocol):
    """Counts who finds a puzzle's solution at the first try."""

    async def get_puzzle_stats(self, name: str) -> tuple[int, int, float, float] | None:
        """A puzzle's first tries, solutions and rating; None without tries."""

    async def count_first_try(self, name: str, fish: str, right: bool, origin: str) -> None:
        """A first try of somebody from there."""


@Route(
    "GET", "/api/puzzles/{game}", "The puzzles of a game", Access.OPEN, QUERY, cached=True, result="list[PuzzleListing]"
)
def list_puzzles(game: GameName) -> object:
    """All, by number: one a day, from the first to the last, and again."""
    return puzzles.list_puzzles(game)


@Route("GET", "/api/puzzles/{game}/{puzzle}", "A puzzle laid out", Access.OPEN, QUERY, result="PuzzleSetup")
async def get_puzzle_setup(first_tries: FirstTries | None, game: GameName, puzzle: PuzzleId) -> dict[str, Any]:
    """As its seat sees it; nobody knows more."""
    setup = puzzles.describe_puzzle_setup(game, puzzle)
    stats = await first_tries.get_puzzle_stats(f"{game}/{puzzle}") if first_tries is not None else None
    if stats is None or stats[0] < puzzle_difficulty.MIN_RATED_TRIES:
        return {**setup, "tenths": None, "rating": None}
    return {**setup, "tenths": round(10 * stats[1] / stats[0]), "rating": round(stats[2], 2)}


@Route(
    "GET",
    "/api/puzzles/{game}/{puzzle}/picture",
    "A small picture",
    Access.OPEN,
    QUERY,
    cached=True,
    result="PuzzlePicture",
)
def draw_small_puzzle_picture(game: GameName, puzzle: PuzzleId) -> object:
    """Where it happens, as its seat sees it; drawn once and kept."""
    return puzzles.draw_puzzle_picture(game, puzzle)


@Route(
    "GET",
    "/api/puzzles/{game}/{puzzle}/large",
    "A large picture",
    Access.OPEN,
    QUERY,
    cached=True,
    result="PuzzlePicture",
)
def draw_large_puzzle_picture(game: GameName, puzzle: PuzzleId) -> object:
    """The same of a larger part."""
    return puzzles.draw_puzzle_picture(game, puzzle, large=True)


@Route("POST", "/api/puzzles/{game}/{puzzle}/try", "Try a choice", Access.OPEN, QUERY, result="AttemptResult")
async def try_puzzle(
    first_tries: FirstTries | None, caller: Caller, game: GameName, puzzle: PuzzleId, body: TryBody
) -> puzzles.AttemptResult:
    """What happens at once, and whether it is the solution."""
    result = puzzles.try_puzzle_choice(game, puzzle, body.action)
    if body.first and first_tries is not None:
        fish = puzzles.load_puzzles_by_id(game)[puzzle].fish
        await first_tries.count_first_try(f"{game}/{puzzle}", fish, result["right"], caller.origin)
    return result


@Route("POST", "/api/puzzles/{game}/{puzzle}/why", "Why not", Access.OPEN, QUERY)
def find_rule_forbidding_try(game: GameName, puzzle: PuzzleId, body: TouchBody) -> Explanation:
    """Which rule forbids a touch."""
    return Explanation(puzzles.find_rule_forbidding_try(game, puzzle, body.piece, body.place, body.text))


@Route("GET", "/api/puzzles/{game}/{puzzle}/hint", "A hint", Access.OPEN, QUERY, result="PuzzleHint")
def get_puzzle_hint(game: GameName, puzzle: PuzzleId, step: HintStep = 1) -> object:
    """Where to look; what to choose; where it leads, and what is gained."""
    return puzzles.get_puzzle_hint(game, puzzle, step)


@Route("GET", "/api/puzzles/{game}/{puzzle}/solution", "The solution", Access.OPEN, QUERY, result="PuzzleSolution")
def get_puzzle_solution(game: GameName, puzzle: PuzzleId) -> object:
    """What is best, and why."""
    return puzzles.get_puzzle_solution(game, puzzle)
