"""Connections to PostgreSQL that cannot hang: timeouts in the driver, in the server and in the network."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, cast

import asyncpg
from sqlalchemy.engine import URL, ExceptionContext
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.pool import AsyncAdaptedQueuePool
from sqlalchemy.util import await_only
from sqlalchemy.util.queue import AsyncAdaptedQueue, Empty

from landfall.store.patient_timeouts import PatientLoop, patient_timeout

HEARTBEAT_S: Final = 5.0  # between checks of an idle connection
FENCE_POLL_S: Final = 0.02
CANCEL_RETRY_S: Final = 1.0
FENCE_RETRY_S: Final = 1.0  # between attempts to end the server's side of abandoned connections
KEEPALIVE: Final = {"idle": 5, "interval": 2, "count": 3}  # seconds, seconds, probes
TCP_USER_TIMEOUT_MS: Final = 10_000  # for sent data to be acknowledged
IDLE_IN_TRANSACTION_MS: Final = 10_000
OURS: Final = {"prepared_statement_cache_size", "prepared_statement_name_func"}  # SQLAlchemy's own parameters

Connection: TypeAlias = "asyncpg.Connection[Any]"


@dataclass(frozen=True)
class ConnectionTimeouts:
    """Timeouts of a connection: to connect, and for one statement or commit."""

    connect_s: float
    command_s: float


SERVING: Final = ConnectionTimeouts(3.5, 3.5)  # a user waits: a response needs at most a commit and a read
MAINTENANCE: Final = ConnectionTimeouts(20.0, 3600.0)  # migrations, retention, backups


class PatientConnection(asyncpg.Connection):
    """A connection whose protocol has a patient loop. Its tasks are known by the real one."""

    def __init__(self, protocol: Any, transport: Any, loop: PatientLoop, *rest: Any) -> None:
        super().__init__(protocol, transport, loop.loop, *rest)


class PatientQueue(AsyncAdaptedQueue[Any]):
    """The idle connections of a pool. Who waits for one is not told that there is none because the loop was late."""

    def get(self, block: bool = True, timeout: float | None = None) -> Any:
        if not block or timeout is None or not self.empty():
            return super().get(block, timeout)
        try:
            return await_only(self.get_within(timeout))
        except TimeoutError as error:
            raise Empty from error

    async def get_within(self, timeout: float) -> Any:
        async with patient_timeout(timeout):
            return await self._queue.get()


class PatientPool(AsyncAdaptedQueuePool):
    _queue_class = PatientQueue


def asyncpg_parameters(engine: AsyncEngine, url: URL) -> dict[str, Any]:
    """The parameters for asyncpg, as SQLAlchemy parses a URL."""
    found = engine.dialect.create_connect_args(url)[1]
    return {key: value for key, value in found.items() if key not in OURS}


def parameters_for_each_host(parameters: dict[str, Any]) -> list[dict[str, Any]]:
    """The parameters for each host that a URL names; of several, the one is wanted that accepts writes."""
    hosts, ports = parameters.get("host"), parameters.get("port")
    if not isinstance(hosts, list):
        return [parameters]
    places: list[dict[str, Any]] = [{"host": host} for host in hosts]
    if isinstance(ports, list):
        places = [{"host": host, "port": port} for host, port in zip(hosts, ports)]
    return [{"target_session_attrs": "primary", **parameters, **place} for place in places]


async def take_first_connection(attempts: list[asyncio.Task[Connection]]) -> Connection:
    """The first connection of several attempts; the others are ended."""
    pending = set(attempts)
    try:
        while pending:
            done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
            if ready := [task for task in attempts if task in done and task.exception() is None]:
                attempts.remove(ready[0])
                return ready[0].result()
        reasons = "; ".join(str(task.exception()) for task in attempts)
        raise ConnectionError(f"no host of the database accepts writes: {reasons}")
    finally:
        await cancel_tasks_until_done(attempts)
        for task in attempts:
            if not task.cancelled() and task.exception() is None:
                task.result().terminate()


async def connect_with_timeouts(parameters: dict[str, Any], limits: ConnectionTimeouts, name: str) -> Connection:
    """A connection with timeouts at both ends; TimeoutError if it is not established in time.

    Several hosts are tried at once: one that is silent must not use up the time of the others.
    """

    def connect_to_host(one: dict[str, Any]) -> Coroutine[Any, Any, Connection]:
        return asyncpg.connect(
            **one,
            command_timeout=limits.command_s,
            server_settings={"application_name": name},
            loop=cast("asyncio.AbstractEventLoop", PatientLoop()),
            connection_class=PatientConnection,
        )

    hosts = parameters_for_each_host(parameters)
    async with patient_timeout(limits.connect_s):
        if len(hosts) == 1:
            db = await connect_to_host(hosts[0])
        else:
            db = await take_first_connection([asyncio.create_task(connect_to_host(one)) for one in hosts])
        try:
            enable_tcp_keep_alive(db)
            await db.execute(build_server_timeouts_statement(limits))
        except BaseException:
            db.terminate()
            raise
    return db


async def cancel_tasks_until_done(tasks: Sequence[asyncio.Task[Any]]) -> None:
    """Cancel them until all have ended: one that waits for a silent server may miss it once."""
    while pending := [task for task in tasks if not task.done()]:
        for task in pending:
            task.cancel()
        await asyncio.wait(pending, timeout=CANCEL_RETRY_S)


def build_server_timeouts_statement(limits: ConnectionTimeouts) -> str:
    """Set after connecting: poolers refuse unknown startup parameters."""
    command_ms = int(limits.command_s * 1000)
    values = {
        "statement_timeout": command_ms,
        "lock_timeout": command_ms,
        "idle_in_transaction_session_timeout": max(IDLE_IN_TRANSACTION_MS, command_ms),
        "tcp_keepalives_idle": KEEPALIVE["idle"],
        "tcp_keepalives_interval": KEEPALIVE["interval"],
        "tcp_keepalives_count": KEEPALIVE["count"],
        "tcp_user_timeout": TCP_USER_TIMEOUT_MS,
    }
    return "; ".join(f"set {key} = {value}" for key, value in values.items())


def enable_tcp_keep_alive(db: Connection) -> None:
    """Enable TCP keep-alive, where the platform has it. asyncpg offers no public way to its socket."""
    transport = getattr(db, "_transport", None)
    sock = transport.get_extra_info("socket") if transport is not None else None
    if sock is None or sock.family not in (socket.AF_INET, socket.AF_INET6):
        return
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    options = {
        "TCP_KEEPIDLE": KEEPALIVE["idle"],
        "TCP_KEEPINTVL": KEEPALIVE["interval"],
        "TCP_KEEPCNT": KEEPALIVE["count"],
        "TCP_USER_TIMEOUT": TCP_USER_TIMEOUT_MS,
    }
    for option, value in options.items():
        if hasattr(socket, option):
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)


async def terminate_abandoned_backends(db: Connection, name: str, pids: set[int], limit_s: float) -> None:
    """Terminate the server's side of abandoned connections, and wait until they are gone; else TimeoutError.

    What they had received is then committed or rolled back for good. Process ids are reused, so only those under our
    own application name are terminated.
    """
    ours = "from pg_stat_activity where pid = any($1::int[]) and application_name = $2"
    async with patient_timeout(limit_s):
        while await db.fetch(f"select pg_terminate_backend(pid) {ours}", list(pids), name):
            await asyncio.sleep(FENCE_POLL_S)


def discard_pool_after_timeout(context: ExceptionContext) -> None:
    """For SQLAlchemy: a connection that timed out is dead, and so are all others of its pool."""
    if isinstance(context.original_exception, TimeoutError):
        context.is_disconnect = True
