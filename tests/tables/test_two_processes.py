"""Two processes on one database: what one of them has not heard of yet is no reason to refuse."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

import pytest

from landfall.store.store import make_store_for_setting
from landfall.tables.live.hub import Hub, TableConfig
from landfall.tables.live.subscriber import User
from landfall.tables.log.table import PLAYING
from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol.errors import Refused

pytestmark = pytest.mark.once
ANA, BORIS = (User(f"id-{name}", name) for name in ("Ana", "Boris"))


async def reason_of(work: Awaitable[None]) -> str:
    with pytest.raises(Refused) as refused:
        await work
    return refused.value.code


def test_a_start_right_after_the_last_seat_was_taken_elsewhere(postgres: str) -> None:
    """Neither process listens: each knows only what it reads."""

    async def work() -> None:
        stores = [make_store_for_setting(postgres) for _ in range(2)]
        for store in stores:
            await store.database.open_and_migrate()
        here, elsewhere = (Hub(store) for store in stores)
        table = await here.create_table(ANA, TableConfig("atlandice", 2))
        live = await here.get_or_load_table(table)
        assert await reason_of(here.execute_command(table, ANA, cmd.Start())) == "free_chairs"
        await elsewhere.execute_command(table, BORIS, cmd.Sit(chair=1))
        assert live.table.chairs[1].is_free, "it has not heard of it"
        await here.execute_command(table, ANA, cmd.Start())
        assert live.table.status == PLAYING
        for store in stores:
            await store.database.close()

    asyncio.run(work())
