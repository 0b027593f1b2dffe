"""Online bots over HTTP: an account's bots and their tokens. A bot itself plays over the sockets of tables."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from pydantic import BaseModel, Field

from landfall.api import types
from landfall.api.limits import CHANGE, QUERY, SIGN_IN
from landfall.api.players import describe_rating
from landfall.api.routes import Access, Route
from landfall.api.types import Body, Name, UrlDocumentation, make_field_documentation
from landfall.store.row_types import Session, UserRecord
from landfall.tables.protocol.commands import Bounds
from landfall.web.identity import SCOPES
from landfall.web.server import Server

BotId = Annotated[str, Bounds(0, 64), UrlDocumentation(examples=("q3nN0m1cXlTtVbQp0Jx8Zg",))]
TokenId = Annotated[str, Bounds(0, 64)]
Scopes = Annotated[list[Annotated[str, Bounds(0, 8)]], Bounds(1, 2)]


@dataclass(kw_only=True)
class TokenBody(Body):
    """What a token allows."""

    scopes: Scopes = field(
        default_factory=lambda: list(SCOPES),
        metadata=make_field_documentation(
            "`play`: sit down and play. `read`: tables, ratings and results.", [["play", "read"]]
        ),
    )


@dataclass(kw_only=True)
class BotBody(TokenBody):
    """A new bot."""

    name: Name = field(metadata=make_field_documentation(examples=["tideline"]))


class TokenInfo(BaseModel):
    """A token, without its secret."""

    id: str
    end: str = Field(description="Its last four characters.", examples=["a3f9"])
    scopes: list[str]
    created: int = Field(description="Milliseconds since 1970.")
    seen: int
    ends: int | None = Field(description="When it stops being valid, if that is known.")


class OwnBot(BaseModel):
    """A bot of yours."""

    id: str
    name: str
    created: int
    tables: int = Field(description="That are not over.")
    here: bool = Field(description="Whether it is connected.")
    ratings: list[types.RatingInfo]
    tokens: list[TokenInfo]


class NewToken(BaseModel):
    """A token: shown this once."""

    bot: OwnBot
    token: str = Field(examples=["lf_bot_9mZt4QxwRk7e0hVba3f9"])


class OwnBots(BaseModel):
    """Your bots, and what a bot may do here."""

    bots: list[OwnBot]
    most: int = Field(description="Bots that an account may have.")
    tables: int = Field(description="Tables at which a bot may play at once.")
    seconds: int = Field(description="For a choice.")


def describe_bot_token(token: Session) -> TokenInfo:
    return TokenInfo(
        id=token.id, end=token.device, scopes=(token.scopes or "").split(), created=token.created, seen=token.seen,
        ends=token.ends,
    )  # fmt: skip


async def describe_own_bot(server: Server, bot: UserRecord) -> OwnBot:
    store = server.store
    running = await store.tables.list_tables_of_user(bot.id, server.settings.limits.bot_tables, over=False)
    return OwnBot(
        id=bot.id, name=bot.name, created=bot.created, tables=len(running),
        here=any(socket.auth is not None and socket.auth.person.id == bot.id for socket in server.connections),
        ratings=[describe_rating(row) for row in await store.ratings.list_ratings_of_user(bot.id)],
        tokens=[describe_bot_token(token) for token in await store.sessions.list_sessions_of_user(bot.id)],
    )  # fmt: skip


@Route("GET", "/api/me/bots", "Your bots", Access.NAMED, QUERY)
async def list_own_bots(server: Server, person: UserRecord) -> OwnBots:
    """Programs that play under a name of their own, which you run."""
    return OwnBots(
        bots=[await describe_own_bot(server, bot) for bot in await server.store.users.list_bots_of_author(person.id)],
        most=server.settings.limits.bots, tables=server.settings.limits.bot_tables,
        seconds=server.hub.runtime.online_bot_ms // 1000,
    )  # fmt: skip


@Route("POST", "/api/me/bots", "Make a bot", Access.NAMED, SIGN_IN, recent_proof=True, status=201)
async def create_own_bot(server: Server, person: UserRecord, body: BotBody) -> NewToken:
    """Needs an account. The token in the answer is shown this once; whoever has it can play as the bot."""
    bot = await server.identities.create_bot(person, body.name, server.settings.limits.bots)
    token, _ = await server.identities.create_bot_token(bot, body.scopes)
    return NewToken(bot=await describe_own_bot(server, bot), token=token)


@Route("POST", "/api/me/bots/{bot}/tokens", "A new token", Access.NAMED, SIGN_IN, recent_proof=True, status=201)
async def create_own_bot_token(server: Server, person: UserRecord, bot: BotId, body: TokenBody) -> NewToken:
    """The earlier ones stay valid for an hour, so that running matches can be finished."""
    found = await server.identities.find_bot_of_author(person, bot)
    token, _ = await server.identities.create_bot_token(found, body.scopes)
    return NewToken(bot=await describe_own_bot(server, found), token=token)


@Route("DELETE", "/api/me/bots/{bot}/tokens/{token}", "Revoke a token", Access.NAMED, CHANGE, status=204)
async def revoke_own_bot_token(server: Server, person: UserRecord, bot: BotId, token: TokenId) -> None:
    """At once: its sockets are closed."""
    await server.identities.revoke_bot_token(await server.identities.find_bot_of_author(person, bot), token)
    await server.apply_sign_outs_and_deletions()


@Route("DELETE", "/api/me/bots/{bot}", "Delete a bot", Access.NAMED, CHANGE, recent_proof=True, status=204)
async def delete_own_bot(server: Server, person: UserRecord, bot: BotId) -> None:
    """With its tokens and ratings. Its matches stay without its name; a stand-in continues running ones."""
    await server.delete_user((await server.identities.find_bot_of_author(person, bot)).id)
