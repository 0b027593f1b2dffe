"""Processes on one PostgreSQL, and a NATS server between them: news, and bots elsewhere. What the bus loses, repeats
or delays costs a read, never a move."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import nats
import pytest
from typer.testing import CliRunner

from landfall.cli import app
from landfall.core.rng import Rng
from landfall.store import nats_bus
from landfall.store import postgres as store
from landfall.store.matchmaking_events import SearchesEnded, SearchWrite
from landfall.store.migrate import DatabaseError
from landfall.store.nats_bus import BusMessage, NatsBus
from landfall.store.row_types import ChatLine, LogEntry, TableSummary
from landfall.store.store import make_store_for_setting
from landfall.tables.bots import remote_bots
from landfall.tables.bots.bot_pool import ProcessBotPool
from landfall.tables.bots.fair_queue import FairQueue
from landfall.tables.bots.remote_bots import (
    BotService,
    PendingRemoteRequest,
    RemoteBotPool,
    RemoteWorkers,
    decode_bot_request,
    encode_bot_request,
)
from tests.conftest import LONG, lacking
from tests.nats_server import NatsServer
from tests.server.crashes import kill_server_often
from tests.server.real_server import Line, Player, ServerProcess, free_port, play_at_random
from tests.store.test_store import entry, head
from tests.tables.test_bot_pool import legal, request

pytestmark = pytest.mark.once
BOTS_SCRIPT: Final = "from landfall.cli import main; main()"  # then the words of `landfall bots`


@pytest.fixture
def bus() -> Iterator[NatsServer]:
    with NatsServer() as running:
        yield running


async def eventually(what: Callable[[], bool]) -> None:
    until = time.monotonic() + LONG
    while not what():
        assert time.monotonic() < until, "it did not happen"
        await asyncio.sleep(0.02)


# --- news -------------------------------------------------------------------------------------------------------------


async def two_lines(one: ServerProcess, other: ServerProcess) -> tuple[Line, Line]:
    """Somebody's two pages at one table, each at another process; it is their turn again and again."""
    ana = await Player(one.url, "Ana").come()
    body = {"game": "atlandice", "players": 2, "bots": ["random"], "seating": "as_sat"}
    table = (await ana.post("/api/tables/quick", **body))["table"]
    return await Line(ana, table, one.url).open(), await Line(ana, table, other.url).open()


async def choose(line: Line) -> int:
    """One choice of somebody's: the number under which it is acknowledged."""
    while not line.choices:
        await line.receive()
    action, line.choices = line.choices[0]["action"], []
    return int((await line.play(action))["n"])


async def hears(line: Line, n: int) -> None:
    while (line.n or 0) < n:
        await line.receive()


@pytest.mark.proof
def test_news_cross_the_bus_and_without_it_are_found_in_the_logs(postgres: str, bus: NatsServer) -> None:
    async def story(one: ServerProcess, other: ServerProcess) -> None:
        here, there = await two_lines(one, other)
        await hears(there, await choose(here))
        bus.stop()
        await hears(there, await choose(here))
        await hears(here, await choose(there))
        bus.start()
        await hears(there, await choose(here))
        async with connected(bus) as client:
            for lie in (b"entry", b"entry nothing x", b"\xff", b"entry %s 1" % here.table.encode(), b"people \nlobby "):
                for _ in range(3):  # false, early, repeated
                    await client.publish(store.NEWS_SUBJECT, lie)
            await client.publish(store.NEWS_SUBJECT, f"entry {here.table} 100000".encode())
            await client.flush()
        await hears(there, await choose(here))
        await there.send(t="say", text="Ahoy")
        assert (await here.until("chat"))["text"] == "Ahoy"
        for line in (here, there):
            await line.close()
        await here.player.close()

    servers = [ServerProcess(postgres, bus=bus.url) for _ in range(2)]
    with servers[0] as one, servers[1] as other:
        asyncio.run(story(one, other))


