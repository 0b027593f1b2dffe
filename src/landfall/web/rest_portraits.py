"""REST: portraits, which stand for players outside a table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, Field

from landfall.api.types import Body, PlayerName, make_field_documentation
from landfall.store.portraits import Portrait
from landfall.tables.protocol.commands import Bounds
from landfall.tables.protocol.errors import Refused
from landfall.tables.protocol.text_validation import normalise_account_name
from landfall.web.request_bodies import BodyRoute
from landfall.web.rest import RequiredUser, limit_query_rate, server_of_request
from landfall.web.rest_matchmaking import limit_change_rate
from landfall.web.rest_models import ERROR_RESPONSES

router = APIRouter(prefix="/api", tags=["players"], responses=ERROR_RESPONSES, route_class=BodyRoute)
MAX_NAMES = 64
Colour = Literal["red", "blue", "green", "yellow", "orange", "white", "black"]
Ground = Literal["sand", "forest", "rock", "night", "sea"]


@dataclass(kw_only=True)
class PortraitBody(Body):
    """An explorer on a ground."""

    colour: Colour = field(metadata=make_field_documentation(examples=["red"]))
    ground: Ground = field(metadata=make_field_documentation(examples=["forest"]))


@dataclass(kw_only=True)
class PortraitNames(Body):
    """Whose portraits you want to see."""

    names: Annotated[list[PlayerName], Bounds(1, MAX_NAMES)] = field(
        metadata=make_field_documentation(examples=[["Ana", "Otto"]])
    )


class PortraitInfo(BaseModel):
    """A portrait that somebody chose."""

    name: str = Field(description="As it was asked for.")
    colour: Colour
    ground: Ground


@router.put("/me/portrait", tags=["identity"], summary="Choose your portrait", status_code=204)
async def set_portrait(request: Request, body: PortraitBody, person: RequiredUser) -> None:
    """Needs an account: the portrait of anybody else follows from the name."""
    server = server_of_request(request)
    limit_change_rate(server, person)
    if person.account is None:
        raise Refused("no_account")
    await server.store.save_portrait(person.id, Portrait(body.colour, body.ground))


@router.delete("/me/portrait", tags=["identity"], summary="Choose no portrait", status_code=204)
async def delete_portrait(request: Request, person: RequiredUser) -> None:
    """It follows from your name again."""
    server = server_of_request(request)
    limit_change_rate(server, person)
    await server.store.save_portrait(person.id, None)


@router.post("/portraits", summary="Portraits of players", dependencies=[Depends(limit_query_rate)])
async def list_portraits(request: Request, body: PortraitNames) -> list[PortraitInfo]:
    """Of those who chose one. The portrait of anybody else follows from the name."""
    names = {name: normalise_account_name(name) for name in body.names}
    found = await server_of_request(request).store.get_portraits_by_account(set(names.values()))
    chosen = [(name, found[account]) for name, account in names.items() if account in found]
    return [PortraitInfo.model_validate({"name": name, **vars(one)}) for name, one in chosen]
