"""One connection to PostgreSQL for many callers: what waits when it is free goes to the server together."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Generic, Protocol, TypeVar

from landfall.store.database import MAX_BATCH, resolve_pending_futures
from landfall.store.database_errors import is_database_unavailable
from landfall.store.patient_timeouts import PatientTimer
from landfall.store.postgres_connections import HEARTBEAT_S, Connection, ConnectionTimeouts, cancel_tasks_until_done

STOP_TIMEOUT_S: Final = 2.0  # for a batch under way
STOP_POLL_S: Final = 0.01
Request = TypeVar("Request")
Result = TypeVar("Result")


class ConnectionSource(Protocol):
    """Where connections come from, and go to."""

    limits: ConnectionTimeouts

    async def open_connection(self) -> Connection: ...

    def abandon_connection(self, db: Connection) -> None:
        """The outcome of its last statement is unknown."""


class BatchedConnection(Generic[Request, Result]):
    """Requests in batches. After the server was unavailable it reconnects, and all who waited get the error."""

    def __init__(
        self,
        connections: ConnectionSource,
        answer: Callable[[Connection, list[Request]], Awaitable[Sequence[Result | Exception]]],
    ) -> None:
        self.connections = connections
        self.answer = answer
        self.db: Connection | None = None
        self.queue: asyncio.Queue[tuple[Request, asyncio.Future[Result]]] = asyncio.Queue()
        self.task: asyncio.Task[None] | None = None
        self.is_busy = False  # somebody's request is at the server
        self.is_stopped = False

    def start_answering(self) -> None:
        """Begin to look whether the connection is alive; the first request does so, too."""
        if self.task is None or self.task.done():
            self.task = asyncio.get_running_loop().create_task(self.answer_batches())

    async def finish_queue_and_stop(self) -> None:
        """Finish what waits, if the server answers; the connection stays."""
        self.is_stopped = True
        while not self.queue.empty() and self.task is not None and not self.task.done():
            await asyncio.sleep(STOP_POLL_S)
        for _ in range(int(STOP_TIMEOUT_S / STOP_POLL_S)):
            if not self.is_busy:
                break
            await asyncio.sleep(STOP_POLL_S)
        if self.task is not None:
            await cancel_tasks_until_done([self.task])
        left: list[tuple[Request, asyncio.Future[Result]]] = []
        self.add_queued_requests(left, all_of_them=True)
        resolve_pending_futures([done for _, done in left], [ConnectionError("the store is closed")] * len(left))

    async def submit_request(self, request: Request) -> Result:
        """The answer to one request; ConnectionError after `stop`."""
        if self.is_stopped:
            raise ConnectionError("the store is closed")
        done: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self.queue.put_nowait((request, done))
        self.start_answering()
        return await done

    async def answer_batches(self) -> None:
        """Work off the queue until cancelled."""
        while True:
            try:
                async with asyncio.timeout(HEARTBEAT_S):
                    batch = [await self.queue.get()]
            except TimeoutError:  # detected now, so that the next request need not wait for it
                await self.abandon_connection_if_silent()
                continue
            self.add_queued_requests(batch)
            self.is_busy = True
            try:
                if self.db is None or self.db.is_closed():
                    self.db = await self.connections.open_connection()
                results = await self.answer_batch_in_time(self.db, [request for request, _ in batch])
            except asyncio.CancelledError:
                for _, done in batch:
                    done.cancel()
                raise
            except Exception as error:  # nothing is known of any of them: every caller gets the error
                if is_database_unavailable(error):
                    if self.db is not None:
                        self.connections.abandon_connection(self.db)
                    self.add_queued_requests(batch, all_of_them=True)  # later callers would wait as long again
                results = [error] * len(batch)
            finally:
                self.is_busy = False
            resolve_pending_futures([done for _, done in batch], results)

    def add_queued_requests(
        self, batch: list[tuple[Request, asyncio.Future[Result]]], all_of_them: bool = False
    ) -> None:
        """Add what is already queued."""
        while (all_of_them or len(batch) < MAX_BATCH) and not self.queue.empty():
            batch.append(self.queue.get_nowait())

    async def abandon_connection_if_silent(self) -> None:
        """Abandon the connection if it does not answer."""
        if self.db is not None and not self.db.is_closed():
            try:
                await self.db.execute("select 1")
            except Exception:  # whatever it is: who waits meanwhile needs another connection, and this task
                self.connections.abandon_connection(self.db)

    async def answer_batch_in_time(self, db: Connection, requests: list[Request]) -> Sequence[Result | Exception]:
        """A whole batch within the timeout of one command. A terminated connection fails at once; a cancelled task
        would first try to roll back, and wait as long again.
        """
        timer = PatientTimer(self.connections.limits.command_s, db.terminate)
        try:
            return await self.answer(db, requests)
        finally:
            timer.cancel()