def test_stores_hear_each_other_and_see_the_heads_of_logs_they_did_not_hear_of(postgres: str, bus: NatsServer) -> None:
    async def story() -> None:
        lines = [NatsBus(bus.url) for _ in range(2)]
        stores = [make_store_for_setting(postgres, bus=line) for line in lines]
        received: list[tuple[str, str]] = []
        for one, line in zip(stores, lines, strict=True):
            await one.database.open_and_migrate()
            await line.connect_in_background()
        stores[1].database.listen_for_notifications(lambda kind, words: received.append((kind, words)))
        await eventually(lambda: all(line.is_connected for line in lines))
        assert {one.database.missed_event_poll_interval_s for one in stores} == {5.0}
        assert await stores[0].tables.append_entries([entry("t1", 1)], head("t1"))
        await stores[0].database.notify_processes("chat", "t1")
        assert await stores[0].searches.append_search_events(SearchWrite([SearchesEnded([], "stopped")], seq=1))
        await eventually(lambda: received[-3:] == [("entry", "t1 1"), ("chat", "t1"), ("searches", "1")])
        bus.stop()
        await eventually(lambda: stores[0].database.missed_event_poll_interval_s == 0.5)
        assert await stores[0].tables.append_entries([entry("t1", 2)])
        await stores[0].chat.append_chat_line(ChatLine("t1", 0, 7, "p", "Ana", None, "Ahoy"))
        await stores[0].database.notify_processes("chat", "t1")  # lost; what was done is done: nobody waits
        assert await stores[1].tables.read_last_event_and_chat_numbers(["t1", "nothing"]) == [("t1", 2, 1)]
        received.clear()
        bus.start()
        await eventually(lambda: received == [("missed", "")])
        for one, line in zip(stores, lines, strict=True):
            await line.flush_and_disconnect()
            await one.database.close()

    asyncio.run(story())


@asynccontextmanager
async def two_on(bus: NatsServer) -> AsyncIterator[tuple[NatsBus, NatsBus]]:
    """Two processes' sides of a bus, connected."""
    lines = NatsBus(bus.url), NatsBus(bus.url)
    for line in lines:
        await line.connect_in_background()
    await eventually(lambda: all(line.is_connected for line in lines))
    yield lines
    for line in lines:
        await line.flush_and_disconnect()


async def publish_until(received: list[bytes], here: NatsBus, subject: str) -> None:
    while not received:
        await here.try_publish(subject, b"one")
        await asyncio.sleep(0.05)


def test_what_is_subscribed_to_while_the_bus_is_away_is_received_afterwards(bus: NatsServer) -> None:
    async def story() -> None:
        received: list[bytes] = []
        async with two_on(bus) as (here, there):
            bus.stop()
            await eventually(lambda: not here.is_connected and not there.is_connected)
            await there.make_subscription(
                "requests", lambda message: received.append(message.data), "bots"
            ).subscribe_to_bus()
            bus.start()
            await eventually(lambda: here.is_connected and there.is_connected)
            await publish_until(received, here, "requests")

    asyncio.run(asyncio.wait_for(story(), LONG))


