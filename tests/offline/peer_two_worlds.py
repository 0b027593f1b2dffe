"""Two worlds over a data channel: two devices whose matches differ only in what a friend cannot know send that friend
the same bytes. The channel ends where the browser's part begins: it carries texts and reads none."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections import Counter
from typing import Any

from landfall.api.limits import Limits
from landfall.core.rng import Rng
from landfall.game_checks.option_combinations import Combo
from landfall.offline.offline_server import friend_user_id
from landfall.offline.peer_sessions import Peers
from landfall.offline.rest import OfflineApi
from landfall.offline.storage import MemoryStorage
from landfall.tables.live.hub import TableConfig
from landfall.tables.live.live_table import LiveTable
from landfall.tables.live.subscriber import User
from landfall.tables.protocol import commands as cmd
from landfall.tables.runtime_dependencies import Runtime
from tests.server.two_worlds import Side, compare_two_world_game
from tests.tables.fake_users import HandTime

KEY = "the key of friend number {}"


class FriendChannel:
    """A friend's end of a channel: requests, and one connection to a table."""

    def __init__(self, peers: Peers, table: str, key: str, name: str = "Ben", guest: str = "") -> None:
        self.got: list[bytes] = []
        self.closed = False
        self.numbers = itertools.count(1)
        self.table = table
        self.session = peers.connect(table, guest or key, lambda text: self.got.append(text.encode()), self.on_closed)
        self.put(do="hello", n=0, key=key, name=name)

    def on_closed(self) -> None:
        self.closed = True

    def put(self, **message: Any) -> None:
        self.session.receive(json.dumps(message))

    def received(self) -> list[dict[str, Any]]:
        """All messages, those of the table decoded."""
        found = [json.loads(text) for text in self.got]
        return [json.loads(one["text"]) if "text" in one else one for one in found]

    async def open(self) -> None:
        self.n = next(self.numbers)
        self.put(do="open", n=self.n, table=self.table)
        await self.until("welcome")

    async def until(self, kind: str) -> dict[str, Any]:
        """The next message of a kind, once it is there."""
        for _ in range(10_000):
            for one in self.received():
                if one.get("t") == kind or kind in one:
                    return one
            await asyncio.sleep(0)
        raise AssertionError(f"no {kind}: {self.received()}")

    async def send(self, text: str) -> None:
        self.put(do="say", n=self.n, text=text)

    async def ask(self, path: str, method: str = "GET") -> tuple[int, str, str]:
        n = next(self.numbers)
        self.put(do="ask", n=n, method=method, path=path)
        for _ in range(10_000):
            for one in self.received():
                if one.get("n") == n and "answer" in one:
                    status, kind, text = one["answer"]
                    return int(status), str(kind), str(text)
            await asyncio.sleep(0)
        raise AssertionError(f"no answer: {path}")


class PeerSide(Side):
    """One device, and one friend's channel to its table. The host has a seat, too, that is never the friend's."""

    def __init__(self, time: HandTime) -> None:
        self.time = time
        self.numbers = itertools.count(1)
        self.got: list[bytes] = []

    async def open(self) -> None:
        runtime = Runtime(
            clock=self.time,
            rng=Rng(1),
            new_id=lambda: f"here-number{next(self.numbers):04}",
            answer_hold_ms=0,
            bot_pace_ms=0,
        )
        self.device = OfflineApi(MemoryStorage(), "Ana", runtime)
        await self.device.start_server()
        self.peers = Peers(self.device, Limits.wide_for_tests())

    async def sit(self, game: str, combo: Combo, seat: int | None) -> None:
        players, options = combo
        hub = self.device.hub
        friends = [User(friend_user_id(KEY.format(i)), f"P{i}") for i in range(players)]
        self.table = await hub.create_table(self.device.user, TableConfig(game, players, options, seating="as_sat"))
        for i in range(1, players):
            await hub.execute_command(self.table, friends[i], cmd.Sit(chair=i))
        await hub.execute_command(self.table, self.device.user, cmd.Start())
        self.live: LiveTable = await hub.get_or_load_table(self.table)
        # who has no seat has a key of their own
        self.key = KEY.format("none" if seat is None else seat)

    async def connect(self) -> None:
        self.friend = FriendChannel(self.peers, self.table, self.key)
        self.friend.got = self.got
        self.socket: Any = self.friend
        await self.friend.open()

    async def hear(self) -> None:
        await self.friend.send('{"t":"ping"}')
        await self.friend.until("pong")

    async def fetch(self, path: str) -> None:
        await self.friend.ask(path)

    async def close(self) -> None:
        self.friend.session.close()
        await asyncio.sleep(0)

    async def stop(self) -> None:
        await self.device.stop_server()


async def compare_friend_games(game: str, combos: list[tuple[Combo, int, int | None]]) -> dict[str, int]:
    """Several games on one pair of devices."""
    time = HandTime()
    sides = [PeerSide(time), PeerSide(time)]
    for side in sides:
        await side.open()
    total: Counter[str] = Counter()
    for combo, seed, seat in combos:
        total.update(await compare_two_world_game(sides[0], sides[1], game, combo, seed, seat))
    for side in sides:
        await side.stop()
    return dict(total)
