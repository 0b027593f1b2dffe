"""How a route is declared, beside the endpoint that answers it: who may ask, how often, and where it is answered.

A server mounts every route (`web/mounted_routes.py`). A device mounts those of `api/` that need nobody else
(`offline/rest.py`), and friends at its tables get a few of these (`offline/peer_sessions.py`).
"""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from types import ModuleType
from typing import Any, Final, Literal, TypeVar

from landfall.api.limits import RateLimit
from landfall.api.message_codec import convert_url_argument, to_decoder_type
from landfall.tables.protocol import text_validation
from landfall.tables.protocol.errors import Refused

Endpoint = TypeVar("Endpoint", bound=Callable[..., object])
Scope = Literal["play", "read"]
PLAY: Final = "play"  # the scopes of bots' tokens
READ: Final = "read"
ROUTES_ATTRIBUTE: Final = "declared_routes"
PATH_PARAMETER: Final = re.compile(r"\{(\w+)\}")


class Access(Enum):
    """Who may ask."""

    OPEN = "open"  # nobody is asked who they are
    ANYBODY = "anybody"  # with a name or without
    NAMED = "named"  # a guest or an account
    MEMBER = "member"  # the same; on a server for members only an account
    HOST = "host"  # of the server; for anybody else there is no such page


def no_endpoint() -> None:
    raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Route:
    """A route and its permissions. What an endpoint takes by other names than those of `SUPPLIED` is in the URL."""

    method: Literal["GET", "POST", "PUT", "DELETE", "OPTIONS"]
    path: str
    summary: str
    access: Access
    limit: RateLimit
    token: Scope | None = None  # the scope with which a bot's token may ask, too; None: no token may
    open_to_banned: bool = False
    recent_proof: bool = False  # the account's owner has proved who they are within the last minutes
    makes_table: bool = False  # counted by the quotas of tables
    status: int = 200
    cached: bool = False  # the answer is the same for everybody until the next release
    result: Any = None  # what documents say of the answer, or its name in `web/rest_models.py`; None: what is returned
    media: str = "application/json"
    statuses: Mapping[int, str] = field(default_factory=dict)  # others that are no errors, for documents
    hidden: bool = False  # from documents
    on_device: bool = True  # False: only a server has what it needs
    to_friends: bool = False  # of a device's owner, at the table they are invited to
    tag: str = ""
    endpoint: Callable[..., object] = no_endpoint

    def __call__(self, endpoint: Endpoint) -> Endpoint:
        """Declare that the function below answers this route."""
        routes = [*getattr(endpoint, ROUTES_ATTRIBUTE, ()), replace(self, endpoint=endpoint)]
        setattr(endpoint, ROUTES_ATTRIBUTE, routes)
        return endpoint

    @cached_property
    def path_names(self) -> frozenset[str]:
        return frozenset(PATH_PARAMETER.findall(self.path))

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(PATH_PARAMETER.sub(r"(?P<\1>[^/]+)", self.path))

    @cached_property
    def parameters(self) -> dict[str, inspect.Parameter]:
        """The endpoint's, with their types."""
        hints = typing.get_type_hints(self.endpoint, include_extras=True)
        found = inspect.signature(self.endpoint).parameters
        return {name: one.replace(annotation=hints[name]) for name, one in found.items()}

    @cached_property
    def supplied_names(self) -> frozenset[str]:
        """The arguments that a server or a device supplies."""
        return frozenset(self.parameters.keys() & SUPPLIED)

    @cached_property
    def body_kind(self) -> Any:
        """The type of the body; None if there is none."""
        return self.parameters["body"].annotation if "body" in self.parameters else None

    @cached_property
    def url_parameters(self) -> dict[str, inspect.Parameter]:
        """The arguments of the path and the query."""
        return {name: one for name, one in self.parameters.items() if name not in SUPPLIED and name != "body"}

    @cached_property
    def url_kinds(self) -> dict[str, Any]:
        return {name: to_decoder_type(one.annotation) for name, one in self.url_parameters.items()}

    def collect_url_arguments(self, path: Mapping[str, str], query: Mapping[str, str]) -> dict[str, Any]:
        """The checked arguments of a URL, each from the part of it where it is declared."""
        found = {}
        for name, kind in self.url_kinds.items():
            text = (path if name in self.path_names else query).get(name)
            if text is not None:
                text_validation.require_storable_json(text)
                found[name] = convert_url_argument(kind, text)
            elif self.parameters[name].default is inspect.Parameter.empty:
                raise Refused("bad_message", reason=f"missing: {name}")
        return found


SUPPLIED: Final = frozenset(
    {
        "hub", "store", "reviews", "director", "first_tries", "server", "caller",
        "person", "auth", "address", "request", "response",
    }
)  # fmt: skip


def routes_of(module: ModuleType, tag: str) -> list[Route]:
    """The routes that a module declares, in their order."""
    found = [one for one in vars(module).values() if getattr(one, "__module__", "") == module.__name__]
    return [replace(route, tag=route.tag or tag) for one in found for route in getattr(one, ROUTES_ATTRIBUTE, ())]
