"""REST: how an account's owner signs in, a new name, and what is kept about somebody."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request, Response
from pydantic import BaseModel, Field

from landfall.api import own_matches, types
from landfall.api.types import Body, Name, make_field_documentation
from landfall.store.accounts import RENAME_INTERVAL_MS
from landfall.tables.protocol.commands import Bounds
from landfall.tables.protocol.errors import Refused
from landfall.web.identity import AuthSession, describe_device, hash_session_token
from landfall.web.request_bodies import BodyRoute
from landfall.web.rest import (
    CurrentSession,
    RequiredSession,
    RequiredUser,
    give_cookie_after_sign_in,
    json_response,
    keep_or_give_cookie,
    limit_job_rate,
    limit_sign_in_rate,
    make_caller,
    rate_limit_key_of_request,
    require_recent_proof,
    server_of_request,
    set_session_cookie,
)
from landfall.web.rest_models import ERROR_RESPONSES

router = APIRouter(prefix="/api", tags=["accounts"], responses=ERROR_RESPONSES, route_class=BodyRoute)
PasskeyId = Annotated[str, Path(max_length=1400, examples=["AbCd"])]
Credential = Annotated[dict[str, Any], Bounds(0, 32)]


@dataclass(kw_only=True)
class NewPasskeyBody(Body):
    """For a guest: the name of the account to be made."""

    name: Name | None = field(default=None, metadata=make_field_documentation(examples=["Ana"]))


@dataclass(kw_only=True)
class PasskeyBody(Body):
    """What the browser's `navigator.credentials` gave, as JSON."""

    credential: Credential = field(metadata=make_field_documentation(examples=[{"id": "AbCd", "type": "public-key"}]))


@dataclass(kw_only=True)
class MadePasskeyBody(PasskeyBody):
    """The same, of a new passkey; for a guest with the name of the account."""

    name: Name | None = field(default=None, metadata=make_field_documentation(examples=["Ana"]))


@dataclass(kw_only=True)
class CodeBody(Body):
    """An account's name and one of its recovery codes."""

    name: Name = field(metadata=make_field_documentation(examples=["Ana"]))
    code: Annotated[str, Bounds(0, 64)] = field(metadata=make_field_documentation(examples=["abcd-efgh-jkmn-pqrs"]))


@dataclass(kw_only=True)
class ConfirmBody(Body):
    """One of these proves who you are."""

    password: Annotated[str, Bounds(0, 200)] = field(
        default="", metadata=make_field_documentation(examples=["a long password"])
    )
    code: Annotated[str, Bounds(0, 64)] = field(
        default="", metadata=make_field_documentation(examples=["abcd-efgh-jkmn-pqrs"])
    )
    credential: Credential | None = field(default=None, metadata=make_field_documentation(examples=[None]))


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
async def get_sign_in_methods(request: Request, auth: RequiredSession) -> AccountInfo:
    """Passkeys, password, recovery codes."""
    store, person = server_of_request(request).store, auth.person
    renamed = await store.get_last_rename_time(person.id)
    return AccountInfo(
        name=person.name, since=person.created, password=person.password is not None,
        passkeys=[
            PasskeyInfo(id=one.id, device=one.device, created=one.created, used=one.used)
            for one in await store.list_passkeys_of_user(person.id)
        ],
        codes=await store.count_unused_recovery_codes(person.id),
        host=await store.is_server_host(person.id),
        rename=None if renamed is None else renamed + RENAME_INTERVAL_MS,
        recovered=await server_of_request(request).accounts.find_recovery(auth) is not None,
    )  # fmt: skip


@router.post(
    "/account/confirm", summary="Prove again who you are", status_code=204, dependencies=[Depends(limit_sign_in_rate)]
)
async def confirm_identity(request: Request, body: ConfirmBody, auth: RequiredSession) -> None:
    """With your password, a code, or a passkey (`POST /api/login/passkey/options`). It counts for ten minutes, here."""
    server, address = server_of_request(request), rate_limit_key_of_request(request)
    async with server.limited_password_attempt(auth.revocation_key, address, None):
        await server.accounts.confirm_identity(auth, body.password, body.code, body.credential, address)


# --- passkeys -------------------------------------------------------------------------------------------------


@router.post(
    "/passkeys/options",
    summary="Begin to make a passkey",
    dependencies=[Depends(limit_sign_in_rate), Depends(require_recent_proof)],
)
async def get_passkey_creation_options(request: Request, body: NewPasskeyBody, auth: RequiredSession) -> dict[str, Any]:
    """The options for `navigator.credentials.create`. For an account, or to make one of a guest."""
    server = server_of_request(request)
    if auth.person.account is None and server.settings.closed_registration:
        raise Refused("no_registration")
    return await server.accounts.make_passkey_creation_options(auth, body.name)


