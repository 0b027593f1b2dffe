"""Copies of the museum on both databases, and a house on one of them."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import asyncpg
import pytest
from sqlalchemy.engine import URL, make_url

from landfall.core.rng import Rng
from landfall.games import game as find_game
from landfall.store.store import Store, make_store_for_setting
from landfall.tables.live.hub import Hub
from landfall.tables.runtime_dependencies import Runtime
from tests.postgres_cluster import run_temporary_cluster
from tests.tables.fake_users import HandTime

HERE: Final = Path(__file__).resolve().parent
MANIFEST: Final[dict[str, Any]] = json.loads((HERE / "manifest.json").read_text(encoding="utf-8"))
DAY: Final = 86_400_000
THEN: Final = 1  # the version of all three games' rules then


@dataclass(frozen=True)
class Museum:
    """A copy on one database, and what must be found in it."""

    database: str
    manifest: dict[str, Any]

    @property
    def tables(self) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = self.manifest["tables"]
        return found

    def opens(self, label: str) -> bool:
        """Whether today's rules allow all that happened at a table."""
        return bool(self.tables[label]["fits"]) or find_game("survive").rules_version == THEN

    def open_tables(self, *statuses: str) -> list[str]:
        return [label for label, t in self.tables.items() if self.opens(label) and t["status"] in statuses]


async def run_sql(url: URL, script: str) -> None:
    """As one who has the database to themselves."""
    host, port = str(url.query["host"]), int(str(url.query["port"]))
    db = await asyncpg.connect(host=host, port=port, user="postgres", database=url.database)
    try:
        await db.execute(script)
    finally:
        await db.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    with run_temporary_cluster() as address:
        yield address


BOTH: Final = ["sqlite", "postgresql"]


def make_museum_copy(name: str, request: pytest.FixtureRequest, folders: pytest.TempPathFactory) -> Museum:
    """A new copy, instead of the last one of that name."""
    if request.param == "sqlite":
        path = folders.mktemp("museum") / "landfall.db"
        shutil.copy(HERE / "landfall.db", path)
        return Museum(str(path), MANIFEST["sqlite"])
    url = make_url(request.getfixturevalue("postgres"))
    dump = (HERE / "landfall.sql").read_text(encoding="utf-8")

    async def load() -> None:
        with suppress(asyncpg.DuplicateDatabaseError):
            await run_sql(url, f"create database {name}")
        await run_sql(url.set(database=name), f"drop schema public cascade; create schema public; {dump}")

    asyncio.run(load())
    return Museum(url.set(database=name).render_as_string(), MANIFEST["postgresql"])


@pytest.fixture(params=BOTH)
def museum(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Museum:
    """A copy for this test alone."""
    return make_museum_copy("own", request, tmp_path_factory)


@pytest.fixture(scope="module", params=BOTH)
def shown(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Museum:
    """A copy for all who only look."""
    return make_museum_copy("shown", request, tmp_path_factory)


class StoredHub(Hub):
    """A hub on a whole store."""

    store: Store


def run_with_hub(museum: Museum, work: Callable[[StoredHub], Awaitable[None]], later: int = 0) -> None:
    """A house on a copy, so much later than the museum's server ended, its clock moved by hand."""

    async def story() -> None:
        time = HandTime()
        time.ms = museum.manifest["now"] - 3 * DAY + later
        store = make_store_for_setting(museum.database)
        await store.database.open_and_migrate()
        hub = StoredHub(store, runtime=Runtime(clock=time, rng=Rng(7), bot_pace_ms=0, answer_hold_ms=0))
        try:
            await work(hub)
        finally:
            await hub.shut_down()
            await store.database.close()

    asyncio.run(story())
