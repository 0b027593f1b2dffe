"""REST: how an account's owner signs in, a new name, and what is kept about somebody."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import Request, Response
from pydantic import BaseModel, Field

from landfall.api import types
from landfall.api.limits import CHANGE, JOB, QUERY, SIGN_IN
from landfall.api.routes import Access, Route
from landfall.api.types import Body, Name, UrlDocumentation, make_field_documentation
from landfall.store.accounts import RENAME_INTERVAL_MS
from landfall.store.row_types import UserRecord
from landfall.tables.protocol.commands import Bounds
from landfall.web.identity import AuthSession, describe_device, hash_session_token
from landfall.web.rest import give_cookie_after_sign_in, keep_or_give_cookie, set_session_cookie
from landfall.web.rest_club import require_registration
from landfall.web.rest_models import InvitationCode
from landfall.web.server import Server

PasskeyId = Annotated[str, Bounds(0, 1400), UrlDocumentation(examples=("AbCd",))]
Credential = Annotated[dict[str, Any], Bounds(0, 32)]


@dataclass(kw_only=True)
class NewPasskeyBody(Body):
    """For a guest: the name of the account to be made."""

    name: Name | None = field(default=None, metadata=make_field_documentation(examples=["Ana"]))
    invitation: InvitationCode = field(default="", metadata=make_field_documentation(examples=[""]))


@dataclass(kw_only=True)
class PasskeyBody(Body):
    """What the browser's `navigator.credentials` gave, as JSON."""

    credential: Credential = field(metadata=make_field_documentation(examples=[{"id": "AbCd", "type": "public-key"}]))


@dataclass(kw_only=True)
class MadePasskeyBody(PasskeyBody):
    """The same, of a new passkey; for a guest with the name of the account."""

    name: Name | None = field(default=None, metadata=make_field_documentation(examples=["Ana"]))
    invitation: InvitationCode = field(default="", metadata=make_field_documentation(examples=[""]))


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


@Route("GET", "/api/account", "How you sign in", Access.NAMED, QUERY, open_to_banned=True)
async def get_sign_in_methods(server: Server, auth: AuthSession) -> AccountInfo:
    """Passkeys, password, recovery codes."""
    store, person = server.store, auth.person
    renamed = await store.accounts.get_last_rename_time(person.id)
    return AccountInfo(
        name=person.name, since=person.created, password=person.password is not None,
        passkeys=[
            PasskeyInfo(id=one.id, device=one.device, created=one.created, used=one.used)
            for one in await store.accounts.list_passkeys_of_user(person.id)
        ],
        codes=await store.accounts.count_unused_recovery_codes(person.id),
        host=await store.moderation.is_server_host(person.id),
        rename=None if renamed is None else renamed + RENAME_INTERVAL_MS,
        recovered=await server.accounts.find_recovery(auth) is not None,
    )  # fmt: skip


@Route(
    "POST", "/api/account/confirm", "Prove again who you are", Access.NAMED, SIGN_IN, open_to_banned=True, status=204
)
async def confirm_identity(server: Server, address: str, auth: AuthSession, body: ConfirmBody) -> None:
    """With your password, a code, or a passkey (`POST /api/login/passkey/options`). It counts for ten minutes, here."""
    async with server.limited_password_attempt(auth.revocation_key, address, None):
        await server.accounts.confirm_identity(auth, body.password, body.code, body.credential, address)


# --- passkeys -------------------------------------------------------------------------------------------------


@Route("POST", "/api/passkeys/options", "Begin to make a passkey", Access.NAMED, SIGN_IN, recent_proof=True)
async def get_passkey_creation_options(server: Server, auth: AuthSession, body: NewPasskeyBody) -> dict[str, Any]:
    """The options for `navigator.credentials.create`. For an account, or to make one of a guest."""
    if auth.person.account is None:
        await require_registration(server, body.invitation)
    return await server.accounts.make_passkey_creation_options(auth, body.name)


