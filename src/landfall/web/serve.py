"""Runs the server: workers under a supervisor. One worker, or several on one PostgreSQL.

Ctrl-C or SIGTERM stops it cleanly. SIGHUP replaces the workers with processes of newly installed code."""

from __future__ import annotations

import asyncio
import gc
import logging.config
import multiprocessing
import socket
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import fields, replace
from pathlib import Path
from types import FrameType
from typing import Any, Final

import uvicorn

from landfall.core.errors import LandfallError
from landfall.store.store import is_shared_database, make_store_for_setting
from landfall.web import log_redaction
from landfall.web.app import create_app
from landfall.web.http_protocol import HttpProtocolWithTimeouts, make_protocol_class
from landfall.web.pid_file import default_pid_file_path, write_and_lock_pid_file
from landfall.web.server import MAX_DRAIN_S, MAX_HANDOVERS_S, Server
from landfall.web.server_options import ServerOptions
from landfall.web.settings import Settings
from landfall.web.supervisor import HEARTBEAT_S, Supervisor, WorkerHeartbeat

START_METHOD: Final = "spawn"  # of workers: each imports the code that is installed when it starts
SEND_BUFFER_BYTES: Final = 256 * 1024  # kept by the system for a client that does not read


class ServeError(LandfallError):
    """The server cannot start with these settings."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, "error.database", {"reason": reason})


class UvicornServer(uvicorn.Server):
    """uvicorn's server; it lets clients reconnect to another process before it stops."""

    def __init__(self, config: uvicorn.Config, server: Server, heartbeat: WorkerHeartbeat | None) -> None:
        super().__init__(config)
        self.server = server
        self.heartbeat = heartbeat
        self.beating: asyncio.Task[None] | None = None
        self.is_hurried = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """uvicorn's start. From then on the supervisor hears of this process."""
        await super().startup(sockets)
        if self.heartbeat is not None:
            self.beating = asyncio.create_task(self.send_heartbeats(self.heartbeat))

    async def send_heartbeats(self, heartbeat: WorkerHeartbeat) -> None:
        """Until cancelled. uvicorn's own timer would count by the wall clock, which may be set back."""
        while True:
            await heartbeat.send_heartbeat(self.server.is_warmed_up)
            await asyncio.sleep(HEARTBEAT_S)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """uvicorn's end of serving. Before it, the clients of all tables reconnect to another process."""
        if self.beating is not None:
            self.beating.cancel()
        for listener in self.servers:
            listener.close()
        if self.heartbeat is not None and self.heartbeat.has_successor() and not self.is_hurried:
            self.server.max_drain_s = MAX_HANDOVERS_S
            protocol = self.config.http_protocol_class
            if issubclass(protocol, HttpProtocolWithTimeouts):
                protocol.registry.is_leaving = True
            for connection in [c for c in self.server_state.connections if isinstance(c, HttpProtocolWithTimeouts)]:
                connection.end_keep_alive()
        await self.server.hand_over_all_tables()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """uvicorn's handler of stop signals. From the second signal on, clients are given less time to leave."""
        if self.should_exit:  # asked again: the whole server stops
            self.is_hurried = True
            self.server.max_drain_s = MAX_DRAIN_S
        super().handle_exit(sig, frame)


def uvicorn_config(app: Any, settings: Settings) -> uvicorn.Config:
    """uvicorn's fastest measured settings: no compression of small messages, sans-I/O sockets, uvloop."""
    return uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        ws=asyncio.Protocol,  # upgrades are handled by the HTTP protocol; uvicorn needs a class here
        proxy_headers=True,
        forwarded_allow_ips=settings.proxies,
        http=make_protocol_class(settings.request_timeout_s, settings.limits, settings.proxies),
        log_level=settings.log_level,
        log_config=log_redaction.make_logging_config(settings.log_level, settings.log_format),
        access_log=False,  # paths contain table links, which are secrets
        server_header=False,
        timeout_graceful_shutdown=5,
    )


def open_listening_socket(settings: Settings) -> socket.socket:
    """The listening socket that all workers share."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    found = socket.socket(family)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)  # connections inherit it
    try:
        found.bind((settings.host, settings.port))
    except OSError as error:
        found.close()
        raise ServeError(f"{settings.host}:{settings.port} cannot be listened on: {error.strerror}") from None
    found.listen(2048)
    found.set_inheritable(True)
    return found


def run_server_process(
    settings: Settings,
    sock: socket.socket,
    heartbeat: WorkerHeartbeat | None = None,
) -> None:
    """One process: serve until stopped."""
    app = create_app(settings)
    # Views are created and dropped constantly and contain no cycles: frequent collection only costs time.
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    UvicornServer(uvicorn_config(app, settings), app.state.server, heartbeat).run(sockets=[sock])


async def migrate_and_check_database(database: str | None) -> None:
    """Migrate the database before serving, and check that it is usable."""
    store = make_store_for_setting(database)
    await store.database.open_and_migrate()
    await store.database.close()


def _worker(given: tuple[dict[str, Any], socket.socket], heartbeat: WorkerHeartbeat) -> None:
    """In a worker process. The options may come from the supervisor of an older release."""
    values, sock = given
    known = {field.name for field in fields(Settings)}
    settings = Settings(**{name: value for name, value in values.items() if name in known})
    folder = settings.metrics_folder
    heartbeat.wait_for_predecessor()
    run_server_process(replace(settings, metrics_folder=Path(folder) if folder else None), sock, heartbeat)


def serve_in_this_process(settings: Settings) -> None:
    """Serve in this process until stopped, for one person; ServeError or DatabaseError if it cannot start."""
    asyncio.run(migrate_and_check_database(settings.database))
    run_server_process(settings, open_listening_socket(settings))


def serve_under_supervisor(settings: Settings) -> None:
    """Serve until stopped; ServeError or DatabaseError if it cannot start."""
    is_shared = is_shared_database(settings.database)
    if settings.workers > 1 and not is_shared:
        raise ServeError("SQLite serves one process; several workers need --database postgresql+asyncpg://...")
    asyncio.run(migrate_and_check_database(settings.database))
    sock = open_listening_socket(settings)
    if (
        write_and_lock_pid_file(Path(settings.pid_file or default_pid_file_path(settings.port))) is None
        and settings.pid_file
    ):
        raise ServeError(f"{settings.pid_file} cannot be written, or belongs to a running server")
    logging.config.dictConfig(
        log_redaction.make_logging_config(settings.log_level, settings.log_format)
    )  # uvicorn configures a worker's
    context = multiprocessing.get_context(START_METHOD)
    with ExitStack() as cleanup:
        try:
            folder = cleanup.enter_context(tempfile.TemporaryDirectory(prefix="landfall-"))
        except OSError:  # no folder can be written: each worker shows its own metrics only
            folder = None
        given = {option.name: getattr(settings, option.name) for option in fields(ServerOptions)}
        given["metrics_folder"] = folder
        supervisor = Supervisor(context, _worker, (given, sock), settings.workers, exclusive=not is_shared)
        supervisor.on_stopping = sock.close
        status = supervisor.run_until_stopped()
    sys.exit(status)
