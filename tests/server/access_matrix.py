"""Who may do what: each kind of sender at each route and socket of a server in this process.

`python -m tests.server.access_matrix` writes `access_matrix.txt`, with a line for each route; read the diff.
"""

from __future__ import annotations

import asyncio
import dataclasses
import itertools
import json
import sys
import tempfile
import typing
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Final, get_args, get_origin

import httpx

from landfall.api.limits import Limits
from landfall.api.routes import PLAY, READ, Access, Route
from landfall.match import Match
from landfall.store.accounts import Passkey
from landfall.store.moderation import BAN, FOREVER, Report, Restriction
from landfall.store.row_types import PushDevice, UserRecord
from landfall.tables.live.hub import TableConfig
from landfall.tables.live.subscriber import User
from landfall.tables.protocol.commands import Bounds
from landfall.tables.runtime_dependencies import Runtime
from landfall.tables.tournaments.decisions import TournamentConfig
from landfall.web.app import ROUTES, create_app
from landfall.web.identity import COOKIE_NAME, hash_session_token, to_table_user
from landfall.web.server import Server
from landfall.web.settings import Settings
from tests.costs.event_loop_probe import AskedSocket

MATRIX: Final = Path(__file__).with_name("access_matrix.txt")
GAME: Final = "atlandice"
DONE: Final = "done"
# The owner is the last: what the others ask for is still there. `unproven` is a member without a recent proof.
SENDERS: Final = (
    "anonymous", "guest", "reader", "player", "banned_bot", "banned",
    "blocked", "other", "unproven", "organiser", "host", "owner",
)  # fmt: skip
TOKENS: Final = {"reader": [READ], "player": [PLAY], "banned_bot": [PLAY, READ]}
BANNED: Final = ("banned", "banned_bot")
LOBBY: Final = "lobby"
MAX_WORLDS: Final = 400


@dataclass
class Sender:
    """Somebody with what they authenticate by."""

    user: User | None
    cookie: str = ""
    authorization: str = ""

    @property
    def headers(self) -> dict[str, str]:
        found = {"cookie": f"{COOKIE_NAME}={self.cookie}", "authorization": self.authorization}
        return {name: value for name, value in found.items() if value and value != f"{COOKIE_NAME}="}


class World:
    """The senders, and things that belong to the owner. Every route that changes something gets a new one."""

    def __init__(self, server: Server, number: int) -> None:
        self.server = server
        self.number = number
        self.senders: dict[str, Sender] = {}
        self.names: dict[str, str] = {}  # by parameter of a path
        self.running = self.gathering = ""

    async def add_user(self, kind: str, *, account: bool = True, author: str | None = None) -> UserRecord:
        id_ = f"{kind} {self.number}"
        made = UserRecord(
            id_, id_, 1, 1, id_ if account else None, None, False, id_ if account else None, author=author
        )
        await self.server.store.users.add_user(made)
        return made

    async def add_sender(self, kind: str, proven: bool = True) -> UserRecord:
        person = await self.add_user(kind, account=kind != "guest")
        cookie = await self.server.identities.create_session_cookie(person)
        if proven:
            await self.server.accounts.record_recent_proof(person, hash_session_token(cookie))
        self.senders[kind] = Sender(to_table_user(person), cookie)
        return person

    async def add_bot(self, kind: str, author: UserRecord) -> None:
        bot = await self.add_user(kind, author=author.id)
        token, _ = await self.server.identities.create_bot_token(bot, TOKENS[kind])
        self.senders[kind] = Sender(to_table_user(bot), authorization=f"Bearer {token}")

    async def prepare(self) -> World:
        store = self.server.store
        self.senders["anonymous"] = Sender(None)
        people = {
            kind: await self.add_sender(kind, kind != "unproven")
            for kind in ("guest", "banned", "blocked", "other", "unproven", "organiser", "host", "owner")
        }
        owner = people["owner"]
        for kind in TOKENS:
            await self.add_bot(kind, people["banned" if kind == "banned_bot" else "owner"])
        await store.moderation.set_or_lift_restriction(Restriction(people["banned"].id, BAN, 1, FOREVER, "rude"))
        await store.relations.set_user_blocked(owner.id, people["blocked"].id, True)
        await store.moderation.set_server_host_role(people["host"].id, True)
        await self.add_things(owner)
        return self

    async def add_things(self, owner: UserRecord) -> None:
        server, store, user = self.server, self.server.store, to_table_user(owner)
        assert user is not None
        self.running = await server.hub.create_table_with_bots(
            user, TableConfig(GAME, 2, seating="as_sat", public=False), ["sprat"]
        )
        self.gathering = await server.hub.create_table(user, TableConfig(GAME, 3))
        bot = await self.add_user("bot", author=owner.id)
        _, token = await server.identities.create_bot_token(bot, [PLAY])
        elsewhere = hash_session_token(await server.identities.create_session_cookie(owner))
        device = PushDevice(f"device {self.number}", owner.id, elsewhere, "https://192.0.2.1/x", "k", "a", "", "en", 1)
        await store.notifications.add_push_device(device)
        for number in range(2):
            key = Passkey(f"key {self.number} {number}", owner.id, b"k", 0, "", 1)
            await store.accounts.add_passkey(key, 10, elsewhere)
        await store.moderation.add_report(Report(0, 1, f"other {self.number}", owner.id, "", 0, ""))
        starts = server.hub.runtime.clock.wall_time_ms() + 3_600_000
        cup = TournamentConfig("Sunday", GAME, 2, 1, "quarter", starts)
        tournament = await server.director.open_tournament(user, cup, True)
        reports = await store.moderation.list_open_reports()
        self.names = {
            "game": GAME, "language": "en", "rule": "LF.2", "puzzle": "0", "table": self.running, "key": "none",
            "player": owner.name, "size": "2", "session": elsewhere, "passkey": f"key {self.number} 0", "bot": bot.id,
            "token": token.id, "device": device.id, "user": "unproven " + str(self.number),
            "report": str(max(report.id for report in reports)), "tournament": tournament, "box": "0" * 32, "at": "1",
        }  # fmt: skip


