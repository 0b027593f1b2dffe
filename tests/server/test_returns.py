"""Everybody comes back at once: sockets open a few at a time, and a loop that is late is not taken for a dead peer."""

from __future__ import annotations

import asyncio
import socket
import time
from pathlib import Path
from typing import Any

import pytest
import uvloop

from landfall.store.patient_timeouts import PatientTimer, patient_timeout
from landfall.store.store import make_store_for_setting
from landfall.tables.protocol.errors import Refused
from landfall.web.opening_gate import MAX_OPENING, OpeningGate
from tests.server.access_matrix import Door, Sender, open_socket, running_app, socket_outcome
from tests.server.returns import measure_return

pytestmark = pytest.mark.once


def test_who_waits_for_one_table_is_let_in_together_and_longest_first() -> None:
    async def story() -> None:
        gate, order = OpeningGate(1), []

        async def open_table(table: str, seconds: float) -> None:
            async with gate.admit(table):
                order.append(table)
                await asyncio.sleep(seconds)

        await asyncio.gather(*(open_table(table, 0.01) for table in "abcbca"))
        assert order == ["a", "b", "b", "c", "c", "a"]
        assert (gate.opening, gate.waiting) == (0, {})

    asyncio.run(story())


def test_who_would_wait_too_long_is_told_so_and_who_leaves_takes_nobodys_place() -> None:
    async def story() -> None:
        gate = OpeningGate(1, max_wait_s=0.05)

        async def open_table(table: str) -> None:
            async with gate.admit(table):
                pass

        async with gate.admit("slow"):
            gone = asyncio.create_task(open_table("gone"))
            await asyncio.sleep(0)
            gone.cancel()
            with pytest.raises(Refused, match="too busy"):
                await open_table("late")
        await open_table("next")
        leaving = asyncio.create_task(open_table("leaving"))
        async with gate.admit("slow"):
            await asyncio.sleep(0)
        leaving.cancel()  # just when it is its turn
        await asyncio.gather(gone, leaving, return_exceptions=True)
        assert (gate.opening, gate.waiting) == (0, {})

    asyncio.run(story())


def test_a_server_opens_few_sockets_at_once(tmp_path: Path) -> None:
    """However many come: the fault planted here is a server without the gate."""

    async def story() -> tuple[int, list[str]]:
        at_once, most = 0, 0
        async with running_app(tmp_path) as app:
            hub, door = app.state.server.hub, Door(app)
            subscribe = hub.subscribe_to_table

            async def counted(*arguments: Any) -> Any:
                nonlocal at_once, most
                at_once += 1
                most = max(most, at_once)
                try:
                    await asyncio.sleep(0.005)
                    return await subscribe(*arguments)
                finally:
                    at_once -= 1

            hub.subscribe_to_table = counted
            paths = [f"/ws/tables/{hub.runtime.new_id()}" for _ in range(60)]
            sockets = await asyncio.gather(*(open_socket(door, path, Sender(None)) for path in paths))
            return most, [socket_outcome(socket) for socket in sockets]

    most, outcomes = asyncio.run(story())
    assert set(outcomes) == {"no_table"}
    assert 1 < most <= MAX_OPENING


# --- timeouts -------------------------------------------------------------------------------------------------


def test_time_in_which_the_loop_stood_still_counts_for_little() -> None:
    async def story() -> None:
        done = asyncio.Event()
        begun = time.monotonic()
        PatientTimer(0.4, done.set)
        time.sleep(0.8)  # the loop is held up
        await asyncio.sleep(0)
        assert not done.is_set()
        await asyncio.wait_for(done.wait(), 2)
        assert time.monotonic() - begun > 0.8 + 0.2

    asyncio.run(story())


def test_a_peer_that_is_silent_while_the_loop_runs_is_given_up_in_time() -> None:
    async def story() -> None:
        begun = time.monotonic()
        with pytest.raises(TimeoutError):
            async with patient_timeout(0.4):
                await asyncio.sleep(30)
        assert 0.35 < time.monotonic() - begun < 5

    asyncio.run(story())


def test_an_answer_that_came_while_the_loop_stood_still_is_read(postgres: str) -> None:
    """The driver's own timers would fire before it is looked at, and take the connections of all others along."""

    async def story() -> None:
        database: Any = make_store_for_setting(postgres).database
        await database.open_and_migrate()
        try:
            reads = [asyncio.create_task(database.writer.db.execute("select pg_sleep(0.1)"))]
            await asyncio.sleep(0.02)
            here, there = socket.socketpair()
            loop = asyncio.get_running_loop()

            def hold_up() -> None:
                loop.remove_reader(here)
                time.sleep(database.limits.command_s + 0.5)

            loop.add_reader(here, hold_up)
            there.send(b"!")  # held up while it reads: what is due comes next, and then what has arrived
            await asyncio.gather(*reads)
            here.close()
            there.close()
            assert not database.abandoned
        finally:
            await database.close()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:  # its timers go before what has arrived
        runner.run(story())


# --- the whole ------------------------------------------------------------------------------------------------


def check_return(postgres: str, tables: int, limit_s: float, log: Path) -> None:
    found = asyncio.run(measure_return(postgres, tables, 4, 0.2, 2, limit_s, log))
    print(found)
    assert found["played"] == tables, found
    assert found["lost"] == 0


def test_every_table_is_played_soon_after_all_came_back_to_slow_servers(postgres: str, tmp_path: Path) -> None:
    check_return(postgres, 6, 100, tmp_path / "log")


@pytest.mark.proof
def test_two_hundred_tables_are_played_after_all_came_back_to_slow_servers(postgres: str, tmp_path: Path) -> None:
    check_return(postgres, 200, 600, tmp_path / "log")
