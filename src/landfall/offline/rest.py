"""Requests of the page, answered by the same endpoints as a server's: found by their path, called by their signature.

What is about people and accounts is not here: on a device there is one person.
"""

from __future__ import annotations

import inspect
import logging
import re
import typing
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec

from landfall.api import games, puzzles, reviews, tables
from landfall.api.error_responses import error_status_and_body, fault_body
from landfall.api.message_codec import decode_body, decode_url_argument
from landfall.api.types import Caller, Me, NameBody, TableId
from landfall.core.errors import LandfallError
from landfall.offline import table_file_transfer
from landfall.offline.offline_server import OfflineServer
from landfall.tables.live.subscriber import User
from landfall.tables.protocol import text_validation
from landfall.tables.protocol.errors import Refused

log = logging.getLogger("landfall")
JSON_TYPE: Final = "application/json"
TEXT_TYPE: Final = "text/plain; charset=utf-8"
Response = tuple[int, str, str]  # status, type, body


# --- endpoints of a device alone ------------------------------------------------------------------------------


def get_own_name(server: OfflineServer) -> Me | None:
    """The one person of this device."""
    return Me(server.user.name, False) if server.user.name else None


def set_own_name(server: OfflineServer, body: NameBody) -> Me | None:
    """A name to be shown by."""
    server.user = User(server.user.id, text_validation.require_displayable_name(body.name))
    return get_own_name(server)


def list_no_lobby_tables() -> list[object]:
    """Nobody else is here."""
    return []


async def delete_table(server: OfflineServer, table: TableId) -> None:
    """Forget a table: it is this device's own."""
    await server.delete_table(table)


# --- the dispatcher -------------------------------------------------------------------------------------------


class Route(NamedTuple):
    """A path, what answers it, and the status if all is well."""

    method: str
    pattern: re.Pattern[str]
    endpoint: Callable[..., object]
    status: int
    kinds: dict[str, Any]  # the types of its arguments
    required: frozenset[str]


def make_route(method: str, path: str, endpoint: Callable[..., object], status: int = 200) -> Route:
    pattern = re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path))
    parameters = inspect.signature(endpoint).parameters.values()
    required = frozenset(given.name for given in parameters if given.default is given.empty)
    kinds = typing.get_type_hints(endpoint, include_extras=True)
    kinds.pop("return", None)
    return Route(method, pattern, endpoint, status, kinds, required)


TABLE: Final = "/api/tables/{table}"
PUZZLE: Final = "/api/puzzles/{game}/{puzzle}"
ROUTES: Final = [
    make_route("GET", "/api/whoami", get_own_name),
    make_route("GET", "/api/me", get_own_name),
    make_route("POST", "/api/me", set_own_name),
    make_route("GET", "/api/games", games.list_games),
    make_route("POST", "/api/games/{game}/options", games.check_options_and_fill_defaults),
    make_route("GET", "/api/games/{game}/rules", games.get_rulebook_rules),
    make_route("GET", "/api/games/{game}/texts/{language}", games.get_catalogue_texts),
    make_route("GET", "/api/games/{game}/guides", games.get_guides),
    make_route("GET", "/api/games/{game}/figures", games.get_rule_diagrams),
    make_route("GET", "/api/games/{game}/figures/{rule}/why", games.find_rule_forbidding_diagram_move),
    make_route("GET", "/api/bots", games.list_bot_levels),
    make_route("POST", "/api/tables", tables.create_table, 201),
    make_route("POST", "/api/tables/quick", tables.create_table_with_bots, 201),
    make_route("POST", "/api/tables/guided", tables.create_guided_table, 201),
    make_route("POST", "/api/tables/open", tables.create_table_from_record, 201),
    make_route("GET", "/api/tables", list_no_lobby_tables),
    make_route("GET", "/api/history", tables.list_table_history),
    make_route("GET", TABLE, tables.get_table_view),
    make_route("DELETE", TABLE, delete_table, 204),
    make_route("POST", f"{TABLE}/handover", table_file_transfer.export_table_file),
    make_route("POST", "/api/tables/takeover", table_file_transfer.import_table_file, 201),
    make_route("GET", f"{TABLE}/record", tables.get_record),
    make_route("GET", f"{TABLE}/position", tables.get_position),
    make_route("GET", f"{TABLE}/replay", tables.encode_table_replay),
    make_route("GET", f"{TABLE}/chat", tables.get_chat),
    make_route("GET", f"{TABLE}/review", reviews.get_review),
    make_route("POST", f"{TABLE}/review", reviews.request_review),
    make_route("GET", f"{TABLE}/review/choices", reviews.get_review_choices),
    make_route("POST", "/api/reviews", reviews.request_record_review),
    make_route("GET", "/api/reviews/{key}", reviews.get_record_review),
    make_route("POST", "/api/replay", tables.encode_record_replay),
    make_route("GET", "/api/puzzles/{game}", puzzles.list_puzzles),
    make_route("GET", PUZZLE, puzzles.get_puzzle_setup),
    make_route("GET", f"{PUZZLE}/picture", puzzles.draw_small_puzzle_picture),
    make_route("GET", f"{PUZZLE}/large", puzzles.draw_large_puzzle_picture),
    make_route("POST", f"{PUZZLE}/try", puzzles.try_puzzle),
    make_route("POST", f"{PUZZLE}/why", puzzles.find_rule_forbidding_try),
    make_route("GET", f"{PUZZLE}/hint", puzzles.get_puzzle_hint),
    make_route("GET", f"{PUZZLE}/solution", puzzles.get_puzzle_solution),
]


def collect_endpoint_arguments(
    route: Route, server: OfflineServer, caller: Caller, given: dict[str, str], body: str | None
) -> dict[str, Any]:
    """What an endpoint is called with: what the device has, and what the request brings, checked."""
    own = {"hub": server.hub, "reviews": server.reviews, "server": server, "caller": caller}
    arguments = {name: own[name] for name in route.kinds.keys() & own.keys()}
    if "body" in route.kinds:
        arguments["body"] = decode_body(route.kinds["body"], body or "")
    for name in (route.kinds.keys() & given.keys()) - {"body", *own}:
        text_validation.require_storable_json(given[name])
        arguments[name] = decode_url_argument(route.kinds[name], given[name])
    if missing := route.required - arguments.keys():
        raise Refused("bad_message", reason=f"missing: {', '.join(sorted(missing))}")
    return arguments


async def find_and_call_endpoint(
    server: OfflineServer, caller: Caller, method: str, url: str, body: str | None, routes: list[Route]
) -> Response:
    parts = urlsplit(url)
    for route in routes:
        match = route.pattern.fullmatch(parts.path)
        if match and route.method == method:
            path = {name: unquote(value) for name, value in match.groupdict().items()}
            given = {**dict(parse_qsl(parts.query)), **path}
            found = route.endpoint(**collect_endpoint_arguments(route, server, caller, given, body))
            return encode_response(await found if isinstance(found, Awaitable) else found, route.status)
    return encode_response(fault_body("http", "Not Found"), 404)


def encode_response(found: object, status: int) -> Response:
    """What an endpoint returned, as it is sent: bytes are JSON already, and a text is sent as it is."""
    if isinstance(found, str):
        return status, TEXT_TYPE, found
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
