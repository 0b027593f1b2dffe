"""Faults planted in the real stores and servers, each as it once was: `python -m tests.sim.planted_store_faults
[--most N]`.

Each is found by a world on the real SQL stores that is broken with it and sound without.
"""

from __future__ import annotations

import argparse
import secrets
from typing import Any
from unittest.mock import patch

import sqlalchemy as sa

from landfall.store import postgres_connections, schema
from landfall.store.database import Database
from landfall.store.retention import RetentionRepository
from landfall.tables.live.hub import Hub
from landfall.tables.log import decisions
from tests.sim.planted_faults import NO_TIMEOUTS, forget_once, nobody_departs
from tests.sim.real_store_world import Broken, live_through_real_world, with_database


def go_by_the_head(self: RetentionRepository, before: int) -> sa.ColumnElement[bool]:
    """A plain choice leaves a table's head as it was, and who has the table open is not asked."""
    return schema.tables.c.updated < before


async def probe_one_row(self: Database) -> None:
    """All processes write the same row."""
    s = schema.settings
    async with self.engine.begin() as connection:
        await connection.execute(s.delete().where(s.c.key == "probe"))
        await connection.execute(s.insert().values(key="probe", value=secrets.token_hex(4096)))


Patch = tuple[Any, str, Any]
PLANTS: dict[str, tuple[bool, tuple[Patch, ...]]] = {  # whether on SQLite, and what is put in the place of what
    "retention goes by a table's head": (
        True,
        ((RetentionRepository, "older_and_open_nowhere_condition", go_by_the_head),),
    ),
    "retention goes by a table's head, on PostgreSQL": (
        False,
        ((RetentionRepository, "older_and_open_nowhere_condition", go_by_the_head),),
    ),
    "a departure that was not written is forgotten": (
        True,
        ((Hub, "erase_user_from_tables", forget_once), (decisions, "decide_missing_departures", nobody_departs)),
    ),
    "a half-open link is waited for without end": (False, ((postgres_connections, "SERVING", NO_TIMEOUTS),)),
    "servers probe the same row": (False, ((Database, "write_probe_row", probe_one_row),)),
}


def find_by_world(seed: int, address: str | None, patches: tuple[Patch, ...]) -> str | None:
    """What a world says with a fault in it, if it says nothing without."""
    started = [patch.object(*one) for one in patches]
    try:
        for one in started:
            one.start()
        live_through_real_world(seed, address)
    except Broken as broken:
        said = str(broken)
    else:
        return None
    finally:
        patch.stopall()
    live_through_real_world(seed, address)
    return said


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="default: all")
    parser.add_argument("--most", type=int, default=10, help="seeds to try")
    args = parser.parse_args()
    for name, (is_sqlite, patches) in PLANTS.items():
        if args.names and name not in args.names:
            continue

        def work(address: str | None, name: str = name, patches: tuple[Patch, ...] = patches) -> None:
            for seed in range(args.most):
                if (said := find_by_world(seed, address, patches)) is not None:
                    print(f"{name}: found within {seed + 1}: {said[:150]}", flush=True)
                    return
            print(f"{name}: NOT FOUND in {args.most} seeds", flush=True)

        with_database(is_sqlite, work)


if __name__ == "__main__":
    main()
