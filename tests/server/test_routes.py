"""The table of routes: nothing that is declared is left out, on a server or on a device, and no permission is vague."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import pkgutil
from collections import Counter
from collections.abc import Iterator

import pytest

from landfall import api, offline, web
from landfall.api.routes import SUPPLIED, Access, Route
from landfall.api.types import Caller
from landfall.offline import rest as device
from landfall.offline.peer_sessions import PEER_ROUTES
from landfall.offline.storage import MemoryStorage
from landfall.tables.live.subscriber import User
from landfall.web.app import ROUTES, create_app
from landfall.web.mounted_routes import SUPPLIES, MountedRoute
from landfall.web.settings import Settings

pytestmark = pytest.mark.once
NOT_OF_THE_API = {"/healthz", "/readyz", "/metrics", "/docs", "/openapi.json", "/{path:path}"}
EXAMPLES = {
    "game": "survive",
    "table": "here-none",
    "language": "en",
    "rule": "SV.M9",
    "puzzle": "0",
    "key": "k",
    "at": "1",
}


def name_of(route: Route) -> str:
    return f"{route.method} {route.path}"


def declared_routes(package: object) -> Iterator[Route]:
    """Every route that any module of a package declares, mounted or not."""
    for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):  # type: ignore[attr-defined]
        if found.ispkg or found.name.endswith("browser_entry_point"):
            continue
        module = importlib.import_module(found.name)
        for one in vars(module).values():
            if getattr(one, "__module__", "") == module.__name__:
                yield from getattr(one, "declared_routes", ())


def test_every_declared_route_is_answered() -> None:
    """A new endpoint, or a new module of them, that is not mounted fails here: on the server, and on the device."""
    server, here = {*map(name_of, ROUTES)}, {*map(name_of, device.ROUTES)}
    in_api, in_web, in_offline = (list(declared_routes(package)) for package in (api, web, offline))
    assert len(in_api) > 30
    assert {name_of(route) for route in (*in_api, *in_web)} == server
    shared = {name_of(route) for route in in_api if route.on_device}
    assert shared | {name_of(route) for route in in_offline} == here
    assert {name_of(route) for route in PEER_ROUTES} <= shared


def test_no_route_hides_another() -> None:
    for routes in (ROUTES, device.ROUTES):
        assert [name for name, count in Counter(map(name_of, routes)).items() if count > 1] == []


def test_an_application_answers_the_table_and_little_else() -> None:
    app = create_app(Settings(database=":memory:"))
    found = list(app.router.routes)
    assert [route.declared for route in found if isinstance(route, MountedRoute)] == ROUTES
    rest = {path for route in found if (path := getattr(route, "path", "")) and not isinstance(route, MountedRoute)}
    assert rest <= NOT_OF_THE_API, "what lies beside the table has no permission"
    assert not any(path.startswith("/api") for path in rest)


@pytest.mark.parametrize("route", ROUTES, ids=name_of)
def test_what_an_endpoint_takes_fits_who_may_ask(route: Route) -> None:
    """Who must be somebody is asked who they are."""
    somebody = {"person", "auth"} & route.supplied_names
    needs_name = any("None" not in str(route.parameters[name].annotation) for name in somebody)
    is_named = route.access not in (Access.OPEN, Access.ANYBODY)
    assert is_named or not needs_name
    assert is_named or not (route.recent_proof or route.makes_table)
    assert route.access is not Access.OPEN or not somebody
    if route.cached:
        assert (route.access, route.method, route.body_kind) == (Access.OPEN, "GET", None)
        assert not route.supplied_names


def test_a_server_supplies_what_endpoints_may_ask_for() -> None:
    assert set(SUPPLIES) == SUPPLIED
    assert all(inspect.isroutine(route.endpoint) for route in ROUTES)


@pytest.mark.parametrize("route", device.ROUTES, ids=name_of)
def test_a_device_answers_each_of_its_routes(route: Route) -> None:
    """With an answer or a refusal of the endpoint: no argument is missing on a device."""

    async def ask() -> tuple[int, str]:
        here = device.OfflineApi(MemoryStorage(), "Ana")
        path = route.path.format(**{name: EXAMPLES[name] for name in route.path_names})
        query = "&".join(f"{name}={EXAMPLES[name]}" for name in route.url_kinds if name in EXAMPLES)
        status, _, text = await here.request(route.method, f"{path}?{query}", "{}" if route.body_kind else None)
        return status, text

    status, text = asyncio.run(ask())
    assert status < 500, text
    assert '"http"' not in text, "there is no such route"


def test_a_path_wins_over_a_query_of_the_same_name() -> None:
    """On either side: what a path names cannot be named otherwise behind a question mark."""
    table = next(route for route in ROUTES if name_of(route) == "GET /api/tables/{table}")
    assert table.collect_url_arguments({"table": "mine"}, {"table": "other"}) == {"table": "mine"}

    async def story() -> None:
        here = device.OfflineApi(MemoryStorage(), "Ana")
        body = b'{"game": "atlandice", "players": 2}'.decode()
        made = [await here.request("POST", "/api/tables", body) for _ in range(2)]
        mine, other = (found[2].split('"')[3] for found in made)
        status, _, text = await here.request("GET", f"/api/tables/{mine}/chat?table=nothing")
        assert (status, text) == (200, "[]")
        assert (await here.request("GET", f"/api/tables/nothing?table={other}"))[0] == 404
        status, _, _ = await here.request("DELETE", f"/api/tables/{mine}?table={other}")
        assert status == 204
        listed = (await here.request("GET", "/api/history"))[2]
        assert other in listed
        assert mine not in listed
        friend = Caller(User("peer-1", "Ben"))
        status, _, _ = await here.request_as_caller(
            friend, "GET", f"/api/tables/{mine}?table={other}", None, PEER_ROUTES
        )
        assert status == 404

    asyncio.run(story())
