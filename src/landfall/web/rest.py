"""REST: identity, games, tables, records, history."""

from __future__ import annotations

import gzip
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import lru_cache
from hashlib import blake2b
from typing import Annotated, Any, Final

import msgspec
from fastapi import APIRouter, Cookie, Depends, Path, Query, Request, Response
from fastapi.responses import PlainTextResponse

from landfall.api import games, home_page, players, reviews, tables, types
from landfall.api.rate_limits import rate_limit_key_of_client
from landfall.api.types import Caller
from landfall.store.row_types import UserRecord
from landfall.tables.protocol.errors import Refused
from landfall.web.client_files import accepts_encoding, matches_etag
from landfall.web.identity import (
    COOKIE_MAX_AGE_S,
    COOKIE_NAME,
    PLAY_SCOPE,
    READ_SCOPE,
    AuthSession,
    describe_device,
    hash_session_token,
    to_table_user,
)
from landfall.web.request_bodies import BodyRoute
from landfall.web.rest_models import (
    ERROR_RESPONSES,
    AccountBody,
    PasswordBody,
    ReplayInfo,
    ReviewChoices,
    ReviewStatus,
    SessionInfo,
    TableView,
)
from landfall.web.server import Server

API_DESCRIPTION = """Take a name (`POST /api/me`), make a table (`POST /api/tables`), and play over its WebSocket,
`/ws/tables/{table}?after=N`: one JSON object a message, named by its field `t`. `landfall types` prints the schema of
all socket messages. Errors have one shape, with a code, a text key and a sentence."""

MAX_LASTING_ANSWERS = 256  # cached; there are about twenty per game
PACKED_FROM_BYTES = 2_000


router = APIRouter(prefix="/api", responses=ERROR_RESPONSES, route_class=BodyRoute)
GameName = Annotated[types.GameName, Path(examples=["survive"])]
TableId = Annotated[types.TableId, Path(examples=["q3nN0m1cXlTtVbQp0Jx8Zg"])]
LanguageCode = Annotated[types.Language, Query(examples=["pt"])]


def server_of_request(request: Request) -> Server:
    found: Server = request.app.state.server
    return found


# What a bot's token with this scope may ask for; nothing else.
TOKEN_ENDPOINTS: Final = {
    READ_SCOPE: frozenset({
        "get_me", "get_me_or_null", "list_lobby_tables", "list_table_history", "get_table_view", "get_record",
        "get_position",
        "get_player_info", "list_player_matches", "get_player_pool", "list_leaders",
    }),
    PLAY_SCOPE: frozenset({"create_table", "get_resampled_position"}),
}  # fmt: skip


# What a banned user may still do: leave, with their data.
OPEN_TO_BANNED: Final = frozenset(
    {
        "get_me",
        "get_me_or_null",
        "log_out",
        "delete_me",
        "get_personal_data",
        "list_own_matches",
        "get_sign_in_methods",
        "confirm_identity",
    }
)


def token_scope_for_endpoint(endpoint: str) -> str | None:
    """The scope of a token that may ask for this; None: no token may."""
    return next((scope for scope, names in TOKEN_ENDPOINTS.items() if endpoint in names), None)


async def get_request_session(request: Request, landfall: Annotated[str | None, Cookie()] = None) -> AuthSession | None:
    """The session of the request, if any: of a browser's cookie, or of a bot's token that allows this endpoint."""
    authorization = request.headers.get("authorization")
    found: AuthSession | None = await server_of_request(request).identities.authenticate_request(
        landfall, authorization
    )
    if found is not None:
        endpoint = request.scope["endpoint"].__name__
        found.require_scope(token_scope_for_endpoint(endpoint))
        if endpoint not in OPEN_TO_BANNED:
            found.require_not_banned()
    return found


CurrentSession = Annotated[AuthSession | None, Depends(get_request_session)]


async def get_request_user(auth: CurrentSession) -> UserRecord | None:
    """The user of the request, if they have a name."""
    return auth.person if auth is not None else None


async def require_request_session(auth: CurrentSession) -> AuthSession:
    """The session of the request; the user must have a name."""
    if auth is None:
        raise Refused("nameless")
    return auth


async def require_request_user(auth: Annotated[AuthSession, Depends(require_request_session)]) -> UserRecord:
    """The user of the request, who must have a name."""
    return auth.person


