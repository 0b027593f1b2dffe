"""What REST takes and gives that a server alone has, or that is described for its OpenAPI page alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from landfall.api.types import Body, Name, ProblemInfo, make_field_documentation
from landfall.tables.protocol.commands import Bounds


@dataclass(kw_only=True)
class AccountBody(Body):
    """An account's name and password."""

    name: Name = field(metadata=make_field_documentation(examples=["Ana"]))
    password: Annotated[str, Bounds(8, 200)] = field(metadata=make_field_documentation(examples=["correct horse"]))


@dataclass(kw_only=True)
class PasswordBody(Body):
    """The current password, and the new one."""

    old: Annotated[str, Bounds(0, 200)] = field(metadata=make_field_documentation(examples=["correct horse"]))
    new: Annotated[str, Bounds(8, 200)] = field(metadata=make_field_documentation(examples=["battery staple"]))


class SessionInfo(BaseModel):
    """A device that you are signed in on."""

    id: str
    device: str = Field(description="Browser and system; empty if unknown.", examples=["Firefox · Android"])
    created: int = Field(description="Milliseconds since 1970.")
    seen: int
    here: bool = Field(description="Whether it is the one that asks.")


class SearchStatus(BaseModel):
    """Your search for a table, as the lobby's socket tells of it."""

    model_config = ConfigDict(extra="allow")
    games: list[str]
    sizes: list[int]
    pace: str
    rated: bool
    bots: str
    waited: int = Field(description="Milliseconds.")
    ring: int = Field(description="How far the rating may be from yours: 0 like you, 1 near you, 2 anyone.")


class ErrorInfo(BaseModel):
    """An error: a code for programs, the id of the rule that forbids it, if any, and a sentence in English."""

    code: str = Field(examples=["no_table"])
    key: str = Field(examples=["table.no_table"])
    args: dict[str, Any] = Field(default_factory=dict)
    rule: str | None = None
    text: str = Field(examples=["There is no such table."])
    problems: list[ProblemInfo] = Field(default_factory=list, description="With options: each fault of theirs.")


ERROR_RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorInfo, "description": words}
    for status, words in {
        400: "It cannot be done, and why",
        401: "Say who you are first",
        403: "Not yours to do",
        404: "There is no such thing",
        409: "Something else came first",
        413: "Too large",
        422: "Not what was asked for",
        429: "Too many at once",
        503: "The database is away",
    }.items()
}


HealthStatus = Literal["ok", "failing", "draining"]


class Health(BaseModel):
    """Whether the server is operational."""

    status: HealthStatus = Field(description="`failing`: nothing can be written down. `draining`: it stops soon.")
    version: str
    engine: str
    tables: int


class ConnectionInfo(BaseModel):
    """How a request arrived."""

    forwarded: Literal["missing", "ignored", "trusted"] = Field(description="The proxy's `X-Forwarded-For`.")
    scheme: str