@router.post("/passkeys", summary="Add a passkey", status_code=201, dependencies=[Depends(limit_sign_in_rate)])
async def add_passkey(request: Request, response: Response, body: MadePasskeyBody, auth: RequiredSession) -> types.Me:
    """A guest's cookie is replaced, as with a password."""
    server = server_of_request(request)
    if auth.person.account is None and server.settings.closed_registration:
        raise Refused("no_registration")
    device = describe_device(request.headers.get("user-agent", ""))
    person = await server.accounts.add_passkey(auth, body.credential, body.name, device)
    if auth.person.account is not None:
        await server.apply_sign_outs_and_deletions()
        return await keep_or_give_cookie(request, response, person, auth)
    async with server.keep_signed_in_while_cookie_is_replaced(auth):
        value = await server.identities.replace_sessions_by_new_cookie(person, device)
        server.move_sockets_to_session(auth, AuthSession(person, hash_session_token(value)))
    await server.accounts.record_recent_proof(person, hash_session_token(value))
    return set_session_cookie(request, response, person, value)


@router.delete(
    "/passkeys/{passkey}", summary="Remove a passkey", status_code=204, dependencies=[Depends(require_recent_proof)]
)
async def remove_passkey(request: Request, passkey: PasskeyId, person: RequiredUser) -> None:
    """Not the last way to sign in."""
    await server_of_request(request).accounts.remove_passkey(person, passkey)


@router.delete(
    "/password",
    summary="Remove your password",
    status_code=204,
    dependencies=[Depends(limit_sign_in_rate), Depends(require_recent_proof)],
)
async def remove_password(request: Request, person: RequiredUser) -> None:
    """Not the last way to sign in."""
    await server_of_request(request).accounts.remove_password(person)


@router.post("/login/passkey/options", summary="Begin to log in", dependencies=[Depends(limit_sign_in_rate)])
async def get_passkey_sign_in_options(request: Request) -> dict[str, Any]:
    """The options for `navigator.credentials.get`."""
    return await server_of_request(request).accounts.make_passkey_sign_in_options()


@router.post("/login/passkey", summary="Log in with a passkey", dependencies=[Depends(limit_sign_in_rate)])
async def log_in_with_passkey(
    request: Request, response: Response, body: PasskeyBody, auth: CurrentSession
) -> types.Me:
    """The passkey says whose it is. A challenge is answered once."""
    person, passkey = await server_of_request(request).accounts.verify_passkey_and_find_owner(body.credential)
    return await give_cookie_after_sign_in(request, response, person, auth, passkey)


# --- recovery codes -------------------------------------------------------------------------------------------


@router.post(
    "/account/codes",
    summary="New recovery codes",
    dependencies=[Depends(limit_sign_in_rate), Depends(require_recent_proof)],
)
async def replace_recovery_codes(request: Request, auth: RequiredSession) -> CodesInfo:
    """Ten, instead of all earlier ones. Shown this once; each works once."""
    return CodesInfo(codes=await server_of_request(request).accounts.replace_recovery_codes(auth))


@router.post("/login/code", summary="Log in with a recovery code", dependencies=[Depends(limit_sign_in_rate)])
async def log_in_with_recovery_code(
    request: Request, response: Response, body: CodeBody, auth: CurrentSession
) -> types.Me:
    """The code is used up. A password or passkey set within a quarter of an hour replaces all ways to sign in."""
    server = server_of_request(request)
    account = await server.identities.sign_in_attempt_key(body.name)
    device = describe_device(request.headers.get("user-agent", ""))
    async with server.limited_password_attempt(account, rate_limit_key_of_request(request), None):
        person, value = await server.accounts.sign_in_by_recovery_code(body.name, body.code, device)
    if auth is not None and auth.session is not None:
        await server.identities.end_sessions_of_user(auth.person, only=auth.session)
    return set_session_cookie(request, response, person, value)


# --- data to take along ---------------------------------------------------------------------------------------


@router.get("/account/data", summary="What is kept about you", dependencies=[Depends(limit_job_rate)])
async def get_personal_data(request: Request, person: RequiredUser) -> dict[str, list[dict[str, Any]]]:
    """By kind, the latest 10,000 of each; without hashes of secrets. Matches are apart."""
    return await server_of_request(request).store.export_personal_data(person.id)


@router.get(
    "/account/matches",
    summary="Records of your matches",
    response_model=list[own_matches.OwnMatch],
    dependencies=[Depends(limit_job_rate)],
)
async def list_own_matches(
    request: Request, person: RequiredUser, before: types.Milliseconds | None = None
) -> Response:
    """Ten at a time, the latest first; `before` (a match's `updated`) pages on. Running ones as you may read them."""
    caller = make_caller(request, person)
    return json_response(await own_matches.list_own_matches(server_of_request(request).hub, caller, before))
