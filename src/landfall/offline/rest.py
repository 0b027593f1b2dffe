"""Requests of the page, answered by the same endpoints as a server's.

What is about people and accounts is not here: on a device there is one person.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Awaitable
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec

from landfall.api.error_responses import error_status_and_body, fault_body
from landfall.api.limits import CHANGE, QUERY
from landfall.api.message_codec import decode_body
from landfall.api.route_table import SHARED_ROUTES
from landfall.api.routes import Access, Route, routes_of
from landfall.api.types import Caller, Me, NameBody, TableId, TextFile
from landfall.core.errors import LandfallError
from landfall.offline import table_file_transfer
from landfall.offline.offline_server import OfflineServer
from landfall.tables.live.subscriber import User
from landfall.tables.protocol import text_validation

log = logging.getLogger("landfall")
JSON_TYPE: Final = "application/json"
TEXT_TYPE: Final = "text/plain; charset=utf-8"
Response = tuple[int, str, str]  # status, type, body


# --- endpoints of a device alone ------------------------------------------------------------------------------


@Route("GET", "/api/whoami", "The one person of this device", Access.OPEN, QUERY)
@Route("GET", "/api/me", "The one person of this device", Access.OPEN, QUERY)
def get_own_name(server: OfflineServer) -> Me | None:
    """The one person of this device."""
    return Me(server.user.name, False) if server.user.name else None


@Route("POST", "/api/me", "A name to be shown by", Access.OPEN, CHANGE)
def set_own_name(server: OfflineServer, body: NameBody) -> Me | None:
    """A name to be shown by."""
    server.user = User(server.user.id, text_validation.require_displayable_name(body.name))
    return get_own_name(server)


@Route("GET", "/api/tables", "The lobby", Access.OPEN, QUERY)
def list_no_lobby_tables() -> list[object]:
    """Nobody else is here."""
    return []


@Route("DELETE", "/api/tables/{table}", "Forget a table", Access.OPEN, CHANGE, status=204)
async def delete_table(server: OfflineServer, table: TableId) -> None:
    """Forget a table: it is this device's own."""
    await server.delete_table(table)


ROUTES: Final = [
    *(route for route in SHARED_ROUTES if route.on_device),
    *routes_of(sys.modules[__name__], "device"),
    *routes_of(table_file_transfer, "device"),
]


# --- the dispatcher -------------------------------------------------------------------------------------------


async def find_and_call_endpoint(
    server: OfflineServer, caller: Caller, method: str, url: str, body: str | None, routes: list[Route]
) -> Response:
    parts = urlsplit(url)
    for route in routes:
        match = route.pattern.fullmatch(parts.path)
        if match and route.method == method:
            path = {name: unquote(value) for name, value in match.groupdict().items()}
            arguments = route.collect_url_arguments(path, dict(parse_qsl(parts.query, keep_blank_values=True)))
            own = {
                "hub": server.hub, "reviews": server.reviews, "first_tries": None, "server": server, "caller": caller,
            }  # fmt: skip
            arguments.update((name, own[name]) for name in route.supplied_names)
            if route.body_kind is not None:
                arguments["body"] = decode_body(route.body_kind, body or "")
            found = route.endpoint(**arguments)
            return encode_response(await found if isinstance(found, Awaitable) else found, route.status)
    return encode_response(fault_body("http", "Not Found"), 404)


def encode_response(found: object, status: int) -> Response:
    """What an endpoint returned, as it is sent: bytes are JSON already."""
    if isinstance(found, TextFile):
        return status, TEXT_TYPE, found.text
    return status, JSON_TYPE, (found if isinstance(found, bytes) else msgspec.json.encode(found)).decode()


class OfflineApi(OfflineServer):
    """A device that can be asked as a server is."""

    async def request(self, method: str, url: str, body: str | None = None) -> Response:
        """What is asked over HTTP elsewhere, and answered whatever comes of it."""
        return await self.request_as_caller(Caller(self.user), method, url, body, ROUTES)

    async def request_as_caller(
        self, caller: Caller, method: str, url: str, body: str | None, routes: list[Route]
    ) -> Response:
        """The same for any caller, who may use these routes."""
        try:
            return await find_and_call_endpoint(self, caller, method, url, body, routes)
        except LandfallError as error:
            status, described = error_status_and_body(error)
            return encode_response(described, status)
        except Exception:
            log.exception("a request failed: %s %s", method, url)
            return encode_response(fault_body("server", "the server failed", "table.store"), 500)
