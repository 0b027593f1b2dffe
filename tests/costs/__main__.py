"""`python -m tests.costs [--only TEXT] [--all] [--repeats N]`: the worst input of every endpoint and socket message.

Prints what each costs the event loop, in bytes and in memory, and fails if something is above its budget."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

from tests.costs.cost_measurement import (
    BUDGET_BYTES,
    BUDGET_LOOP_MS,
    REPEATS,
    Cost,
    all_cases,
    list_budget_excesses,
    measure_memory,
    measure_with_retries,
    worst_case_per_endpoint,
)
from tests.costs.event_loop_probe import measure_machine_slowness
from tests.costs.loaded_server import open_scene

SLOW_S = 5.0  # a case that takes longer is named while it runs


def format_cost_row(cost: Cost) -> str:
    """A line of the table, as Markdown."""
    memory = f"{cost.memory / 1e6:.1f}" if cost.memory else ""
    shown = f"`{cost.case.way}` | {cost.case.name} | {cost.status}"
    return f"| {shown} | {cost.longest_ms:.2f} | {cost.total_ms:.2f} | {cost.bytes:,} | {memory} |"


async def measure_all_cases(only: str, everything: bool, repeats: int) -> int:
    costs: list[Cost] = []
    slowness = measure_machine_slowness()
    with tempfile.TemporaryDirectory() as folder:
        async with open_scene(Path(folder)) as scene:
            cases = [case for case in all_cases(scene) if only in case.way]
            for case in cases:
                begun = time.monotonic()
                costs.append(await measure_with_retries(scene, case, repeats, slowness))
                if (took := time.monotonic() - begun) > SLOW_S:
                    print(f"{case.way}: {case.name}: {took:.1f} s", file=sys.stderr, flush=True)
            slowness = max(slowness, measure_machine_slowness())
            worst = worst_case_per_endpoint(costs)
            for cost in worst:
                await measure_memory(scene, cost)
    print("| endpoint | worst input | status | longest step, ms | loop in all, ms | bytes | memory, MB |")
    print("|---|---|--:|--:|--:|--:|--:|")
    for cost in costs if everything else worst:
        print(format_cost_row(cost))
    found = list_budget_excesses(worst, slowness)
    print(f"\n{len(cases)} cases of {len(worst)} endpoints and messages; this machine counts {slowness:.2f} times;")
    print(f"budget {BUDGET_LOOP_MS} ms and {BUDGET_BYTES:,} bytes; {len(found)} above it")
    for fault in found:
        print(fault)
    return 1 if found else 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="endpoints with this in their name")
    parser.add_argument("--all", action="store_true", help="every case, not only the worst of each endpoint")
    parser.add_argument("--repeats", type=int, default=REPEATS)
    args = parser.parse_args()
    sys.exit(asyncio.run(measure_all_cases(args.only, args.all, args.repeats)))


if __name__ == "__main__":
    main()
