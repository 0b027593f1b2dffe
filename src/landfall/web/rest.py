"""REST: identity, games, tables, records, history."""

from __future__ import annotations

from hashlib import blake2b
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Cookie, Depends, Path, Query, Request, Response
from fastapi.encoders import jsonable_encoder
from fastapi.responses import PlainTextResponse

from landfall import rulebook
from landfall.core import options as opt
from landfall.core import record as rec
from landfall.core.texts import LANGUAGES, catalogue
from landfall.games import NAMES
from landfall.games import game as find_game
from landfall.match import OPEN
from landfall.store.rows import Head, Person
from landfall.tables import levels
from landfall.tables.archive import record_of
from landfall.tables.clocks import ClockRule
from landfall.tables.errors import Refused
from landfall.tables.house import Wish
from landfall.tables.replay import replayed
from landfall.tables.table import OVER
from landfall.tables.watcher import Visitor, Watcher
from landfall.web.identity import COOKIE, YEAR
from landfall.web.limits import whence
from landfall.web.models import (
    AccountBody,
    BotInfo,
    ChatInfo,
    Fault,
    GameInfo,
    Listed,
    Me,
    NameBody,
    OptionsBody,
    OptionsInfo,
    ProblemInfo,
    QuickBody,
    RecordBody,
    ReopenBody,
    Retold,
    RuleInfo,
    Seen,
    TableBody,
    TableMade,
)
from landfall.web.static import same

ABOUT = """Take a name (`POST /api/me`), make a table (`POST /api/tables`), and play over its WebSocket,
`/ws/tables/{table}?after=N`: one JSON object a message, named by its field `t`. `landfall types` prints the schema of
all socket messages. Errors have one shape, with a code, a text key and a sentence."""

FAULTS: dict[int | str, dict[str, Any]] = {
    status: {"model": Fault, "description": words}
    for status, words in {
        400: "It cannot be done, and why",
        401: "Say who you are first",
        403: "Not yours to do",
        404: "There is no such thing",
        409: "Something else came first",
        413: "Too large",
        429: "Too many at once",
    }.items()
}
router = APIRouter(prefix="/api", responses=FAULTS)
GameName = Annotated[str, Path(max_length=40, examples=["survive"])]
TableId = Annotated[str, Path(max_length=64, examples=["q3nN0m1cXlTtVbQp0Jx8Zg"])]


def server_of(request: Request) -> Any:
    return request.app.state.server


async def somebody(request: Request, landfall: Annotated[str | None, Cookie()] = None) -> Person | None:
    """Who asks, if they have a name."""
    found: Person | None = await server_of(request).identities.who(landfall)
    return found


async def known(person: Annotated[Person | None, Depends(somebody)]) -> Person:
    """Who asks; they must have a name."""
    if person is None:
        raise Refused("nameless")
    return person


Somebody = Annotated[Person | None, Depends(somebody)]
Known = Annotated[Person, Depends(known)]


def newcomer(request: Request) -> None:
    """Names and passwords are not tried by the thousand."""
    if not server_of(request).newcomers.take(request.client.host if request.client else ""):
        raise Refused("too_fast")


def patient(request: Request) -> None:
    """What keeps a processor busy for a while is not asked for by the thousand either."""
    if not server_of(request).work.take(whence(request.client)):
        raise Refused("too_fast")


def remember(request: Request, response: Response, person: Person) -> Me:
    """Give the cookie."""
    server = server_of(request)
    secure = server.settings.base.startswith("https:")
    value = server.identities.cookie(person.id)
    response.set_cookie(COOKIE, value, max_age=YEAR, httponly=True, samesite="lax", secure=secure, path="/")
    return Me(name=person.name, account=person.account is not None)


# --- identity -------------------------------------------------------------------------------------------------


@router.get("/me", tags=["identity"], summary="Who you are")
async def me(person: Known) -> Me:
    """The name that others see."""
    return Me(name=person.name, account=person.account is not None)


@router.post("/me", tags=["identity"], summary="Take a name", dependencies=[Depends(newcomer)])
async def take_name(request: Request, response: Response, body: NameBody, person: Somebody) -> Me:
    """A guest's first name, or a new one. The cookie in the answer is who you are from now on."""
    identities = server_of(request).identities
    if person is None:
        return remember(request, response, await identities.guest(body.name))
    return remember(request, response, await identities.rename(person, body.name))


@router.post("/account", tags=["identity"], summary="Make an account", dependencies=[Depends(newcomer)])
async def register(request: Request, response: Response, body: AccountBody, person: Somebody) -> Me:
    """Keeps your seats and history, and carries them to other devices."""
    identities = server_of(request).identities
    guest = person or await identities.guest(body.name)
    return remember(request, response, await identities.register(guest, body.name, body.password))


@router.post("/login", tags=["identity"], summary="Log in", dependencies=[Depends(newcomer)])
async def login(request: Request, response: Response, body: AccountBody) -> Me:
    """With an account's name and password."""
    return remember(request, response, await server_of(request).identities.login(body.name, body.password))


@router.post("/logout", tags=["identity"], summary="Be nobody again", status_code=204)
async def logout(response: Response) -> None:
    """Forget the cookie. A guest who does so cannot return."""
    response.delete_cookie(COOKIE, path="/")


@router.delete("/me", tags=["identity"], summary="Be forgotten", status_code=204)
async def forget(request: Request, response: Response, person: Known) -> None:
    """Deletes account, name and chat. Matches stay, without your name."""
    await server_of(request).identities.forget(person)
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
    )


