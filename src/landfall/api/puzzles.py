"""Endpoints about puzzles: one laid out, a try, hints in steps, the solution. Nobody need say who they are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Final

from landfall.api.limits import QUERY
from landfall.api.rate_limits import RecentSet
from landfall.api.routes import Access, Route
from landfall.api.types import Caller, Explanation, GameName, PuzzleId, TouchBody, TryBody, make_field_documentation
from landfall.tables.live.hub import Hub
from landfall.tables.protocol.commands import Bounds
from landfall.tables.teaching import puzzle_difficulty, puzzles

if TYPE_CHECKING:
    from landfall.store.store import Store

MAX_REMEMBERED_TRIES: Final = 50_000
HintStep = Annotated[int, Bounds(1, puzzles.HINT_STEPS)]


class FirstTries:
    """Counts who finds a puzzle's solution at the first try, as far as a server remembers who tried."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.known = RecentSet(MAX_REMEMBERED_TRIES)

    async def count_first_try(self, name: str, fish: str, right: bool, origin: str) -> None:
        """A first try; one a puzzle and origin."""
        if not self.known.add_if_new((origin, name)):
            return
        stats = await self.store.get_puzzle_stats(name)
        mu, sigma = stats[2:] if stats else puzzle_difficulty.initial_puzzle_rating(fish)
        await self.store.record_first_puzzle_attempt(
            name, right, puzzle_difficulty.puzzle_rating_after_try(mu, sigma, right)
        )


@dataclass(kw_only=True)
class PuzzleListing:
    """A puzzle in a list."""

    id: str
    number: int = field(metadata=make_field_documentation("It never changes."))
    theme: str = field(metadata=make_field_documentation("`puzzle.theme.NAME` is its text."))
    fish: str = field(metadata=make_field_documentation("How hard: the smallest fish among the bots that finds it."))
    seat: int
    colour: str = field(metadata=make_field_documentation("The seat's colour."))
    goal: str = field(metadata=make_field_documentation("`puzzle.goal.NAME`, filled with the facts, is its text."))
    facts: dict[str, Any]
    sets: list[str] = field(metadata=make_field_documentation("`puzzle.set.NAME` is the title of each."))


@dataclass
class PuzzlePicture:
    """A part of the position as its seat sees it."""

    svg: str


@dataclass(kw_only=True)
class PuzzleSetup(PuzzleListing):
    """A puzzle to solve: the seat's view and choices."""

    game: str
    players: int
    view: dict[str, Any]
    choices: list[dict[str, Any]]
    preview: dict[str, Any]
    tenths: int | None = field(
        metadata=make_field_documentation("Of ten people so many find it at the first try; null: too few tried it.")
    )
    rating: float | None = field(
        metadata=make_field_documentation("How hard it is for people, by openskill; null likewise.")
    )


@dataclass(kw_only=True)
class Reason:
    """A sentence of the game's catalogue."""

    key: str
    args: dict[str, Any]


@dataclass(kw_only=True)
class AttemptResult(Reason):
    """The result of a try, before any chance, and a sentence about it."""

    right: bool
    events: list[dict[str, Any]]
    view: dict[str, Any]
    why: list[Reason] = field(metadata=make_field_documentation("What the choice does."))
    places: list[str] = field(metadata=make_field_documentation("Where it leads."))


@dataclass(kw_only=True)
class PuzzleHint(Reason):
    """A sentence, and what it points at: places, or `tile NAME` and `card NAME` of the hand."""

    places: list[str]


@dataclass(kw_only=True)
class PuzzleSolution:
    """The solution, the reasons, and the confidence."""

    action: int
    places: list[str] = field(metadata=make_field_documentation("Where it leads."))
    chance: int = field(metadata=make_field_documentation("To win, in per cent."))
    margin: int = field(metadata=make_field_documentation("How many per cent less the next best gives."))
    next: int = field(metadata=make_field_documentation("The action that is next best."))
    why: list[Reason]


