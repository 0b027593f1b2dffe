"""One server process: its store, its house, its web application."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import Receive, Scope, Send

import landfall
from landfall.core.errors import LandfallError, OptionError
from landfall.store.faults import away
from landfall.store.store import Store
from landfall.store.where import store_for
from landfall.tables.errors import Refused
from landfall.tables.house import House
from landfall.tables.thinkers import ProcessThinkers, Thinkers
from landfall.web import pages, rest, static
from landfall.web.identity import Identities, Proof
from landfall.web.limits import Buckets, times, whence
from landfall.web.making import Making
from landfall.web.metrics import Metrics
from landfall.web.models import Fault, Listed
from landfall.web.safety import Safety
from landfall.web.settings import Settings
from landfall.web.sockets import GOING, SIGNED_OUT, Socket, TableSocket

SOCKETS = 3  # that one person is likely to have: what all of them may ask is that many times what one may
STATUS = {
    "no_table": 404, "nameless": 401, "login": 401, "owner_only": 403, "not_shown": 403,
    "removed": 403, "stale": 409, "account_taken": 409, "has_account": 409, "rules": 409, "damaged": 409,
    "too_fast": 429, "tries": 429, "too_many": 429, "too_public": 429, "too_large": 413, "store": 503, "busy": 503,
    "old_password": 403, "no_session": 404,
}  # fmt: skip


class Server:
    """Everything a process needs, made by `create_app`."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.log = logging.getLogger("landfall")
        self.store: Store = store_for(settings.database)
        means = settings.means()
        means.link = lambda table: f"{settings.base}/t/{table}"
        thinkers = ProcessThinkers(settings.thinkers) if settings.thinkers else Thinkers()
        self.house = House(self.store, thinkers, means)
        self.house.people_changed = lambda: self.soon(self.sweep())
        self.identities = Identities(self.store, means, settings.recheck)
        self.metrics = Metrics(self.house)
        means.written = self.metrics.written
        self.live: set[Socket] = set()
        self.requests = Buckets(settings.limits.requests)
        self.newcomers = Buckets(settings.limits.newcomers)
        self.work = Buckets(settings.limits.tables_here)
        self.making = Making(settings, self.store, means)
        self.questions = Buckets(times(settings.limits.questions, SOCKETS))
        self.tellings = Buckets(times(settings.limits.tellings, SOCKETS))
        self.tries = Buckets(settings.limits.tries)
        self.renamings = Buckets(settings.limits.renamings)
        self.chat = Buckets(settings.limits.chat)
        self.changes = Buckets(settings.limits.changes)
        self.parted: set[str] = set()  # people who were forgotten, and are so here
        self.sweeping = asyncio.Lock()
        self.probed = 0.0, True  # when it was last tried to write something, and whether it went

    @asynccontextmanager
    async def lifespan(self, app: FastAPI) -> AsyncIterator[None]:
        """Open, serve, close cleanly."""
        await self.store.open()
        await self.identities.open()
        await self.house.open()
        self.soon(self.look_after_people())
        yield
        await self.house.close()
        await self.store.close()

    def turns(self, found: Listed) -> Listed:
        """A listed table with what only its room knows, if it is in this process."""
        room = self.house.rooms.get(found.table)
        if room is not None:
            found.turn, found.here = room.table.actor, len(room.here())
        return found

    # --- who is signed out or forgotten -----------------------------------------------------------------------

    def soon(self, work: Coroutine[Any, Any, None]) -> None:
        self.house.spawn(work)

    async def healthy(self) -> bool:
        """Whether the database can be read and written; tried once a second at most, however many ask."""
        if self.probed[0] < time.monotonic() - 1:
            try:
                await self.store.probe()
            except Exception as error:
                self.log.warning("the database cannot be written: %s", error)
                self.probed = time.monotonic(), False
            else:
                self.probed = time.monotonic(), True
        return self.probed[1]

    async def look_after_people(self) -> None:
        """Other processes sign people out and forget them, too, `landfall host` among them."""
        while True:
            try:
                await self.sweep()
            except Exception as error:  # a database says in many ways that it is away
                self.log.warning("it could not be looked up who was signed out: %s", error)
            await asyncio.sleep(self.settings.recheck)

    async def sweep(self) -> None:
        """Close the sockets of whoever was signed out; take whoever was forgotten away from the tables."""
        async with self.sweeping:
            self.identities.known.clear()
            asked = [(socket, socket.proof) for socket in self.live if socket.proof is not None]
            signed = {proof.key for _, proof in asked if proof.session is None}
            good = await self.store.good({proof.key for _, proof in asked} - signed, signed)
            for socket, proof in asked:  # and not those who came meanwhile: nothing was asked about them
                if proof.key not in good:
                    await self.shut(socket, SIGNED_OUT)
            for person, tables in await self.store.forgotten():
                if person not in self.parted:
                    await self.house.forget(person, tables)
                    await self.store.forget_person(person)  # what a socket wrote before it was closed
                    await self.store.parted(person)
                    self.parted.add(person)

    @asynccontextmanager
    async def trying(self, account: str, address: str, proof: Proof | None) -> AsyncIterator[None]:
        """A try at a password. Too many wrong ones from one address wait, but not the owner, nor another address."""
        who = f"{account} {address}"
        own = proof is not None and proof.person.account == account
        if not own and not self.tries.take(who):
            raise Refused("tries")
        yield
        self.tries.forgive(who)

    async def shut(self, socket: Socket, code: int) -> None:
        socket.dead = True
        try:
            await asyncio.wait_for(socket.raw({"type": "websocket.close", "code": code}), 1)
        except Exception:  # gone already
            return

    async def hang_up(self) -> None:
        """Tell every client that this process goes, so that it comes back to the next one."""
        for socket in list(self.live):
            await self.shut(socket, GOING)