def test_of_a_group_whose_members_come_and_go_somebody_receives_every_message(
    bus: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is on its way to one that stops went to nobody else."""
    monkeypatch.setattr(nats_bus, "UNSUBSCRIBE_TIMEOUT_S", LONG)  # beyond it, a message may be lost

    async def send(here: NatsBus, number: int) -> None:
        while not await here.try_publish("work", b"%d" % number):  # False: it was not connected, and nothing was sent
            await asyncio.sleep(0.05)

    async def story() -> None:
        async with two_on(bus) as (here, there), two_on(bus) as (third, _):
            received: list[bytes] = []
            always = there.make_subscription("work", lambda message: received.append(message.data), "group")
            at_times = third.make_subscription("work", lambda message: received.append(message.data), "group")
            await always.subscribe_to_bus()
            await there.client.flush()
            for round_number in range(20):
                await at_times.subscribe_to_bus()
                sent = [send(here, 60 * round_number + n) for n in range(60)]
                await asyncio.gather(*sent, at_times.unsubscribe_from_bus())
            for client in (here.client, there.client, third.client):  # sent, then received
                await client.flush()
            await eventually(lambda: len(received) >= 1200)
            assert sorted(map(int, received)) == list(range(1200))

    asyncio.run(asyncio.wait_for(story(), LONG))


def test_what_is_started_twice_at_once_is_received_once(bus: NatsServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its owner, and by the connection that was made just then."""

    async def story() -> None:
        received: list[bytes] = []
        async with two_on(bus) as (here, there):
            subscribe = there.client.subscribe

            async def subscribe_slowly(*args: Any, **named: Any) -> Any:
                await asyncio.sleep(0.05)
                return await subscribe(*args, **named)

            monkeypatch.setattr(there.client, "subscribe", subscribe_slowly)
            wanted = there.make_subscription("twice", lambda message: received.append(message.data))
            await asyncio.gather(wanted.subscribe_to_bus(), wanted.subscribe_to_bus(), there.on_reconnected())
            await there.client.flush()
            await here.publish_message("twice", b"once")
            await here.client.flush()
            await asyncio.sleep(0.2)
            assert received == [b"once"]
            await asyncio.gather(
                wanted.unsubscribe_from_bus(), wanted.subscribe_to_bus(), wanted.unsubscribe_from_bus()
            )
            await there.client.flush()
            await here.publish_message("twice", b"late")
            await here.client.flush()
            await asyncio.sleep(0.2)
            assert received == [b"once"]

    asyncio.run(asyncio.wait_for(story(), LONG))


def test_a_process_that_the_bus_refuses_returns_once_it_is_let_in(tmp_path: Path) -> None:
    """The client of NATS gives up when its server refuses it; the bus does not."""

    async def story(bus: NatsServer) -> None:
        received: list[bytes] = []
        async with two_on(bus) as (here, there):
            await there.make_subscription("news", lambda message: received.append(message.data)).subscribe_to_bus()
            first = there.client
            bus.refuse()
            await eventually(lambda: first.is_closed)  # the client of NATS gave up
            bus.stop()
            bus.start()
            await eventually(lambda: here.is_connected and there.is_connected)
            await publish_until(received, here, "news")

    with NatsServer(tmp_path / "nats.conf") as bus:
        asyncio.run(asyncio.wait_for(story(bus), LONG))


def test_news_of_a_batch_are_published_when_all_of_it_is_committed(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also of one with an item that cannot be written: the others are written one by one, and committed together."""

    async def story() -> None:
        line = NatsBus("nats://127.0.0.1:1")
        one = make_store_for_setting(postgres, bus=line)
        assert isinstance(one.database, store.PostgresDatabase)
        await one.database.open_and_migrate()
        db = await one.database.open_connection()
        published: list[tuple[list[bytes], bool]] = []

        def publish_soon(subject: str, data: bytes) -> None:
            published.append((sorted(data.split(b"\n")), db.is_in_transaction()))

        monkeypatch.setattr(line, "publish_without_waiting", publish_soon)
        batch: list[tuple[list[LogEntry], TableSummary | None]] = [
            ([entry(table, 1)], head(table)) for table in ("batch-1", "batch-\0", "batch-2")
        ]
        results = await one.database.commit_batch_or_one_by_one(db, batch)
        assert [found if isinstance(found, bool) else "refused" for found in results] == [True, "refused", True]
        assert published == [([b"entry batch-1 1", b"entry batch-2 1"], False)]
        published.clear()
        assert await one.database.commit_batch_or_one_by_one(db, [([entry("batch-1", n)], None) for n in (1, 2)]) == [
            False,
            True,
        ]
        assert published == [([b"entry batch-1 2"], False)]
        await db.close()
        await one.database.close()

    asyncio.run(asyncio.wait_for(story(), LONG))


def test_news_after_a_line_that_cannot_be_read_are_heard(postgres: str) -> None:
    one, received = make_store_for_setting(postgres, bus=NatsBus("nats://127.0.0.1:1")), []

    def listen(kind: str, words: str) -> None:
        received.append((kind, int(words)))

    one.database.listen_for_notifications(listen)
    assert isinstance(one.database, store.PostgresDatabase)
    one.database.on_bus_notifications(BusMessage("news", b"searches x\nsearches 2", ""))
    assert received == [("searches", 2)]


def test_a_bot_process_that_could_not_subscribe_tries_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        service = BotService(NatsBus("nats://127.0.0.1:1"), SimpleNamespace(), 1)  # type: ignore[arg-type]
        tried: list[bool] = []

        async def start() -> None:
            tried.append(service.is_subscribed)
            if len(tried) == 1:
                raise ConnectionError

        monkeypatch.setattr(service.requests, "subscribe_to_bus", start)
        with pytest.raises(ConnectionError):
            await service.subscribe_or_unsubscribe_by_free_workers()
        await service.subscribe_or_unsubscribe_by_free_workers()
        await service.subscribe_or_unsubscribe_by_free_workers()
        assert tried == [False, False]
        assert service.is_subscribed

    asyncio.run(story())


def test_an_answer_that_is_no_choice_counts_as_a_failure() -> None:
    workers = RemoteWorkers(SimpleNamespace(name="landfall x", is_connected=True))  # type: ignore[arg-type]
    inquiry = workers.inquiries["1"] = PendingRemoteRequest()
    for wrong in (b'"x"', b"true", b"1.5"):
        workers.on_bot_answer(BusMessage("landfall.answers.x.1", b'{"action": %s}' % wrong, ""))
        assert (inquiry.answer.action, bool(inquiry.answer.failed)) == (None, True)
    workers.on_bot_answer(BusMessage("landfall.answers.x.1", b'{"action": 3}', ""))
    assert inquiry.answer.action == 3


@pytest.mark.proof
def test_a_lost_message_costs_a_read(postgres: str, bus: NatsServer) -> None:
    """The bus is there, but what one process says does not arrive: another finds it in the log."""

    async def story(one: ServerProcess, other: ServerProcess) -> None:
        here, there = await two_lines(one, other)
        n = await choose(here)
        await hears(there, n)
        for line in (here, there):
            await line.close()
        await here.player.close()

    mute = NatsServer().start()  # a bus of its own: nobody else hears it
    with ServerProcess(postgres, bus=mute.url) as one, ServerProcess(postgres, bus=bus.url) as other:
        asyncio.run(story(one, other))
    mute.stop()


@pytest.mark.proof
def test_killed_processes_lose_nothing_with_a_bus(postgres: str, bus: NatsServer) -> None:
    servers = [ServerProcess(postgres, bot_workers=0, bus=bus.url) for _ in range(2)]
    try:
        done = asyncio.run(kill_server_often(postgres, servers, kills=2, tables=3, seed=2))
    finally:
        for server in servers:
            server.__exit__()
    assert done["kills"] == 2


# --- bots -------------------------------------------------------------------------------------------------------------


@asynccontextmanager
async def connected(bus: NatsServer) -> AsyncIterator[Any]:
    client = await nats.connect(bus.url)
    try:
        yield client
    finally:
        await client.close()


async def beat(client: Any) -> None:
    """The signs of life of a bot process that is none of ours."""
    while True:
        await client.publish(remote_bots.BEATS, b'{"name": "rogue", "workers": 1}')
        await asyncio.sleep(remote_bots.BEAT_S)


@asynccontextmanager
async def asking(url: str) -> AsyncIterator[RemoteBotPool]:
    """A server's side."""
    line = NatsBus(url)
    pool = RemoteBotPool(line)
    await pool.remote.subscribe_to_bus()
    await line.connect_in_background()
    try:
        yield pool
    finally:
        pool.close_pool()
        await line.flush_and_disconnect()


@asynccontextmanager
async def answering(bus: NatsServer, workers: int = 1) -> AsyncIterator[BotService]:
    service = BotService(NatsBus(bus.url, "landfall bots"), ProcessBotPool(workers), workers)
    running = asyncio.create_task(service.serve_until_stopping())
    try:
        yield service
    finally:
        service.stopping.set()
        await running


@asynccontextmanager
async def bot_process(bus: NatsServer, workers: int = 1) -> AsyncIterator[subprocess.Popen[bytes]]:
    """`landfall bots`, in a process of its own."""
    words = ["bots", "--bus", bus.url, "--bot-workers", str(workers)]
    with subprocess.Popen([sys.executable, "-c", BOTS_SCRIPT, *words], stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.kill()


def test_a_request_is_the_same_after_the_bus_and_names_no_program() -> None:
    asked = request("greedy")
    assert decode_bot_request(encode_bot_request(asked)) == asked
    for code in ("cmd:./program", "mine.py:MyBot", "net:file=/etc/passwd", "greedy\n"):
        with pytest.raises(ValueError, match="code"):
            decode_bot_request(encode_bot_request(replace(asked, code=code)))


@pytest.mark.proof
def test_bots_elsewhere_answer_as_here_and_without_them_the_server_does(bus: NatsServer) -> None:
    async def story() -> None:
        asked = request("marlin")
        async with asking(bus.url) as pool:
            assert legal(await pool.choose_action(asked, "a p t"), asked), "nobody is there: its own workers"
            assert pool.remote.count == 0
            async with answering(bus, workers=2) as service:
                await eventually(lambda: pool.remote.update_live_worker_count() == 2)
                found = await asyncio.gather(
                    *(pool.choose_action(replace(asked, seed=n), f"a{n} p t") for n in range(6))
                )
                assert all(legal(one, asked) for one in found)
                assert service.answered == 6
                assert legal(await pool.choose_action(replace(asked, hard=True), "a p t"), asked)
                assert service.answered == 7
            assert pool.remote.update_live_worker_count() == 0, "it said that it goes"
            assert legal(await pool.choose_action(asked, "a p t"), asked)
            assert pool.remote.update_live_worker_count() == 0

    asyncio.run(story())


@pytest.mark.proof
def test_of_two_bot_processes_one_is_killed_and_every_request_is_answered(bus: NatsServer) -> None:
    async def story() -> None:
        asked = request("marlin")
        async with asking(bus.url) as pool, bot_process(bus) as victim, bot_process(bus) as other:
            await eventually(lambda: pool.remote.update_live_worker_count() == 2)

            async def ask(n: int) -> bool:
                return legal(await pool.choose_action(replace(asked, seed=n), f"a{n % 3} p{n} t"), asked)

            first = asyncio.gather(*(ask(n) for n in range(12)))
            await eventually(lambda: len(pool.remote.inquiries) == 2)
            os.kill(victim.pid, signal.SIGKILL)
            assert all(await first)
            assert pool.remote.update_live_worker_count() == 1
            assert pool.remote.repeated >= 1
            bus.stop()
            during = asyncio.gather(*(ask(n) for n in range(2)))
            bus.start()
            assert all(await during)
            await eventually(lambda: pool.remote.update_live_worker_count() == 1)
            before = pool.remote.count
            assert await ask(1)
            assert pool.remote.count > before, "the bus is used again"
            assert other.poll() is None
            assert len(pool.bot_workers.queue.busy) == len(pool.remote.queue.busy) == 0

    asyncio.run(story())


def test_late_and_repeated_answers_are_ignored_and_a_request_that_nobody_answers_is_repeated(bus: NatsServer) -> None:
    async def story() -> None:
        asked, right, wrong = request("greedy"), 7, 8
        async with asking(bus.url) as pool, connected(bus) as client:
            taken: list[Any] = []

            async def on_request(message: Any) -> None:
                taken.append(message)
                if len(taken) == 2:  # the first one is lost
                    for action in (right, right, wrong):
                        for found in ({"taken": "rogue"}, {"action": action}):
                            await client.publish(message.reply, json.dumps(found).encode())

            beating = asyncio.create_task(beat(client))
            await client.subscribe(remote_bots.REQUESTS, queue=remote_bots.GROUP, cb=on_request)
            await eventually(lambda: pool.remote.update_live_worker_count() == 1)
            assert await pool.choose_action(asked, "a p t") == right
            assert len(taken) == 2
            assert pool.remote.repeated == 1
            await client.publish(taken[0].reply, b'{"action": 9}')  # late
            await client.publish(taken[1].reply, b"nonsense")
            await client.flush()
            await eventually(lambda: pool.remote.ignored >= 2)
            assert not pool.remote.inquiries
            beating.cancel()

    asyncio.run(story())


def test_a_hard_budget_holds_although_nobody_answers(bus: NatsServer) -> None:
    async def story() -> None:
        asked = request("greedy", budget=0.3, hard=True)
        async with asking(bus.url) as pool, connected(bus) as client:
            beating = asyncio.create_task(beat(client))
            await client.subscribe(remote_bots.REQUESTS, queue=remote_bots.GROUP)
            await eventually(lambda: pool.remote.update_live_worker_count() == 1)
            assert legal(await pool.choose_action(asked, "a p t"), asked)
            await eventually(lambda: not pool.remote.queue.busy)
            beating.cancel()

    asyncio.run(story())


@pytest.mark.proof
def test_what_no_server_asks_is_refused_and_the_process_goes_on(bus: NatsServer) -> None:
    async def story() -> None:
        async with asking(bus.url) as pool, answering(bus) as service, connected(bus) as client:
            await eventually(lambda: pool.remote.update_live_worker_count() == 1)
            asked = request("greedy")
            programs = encode_bot_request(replace(asked, code="cmd:./program"))
            for data in (b"", b"{}", b"\xff", programs, encode_bot_request(replace(asked, game="chess"))):
                inbox = client.new_inbox()
                answers = await client.subscribe(inbox)
                await client.publish(remote_bots.REQUESTS, data, inbox)
                found = [json.loads((await answers.next_msg(LONG)).data)]
                while "taken" in found[-1] or "busy" in found[-1]:
                    if "busy" in found[-1]:
                        await client.publish(remote_bots.REQUESTS, data, inbox)
                    found.append(json.loads((await answers.next_msg(LONG)).data))
                assert "failed" in found[-1]
            assert legal(await pool.choose_action(asked, "a p t"), asked)
            assert service.answered == 1

    asyncio.run(story())


def test_a_queue_that_grows_and_shrinks_stays_fair() -> None:
    async def story() -> None:
        queue, served = FairQueue(1, 1), []

        async def ask(who: str) -> None:
            await queue.take_slot(who)
            served.append(who)

        for who in ("a", "a", "b", "c"):
            asyncio.create_task(ask(who))  # noqa: RUF006
        await asyncio.sleep(0)
        assert served == ["a"]
        queue.set_slot_count(3, 2)
        await asyncio.sleep(0)
        assert served == ["a", "b", "c"]
        queue.set_slot_count(1, 1)
        for who in ("b", "c"):
            queue.release_slot(who)
        await asyncio.sleep(0)
        assert (served, queue.free) == (["a", "b", "c"], 0)
        queue.release_slot("a")
        await asyncio.sleep(0)
        assert served == ["a", "b", "c", "a"]

    asyncio.run(story())


@pytest.mark.proof
def test_a_match_is_played_with_bots_of_another_process(postgres: str, bus: NatsServer) -> None:
    async def story(server: ServerProcess) -> None:
        async with answering(bus) as service:
            ana = await Player(server.url, "Ana").come()
            table = (await ana.post("/api/tables/quick", game="atlandice", players=2, bots=["sprat"]))["table"]
            line = await Line(ana, table).open()
            until = time.monotonic() + LONG
            while service.answered < 3 and not line.over and time.monotonic() < until:
                await play_at_random(line, Rng(1), most=1)
            assert service.answered
            await line.close()
            await ana.close()

    with ServerProcess(postgres, bus=bus.url) as server:
        asyncio.run(story(server))


def test_an_address_that_is_none_gets_a_sentence() -> None:
    for words in (["serve", "--bus", "localhost"], ["bots", "--bus", "redis://localhost"]):
        found = CliRunner().invoke(app, words)
        assert found.exit_code != 0
        assert "nats://" in found.output


def test_a_broken_message_ends_no_subscription(bus: NatsServer) -> None:
    async def story() -> None:
        received: list[bytes] = []

        def receive(message: BusMessage) -> None:
            received.append(message.data)
            raise RuntimeError

        line = NatsBus(bus.url)
        await line.make_subscription("landfall.test", receive).subscribe_to_bus()
        await line.connect_in_background()
        await eventually(lambda: line.is_connected)
        async with connected(bus) as client:
            for n in range(2):
                await client.publish("landfall.test", b"%d" % n)
            await client.flush()
        await eventually(lambda: received == [b"0", b"1"])
        await line.flush_and_disconnect()

    asyncio.run(story())


@pytest.mark.proof
@pytest.mark.parametrize("mode", ["session", "transaction"])
def test_a_pooler_is_refused_with_a_sentence(postgres: str, mode: str, tmp_path: Path) -> None:
    program = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin") or lacking("pgbouncer")
    port, folder = free_port(), postgres.partition("host=")[2].partition("&")[0]
    settings = tmp_path / "pgbouncer.ini"
    settings.write_text(
        f"[databases]\npostgres = host={folder} port=54329 user=postgres\n[pgbouncer]\nlisten_addr = 127.0.0.1\n"
        f"listen_port = {port}\nauth_type = any\npool_mode = {mode}\nunix_socket_dir =\n"
        "ignore_startup_parameters = search_path\n"
    )
    for part in (tmp_path, *tmp_path.parents):
        if "pytest" in str(part):
            part.chmod(0o755)

    async def story() -> None:
        store = make_store_for_setting(f"postgresql+asyncpg://postgres@127.0.0.1:{port}/postgres")
        with pytest.raises(DatabaseError, match="pooler"):
            await store.database.open_and_migrate()

    with subprocess.Popen([program, "-u", "postgres", str(settings)], stderr=subprocess.DEVNULL) as process:
        try:
            until = time.monotonic() + LONG
            while not listens(port):
                assert process.poll() is None
                assert time.monotonic() < until
                time.sleep(0.05)
            asyncio.run(story())
        finally:
            process.kill()


def listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 5).close()
    except OSError:
        return False
    return True
