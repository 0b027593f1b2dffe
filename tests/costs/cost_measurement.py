"""Asks every case and keeps the worst of each endpoint and message."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from landfall.web.request_bodies import max_body_bytes
from tests.costs.event_loop_probe import Answer, AskedSocket, append_peak_memory
from tests.costs.loaded_server import Scene
from tests.costs.worst_inputs import Case, endpoint_cases, message_cases

BUDGET_LOOP_MS = 5.0  # the longest step of the loop
BUDGET_BYTES = 1_000_000  # of an answer, before it is packed
BUDGET_MEMORY_BYTES = 16_000_000  # held at once for one request
REPEATS = 3
PAUSES_S = (0.0, 1.0, 5.0)  # before what is above its budget is measured again


@dataclass
class Cost:
    """What one case costs: the longest step and all steps of the loop in milliseconds, bytes of the answer."""

    case: Case
    status: int = 0
    longest_ms: float = 0.0
    total_ms: float = 0.0
    bytes: int = 0
    memory: int = 0


async def ask_endpoint(scene: Scene, case: Case, packed: bool) -> Answer:
    return await scene.asker.request(case.method, case.url, case.body, scene.cookie, packed)


def leaves_state_unchanged(case: Case) -> bool:
    """Whether it can be asked with one's own cookie and leave everything as it was."""
    return case.way not in ("DELETE /api/me", "POST /api/logout", "DELETE /api/sessions")


async def measure_endpoint(scene: Scene, case: Case, repeats: int) -> Cost:
    """The first request is not counted: it fills caches that one attacker cannot empty."""
    harmless = leaves_state_unchanged(case)
    if not harmless:
        person = await scene.server.identities.create_guest("Guest")
        scene = Scene(
            **{**vars(scene), "cookie": f"landfall={await scene.server.identities.create_session_cookie(person)}"}
        )
        repeats = 1
    plain = [await ask_endpoint(scene, case, False) for _ in range(repeats + harmless)]
    packed = [await ask_endpoint(scene, case, True) for _ in range(repeats)]
    counted = plain[-repeats:], packed
    scene.server.reviews.jobs.clear()  # what was begun would keep the workers busy for minutes
    longest = max(median(one.steps.longest for one in some) for some in counted) * 1000
    total = max(median(one.steps.total for one in some) for some in counted) * 1000
    return Cost(case, plain[-1].status, longest, total, len(plain[-1].body))


async def measure_message(scene: Scene, case: Case, repeats: int) -> Cost:
    """Each time at a new table: some messages end a match."""
    answers = []
    for _ in range(repeats):
        table = await scene.make_running(case.game)
        socket = AskedSocket(scene.asker, f"/ws/tables/{table}", {"cookie": scene.cookie})
        await socket.until("welcome")
        answers.append(await socket.ask(fill_in_version_and_action(scene, table, case)))
        await socket.disconnect()
        live = scene.server.hub.live_tables.get(table)
        if live is not None:
            scene.server.hub.evict_empty_table(live)
    longest = median(one.steps.longest for one in answers) * 1000
    total = median(one.steps.total for one in answers) * 1000
    return Cost(case, 101, longest, total, len(answers[-1].body))


def fill_in_version_and_action(scene: Scene, table: str, case: Case) -> str:
    """A message with the version and a choice of the table it is for."""
    live = scene.server.hub.live_tables[table].table
    assert live.match is not None
    text = (case.body or b"").decode()
    return text.replace('"$version"', str(live.version)).replace('"$action"', str(live.match.legal_actions()[-1]))


async def measure_case(scene: Scene, case: Case, repeats: int = REPEATS) -> Cost:
    return await (measure_message if case.game else measure_endpoint)(scene, case, repeats)


async def measure_with_retries(scene: Scene, case: Case, repeats: int, slowness: float) -> Cost:
    """What is above the budget is measured again, each time a little later, before it is believed: a machine stands
    still for a while now and then, code is slow every time."""
    cost = await measure_case(scene, case, repeats)
    for pause in PAUSES_S:
        if cost.longest_ms <= BUDGET_LOOP_MS * slowness:
            break
        await asyncio.sleep(pause)
        cost = min(cost, await measure_case(scene, case, 2 * repeats), key=lambda one: one.longest_ms)
    return cost


async def measure_memory(scene: Scene, cost: Cost) -> None:
    """How much memory the worst case of an endpoint holds."""
    found: list[int] = []
    with append_peak_memory(found):
        if cost.case.game:
            await measure_message(scene, cost.case, 1)
        else:
            await ask_endpoint(scene, cost.case, False)
    cost.memory = found[0]


def all_cases(scene: Scene) -> list[Case]:
    """Of REST and of sockets."""
    limits = scene.server.settings.limits
    document = scene.asker.app.openapi()
    found = [
        *endpoint_cases(scene, document, lambda path: max_body_bytes(limits, path)),
        *message_cases(scene, limits.message_bytes),
    ]
    return sorted(found, key=lambda case: "/review" in case.way)  # those last that keep workers busy afterwards


def worst_case_per_endpoint(costs: Iterable[Cost]) -> list[Cost]:
    """By endpoint the case whose longest step is longest, with the largest answer of any case."""
    found: dict[str, Cost] = {}
    largest: dict[str, int] = {}
    for cost in costs:
        way = cost.case.way
        largest[way] = max(largest.get(way, 0), cost.bytes)
        if way not in found or cost.longest_ms > found[way].longest_ms:
            found[way] = cost
    for way, cost in found.items():
        cost.bytes = largest[way]
    return list(found.values())


def list_budget_excesses(costs: Iterable[Cost], slowness: float) -> list[str]:
    """What is above its budget."""
    out = []
    for cost in costs:
        where = f"{cost.case.way}: {cost.case.name}"
        if cost.longest_ms > BUDGET_LOOP_MS * slowness:
            out.append(f"{where}: holds the loop for {cost.longest_ms:.1f} ms; {BUDGET_LOOP_MS * slowness:.1f} allowed")
        if cost.bytes > BUDGET_BYTES:
            out.append(f"{where}: an answer of {cost.bytes:,} bytes; {BUDGET_BYTES:,} allowed")
        if cost.memory > BUDGET_MEMORY_BYTES:
            out.append(f"{where}: holds {cost.memory:,} bytes; {BUDGET_MEMORY_BYTES:,} allowed")
        if cost.status >= 500:
            out.append(f"{where}: answered {cost.status}")
    return out
