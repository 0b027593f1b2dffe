"""REST: identity, games, tables, records, history."""

from __future__ import annotations

import gzip
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import lru_cache
from hashlib import blake2b
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Cookie, Depends, Path, Query, Request, Response
from fastapi.encoders import jsonable_encoder
from fastapi.responses import PlainTextResponse

import landfall
from landfall import guides as guided
from landfall import rulebook
from landfall.core import options as opt
from landfall.core.texts import LANGUAGES, load_catalogue
from landfall.games import GAME_NAMES
from landfall.games import game as find_game
from landfall.store.database_errors import DATABASE_ERRORS
from landfall.store.rows import TableSummary, UserRecord
from landfall.tables.bots import bot_levels
from landfall.tables.jobs.replay import replay_record, replay_to_json, seat_of
from landfall.tables.live.archive import table_position, table_record
from landfall.tables.live.fair_play import Asker
from landfall.tables.live.hub import TableConfig
from landfall.tables.live.subscriber import Subscriber, User
from landfall.tables.log.clocks import ClockRule
from landfall.tables.log.table import OVER
from landfall.tables.protocol import text_validation
from landfall.tables.protocol.errors import Refused
from landfall.tables.teaching import rule_diagrams
from landfall.web.bodies import BodyRoute
from landfall.web.client_files import accepts_encoding, matches_etag
from landfall.web.identity import COOKIE_MAX_AGE_S, COOKIE_NAME, AuthSession, describe_device, hash_token
from landfall.web.message_codec import encode_message
from landfall.web.rate_limits import client_address
from landfall.web.rest_models import (
    ERROR_RESPONSES,
    AccountBody,
    BotInfo,
    ChatInfo,
    GameInfo,
    GuidedBody,
    Me,
    NameBody,
    OptionsBody,
    OptionsInfo,
    PasswordBody,
    PositionInfo,
    ProblemInfo,
    QuickBody,
    RecordBody,
    ReopenBody,
    ReplayInfo,
    ReviewChoices,
    ReviewStatus,
    RuleInfo,
    SessionInfo,
    TableBody,
    TableLink,
    TableListing,
    TableView,
)
from landfall.web.server import Server

API_DESCRIPTION = """Take a name (`POST /api/me`), make a table (`POST /api/tables`), and play over its WebSocket,
`/ws/tables/{table}?after=N`: one JSON object a message, named by its field `t`. `landfall types` prints the schema of
all socket messages. Errors have one shape, with a code, a text key and a sentence."""

MAX_LASTING_ANSWERS = 256  # cached; there are about twenty per game
PACKED_FROM_BYTES = 2_000


router = APIRouter(prefix="/api", responses=ERROR_RESPONSES, route_class=BodyRoute)
GameName = Annotated[str, Path(max_length=40, examples=["survive"])]
TableId = Annotated[str, Path(max_length=64, examples=["q3nN0m1cXlTtVbQp0Jx8Zg"])]


def server_of(request: Request) -> Server:
    found: Server = request.app.state.server
    return found


async def current_session(request: Request, landfall: Annotated[str | None, Cookie()] = None) -> AuthSession | None:
    """The session of the request, if any."""
    found: AuthSession | None = await server_of(request).identities.authenticate(landfall)
    return found


CurrentSession = Annotated[AuthSession | None, Depends(current_session)]


async def optional_user(auth: CurrentSession) -> UserRecord | None:
    """The user of the request, if they have a name."""
    return auth.person if auth is not None else None


async def require_session(auth: CurrentSession) -> AuthSession:
    """The session of the request; the user must have a name."""
    if auth is None:
        raise Refused("nameless")
    return auth


async def require_named_user(auth: Annotated[AuthSession, Depends(require_session)]) -> UserRecord:
    """The user of the request, who must have a name."""
    return auth.person


