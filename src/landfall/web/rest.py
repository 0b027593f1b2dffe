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
from landfall.core.texts import LANGUAGES, catalogue
from landfall.games import NAMES
from landfall.games import game as find_game
from landfall.store.faults import RAISED
from landfall.store.rows import Head, Person
from landfall.tables import figures, levels, writing
from landfall.tables.archive import position_of, record_of
from landfall.tables.clocks import ClockRule
from landfall.tables.errors import Refused
from landfall.tables.fair_play import Asker
from landfall.tables.hub import Wish
from landfall.tables.replay import replay_record, replayed, seat_of
from landfall.tables.table import OVER
from landfall.tables.watcher import Visitor, Watcher
from landfall.web.bodies import BodyRoute
from landfall.web.encoding import encoded
from landfall.web.identity import COOKIE, YEAR, Proof, device_of, hashed
from landfall.web.limits import whence
from landfall.web.models import (
    FAULTS,
    AccountBody,
    BotInfo,
    ChatInfo,
    GameInfo,
    GuidedBody,
    Listed,
    LookedBack,
    Me,
    NameBody,
    Offered,
    OptionsBody,
    OptionsInfo,
    PasswordBody,
    PositionInfo,
    ProblemInfo,
    QuickBody,
    RecordBody,
    ReopenBody,
    Retold,
    RuleInfo,
    Seen,
    SessionInfo,
    TableBody,
    TableMade,
)
from landfall.web.process import Server
from landfall.web.static import accepts, same

ABOUT = """Take a name (`POST /api/me`), make a table (`POST /api/tables`), and play over its WebSocket,
`/ws/tables/{table}?after=N`: one JSON object a message, named by its field `t`. `landfall types` prints the schema of
all socket messages. Errors have one shape, with a code, a text key and a sentence."""

MAX_LASTING_ANSWERS = 256  # kept; there are some twenty a game
PACKED_FROM_BYTES = 2_000


router = APIRouter(prefix="/api", responses=FAULTS, route_class=BodyRoute)
GameName = Annotated[str, Path(max_length=40, examples=["survive"])]
TableId = Annotated[str, Path(max_length=64, examples=["q3nN0m1cXlTtVbQp0Jx8Zg"])]


def server_of(request: Request) -> Server:
    found: Server = request.app.state.server
    return found


async def proven(request: Request, landfall: Annotated[str | None, Cookie()] = None) -> Proof | None:
    """Who asks, and how that is known."""
    found: Proof | None = await server_of(request).identities.who(landfall)
    return found


Proven = Annotated[Proof | None, Depends(proven)]


async def somebody(proof: Proven) -> Person | None:
    """Who asks, if they have a name."""
    return proof.person if proof is not None else None


async def signed_in(proof: Proven) -> Proof:
    """Who asks, and how that is known; they must have a name."""
    if proof is None:
        raise Refused("nameless")
    return proof


async def known(proof: Annotated[Proof, Depends(signed_in)]) -> Person:
    """Who asks; they must have a name."""
    return proof.person


SignedIn = Annotated[Proof, Depends(signed_in)]
Somebody = Annotated[Person | None, Depends(somebody)]
Known = Annotated[Person, Depends(known)]


def address_of(request: Request) -> str:
    return whence(request.client)


def asker(request: Request, person: Person | None) -> Asker:
    """Who asks for a judgement."""
    return Asker(person.id if person is not None else None, address_of(request))


def newcomer(request: Request) -> None:
    """Names and passwords are not tried by the thousand."""
    if not server_of(request).newcomers.take(address_of(request)):
        raise Refused("too_fast")


def patient(request: Request) -> None:
    """What keeps a processor busy for a while is not asked for by the thousand either."""
    if not server_of(request).work.take(address_of(request)):
        raise Refused("too_fast")


def curious(request: Request) -> None:
    """Small questions, of which somebody who thinks asks many."""
    if not server_of(request).questions.take(address_of(request)):
        raise Refused("too_fast")


def told(person: Person) -> Me:
    return Me(name=person.name, account=person.account is not None)


