"""Friends at a device's tables: they sit, play and come back by their key; they see what a server would send, and meet
a server's limits."""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
import tracemalloc
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from landfall.api.incoming_messages import MAX_PROTOCOL_ERRORS
from landfall.api.limits import Limits
from landfall.games import BUILT_IN_GAMES
from landfall.games import game as find_game
from landfall.offline.offline_server import friend_user_id
from landfall.offline.peer_sessions import Peers
from landfall.offline.rest import ROUTES, OfflineApi
from landfall.offline.storage import MemoryStorage
from tests.offline.peer_two_worlds import KEY, FriendChannel, compare_friend_games
from tests.offline.test_offline_server import device, run

pytestmark = pytest.mark.once
BEN, EVE = KEY.format("ben"), KEY.format("eve")


async def make_table(here: OfflineApi, game: str = "atlantis", players: int = 2) -> str:
    body = {"game": game, "players": players, "seating": "as_sat"}
    status, _, text = await here.request("POST", "/api/tables", json.dumps(body))
    assert status == 201, text
    return str(json.loads(text)["table"])


def at_a_table(work: Callable[[OfflineApi, Peers, str], Awaitable[None]], game: str = "atlantis") -> None:
    async def all_of_it() -> None:
        here = device(MemoryStorage())
        await here.start_server()
        await work(here, Peers(here), await make_table(here, game))
        await here.stop_server()

    run(all_of_it)


async def seated(peers: Peers, table: str, key: str = BEN) -> FriendChannel:
    """A friend who has sat down."""
    ben = FriendChannel(peers, table, key)
    await ben.open()
    await ben.send('{"t":"sit","chair":1}')
    await ben.until("done")
    return ben


async def start(here: OfflineApi, table: str) -> None:
    told: list[Any] = []
    host = await here.connect(table, None, lambda text: told.append(json.loads(text)))
    assert host is not None
    host.receive('{"t":"start"}')
    while not any(one["t"] == "welcome" and one["table"]["status"] == "playing" for one in told):
        await asyncio.sleep(0)


def test_a_friend_sits_down_and_comes_back_by_the_key_after_either_side_reloads() -> None:
    async def work() -> None:
        storage = MemoryStorage()
        here = device(storage)
        await here.start_server()
        table = await make_table(here)
        ben = await seated(Peers(here), table)
        await start(here, table)
        ben.session.close()
        await here.stop_server()

        again = device(storage)  # the host's page reloads, and goes on from its log
        await again.start_server()
        ben = FriendChannel(Peers(again), table, BEN)
        await ben.open()
        welcome = await ben.until("welcome")
        assert (welcome["seats"], welcome["table"]["status"]) == ([1], "playing")
        eve = FriendChannel(Peers(again), table, EVE, name="Ben")  # the name gives nobody the seat
        await eve.open()
        assert not (await eve.until("welcome")).get("seats")
        await again.stop_server()

    run(work)


def test_a_friend_sees_their_table_and_its_rematches_and_nothing_else() -> None:
    async def work(here: OfflineApi, peers: Peers, table: str) -> None:
        ben, other = await seated(peers, table), await make_table(here)
        assert (await ben.ask(f"/api/tables/{table}"))[0] == 200
        for path in (f"/api/tables/{other}", f"/api/tables/{other}/chat", "/api/history", "/api/me", "/api/tables"):
            assert (await ben.ask(path))[0] == 404, path
        ben.got.clear()
        ben.put(do="open", n=99, table=other)
        assert (await ben.until("shut"))["shut"] == 4404
        for route in ROUTES:  # whatever changes or lists what is the host's
            path = re.sub(r"\(\?P<table>.*?\)", table, route.pattern.pattern)
            if route.method != "GET" and "review" not in path:
                assert (await ben.ask(path, route.method))[0] == 404, path
        assert here.hub.live_tables[table].table.chairs[1].person == friend_user_id(BEN)

    at_a_table(work)


def test_messages_before_the_name_and_the_host_s_own_id_lead_nowhere() -> None:
    async def work(here: OfflineApi, peers: Peers, table: str) -> None:
        got: list[str] = []
        session = peers.connect(table, "eve", got.append, lambda: None)
        session.receive(json.dumps({"do": "open", "n": 1, "table": table}))
        session.receive(json.dumps({"do": "hello", "n": 0, "key": "me", "name": "Ana"}))
        await asyncio.sleep(0.01)
        assert (got, session.user) == ([], None)
        ben = await seated(peers, table)
        await ben.send('{"t":"start"}')  # the owner's right
        assert (await ben.until("refused"))["code"] == "owner_only"

    at_a_table(work)


HOSTILE = [
    "", "{", "null", "[" * 5000, '{"do":"open"}', '{"do":"say","n":-1,"text":""}', "\ud800",
    '{"do":"say","n":1,"text":"{"}', '{"do":"ask","n":7,"method":"GET","path":"/api/tables/../me"}',
    json.dumps({"do": "say", "n": 1, "text": "x" * 9000}), "x" * 100_000,
    '{"do":"say","n":1,"text":"{\\"t\\":\\"hint\\"}"}', '{"do":"open","n":2,"table":"here-none"}',
    '{"do":"say","n":1,"text":"{\\"t\\":\\"say\\",\\"text\\":\\"hello\\"}"}',
]  # fmt: skip


