"""Puzzles over HTTP: lists, set-ups, tries, hints in steps, the solution. No name is needed."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Path, Query, Request, Response
from pydantic import BaseModel, Field

from landfall.tables.teaching import puzzle_ratings, puzzles
from landfall.web.bodies import BodyRoute
from landfall.web.rest import GameName, address_of_request, cacheable_response, limit_queries, server_of
from landfall.web.rest_models import ERROR_RESPONSES, Body

router = APIRouter(
    prefix="/api/puzzles",
    tags=["puzzles"],
    responses=ERROR_RESPONSES,
    dependencies=[Depends(limit_queries)],
    route_class=BodyRoute,
)
NO_STATISTICS = {"tenths": None, "rating": None}
PuzzleId = Annotated[str, Path(max_length=20, examples=["0c1d2e3f40"])]


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


class TryBody(Body):
    """An action."""

    action: int = Field(ge=0, le=2**31, examples=[12])
    first: bool = Field(False, description="Nobody tried it here before: such tries are counted, without a name.")


class TouchBody(Body):
    """A click, or a choice in notation."""

    piece: str = Field("", max_length=40)
    place: str = Field("", max_length=40)
    text: str | None = Field(None, max_length=80)


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


class PuzzleExplanation(BaseModel):
    """The rule that forbids it, if any."""

    rule: str | None


def json_response(found: object) -> Response:
    return Response(msgspec.json.encode(found), media_type="application/json")


@router.get("/{game}", summary="The puzzles of a game", response_model=list[PuzzleListing])
async def list_puzzles(request: Request, game: GameName) -> Response:
    """All, in a fixed arbitrary order: the puzzle of the day cycles through it."""
    puzzles.load_puzzles(game)  # Refused if there is no such game
    return cacheable_response(request, puzzles.list_puzzles, game)


@router.get("/{game}/{puzzle}", summary="A puzzle laid out", response_model=PuzzleSetup)
async def get_puzzle(request: Request, game: GameName, puzzle: PuzzleId) -> Response:
    """The view of its seat."""
    setup = puzzles.set_up_puzzle(game, puzzle)
    stats = await server_of(request).store.puzzle_stats(f"{game}/{puzzle}")
    if stats is None or stats[0] < puzzle_ratings.MIN_RATED_TRIES:
        return json_response({**setup, **NO_STATISTICS})
    return json_response({**setup, "tenths": round(10 * stats[1] / stats[0]), "rating": round(stats[2], 2)})


@router.post("/{game}/{puzzle}/try", summary="Try a choice", response_model=AttemptResult)
async def try_puzzle(request: Request, game: GameName, puzzle: PuzzleId, body: TryBody) -> Response:
    """The immediate events, and whether it is the solution."""
    result = puzzles.try_choice(game, puzzle, body.action)
    store, name = server_of(request).store, f"{game}/{puzzle}"
    if body.first and server_of(request).first_tries.add((address_of_request(request), name)):
        stats = await store.puzzle_stats(name)
        mu, sigma = stats[2:] if stats else puzzle_ratings.initial_rating(puzzles.load_puzzles(game)[puzzle].fish)
        await store.count_attempt(name, result["right"], puzzle_ratings.update_rating(mu, sigma, result["right"]))
    return json_response(result)


@router.post("/{game}/{puzzle}/why", summary="Why not", response_model=PuzzleExplanation)
async def explain_puzzle(game: GameName, puzzle: PuzzleId, body: TouchBody) -> Response:
    """The rule that forbids a click."""
    return json_response({"rule": puzzles.explain_refusal(game, puzzle, body.piece, body.place, body.text)})


@router.get("/{game}/{puzzle}/hint", summary="A hint", response_model=PuzzleHint)
async def hint_puzzle(
    game: GameName, puzzle: PuzzleId, step: Annotated[int, Query(ge=1, le=puzzles.HINT_STEPS)] = 1
) -> Response:
    """Where to look; how the choice begins; what it gains."""
    return json_response(puzzles.give_hint(game, puzzle, step))


@router.get("/{game}/{puzzle}/solution", summary="The solution", response_model=PuzzleSolution)
async def solve_puzzle(game: GameName, puzzle: PuzzleId) -> Response:
    """The best choice, and the reasons."""
    return json_response(puzzles.show_solution(game, puzzle))
