"""Every kind of sender at every route and socket: as routes declare, and as `access_matrix.txt` has it."""

from __future__ import annotations

import asyncio

import pytest

from landfall.web.app import ROUTES
from tests.server.access_matrix import MATRIX, SENDERS, Row, expected_refusal, format_matrix, measure_matrix

pytestmark = pytest.mark.once
REFUSED_AT_THE_DOOR = {"nameless", "banned"}  # endpoints themselves ask for proofs and for scopes, too


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Row]:
    return asyncio.run(measure_matrix(tmp_path_factory.mktemp("matrix")))


def test_each_route_lets_in_whom_it_declares(found: dict[str, Row]) -> None:
    wrong = []
    for route in ROUTES:
        name = f"{route.method} {route.path}"
        for kind in SENDERS:
            outcome, expected = found[name][kind], expected_refusal(route, kind)
            if outcome != expected if expected is not None else outcome in REFUSED_AT_THE_DOOR:
                wrong.append(f"{name} by {kind}: {outcome}, not {expected or 'let in'}")
    assert wrong == []


def test_no_cell_has_changed(found: dict[str, Row]) -> None:
    """What a declaration says is written down, too, and what follows from whose a thing is. If a change is meant:
    `python -m tests.server.access_matrix`, and read the diff."""
    assert format_matrix(found).splitlines() == MATRIX.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("place", ["gathering", "running", "lobby"])
def test_who_is_banned_sits_nowhere(place: str, found: dict[str, Row]) -> None:
    """Nor do their bots; a lobby knows no tokens."""
    row = found[f"SOCKET {place}"]
    assert row["banned"] == "banned"
    assert row["banned_bot"] == ("done" if place == "lobby" else "banned")
    assert {row[kind] for kind in SENDERS if "banned" not in kind} == {"done"}


def test_a_bot_asks_for_little() -> None:
    """What a token may ask for, whatever its scope: another line here is another thing that a stolen token can do."""
    asked = {(route.method, route.path, route.token) for route in ROUTES if route.token is not None}
    assert {(method, path) for method, path, _ in asked if method != "GET"} == {("POST", "/api/tables")}
    assert {path for _, path, scope in asked if scope == "play"} == {"/api/tables", "/api/tables/{table}/world"}


def test_who_is_banned_can_only_leave() -> None:
    assert {f"{route.method} {route.path}" for route in ROUTES if route.open_to_banned} == {
        "GET /api/me", "GET /api/whoami", "POST /api/logout", "DELETE /api/me", "GET /api/account",
        "POST /api/account/confirm", "GET /api/account/data", "GET /api/account/matches",
    }  # fmt: skip
