"""The cost harness in short: every endpoint and message at one game, once each; `python -m tests.costs` does it all."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.costs.cost_measurement import (
    BUDGET_BYTES,
    BUDGET_LOOP_MS,
    Cost,
    all_cases,
    list_budget_excesses,
    measure_case,
    measure_with_retries,
    worst_case_per_endpoint,
)
from tests.costs.event_loop_probe import measure_machine_slowness
from tests.costs.loaded_server import Scene, open_scene
from tests.costs.worst_inputs import Case, UnknownInput, endpoint_cases

pytestmark = pytest.mark.once
GENEROUS = 6.0  # times the budget: one try on a busy machine; a second of blocking is still found
# What workers do is done in the loop here, since none are started; the program measures it as it is.
BY_WORKERS = ("replay", "/tables/open", "/review", "preview.png", "/tables/quick", "/tables/guided", "socket hint")
SLOW = ("/api/account", "/api/login", "/api/password", "preview.png", "/review", "socket hint")  # passwords, pictures


def chosen(cases: list[Case]) -> list[Case]:
    """Of messages that are refused while they are read, one of each kind is enough."""
    read = ("unknown fields", "deep", "escapes")
    kept = [case for case in cases if not any(word in case.way for word in SLOW)]
    return [case for case in kept if not case.game or not case.name.startswith(read) or case.way == "socket play"]


def test_no_request_and_no_message_costs_more_than_its_budget(tmp_path: Path) -> None:
    async def story() -> list[Cost]:
        async with open_scene(tmp_path, games=("atlandice",), workers=0) as scene:
            ways = {case.way for case in all_cases(scene)}
            assert len(ways) > 70
            return [await measure_with_retries(scene, case, 1, slowness) for case in chosen(all_cases(scene))]

    slowness = measure_machine_slowness()
    costs = asyncio.run(story())
    slowness = max(slowness, measure_machine_slowness())
    for cost in costs:
        if any(word in cost.case.way for word in BY_WORKERS):
            cost.longest_ms = 0.0
    assert len(costs) > 150
    assert not list_budget_excesses(worst_case_per_endpoint(costs), slowness * GENEROUS)


def test_the_harness_finds_what_is_above_its_budget() -> None:
    case = Case("GET /x", "some input")
    slow, large = Cost(case, 200, longest_ms=BUDGET_LOOP_MS * 1.1), Cost(case, 200, bytes=BUDGET_BYTES + 1)
    failing, fine = Cost(case, 500), Cost(case, 422, longest_ms=BUDGET_LOOP_MS * 0.9, bytes=BUDGET_BYTES)
    assert [len(list_budget_excesses([cost], 1.0)) for cost in (slow, large, failing, fine)] == [1, 1, 1, 0]


def test_a_step_of_the_loop_is_measured_whole(tmp_path: Path) -> None:
    """A handler that blocks, planted into the real application, is above the budget."""

    def blocks() -> None:
        for _ in range(300_000):
            pass

    async def story() -> float:
        async with open_scene(tmp_path, games=("atlandice",), workers=0) as scene:
            app = scene.asker.app

            async def blocking() -> dict[str, int]:
                blocks()
                return {}

            app.router.add_api_route("/planted", blocking)
            app.router.routes.insert(0, app.router.routes.pop())
            return (await measure_case(scene, Case("GET /planted", "", "GET", "/planted"), 1)).longest_ms

    assert asyncio.run(story()) > 2.0


@pytest.mark.parametrize("way", [
    {"parameters": [{"name": "fresh", "in": "query"}]},
    {"requestBody": {"content": {"text/csv": {}}}},
])  # fmt: skip
def test_an_endpoint_of_which_no_worst_input_is_known_fails_the_harness(way: dict[str, object]) -> None:
    scene = Scene(None, None, None, "", {})  # type: ignore[arg-type]
    document = {"components": {"schemas": {}}, "paths": {"/new": {"post": way}}}
    with pytest.raises(UnknownInput):
        list(endpoint_cases(scene, document, lambda path: 1_000))
