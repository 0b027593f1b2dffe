"""Puzzles over HTTP: lists, set-ups, tries, hints in steps, the solution. No name is needed."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request, Response
from pydantic import BaseModel, Field

from landfall.api import puzzles as api
from landfall.api import types
from landfall.tables.teaching import puzzle_difficulty, puzzles
from landfall.web.bodies import BodyRoute
from landfall.web.rest import GameName, address_of_request, cacheable_response, json_response, limit_queries, server_of
from landfall.web.rest_models import ERROR_RESPONSES

router = APIRouter(
    prefix="/api/puzzles",
    tags=["puzzles"],
    responses=ERROR_RESPONSES,
    dependencies=[Depends(limit_queries)],
    route_class=BodyRoute,
)
PuzzleId = Annotated[types.PuzzleId, Path(examples=["0c1d2e3f40"])]


class PuzzleListing(BaseModel):
    """A puzzle in a list."""

    id: str
    theme: str = Field(description="`puzzle.theme.NAME` is its text, `puzzle.goal.NAME` the goal's.")
    fish: str = Field(description="How hard: the smallest fish among the bots that finds it.")


class PuzzleSetup(PuzzleListing):
    """A puzzle to solve: the seat's view and choices."""

    game: str
    seat: int
    players: int
    view: dict[str, Any]
    choices: list[dict[str, Any]]
    preview: dict[str, Any]
    tenths: int | None = Field(description="Of ten people so many find it at the first try; null: too few tried it.")
    rating: float | None = Field(description="How hard it is for people, by openskill; null likewise.")


class AttemptResult(BaseModel):
    """The result of a try, before any chance, and a sentence about it."""

    right: bool
    events: list[dict[str, Any]]
    view: dict[str, Any]
    key: str
    args: dict[str, Any]


class PuzzleHint(BaseModel):
    """A sentence, and the places to highlight."""

    key: str
    args: dict[str, Any]
    places: list[str]


class Reason(BaseModel):
    """A sentence of the game's catalogue."""

    key: str
    args: dict[str, Any]


class PuzzleSolution(BaseModel):
    """The solution, the reasons, and the confidence."""

    action: int
    chance: int = Field(description="To win, in per cent.")
    margin: int = Field(description="How many per cent less the next best gives.")
    next: int = Field(description="The action that is next best.")
    why: list[Reason]


@router.get("/{game}", summary="The puzzles of a game", response_model=list[PuzzleListing])
async def list_puzzles(request: Request, game: GameName) -> Response:
    """All, in an order that has no meaning: one a day, from the first to the last, and again."""
    return cacheable_response(request, api.list_puzzles, game)


@router.get("/{game}/{puzzle}", summary="A puzzle laid out", response_model=PuzzleSetup)
async def get_puzzle(request: Request, game: GameName, puzzle: PuzzleId) -> Response:
    """As its seat sees it; nobody knows more."""
    return json_response(await api.get_puzzle(server_of(request).hub, game, puzzle))


@router.post("/{game}/{puzzle}/try", summary="Try a choice", response_model=AttemptResult)
async def try_puzzle(request: Request, game: GameName, puzzle: PuzzleId, body: types.TryBody) -> Response:
    """What happens at once, and whether it is the solution."""
    result = api.try_puzzle(game, puzzle, body)
    store, name = server_of(request).store, f"{game}/{puzzle}"
    if body.first and server_of(request).first_tries.add((address_of_request(request), name)):
        stats = await store.puzzle_stats(name)
        mu, sigma = stats[2:] if stats else puzzle_difficulty.initial_rating(puzzles.load_puzzles(game)[puzzle].fish)
        await store.count_attempt(name, result["right"], puzzle_difficulty.update_rating(mu, sigma, result["right"]))
    return json_response(result)


@router.post("/{game}/{puzzle}/why", summary="Why not")
async def explain_puzzle(game: GameName, puzzle: PuzzleId, body: types.TouchBody) -> types.Explanation:
    """Which rule forbids a touch."""
    return api.explain_puzzle(game, puzzle, body)


@router.get("/{game}/{puzzle}/hint", summary="A hint", response_model=PuzzleHint)
async def hint_puzzle(game: GameName, puzzle: PuzzleId, step: api.HintStep = 1) -> Response:
    """Where to look; what it begins with; what is gained."""
    return json_response(api.hint_puzzle(game, puzzle, step))


@router.get("/{game}/{puzzle}/solution", summary="The solution", response_model=PuzzleSolution)
async def solve_puzzle(game: GameName, puzzle: PuzzleId) -> Response:
    """What is best, and why."""
    return json_response(api.solve_puzzle(game, puzzle))
