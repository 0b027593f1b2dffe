"""REST: identity and sessions, and the lobby's list of tables."""

from __future__ import annotations

import secrets
from typing import Annotated

from fastapi import Request, Response

from landfall.api import home_page, types
from landfall.api.limits import CHANGE, NAME, QUERY, SIGN_IN
from landfall.api.routes import READ, Access, Route
from landfall.api.types import Caller
from landfall.store.row_types import UserRecord
from landfall.tables.protocol.commands import Bounds
from landfall.tables.protocol.errors import Refused
from landfall.web.identity import (
    COOKIE_MAX_AGE_S,
    COOKIE_NAME,
    DEVICE_COOKIE_NAME,
    AuthSession,
    describe_device,
    hash_session_token,
)
from landfall.web.rest_club import require_registration
from landfall.web.rest_models import AccountBody, PasswordBody, SessionInfo
from landfall.web.server import Server


async def describe_me(server: Server, person: UserRecord) -> types.Me:
    host = person.account is not None and await server.store.moderation.is_server_host(person.id)
    return types.Me(name=person.name, account=person.account is not None, shown=person.shown, host=host)


async def keep_or_create_cookie(server: Server, request: Request, person: UserRecord, auth: AuthSession | None) -> str:
    """A cookie's value: the same again if it is this person's session, else one of a new session."""
    if auth is not None and auth.person.id == person.id and auth.session is not None:
        return request.cookies[COOKIE_NAME]
    if auth is not None and auth.session is not None:  # of another user
        await server.identities.end_sessions_of_user(auth.person, only=auth.session)
    device = describe_device(request.headers.get("user-agent", ""))
    return await server.identities.create_session_cookie(
        person, device, auth is not None and auth.person.id == person.id
    )


async def keep_or_give_cookie(
    server: Server, request: Request, response: Response, person: UserRecord, auth: AuthSession | None
) -> types.Me:
    """Give the cookie to who has one already, or needs none yet."""
    return await set_session_cookie(
        server, request, response, person, await keep_or_create_cookie(server, request, person, auth)
    )


async def give_cookie_after_sign_in(
    server: Server,
    request: Request,
    response: Response,
    person: UserRecord,
    auth: AuthSession | None,
    passkey: str | None = None,
) -> types.Me:
    """The same for who has just proved who they are, by password or passkey. Refused: it was revoked meanwhile."""
    with_session = auth if auth is not None and auth.session is not None else None  # a signed cookie proves no more
    value = await keep_or_create_cookie(server, request, person, with_session)
    if not await server.accounts.can_still_sign_in(
        person, passkey
    ):  # asked last: a later recovery ends the new session, too
        await server.identities.end_sessions_of_user(person, only=hash_session_token(value))
        raise Refused("login" if passkey is None else "passkey")
    await server.accounts.record_recent_proof(person, hash_session_token(value))
    return await set_session_cookie(server, request, response, person, value)


async def set_session_cookie(
    server: Server, request: Request, response: Response, person: UserRecord, value: str
) -> types.Me:
    """Who you are from now on."""
    secure = server.settings.public_base_url.startswith("https:")
    device = request.cookies.get(DEVICE_COOKIE_NAME) or secrets.token_urlsafe(16)
    for name, content in ((COOKIE_NAME, value), (DEVICE_COOKIE_NAME, device)):
        response.set_cookie(
            name, content, max_age=COOKIE_MAX_AGE_S, httponly=True, samesite="lax", secure=secure, path="/"
        )
    return await describe_me(server, person)


# --- identity -------------------------------------------------------------------------------------------------


@Route("GET", "/api/me", "Who you are", Access.NAMED, QUERY, token=READ, open_to_banned=True)
async def get_me(server: Server, request: Request, response: Response, auth: AuthSession) -> types.Me:
    """The name that others see. A cookie from before there were sessions is exchanged."""
    return (
        await describe_me(server, auth.person)
        if auth.session
        else await keep_or_give_cookie(server, request, response, auth.person, auth)
    )


@Route("GET", "/api/whoami", "Who you are, if anybody", Access.ANYBODY, QUERY, token=READ, open_to_banned=True)
async def get_me_or_null(
    server: Server, request: Request, response: Response, auth: AuthSession | None
) -> types.Me | None:
    """The same, and null for a stranger: nothing is wrong with being one."""
    return None if auth is None else await get_me(server, request, response, auth)


@Route("POST", "/api/me", "Take a name", Access.ANYBODY, NAME)
async def set_display_name(
    server: Server, request: Request, response: Response, auth: AuthSession | None, body: types.NameBody
) -> types.Me:
    """A first name, or a new one; an account's once in 30 days, after a recent proof.

    The cookie in the answer is who you are from now on.
    """
    if auth is None:
        return await keep_or_give_cookie(
            server, request, response, await server.identities.create_guest(body.name), None
        )
    return await keep_or_give_cookie(
        server, request, response, await server.accounts.rename_user(auth, body.name), auth
    )