class Application(FastAPI):
    """Sockets go straight to their endpoint: what stands around requests is not for them, yet each send would pass."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self.state.sockets(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


def create_app(settings: Settings | None = None) -> FastAPI:
    """The application: `uvicorn --factory landfall.web.server:create_app` serves it with the usual settings."""
    server = Server(settings or Settings())
    app = Application(
        title="Landfall",
        version=landfall.__version__,
        summary="Three board games about a sinking Atlantis, with people at the table.",
        description=rest.ABOUT,
        lifespan=server.lifespan,
        docs_url=None,  # its page comes from another host
        redoc_url=None,
        responses={422: {"model": Fault, "description": "Not what was asked for"}},
    )
    app.state.server = server
    app.include_router(rest.router)
    app.include_router(pages.router)
    app.state.sockets = TableSocket(server)
    static.mount_client(app, server.settings.static)
    app.add_middleware(GZipMiddleware, minimum_size=2_000, compresslevel=5)
    app.add_middleware(Safety, settings=server.settings)
    add_faults(app, server)

    @app.middleware("http")
    async def count(request: Request, call_next: Any) -> Response:
        if not server.requests.take(whence(request.client)):
            return fault(Refused("too_fast"))
        response: Response = await call_next(request)
        server.metrics.requests.labels(response.status_code).inc()
        return response

    return app


def fault(error: LandfallError) -> JSONResponse:
    """A refusal as an answer."""
    code = error.code if isinstance(error, Refused) else error.key.partition(".")[2]
    rule = error.rule if isinstance(error, Refused) else None
    body: dict[str, Any] = {
        "code": code, "key": error.key, "args": error.arguments, "rule": rule, "text": str(error)
    }  # fmt: skip
    if isinstance(error, OptionError):
        body["problems"] = [dict(zip(("option", "key", "args", "text"), found)) for found in error.problems]
    return JSONResponse(body, STATUS.get(code, 400))


def add_faults(app: FastAPI, server: Server) -> None:
    """Whatever goes wrong is answered in one shape."""

    @app.exception_handler(LandfallError)
    async def refused(request: Request, error: LandfallError) -> Response:
        return fault(error)

    @app.exception_handler(RequestValidationError)
    async def not_understood(request: Request, error: RequestValidationError) -> Response:
        found = error.errors()[0]
        where = ".".join(str(part) for part in found["loc"] if part != "body")
        reason = f"{where}: {found['msg']}" if where else str(found["msg"])
        body: dict[str, Any] = {
            "code": "bad_message",
            "key": "table.bad_message",
            "args": {"reason": reason},
            "rule": None,
        }
        return JSONResponse({**body, "text": reason}, 422)

    @app.exception_handler(HTTPException)
    async def plain(request: Request, error: HTTPException) -> Response:
        body: dict[str, Any] = {"code": "http", "key": "", "args": {}, "rule": None, "text": str(error.detail)}
        return JSONResponse(body, error.status_code, headers=error.headers)

    @app.exception_handler(SQLAlchemyError)
    @app.exception_handler(sqlite3.Error)
    @app.exception_handler(asyncpg.PostgresError)
    @app.exception_handler(asyncpg.InterfaceError)
    @app.exception_handler(OSError)
    async def stored(request: Request, error: Exception) -> Response:
        if not away(error):
            return await unexpected(request, error)
        server.log.warning("the database is away: %s", error)
        return fault(Refused("store"))

    @app.exception_handler(Exception)
    async def unexpected(request: Request, error: Exception) -> Response:
        route = getattr(request.scope.get("route"), "path", "")  # as it is declared: a path holds a table's key
        server.log.error("a request failed: %s %s", request.method, route, exc_info=error)
        body: dict[str, Any] = {
            "code": "server",
            "key": "table.store",
            "args": {},
            "rule": None,
            "text": "the server failed",
        }
        return JSONResponse(body, 500)
