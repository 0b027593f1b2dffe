"""A TCP proxy on loopback that injects faults between a client and a database: delay, cut, half-open.

It runs in a thread with a loop of its own, so that a test may use it from any loop, or for another process.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from sqlalchemy.engine import make_url

CHUNK_BYTES: Final = 64 * 1024


class Pipe:
    """One client's connection to the target: a pump for each direction."""

    def __init__(self, proxy: FaultProxy, up: asyncio.StreamWriter, down: asyncio.StreamWriter) -> None:
        self.proxy = proxy
        self.up = up  # to the target
        self.down = down  # to the client
        self.thawed = asyncio.Event()
        self.thawed.set()
        self.is_cut = False

    def abort(self) -> None:
        """Close both ends with a reset; what is held back is lost."""
        self.is_cut = True
        for writer in (self.up, self.down):
            writer.transport.abort()
        self.thawed.set()

    async def pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward bytes; while frozen they stay here, and nobody learns that the other side is gone."""
        with suppress(OSError):
            while chunk := await reader.read(CHUNK_BYTES):
                if self.proxy.delay_s:
                    await asyncio.sleep(self.proxy.delay_s)
                trigger = self.proxy.trigger
                if trigger and trigger in chunk and writer is self.up:
                    self.proxy.freeze_now(self.proxy.freezes_all, None if self.proxy.freezes_all else self)
                await self.thawed.wait()
                if self.is_cut:
                    return
                writer.write(chunk)
                await writer.drain()
        await self.thawed.wait()
        writer.close()


class FaultProxy:
    """Listens on `port` of 127.0.0.1 and forwards to a target, until told to misbehave.

    `freeze` loses no byte: whatever was sent arrives when `thaw` is called, however late, unless the link was `cut`.
    """

    def __init__(self, host: str | None = None, port: int = 0, path: str | None = None) -> None:
        self.host, self.target_port, self.path = host, port, path
        self.port = 0
        self.delay_s = 0.0
        self.pipes: set[Pipe] = set()
        self.freezes_new = False  # also connections that are made from now on
        self.trigger = b""
        self.freezes_all = True  # when it is sent
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.run, name="fault-proxy", daemon=True)
        self.started = threading.Event()

    @classmethod
    def before_postgres(cls, address: str) -> FaultProxy:
        """A proxy before the database of an address like `tests.postgres_cluster.run_temporary_cluster` gives."""
        url = make_url(address)
        host, port = str(url.host or url.query["host"]), int(url.port or str(url.query.get("port", 5432)))
        return cls(path=f"{host}/.s.PGSQL.{port}") if host.startswith("/") else cls(host, port)

    def postgres_address(self, address: str) -> str:
        """The same database, reached through this proxy."""
        url = make_url(address).set(host="127.0.0.1", port=self.port, query={})
        return url.render_as_string(hide_password=False)

    # --- faults -----------------------------------------------------------------------------------------------

    def freeze(self, new: bool = True) -> None:
        """Half-open: connections stay, but no byte passes in either direction; nor in new ones, unless told so."""
        self.call(lambda: self.freeze_now(new))

    def freeze_at(self, sent: bytes, everything: bool = True) -> None:
        """Freeze everything, or only that connection, when a client sends these bytes; they are the first to be held
        back."""
        self.trigger, self.freezes_all = sent, everything

    def thaw(self, existing: bool = True) -> None:
        """Let new connections pass again, and the existing ones, unless told so: first of all what was held back."""
        self.call(lambda: self.thaw_now(existing))

    def cut(self) -> None:
        """Reset every connection there is; what was held back in them is lost. New ones are accepted."""
        self.call(self.abort_all)

    def delay(self, seconds: float) -> None:
        """Let every chunk of bytes take so long."""
        self.delay_s = seconds

    # --- its life ---------------------------------------------------------------------------------------------

    def __enter__(self) -> FaultProxy:
        self.thread.start()
        assert self.started.wait(10), "the proxy did not start"
        return self

    def __exit__(self, *_: object) -> None:
        self.call(self.abort_all)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)

    def call(self, work: Callable[[], Any]) -> None:
        """Do something in the proxy's thread, and wait until it is done."""
        done = threading.Event()

        def run() -> None:
            work()
            done.set()

        self.loop.call_soon_threadsafe(run)
        assert done.wait(10), "the proxy hangs"

    def freeze_now(self, new: bool, only: Pipe | None = None) -> None:
        self.trigger = b""
        self.freezes_new = new
        for pipe in [only] if only else self.pipes:
            pipe.thawed.clear()

    def thaw_now(self, existing: bool) -> None:
        self.freezes_new = False
        for pipe in self.pipes if existing else ():
            pipe.thawed.set()

    def abort_all(self) -> None:
        for pipe in list(self.pipes):
            pipe.abort()

    def run(self) -> None:
        asyncio.set_event_loop(self.loop)
        server = self.loop.run_until_complete(asyncio.start_server(self.accept, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        self.started.set()
        self.loop.run_forever()
        server.close()
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.loop.run_until_complete(asyncio.gather(*asyncio.all_tasks(self.loop), return_exceptions=True))
        self.loop.run_until_complete(asyncio.sleep(0.01))  # aborted connections close their sockets in the next turns
        self.loop.close()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if self.path is not None:
                target = await asyncio.open_unix_connection(self.path)
            else:
                target = await asyncio.open_connection(self.host, self.target_port)
        except (OSError, asyncio.CancelledError):  # no target, or the proxy ends meanwhile
            writer.transport.abort()
            return
        pipe = Pipe(self, target[1], writer)
        self.pipes.add(pipe)
        if self.freezes_new:
            pipe.thawed.clear()
        try:
            await asyncio.gather(pipe.pump(reader, target[1]), pipe.pump(target[0], writer))
        except asyncio.CancelledError:  # the proxy ends; asyncio's streams would report the task as failed
            pass
        finally:
            pipe.abort()
            self.pipes.discard(pipe)