@Route("POST", "/api/passkeys", "Add a passkey", Access.NAMED, SIGN_IN, status=201)
async def add_passkey(
    server: Server, request: Request, response: Response, auth: AuthSession, body: MadePasskeyBody
) -> types.Me:
    """A guest's cookie is replaced, as with a password."""
    if auth.person.account is None:
        await require_registration(server, body.invitation)
    device = describe_device(request.headers.get("user-agent", ""))
    person = await server.accounts.add_passkey(auth, body.credential, body.name, device)
    if auth.person.account is not None:
        await server.apply_sign_outs_and_deletions()
        return await keep_or_give_cookie(server, request, response, person, auth)
    async with server.keep_signed_in_while_cookie_is_replaced(auth):
        value = await server.identities.replace_sessions_by_new_cookie(person, device)
        server.move_sockets_to_session(auth, AuthSession(person, hash_session_token(value)))
    await server.accounts.record_recent_proof(person, hash_session_token(value))
    return await set_session_cookie(server, request, response, person, value)


@Route("DELETE", "/api/passkeys/{passkey}", "Remove a passkey", Access.NAMED, CHANGE, recent_proof=True, status=204)
async def remove_passkey(server: Server, person: UserRecord, passkey: PasskeyId) -> None:
    """Not the last way to sign in."""
    await server.accounts.remove_passkey(person, passkey)


@Route("DELETE", "/api/password", "Remove your password", Access.NAMED, SIGN_IN, recent_proof=True, status=204)
async def remove_password(server: Server, person: UserRecord) -> None:
    """Not the last way to sign in."""
    await server.accounts.remove_password(person)


@Route("POST", "/api/login/passkey/options", "Begin to log in", Access.OPEN, SIGN_IN)
async def get_passkey_sign_in_options(server: Server) -> dict[str, Any]:
    """The options for `navigator.credentials.get`."""
    return await server.accounts.make_passkey_sign_in_options()


@Route("POST", "/api/login/passkey", "Log in with a passkey", Access.ANYBODY, SIGN_IN)
async def log_in_with_passkey(
    server: Server, request: Request, response: Response, auth: AuthSession | None, body: PasskeyBody
) -> types.Me:
    """The passkey says whose it is. A challenge is answered once."""
    person, passkey = await server.accounts.verify_passkey_and_find_owner(body.credential)
    return await give_cookie_after_sign_in(server, request, response, person, auth, passkey)


# --- recovery codes -------------------------------------------------------------------------------------------


@Route("POST", "/api/account/codes", "New recovery codes", Access.NAMED, SIGN_IN, recent_proof=True)
async def replace_recovery_codes(server: Server, auth: AuthSession) -> CodesInfo:
    """Ten, instead of all earlier ones. Shown this once; each works once."""
    return CodesInfo(codes=await server.accounts.replace_recovery_codes(auth))


@Route("POST", "/api/login/code", "Log in with a recovery code", Access.ANYBODY, SIGN_IN)
async def log_in_with_recovery_code(
    server: Server, request: Request, address: str, response: Response, auth: AuthSession | None, body: CodeBody
) -> types.Me:
    """The code is used up. A password or passkey set within a quarter of an hour replaces all ways to sign in."""
    account = await server.identities.sign_in_attempt_key(body.name)
    device = describe_device(request.headers.get("user-agent", ""))
    async with server.limited_password_attempt(account, address, None):
        person, value = await server.accounts.sign_in_by_recovery_code(body.name, body.code, device)
    if auth is not None and auth.session is not None:
        await server.identities.end_sessions_of_user(auth.person, only=auth.session)
    return await set_session_cookie(server, request, response, person, value)


# --- data to take along ---------------------------------------------------------------------------------------


@Route("GET", "/api/account/data", "What is kept about you", Access.NAMED, JOB, open_to_banned=True)
async def get_personal_data(server: Server, person: UserRecord) -> dict[str, list[dict[str, Any]]]:
    """By kind, the latest 10,000 of each; without hashes of secrets. Matches are apart."""
    return await server.store.personal_data.export_personal_data(person.id)
