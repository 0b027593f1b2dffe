"""Puzzles over HTTP: lists, one laid out, a try, hints in steps, the solution. Nobody need say who they are."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Path, Query, Request, Response
from pydantic import BaseModel, Field

from landfall.tables import puzzles, ratings
from landfall.web.bodies import BodyRoute
from landfall.web.models import FAULTS, Body
from landfall.web.rest import GameName, address_of, curious, lasting, server_of

router = APIRouter(
    prefix="/api/puzzles",
    tags=["puzzles"],
    responses=FAULTS,
    dependencies=[Depends(curious)],
    route_class=BodyRoute,
)
NOBODY = {"tenths": None, "rating": None}
PuzzleId = Annotated[str, Path(max_length=20, examples=["0c1d2e3f40"])]


class PuzzleListed(BaseModel):
    """A puzzle in a list."""

    id: str
    theme: str = Field(description="`puzzle.theme.NAME` is its text, `puzzle.goal.NAME` the goal's.")
    fish: str = Field(description="How hard: the smallest fish among the bots that finds it.")


class PuzzleLaid(PuzzleListed):
    """A puzzle to be solved: what its seat sees, and may choose."""

    game: str
    seat: int
    players: int
    view: dict[str, Any]
    choices: list[dict[str, Any]]
    preview: dict[str, Any]
    tenths: int | None = Field(description="Of ten people so many find it at the first try; null: too few tried it.")
    rating: float | None = Field(description="How hard it is for people, by openskill; null likewise.")


class TryBody(Body):
    """A choice, by its number."""

    action: int = Field(ge=0, le=2**31, examples=[12])
    first: bool = Field(False, description="Nobody tried it here before: such tries are counted, without a name.")


class TouchBody(Body):
    """What was touched, or said."""

    piece: str = Field("", max_length=40)
    place: str = Field("", max_length=40)
    text: str | None = Field(None, max_length=80)


class PuzzleTried(BaseModel):
    """What comes of a try, before any chance, and one sentence about it."""

    right: bool
    events: list[dict[str, Any]]
    view: dict[str, Any]
    key: str
    args: dict[str, Any]


class PuzzleHint(BaseModel):
    """A sentence, and the places that the board points at."""

    key: str
    args: dict[str, Any]
    places: list[str]


class Reason(BaseModel):
    """A sentence of the game's catalogue."""

    key: str
    args: dict[str, Any]


class PuzzleSolved(BaseModel):
    """The solution, why, and how sure that is."""

    action: int
    chance: int = Field(description="To win, in per cent.")
    margin: int = Field(description="How many per cent less the next best gives.")
    next: int = Field(description="The action that is next best.")
    why: list[Reason]


class PuzzleWhy(BaseModel):
    """The rule that forbids it, if one does."""

    rule: str | None


def told(found: object) -> Response:
    return Response(msgspec.json.encode(found), media_type="application/json")


@router.get("/{game}", summary="The puzzles of a game", response_model=list[PuzzleListed])
async def list_all(request: Request, game: GameName) -> Response:
    """All, in an order that has no meaning: one a day, from the first to the last, and again."""
    puzzles.of_game(game)  # Refused, if there is no such game
    return lasting(request, puzzles.listed, game)


@router.get("/{game}/{puzzle}", summary="A puzzle laid out", response_model=PuzzleLaid)
async def lay(request: Request, game: GameName, puzzle: PuzzleId) -> Response:
    """As its seat sees it; nobody knows more."""
    laid = puzzles.laid(game, puzzle)
    kept = await server_of(request).store.puzzle(f"{game}/{puzzle}")
    if kept is None or kept[0] < ratings.ENOUGH:
        return told({**laid, **NOBODY})
    return told({**laid, "tenths": round(10 * kept[1] / kept[0]), "rating": round(kept[2], 2)})


@router.post("/{game}/{puzzle}/try", summary="Try a choice", response_model=PuzzleTried)
async def attempt(request: Request, game: GameName, puzzle: PuzzleId, body: TryBody) -> Response:
    """What happens at once, and whether it is the solution."""
    tried = puzzles.tried(game, puzzle, body.action)
    store, name = server_of(request).store, f"{game}/{puzzle}"
    if body.first and server_of(request).first_tries.add((address_of(request), name)):
        kept = await store.puzzle(name)
        mu, sigma = kept[2:] if kept else ratings.begins(puzzles.of_game(game)[puzzle].fish)
        await store.keep_try(name, tried["right"], ratings.rated(mu, sigma, tried["right"]))
    return told(tried)


@router.post("/{game}/{puzzle}/why", summary="Why not", response_model=PuzzleWhy)
async def why(game: GameName, puzzle: PuzzleId, body: TouchBody) -> Response:
    """Which rule forbids a touch."""
    return told({"rule": puzzles.why_not(game, puzzle, body.piece, body.place, body.text)})


@router.get("/{game}/{puzzle}/hint", summary="A hint", response_model=PuzzleHint)
async def hint(game: GameName, puzzle: PuzzleId, step: Annotated[int, Query(ge=1, le=puzzles.STEPS)] = 1) -> Response:
    """Where to look; what it begins with; what is gained."""
    return told(puzzles.hinted(game, puzzle, step))


@router.get("/{game}/{puzzle}/solution", summary="The solution", response_model=PuzzleSolved)
async def solution(game: GameName, puzzle: PuzzleId) -> Response:
    """What is best, and why."""
    return told(puzzles.solved(game, puzzle))
