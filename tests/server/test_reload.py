"""Workers are replaced while people play: nothing is lost, nothing comes twice, and nobody waits long."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
import time
from multiprocessing import Pipe
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from typer.testing import CliRunner
from uvicorn.lifespan.off import LifespanOff
from uvicorn.server import ServerState

from landfall.api.limits import Limits
from landfall.cli import app as commands
from landfall.store.store import make_store_for_setting
from landfall.tables.live.hub import Hub
from landfall.web.http_protocol import HttpProtocolWithTimeouts, make_protocol_class
from landfall.web.pid_file import find_running_server_pid, write_and_lock_pid_file
from landfall.web.serve import UvicornServer
from landfall.web.server import HANDOVERS_AT_ONCE, MAX_DRAIN_S, MAX_HANDOVERS_S, MAX_RECONNECT_MS, Server
from landfall.web.settings import Settings
from landfall.web.supervisor import START_TIMEOUT_S, Supervisor, Worker, WorkerHeartbeat
from tests.conftest import LONG
from tests.repository_files import REPO
from tests.server.real_server import PROCESSES, ConnectionClosed, Line, Player, ServerProcess
from tests.server.worker_replacement import RESTARTING, PatientLoad, Service

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(sys.platform != "linux", reason="signals and processes as on Linux"),
]
MAX_SILENCE_S = 1.0


def reload(service: Service) -> None:
    done = CliRunner().invoke(commands, ["host", "reload", "--pid-file", str(service.pid_file)])
    assert done.exit_code == 0, done.output


async def play_through(service: Service, load: PatientLoad, reloads: int, settle: float) -> None:
    """Play, reload so often, and play on."""
    await load.begin()
    playing = asyncio.create_task(load.run())
    await load.goes_on(len(load.acked), playing)
    for number in range(1, reloads + 1):
        await asyncio.to_thread(reload, service)
        until = time.monotonic() + LONG
        while service.log().count("reload: done") < number and time.monotonic() < until:
            assert not playing.done() or playing.exception() is None, playing.exception()
            await asyncio.sleep(0.05)
        assert service.log().count("reload: done") == number, service.log()
        await asyncio.sleep(settle)
    await load.goes_on(len(load.acked), playing)
    load.stopping = True
    await playing


@pytest.mark.parametrize("where", ["postgres", "sqlite"])
def test_a_reload_loses_no_move_and_lets_everybody_in_at_the_time_they_were_told(
    where: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    database = request.getfixturevalue("postgres") if where == "postgres" else str(tmp_path / "landfall.db")
    with Service(tmp_path, database, workers=2 if where == "postgres" else 1) as service:
        load = PatientLoad(service, tables=4, seed=3, think_s=0.1)
        asyncio.run(play_through(service, load, reloads=1, settle=0.2))
        assert asyncio.run(load.check(database)) == load.choices, "lost 0, twice 0"
        assert load.reconnects >= 8, "everybody was moved"
        # A busy machine makes everybody wait. The server does not: all are told when to come back, and are let in then.
        assert len(load.told_ms) == load.reconnects
        assert max(load.told_ms) <= MAX_RECONNECT_MS
        assert load.failed_attempts == 0
        assert service.stop() == 0


def test_a_process_that_drains_is_alive_and_accepts_no_traffic(postgres: str) -> None:
    async def story(server: ServerProcess) -> None:
        guest = await Player(server.url, "P").come()
        tables = [await guest.post("/api/tables", game="survive", players=2) for _ in range(HANDOVERS_AT_ONCE + 2)]
        lines = [await Line(guest, table["table"]).open() for table in tables]  # it waits for them elsewhere: in vain
        async with httpx.AsyncClient(base_url=server.url, timeout=LONG) as kept:
            assert (await kept.get("/readyz")).status_code == 200
            assert server.process is not None
            server.process.terminate()
            until = time.monotonic() + LONG
            while (answer := await kept.get("/readyz")).status_code == 200:
                assert time.monotonic() < until
            assert (answer.status_code, answer.json()["status"]) == (503, "draining")
            assert (await kept.get("/healthz")).status_code == 200
        for line in lines:
            with pytest.raises(ConnectionClosed) as closed:
                await line.until("nothing")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == RESTARTING
        await guest.close()

    with ServerProcess(postgres) as server:
        asyncio.run(story(server))
        assert server.stop() in (0, -signal.SIGTERM)


def test_a_successor_takes_over_when_it_says_that_it_is_ready() -> None:
    worker = Worker(0)
    worker.pipe, theirs = Pipe()
    worker.started = time.monotonic()
    heartbeat = WorkerHeartbeat(theirs)
    taken = []
    for is_ready in (False, True, False):
        asyncio.run(heartbeat.send_heartbeat(is_ready))
        worker.read_heartbeats()
        taken.append(worker.can_take_over())
    assert taken == [False, True, True]
    older = Worker(0)
    older.last_beat = older.started = time.monotonic()
    assert not older.can_take_over()
    older.started -= START_TIMEOUT_S + 1
    assert older.can_take_over(), "a release that does not say so"


def test_a_worker_with_a_successor_has_time_to_hand_over_its_clients() -> None:
    """Its clients leave little by little, unless the whole server is then stopped, too."""
    worker = Worker(0)
    worker.pipe, theirs = Pipe()
    worker.process = PROCESSES.Process(target=time.sleep, args=(LONG,))
    worker.process.start()
    heartbeat = WorkerHeartbeat(theirs)
    asyncio.run(heartbeat.send_heartbeat(is_ready=True))  # from here on the pipe does not block
    assert not heartbeat.has_successor()
    worker.request_handover()
    worker.process.join(LONG)
    assert worker.process.exitcode == -signal.SIGTERM
    assert heartbeat.has_successor()
    patient = worker.stop_until
    assert patient is not None
    worker.request_stop()
    assert worker.stop_until is not None
    assert worker.stop_until < patient
    server = Server(Settings(database="sqlite+aiosqlite://"))
    server.max_drain_s = MAX_HANDOVERS_S
    uvicorn_server = UvicornServer(uvicorn.Config("none"), server, heartbeat)
    for limit_s in (MAX_HANDOVERS_S, MAX_DRAIN_S):
        uvicorn_server.handle_exit(signal.SIGTERM, None)
        assert server.max_drain_s == limit_s
        assert uvicorn_server.is_hurried == (limit_s == MAX_DRAIN_S)


def sleep(seconds: float, _: WorkerHeartbeat) -> None:
    """A worker that does nothing."""
    time.sleep(seconds)


def test_a_worker_that_dies_while_its_successor_starts_needs_not_leave() -> None:
    supervisor = Supervisor(PROCESSES, sleep, LONG, 2)
    supervisor.start_missing_workers()
    first = supervisor.workers[0]
    supervisor.reload_requested = True
    supervisor.take_reload_step()
    successor = supervisor.successor
    assert successor is not None
    assert first.process is not None
    first.process.kill()
    first.process.join(LONG)
    supervisor.clear_dead_and_kill_hanging()
    assert first.process is None
    successor.last_beat, successor.is_ready = time.monotonic(), True
    supervisor.take_reload_step()
    assert supervisor.workers[0] is successor
    assert supervisor.leaving == []
    # a second reload meanwhile begins with the first slot again, and drops the successor that has begun
    supervisor.take_reload_step()
    dropped = supervisor.successor
    assert dropped is not None
    assert dropped.number == 1
    supervisor.reload_requested = True
    supervisor.take_reload_step()
    assert dropped.is_stopping
    assert supervisor.successor is None
    assert list(supervisor.to_replace) == [0, 1]
    supervisor.stopping = True
    supervisor.stop_all_workers()


def test_tables_are_handed_over_as_fast_as_other_processes_take_them() -> None:
    async def story() -> None:
        hub = Hub(make_store_for_setting("sqlite+aiosqlite://"))
        with hub.expect_arrivals_elsewhere("t", {"ann", "bob"}) as arrived:
            for words in ("t other ann", f"t {hub.name} ann bob", "u other bob", "t other"):
                hub.on_process_notification("here", words)
                assert not arrived.done(), words
            hub.on_process_notification("here", "t third bob")
            assert arrived.done()
        with hub.expect_arrivals_elsewhere("t", set()) as arrived:
            assert arrived.done(), "nobody with a name"
        assert not hub.expected_arrivals

    asyncio.run(story())


def test_a_request_on_its_way_is_answered_by_a_process_that_stops() -> None:
    """An idle connection is closed; one with half a request, or none yet, is closed after the response."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})

    async def story() -> None:
        protocol = make_protocol_class(LONG, Limits.wide_for_tests(), "")
        config = uvicorn.Config(answer, http=protocol, ws="none", lifespan="off", log_config=None)
        config.load()
        state = ServerState()
        loop = asyncio.get_running_loop()
        listener = await loop.create_server(
            lambda: protocol(config=config, server_state=state, app_state={}), "127.0.0.1", 0
        )
        port = listener.sockets[0].getsockname()[1]
        idle, begun, fresh = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        request = b"GET / HTTP/1.1\r\nhost: a\r\n\r\n"
        idle[1].write(request)
        assert b"connection: close" not in await idle[0].readuntil(b"ok")
        begun[1].write(request[:20])
        while len(state.connections) < 3 or not any(connection.in_headers for connection in connections(state)):
            await asyncio.sleep(0.01)
        protocol.registry.is_leaving = True
        for connection in connections(state):
            connection.end_keep_alive()
        assert await idle[0].read() == b""
        for (reader, writer), rest in ((begun, request[20:]), (fresh, request)):
            writer.write(rest)
            response = await reader.read()
            assert response.startswith(b"HTTP/1.1 200")
            assert b"connection: close" in response
        for _, writer in (idle, begun, fresh):
            writer.close()
            await writer.wait_closed()
        listener.close()

    def connections(state: ServerState) -> list[HttpProtocolWithTimeouts]:
        return [connection for connection in state.connections if isinstance(connection, HttpProtocolWithTimeouts)]

    asyncio.run(story())