async def remember(request: Request, response: Response, person: Person, proof: Proof | None) -> Me:
    """Give the cookie: the same again if it is this person's session, else one of a new session."""
    server = server_of(request)
    if proof is not None and proof.person.id == person.id and proof.session is not None:
        value = request.cookies[COOKIE]
    else:
        if proof is not None and proof.session is not None:  # was somebody else here
            await server.identities.end(proof.person, only=proof.session)
        value = await server.identities.begin(person, device_of(request.headers.get("user-agent", "")))
    return give_cookie(request, response, person, value)


def give_cookie(request: Request, response: Response, person: Person, value: str) -> Me:
    """Who you are from now on."""
    server = server_of(request)
    secure = server.settings.base.startswith("https:")
    response.set_cookie(COOKIE, value, max_age=YEAR, httponly=True, samesite="lax", secure=secure, path="/")
    return told(person)


# --- identity -------------------------------------------------------------------------------------------------


@router.get("/me", tags=["identity"], summary="Who you are")
async def me(request: Request, response: Response, proof: SignedIn) -> Me:
    """The name that others see. A cookie from before there were sessions is exchanged."""
    return told(proof.person) if proof.session else await remember(request, response, proof.person, proof)


@router.get("/whoami", tags=["identity"], summary="Who you are, if anybody")
async def whoami(request: Request, response: Response, proof: Proven) -> Me | None:
    """The same, and null for a stranger: nothing is wrong with being one."""
    return None if proof is None else await me(request, response, proof)


@router.post("/me", tags=["identity"], summary="Take a name", dependencies=[Depends(newcomer)])
async def take_name(request: Request, response: Response, body: NameBody, proof: Proven) -> Me:
    """A guest's first name, or a new one. The cookie in the answer is who you are from now on."""
    server = server_of(request)
    if proof is None:
        return await remember(request, response, await server.identities.guest(body.name), None)
    if not server.renamings.take(proof.person.id):
        raise Refused("too_fast")
    return await remember(request, response, await server.identities.rename(proof.person, body.name), proof)


@router.post("/account", tags=["identity"], summary="Make an account", dependencies=[Depends(newcomer)])
async def register(request: Request, response: Response, body: AccountBody, proof: Proven) -> Me:
    """Keeps your seats and history, and carries them to other devices. The cookie you had as a guest is replaced."""
    server = server_of(request)
    guest = proof.person if proof is not None else await server.identities.guest(body.name)
    person = await server.identities.register(guest, body.name, body.password, address_of(request))
    value = await server.identities.rotate(person, device_of(request.headers.get("user-agent", "")))
    if proof is not None:
        server.keep_sockets(proof, Proof(person, hashed(value)))
    return give_cookie(request, response, person, value)


@router.post("/login", tags=["identity"], summary="Log in", dependencies=[Depends(newcomer)])
async def login(request: Request, response: Response, body: AccountBody, proof: Proven) -> Me:
    """With an account's name and password."""
    server = server_of(request)
    async with server.trying(writing.account_name(body.name), address_of(request), proof):
        person = await server.identities.login(body.name, body.password, address_of(request))
    return await remember(request, response, person, proof)


@router.post("/password", tags=["identity"], summary="Change your password", status_code=204)
async def password(request: Request, body: PasswordBody, proof: SignedIn) -> None:
    """Every other device is signed out."""
    server = server_of(request)
    async with server.trying(proof.key, address_of(request), None):
        await server.identities.change_password(proof, body.old, body.new, address_of(request))
    await server.sweep()


@router.post("/logout", tags=["identity"], summary="Be nobody again", status_code=204)
async def logout(request: Request, response: Response, proof: Proven) -> None:
    """Ends this session. A guest who does so cannot return."""
    if proof is not None:
        server = server_of(request)
        await server.identities.end(proof.person, only=proof.key)
        await server.sweep()
    response.delete_cookie(COOKIE, path="/")


@router.get("/sessions", tags=["identity"], summary="Where you are signed in")
async def sessions(request: Request, proof: SignedIn) -> list[SessionInfo]:
    """The latest first."""
    found = await server_of(request).store.sessions(proof.person.id)
    return [
        SessionInfo(id=s.id, device=s.device, created=s.created, seen=s.seen, here=s.id == proof.session) for s in found
    ]