RequiredSession = Annotated[AuthSession, Depends(require_request_session)]
OptionalUser = Annotated[UserRecord | None, Depends(get_request_user)]
RequiredUser = Annotated[UserRecord, Depends(require_request_user)]


def rate_limit_key_of_request(request: Request) -> str:
    return rate_limit_key_of_client(request.client)


def make_caller(request: Request, person: UserRecord | None) -> Caller:
    """Who asks, as endpoints know them."""
    return Caller(to_table_user(person), rate_limit_key_of_request(request))


def json_response(found: object) -> Response:
    """An answer as JSON; bytes are JSON already."""
    return Response(found if isinstance(found, bytes) else msgspec.json.encode(found), media_type="application/json")


def limit_sign_in_rate(request: Request) -> None:
    """Limit the rate of new names and password attempts."""
    if not server_of_request(request).newcomer_limiter.try_take_token(rate_limit_key_of_request(request)):
        raise Refused("too_fast")


def limit_job_rate(request: Request) -> None:
    """Limit the rate of expensive requests."""
    if not server_of_request(request).job_limiter.try_take_token(rate_limit_key_of_request(request)):
        raise Refused("too_fast")


def limit_query_rate(request: Request) -> None:
    """Limit the rate of cheap queries, which a thinking player sends often."""
    if not server_of_request(request).user_limiters.queries.try_take_token(rate_limit_key_of_request(request)):
        raise Refused("too_fast")


def describe_me(person: UserRecord) -> types.Me:
    return types.Me(name=person.name, account=person.account is not None, shown=person.shown)


async def keep_or_create_cookie(request: Request, person: UserRecord, auth: AuthSession | None) -> str:
    """A cookie's value: the same again if it is this person's session, else one of a new session."""
    server = server_of_request(request)
    if auth is not None and auth.person.id == person.id and auth.session is not None:
        return request.cookies[COOKIE_NAME]
    if auth is not None and auth.session is not None:  # of another user
        await server.identities.end_sessions_of_user(auth.person, only=auth.session)
    device = describe_device(request.headers.get("user-agent", ""))
    return await server.identities.create_session_cookie(
        person, device, auth is not None and auth.person.id == person.id
    )


async def keep_or_give_cookie(
    request: Request, response: Response, person: UserRecord, auth: AuthSession | None
) -> types.Me:
    """Give the cookie to who has one already, or needs none yet."""
    return set_session_cookie(request, response, person, await keep_or_create_cookie(request, person, auth))


async def give_cookie_after_sign_in(
    request: Request, response: Response, person: UserRecord, auth: AuthSession | None, passkey: str | None = None
) -> types.Me:
    """The same for who has just proved who they are, by password or passkey. Refused: it was revoked meanwhile."""
    with_session = auth if auth is not None and auth.session is not None else None  # a signed cookie proves no more
    server, value = server_of_request(request), await keep_or_create_cookie(request, person, with_session)
    if not await server.accounts.can_still_sign_in(
        person, passkey
    ):  # asked last: a later recovery ends the new session, too
        await server.identities.end_sessions_of_user(person, only=hash_session_token(value))
        raise Refused("login" if passkey is None else "passkey")
    await server.accounts.record_recent_proof(person, hash_session_token(value))
    return set_session_cookie(request, response, person, value)


async def require_recent_proof(request: Request, auth: RequiredSession) -> None:
    """Before credentials are made or changed, or the account is deleted: its owner proved who they are minutes ago."""
    await server_of_request(request).accounts.require_recent_proof(auth)


def set_session_cookie(request: Request, response: Response, person: UserRecord, value: str) -> types.Me:
    """Who you are from now on."""
    server = server_of_request(request)
    secure = server.settings.public_base_url.startswith("https:")
    response.set_cookie(
        COOKIE_NAME, value, max_age=COOKIE_MAX_AGE_S, httponly=True, samesite="lax", secure=secure, path="/"
    )
    return describe_me(person)


# --- identity -------------------------------------------------------------------------------------------------


@router.get("/me", tags=["identity"], summary="Who you are")
async def get_me(request: Request, response: Response, auth: RequiredSession) -> types.Me:
    """The name that others see. A cookie from before there were sessions is exchanged."""
    return describe_me(auth.person) if auth.session else await keep_or_give_cookie(request, response, auth.person, auth)


