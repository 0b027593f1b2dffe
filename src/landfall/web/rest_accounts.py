"""REST: how an account's owner signs in, a new name, and what is kept about somebody."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request, Response
from pydantic import BaseModel, Field

from landfall.api import own_matches, types
from landfall.api.types import Body, Name, field_docs
from landfall.store.accounts import RENAME_INTERVAL_MS
from landfall.tables.protocol.commands import Bounds
from landfall.tables.protocol.errors import Refused
from landfall.web.bodies import BodyRoute
from landfall.web.identity import AuthSession, describe_device, hash_token
from landfall.web.rest import (
    CurrentSession,
    RequiredSession,
    RequiredUser,
    address_of_request,
    caller_of,
    give_cookie,
    json_response,
    limit_jobs,
    limit_sign_in_rate,
    require_recent,
    server_of,
    set_cookie,
    sign_in,
)
from landfall.web.rest_models import ERROR_RESPONSES

router = APIRouter(prefix="/api", tags=["accounts"], responses=ERROR_RESPONSES, route_class=BodyRoute)
PasskeyId = Annotated[str, Path(max_length=1400, examples=["AbCd"])]
Credential = Annotated[dict[str, Any], Bounds(0, 32)]


@dataclass(kw_only=True)
class NewPasskeyBody(Body):
    """For a guest: the name of the account to be made."""

    name: Name | None = field(default=None, metadata=field_docs(examples=["Ana"]))


@dataclass(kw_only=True)
class PasskeyBody(Body):
    """What the browser's `navigator.credentials` gave, as JSON."""

    credential: Credential = field(metadata=field_docs(examples=[{"id": "AbCd", "type": "public-key"}]))


@dataclass(kw_only=True)
class MadePasskeyBody(PasskeyBody):
    """The same, of a new passkey; for a guest with the name of the account."""

    name: Name | None = field(default=None, metadata=field_docs(examples=["Ana"]))


@dataclass(kw_only=True)
class CodeBody(Body):
    """An account's name and one of its recovery codes."""

    name: Name = field(metadata=field_docs(examples=["Ana"]))
    code: Annotated[str, Bounds(0, 64)] = field(metadata=field_docs(examples=["abcd-efgh-jkmn-pqrs"]))


@dataclass(kw_only=True)
class ConfirmBody(Body):
    """One of these proves who you are."""

    password: Annotated[str, Bounds(0, 200)] = field(default="", metadata=field_docs(examples=["a long password"]))
    code: Annotated[str, Bounds(0, 64)] = field(default="", metadata=field_docs(examples=["abcd-efgh-jkmn-pqrs"]))
    credential: Credential | None = field(default=None, metadata=field_docs(examples=[None]))


class PasskeyInfo(BaseModel):
    """A passkey of yours."""

    id: str
    device: str = Field(description="Where it was made.", examples=["Firefox · Android"])
    created: int = Field(description="Milliseconds since 1970.")
    used: int | None = Field(description="When it was last used here.")


class AccountInfo(BaseModel):
    """How you sign in."""

    name: str
    since: int
    password: bool = Field(description="Whether you have one.")
    passkeys: list[PasskeyInfo]
    codes: int = Field(description="Recovery codes that are left.")
    host: bool = Field(description="Whether you are a host of this server.")
    rename: int | None = Field(description="When you may change your name again; null: at any time.")
    recovered: bool = Field(description="You came by a code: a new password or passkey replaces all ways to sign in.")


class CodesInfo(BaseModel):
    """Recovery codes: shown this once."""

    codes: list[str] = Field(examples=[["abcd-efgh-jkmn-pqrs"]])


@router.get("/account", summary="How you sign in")
async def get_account(request: Request, auth: RequiredSession) -> AccountInfo:
    """Passkeys, password, recovery codes."""
    store, person = server_of(request).store, auth.person
    renamed = await store.last_renamed(person.id)
    return AccountInfo(
        name=person.name, since=person.created, password=person.password is not None,
        passkeys=[
            PasskeyInfo(id=one.id, device=one.device, created=one.created, used=one.used)
            for one in await store.passkeys_of(person.id)
        ],
        codes=await store.count_codes(person.id),
        host=await store.is_host(person.id),
        rename=None if renamed is None else renamed + RENAME_INTERVAL_MS,
        recovered=await server_of(request).accounts.find_recovery(auth) is not None,
    )  # fmt: skip


@router.post(
    "/account/confirm", summary="Prove again who you are", status_code=204, dependencies=[Depends(limit_sign_in_rate)]
)
async def confirm_identity(request: Request, body: ConfirmBody, auth: RequiredSession) -> None:
    """With your password, a code, or a passkey (`POST /api/login/passkey/options`). It counts for ten minutes, here."""
    server, address = server_of(request), address_of_request(request)
    async with server.password_attempt(auth.revocation_key, address, None):
        await server.accounts.confirm(auth, body.password, body.code, body.credential, address)


# --- passkeys -------------------------------------------------------------------------------------------------