RequiredSession = Annotated[AuthSession, Depends(require_session)]
OptionalUser = Annotated[UserRecord | None, Depends(optional_user)]
RequiredUser = Annotated[UserRecord, Depends(require_named_user)]


def address_of_request(request: Request) -> str:
    return client_address(request.client)


def asker(request: Request, person: UserRecord | None) -> Asker:
    """Who requests an analysis."""
    return Asker(person.id if person is not None else None, address_of_request(request))


def limit_newcomers(request: Request) -> None:
    """Limit the rate of new names and password attempts."""
    if not server_of(request).newcomer_limiter.try_take(address_of_request(request)):
        raise Refused("too_fast")


def limit_jobs(request: Request) -> None:
    """Limit the rate of expensive requests."""
    if not server_of(request).job_limiter.try_take(address_of_request(request)):
        raise Refused("too_fast")


def limit_queries(request: Request) -> None:
    """Limit the rate of cheap queries, which a thinking player sends often."""
    if not server_of(request).query_limiter.try_take(address_of_request(request)):
        raise Refused("too_fast")


def to_me(person: UserRecord) -> Me:
    return Me(name=person.name, account=person.account is not None)


async def set_cookie(request: Request, response: Response, person: UserRecord, auth: AuthSession | None) -> Me:
    """Set the cookie: unchanged for this user's session, else that of a new session."""
    server = server_of(request)
    if auth is not None and auth.person.id == person.id and auth.session is not None:
        value = request.cookies[COOKIE_NAME]
    else:
        if auth is not None and auth.session is not None:  # of another user
            await server.identities.end_sessions(auth.person, only=auth.session)
        value = await server.identities.start_session(person, describe_device(request.headers.get("user-agent", "")))
    return give_cookie(request, response, person, value)


def give_cookie(request: Request, response: Response, person: UserRecord, value: str) -> Me:
    """Set the session cookie."""
    server = server_of(request)
    secure = server.settings.base.startswith("https:")
    response.set_cookie(
        COOKIE_NAME, value, max_age=COOKIE_MAX_AGE_S, httponly=True, samesite="lax", secure=secure, path="/"
    )
    return to_me(person)


# --- identity -------------------------------------------------------------------------------------------------


@router.get("/me", tags=["identity"], summary="Who you are")
async def get_me(request: Request, response: Response, auth: RequiredSession) -> Me:
    """The name that others see. A cookie from before there were sessions is exchanged."""
    return to_me(auth.person) if auth.session else await set_cookie(request, response, auth.person, auth)


@router.get("/whoami", tags=["identity"], summary="Who you are, if anybody")
async def get_me_or_null(request: Request, response: Response, auth: CurrentSession) -> Me | None:
    """The same, but null for a stranger instead of an error."""
    return None if auth is None else await get_me(request, response, auth)


@router.post("/me", tags=["identity"], summary="Take a name", dependencies=[Depends(limit_newcomers)])
async def set_name(request: Request, response: Response, body: NameBody, auth: CurrentSession) -> Me:
    """A guest's first name, or a new one. The cookie in the response identifies you from now on."""
    server = server_of(request)
    if auth is None:
        return await set_cookie(request, response, await server.identities.create_guest(body.name), None)
    if not server.rename_limiter.try_take(auth.person.id):
        raise Refused("too_fast")
    return await set_cookie(request, response, await server.identities.rename(auth.person, body.name), auth)


@router.post("/account", tags=["identity"], summary="Make an account", dependencies=[Depends(limit_newcomers)])
async def register(request: Request, response: Response, body: AccountBody, auth: CurrentSession) -> Me:
    """Keeps your seats and history, and makes them available on other devices. Your guest cookie is replaced."""
    server = server_of(request)
    guest = auth.person if auth is not None else await server.identities.create_guest(body.name)
    person = await server.identities.register(guest, body.name, body.password, address_of_request(request))
    value = await server.identities.rotate(person, describe_device(request.headers.get("user-agent", "")))
    if auth is not None:
        server.keep_sockets(auth, AuthSession(person, hash_token(value)))
    return give_cookie(request, response, person, value)