# --- what is sent ---------------------------------------------------------------------------------------------


def plain_value(kind: Any) -> Any:
    """The smallest value of a declared type."""
    if get_origin(kind) is Annotated:
        plain, *notes = get_args(kind)
        [bounds] = [note for note in notes if isinstance(note, Bounds)]
        return "x" * max(1, bounds.minimum) if plain is str else bounds.minimum if plain is int else plain_value(plain)
    if get_origin(kind) is typing.Literal:
        return get_args(kind)[0]
    if get_origin(kind) in (typing.Union, UnionType):
        return None
    return {bool: True, int: 0, str: "x"}.get(kind, [] if get_origin(kind) is list else {})


def fill_in(kind: type, known: dict[str, Any]) -> dict[str, Any]:
    """A body with what is known, the declared examples, or the smallest values."""
    hints, found = typing.get_type_hints(kind, include_extras=True), {}
    for field in dataclasses.fields(kind):
        if field.name in known:
            found[field.name] = known[field.name]
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            found[field.name] = field.metadata.get("examples", [plain_value(hints[field.name])])[0]
    return found


async def body_of(route: Route, world: World, kind: str) -> dict[str, Any] | None:
    if route.body_kind is None:
        return None
    user, own = world.senders[kind].user, ""
    if user is not None and route.path.endswith("/invitations"):
        own = await world.server.hub.create_table(user, TableConfig(GAME, 2))
    known: dict[str, Any] = {
        "game": GAME, "players": 2, "options": {}, "size": 2, "public": False,
        "record": Match(GAME, 2, seed=1).record(), "table": own,
        "name": f"{kind} new {world.number}", "player": world.names["player"],
        "starts": world.server.hub.runtime.clock.wall_time_ms() + 3_600_000,
    }  # fmt: skip
    if "bots" in route.path or route.path.endswith("quick"):
        known["bots"] = ["sprat"]
    return fill_in(route.body_kind, known)


# --- asking ---------------------------------------------------------------------------------------------------


def outcome_of(answer: httpx.Response) -> str:
    if answer.status_code < 400:
        return DONE
    code = str(answer.json()["code"])
    return str(answer.status_code) if code == "http" else code