@router.get("/whoami", tags=["identity"], summary="Who you are, if anybody")
async def get_me_or_null(request: Request, response: Response, auth: CurrentSession) -> types.Me | None:
    """The same, and null for a stranger: nothing is wrong with being one."""
    return None if auth is None else await get_me(request, response, auth)


@router.post("/me", tags=["identity"], summary="Take a name", dependencies=[Depends(limit_sign_in_rate)])
async def set_display_name(
    request: Request, response: Response, body: types.NameBody, auth: CurrentSession
) -> types.Me:
    """A first name, or a new one; an account's once in 30 days, after a recent proof.

    The cookie in the answer is who you are from now on.
    """
    server = server_of_request(request)
    if auth is None:
        return await keep_or_give_cookie(request, response, await server.identities.create_guest(body.name), None)
    if not server.rename_limiter.try_take_token(auth.person.id):
        raise Refused("too_fast")
    return await keep_or_give_cookie(request, response, await server.accounts.rename_user(auth, body.name), auth)


@router.post("/account", tags=["identity"], summary="Make an account", dependencies=[Depends(limit_sign_in_rate)])
async def turn_into_account(request: Request, response: Response, body: AccountBody, auth: CurrentSession) -> types.Me:
    """Keeps your seats and history, and carries them to other devices. The cookie you had as a guest is replaced."""
    server = server_of_request(request)
    if server.settings.closed_registration:
        raise Refused("no_registration")
    guest = auth.person if auth is not None else await server.identities.create_guest(body.name)
    person = await server.identities.turn_guest_into_account(
        guest, body.name, body.password, rate_limit_key_of_request(request)
    )
    async with server.keep_signed_in_while_cookie_is_replaced(auth):
        value = await server.identities.replace_sessions_by_new_cookie(
            person, describe_device(request.headers.get("user-agent", ""))
        )
        if auth is not None:
            server.move_sockets_to_session(auth, AuthSession(person, hash_session_token(value)))
    await server.accounts.record_recent_proof(person, hash_session_token(value))
    return set_session_cookie(request, response, person, value)


@router.post("/login", tags=["identity"], summary="Log in", dependencies=[Depends(limit_sign_in_rate)])
async def log_in_with_password(
    request: Request, response: Response, body: AccountBody, auth: CurrentSession
) -> types.Me:
    """With an account's name and password."""
    server = server_of_request(request)
    account = await server.identities.sign_in_attempt_key(body.name)
    async with server.limited_password_attempt(account, rate_limit_key_of_request(request), auth):
        person = await server.identities.find_account_by_password(
            body.name, body.password, rate_limit_key_of_request(request)
        )
    return await give_cookie_after_sign_in(request, response, person, auth)


@router.post(
    "/password",
    tags=["identity"],
    summary="Change your password",
    status_code=204,
    dependencies=[Depends(limit_sign_in_rate)],
)
async def change_password(request: Request, body: PasswordBody, auth: RequiredSession) -> None:
    """Every other device is signed out. After a recovery code it needs no old one and revokes passkeys and codes."""
    server = server_of_request(request)
    async with server.limited_password_attempt(auth.revocation_key, rate_limit_key_of_request(request), None):
        await server.accounts.change_password(auth, body.old, body.new, rate_limit_key_of_request(request))
    await server.apply_sign_outs_and_deletions()


@router.post("/logout", tags=["identity"], summary="Be nobody again", status_code=204)
async def log_out(request: Request, response: Response, auth: CurrentSession) -> None:
    """Ends this session. A guest who does so cannot return."""
    if auth is not None:
        server = server_of_request(request)
        await server.identities.end_sessions_of_user(auth.person, only=auth.revocation_key)
        await server.apply_sign_outs_and_deletions()
    response.delete_cookie(COOKIE_NAME, path="/")


@router.get("/sessions", tags=["identity"], summary="Where you are signed in")
async def list_sessions(request: Request, auth: RequiredSession) -> list[SessionInfo]:
    """Latest first."""
    found = await server_of_request(request).store.list_sessions_of_user(auth.person.id)
    return [
        SessionInfo(id=s.id, device=s.device, created=s.created, seen=s.seen, here=s.id == auth.session) for s in found
    ]