@router.post("/login", tags=["identity"], summary="Log in", dependencies=[Depends(limit_newcomers)])
async def login(request: Request, response: Response, body: AccountBody, auth: CurrentSession) -> Me:
    """With an account's name and password."""
    server = server_of(request)
    async with server.password_attempt(text_validation.account_name(body.name), address_of_request(request), auth):
        person = await server.identities.login(body.name, body.password, address_of_request(request))
    return await set_cookie(request, response, person, auth)


@router.post("/password", tags=["identity"], summary="Change your password", status_code=204)
async def change_password(request: Request, body: PasswordBody, auth: RequiredSession) -> None:
    """Every other device is signed out."""
    server = server_of(request)
    async with server.password_attempt(auth.revocation_key, address_of_request(request), None):
        await server.identities.change_password(auth, body.old, body.new, address_of_request(request))
    await server.apply_sign_outs()


@router.post("/logout", tags=["identity"], summary="Be nobody again", status_code=204)
async def logout(request: Request, response: Response, auth: CurrentSession) -> None:
    """Ends this session. A guest who does so cannot return."""
    if auth is not None:
        server = server_of(request)
        await server.identities.end_sessions(auth.person, only=auth.revocation_key)
        await server.apply_sign_outs()
    response.delete_cookie(COOKIE_NAME, path="/")


@router.get("/sessions", tags=["identity"], summary="Where you are signed in")
async def list_sessions(request: Request, auth: RequiredSession) -> list[SessionInfo]:
    """Latest first."""
    found = await server_of(request).store.list_sessions(auth.person.id)
    return [
        SessionInfo(id=s.id, device=s.device, created=s.created, seen=s.seen, here=s.id == auth.session) for s in found
    ]


@router.delete("/sessions", tags=["identity"], summary="Sign out everywhere else", status_code=204)
async def end_other_sessions(request: Request, auth: RequiredSession) -> None:
    """Every device but this one."""
    await server_of(request).identities.end_sessions(auth.person, but=auth.session)
    await server_of(request).apply_sign_outs()


@router.delete("/sessions/{session}", tags=["identity"], summary="Sign out on one device", status_code=204)
async def end_session(request: Request, session: Annotated[str, Path(max_length=64)], auth: RequiredSession) -> None:
    """Like logging out on that device."""
    if not await server_of(request).identities.end_sessions(auth.person, only=session):
        raise Refused("no_session")
    await server_of(request).apply_sign_outs()


@router.delete("/me", tags=["identity"], summary="Be forgotten", status_code=204)
async def delete_me(request: Request, response: Response, person: RequiredUser) -> None:
    """Deletes account, name, sessions and chat. Matches stay without your name; a stand-in continues running ones."""
    server = server_of(request)
    await server.store.forget_user(person.id)
    server.spawn(server.hub.notify_until_sent("people", ""))
    try:
        await server.apply_sign_outs()
    except DATABASE_ERRORS as error:  # the account is deleted; the rest is retried until it succeeds
        server.log.warning("somebody who was deleted is still at tables: %s", type(error).__name__)
    response.delete_cookie(COOKIE_NAME, path="/")


# --- games ----------------------------------------------------------------------------------------------------


def game_info(name: str) -> GameInfo:
    game = find_game(name)
    return GameInfo(
        name=name,
        rules_version=game.rules_version,
        counts=list(game.player_counts),
        colours=list(game.colours),
        num_actions=game.num_actions,
        options=[option.schema() for option in game.options],  # type: ignore[misc]
        guides=[one["id"] for one in guided.load_guide_book(name)["guides"]],
    )


