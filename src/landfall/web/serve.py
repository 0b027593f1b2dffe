"""Running the server: one process, or several on one PostgreSQL; a clean end on Ctrl-C or SIGTERM."""

from __future__ import annotations

import asyncio
import gc
import logging.config
import multiprocessing
import socket
import sys
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from typing import Any, Final

import uvicorn

from landfall.core.errors import LandfallError
from landfall.store.where import is_shared, store_for
from landfall.web import logs
from landfall.web.patience import patient
from landfall.web.process import Server
from landfall.web.server import create_app
from landfall.web.settings import Limits, Settings, default_bot_workers
from landfall.web.supervisor import HEARTBEAT_S, Heart, Supervisor

SEND_BUFFER_BYTES: Final = 256 * 1024  # the system keeps for a client that does not read


@dataclass(frozen=True)
class Serving:
    """What `landfall serve` was told."""

    host: str = "127.0.0.1"
    port: int = 8000
    database: str | None = None
    workers: int = 1
    public_url: str | None = None
    proxies: str = "127.0.0.1"  # addresses whose X-Forwarded-For is believed
    log_level: str = "info"
    bot_codes: bool = False  # codes of bots may be played, not only the levels
    patience: float = 30.0  # seconds a request may take to arrive
    bot_workers: int | None = None  # for each process; by the number of cores if not said


class ServeError(LandfallError):
    """A server that cannot be started so."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, "error.database", {"reason": reason})


class Host(uvicorn.Server):
    """uvicorn's server, which tells its clients before it goes."""

    def __init__(self, config: uvicorn.Config, server: Server) -> None:
        super().__init__(config)
        self.server = server

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self.server.hang_up()
        await super().shutdown(sockets)


def settings_of(serving: Serving) -> Settings:
    return Settings(
        database=serving.database,
        public_url=serving.public_url,
        host=serving.host,
        port=serving.port,
        bot_codes=serving.bot_codes,
        bot_workers=serving.bot_workers or default_bot_workers(serving.workers),
    )


def limits_of(app: Any) -> Limits:
    """The limits an application was made with; another than ours has wide ones."""
    server = getattr(getattr(app, "state", None), "server", None)
    return server.settings.limits if server is not None else Limits.wide()


def config_of(app: Any, serving: Serving) -> uvicorn.Config:
    """uvicorn as it was measured to be quickest: no compression of small messages, sans-I/O sockets, uvloop."""
    return uvicorn.Config(
        app,
        host=serving.host,
        port=serving.port,
        ws=asyncio.Protocol,  # there is one: what is done on an upgrade is the HTTP protocol's
        proxy_headers=True,
        forwarded_allow_ips=serving.proxies,
        http=patient(serving.patience, limits_of(app), serving.proxies),
        log_level=serving.log_level,
        log_config=logs.config(serving.log_level),
        access_log=False,  # table links are secrets, and they are in paths
        server_header=False,
        timeout_graceful_shutdown=5,
    )


def listening(serving: Serving) -> socket.socket:
    """The socket all workers share."""
    family = socket.AF_INET6 if ":" in serving.host else socket.AF_INET
    found = socket.socket(family)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)  # connections inherit it
    try:
        found.bind((serving.host, serving.port))
    except OSError as error:
        found.close()
        raise ServeError(f"{serving.host}:{serving.port} cannot be listened on: {error.strerror}") from None
    found.listen(2048)
    found.set_inheritable(True)
    return found


def run_one(
    serving: Serving, sock: socket.socket, settings: Settings | None = None, heart: Heart | None = None
) -> None:
    """One process: serve until told to stop."""
    app = create_app(settings or settings_of(serving))
    # Views are made and dropped all the time and hold no cycles: looking for those often only costs.
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    config = config_of(app, serving)
    if heart is not None:
        config.callback_notify, config.timeout_notify = heart.beat, HEARTBEAT_S
    Host(config, app.state.server).run(sockets=[sock])


async def check(database: str | None) -> None:
    """Bring the database to shape before anybody is served, and find out whether it can be used at all."""
    store = store_for(database)
    await store.open()
    await store.close()


def _worker(given: tuple[dict[str, Any], socket.socket], pipe: Connection) -> None:
    fields, sock = given
    run_one(Serving(**fields), sock, heart=Heart(pipe))


def serve(serving: Serving) -> None:
    """Serve until told to stop; ServeError or DatabaseError if it cannot begin."""
    if serving.workers > 1 and not is_shared(serving.database):
        raise ServeError("SQLite serves one process; several workers need --database postgresql+asyncpg://...")
    asyncio.run(check(serving.database))
    sock = listening(serving)
    if serving.workers == 1:
        run_one(serving, sock)
        return
    logging.config.dictConfig(logs.config(serving.log_level))  # a worker's is set by uvicorn
    spawn = multiprocessing.get_context("spawn")
    sys.exit(Supervisor(spawn, _worker, (asdict(serving), sock), serving.workers).run())