@Route(
    "GET",
    "/api/puzzles/{game}",
    "The puzzles of a game",
    Access.OPEN,
    limits=(QUERY,),
    cached=True,
    result=list[PuzzleListing],
)
def list_puzzles(game: GameName) -> object:
    """All, by number: one a day, from the first to the last, and again."""
    return puzzles.list_puzzles(game)


@Route("GET", "/api/puzzles/{game}/{puzzle}", "A puzzle laid out", Access.OPEN, limits=(QUERY,), result=PuzzleSetup)
async def get_puzzle_setup(hub: Hub, game: GameName, puzzle: PuzzleId) -> dict[str, Any]:
    """As its seat sees it; nobody knows more."""
    setup = puzzles.describe_puzzle_setup(game, puzzle)
    stats = await hub.store.get_puzzle_stats(f"{game}/{puzzle}")
    if stats is None or stats[0] < puzzle_difficulty.MIN_RATED_TRIES:
        return {**setup, "tenths": None, "rating": None}
    return {**setup, "tenths": round(10 * stats[1] / stats[0]), "rating": round(stats[2], 2)}


@Route(
    "GET",
    "/api/puzzles/{game}/{puzzle}/picture",
    "A small picture",
    Access.OPEN,
    limits=(QUERY,),
    cached=True,
    result=PuzzlePicture,
)
def draw_small_puzzle_picture(game: GameName, puzzle: PuzzleId) -> object:
    """Where it happens, as its seat sees it; drawn once and kept."""
    return puzzles.draw_puzzle_picture(game, puzzle)


@Route(
    "GET",
    "/api/puzzles/{game}/{puzzle}/large",
    "A large picture",
    Access.OPEN,
    limits=(QUERY,),
    cached=True,
    result=PuzzlePicture,
)
def draw_large_puzzle_picture(game: GameName, puzzle: PuzzleId) -> object:
    """The same of a larger part."""
    return puzzles.draw_puzzle_picture(game, puzzle, large=True)


@Route("POST", "/api/puzzles/{game}/{puzzle}/try", "Try a choice", Access.OPEN, limits=(QUERY,), result=AttemptResult)
async def try_puzzle(
    first_tries: FirstTries | None, caller: Caller, game: GameName, puzzle: PuzzleId, body: TryBody
) -> puzzles.AttemptResult:
    """What happens at once, and whether it is the solution."""
    result = puzzles.try_puzzle_choice(game, puzzle, body.action)
    if body.first and first_tries is not None:
        fish = puzzles.load_puzzles_by_id(game)[puzzle].fish
        await first_tries.count_first_try(f"{game}/{puzzle}", fish, result["right"], caller.origin)
    return result


@Route("POST", "/api/puzzles/{game}/{puzzle}/why", "Why not", Access.OPEN, limits=(QUERY,))
def find_rule_forbidding_try(game: GameName, puzzle: PuzzleId, body: TouchBody) -> Explanation:
    """Which rule forbids a touch."""
    return Explanation(puzzles.find_rule_forbidding_try(game, puzzle, body.piece, body.place, body.text))


@Route("GET", "/api/puzzles/{game}/{puzzle}/hint", "A hint", Access.OPEN, limits=(QUERY,), result=PuzzleHint)
def get_puzzle_hint(game: GameName, puzzle: PuzzleId, step: HintStep = 1) -> object:
    """Where to look; what to choose; where it leads, and what is gained."""
    return puzzles.get_puzzle_hint(game, puzzle, step)


@Route(
    "GET", "/api/puzzles/{game}/{puzzle}/solution", "The solution", Access.OPEN, limits=(QUERY,), result=PuzzleSolution
)
def get_puzzle_solution(game: GameName, puzzle: PuzzleId) -> object:
    """What is best, and why."""
    return puzzles.get_puzzle_solution(game, puzzle)