def test_a_flood_ends_the_channel_and_nobody_else_s() -> None:
    async def work(here: OfflineApi, peers: Peers, table: str) -> None:
        ben, eve = await seated(peers, table), FriendChannel(peers, table, EVE)
        await eve.open()
        rng = random.Random(5)
        tracemalloc.start()
        base, worst, sent = tracemalloc.get_traced_memory()[0], 0.0, 0
        for sent in range(5_000):
            eve.session.receive(rng.choice(HOSTILE))
            if sent % 100 == 0:
                eve.got.clear()
                ben.got.clear()
                since = time.perf_counter()
                await ben.send('{"t":"ping"}')
                await ben.until("pong")
                worst = max(worst, time.perf_counter() - since)
        grown = tracemalloc.get_traced_memory()[0] - base
        tracemalloc.stop()
        assert (eve.closed, ben.closed) == (True, False)
        assert grown < 2_000_000, f"{grown} bytes after {sent} hostile messages"
        assert worst < 2, f"others waited {worst:.2f} s"
        assert await here.store.chat.read_chat_lines(table) is not None

    at_a_table(work)


@pytest.mark.parametrize(
    ("message", "code"),
    [({"t": "say", "text": "hello"}, "too_fast"), ({"t": "explain", "piece": "a", "place": "b"}, "too_fast")],
)
def test_rates_are_those_of_a_server_s_socket(message: dict[str, Any], code: str) -> None:
    async def work(here: OfflineApi, peers: Peers, table: str) -> None:
        ben = await seated(peers, table)
        await start(here, table)
        ben.got.clear()
        for _ in range(50):
            await ben.send(json.dumps(message))
        await ben.send('{"t":"ping"}')
        await ben.until("refused")
        refused = [one["code"] for one in ben.received() if one.get("t") == "refused"]
        assert refused.count(code) >= 50 - Limits().questions[1]
        assert not ben.closed

    at_a_table(work)


def test_a_flood_of_valid_messages_ends_the_channel_as_it_ends_a_socket() -> None:
    async def work(here: OfflineApi, peers: Peers, table: str) -> None:
        eve = FriendChannel(peers, table, EVE)
        for _ in range(2 * int(Limits().frames[1])):
            eve.put(do="close", n=5)
        assert eve.closed

    at_a_table(work)


def test_long_work_has_a_rate_of_its_own() -> None:
    async def work(here: OfflineApi, peers: Peers, table: str) -> None:
        ben = await seated(peers, table)
        statuses = [(await ben.ask(f"/api/tables/{table}/replay?eyes=1"))[0] for _ in range(45)]
        assert statuses[:40] == [403] * 40  # the match is not over
        assert 429 in statuses[40:]
        assert (await ben.ask(f"/api/tables/{table}"))[0] == 200

    at_a_table(work)


def test_garbage_closes_a_channel_after_as_many_messages_as_a_socket() -> None:
    async def work(here: OfflineApi, peers: Peers, table: str) -> None:
        eve = FriendChannel(peers, table, EVE)
        for _ in range(MAX_PROTOCOL_ERRORS):
            eve.session.receive("garbage")
        assert not eve.closed
        eve.session.receive("garbage")
        assert eve.closed

    at_a_table(work)


def test_new_keys_and_new_channels_of_one_device_bring_no_new_budget() -> None:
    async def work(here: OfflineApi, peers: Peers, table: str) -> None:
        asked, closed = [], 0
        for i in range(int(Limits().new_sockets[1]) + 50):
            eve = FriendChannel(peers, table, KEY.format(f"eve {i}"), guest="eve")
            closed += eve.closed
            if i < 150:
                asked.append((await eve.ask(f"/api/tables/{table}"))[0])
        assert asked[:100] == [200] * 100
        assert asked.count(429) >= 150 - Limits().requests[1] - 20
        assert closed >= 25
        ben = await seated(peers, table)  # another device has its own
        assert (await ben.ask(f"/api/tables/{table}"))[0] == 200

    at_a_table(work)


@pytest.mark.parametrize("game", ["atlantis", "atlandice"])
def test_two_worlds_over_a_channel_are_the_same_bytes(game: str) -> None:
    found = asyncio.run(compare_friend_games(game, [((2, {}), 11, 1)]))
    assert found["comparisons"] > 3


@pytest.mark.proof
@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_two_worlds_over_a_channel_in_a_thousand_positions(game: str) -> None:
    counts, total, seed = find_game(game).player_counts, 0, 100
    while total < 1000:
        seed += 1
        players = counts[seed % len(counts)]
        seat = None if seed % 5 == 0 else 1 + seed % (players - 1)
        total += asyncio.run(compare_friend_games(game, [((players, {}), seed, seat)]))["choices"]
    assert total >= 1000
