"""Every route, socket and message is flooded by one person and from one address: both are held up, and nobody else.

`make test` does so with a tenth of the limits, and counts; `make proof` with those of a server, beside a crowd, and
measures, too. `floods.py` does the same to a server process, as a part of `make proof`.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final, get_args

import httpx
import pytest

from landfall.api.incoming_messages import COMMAND_LIMITS
from landfall.api.limits import PING, SOCKET, Limits, RateLimit
from landfall.api.routes import Access, Route
from landfall.tables.protocol.commands import AnyCommand
from landfall.tables.runtime_dependencies import Runtime
from landfall.web.app import ROUTES, create_app
from landfall.web.settings import Settings
from tests.costs.event_loop_probe import AskedSocket, LoopProbe
from tests.server.access_matrix import World, ask_route, open_socket, socket_outcome
from tests.server.floods import MAX_ANSWER_S, MAX_TIMES, messages_of, name_of

pytestmark = pytest.mark.once
TOO_FAST: Final = "too_fast"
CROWD: Final = 30  # requests of a flood that are under way while somebody else asks
SMALL: Final = 0.05  # of the limits of a server
COMMANDS: Final = get_args(AnyCommand)
ONE_OF_EACH_LIMIT: Final = tuple({COMMAND_LIMITS[command]: command for command in COMMANDS}.values())
PATIENCE_S: Final = 6.0
WITH_PASSWORDS: Final = ("/api/account", "/api/login", "/api/password")  # their limit is used up by others before
SOCKETS: Final = ("/ws/lobby", "/ws/tables/{table}")


def limits_of_floods(share: float) -> Limits:
    """A share of a server's limits; that of all routes is not tested."""
    rates = {one.name: one.default for one in fields(Limits) if isinstance(one.default, tuple)}
    less = {name: (rate * share, max(1.0, burst * share)) for name, (rate, burst) in rates.items()}
    held = max(2, int(Limits.sockets_of_user * share))
    return replace(Limits(), **less | {"requests": (1e6, 1e6)}, requests_at_once=10_000, sockets_of_user=held)  # type: ignore[arg-type]


LIMITS: Final = limits_of_floods(1)


def burst(limit: RateLimit, share: float, limits: Limits = LIMITS) -> float:
    return max(1.0, float(getattr(limits, limit.rate)[1]) * share)


