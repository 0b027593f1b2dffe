"""Home and lobby with ten thousand accounts and forty thousand tables: how long the slowest answers take."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import pytest

from landfall.api import lobby as api
from landfall.api.types import Caller
from landfall.store import schema
from landfall.tables.live.hub import TableConfig
from landfall.tables.live.subscriber import User
from tests.lobby.test_board import Clock, Process

pytestmark = [pytest.mark.once, pytest.mark.proof]
PEOPLE, TABLES, ASKED, LIMIT_MS = 10_000, 40_000, 300, 100


def test_home_and_lobby_are_quick_with_ten_thousand_accounts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def run() -> dict[str, float]:
        here = await Process(str(tmp_path / "landfall.db"), Clock()).open()
        ana = await here.person("Ana")
        await here.table(ana, TableConfig("survive", 4, public=True))
        [model] = await here.store.lobby()
        rng = random.Random(1)
        names = [f"P{n}" for n in range(PEOPLE)]
        people = [
            {"id": f"id-{name}", "name": name, "created": 1, "seen": 1, "account": name.casefold(), "signed": False}
            for name in names
        ]
        tables, members = [], []
        for n in range(TABLES):
            sat = rng.sample(names, 2)
            info = {**model.info, "chairs": [*sat, None, None], "people": [*(f"id-{one}" for one in sat), None, None]}
            status = rng.choices(("over", "playing", "gathering"), (90, 6, 4))[0]
            at = here.clock.ms - rng.randrange(60 * 86_400_000)
            head = {"game": "survive", "rules": model.rules, "public": n % 3 == 0, "owner": f"id-{sat[0]}"}
            encoded = msgspec.json.encode(info).decode()
            tables.append({"id": f"t{n}", "status": status, "created": at, "updated": at, "info": encoded, **head})
            members += [{"person": f"id-{one}", "table_id": f"t{n}"} for one in sat]
        async with here.store.engine.begin() as connection:
            for table, rows in ((schema.people, people), (schema.tables, tables), (schema.members, members)):
                await connection.execute(table.insert(), rows)
        users = [User(f"id-{name}", name, True) for name in rng.sample(names, ASKED)]

        async def home(user: User) -> None:
            await api.list_home_tables(here.hub, Caller(user))
            await api.list_invitations(here.hub, Caller(user))
            await api.has_finished(here.hub, Caller(user))
            await here.board.read_for(user.id)

        async def board(user: User) -> None:
            await here.board.read()

        async def showcase(user: User) -> None:
            await api.Showcase(here.hub).get()

        async def p99(work: Callable[[User], Awaitable[None]], users: list[User]) -> float:
            took = []
            for user in users:
                started = time.perf_counter()
                await work(user)
                took.append((time.perf_counter() - started) * 1000)
            return sorted(took)[int(len(took) * 0.99) - 1]

        found = {
            "home": await p99(home, users), "lobby": await p99(board, users[:100]),
            "showcase": await p99(showcase, users[:50]),
        }  # fmt: skip
        await here.close()
        return found

    found = asyncio.run(run())
    with capsys.disabled():
        print({name: f"{ms:.1f} ms" for name, ms in found.items()})
    assert max(found.values()) < LIMIT_MS