async def ask_route(client: httpx.AsyncClient, world: World, route: Route, kind: str) -> str:
    path = route.path.format(**{name: world.names[name] for name in route.path_names})
    query = {
        name: world.names[name] for name in route.url_kinds if name not in route.path_names and name in world.names
    }
    optional = {name for name, one in route.url_parameters.items() if one.default is not one.empty}
    body = await body_of(route, world, kind)
    client.cookies.clear()  # of an earlier answer
    return outcome_of(
        await client.request(
            route.method, path, headers=world.senders[kind].headers, json=body,
            params={name: value for name, value in query.items() if name not in optional},
        )
    )  # fmt: skip


class Door:
    """What `AskedSocket` asks of: an application, from one address after another."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.probe: Any = None
        self.count = 0

    def address(self) -> tuple[str, int]:
        self.count += 1
        return f"10.1.{self.count >> 8 & 255}.{self.count & 255}", 1


async def open_socket(door: Door, path: str, sender: Sender) -> AskedSocket:
    """One that was told something, or closed."""
    socket = AskedSocket(door, path, sender.headers)  # type: ignore[arg-type]
    told = asyncio.create_task(socket.received.wait())
    await asyncio.wait({told, socket.task}, return_when=asyncio.FIRST_COMPLETED, timeout=30)
    told.cancel()
    return socket


def socket_outcome(socket: AskedSocket) -> str:
    """The first refusal, if there was one."""
    told = [json.loads(text) for text in socket.got]
    if not told and socket.task.done():
        return "closed"
    return next((str(news["code"]) for news in told if news["t"] == "refused"), DONE)


async def ask_socket(door: Door, world: World, table: str, kind: str) -> str:
    """Open a socket."""
    socket = await open_socket(door, f"/ws/tables/{table}" if table != LOBBY else "/ws/lobby", world.senders[kind])
    outcome = socket_outcome(socket)
    await socket.disconnect()
    return outcome


# --- the matrix -----------------------------------------------------------------------------------------------

Row = dict[str, str]  # by sender: the outcome


@asynccontextmanager
async def running_app(folder: Path) -> AsyncIterator[Any]:
    app = create_app(
        Settings(
            database=str(folder / "landfall.db"), bot_workers=0, exhibition=False, limits=Limits.wide_for_tests(),
            organisers=",".join(f"organiser {number}" for number in range(MAX_WORLDS)),
            make_runtime=lambda: Runtime(bot_pace_ms=3_600_000, answer_hold_ms=0),
        )
    )  # fmt: skip
    async with app.router.lifespan_context(app):
        yield app


async def measure_matrix(folder: Path) -> dict[str, Row]:
    """All cells."""
    found: dict[str, Row] = {}
    async with running_app(folder) as app:
        numbers, door = itertools.count(), Door(app)
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            world = await World(app.state.server, next(numbers)).prepare()
            for route in sorted(ROUTES, key=lambda one: one.method != "GET"):
                if route.method != "GET":
                    world = await World(app.state.server, next(numbers)).prepare()
                found[f"{route.method} {route.path}"] = {
                    kind: await ask_route(client, world, route, kind) for kind in SENDERS
                }
        for place in ("gathering", "running", LOBBY):
            found[f"SOCKET {place}"] = {
                kind: await ask_socket(door, world, getattr(world, place, LOBBY), kind) for kind in SENDERS
            }
    return found


def expected_refusal(route: Route, kind: str) -> str | None:
    """What the declaration of a route says of a sender; None: they are let in, and their request is looked at."""
    if route.access is Access.OPEN:
        return None
    if kind in TOKENS and route.token not in TOKENS[kind]:
        return "token_scope"
    if kind in BANNED and not route.open_to_banned:
        return "banned"
    if kind == "anonymous" and route.access is not Access.ANYBODY:
        return "nameless"
    if route.access is Access.HOST and kind != "host":
        return "404"
    return "not_recent" if route.recent_proof and kind == "unproven" else None


def format_matrix(found: dict[str, Row]) -> str:
    lines = []
    for name, row in found.items():
        by_outcome: dict[str, list[str]] = {}
        for kind, outcome in row.items():
            by_outcome.setdefault(outcome, []).append(kind)
        lines.append(name + "".join(f"\n    {outcome}: {', '.join(kinds)}" for outcome, kinds in by_outcome.items()))
    return "\n".join(lines) + "\n"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        MATRIX.write_text(format_matrix(asyncio.run(measure_matrix(Path(folder)))), encoding="utf-8")
    sys.stdout.write(f"written: {MATRIX.name}\n")


if __name__ == "__main__":
    main()
