"""The web application of a server process, and its error handling."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import landfall
from landfall.api.error_responses import error_status_and_body, fault_body
from landfall.api.rate_limits import rate_limit_key_of_client
from landfall.core.errors import MAX_ARGUMENT_CHARS, LandfallError, clip_untrusted_text
from landfall.store.database_errors import DATABASE_ERRORS, is_database_unavailable
from landfall.tables.protocol.errors import Refused
from landfall.tables.request_id import assign_request_number, current_request_id
from landfall.web import (
    client_files,
    link_previews,
    rest,
    rest_accounts,
    rest_bots,
    rest_follows_and_blocks,
    rest_home_page,
    rest_matchmaking,
    rest_notifications,
    rest_peer_signalling,
    rest_portraits,
    rest_puzzles,
    rest_server_host,
    rest_tournaments,
    service_endpoints,
)
from landfall.web.metrics import HTTP_KIND, refusal_reason
from landfall.web.request_security import RequestSecurity
from landfall.web.rest_models import ErrorInfo
from landfall.web.server import Server
from landfall.web.settings import Settings
from landfall.web.table_socket import TableSocketEndpoint

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
        description=rest.API_DESCRIPTION,
        lifespan=server.run_lifespan,
        docs_url=None,  # its page loads from another host
        redoc_url=None,
        responses={422: {"model": ErrorInfo, "description": "Not what was asked for"}},
    )
    app.state.server = server
    app.include_router(rest.router)
    app.include_router(rest_accounts.router)
    app.include_router(rest_bots.router)
    app.include_router(rest_notifications.router)
    app.include_router(rest_server_host.router)
    app.include_router(rest_home_page.router)
    app.include_router(rest_portraits.router)
    app.include_router(rest_puzzles.router)
    app.include_router(rest_follows_and_blocks.router)
    app.include_router(rest_peer_signalling.router)
    app.include_router(rest_matchmaking.router)
    app.include_router(rest_tournaments.router)
    app.include_router(service_endpoints.router)
    app.include_router(link_previews.router)
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

    @app.exception_handler(RequestValidationError)
    async def handle_invalid_request(request: Request, error: RequestValidationError) -> Response:
        found = error.errors()[0]
        where = clip_untrusted_text(".".join(str(part) for part in found["loc"] if part != "body"))
        reason = clip_untrusted_text(f"{where}: {found['msg']}" if where else str(found["msg"]), MAX_ARGUMENT_CHARS)
        body: dict[str, Any] = {
            "code": "bad_message",
            "key": "table.bad_message",
            "args": {"reason": reason},
            "rule": None,
        }
        return JSONResponse({**body, "text": reason}, 422)

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