@router.delete("/sessions", tags=["identity"], summary="Sign out everywhere else", status_code=204)
async def end_other_sessions(request: Request, auth: RequiredSession) -> None:
    """Every device but this one, and one on which a recovery is in progress."""
    await server_of_request(request).identities.end_sessions_of_user(auth.person, but=auth.revocation_key)
    await server_of_request(request).apply_sign_outs_and_deletions()


@router.delete("/sessions/{session}", tags=["identity"], summary="Sign out on one device", status_code=204)
async def sign_out_session(
    request: Request, session: Annotated[str, Path(max_length=64)], auth: RequiredSession
) -> None:
    """Like logging out on that device; not where a recovery is in progress."""
    await server_of_request(request).accounts.require_no_other_recovery(auth, session)
    if not await server_of_request(request).identities.end_sessions_of_user(
        auth.person, only=session, by=auth.revocation_key
    ):
        raise Refused("no_session")
    await server_of_request(request).apply_sign_outs_and_deletions()


@router.delete(
    "/me", tags=["identity"], summary="Be forgotten", status_code=204, dependencies=[Depends(require_recent_proof)]
)
async def delete_me(request: Request, response: Response, auth: RequiredSession) -> None:
    """Deletes account, name, sessions, bots and chat. Matches stay without your name; stand-ins continue them."""
    await server_of_request(request).accounts.require_no_other_recovery(auth)
    await server_of_request(request).delete_user(auth.person.id)
    response.delete_cookie(COOKIE_NAME, path="/")


# --- games ----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=MAX_LASTING_ANSWERS)
def build_cached_body(make: Callable[..., Any], *args: str) -> tuple[bytes, bytes, str]:
    """An answer that never changes: plain, packed, and its tag. Made once, since making some takes the loop long."""
    body = msgspec.json.encode(make(*args))
    return body, gzip.compress(body, 9, mtime=0), f'W/"{blake2b(body, digest_size=12).hexdigest()}"'