@lru_cache(maxsize=MAX_LASTING_ANSWERS)
def lasting_body(make: Callable[..., Any], *args: str) -> tuple[bytes, bytes, str]:
    """A constant response: plain, compressed, and its ETag. Cached, because some are slow to build."""
    body = msgspec.json.encode(jsonable_encoder(make(*args)))
    return body, gzip.compress(body, 9, mtime=0), f'W/"{blake2b(body, digest_size=12).hexdigest()}"'


def cacheable_response(request: Request, make: Callable[..., Any], *args: str) -> Response:
    """The same response for everybody until the server is updated: a browser may cache it.

    `make` and `args` identify it; args must be validated before, so that only existing responses take memory.
    """
    body, packed, etag = lasting_body(make, *args)
    headers = {"ETag": etag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if matches_etag(request.headers.get("if-none-match", ""), etag):
        return Response(status_code=304, headers=headers)
    if len(body) >= PACKED_FROM_BYTES and accepts_encoding(request.headers.get("accept-encoding", ""), "gzip"):
        body, headers["Content-Encoding"] = packed, "gzip"
    return Response(body, headers=headers, media_type="application/json")


def all_games() -> list[GameInfo]:
    return [game_info(name) for name in GAME_NAMES]


def all_rules(game: str, language: str) -> list[RuleInfo]:
    return [RuleInfo(id=rule.id, chapter=rule.chapter, text=rule.text) for rule in rulebook.load_rules(game, language)]


def all_texts(game: str, language: str) -> dict[str, str]:
    return {**load_catalogue("", language), **load_catalogue(game, language)}


def all_bots() -> list[BotInfo]:
    return [BotInfo(level=level, code=code) for level, code in bot_levels.LEVELS.items()]


@router.get("/games", tags=["games"], summary="The games and their options", response_model=list[GameInfo])
async def list_games(request: Request) -> Response:
    """All games."""
    return cacheable_response(request, all_games)


@router.post("/games/{game}/options", tags=["games"], summary="Whether a choice of options can be played")
async def check_options(game: GameName, body: OptionsBody) -> OptionsInfo:
    """All problems, each as a text key with arguments, and the options with their defaults filled in."""
    found = find_game(game)
    faults = opt.find_problems(found.options, found.player_counts, body.players, body.options)
    complete = {option.name: body.options.get(option.name, option.default) for option in found.options}
    problems = [ProblemInfo(option=option, key=key, args=args, text=text) for option, key, args, text in faults]
    return OptionsInfo(options=complete, problems=problems)


def check_language(language: str) -> None:
    if language not in LANGUAGES:
        raise Refused("language", language=language, languages=", ".join(LANGUAGES))


@router.get(
    "/games/{game}/rules", tags=["games"], summary="The numbered rules of a game", response_model=list[RuleInfo]
)
async def get_rules(
    request: Request, game: GameName, language: Annotated[str, Query(max_length=8, examples=["pt"])] = "en"
) -> Response:
    """In rulebook order. `landfall` has the rules of every table."""
    if game != rulebook.COMMON:
        find_game(game)
    check_language(language)
    return cacheable_response(request, all_rules, game, language)


@router.get(
    "/games/{game}/texts/{language}",
    tags=["games"],
    summary="All sentences of a game in a language",
    response_model=dict[str, str],
)
async def get_texts(
    request: Request,
    game: GameName,
    language: Annotated[str, Path(max_length=8, examples=["en"])],
) -> Response:
    """By key, including the shared ones. `core/texts.py` describes the templates."""
    find_game(game)
    check_language(language)
    return cacheable_response(request, all_texts, game, language)


LanguageCode = Annotated[str, Query(max_length=8, examples=["pt"])]


@router.get("/games/{game}/guides", tags=["games"], summary="The guides of a game", response_model=list[dict[str, Any]])
async def get_guides(request: Request, game: GameName, language: LanguageCode = "en") -> Response:
    """Lessons, their triggers and their texts; docs/guides.md describes them."""
    find_game(game)
    check_language(language)
    return cacheable_response(request, guided.guides_for_client, game, language)


@router.get(
    "/games/{game}/figures", tags=["games"], summary="Positions beside its rules", response_model=list[dict[str, Any]]
)
async def get_diagrams(request: Request, game: GameName, language: LanguageCode = "en") -> Response:
    """Each with a seat's view, its choices and a sentence."""
    find_game(game)
    check_language(language)
    return cacheable_response(request, rule_diagrams.list_diagrams, game, language)


@router.get("/games/{game}/figures/{rule}/why", tags=["games"], summary="Why not, in one of them")
async def explain_diagram(
    game: GameName,
    rule: Annotated[str, Path(max_length=8, examples=["SV.M9"])],
    piece: Annotated[str, Query(max_length=40)] = "",
    place: Annotated[str, Query(max_length=40)] = "",
) -> dict[str, str | None]:
    """The rule that forbids a click; null if none does."""
    return {"rule": rule_diagrams.explain_touch(game, rule, piece, place)}


@router.get("/bots", tags=["games"], summary="The bots that can be put on a chair", response_model=list[BotInfo])
async def list_bots(request: Request) -> Response:
    """By level; codes are accepted as well if the host allows them."""
    return cacheable_response(request, all_bots)


# --- tables ---------------------------------------------------------------------------------------------------


def to_table_config(body: TableBody) -> TableConfig:
    clock = ClockRule(body.clock.mode, body.clock.turn, body.clock.bank, body.clock.days)
    return TableConfig(
        body.game, body.players, body.options, clock, body.public, body.seating, body.hot_seat, body.pace
    )


def table_link(request: Request, table: str) -> TableLink:
    return TableLink(table=table, link=f"{server_of(request).settings.base}/t/{table}")


@asynccontextmanager
async def require_quota(request: Request, person: UserRecord, public: bool, bots: list[str]) -> AsyncIterator[User]:
    """A context in which a user creates a table, within quotas and with allowed bots."""
    quotas = server_of(request).quotas
    quotas.check_bots(bots)
    async with quotas.check_new_table(person.id, address_of_request(request), public):
        yield User(person.id, person.name)


def to_listing(summary: TableSummary, you: str | None = None) -> TableListing:
    info = summary.info
    people = info.get("people", [])
    return TableListing(
        table=summary.table, game=summary.game, status=summary.status, public=summary.public, created=summary.created,  # type: ignore[arg-type]
        updated=summary.updated, players=info["players"], options=info["options"], clock=info["clock"],
        chairs=info["chairs"], ended=info["ended"], ranking=info.get("ranking"),
        you=[seat for seat, person in enumerate(people) if you is not None and person == you],
        owner=you is not None and summary.owner == you,
    )  # fmt: skip


@router.post("/tables", tags=["tables"], summary="Make a table", status_code=201)
async def create_table(request: Request, body: TableBody, person: RequiredUser) -> TableLink:
    """You own it and have its first chair; send the link to others."""
    async with require_quota(request, person, body.public, []) as owner:
        return table_link(request, await server_of(request).hub.create_table(owner, to_table_config(body)))


@router.post("/tables/quick", tags=["tables"], summary="Play against bots at once", status_code=201)
async def create_quick_table(request: Request, body: QuickBody, person: RequiredUser) -> TableLink:
    """Creates the table and starts the match."""
    async with require_quota(request, person, body.public, body.bots) as owner:
        return table_link(
            request, await server_of(request).hub.create_quick_table(owner, to_table_config(body), body.bots)
        )


@router.post("/tables/guided", tags=["tables"], summary="Play a game that is explained", status_code=201)
async def create_guided_table(request: Request, body: GuidedBody, person: RequiredUser) -> TableLink:
    """Creates the table with bots on the other chairs, and starts from the guide's position."""
    async with require_quota(request, person, False, [body.bots]) as owner:
        return table_link(
            request, await server_of(request).hub.create_guided_table(owner, body.game, body.guide, body.bots)
        )


@router.post("/tables/open", tags=["tables"], summary="Open a record", status_code=201)
async def open_record(request: Request, body: ReopenBody, person: RequiredUser) -> TableLink:
    """To view if it is over, to continue if not: with `seat` at once, you there and bots elsewhere."""
    hub = server_of(request).hub
    async with require_quota(request, person, False, [] if body.seat is None else [body.bots]) as owner:
        return table_link(
            request,
            await hub.create_from_record(
                owner, body.record, body.lines, body.seat, body.bots, address_of_request(request)
            ),
        )


@router.get("/tables", tags=["tables"], summary="The lobby")
async def list_lobby(request: Request, person: OptionalUser) -> list[TableListing]:
    """Public tables that are not over: the latest of each address, then the second of each, and so on."""
    server = server_of(request)
    you = person.id if person else None
    return [server.add_live_info(to_listing(summary, you)) for summary in await server.quotas.lobby()]


@router.get("/history", tags=["tables"], summary="The tables you sat at")
async def list_history(
    request: Request,
    person: RequiredUser,
    before: Annotated[int | None, Query(ge=0, le=2**53)] = None,
    over: Annotated[bool | None, Query(description="Only those that are over, or only those that are not.")] = None,
) -> list[TableListing]:
    """Latest first; `before` (a table's `updated`) is for paging. `over=false`: matches that you can continue."""
    server = server_of(request)
    return [
        server.add_live_info(to_listing(summary, person.id))
        for summary in await server.store.history(person.id, 50, before, over)
    ]


@router.get("/tables/{table}", tags=["tables"], summary="A table as you may see it", response_model=TableView)
async def get_table_view(request: Request, table: TableId, person: OptionalUser) -> Response:
    """The same as the first message of its socket."""
    live = await server_of(request).hub.get_table(table)
    subscriber = Subscriber(live, User(person.id, person.name) if person else None, lambda text: None)
    subscriber.seat = live.viewpoint_of(subscriber)
    body = encode_message(live.welcome_message(subscriber))
    live.drop_unwatched_views()
    return Response(body, media_type="application/json")


@router.get(
    "/tables/{table}/record",
    tags=["tables"],
    summary="The record, as you may read it",
    response_model=None,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def get_record(request: Request, table: TableId, person: OptionalUser) -> PlainTextResponse:
    """Complete when the match is over; before, hidden information is masked."""
    text = await table_record(server_of(request).hub, table, person.id if person else None)
    return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="{table[:8]}.landfall"'})


@router.get("/tables/{table}/position", tags=["tables"], summary="The position, as you may know it")
async def get_position(
    request: Request, table: TableId, person: OptionalUser, seat: Annotated[int | None, Query(ge=0, le=9)] = None
) -> PositionInfo:
    """The position string, with what a bug report needs. `seat` must be yours; without it, a spectator's."""
    found, line = await table_position(server_of(request).hub, table, person.id if person else None, seat)
    return PositionInfo(
        game=found.terms.game,
        rules=found.terms.rules,
        landfall=landfall.__version__,
        engine=landfall.ENGINE,
        entry=found.seq,
        seat=seat,
        line=line,
    )


ViewpointQuery = Annotated[
    Literal["open", "spectator"] | int,
    Query(description="A seat; `spectator`; or `open`: everything.", examples=["open", 0]),
]


@router.get(
    "/tables/{table}/replay",
    tags=["tables"],
    summary="A match that is over, moment by moment",
    response_model=ReplayInfo,
    dependencies=[Depends(limit_jobs)],
)
async def table_replay(request: Request, table: TableId, eyes: ViewpointQuery = "open") -> Response:
    """The first view, then for each log line the patch of the view and its events."""
    hub = server_of(request).hub
    live = await hub.get_table(table)
    if live.table.status != OVER or live.table.match is None:
        raise Refused("not_shown")
    match = live.table.match
    seat, who = seat_of(eyes, match.players), address_of_request(request)
    body = await hub.bot_pool.run_task(replay_to_json, match.record(), seat, who=who)
    return Response(body, media_type="application/json")


@router.post(
    "/replay",
    tags=["tables"],
    summary="A record, moment by moment",
    response_model=ReplayInfo,
    dependencies=[Depends(limit_jobs)],
)
async def record_replay(request: Request, body: RecordBody, eyes: ViewpointQuery = "open") -> Response:
    """Like a finished table; nothing is stored."""
    work = server_of(request).hub.bot_pool.run_task
    found = await work(replay_record, body.record, eyes, who=address_of_request(request))
    return Response(found, media_type="application/json")


@router.post(
    "/tables/{table}/lookback",
    tags=["tables"],
    summary="Look back on a match that is over",
    response_model=ReviewStatus,
    dependencies=[Depends(limit_jobs)],
)
async def request_review(request: Request, table: TableId, person: OptionalUser) -> Response:
    """Computes it, once for everybody; the response is that of GET."""
    status = await server_of(request).reviews.request(table, address_of_request(request), asker(request, person))
    return Response(status, media_type="application/json")


@router.get(
    "/tables/{table}/lookback",
    tags=["tables"],
    summary="A match looked back on, as far as it is worked out",
    response_model=ReviewStatus,
    dependencies=[Depends(limit_queries)],
)
async def get_review(request: Request, table: TableId, person: OptionalUser) -> Response:
    """Each seat's win probability after every log line, the cost of each choice, luck, and the decisive moments."""
    message = await server_of(request).reviews.status(table, asker(request, person))
    return Response(message, media_type="application/json")


@router.get(
    "/tables/{table}/lookback/choices",
    tags=["tables"],
    summary="What could have been chosen at a moment of a match that is over",
    response_model=ReviewChoices | None,
    dependencies=[Depends(limit_jobs)],
)
async def get_review_choices(
    request: Request,
    table: TableId,
    person: OptionalUser,
    at: Annotated[int, Query(ge=0, le=2**31, description="Lines of the log.")],
) -> Response:
    """The choices as offered, with the win probability after each; null if nobody chose there."""
    choices = await server_of(request).reviews.choices_at(
        table, at, address_of_request(request), asker(request, person)
    )
    return Response(choices, media_type="application/json")


@router.post(
    "/lookbacks",
    tags=["tables"],
    summary="Look back on a record",
    response_model=ReviewStatus,
    dependencies=[Depends(limit_jobs)],
)
async def request_record_review(request: Request, body: RecordBody, person: OptionalUser) -> Response:
    """Of a finished match. Cached for a while, under the `key` of the response."""
    status = await server_of(request).reviews.request_for_record(
        body.record, address_of_request(request), asker(request, person)
    )
    return Response(status, media_type="application/json")


@router.get(
    "/lookbacks/{key}",
    tags=["tables"],
    summary="A record looked back on",
    response_model=ReviewStatus,
    dependencies=[Depends(limit_queries)],
)
async def get_record_review(
    request: Request, person: OptionalUser, key: Annotated[str, Path(max_length=64)]
) -> Response:
    """The result so far."""
    message = await server_of(request).reviews.record_status(key, asker(request, person))
    return Response(message, media_type="application/json")


@router.get("/tables/{table}/chat", tags=["tables"], summary="What was said")
async def get_chat(
    request: Request, table: TableId, after: Annotated[int, Query(ge=0, le=2**31)] = 0
) -> list[ChatInfo]:
    """From a line number on, the last 200."""
    server = server_of(request)
    await server.hub.get_summary(table)
    lines = await server.store.read_chat(table, after)
    return [ChatInfo(n=line.n, at=line.at, name=line.name, seat=line.seat, text=line.text) for line in lines]
