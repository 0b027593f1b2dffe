"""Endpoints beside the API: health, metrics, QR codes, an API page, and the browser client."""

from __future__ import annotations

from contextlib import suppress
from html import escape

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

import landfall
from landfall.api.limits import QUERY
from landfall.api.routes import Access, Route
from landfall.store.database_errors import DATABASE_ERRORS
from landfall.web.rest_models import ConnectionInfo, Health, HealthStatus
from landfall.web.server import Server

router = APIRouter()


def server_of_request(request: Request) -> Server:
    found: Server = request.app.state.server
    return found


@router.get("/healthz", response_model=Health, tags=["host"], summary="Whether this process is alive")
async def get_health(request: Request) -> Health:
    """Asks nothing of the database: a process need not be restarted because the database is away."""
    return describe_server_health(server_of_request(request), "ok")


@router.get(
    "/readyz",
    response_model=Health,
    tags=["host"],
    summary="Whether this process accepts traffic",
    responses={503: {"model": Health, "description": "The database is away or its disk is full, or it stops"}},
)
async def get_readiness(request: Request, response: Response) -> Health:
    """Includes a test write to the database."""
    server = server_of_request(request)
    status: HealthStatus = "draining" if server.draining else "ok" if await server.is_healthy() else "failing"
    response.status_code = 200 if status == "ok" else 503
    return describe_server_health(server, status)


def describe_server_health(server: Server, status: HealthStatus) -> Health:
    return Health(
        status=status, version=landfall.__version__, engine=landfall.ENGINE, tables=len(server.hub.live_tables)
    )


@Route("GET", "/api/connection", "How your requests arrive", Access.OPEN, QUERY)
async def get_connection_info(request: Request) -> ConnectionInfo:
    """For `landfall host doctor`: whether the proxy's headers arrive and are trusted."""
    forwarded = request.headers.get("x-forwarded-for", "")
    peers = [peer.strip() for peer in forwarded.split(",")]
    believed = request.client is not None and request.client.host in peers
    return ConnectionInfo(
        forwarded="missing" if not forwarded else "trusted" if believed else "ignored", scheme=request.url.scheme
    )


@router.get("/metrics", tags=["host"], summary="Counters for Prometheus", response_class=Response)
async def get_metrics(request: Request) -> Response:
    """Of all workers, in Prometheus's text format."""
    server = server_of_request(request)
    with suppress(*DATABASE_ERRORS):  # it shows what it knew
        server.metrics.last_backup_ms = (await server.store.moderation.get_backup_record()).at or 0
    text = await server.metrics_exchange.render_metrics_of_all_workers()
    return Response(text, media_type="text/plain; version=0.0.4")


@router.get("/docs", include_in_schema=False)
async def get_api_page(request: Request) -> HTMLResponse:
    """The API as a plain page that loads nothing from other hosts."""
    rows = []
    for path, ways in request.app.openapi()["paths"].items():
        for way, message in ways.items():
            words = f"{message.get('summary', '')}. {message.get('description', '')}"
            rows.append(f"<tr><td>{way.upper()}<td><code>{escape(path)}</code><td>{escape(words)}")
    head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Landfall: API</title>'
    more = 'All of it, with examples: <a href="/openapi.json">/openapi.json</a>'
    about = f"<h1>Landfall {landfall.__version__}</h1><p>{escape(request.app.description)}<p>{more}"
    return HTMLResponse(f"{head}{about}<table>{''.join(rows)}</table>")
