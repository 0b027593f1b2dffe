"""Floods of every route and every socket message against a server process, beside an honest person elsewhere.

`python -m tests.server.floods [NAME ...] [--seconds N]` floods those whose name contains one of these.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import itertools
import json
import multiprocessing
import sys
import tempfile
import time
from collections import Counter
from typing import Any, Final, get_args

import httpx

from landfall.api.routes import Route
from landfall.match import Match
from landfall.tables.protocol.commands import AnyCommand
from landfall.web.app import ROUTES
from tests.costs.worst_inputs import UNDERSTOOD
from tests.server.access_matrix import GAME, fill_in
from tests.server.real_server import Line, Player, ServerProcess

MAX_TIMES: Final = 10.0  # as long as on a quiet server
MAX_ANSWER_S: Final = 0.1  # or at most so long
SECONDS: Final = 2.0
QUIET_ASKS: Final = 2  # of the honest person
ASKS: Final = 3  # with those before no more than the narrowest limit lets through
FLOODERS: Final = 8  # at once
TRIES: Final = 3  # a machine stands still for a while now and then
FLOOD_ADDRESS: Final = "127.0.0.2"
PERSON_ADDRESSES: Final = [f"127.0.3.{n}" for n in range(1, 60)]
ENDS_ITSELF: Final = ("/api/logout", "/api/me")  # asked with nobody's cookie


def name_of(route: Route) -> str:
    return f"{route.method} {route.path}"


def messages_of() -> dict[str, str]:
    """By command a message that is understood."""
    found = {}
    for command in get_args(AnyCommand):
        tag = command.__name__.lower()
        names = [field.name for field in dataclasses.fields(command)]
        known = {name: UNDERSTOOD[name] for name in names if name in UNDERSTOOD}
        known |= {name: 0 for name, value in known.items() if str(value).startswith("$")}
        known |= {"text": "hello"} if tag == "say" else {}
        found[tag] = json.dumps({"t": tag, **known} | ({"yes": True} if tag == "answer" else {}))
    return found


def path_and_body(route: Route, table: str, player: str) -> tuple[str, dict[str, Any] | None]:
    """A request that is understood."""
    names = {"game": GAME, "language": "en", "rule": "LF.2", "table": table, "player": player, "size": "2",
             "puzzle": "0", "box": "0" * 32, "report": "1", "at": "1"}  # fmt: skip
    known = {"game": GAME, "players": 2, "options": {}, "size": 2, "public": False, "bots": ["sprat"], "table": table,
             "record": Match(GAME, 2, seed=1).record(), "name": f"{player} 2", "player": player,
             "starts": int(time.time() * 1000) + 3_600_000}  # fmt: skip
    if route.path == "/api/search":
        known["bots"] = ""
    path = route.path.format(**{name: names.get(name, "none") for name in route.path_names})
    return path, fill_in(route.body_kind, known) if route.body_kind is not None else None


# --- the flood ------------------------------------------------------------------------------------------------


async def flood_route(url: str, route: Route, people: list[tuple[str, str]], seconds: float) -> Counter[str]:
    """As fast as the server answers: half from one address, half by one person from many."""
    counts: Counter[str] = Counter()
    until = time.monotonic() + seconds

    async def ask_again_and_again(number: int) -> None:
        addresses = itertools.cycle(PERSON_ADDRESSES if number % 2 else [FLOOD_ADDRESS])
        name, cookie = people[0 if number % 2 else number % len(people)]
        path, body = path_and_body(route, "none", name)
        headers = {} if path in ENDS_ITSELF else {"Cookie": cookie}
        while time.monotonic() < until:
            transport = httpx.AsyncHTTPTransport(local_address=next(addresses))
            async with httpx.AsyncClient(base_url=url, transport=transport, timeout=60, headers=headers) as client:
                for _ in range(20):
                    try:
                        answer = await client.request(route.method, path, json=body)
                        counts[str(answer.status_code)] += 1
                    except httpx.HTTPError as error:
                        counts[type(error).__name__] += 1
                    if time.monotonic() > until:
                        return

    await asyncio.gather(*(ask_again_and_again(number) for number in range(FLOODERS)))
    return counts


async def flood_sockets(url: str, text: str, people: list[tuple[str, str]], table: str, seconds: float) -> Counter[str]:
    """Sockets that send a message again and again; those that are cut come back."""
    counts: Counter[str] = Counter()
    until = time.monotonic() + seconds

    async def send_again_and_again(number: int) -> None:
        addresses = itertools.cycle(PERSON_ADDRESSES if number % 2 else [FLOOD_ADDRESS])
        while time.monotonic() < until:
            player = Player(url, "", next(addresses))
            player.cookie = people[0 if number % 2 else number % len(people)][1]
            line = Line(player, table)
            try:
                await line.open()
                assert line.socket is not None
                for _ in range(400):
                    await line.socket.send(text)
                    counts["sent"] += 1
                    if time.monotonic() > until:
                        break
                await line.close()
            except Exception as error:  # cut off in one of many ways
                counts[type(error).__name__] += 1
            await player.close()

    await asyncio.gather(*(send_again_and_again(number) for number in range(FLOODERS)))
    return counts


def flood_in_process(url: str, name: str, people: list[tuple[str, str]], table: str, seconds: float, told: Any) -> None:
    """In a process of its own."""
    routes = {name_of(route): route for route in ROUTES}
    work = (
        flood_route(url, routes[name], people, seconds)
        if name in routes
        else flood_sockets(url, messages_of()[name], people, table, seconds)
    )
    told.put("begun")
    told.put(dict(asyncio.run(work)))


# --- the honest person ----------------------------------------------------------------------------------------


@dataclasses.dataclass
class Times:
    """How long the honest person waited, in seconds, and what became of the flood."""

    name: str
    quiet: float
    beside: float
    flood: dict[str, int]

    @property
    def fine(self) -> bool:
        return self.beside <= max(MAX_TIMES * self.quiet, MAX_ANSWER_S)

    def __str__(self) -> str:
        verdict = "fine" if self.fine else "TOO SLOW"
        waits = f"alone {1000 * self.quiet:7.1f} ms, beside a flood {1000 * self.beside:7.1f} ms"
        return f"{self.name:60} {waits}; {verdict}; {self.flood}"


class Honest:
    """Somebody at an address of their own, with a table; a new one for everything that is flooded."""

    async def come(self, url: str, number: int) -> Honest:
        self.url = url
        self.player = await Player(url, f"Ana {number}", f"127.1.{number >> 8}.{number & 255}").come()
        made = await self.player.post("/api/tables", game=GAME, players=2, seating="as_sat")
        self.table = str(made["table"])
        self.line = await Line(self.player, self.table).open()
        return self

    async def leave(self) -> None:
        await self.line.close()
        await self.player.close()

    async def ask(self, name: str) -> float:
        """Seconds until the answer, which is no refusal for the number of requests."""
        routes = {name_of(route): route for route in ROUTES}
        begun = time.monotonic()
        if name not in routes:
            assert self.line.socket is not None
            await self.line.socket.send(messages_of()[name])
            await self.line.socket.send('{"t":"ping"}')
            while (message := await self.line.receive())["t"] != "pong":
                assert message.get("code") != "too_fast", name
        else:
            path, body = path_and_body(routes[name], self.table, self.player.name)
            headers = {} if path in ENDS_ITSELF else {"Cookie": self.player.cookie}
            self.player.http.cookies.clear()
            answer = await self.player.http.request(routes[name].method, path, json=body, headers=headers)
            assert answer.status_code < 500, (name, answer.text)
            assert answer.status_code != 429 or answer.json()["code"] != "too_fast", name
        return time.monotonic() - begun


async def measure_beside_flood(
    server: ServerProcess, name: str, number: int, people: list[tuple[str, str]], seconds: float
) -> Times:
    """One flood, and the honest person before it and beside it."""
    spawn = multiprocessing.get_context("spawn")
    honest = await Honest().come(server.url, number)
    quiet = max([await honest.ask(name) for _ in range(QUIET_ASKS)])
    told = spawn.Queue()
    loud = await Honest().come(server.url, number + 2_000)
    args = (server.url, name, people, loud.table, seconds, told)
    flood = spawn.Process(target=flood_in_process, args=args)
    flood.start()
    try:
        await asyncio.to_thread(told.get, True, 90)
        beside = []
        for _ in range(ASKS):
            await asyncio.sleep(seconds / (ASKS + 1))
            beside.append(await honest.ask(name))
        counts = await asyncio.to_thread(told.get, True, 90)
    finally:
        flood.kill()
        flood.join()
    await loud.leave()
    await honest.leave()
    return Times(name, quiet, max(beside), counts)


async def measure_floods(server: ServerProcess, names: list[str], seconds: float = SECONDS) -> list[Times]:
    """Each flood, again where the machine may have been busy."""
    numbers = itertools.count(1)
    found = []
    people = []
    for number in range(8):
        player = await Player(server.url, f"Mallory {number}", f"127.2.0.{number + 1}").come()
        people.append((player.name, player.cookie))
        await player.close()
    for name in names:
        for _ in range(TRIES):
            times = await measure_beside_flood(server, name, next(numbers), people, seconds)
            if times.fine:
                break
        found.append(times)
    return found


def all_names() -> list[str]:
    return [*map(name_of, ROUTES), *messages_of()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=[""])
    parser.add_argument("--seconds", type=float, default=SECONDS)
    args = parser.parse_args()
    names = [name for name in all_names() if any(part in name for part in args.parts)]
    with (
        tempfile.TemporaryDirectory() as folder,
        ServerProcess(f"{folder}/landfall.db", limited=True, bot_workers=0) as server,
    ):
        found = asyncio.run(measure_floods(server, names, args.seconds))
    for times in found:
        sys.stdout.write(f"{times}\n")
    sys.exit(0 if all(times.fine for times in found) else 1)


if __name__ == "__main__":
    main()
