"""Two worlds on the wire: two servers whose matches differ only in what one seat cannot know send it the same bytes.

Both servers run in this process on real TCP sockets, with one clock moved by hand and the same ids. Actions, chance
included, are written to both as a room writes them; where world B has no action that looks to the seat like the one of
A, or where the rules have just shown what they differ in, B becomes a new resampled copy of A.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from websockets.asyncio.client import ClientConnection, connect

from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER
from landfall.game_checks.option_combinations import Combo, revealing_event_kinds
from landfall.game_checks.position_checks import next_random_action
from landfall.game_checks.two_world_comparison import Comparison, World
from landfall.games import game as find_game
from landfall.match import Match, visible_events
from landfall.store.events import Played
from landfall.store.sqlite import SqliteDatabase
from landfall.tables.live.hub import TableConfig
from landfall.tables.live.live_table import LiveTable
from landfall.tables.live.subscriber import User
from landfall.tables.protocol import commands as cmd
from landfall.tables.runtime_dependencies import Runtime
from landfall.web.app import create_app
from landfall.web.serve import open_listening_socket, uvicorn_config
from landfall.web.server import Server
from landfall.web.settings import Settings
from tests.conftest import LONG
from tests.server.real_server import UNKEPT, free_port
from tests.server.server_process import WIDE
from tests.tables.fake_users import HandTime

PATHS = ("", "/record", "/chat", "/replay", "/replay?eyes=0")


class Side:
    """One server, and one seat's socket at its table."""

    def __init__(self, folder: Path, time: HandTime) -> None:
        self.folder = folder
        self.time = time
        self.numbers = itertools.count(1)
        self.got: list[bytes] = []

    async def open(self) -> None:
        port = free_port()
        env = Runtime(
            clock=self.time,
            rng=Rng(1),
            new_id=lambda: f"number{next(self.numbers):04}",
            answer_hold_ms=0,
            bot_pace_ms=0,
        )
        settings = Settings(
            database=str(self.folder / "landfall.db"), public_url="http://landfall.test", bot_workers=0, limits=WIDE,
            make_runtime=lambda: env, port=port, log_level="error",
        )  # fmt: skip
        app = create_app(settings)
        self.server: Server = app.state.server
        assert isinstance(self.server.store.database, SqliteDatabase)
        self.server.store.database.gather = 0  # one match at a time: nobody else's entry is worth waiting for
        self.host = uvicorn.Server(uvicorn_config(app, settings))
        self.running = asyncio.create_task(self.host.serve(sockets=[open_listening_socket(settings)]))
        while not self.host.started:
            await asyncio.sleep(0.005)
        self.url = f"http://127.0.0.1:{port}"

    async def sit(self, game: str, combo: Combo, seat: int | None) -> None:
        """A table whose chairs are all people's; the seat's person is connected."""
        players, options = combo
        hub = self.server.hub
        people, cookies = [], []
        for i in range(players):
            person = await self.server.identities.create_guest(f"P{i}")
            people.append(User(person.id, person.name))
            cookies.append(f"landfall={await self.server.identities.create_session_cookie(person)}")
        self.table = await hub.create_table(people[0], TableConfig(game, players, options, seating="as_sat"))
        for i in range(1, players):
            await hub.execute_command(self.table, people[i], cmd.Sit(chair=i))
        await hub.execute_command(self.table, people[0], cmd.Start())
        self.live: LiveTable = await hub.get_or_load_table(self.table)
        self.headers = {"Cookie": cookies[seat]} if seat is not None else {}
        self.http = httpx.AsyncClient(base_url=self.url, headers=self.headers, timeout=LONG, limits=UNKEPT)

    async def connect(self) -> None:
        self.socket: ClientConnection = await connect(
            f"{self.url.replace('http', 'ws', 1)}/ws/tables/{self.table}",
            additional_headers=self.headers,
            compression=None,
            max_size=None,
            max_queue=None,
        )

    async def write(self, world: Match, before: int) -> None:
        """An action and what follows from it, as the room writes it."""
        event = Played(int(world.log[before].actor), world.log_lines(since=before))
        await self.live.submit_operation_and_wait(lambda: self.live.writer.commit_events(event, match=world))

    async def hear(self) -> None:
        """Everything the server has sent so far: a ping is answered last."""
        await self.socket.send('{"t":"ping"}')
        while True:
            text = str(await asyncio.wait_for(self.socket.recv(), LONG))
            self.got.append(text.encode())
            if text.startswith('{"t":"pong"'):
                return

    async def fetch(self, path: str) -> None:
        answer = await self.http.get(path)
        # An id is a hash of a number by a key of the process (tests/server/test_monitoring.py): always of this form.
        assert re.fullmatch("[0-9a-f]{16}", answer.headers["x-request-id"])
        shown = [f"{k}: {v}" for k, v in answer.headers.items() if k not in ("date", "x-request-id")]
        self.got.append(json.dumps([answer.status_code, shown]).encode() + answer.content)

    async def close(self) -> None:
        await self.socket.close()
        await self.http.aclose()

    async def stop(self) -> None:
        self.host.should_exit = True
        await self.running


