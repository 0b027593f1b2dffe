"""Whole games over real sockets: people who choose at random, and bots; the record of each replays."""

from __future__ import annotations

import asyncio
from statistics import median

from landfall.core.rng import Rng
from landfall.match import Match
from landfall.store.row_types import LogEntry
from landfall.store.sqlite import SqliteDatabase
from landfall.store.store import make_store_for_setting
from landfall.tables.log.table import fold_table_from_log
from tests.server.real_server import Line, Player, play_at_random


async def play_whole_game(
    url: str, game: str, players: int, people: int, seed: int, options: dict[str, object] | None = None
) -> tuple[str, str, list[int]]:
    """Play one; its table, its open record, and the sizes of all updates the people and a spectator got."""
    guests = [await Player(url, f"P{i}").come() for i in range(people)]
    table = (await guests[0].post("/api/tables", game=game, players=players, options=options or {}))["table"]
    lines = [await Line(guest, table).open() for guest in guests]
    watching = await Line(Player(url, "nobody"), table).open()
    for chair in range(1, people):
        assert (await lines[chair].ask(t="sit", chair=chair))["t"] == "done"
    for chair in range(people, players):
        assert (await lines[0].ask(t="bot", chair=chair, code=("random", "greedy")[chair % 2]))["t"] == "done"
    await lines[0].send(t="start")
    await asyncio.gather(*(play_at_random(line, Rng(seed + i)) for i, line in enumerate([*lines, watching])))
    record = (await guests[0].http.get(f"/api/tables/{table}/record")).text
    again = Match.replay(record)
    for line in (*lines, watching):
        assert line.news["ended"] == "finished"
        assert line.view == again.view(line.seat), "what a client has put together is what the record leads to"
    for line in (*lines, watching):
        await line.close()
    for guest in (*guests, watching.player):
        await guest.close()
    return table, record, [size for line in (*lines, watching) for size in line.sizes]


async def read_stored_log(database: str, table: str) -> list[LogEntry]:
    """A table's log, read beside the server."""
    store = make_store_for_setting(database, beside=True)
    try:
        return await store.tables.read_log_entries(table)
    finally:
        await store.database.close() if not isinstance(
            store.database, SqliteDatabase
        ) else await store.database.engine.dispose()


async def check_log_matches_record(database: str, table: str, record: str) -> None:
    """The log on disk and the downloaded record lead to one position."""
    match = fold_table_from_log(table, await read_stored_log(database, table), Rng(0)).match
    assert match is not None
    assert Match.replay(record).state.digest() == match.state.digest()


def median_size(sizes: list[int]) -> int:
    return int(median(sizes))
