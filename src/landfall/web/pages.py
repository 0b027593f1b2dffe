"""What is no API: health, metrics, QR codes, and the browser client or, where it is not built, a page that says so."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Annotated, Any

import prometheus_client as prom
import segno
from fastapi import APIRouter, FastAPI, Request
from fastapi import Path as PathParam
from fastapi.responses import FileResponse, HTMLResponse, Response
from fastapi.staticfiles import StaticFiles

import landfall
from landfall.tables.errors import Refused
from landfall.web.models import Fault, Health

STATIC = Path(__file__).parent / "static"  # the client's build, where there is one
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Landfall</title>
<body style="font: 1.1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem">
<h1>Landfall</h1><p>The server is running. The browser client is not built here yet, so there is nothing to click.</p>
<p>The API is described at <a href="/docs">/docs</a>.
To play in a terminal: <code>landfall play --text survive</code></p>
"""
router = APIRouter()


def server_of(request: Request) -> Any:
    return request.app.state.server


@router.get("/healthz", response_model=Health, tags=["host"], summary="Whether the server works")
async def healthz(request: Request) -> Health:
    """Asks the database, too."""
    server = server_of(request)
    await server.store.head("-")
    return Health(status="ok", version=landfall.__version__, engine=landfall.ENGINE, tables=len(server.house.rooms))


@router.get("/metrics", tags=["host"], summary="Counters for Prometheus", response_class=Response)
async def metrics(request: Request) -> Response:
    """Text, as Prometheus reads it."""
    text = prom.generate_latest(server_of(request).metrics.registry)
    return Response(text, media_type="text/plain; version=0.0.4")


@router.get(
    "/api/tables/{table}/qr.svg",
    tags=["tables"],
    summary="A table's link as a QR code",
    response_class=Response,
    responses={200: {"content": {"image/svg+xml": {}}}, 404: {"model": Fault}},
)
async def qr(request: Request, table: Annotated[str, PathParam(max_length=64)]) -> Response:
    """For somebody beside you with a phone."""
    server = server_of(request)
    await server.house.head(table)
    out = io.BytesIO()
    segno.make(f"{server.settings.base}/t/{table}", micro=False).save(out, kind="svg", scale=6)
    return Response(out.getvalue(), media_type="image/svg+xml")


def mount_client(app: FastAPI) -> None:
    """Serve the client's build, whose pages are all one page; or say that there is none."""
    index = STATIC / "index.html"
    if index.is_file() and (STATIC / "assets").is_dir():
        app.mount("/assets", StaticFiles(directory=STATIC / "assets"))

    async def page(request: Request, table: str = "") -> Response:
        return FileResponse(index) if index.is_file() else HTMLResponse(PAGE)

    app.add_api_route("/", page, include_in_schema=False)
    app.add_api_route("/t/{table}", page, include_in_schema=False)
    if index.is_file():

        async def file(request: Request, path: str) -> Response:
            found = (STATIC / path).resolve()
            if found.is_file() and found.is_relative_to(STATIC):
                return FileResponse(found)
            if path.startswith(("api/", "ws/")):
                raise Refused("no_table")
            return FileResponse(index)

        app.add_api_route("/{path:path}", file, include_in_schema=False)