class Flooded:
    """An application with the limits that people have, and people at addresses of their own."""

    def __init__(self, app: Any, world: World, limits: Limits, crowd: int) -> None:
        self.app = app
        self.limits = limits
        self.crowd = crowd
        self.world = world
        self.numbers = itertools.count()
        self.probe = LoopProbe()
        self.here = ""  # the address of the next socket

    def burst(self, limit: RateLimit, share: float) -> float:
        return burst(limit, share, self.limits)

    def address(self) -> tuple[str, int]:
        return self.here, 1

    def new_address(self) -> str:
        number = next(self.numbers)
        return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"

    async def new_person(self) -> str:
        """Somebody with an account who has not proved who they are; the name of a sender in the world."""
        kind = f"person {next(self.numbers)}"
        await self.world.add_sender(kind, proven=False)
        return kind

    # --- routes -----------------------------------------------------------------------------------------------

    async def ask(self, route: Route, kind: str, address: str) -> str:
        transport = httpx.ASGITransport(self.app, client=(address, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", trust_env=False) as client:
            return await ask_route(client, self.world, route, kind)

    async def sign_in_again(self, kind: str) -> None:
        user = self.world.senders[kind].user
        person = await self.world.server.store.users.get_user_by_id(user.id) if user is not None else None
        if person is not None:
            self.world.senders[kind].cookie = await self.world.server.identities.create_session_cookie(person)

    async def is_held_up(self, route: Route, people: list[str], address: str | None, most: float) -> bool:
        """Whether requests are refused, after as many as the limit allows and as many as it gave back meanwhile."""
        rate, begun = getattr(self.limits, route.limit.rate)[0] * route.limit.address, time.monotonic()
        for number in itertools.count():
            kind = people[number % len(people)]
            if await self.ask(route, kind, address or self.new_address()) == TOO_FAST:
                return True
            if number > most + rate * (time.monotonic() - begun) + 1:
                return False
            if route.path == "/api/logout":
                await self.sign_in_again(kind)
        raise AssertionError

    async def find_route_fault(self, route: Route, loud: str, neighbours: list[str], address: str) -> str:
        unknown = route.access is Access.OPEN  # nobody is asked who they are
        people = ["anonymous"] if unknown else neighbours
        if not unknown and not await self.is_held_up(route, [loud], None, self.burst(route.limit, route.limit.person)):
            return "a person is not held up"
        if not await self.is_held_up(route, people, address, self.burst(route.limit, route.limit.address)):
            return "an address is not held up"
        honest = [await self.new_person() for _ in range(2 if self.crowd else 1)]
        if not self.crowd:
            answer = await self.ask(route, honest[0], self.new_address())
            return "an honest person elsewhere is held up" if answer == TOO_FAST else ""
        begun = time.thread_time()  # of the loop: what else the machine does, does not count
        await self.ask(route, honest[0], self.new_address())
        quiet = time.thread_time() - begun
        crowd = [asyncio.create_task(self.ask(route, people[0], address)) for _ in range(self.crowd)]
        await asyncio.sleep(0)
        begun = time.thread_time()
        answer = await self.ask(route, honest[1], self.new_address())
        beside = time.thread_time() - begun
        await asyncio.gather(*crowd)
        if answer == TOO_FAST:
            return "an honest person elsewhere is held up"
        slow = beside > max(MAX_TIMES * quiet, MAX_ANSWER_S)
        return f"{1000 * quiet:.0f} ms alone, {1000 * beside:.0f} ms beside a flood" if slow else ""

    # --- sockets ----------------------------------------------------------------------------------------------

    async def open(self, path: str, kind: str, address: str) -> AskedSocket:
        self.here = address
        return await open_socket(self, path.format(table=self.world.running), self.world.senders[kind])  # type: ignore[arg-type]

    async def find_socket_fault(self, path: str) -> str:
        loud, patient = await self.new_person(), await self.new_person()
        for kind, address, share, refusal in (
            (loud, None, SOCKET.person, TOO_FAST), ("anonymous", self.new_address(), SOCKET.address, "closed"),
        ):  # fmt: skip
            begun, outcome = time.monotonic(), ""
            for number in itertools.count():
                socket = await self.open(path, kind, address or self.new_address())
                outcome = socket_outcome(socket)
                await socket.disconnect()
                elapsed_s = time.monotonic() - begun
                if (
                    outcome == refusal
                    or number > self.burst(SOCKET, share) + self.limits.new_sockets[0] * elapsed_s + 1
                ):
                    break
            if outcome != refusal:
                return f"{kind} opens any number of them"
        most = self.limits.sockets_of_user
        held = [await self.open(path, patient, self.new_address()) for _ in range(most + 1)]
        outcomes = [socket_outcome(socket) for socket in held]
        for socket in held:
            await socket.disconnect()
        again = await self.open(path, patient, self.new_address())
        outcomes.append(socket_outcome(again))
        await again.disconnect()
        return "" if outcomes == ["done"] * most + [TOO_FAST, "done"] else f"held: {outcomes[most - 1 :]}"

    async def find_message_fault(self, command: type) -> str:
        """However many sockets they have."""
        limit, text = COMMAND_LIMITS[command], messages_of()[command.__name__.lower()]
        loud, neighbours = await self.new_person(), [await self.new_person() for _ in range(6)]
        for people, share, address in (
            ([loud], limit.person, None), (neighbours, limit.address, self.new_address()),
        ):  # fmt: skip
            if too_many := await self.flood_with_message(limit, share, text, people, address):
                return f"{too_many} messages too many of {'an address' if address else 'a person'}"
        honest = await self.open("/ws/tables/{table}", await self.new_person(), self.new_address())
        told = (await honest.ask(text)).body.decode()
        await honest.disconnect()
        return "" if told and TOO_FAST not in told else f"an honest person is told {told[:80]!r}"

    async def flood_with_message(
        self, limit: RateLimit, share: float, text: str, people: list[str], address: str | None
    ) -> int:
        """Sockets that each send as much as one may. Returns how many messages too many were let through."""
        most, at_once = self.burst(limit, share), int(min(self.burst(limit, 1), self.limits.messages[1]))
        begun, sockets = time.monotonic(), []
        for number in range(int(most / at_once) + 2):
            kind = people[number % len(people)]
            sockets.append(await self.open("/ws/tables/{table}", kind, address or self.new_address()))
        for socket in sockets:
            for _ in range(at_once):
                socket.receive(text)
        sent, refused = len(sockets) * at_once, 0
        while refused < sent - most and time.monotonic() < begun + PATIENCE_S:  # some are handled later
            await asyncio.sleep(0.01)
            refused = sum(json.loads(told).get("code") == TOO_FAST for socket in sockets for told in socket.got)
            given_back = getattr(self.limits, limit.rate)[0] * share * (time.monotonic() - begun)
            if refused >= sent - most - given_back - 1:
                break
        else:
            return int(sent - most - refused)
        for socket in sockets:
            await socket.disconnect()
        return 0


@asynccontextmanager
async def flooded_app(folder: Path, limits: Limits = LIMITS, crowd: int = 0) -> AsyncIterator[Flooded]:
    app = create_app(
        Settings(
            database=str(folder / "landfall.db"), bot_workers=0, exhibition=False, limits=limits,
            make_runtime=lambda: Runtime(bot_pace_ms=3_600_000, answer_hold_ms=0),
        )
    )  # fmt: skip
    async with app.router.lifespan_context(app):
        yield Flooded(app, await World(app.state.server, 0).prepare(), limits, crowd)


async def find_faults(folder: Path, share: float, crowd: int, commands: tuple[type, ...]) -> dict[str, str]:
    """By route, socket and message: what is wrong with how its flood is met."""
    found = {}
    async with flooded_app(folder, limits_of_floods(share), crowd) as flooded:
        loud, neighbours = await flooded.new_person(), [await flooded.new_person() for _ in range(8)]
        address = flooded.new_address()
        for route in sorted(ROUTES, key=lambda one: one.path in WITH_PASSWORDS):
            found[name_of(route)] = await flooded.find_route_fault(route, loud, neighbours, address)
        for path in SOCKETS:
            found[path] = await flooded.find_socket_fault(path)
        for command in commands:
            found[command.__name__] = await flooded.find_message_fault(command)
    return found


@pytest.fixture(scope="module")
def faults(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return asyncio.run(find_faults(tmp_path_factory.mktemp("floods"), SMALL, 0, ONE_OF_EACH_LIMIT))


@pytest.mark.parametrize(
    "name", [*map(name_of, ROUTES), *SOCKETS, *(command.__name__ for command in ONE_OF_EACH_LIMIT)]
)
def test_a_flood_is_held_up_and_nobody_else(name: str, faults: dict[str, str]) -> None:
    """A route or a message without a limit fails here, if it can be declared at all."""
    assert faults[name] == ""


def route_of(method: str, path: str) -> Route:
    return next(route for route in ROUTES if (route.method, route.path) == (method, path))


async def neighbours_after_flood(folder: Path, flooded_route: Route, asked: Route) -> tuple[int, str]:
    """How often one person is answered who floods a route, and what a neighbour of the same address is told then."""
    async with flooded_app(folder) as flooded:
        loud, neighbour, address = await flooded.new_person(), await flooded.new_person(), flooded.new_address()
        burst_of_address = burst(flooded_route.limit, flooded_route.limit.address)
        answers = [await flooded.ask(flooded_route, loud, address) for _ in range(int(burst_of_address) + 20)]
        return sum(answer != TOO_FAST for answer in answers), await flooded.ask(asked, neighbour, address)


def test_one_person_does_not_use_up_what_an_address_has(tmp_path: Path) -> None:
    route = route_of("GET", "/api/me")
    answered, told = asyncio.run(neighbours_after_flood(tmp_path, route, route))
    assert burst(route.limit, route.limit.person) <= answered < burst(route.limit, route.limit.address)
    assert told != TOO_FAST


def test_whoever_reads_many_reviews_leaves_an_address_its_new_tables(tmp_path: Path) -> None:
    review, table = route_of("GET", "/api/tables/{table}/review/choices"), route_of("POST", "/api/tables")
    assert asyncio.run(neighbours_after_flood(tmp_path, review, table))[1] != TOO_FAST


async def count_pongs(folder: Path, sockets: int) -> tuple[int, float]:
    """How many pings of an address are answered in the lobby, and how many may be."""
    async with flooded_app(folder) as flooded:
        address = flooded.new_address()
        opened = [await flooded.open("/ws/lobby", "anonymous", address) for _ in range(sockets)]
        begun = time.monotonic()
        for socket in opened:
            for _ in range(int(LIMITS.messages[1])):
                socket.receive(messages_of()["ping"])
        for socket in opened:
            async with asyncio.timeout(PATIENCE_S):
                while sum('"pong"' in told or TOO_FAST in told for told in socket.got) < LIMITS.messages[1]:
                    await asyncio.sleep(0.01)
        pongs = sum('"t":"pong"' in told for socket in opened for told in socket.got)
        most = burst(PING, PING.address) + PING.address * LIMITS.messages[0] * (time.monotonic() - begun)
        for socket in opened:
            await socket.disconnect()
        return pongs, most


def test_pings_in_the_lobby_are_counted_by_address(tmp_path: Path) -> None:
    sockets = 60
    pongs, most = asyncio.run(count_pongs(tmp_path, sockets))
    assert burst(PING, PING.address) <= pongs <= most < sockets * LIMITS.messages[1]


@pytest.mark.proof
def test_a_flood_of_a_server_with_its_own_limits_is_held_up_and_nobody_waits(tmp_path: Path) -> None:
    faults = asyncio.run(find_faults(tmp_path, 1, CROWD, COMMANDS))
    assert {name: fault for name, fault in faults.items() if fault} == {}