@router.delete("/sessions", tags=["identity"], summary="Sign out everywhere else", status_code=204)
async def end_others(request: Request, proof: SignedIn) -> None:
    """Every device but this one."""
    await server_of(request).identities.end(proof.person, but=proof.session)
    await server_of(request).sweep()


@router.delete("/sessions/{session}", tags=["identity"], summary="Sign out on one device", status_code=204)
async def end_one(request: Request, session: Annotated[str, Path(max_length=64)], proof: SignedIn) -> None:
    """As if one had logged out there."""
    if not await server_of(request).identities.end(proof.person, only=session):
        raise Refused("no_session")
    await server_of(request).sweep()


@router.delete("/me", tags=["identity"], summary="Be forgotten", status_code=204)
async def forget(request: Request, response: Response, person: Known) -> None:
    """Deletes account, name, sessions and chat. Matches stay, without your name; a stand-in plays on in those."""
    server = server_of(request)
    await server.store.forget_person(person.id)
    server.soon(server.hub.announce("people", ""))
    try:
        await server.sweep()
    except RAISED as error:  # the account is deleted, and the rest is tried until it is done
        server.log.warning("somebody who was deleted is still at tables: %s", type(error).__name__)
    response.delete_cookie(COOKIE, path="/")


# --- games ----------------------------------------------------------------------------------------------------


def game_info(name: str) -> GameInfo:
    game = find_game(name)
    return GameInfo(
        name=name,
        rules_version=game.rules_version,
        counts=list(game.counts),
        colours=list(game.colours),
        num_actions=game.num_actions,
        options=[option.schema() for option in game.options],  # type: ignore[misc]
        guides=[one["id"] for one in guided.book(name)["guides"]],
    )


@lru_cache(maxsize=MAX_LASTING_ANSWERS)
def lasting_body(make: Callable[..., Any], *args: str) -> tuple[bytes, bytes, str]:
    """An answer that never changes: plain, packed, and its tag. Made once, since making some takes the loop long."""
    body = msgspec.json.encode(jsonable_encoder(make(*args)))
    return body, gzip.compress(body, 9, mtime=0), f'W/"{blake2b(body, digest_size=12).hexdigest()}"'


