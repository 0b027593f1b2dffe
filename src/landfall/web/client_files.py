"""The browser client: its build, a single-page application; without a build, a page that says so."""

from __future__ import annotations

import gzip
import re
from hashlib import blake2b
from mimetypes import guess_type
from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, HTMLResponse, Response
from starlette.exceptions import HTTPException

from landfall.web.link_previews import render_page_meta_tags
from landfall.web.pages import LINKED_PAGES, find_page

STATIC_FOLDER: Final = Path(__file__).parent / "static"
NO_SUCH_FILE: Final = "there is no such file"
NO_CLIENT_PAGE: Final = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Landfall</title>
<body style="font: 1.1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem">
<h1>Landfall</h1><p>The server is running. The browser client is not built here yet, so there is nothing to click.</p>
<p>The API is described at <a href="/docs">/docs</a>.
To play in a terminal: <code>landfall play --text</code></p>
"""
IMMUTABLE_CACHE: Final = "public, max-age=31536000, immutable"  # for files whose names change with their contents
NON_PAGE_PREFIXES: Final = ("api/", "ws/", "assets/")
IMMUTABLE_PATTERN: Final = re.compile(r"assets/|here/\d")  # the second: a folder named by a version
REVALIDATE_CACHE: Final = "no-cache"
COMPRESSED_SUFFIXES: Final = {"br": "br", "gzip": "gz"}  # smallest first
MEDIA_TYPES: Final = {".webmanifest": "application/manifest+json", ".woff2": "font/woff2", ".js": "text/javascript"}


class ClientFiles:
    """The folder of the client's build: index.html, and under assets/ files named by a content hash.

    The build compresses each file once, at the highest level: X.br and X.gz beside it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        found = [p for p in self.folder.rglob("*") if p.is_file()] if (self.folder / "index.html").is_file() else []
        self.files = {p.relative_to(self.folder).as_posix(): p for p in found}  # nothing else can be requested

    def respond_with_page_and_meta_tags(self, request: Request, tags: str) -> Response:
        """The page with meta tags for link previews."""
        page = self.files["index.html"].read_text(encoding="utf-8").replace("</head>", f"{tags}</head>", 1).encode()
        etag = f'"{blake2b(page, digest_size=16).hexdigest()}"'
        headers = {"Cache-Control": REVALIDATE_CACHE, "Vary": "Accept-Encoding, Accept-Language", "ETag": etag}
        if matches_etag(request.headers.get("if-none-match", ""), etag):
            return Response(status_code=304, headers=headers)
        if accepts_encoding(request.headers.get("accept-encoding", ""), "gzip"):
            page, headers["Content-Encoding"] = gzip.compress(page, 9, mtime=0), "gzip"
        return HTMLResponse(page, headers=headers)

    def respond_with_file_or_page(self, request: Request, path: str) -> Response:
        """A file, or for any other path the page itself, which shows the route or says that there is none."""
        name = path if path in self.files else "index.html"
        page = find_page(path.rstrip("/"))
        if name != path and page is None and ("." in path.rpartition("/")[2] or path.startswith(NON_PAGE_PREFIXES)):
            raise HTTPException(404, NO_SUCH_FILE)
        found = name == path or (page is not None and page not in LINKED_PAGES)
        if not self.files:
            return HTMLResponse(NO_CLIENT_PAGE, 200 if found else 404)
        headers = {
            "Cache-Control": IMMUTABLE_CACHE if IMMUTABLE_PATTERN.match(name) else REVALIDATE_CACHE,
            "Vary": "Accept-Encoding",
        }
        file = self.files[name]
        for encoding, end in COMPRESSED_SUFFIXES.items():
            packed = self.files.get(f"{name}.{end}")
            if packed is not None and accepts_encoding(request.headers.get("accept-encoding", ""), encoding):
                file = packed
                headers["Content-Encoding"] = encoding
                break
        kind = MEDIA_TYPES.get(Path(name).suffix) or guess_type(name)[0] or "application/octet-stream"
        status = 200 if found else 404
        response = FileResponse(file, status, headers=headers, media_type=kind, stat_result=file.stat())
        if IMMUTABLE_PATTERN.match(name):  # never revalidated, so it needs no date
            del response.headers["last-modified"]
        if found and matches_etag(request.headers.get("if-none-match", ""), response.headers["etag"]):
            kept = {k: v for k, v in response.headers.items() if k in ("etag", "cache-control", "vary")}
            return Response(status_code=304, headers=kept)
        return response


def accepts_encoding(header: str, encoding: str) -> bool:
    """Whether an Accept-Encoding includes this; unnamed ones count as not accepted."""
    for part in header.split(","):
        name, _, quality = part.partition(";")
        if name.strip().lower() == encoding:
            return quality.replace(" ", "").lower() not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def matches_etag(header: str, etag: str) -> bool:
    """Whether an If-None-Match contains the current ETag."""
    known = [tag.strip().removeprefix("W/") for tag in header.split(",")]
    return etag.removeprefix("W/") in known or known == ["*"]


def mount_client(app: FastAPI, folder: Path | None = None) -> None:
    """Serve the client at every path that no other route matches."""
    client = ClientFiles(folder or STATIC_FOLDER)

    async def serve_page_or_file(request: Request, path: str = "") -> Response:
        address = path.rstrip("/")
        if client.files and find_page(address) in LINKED_PAGES:
            tags = await render_page_meta_tags(request, address)
            if tags is not None:
                return client.respond_with_page_and_meta_tags(request, tags)
        return client.respond_with_file_or_page(request, path)

    app.add_api_route("/{path:path}", serve_page_or_file, methods=["GET", "HEAD"], include_in_schema=False)
