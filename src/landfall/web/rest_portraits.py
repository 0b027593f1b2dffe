"""REST: portraits, which stand for players outside a table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from landfall.api.limits import CHANGE, QUERY
from landfall.api.routes import Access, Route
from landfall.api.types import Body, PlayerName, make_field_documentation
from landfall.store.portraits import Portrait
from landfall.store.row_types import UserRecord
from landfall.tables.protocol.commands import Bounds
from landfall.tables.protocol.errors import Refused
from landfall.tables.protocol.text_validation import normalise_account_name
from landfall.web.server import Server

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


@Route("PUT", "/api/me/portrait", "Choose your portrait", Access.NAMED, CHANGE, status=204, tag="identity")
async def set_portrait(server: Server, person: UserRecord, body: PortraitBody) -> None:
    """Needs an account: the portrait of anybody else follows from the name."""
    if person.account is None:
        raise Refused("no_account")
    await server.store.portraits.save_portrait(person.id, Portrait(body.colour, body.ground))


@Route("DELETE", "/api/me/portrait", "Choose no portrait", Access.NAMED, CHANGE, status=204, tag="identity")
async def delete_portrait(server: Server, person: UserRecord) -> None:
    """It follows from your name again."""
    await server.store.portraits.save_portrait(person.id, None)


@Route("POST", "/api/portraits", "Portraits of players", Access.OPEN, QUERY)
async def list_portraits(server: Server, body: PortraitNames) -> list[PortraitInfo]:
    """Of those who chose one. The portrait of anybody else follows from the name."""
    names = {name: normalise_account_name(name) for name in body.names}
    found = await server.store.portraits.get_portraits_by_account(set(names.values()))
    chosen = [(name, found[account]) for name, account in names.items() if account in found]
    return [PortraitInfo.model_validate({"name": name, **vars(one)}) for name, one in chosen]