def lasting(request: Request, make: Callable[..., Any], *args: str) -> Response:
    """The same for everybody until the server is another one: a browser that has it need not fetch it again.

    `make` and `args` say what it is; args must be checked before, so that only answers there are take memory.
    """
    body, packed, etag = lasting_body(make, *args)
    headers = {"ETag": etag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if same(request.headers.get("if-none-match", ""), etag):
        return Response(status_code=304, headers=headers)
    if len(body) >= PACKED_FROM_BYTES and accepts(request.headers.get("accept-encoding", ""), "gzip"):
        body, headers["Content-Encoding"] = packed, "gzip"
    return Response(body, headers=headers, media_type="application/json")


def all_games() -> list[GameInfo]:
    return [game_info(name) for name in NAMES]


def all_rules(game: str, language: str) -> list[RuleInfo]:
    return [RuleInfo(id=rule.id, chapter=rule.chapter, text=rule.text) for rule in rulebook.rules(game, language)]


def all_texts(game: str, language: str) -> dict[str, str]:
    return {**catalogue("", language), **catalogue(game, language)}


def all_bots() -> list[BotInfo]:
    return [BotInfo(level=level, code=code) for level, code in levels.LEVELS.items()]


@router.get("/games", tags=["games"], summary="The games and their options", response_model=list[GameInfo])
async def games(request: Request) -> Response:
    """All there are."""
    return lasting(request, all_games)


@router.post("/games/{game}/options", tags=["games"], summary="Whether a choice of options can be played")
async def game_options(game: GameName, body: OptionsBody) -> OptionsInfo:
    """All that is wrong with it, each as a text key with arguments, and the options with their defaults filled in."""
    found = find_game(game)
    faults = opt.problems(found.options, found.counts, body.players, body.options)
    complete = {option.name: body.options.get(option.name, option.default) for option in found.options}
    problems = [ProblemInfo(option=option, key=key, args=args, text=text) for option, key, args, text in faults]
    return OptionsInfo(options=complete, problems=problems)


def check_language(language: str) -> None:
    if language not in LANGUAGES:
        raise Refused("language", language=language, languages=", ".join(LANGUAGES))


@router.get(
    "/games/{game}/rules", tags=["games"], summary="The numbered rules of a game", response_model=list[RuleInfo]
)
async def game_rules(
    request: Request, game: GameName, language: Annotated[str, Query(max_length=8, examples=["pt"])] = "en"
) -> Response:
    """In the order of the rulebook. `landfall` has those of every table."""
    if game != rulebook.COMMON:
        find_game(game)
    check_language(language)
    return lasting(request, all_rules, game, language)


@router.get(
    "/games/{game}/texts/{language}",
    tags=["games"],
    summary="All sentences of a game in a language",
    response_model=dict[str, str],
)
async def game_texts(
    request: Request,
    game: GameName,
    language: Annotated[str, Path(max_length=8, examples=["en"])],
) -> Response:
    """By key; the common ones included. `core/texts.py` says how they are filled in."""
    find_game(game)
    check_language(language)
    return lasting(request, all_texts, game, language)


Spoken = Annotated[str, Query(max_length=8, examples=["pt"])]


@router.get("/games/{game}/guides", tags=["games"], summary="The guides of a game", response_model=list[dict[str, Any]])
async def game_guides(request: Request, game: GameName, language: Spoken = "en") -> Response:
    """Lessons, what brings each of them and what they say; docs/guides.md tells how they are read."""
    find_game(game)
    check_language(language)
    return lasting(request, guided.shown, game, language)


@router.get(
    "/games/{game}/figures", tags=["games"], summary="Positions beside its rules", response_model=list[dict[str, Any]]
)
async def game_figures(request: Request, game: GameName, language: Spoken = "en") -> Response:
    """Each as a seat sees it, with what it may choose there and a sentence."""
    find_game(game)
    check_language(language)
    return lasting(request, figures.shown, game, language)


@router.get("/games/{game}/figures/{rule}/why", tags=["games"], summary="Why not, in one of them")
async def figure_why(
    game: GameName,
    rule: Annotated[str, Path(max_length=8, examples=["SV.M9"])],
    piece: Annotated[str, Query(max_length=40)] = "",
    place: Annotated[str, Query(max_length=40)] = "",
) -> dict[str, str | None]:
    """The rule that forbids a touch; null if none does."""
    return {"rule": figures.why(game, rule, piece, place)}


@router.get("/bots", tags=["games"], summary="The bots that can be put on a chair", response_model=list[BotInfo])
async def bots(request: Request) -> Response:
    """By level; codes go as well where the host allows them."""
    return lasting(request, all_bots)


# --- tables ---------------------------------------------------------------------------------------------------


def wish_of(body: TableBody) -> Wish:
    clock = ClockRule(body.clock.mode, body.clock.turn, body.clock.bank, body.clock.days)
    return Wish(body.game, body.players, body.options, clock, body.public, body.seating, body.hot_seat, body.pace)


def made(request: Request, table: str) -> TableMade:
    return TableMade(table=table, link=f"{server_of(request).settings.base}/t/{table}")


@asynccontextmanager
async def making(request: Request, person: Person, public: bool, bots: list[str]) -> AsyncIterator[Visitor]:
    """Somebody makes a table inside, not too many, with bots that may be played here."""
    doors = server_of(request).making
    doors.bots(bots)
    async with doors.table(person.id, address_of(request), public):
        yield Visitor(person.id, person.name)


def listed(head: Head, you: str | None = None) -> Listed:
    info = head.info
    people = info.get("people", [])
    return Listed(
        table=head.table, game=head.game, status=head.status, public=head.public, created=head.created,  # type: ignore[arg-type]
        updated=head.updated, players=info["players"], options=info["options"], clock=info["clock"],
        chairs=info["chairs"], ended=info["ended"], ranking=info.get("ranking"),
        you=[seat for seat, person in enumerate(people) if you is not None and person == you],
        owner=you is not None and head.owner == you,
    )  # fmt: skip


@router.post("/tables", tags=["tables"], summary="Make a table", status_code=201)
async def create(request: Request, body: TableBody, person: Known) -> TableMade:
    """You own it and sit on its first chair; send the link to others."""
    async with making(request, person, body.public, []) as owner:
        return made(request, await server_of(request).hub.create(owner, wish_of(body)))


@router.post("/tables/quick", tags=["tables"], summary="Play against bots at once", status_code=201)
async def quick(request: Request, body: QuickBody, person: Known) -> TableMade:
    """One call makes the table and begins."""
    async with making(request, person, body.public, body.bots) as owner:
        return made(request, await server_of(request).hub.quick(owner, wish_of(body), body.bots))


@router.post("/tables/guided", tags=["tables"], summary="Play a game that is explained", status_code=201)
async def guided_table(request: Request, body: GuidedBody, person: Known) -> TableMade:
    """One call makes the table, with bots on the other chairs, and begins where the guide does."""
    async with making(request, person, False, [body.bots]) as owner:
        return made(request, await server_of(request).hub.guided(owner, body.game, body.guide, body.bots))


@router.post("/tables/open", tags=["tables"], summary="Open a record", status_code=201)
async def reopen(request: Request, body: ReopenBody, person: Known) -> TableMade:
    """To look at if it is over, to be played on if not: with `seat` at once, by you there and bots elsewhere."""
    hub = server_of(request).hub
    async with making(request, person, False, [] if body.seat is None else [body.bots]) as owner:
        return made(
            request, await hub.reopen(owner, body.record, body.lines, body.seat, body.bots, address_of(request))
        )


@router.get("/tables", tags=["tables"], summary="The lobby")
async def lobby(request: Request, person: Somebody) -> list[Listed]:
    """Public tables that are not over: the latest of each address, then the second of each, and so on."""
    server = server_of(request)
    you = person.id if person else None
    return [server.turns(listed(head, you)) for head in await server.making.lobby()]


@router.get("/history", tags=["tables"], summary="The tables you sat at")
async def history(
    request: Request,
    person: Known,
    before: Annotated[int | None, Query(ge=0, le=2**53)] = None,
    over: Annotated[bool | None, Query(description="Only those that are over, or only those that are not.")] = None,
) -> list[Listed]:
    """The latest first; `before` (a table's `updated`) pages on. `over=false`: what you can go on with."""
    server = server_of(request)
    return [server.turns(listed(head, person.id)) for head in await server.store.history(person.id, 50, before, over)]


@router.get("/tables/{table}", tags=["tables"], summary="A table as you may see it", response_model=Seen)
async def look(request: Request, table: TableId, person: Somebody) -> Response:
    """The same as the first message of its socket."""
    live = await server_of(request).hub.live(table)
    watcher = Watcher(live, Visitor(person.id, person.name) if person else None, lambda text: None)
    watcher.seat = live.eyes(watcher)
    body = encoded(live.welcome(watcher))
    live.forget_unwatched()
    return Response(body, media_type="application/json")


@router.get(
    "/tables/{table}/record",
    tags=["tables"],
    summary="The record, as you may read it",
    response_model=None,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def record(request: Request, table: TableId, person: Somebody) -> PlainTextResponse:
    """Open when the match is over; before, what you may not know is hidden."""
    text = await record_of(server_of(request).hub, table, person.id if person else None)
    return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="{table[:8]}.landfall"'})


@router.get("/tables/{table}/position", tags=["tables"], summary="The position, as you may know it")
async def position(
    request: Request, table: TableId, person: Somebody, seat: Annotated[int | None, Query(ge=0, le=9)] = None
) -> PositionInfo:
    """One line, with what a report of a fault needs besides. `seat` must be yours; without it, a spectator's."""
    found, line = await position_of(server_of(request).hub, table, person.id if person else None, seat)
    return PositionInfo(
        game=found.terms.game,
        rules=found.terms.rules,
        landfall=landfall.__version__,
        engine=landfall.ENGINE,
        entry=found.seq,
        seat=seat,
        line=line,
    )


Eyes = Annotated[
    Literal["open", "spectator"] | int,
    Query(description="A seat; `spectator`; or `open`: everything.", examples=["open", 0]),
]


@router.get(
    "/tables/{table}/replay",
    tags=["tables"],
    summary="A match that is over, moment by moment",
    response_model=Retold,
    dependencies=[Depends(patient)],
)
async def table_replay(request: Request, table: TableId, eyes: Eyes = "open") -> Response:
    """The first view, then for each line of the log the patch of the view, and the events it brought."""
    hub = server_of(request).hub
    live = await hub.live(table)
    if live.table.status != OVER or live.table.match is None:
        raise Refused("not_shown")
    match = live.table.match
    seat, who = seat_of(eyes, match.players), address_of(request)
    body = await hub.thinkers.work(replayed, match.record(), seat, who=who)
    return Response(body, media_type="application/json")


@router.post(
    "/replay",
    tags=["tables"],
    summary="A record, moment by moment",
    response_model=Retold,
    dependencies=[Depends(patient)],
)
async def record_replay(request: Request, body: RecordBody, eyes: Eyes = "open") -> Response:
    """As a table that is over; nothing is kept."""
    work = server_of(request).hub.thinkers.work
    found = await work(replay_record, body.record, eyes, who=address_of(request))
    return Response(found, media_type="application/json")


@router.post(
    "/tables/{table}/lookback",
    tags=["tables"],
    summary="Look back on a match that is over",
    response_model=LookedBack,
    dependencies=[Depends(patient)],
)
async def begin_lookback(request: Request, table: TableId, person: Somebody) -> Response:
    """Has it worked out, once for everybody; the answer is what GET says."""
    told = await server_of(request).lookbacks.begin(table, address_of(request), asker(request, person))
    return Response(told, media_type="application/json")


@router.get(
    "/tables/{table}/lookback",
    tags=["tables"],
    summary="A match looked back on, as far as it is worked out",
    response_model=LookedBack,
    dependencies=[Depends(curious)],
)
async def lookback(request: Request, table: TableId, person: Somebody) -> Response:
    """Each seat's chance to win after every line of the log, what each choice cost, luck, the moments that mattered."""
    told = await server_of(request).lookbacks.told(table, asker(request, person))
    return Response(told, media_type="application/json")


@router.get(
    "/tables/{table}/lookback/choices",
    tags=["tables"],
    summary="What could have been chosen at a moment of a match that is over",
    response_model=Offered | None,
    dependencies=[Depends(patient)],
)
async def lookback_choices(
    request: Request,
    table: TableId,
    person: Somebody,
    at: Annotated[int, Query(ge=0, le=2**31, description="Lines of the log.")],
) -> Response:
    """As its chooser was offered it, with the chance to win after each; null if nobody chose there."""
    told = await server_of(request).lookbacks.offered(table, at, address_of(request), asker(request, person))
    return Response(told, media_type="application/json")


@router.post(
    "/lookbacks",
    tags=["tables"],
    summary="Look back on a record",
    response_model=LookedBack,
    dependencies=[Depends(patient)],
)
async def begin_record_lookback(request: Request, body: RecordBody, person: Somebody) -> Response:
    """Of a match that is over. Kept for a while, under the `key` of the answer."""
    told = await server_of(request).lookbacks.begin_record(body.record, address_of(request), asker(request, person))
    return Response(told, media_type="application/json")


@router.get(
    "/lookbacks/{key}",
    tags=["tables"],
    summary="A record looked back on",
    response_model=LookedBack,
    dependencies=[Depends(curious)],
)
async def record_lookback(request: Request, person: Somebody, key: Annotated[str, Path(max_length=64)]) -> Response:
    """As far as it is worked out."""
    told = await server_of(request).lookbacks.record_told(key, asker(request, person))
    return Response(told, media_type="application/json")


@router.get("/tables/{table}/chat", tags=["tables"], summary="What was said")
async def chat(request: Request, table: TableId, after: Annotated[int, Query(ge=0, le=2**31)] = 0) -> list[ChatInfo]:
    """From a line's number on, the last 200."""
    server = server_of(request)
    await server.hub.head(table)
    lines = await server.store.chat(table, after)
    return [ChatInfo(n=line.n, at=line.at, name=line.name, seat=line.seat, text=line.text) for line in lines]
