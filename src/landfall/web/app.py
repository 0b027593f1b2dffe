"""The web application of a server process, and its error handling."""

from __future__ import annotations

import time
from collections import Counter
from typing import Final

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import landfall
from landfall.api import own_matches, players
from landfall.api.error_responses import error_status_and_body, fault_body
from landfall.api.rate_limits import rate_limit_key_of_client
from landfall.api.route_table import SHARED_ROUTES
from landfall.api.routes import Route, routes_of
from landfall.core.errors import LandfallError
from landfall.store.database_errors import DATABASE_ERRORS, is_database_unavailable
from landfall.tables.protocol.errors import Refused
from landfall.tables.request_id import assign_request_number, current_request_id
from landfall.web import (
    client_files,
    rest,
    rest_accounts,
    rest_bots,
    rest_club,
    rest_follows_and_blocks,
    rest_home_page,
    rest_matchmaking,
    rest_notifications,
    rest_peer_signalling,
    rest_pictures,
    rest_portraits,
    rest_server_host,
    rest_tournaments,
    service_endpoints,
)
from landfall.web.metrics import HTTP_KIND, refusal_reason
from landfall.web.mounted_routes import mount_routes
from landfall.web.request_security import RequestSecurity
from landfall.web.server import Server
from landfall.web.settings import Settings
from landfall.web.table_socket import TableSocketEndpoint

ROUTES: Final[list[Route]] = [
    *routes_of(rest, "identity"),
    *routes_of(rest_accounts, "accounts"),
    *SHARED_ROUTES,
    *routes_of(players, "players"),
    *routes_of(own_matches, "accounts"),
    *routes_of(rest_bots, "bots"),
    *routes_of(rest_notifications, "notifications"),
    *routes_of(rest_server_host, "host"),
    *routes_of(rest_club, "host"),
    *routes_of(rest_home_page, "lobby"),
    *routes_of(rest_portraits, "players"),
    *routes_of(rest_follows_and_blocks, "players"),
    *routes_of(rest_peer_signalling, "together"),
    *routes_of(rest_matchmaking, "matchmaking"),
    *routes_of(rest_tournaments, "tournaments"),
    *routes_of(service_endpoints, "host"),
    *routes_of(rest_pictures, "tables"),
]
API_DESCRIPTION: Final = """Take a name (`POST /api/me`), make a table (`POST /api/tables`), and play over its
WebSocket, `/ws/tables/{table}?after=N`: one JSON object a message, named by its field `t`. `landfall types` prints the
schema of all socket messages. Errors have one shape, with a code, a text key and a sentence."""
OTHER_ROUTE: Final = "other"  # files, and what does not exist


class Application(FastAPI):
    """Routes sockets straight to their endpoint: middleware is for requests, and would cost time on each send."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self.state.sockets(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


class RequestLimitsAndMetrics:
    """Counts requests, and refuses an address that exceeds its rate or its concurrent requests."""

    def __init__(self, app: ASGIApp, server: Server) -> None:
        self.app = app
        self.server = server
        self.at_once: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        server, address = self.server, rate_limit_key_of_client(scope.get("client"))
        started, status = time.perf_counter(), 500  # what the outermost handler answers to an unexpected error
        assign_request_number()
        request_id = current_request_id().encode()

        async def count_and_send(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), (b"x-request-id", request_id)]
            await send(message)

        full = self.at_once[address] >= server.settings.limits.requests_at_once
        if full or not server.request_limiter.try_take_token(address):
            server.metrics.refusals[HTTP_KIND, "too_fast"] += 1
            await refusal_response(Refused("too_fast"))(scope, receive, count_and_send)
            server.metrics.record_request(OTHER_ROUTE, status, time.perf_counter() - started)
            return
        self.at_once[address] += 1
        try:
            await self.app(scope, receive, count_and_send)
        finally:
            server.metrics.record_request(declared_route_of(scope), status, time.perf_counter() - started)
            self.at_once[address] -= 1
            if not self.at_once[address]:
                del self.at_once[address]


def declared_route_of(scope: Scope) -> str:
    """The route of a request as declared: its real path contains keys."""
    path = getattr(scope.get("route"), "path", "")
    return f"{scope['method']} {path}" if path else OTHER_ROUTE


def create_app(settings: Settings | None = None) -> FastAPI:
    """The application; its sockets need the server of `landfall.web.serve`."""
    server = Server(settings or Settings())
    app = Application(
        title="Landfall",
        version=landfall.__version__,
        summary="Three board games about a sinking Atlantis, with people at the table.",
        description=API_DESCRIPTION,
        lifespan=server.run_lifespan,
        docs_url=None,  # its page loads from another host
        redoc_url=None,
    )
    app.state.server = server
    mount_routes(app, server, ROUTES)
    app.include_router(service_endpoints.router)
    app.state.sockets = TableSocketEndpoint(server)
    client_files.mount_client(app, server.settings.static)
    app.add_middleware(GZipMiddleware, minimum_size=2_000, compresslevel=5)
    app.add_middleware(RequestSecurity, settings=server.settings)
    add_error_handlers(app, server)
    app.add_middleware(RequestLimitsAndMetrics, server=server)
    return app


def refusal_response(error: LandfallError) -> JSONResponse:
    """A refusal as an answer."""
    status, body = error_status_and_body(error)
    return JSONResponse(body, status)


def add_error_handlers(app: FastAPI, server: Server) -> None:
    """All errors have the same response format."""

    @app.exception_handler(LandfallError)
    async def handle_refusal(request: Request, error: LandfallError) -> Response:
        server.metrics.refusals[HTTP_KIND, refusal_reason(error)] += 1
        return refusal_response(error)

    @app.exception_handler(HTTPException)
    async def handle_http_error(request: Request, error: HTTPException) -> Response:
        return JSONResponse(fault_body("http", str(error.detail)), error.status_code, headers=error.headers)

    async def handle_database_error(request: Request, error: Exception) -> Response:
        if not is_database_unavailable(error):
            return await handle_unexpected_error(request, error)
        server.log.warning("the database is away: %s", error)
        server.metrics.refusals[HTTP_KIND, "store"] += 1
        return refusal_response(Refused("store"))

    for kind in DATABASE_ERRORS:
        app.add_exception_handler(kind, handle_database_error)

    @app.exception_handler(Exception)
    async def handle_unexpected_error(request: Request, error: Exception) -> Response:
        route = getattr(request.scope.get("route"), "path", "")  # as declared: the real path contains the table's key
        server.log.error("a request failed: %s %s", request.method, route, exc_info=error)
        return JSONResponse(fault_body("server", "the server failed", "table.store"), 500)