def respond_from_cache(request: Request, make: Callable[..., Any], *args: str) -> Response:
    """The same response for everybody until the server is updated: a browser may cache it.

    `make` and `args` say what it is. What is refused is not kept: only answers there are take memory.
    """
    body, packed, etag = build_cached_body(make, *args)
    headers = {"ETag": etag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if matches_etag(request.headers.get("if-none-match", ""), etag):
        return Response(status_code=304, headers=headers)
    if len(body) >= PACKED_FROM_BYTES and accepts_encoding(request.headers.get("accept-encoding", ""), "gzip"):
        body, headers["Content-Encoding"] = packed, "gzip"
    return Response(body, headers=headers, media_type="application/json")


@router.get("/games", tags=["games"], summary="The games and their options", response_model=list[types.GameInfo])
async def list_games(request: Request) -> Response:
    """All there are."""
    return respond_from_cache(request, games.list_games)


@router.post("/games/{game}/options", tags=["games"], summary="Whether a choice of options can be played")
async def check_options_and_fill_defaults(game: GameName, body: types.OptionsBody) -> types.OptionsInfo:
    """All that is wrong with it, each as a text key with arguments, and the options with their defaults filled in."""
    return games.check_options_and_fill_defaults(game, body)


@router.get(
    "/games/{game}/rules", tags=["games"], summary="The numbered rules of a game", response_model=list[types.RuleInfo]
)
async def get_rulebook_rules(request: Request, game: GameName, language: LanguageCode = "en") -> Response:
    """In the order of the rulebook. `landfall` has those of every table."""
    return respond_from_cache(request, games.get_rulebook_rules, game, language)


@router.get(
    "/games/{game}/texts/{language}",
    tags=["games"],
    summary="All sentences of a game in a language",
    response_model=dict[str, str],
)
async def get_catalogue_texts(
    request: Request,
    game: GameName,
    language: Annotated[types.Language, Path(examples=["en"])],
) -> Response:
    """By key; the common ones included. `core/text_catalogue.py` says how they are filled in."""
    return respond_from_cache(request, games.get_catalogue_texts, game, language)


@router.get("/games/{game}/guides", tags=["games"], summary="The guides of a game", response_model=list[dict[str, Any]])
async def get_guides(request: Request, game: GameName, language: LanguageCode = "en") -> Response:
    """Lessons, what brings each of them and what they say; docs/guides.md tells how they are read."""
    return respond_from_cache(request, games.get_guides, game, language)


@router.get(
    "/games/{game}/figures", tags=["games"], summary="Positions beside its rules", response_model=list[dict[str, Any]]
)
async def get_rule_diagrams(request: Request, game: GameName, language: LanguageCode = "en") -> Response:
    """Each as a seat sees it, with what it may choose there and a sentence."""
    return respond_from_cache(request, games.get_rule_diagrams, game, language)


@router.get("/games/{game}/figures/{rule}/why", tags=["games"], summary="Why not, in one of them")
async def find_rule_forbidding_diagram_move(
    game: GameName,
    rule: Annotated[types.RuleId, Path(examples=["SV.M9"])],
    piece: types.Touched = "",
    place: types.Touched = "",
) -> types.Explanation:
    """The rule that forbids a touch; null if none does."""
    return games.find_rule_forbidding_diagram_move(game, rule, piece, place)


@router.get("/bots", tags=["games"], summary="The bots that can be put on a chair", response_model=list[types.BotInfo])
async def list_bot_levels(request: Request) -> Response:
    """By level; codes go as well where the host allows them."""
    return respond_from_cache(request, games.list_bot_levels)


# --- tables ---------------------------------------------------------------------------------------------------


@asynccontextmanager
async def table_maker_within_quota(
    request: Request, person: UserRecord, public: bool, bots: list[str]
) -> AsyncIterator[Caller]:
    """Somebody makes a table inside, not too many, with bots that may be played here."""
    server = server_of_request(request)
    if server.settings.invite_only and person.account is None:
        raise Refused("invite_only")
    quotas = server.quotas
    quotas.require_allowed_bots(bots)
    await quotas.require_bot_table_quota(person.id, person.author)
    async with quotas.new_table_within_quota(person.id, rate_limit_key_of_request(request), public, person.author):
        yield make_caller(request, person)


@router.post("/tables", tags=["tables"], summary="Make a table", status_code=201)
async def create_table(request: Request, body: types.TableBody, person: RequiredUser) -> types.TableLink:
    """You own it and sit on its first chair; send the link to others."""
    async with table_maker_within_quota(request, person, body.public, []) as owner:
        return await tables.create_table(server_of_request(request).hub, owner, body)


@router.post("/tables/quick", tags=["tables"], summary="Play against bots at once", status_code=201)
async def create_table_with_bots(request: Request, body: types.QuickBody, person: RequiredUser) -> types.TableLink:
    """One call makes the table and begins."""
    async with table_maker_within_quota(request, person, body.public, body.bots) as owner:
        return await tables.create_table_with_bots(server_of_request(request).hub, owner, body)


@router.post("/tables/guided", tags=["tables"], summary="Play a game that is explained", status_code=201)
async def create_guided_table(request: Request, body: types.GuidedBody, person: RequiredUser) -> types.TableLink:
    """One call makes the table, with bots on the other chairs, and begins where the guide does."""
    async with table_maker_within_quota(request, person, False, [body.bots]) as owner:
        return await tables.create_guided_table(server_of_request(request).hub, owner, body)


@router.post("/tables/open", tags=["tables"], summary="Open a record", status_code=201)
async def create_table_from_record(request: Request, body: types.ReopenBody, person: RequiredUser) -> types.TableLink:
    """To look at if it is over, to be played on if not: with `seat` at once, by you there and bots elsewhere."""
    async with table_maker_within_quota(request, person, False, [] if body.seat is None else [body.bots]) as owner:
        return await tables.create_table_from_record(server_of_request(request).hub, owner, body)


@router.get("/tables", tags=["tables"], summary="The lobby")
async def list_lobby_tables(request: Request, person: OptionalUser) -> list[types.TableListing]:
    """Public tables that are not over: the latest of each address, then the second of each, and so on."""
    server = server_of_request(request)
    if server.settings.invite_only and (person is None or person.account is None):
        return []
    found = await server.quotas.list_lobby_tables(is_bot=person is not None and person.author is not None)
    return await home_page.describe_visible_tables(server.hub, make_caller(request, person), found)


@router.get("/history", tags=["tables"], summary="The tables you sat at")
async def list_table_history(
    request: Request,
    person: RequiredUser,
    before: types.Milliseconds | None = None,
    over: Annotated[bool | None, Query(description="Only those that are over, or only those that are not.")] = None,
) -> list[types.TableListing]:
    """The latest first; `before` (a table's `updated`) pages on. `over=false`: what you can go on with."""
    return await tables.list_table_history(server_of_request(request).hub, make_caller(request, person), before, over)


@router.get("/tables/{table}", tags=["tables"], summary="A table as you may see it", response_model=TableView)
async def get_table_view(request: Request, table: TableId, person: OptionalUser) -> Response:
    """The same as the first message of its socket."""
    return json_response(
        await tables.get_table_view(server_of_request(request).hub, make_caller(request, person), table)
    )


@router.get(
    "/tables/{table}/record",
    tags=["tables"],
    summary="The record, as you may read it",
    response_model=None,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def get_record(request: Request, table: TableId, person: OptionalUser) -> PlainTextResponse:
    """Open when the match is over; before, what you may not know is hidden."""
    text = await tables.get_record(server_of_request(request).hub, make_caller(request, person), table)
    return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="{table[:8]}.landfall"'})


@router.get("/tables/{table}/position", tags=["tables"], summary="The position, as you may know it")
async def get_position(
    request: Request, table: TableId, person: OptionalUser, seat: types.SeatNumber | None = None
) -> types.PositionInfo:
    """One line, with what a report of a fault needs besides. `seat` must be yours; without it, a spectator's."""
    return await tables.get_position(server_of_request(request).hub, make_caller(request, person), table, seat)


@router.get("/tables/{table}/world", tags=["tables"], summary="The position for a bot that searches")
async def get_resampled_position(
    request: Request, table: TableId, person: RequiredUser, events: bool = False
) -> types.WorldInfo:
    """While it is the bot's turn: a packed position in which everything its seat cannot know was drawn again."""
    server = server_of_request(request)
    if person.author is not None and not server.bot_choice_limiter.try_take_token(f"world {person.author}"):
        raise Refused("too_fast")
    return await tables.get_resampled_position(server.hub, make_caller(request, person), table, events)


ViewpointQuery = Annotated[
    types.Eyes,
    Query(description="A seat; `spectator`; or `open`: everything.", examples=["open", 0]),
]


@router.get(
    "/tables/{table}/replay",
    tags=["tables"],
    summary="A match that is over, moment by moment",
    response_model=ReplayInfo,
    dependencies=[Depends(limit_job_rate)],
)
async def get_table_replay(request: Request, table: TableId, eyes: ViewpointQuery = "open") -> Response:
    """The first view, then for each line of the log the patch of the view, and the events it brought."""
    return json_response(
        await tables.encode_table_replay(server_of_request(request).hub, make_caller(request, None), table, eyes)
    )


@router.post(
    "/replay",
    tags=["tables"],
    summary="A record, moment by moment",
    response_model=ReplayInfo,
    dependencies=[Depends(limit_job_rate)],
)
async def replay_record(request: Request, body: types.RecordBody, eyes: ViewpointQuery = "open") -> Response:
    """As a table that is over; nothing is kept."""
    found = await tables.encode_record_replay(server_of_request(request).hub, make_caller(request, None), body, eyes)
    return json_response(found)


@router.post(
    "/tables/{table}/review",
    tags=["tables"],
    summary="Look back on a match that is over",
    response_model=ReviewStatus,
    dependencies=[Depends(limit_job_rate)],
)
async def request_review(request: Request, table: TableId, person: OptionalUser) -> Response:
    """Has it worked out, once for everybody; the answer is what GET says."""
    return json_response(
        await reviews.request_review(server_of_request(request).reviews, make_caller(request, person), table)
    )


@router.get(
    "/tables/{table}/review",
    tags=["tables"],
    summary="A match looked back on, as far as it is worked out",
    response_model=ReviewStatus,
    dependencies=[Depends(limit_query_rate)],
)
async def get_review(request: Request, table: TableId, person: OptionalUser) -> Response:
    """Each seat's chance to win after every line of the log, what each choice cost, luck, the moments that mattered."""
    return json_response(
        await reviews.get_review(server_of_request(request).reviews, make_caller(request, person), table)
    )


@router.get(
    "/tables/{table}/review/choices",
    tags=["tables"],
    summary="What could have been chosen at a moment of a match that is over",
    response_model=ReviewChoices | None,
    dependencies=[Depends(limit_job_rate)],
)
async def get_review_choices(
    request: Request,
    table: TableId,
    person: OptionalUser,
    at: Annotated[types.LineNumber, Query(description="Lines of the log.")],
) -> Response:
    """As its chooser was offered it, with the chance to win after each; null if nobody chose there."""
    caller = make_caller(request, person)
    return json_response(await reviews.get_review_choices(server_of_request(request).reviews, caller, table, at))


@router.post(
    "/reviews",
    tags=["tables"],
    summary="Look back on a record",
    response_model=ReviewStatus,
    dependencies=[Depends(limit_job_rate)],
)
async def request_record_review(request: Request, body: types.RecordBody, person: OptionalUser) -> Response:
    """Of a match that is over. Kept for a while, under the `key` of the answer."""
    caller = make_caller(request, person)
    return json_response(await reviews.request_record_review(server_of_request(request).reviews, caller, body))


@router.get(
    "/reviews/{key}",
    tags=["tables"],
    summary="A record looked back on",
    response_model=ReviewStatus,
    dependencies=[Depends(limit_query_rate)],
)
async def get_record_review(request: Request, person: OptionalUser, key: reviews.ReviewKey) -> Response:
    """As far as it is worked out."""
    return json_response(
        await reviews.get_record_review(server_of_request(request).reviews, make_caller(request, person), key)
    )


# --- players --------------------------------------------------------------------------------------------------

PlayerName = Annotated[types.PlayerName, Path(examples=["Ana"])]
TableSize = Annotated[types.TableSize, Path(examples=[4])]


@router.get(
    "/players/{player}", tags=["players"], summary="A player's ratings", dependencies=[Depends(limit_query_rate)]
)
async def get_player_info(request: Request, player: PlayerName, person: OptionalUser) -> types.PlayerInfo:
    """Of the owner of an account, by name. Each game and class of table sizes (2, 3-4, 5-6) has a rating of its own."""
    return await players.get_player_info(server_of_request(request).hub, make_caller(request, person), player)


@router.get(
    "/players/{player}/matches",
    tags=["players"],
    summary="A player's rated matches",
    dependencies=[Depends(limit_query_rate)],
)
async def list_player_matches(
    request: Request, player: PlayerName, person: OptionalUser, before: types.LineNumber | None = None
) -> list[types.RatedMatchInfo]:
    """The latest first; `before` (a match's `n`) pages on."""
    return await players.list_player_matches(
        server_of_request(request).hub, make_caller(request, person), player, before
    )


@router.get(
    "/players/{player}/{game}/{size}",
    tags=["players"],
    summary="How a player fares in a game",
    dependencies=[Depends(limit_query_rate)],
)
async def get_player_pool(
    request: Request, player: PlayerName, game: GameName, size: TableSize, person: OptionalUser
) -> types.PlayerPool:
    """The curve of the rating, places, and who was met most, at tables of this class of sizes."""
    return await players.get_player_pool(
        server_of_request(request).hub, make_caller(request, person), player, game, size
    )


@router.get(
    "/leaders/{game}/{size}", tags=["players"], summary="A leaderboard", dependencies=[Depends(limit_query_rate)]
)
async def list_leaders(
    request: Request,
    game: GameName,
    size: TableSize,
    person: OptionalUser,
    after: Annotated[types.PlayerName | None, Query(description="The last name of the page before.")] = None,
    bots: Annotated[bool, Query(description="Online bots instead of people.")] = False,
) -> types.LeaderPage:
    """By rating minus uncertainty. Listed are players with ten rated matches, one of them in the last 60 days."""
    return await players.list_leaders(
        server_of_request(request).hub, make_caller(request, person), game, size, after, bots
    )


@router.get("/tables/{table}/chat", tags=["tables"], summary="What was said")
async def get_chat(request: Request, table: TableId, after: types.LineNumber = 0) -> list[types.ChatInfo]:
    """From a line's number on, the last 200."""
    return await tables.get_chat(server_of_request(request).hub, make_caller(request, None), table, after)
