"""Declared routes on a server: permission and limits are checked first, then the endpoint gets what it asks for.

FastAPI documents a route. A request does not pass through it: `api/routes.py` reads arguments for a device, too.
"""

from __future__ import annotations

import gzip
import inspect
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b
from inspect import Parameter, Signature
from types import SimpleNamespace
from typing import Annotated, Any, Final, get_args, get_origin, get_type_hints

import msgspec
from fastapi import FastAPI, Path, Query
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import request_response

from landfall.api.message_codec import decode_body
from landfall.api.rate_limits import rate_limit_key_of_client
from landfall.api.routes import Access, Route
from landfall.api.types import Caller, TextFile, UrlDocumentation
from landfall.store.row_types import UserRecord
from landfall.tables.protocol.errors import Refused
from landfall.web import rest_models
from landfall.web.client_files import NO_SUCH_FILE, accepts_encoding, matches_etag
from landfall.web.identity import COOKIE_NAME, AuthSession, to_table_user
from landfall.web.rest_models import ERROR_RESPONSES
from landfall.web.server import Server

MAX_LASTING_ANSWERS: Final = 256  # cached; there are about twenty per game
PACKED_FROM_BYTES: Final = 2_000
NO_CONTENT: Final = 204


# --- who may ask ----------------------------------------------------------------------------------------------


async def require_permission(server: Server, route: Route, auth: AuthSession | None) -> None:
    """Refused: this session may not ask for this."""
    if auth is not None:
        auth.require_scope(route.token)
        if not route.open_to_banned:
            auth.require_not_banned()
    if route.access is Access.ANYBODY:
        return
    if auth is None:
        raise Refused("nameless")
    if route.access is Access.MEMBER:
        server.require_member(auth.person)
    elif route.access is Access.HOST and not await server.is_host(auth):
        raise HTTPException(404, NO_SUCH_FILE)
    if route.recent_proof:
        await server.accounts.require_recent_proof(auth)


# --- what an endpoint gets ------------------------------------------------------------------------------------


@dataclass
class Asked:
    """A request whose sender may make it."""

    server: Server
    request: Request
    auth: AuthSession | None
    address: str

    @property
    def person(self) -> UserRecord | None:
        return self.auth.person if self.auth is not None else None

    @cached_property
    def response(self) -> Response:
        """Its headers go into the answer."""
        found = Response()
        del found.headers["content-length"]
        return found


SUPPLIES: Final[dict[str, Callable[[Asked], object]]] = {
    "server": lambda asked: asked.server,
    "hub": lambda asked: asked.server.hub,
    "store": lambda asked: asked.server.store,
    "reviews": lambda asked: asked.server.reviews,
    "director": lambda asked: asked.server.director,
    "first_tries": lambda asked: asked.server.first_tries,
    "caller": lambda asked: Caller(to_table_user(asked.person), asked.address),
    "person": lambda asked: asked.person,
    "auth": lambda asked: asked.auth,
    "address": lambda asked: asked.address,
    "request": lambda asked: asked.request,
    "response": lambda asked: asked.response,
}


@asynccontextmanager
async def new_table_within_quota(server: Server, person: UserRecord, address: str, body: Any) -> AsyncIterator[None]:
    """Somebody makes a table inside, not too many, with bots that may be played here."""
    quotas = server.quotas
    quotas.require_allowed_bots(body.bot_codes)
    await quotas.require_bot_table_quota(person.id, person.author)
    async with quotas.new_table_within_quota(person.id, address, body.public):
        yield


class MountedRoute(APIRoute):
    """A route of a server."""

    def __init__(self, route: Route, server: Server) -> None:
        super().__init__(route.path, document_endpoint(route), **document_options(route))
        self.declared = route
        self.server = server
        self.app = request_response(self.answer_request)

    async def answer_request(self, request: Request) -> Response:
        """Check, call, encode."""
        route, server = self.declared, self.server
        address = rate_limit_key_of_client(request.client)
        server.rate_limiters.require_address_rate(route.limit, address)
        auth = None
        if route.access is not Access.OPEN:
            auth = await server.identities.authenticate_request(
                request.cookies.get(COOKIE_NAME), request.headers.get("authorization")
            )
            if auth is not None:
                server.rate_limiters.require_person_rate(route.limit, auth.person.author or auth.person.id, address)
            await require_permission(server, route, auth)
        asked = Asked(server, request, auth, address)
        arguments = route.collect_url_arguments(request.path_params, request.query_params)
        if route.cached:
            return respond_from_cache(request, route.endpoint, arguments)
        if route.body_kind is not None:
            arguments["body"] = decode_body(route.body_kind, await request.body())
        arguments.update((name, SUPPLIES[name](asked)) for name in route.supplied_names)
        if route.makes_table and auth is not None:
            async with new_table_within_quota(server, auth.person, address, arguments["body"]):
                found = await call_endpoint(route, arguments)
        else:
            found = await call_endpoint(route, arguments)
        response = encode_answer(route, found)
        if "response" in arguments:
            response.raw_headers.extend(asked.response.raw_headers)
        return response


