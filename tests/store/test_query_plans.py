"""No list that a page shows reads all finished tables or all logs, however many there are."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from landfall.store.row_types import LeaderboardCriteria
from landfall.store.store import Store, make_store_for_setting

pytestmark = pytest.mark.once
LARGE = ("entries", "tables", "members", "chat", "people", "ratings", "rating_changes")  # they grow for ever
POOL = ("atlandice", 2)
LISTED = LeaderboardCriteria(10, 5, False)
QUERIES: dict[str, Callable[[Store], Awaitable[object]]] = {
    "lobby": lambda s: s.tables.list_unfinished_public_tables(),
    "history": lambda s: s.tables.list_tables_of_user("ann"),
    "history, next page": lambda s: s.tables.list_tables_of_user("ann", before=5, over=True),
    "unfinished tables": lambda s: s.tables.list_unfinished_tables_created_by(["ann", "bob"], 5),
    "running openings": lambda s: s.tables.read_first_events_of_running_matches("atlandice"),
    "due tables": lambda s: s.tables.list_table_ids_past_deadline(5),
    "entries": lambda s: s.tables.read_log_entries("t", 3),
    "chat": lambda s: s.chat.read_chat_lines("t"),
    "ratings": lambda s: s.ratings.list_ratings_of_user("ann"),
    "changes": lambda s: s.ratings.list_rating_changes_of_user("ann", 20, 7, POOL),
    "changes at tables": lambda s: s.ratings.list_rating_changes_at_tables(["t", "u"]),
    "places": lambda s: s.ratings.count_matches_by_place("ann", POOL),
    "opponents": lambda s: s.ratings.list_most_met_opponents("ann", POOL, 5),
    "leaders": lambda s: s.ratings.list_leaders(POOL, LISTED, 50, (20.0, "ann")),
    "leaders above": lambda s: s.ratings.find_next_leader_above(POOL, LISTED, (20.0, "ann")),
}


async def plan_of(store: Store, query: Callable[[Store], Awaitable[object]]) -> list[str]:
    """The steps of SQLite's plan of all statements of a query."""
    asked: list[tuple[str, Any]] = []

    def note(_: object, __: object, statement: str, parameters: Any, *___: object) -> None:
        asked.append((statement, parameters))

    sa.event.listen(store.database.engine.sync_engine, "before_cursor_execute", note)
    await query(store)
    sa.event.remove(store.database.engine.sync_engine, "before_cursor_execute", note)
    assert asked
    steps: list[str] = []
    async with store.database.engine.connect() as connection:
        for statement, parameters in asked:
            found = await connection.exec_driver_sql(f"explain query plan {statement}", parameters)
            steps += [str(row.detail) for row in found]
    return steps


@pytest.mark.parametrize("name", QUERIES)
def test_a_list_reads_only_what_it_shows(name: str, tmp_path: Path) -> None:
    async def story() -> list[str]:
        store = make_store_for_setting(str(tmp_path / "landfall.db"))
        await store.database.open_and_migrate()
        try:
            return await plan_of(store, QUERIES[name])
        finally:
            await store.database.close()

    for step in asyncio.run(story()):
        scanned = re.match(r"SCAN (\w+)", step)
        if scanned is not None and "ix_tables_unfinished" not in step:
            assert not scanned[1].startswith(LARGE), step