@router.post(
    "/passkeys/options",
    summary="Begin to make a passkey",
    dependencies=[Depends(limit_sign_in_rate), Depends(require_recent)],
)
async def begin_passkey(request: Request, body: NewPasskeyBody, auth: RequiredSession) -> dict[str, Any]:
    """The options for `navigator.credentials.create`. For an account, or to make one of a guest."""
    server = server_of(request)
    if auth.person.account is None and server.settings.closed_registration:
        raise Refused("no_registration")
    return await server.accounts.begin_passkey(auth, body.name)


@router.post("/passkeys", summary="Add a passkey", status_code=201, dependencies=[Depends(limit_sign_in_rate)])
async def add_passkey(request: Request, response: Response, body: MadePasskeyBody, auth: RequiredSession) -> types.Me:
    """A guest's cookie is replaced, as with a password."""
    server = server_of(request)
    if auth.person.account is None and server.settings.closed_registration:
        raise Refused("no_registration")
    device = describe_device(request.headers.get("user-agent", ""))
    person = await server.accounts.add_passkey(auth, body.credential, body.name, device)
    if auth.person.account is not None:
        await server.apply_sign_outs()
        return await set_cookie(request, response, person, auth)
    async with server.replacement(auth):
        value = await server.identities.rotate(person, device)
        server.keep_sockets(auth, AuthSession(person, hash_token(value)))
    await server.accounts.note_recent(person, hash_token(value))
    return give_cookie(request, response, person, value)


@router.delete(
    "/passkeys/{passkey}", summary="Remove a passkey", status_code=204, dependencies=[Depends(require_recent)]
)
async def remove_passkey(request: Request, passkey: PasskeyId, person: RequiredUser) -> None:
    """Not the last way to sign in."""
    await server_of(request).accounts.remove_passkey(person, passkey)


@router.delete(
    "/password",
    summary="Remove your password",
    status_code=204,
    dependencies=[Depends(limit_sign_in_rate), Depends(require_recent)],
)
async def remove_password(request: Request, person: RequiredUser) -> None:
    """Not the last way to sign in."""
    await server_of(request).accounts.remove_password(person)


@router.post("/login/passkey/options", summary="Begin to log in", dependencies=[Depends(limit_sign_in_rate)])
async def begin_passkey_login(request: Request) -> dict[str, Any]:
    """The options for `navigator.credentials.get`."""
    return await server_of(request).accounts.begin_sign_in()


@router.post("/login/passkey", summary="Log in with a passkey", dependencies=[Depends(limit_sign_in_rate)])
async def login_with_passkey(request: Request, response: Response, body: PasskeyBody, auth: CurrentSession) -> types.Me:
    """The passkey says whose it is. A challenge is answered once."""
    person, passkey = await server_of(request).accounts.sign_in(body.credential)
    return await sign_in(request, response, person, auth, passkey)


# --- recovery codes -------------------------------------------------------------------------------------------


@router.post(
    "/account/codes",
    summary="New recovery codes",
    dependencies=[Depends(limit_sign_in_rate), Depends(require_recent)],
)
async def create_codes(request: Request, auth: RequiredSession) -> CodesInfo:
    """Ten, instead of all earlier ones. Shown this once; each works once."""
    return CodesInfo(codes=await server_of(request).accounts.new_codes(auth))


@router.post("/login/code", summary="Log in with a recovery code", dependencies=[Depends(limit_sign_in_rate)])
async def login_with_code(request: Request, response: Response, body: CodeBody, auth: CurrentSession) -> types.Me:
    """The code is used up. A password or passkey set within a quarter of an hour replaces all ways to sign in."""
    server = server_of(request)
    account = await server.identities.attempt_key(body.name)
    device = describe_device(request.headers.get("user-agent", ""))
    async with server.password_attempt(account, address_of_request(request), None):
        person, value = await server.accounts.recover(body.name, body.code, device)
    if auth is not None and auth.session is not None:
        await server.identities.end_sessions(auth.person, only=auth.session)
    return give_cookie(request, response, person, value)


# --- data to take along ---------------------------------------------------------------------------------------


@router.get("/account/data", summary="What is kept about you", dependencies=[Depends(limit_jobs)])
async def get_personal_data(request: Request, person: RequiredUser) -> dict[str, list[dict[str, Any]]]:
    """By kind, the latest 10,000 of each; without hashes of secrets. Matches are apart."""
    return await server_of(request).store.export_user(person.id)


@router.get(
    "/account/matches",
    summary="Records of your matches",
    response_model=list[own_matches.OwnMatch],
    dependencies=[Depends(limit_jobs)],
)
async def list_own_matches(
    request: Request, person: RequiredUser, before: types.Milliseconds | None = None
) -> Response:
    """Ten at a time, the latest first; `before` (a match's `updated`) pages on. Running ones as you may read them."""
    caller = caller_of(request, person)
    return json_response(await own_matches.list_own_matches(server_of(request).hub, caller, before))