def test_a_process_that_stops_keeps_no_connection_that_it_accepts_later() -> None:
    """Also if it has none yet: a request may be on its way."""

    async def drain() -> None:
        pass

    async def story() -> None:
        protocol = make_protocol_class(LONG, Limits.wide_for_tests(), "")
        config = uvicorn.Config("none", http=protocol, ws="none", lifespan="off", log_config=None)
        config.http_protocol_class = protocol
        server = SimpleNamespace(max_drain_s=0.0, hand_over_all_tables=drain)
        heartbeat = SimpleNamespace(has_successor=lambda: True)
        stopping = UvicornServer(config, server, heartbeat)  # type: ignore[arg-type]
        stopping.servers, stopping.lifespan = [], LifespanOff(config)
        await stopping.shutdown()
        assert protocol.registry.is_leaving

    asyncio.run(story())


@pytest.mark.proof
def test_new_code_that_does_not_start_leaves_the_old_workers(tmp_path: Path, postgres: str) -> None:
    with Service(tmp_path, postgres, 2) as service:
        before = service.workers()
        (tmp_path / "broken").touch()
        reload(service)
        service.wait("the new worker 0 does not start; the old ones stay")
        assert service.workers() == before
        assert service.answers() == 200


def test_the_file_of_a_server_that_has_ended_names_nobody(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "serve.pid"
    assert find_running_server_pid(path) is None
    held = write_and_lock_pid_file(path)
    assert held is not None
    assert find_running_server_pid(path) == os.getpid()
    assert write_and_lock_pid_file(path) is None, "one server a file"
    os.close(held)
    assert find_running_server_pid(path) is None


@pytest.mark.proof
def test_a_rolling_update_under_250_tables(tmp_path: Path, postgres: str, capsys: pytest.CaptureFixture[str]) -> None:
    old, code = tmp_path / "old", tmp_path / "code"
    for copy in (old, tmp_path / "new"):
        shutil.copytree(REPO / "src" / "landfall", copy / "landfall", ignore=shutil.ignore_patterns("static"))
    with (tmp_path / "new" / "landfall" / "web" / "supervisor.py").open("a") as file:
        file.write("\nlog.warning('this is the new release')\n")
    code.symlink_to(old)
    with Service(tmp_path, postgres, 2, code) as service:
        load = PatientLoad(service, tables=250, seed=5, think_s=2.0)

        async def story() -> None:
            await load.begin()
            playing = asyncio.create_task(load.run())
            await load.goes_on(500, playing)
            before = list(load.answer_times)
            code.unlink()
            code.symlink_to(tmp_path / "new")
            load.silences.clear()
            load.answer_times.clear()
            await asyncio.to_thread(reload, service)
            while "reload: done" not in service.log():
                assert service.process.is_alive()
                await asyncio.sleep(0.2)
            await asyncio.sleep(10)
            load.stopping = True
            await playing
            with capsys.disabled():
                during = sorted(load.answer_times)
                print(
                    f"\n250 tables, 500 people: {len(during)} moves during the update, {load.reconnects} reconnects, "
                    f"longest without a connection {max(load.silences):.2f} s, "
                    f"longest answer {during[-1]:.2f} s (before: {max(before):.2f} s), "
                    f"p99 {during[len(during) * 99 // 100]:.3f} s"
                )

        asyncio.run(story())
        assert service.log().count("this is the new release") >= 2
        assert asyncio.run(load.check(postgres)) == load.choices, "lost 0, twice 0"
        assert load.reconnects >= 500
        assert load.longest_silence < MAX_SILENCE_S