@Route("POST", "/api/account", "Make an account", Access.ANYBODY, SIGN_IN)
async def turn_into_account(
    server: Server, request: Request, address: str, response: Response, auth: AuthSession | None, body: AccountBody
) -> types.Me:
    """Keeps your seats and history, and carries them to other devices. The cookie you had as a guest is replaced."""
    await require_registration(server, body.invitation)
    guest = auth.person if auth is not None else await server.identities.create_guest(body.name)
    person = await server.identities.turn_guest_into_account(guest, body.name, body.password, address)
    async with server.keep_signed_in_while_cookie_is_replaced(auth):
        value = await server.identities.replace_sessions_by_new_cookie(
            person, describe_device(request.headers.get("user-agent", ""))
        )
        if auth is not None:
            server.move_sockets_to_session(auth, AuthSession(person, hash_session_token(value)))
    await server.accounts.record_recent_proof(person, hash_session_token(value))
    return await set_session_cookie(server, request, response, person, value)


@Route("POST", "/api/login", "Log in", Access.ANYBODY, SIGN_IN)
async def log_in_with_password(
    server: Server, request: Request, address: str, response: Response, auth: AuthSession | None, body: AccountBody
) -> types.Me:
    """With an account's name and password."""
    account = await server.identities.sign_in_attempt_key(body.name)
    async with server.limited_password_attempt(account, address, auth):
        person = await server.identities.find_account_by_password(body.name, body.password, address)
    return await give_cookie_after_sign_in(server, request, response, person, auth)


@Route("POST", "/api/password", "Change your password", Access.NAMED, SIGN_IN, status=204)
async def change_password(server: Server, address: str, auth: AuthSession, body: PasswordBody) -> None:
    """Every other device is signed out. After a recovery code it needs no old one and revokes passkeys and codes."""
    async with server.limited_password_attempt(auth.revocation_key, address, None):
        await server.accounts.change_password(auth, body.old, body.new, address)
    await server.apply_sign_outs_and_deletions()


@Route("POST", "/api/logout", "Be nobody again", Access.ANYBODY, CHANGE, open_to_banned=True, status=204)
async def log_out(server: Server, response: Response, auth: AuthSession | None) -> None:
    """Ends this session. A guest who does so cannot return."""
    if auth is not None:
        await server.identities.end_sessions_of_user(auth.person, only=auth.revocation_key)
        await server.apply_sign_outs_and_deletions()
    response.delete_cookie(COOKIE_NAME, path="/")


@Route("GET", "/api/sessions", "Where you are signed in", Access.NAMED, QUERY)
async def list_sessions(server: Server, auth: AuthSession) -> list[SessionInfo]:
    """Latest first."""
    found = await server.store.sessions.list_sessions_of_user(auth.person.id)
    return [
        SessionInfo(id=s.id, device=s.device, created=s.created, seen=s.seen, here=s.id == auth.session) for s in found
    ]


@Route("DELETE", "/api/sessions", "Sign out everywhere else", Access.NAMED, CHANGE, status=204)
async def end_other_sessions(server: Server, auth: AuthSession) -> None:
    """Every device but this one, and one on which a recovery is in progress."""
    await server.identities.end_sessions_of_user(auth.person, but=auth.revocation_key)
    await server.apply_sign_outs_and_deletions()


@Route("DELETE", "/api/sessions/{session}", "Sign out on one device", Access.NAMED, CHANGE, status=204)
async def sign_out_session(server: Server, auth: AuthSession, session: Annotated[str, Bounds(0, 64)]) -> None:
    """Like logging out on that device; not where a recovery is in progress."""
    await server.accounts.require_no_other_recovery(auth, session)
    if not await server.identities.end_sessions_of_user(auth.person, only=session, by=auth.revocation_key):
        raise Refused("no_session")
    await server.apply_sign_outs_and_deletions()


@Route("DELETE", "/api/me", "Be forgotten", Access.NAMED, CHANGE, open_to_banned=True, recent_proof=True, status=204)
async def delete_me(server: Server, response: Response, auth: AuthSession) -> None:
    """Deletes account, name, sessions, bots and chat. Matches stay without your name; stand-ins continue them."""
    await server.accounts.require_no_other_recovery(auth)
    await server.delete_user(auth.person.id)
    response.delete_cookie(COOKIE_NAME, path="/")


# --- the lobby ------------------------------------------------------------------------------------------------


@Route("GET", "/api/tables", "The lobby", Access.ANYBODY, QUERY, token=READ, tag="tables")
async def list_lobby_tables(server: Server, caller: Caller, person: UserRecord | None) -> list[types.TableListing]:
    """Public tables that are not over: the latest of each address, then the second of each, and so on."""
    if server.settings.invite_only and (person is None or person.account is None):
        return []
    found = await server.quotas.list_lobby_tables(is_bot=person is not None and person.author is not None)
    return await home_page.describe_visible_tables(server.hub, server.store, caller, found)
