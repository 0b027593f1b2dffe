"""Security headers, request size limits, and allowed origins."""

from __future__ import annotations

import ipaddress
import socket
from typing import Final
from urllib.parse import unquote_to_bytes, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from landfall.web.request_bodies import max_body_bytes
from landfall.web.settings import Settings

DEFAULT_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; "
    "img-src 'self' data:; style-src-attr 'unsafe-inline'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'self'; object-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",  # unless a response says otherwise: most are private
}
# Page headers are omitted from files that are not documents: they would cost bytes on a first visit.
PAGE_ONLY_HEADERS: Final = ("Content-Security-Policy", "X-Frame-Options", "Referrer-Policy",
    "Cross-Origin-Opener-Policy", "Permissions-Policy")  # fmt: skip
WINDOW_ONLY_HEADERS: Final = ("X-Frame-Options", "Cross-Origin-Opener-Policy", "Permissions-Policy")
OMITTED_HEADERS: Final = {"text/javascript": WINDOW_ONLY_HEADERS, **dict.fromkeys(
    ("application/json", "application/manifest+json", "font/woff2", "image/png", "text/css"), PAGE_ONLY_HEADERS
)}  # fmt: skip
OPEN_PATH: Final = "/api/rendezvous/"  # for pages of every origin: nobody acts there as a user
SAFE_METHODS: Final = ("GET", "HEAD", "OPTIONS")
TOO_LARGE_BODY: Final = (
    b'{"code":"too_large","key":"table.too_large","args":{"most":%d},"rule":null,"text":"too large"}'
)
UNREADABLE_BODY: Final = b'{"code":"bad_text","key":"table.bad_text","args":{},"rule":null,"text":"unreadable address"}'
FORBIDDEN_BODY: Final = b'{"code":"origin","key":"table.origin","args":{},"rule":null,"text":"origin not allowed"}'


def is_allowed_origin(settings: Settings, headers: Headers) -> bool:
    """Whether a page from this origin may act for its user; programs, which send no origin, may."""
    origin = headers.get("origin")
    if origin is None:
        return True
    if settings.public_url:
        return origin.rstrip("/") == origin_of_url(settings.public_url)
    # Without a public address: the requested host, unless a stranger's domain could point at it.
    parts = urlsplit(origin)
    return parts.netloc == headers.get("host", "") and is_ip_address_or_own_host(parts.hostname or "")


def origin_of_url(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def is_ip_address_or_own_host(host: str) -> bool:
    """Whether a host is an IP address, or this machine's own name."""
    if host in ("localhost", socket.gethostname()) or host.endswith(".local"):
        return True
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def is_storable_url(scope: Scope) -> bool:
    """Whether a URL is valid text that every database can store."""
    raw = scope.get("raw_path", b"") + b"?" + scope["query_string"]
    if b"%" not in raw:
        return True
    try:
        return unquote_to_bytes(raw).decode().isprintable()
    except UnicodeDecodeError:
        return False


class RequestSecurity:
    """Middleware around everything: refuses foreign origins and bodies that are too large, and adds the headers."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if not is_storable_url(scope):
            await send_error_response(send, 400, UNREADABLE_BODY)
            return
        headers = Headers(scope=scope)
        most = max_body_bytes(self.settings.limits, scope["path"])
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > most:
            await send_error_response(send, 413, TOO_LARGE_BODY % most)
            return
        open_to_all = scope["method"] in SAFE_METHODS or scope["path"].startswith(OPEN_PATH)
        if not open_to_all and not is_allowed_origin(self.settings, headers):
            await send_error_response(send, 403, FORBIDDEN_BODY)
            return
        got = 0

        async def receive_within_limit() -> Message:
            nonlocal got
            message = await receive()
            got += len(message.get("body", b""))
            if got > most:  # a body without a length: refuse the rest
                return {"type": "http.disconnect"}
            return message

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                out = MutableHeaders(scope=message)
                unsaid = OMITTED_HEADERS.get(out.get("content-type", "").partition(";")[0], ())
                for name, value in DEFAULT_HEADERS.items():
                    if name not in unsaid:
                        out.setdefault(name, value)
                if self.settings.public_url and self.settings.public_url.startswith("https:"):
                    out.setdefault("Strict-Transport-Security", "max-age=31536000")
            await send(message)

        await self.app(scope, receive_within_limit, send_with_headers)


async def send_error_response(send: Send, status: int, body: bytes) -> None:
    """A short error response, before any other processing."""
    headers = [(b"content-type", b"application/json"), (b"x-content-type-options", b"nosniff")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