def lasting(request: Request, found: Any) -> Response:
    """The same for everybody until the server is another one: a browser that has it need not fetch it again."""
    body = msgspec.json.encode(jsonable_encoder(found))
    headers = {"ETag": f'W/"{blake2b(body, digest_size=12).hexdigest()}"', "Cache-Control": "no-cache"}
    if same(request.headers.get("if-none-match", ""), headers["ETag"]):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type="application/json")


@router.get("/games", tags=["games"], summary="The games and their options", response_model=list[GameInfo])
async def games(request: Request) -> Response:
    """All there are."""
    return lasting(request, [game_info(name) for name in NAMES])


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
    found = rulebook.rules(game, language)
    return lasting(request, [RuleInfo(id=rule.id, chapter=rule.chapter, text=rule.text) for rule in found])


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
    return lasting(request, {**catalogue("", language), **catalogue(game, language)})


@router.get("/bots", tags=["games"], summary="The bots that can be put on a chair", response_model=list[BotInfo])
async def bots(request: Request) -> Response:
    """By level; codes go as well where the host allows them."""
    return lasting(request, [BotInfo(level=level, code=code) for level, code in levels.LEVELS.items()])


# --- tables ---------------------------------------------------------------------------------------------------


def wish_of(body: TableBody) -> Wish:
    clock = ClockRule(body.clock.mode, body.clock.turn, body.clock.bank, body.clock.days)
    return Wish(body.game, body.players, body.options, clock, body.public, body.seating, body.hot_seat, body.pace)


def made(request: Request, table: str) -> TableMade:
    return TableMade(table=table, link=f"{server_of(request).settings.base}/t/{table}")


async def making(request: Request, person: Person, public: bool, bots: list[str]) -> Visitor:
    """Somebody who makes a table, not too many, with bots that may be played here."""
    doors = server_of(request).making
    doors.bots(bots)
    await doors.table(person.id, whence(request.client), public)
    return Visitor(person.id, person.name)


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
    owner = await making(request, person, body.public, [])
    return made(request, await server_of(request).house.create(owner, wish_of(body)))


@router.post("/tables/quick", tags=["tables"], summary="Play against bots at once", status_code=201)
async def quick(request: Request, body: QuickBody, person: Known) -> TableMade:
    """One call makes the table and begins."""
    owner = await making(request, person, body.public, body.bots)
    return made(request, await server_of(request).house.quick(owner, wish_of(body), body.bots))


@router.post("/tables/open", tags=["tables"], summary="Open a record", status_code=201)
async def reopen(request: Request, body: ReopenBody, person: Known) -> TableMade:
    """To look at if it is over, to be played on if not: with `seat` at once, by you there and bots elsewhere."""
    owner = await making(request, person, False, [] if body.seat is None else [body.bots])
    house = server_of(request).house
    return made(request, await house.reopen(owner, body.record, body.lines, body.seat, body.bots))


@router.get("/tables", tags=["tables"], summary="The lobby")
async def lobby(request: Request, person: Somebody) -> list[Listed]:
    """Public tables that are not over, the latest first."""
    server = server_of(request)
    you = person.id if person else None
    return [server.turns(listed(head, you)) for head in await server.store.lobby()]


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
    room = await server_of(request).house.room(table)
    watcher = Watcher(room, Visitor(person.id, person.name) if person else None, lambda text: None)
    watcher.seat = room.eyes(watcher)
    body = msgspec.json.encode(room.welcome(watcher))
    room.forget_unwatched()
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
    text = await record_of(server_of(request).house, table, person.id if person else None)
    return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="{table[:8]}.landfall"'})


Eyes = Annotated[
    Literal["open", "spectator"] | int,
    Query(description="A seat; `spectator`; or `open`: everything.", examples=["open", 0]),
]


def seat_of(eyes: str | int, players: int) -> int | None:
    """Whose eyes are meant."""
    if isinstance(eyes, str):
        return OPEN if eyes == "open" else None
    if not 0 <= eyes < players:
        raise Refused("no_chair", chair=eyes)
    return eyes


@router.get(
    "/tables/{table}/replay",
    tags=["tables"],
    summary="A match that is over, moment by moment",
    response_model=Retold,
    dependencies=[Depends(patient)],
)
async def table_replay(request: Request, table: TableId, eyes: Eyes = "open") -> Response:
    """The first view, then for each line of the log the patch of the view, and the events it brought."""
    house = server_of(request).house
    room = await house.room(table)
    if room.table.status != OVER or room.table.match is None:
        raise Refused("not_shown")
    match = room.table.match
    seat, who = seat_of(eyes, match.players), whence(request.client)
    body = await house.thinkers.work(replayed, match.record(), seat, who=who)
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
    seat = seat_of(eyes, rec.read(body.record).players)
    found = await server_of(request).house.thinkers.work(replayed, body.record, seat, who=whence(request.client))
    return Response(found, media_type="application/json")


@router.get("/tables/{table}/chat", tags=["tables"], summary="What was said")
async def chat(request: Request, table: TableId, after: Annotated[int, Query(ge=0, le=2**31)] = 0) -> list[ChatInfo]:
    """From a line's number on, the last 200."""
    server = server_of(request)
    await server.house.head(table)
    lines = await server.store.chat(table, after)
    return [ChatInfo(n=line.n, at=line.at, name=line.name, seat=line.seat, text=line.text) for line in lines]
