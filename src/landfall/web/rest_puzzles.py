"""Puzzles over HTTP: lists, set-ups, tries, hints in steps, the solution. No name is needed."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request, Response
from pydantic import BaseModel, Field

from landfall.api import puzzles as api
from landfall.api import types
from landfall.tables.teaching import puzzle_difficulty, puzzles
from landfall.web.request_bodies import BodyRoute
from landfall.web.rest import (
    GameName,
    json_response,
    limit_query_rate,
    rate_limit_key_of_request,
    respond_from_cache,
    server_of_request,
)
from landfall.web.rest_models import ERROR_RESPONSES

router = APIRouter(
    prefix="/api/puzzles",
    tags=["puzzles"],
    responses=ERROR_RESPONSES,
    dependencies=[Depends(limit_query_rate)],
    route_class=BodyRoute,
)
PuzzleId = Annotated[types.PuzzleId, Path(examples=["0c1d2e3f40"])]


class PuzzleListing(BaseModel):
    """A puzzle in a list."""

    id: str
    number: int = Field(description="It never changes.")
    theme: str = Field(description="`puzzle.theme.NAME` is its text.")
    fish: str = Field(description="How hard: the smallest fish among the bots that finds it.")
    seat: int
    colour: str = Field(description="The seat's colour.")
    goal: str = Field(description="`puzzle.goal.NAME`, filled with the facts, is its text.")
    facts: dict[str, Any]
    sets: list[str] = Field(description="`puzzle.set.NAME` is the title of each.")


class PuzzlePicture(BaseModel):
    """A part of the position as its seat sees it."""

    svg: str


class PuzzleSetup(PuzzleListing):
    """A puzzle to solve: the seat's view and choices."""

    game: str
    players: int
    view: dict[str, Any]
    choices: list[dict[str, Any]]
    preview: dict[str, Any]
    tenths: int | None = Field(description="Of ten people so many find it at the first try; null: too few tried it.")
    rating: float | None = Field(description="How hard it is for people, by openskill; null likewise.")


class Reason(BaseModel):
    """A sentence of the game's catalogue."""

    key: str
    args: dict[str, Any]


class AttemptResult(Reason):
    """The result of a try, before any chance, and a sentence about it."""

    right: bool
    events: list[dict[str, Any]]
    view: dict[str, Any]
    why: list[Reason] = Field(description="What the choice does.")
    places: list[str] = Field(description="Where it leads.")


class PuzzleHint(Reason):
    """A sentence, and what it points at: places, or `tile NAME` and `card NAME` of the hand."""

    places: list[str]


class PuzzleSolution(BaseModel):
    """The solution, the reasons, and the confidence."""

    action: int
    places: list[str] = Field(description="Where it leads.")
    chance: int = Field(description="To win, in per cent.")
    margin: int = Field(description="How many per cent less the next best gives.")
    next: int = Field(description="The action that is next best.")
    why: list[Reason]


@router.get("/{game}", summary="The puzzles of a game", response_model=list[PuzzleListing])
async def list_puzzles(request: Request, game: GameName) -> Response:
    """All, by number: one a day, from the first to the last, and again."""
    return respond_from_cache(request, api.list_puzzles, game)


@router.get("/{game}/{puzzle}", summary="A puzzle laid out", response_model=PuzzleSetup)
async def get_puzzle_setup(request: Request, game: GameName, puzzle: PuzzleId) -> Response:
    """As its seat sees it; nobody knows more."""
    return json_response(await api.get_puzzle_setup(server_of_request(request).hub, game, puzzle))


@router.get("/{game}/{puzzle}/picture", summary="A small picture", response_model=PuzzlePicture)
async def draw_small_puzzle_picture(request: Request, game: GameName, puzzle: PuzzleId) -> Response:
    """Where it happens, as its seat sees it; drawn once and kept."""
    return respond_from_cache(request, api.draw_small_puzzle_picture, game, puzzle)


@router.get("/{game}/{puzzle}/large", summary="A large picture", response_model=PuzzlePicture)
async def draw_large_puzzle_picture(request: Request, game: GameName, puzzle: PuzzleId) -> Response:
    """The same of a larger part."""
    return respond_from_cache(request, api.draw_large_puzzle_picture, game, puzzle)


@router.post("/{game}/{puzzle}/try", summary="Try a choice", response_model=AttemptResult)
async def try_puzzle(request: Request, game: GameName, puzzle: PuzzleId, body: types.TryBody) -> Response:
    """What happens at once, and whether it is the solution."""
    result = api.try_puzzle(game, puzzle, body)
    store, name = server_of_request(request).store, f"{game}/{puzzle}"
    if body.first and server_of_request(request).first_tries.add_if_new((rate_limit_key_of_request(request), name)):
        stats = await store.get_puzzle_stats(name)
        mu, sigma = (
            stats[2:]
            if stats
            else puzzle_difficulty.initial_puzzle_rating(puzzles.load_puzzles_by_id(game)[puzzle].fish)
        )
        await store.record_first_puzzle_attempt(
            name, result["right"], puzzle_difficulty.puzzle_rating_after_try(mu, sigma, result["right"])
        )
    return json_response(result)


@router.post("/{game}/{puzzle}/why", summary="Why not")
async def find_rule_forbidding_try(game: GameName, puzzle: PuzzleId, body: types.TouchBody) -> types.Explanation:
    """Which rule forbids a touch."""
    return api.find_rule_forbidding_try(game, puzzle, body)


@router.get("/{game}/{puzzle}/hint", summary="A hint", response_model=PuzzleHint)
async def get_puzzle_hint(game: GameName, puzzle: PuzzleId, step: api.HintStep = 1) -> Response:
    """Where to look; what to choose; where it leads, and what is gained."""
    return json_response(api.get_puzzle_hint(game, puzzle, step))


@router.get("/{game}/{puzzle}/solution", summary="The solution", response_model=PuzzleSolution)
async def get_puzzle_solution(game: GameName, puzzle: PuzzleId) -> Response:
    """What is best, and why."""
    return json_response(api.get_puzzle_solution(game, puzzle))