async def call_endpoint(route: Route, arguments: Mapping[str, Any]) -> object:
    found = route.endpoint(**arguments)
    return await found if inspect.isawaitable(found) else found


def encode_answer(route: Route, found: object) -> Response:
    """What an endpoint returned; bytes are JSON already."""
    if isinstance(found, Response):
        return found
    if route.status == NO_CONTENT:
        return Response(status_code=NO_CONTENT)
    if isinstance(found, TextFile):
        headers = {"Content-Disposition": f'attachment; filename="{found.name}"'}
        return Response(found.text, route.status, headers, route.media)
    # A model of pydantic's is encoded as its fields.
    body = found if isinstance(found, bytes) else msgspec.json.encode(found, enc_hook=vars)
    return Response(body, route.status, media_type=route.media)


# --- answers that last ----------------------------------------------------------------------------------------


@lru_cache(maxsize=MAX_LASTING_ANSWERS)
def build_cached_body(make: Callable[..., object], **arguments: str) -> tuple[bytes, bytes, str]:
    """An answer that never changes: plain, packed, and its tag. Made once, since making some takes the loop long."""
    body = msgspec.json.encode(make(**arguments))
    return body, gzip.compress(body, 9, mtime=0), f'W/"{blake2b(body, digest_size=12).hexdigest()}"'


def respond_from_cache(request: Request, make: Callable[..., object], arguments: Mapping[str, str]) -> Response:
    """The same response for everybody until the server is updated: a browser may cache it.

    What is refused is not kept: only answers there are take memory.
    """
    body, packed, etag = build_cached_body(make, **arguments)
    headers = {"ETag": etag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if matches_etag(request.headers.get("if-none-match", ""), etag):
        return Response(status_code=304, headers=headers)
    if len(body) >= PACKED_FROM_BYTES and accepts_encoding(request.headers.get("accept-encoding", ""), "gzip"):
        body, headers["Content-Encoding"] = packed, "gzip"
    return Response(body, headers=headers, media_type="application/json")


# --- documents ------------------------------------------------------------------------------------------------


def document_options(route: Route) -> dict[str, Any]:
    """What FastAPI is told of a route besides its arguments."""
    result = documented_result(route)
    is_json = route.media == "application/json" and result not in (bytes, object) and not is_response(result)
    media: dict[int | str, dict[str, Any]] = {} if is_json else {200: {"content": {route.media: {}}}}
    others = {status: {"description": words} for status, words in route.statuses.items()}
    return {
        "methods": [route.method],
        "summary": route.summary,
        "tags": [route.tag],
        "status_code": route.status,
        "response_model": result if is_json and result is not type(None) else None,
        "responses": {**ERROR_RESPONSES, **others, **media},
        "include_in_schema": not route.hidden,
        **({} if is_json else {"response_class": Response}),
    }


def documented_result(route: Route) -> Any:
    """The type of the answer: what is encoded already, or is a dictionary, has one for documents alone."""
    if isinstance(route.result, str):
        return get_type_hints(SimpleNamespace(__annotations__={"result": route.result}), vars(rest_models))["result"]
    return route.result or get_type_hints(route.endpoint)["return"]


def is_response(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Response)


def document_endpoint(route: Route) -> Callable[..., Any]:
    """A function with the arguments that a request brings, for FastAPI's documents."""

    async def endpoint() -> None:
        raise NotImplementedError

    parameters = [
        one.replace(kind=Parameter.KEYWORD_ONLY, annotation=document_url_argument(route, name))
        for name, one in route.url_parameters.items()
    ]
    if route.body_kind is not None:
        parameters.append(Parameter("body", Parameter.KEYWORD_ONLY, annotation=route.body_kind))
    endpoint.__name__, endpoint.__doc__ = route.endpoint.__name__, route.endpoint.__doc__
    endpoint.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return endpoint


def document_url_argument(route: Route, name: str) -> Any:
    kind = route.url_parameters[name].annotation
    plain, *notes = get_args(kind) if get_origin(kind) is Annotated else (kind,)
    said: dict[str, Any] = {}
    for note in notes:
        if isinstance(note, UrlDocumentation):
            said |= {"description": note.description} if note.description else {}
            said |= {"examples": [*note.examples]} if note.examples else {}
    place = Path if name in route.path_names else Query
    return Annotated[(plain, *(note for note in notes if not isinstance(note, UrlDocumentation)), place(**said))]


def mount_routes(app: FastAPI, server: Server, routes: list[Route]) -> None:
    """Let a server answer these."""
    app.router.routes.extend(MountedRoute(route, server) for route in routes)