async def compare_two_world_game(
    a: Side, b: Side, game: str, combo: Combo, seed: int, seat: int | None, paths: int = len(PATHS)
) -> dict[str, int]:
    """A whole random game; after each choice all bytes the seat got from both servers are compared. Who is curious asks
    for so many of the paths at a time."""
    for side in (a, b):
        await side.sit(game, combo, seat)
    rng = Rng(seed)
    comparison = Comparison(find_game(game), seat, Rng(seed + 1))
    true = a.live.table.match
    assert true is not None
    twin = b.live.table.match = match_in_resampled_world(true, comparison)
    for side in (a, b):
        await side.connect()
    counts = {"games": 1, "choices": 0, "comparisons": 0, "bytes": 0, "worlds": 1}
    await compare_sent_bytes(a, b, counts)
    while true.actor != OVER:
        if comparison.rng.randbelow(6) == 0:
            await ask_curious_questions(a, b, comparison, true, paths)
            await compare_sent_bytes(a, b, counts)
        if comparison.rng.randbelow(40) == 0:
            counts["worlds"] += 1
            twin = b.live.table.match = match_in_resampled_world(true, comparison)
        before = len(true.log)
        true, follows = advance_both_worlds(true, twin, comparison, rng)
        if true.actor == OVER:
            await compare_sent_bytes(a, b, counts)
            break  # all is open now, and the worlds may differ
        if follows is None:
            counts["worlds"] += 1
        twin = match_in_resampled_world(true, comparison) if follows is None else follows
        a.time.ms += 50
        await asyncio.gather(a.write(true, before), b.write(twin, before))
        counts["choices"] += 1
        if comparison.rng.randbelow(8) == 0:  # nothing is missed: what was not yet compared is waiting in the sockets
            await compare_sent_bytes(a, b, counts)
    for side in (a, b):
        await side.close()
    return counts


def match_in_resampled_world(match: Match, comparison: Comparison) -> Match:
    """The same match as far as the seat knows, in a world drawn anew."""
    other = match.fork()
    other.state = match.state.resample(comparison.seat, comparison.rng)
    other.state.events = list(match.state.events or [])
    return other


def advance_both_worlds(true: Match, twin: Match, comparison: Comparison, rng: Rng) -> tuple[Match, Match | None]:
    """A choice and the chance it brings, in A, and what looks the same to the seat in B; None where B has none such."""
    a, b = true.fork(), twin.fork()
    since = len(a.state.events or [])
    follows = True
    while True:
        action = next_random_action(a.state, rng)
        other = comparison.find_counterpart_action(World(a.state), World(b.state), action) if follows else None
        a.apply_and_log(action)
        if other is None or a.actor == OVER:
            follows = False
        else:
            b.apply_and_log(other)
            shown = [visible_events(m.state, comparison.seat, since) for m in (a, b)]
            if shown[0] != shown[1] and any(e["kind"] in revealing_event_kinds(a.game.name) for e in shown[0]):
                follows = False
            else:
                assert a.actor == b.actor, f"seat {comparison.seat} can tell two worlds apart by whose turn it is"
        if a.actor != CHANCE:
            return a, b if follows else None


async def ask_curious_questions(a: Side, b: Side, comparison: Comparison, true: Match, paths: int) -> None:
    """Questions a curious client could ask, by socket and by REST."""
    rng, seat = comparison.rng, comparison.seat
    if seat is not None and true.actor == seat:
        comparison.learn(true.state, seat)
    words = comparison.words
    legal = set(true.legal_actions())
    action = int(rng.randbelow(find_game(true.game.name).num_actions))
    asked: list[dict[str, Any]] = [
        {
            "t": "explain",
            "piece": words[int(rng.randbelow(len(words)))],
            "place": words[int(rng.randbelow(len(words)))],
        },
        {"t": "events", "since": int(rng.randbelow(len(true.state.events or [0])))},
        {"t": "preview"},
        {"t": "undo", "version": 0, "id": "u"},
        {"t": "viewpoint", "seat": int(rng.randbelow(true.players))},
    ]
    if action not in legal or true.actor != seat:
        asked.append({"t": "play", "version": a.live.table.version, "id": "x", "action": action})
    first = int(rng.randbelow(len(PATHS)))
    for side in (a, b):
        for message in asked:
            await side.socket.send(json.dumps(message))
        for path in (*PATHS[first:], *PATHS[:first])[:paths]:
            await side.fetch(f"/api/tables/{side.table}{path}")


async def compare_sent_bytes(a: Side, b: Side, counts: dict[str, int]) -> None:
    """Byte for byte."""
    for side in (a, b):
        await side.hear()
    for ours, theirs in itertools.zip_longest(a.got, b.got):
        assert ours == theirs, f"two worlds can be told apart:\n{ours!r}\n{theirs!r}"
    counts["comparisons"] += 1
    counts["bytes"] += sum(map(len, a.got))
    a.got.clear()
    b.got.clear()


async def compare_two_world_games(
    folder: Path, game: str, combos: list[tuple[Combo, int, int | None]], paths: int = len(PATHS)
) -> dict[str, int]:
    """Several games on one pair of servers."""
    time = HandTime()
    sides = []
    for name in ("a", "b"):
        (folder / name).mkdir(parents=True)
        sides.append(Side(folder / name, time))
        await sides[-1].open()
    total: Counter[str] = Counter()
    for combo, seed, seat in combos:
        total.update(await compare_two_world_game(sides[0], sides[1], game, combo, seed, seat, paths))
    for side in sides:
        await side.stop()
    return dict(total)
