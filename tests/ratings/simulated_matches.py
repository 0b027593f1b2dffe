"""Rated matches for tests: real logs of random matches between players of known strength, and processes that rate them.

`python -m tests.ratings.simulated_matches DATABASE` is such a process: a hub without the web.
"""

from __future__ import annotations

import asyncio
import random
import sys
from dataclasses import dataclass
from functools import cache

from landfall.core.match_record import CHANCE_MARK
from landfall.core.rng import Rng
from landfall.games import game as find_game
from landfall.match import Match
from landfall.store.events import Created, Ended, InitialChair, InitialClock, Left, LogEvent, Played, Started
from landfall.store.row_types import LogEntry, UserRecord
from landfall.store.store import Store, make_store_for_setting
from landfall.tables.live.hub import Hub
from landfall.tables.log.table import Table
from landfall.tables.runtime_dependencies import Runtime

NOW = 1_700_000_000_000
NOISE = 25 / 6  # of one match: openskill's own, so that strengths are on its scale
HUB_TICK_MS = 50


@dataclass(frozen=True)
class SimulatedPlayer:
    """Somebody with a known strength."""

    id: str
    name: str
    strength: float


def make_players(count: int, chance: random.Random) -> list[SimulatedPlayer]:
    """As strong as openskill expects strangers to be."""
    return [SimulatedPlayer(f"person-{n:04}", f"Player {n}", chance.gauss(25, 25 / 3)) for n in range(count)]


async def add_accounts(store: Store, players: list[SimulatedPlayer]) -> None:
    for player in players:
        name = player.name
        await store.users.add_user(
            UserRecord(player.id, name, NOW, NOW, name.casefold(), "x", False, f"skeleton {player.id}")
        )


@cache
def finished_match(game: str, players: int, number: int) -> Match:
    """A random match, played to its end."""
    match, chance = Match(game, players, rng=Rng(number)), Rng(number + 1)
    while match.actor >= 0:
        match.play(int(match.state.random_action(chance)))
    return match


def match_events(match: Match) -> tuple[list[str], list[Played]]:
    """The first chance outcomes of a match, and its choices, each with the chance outcomes that follow."""
    first: list[str] = []
    played: list[Played] = []
    for line, text in zip(match.log, match.log_lines(), strict=True):
        if text.startswith(CHANCE_MARK):
            (played[-1].acts if played else first).append(text)
        else:
            played.append(Played(line.actor, [text]))
    return first, played


def seat_by_strength(match: Match, players: list[SimulatedPlayer], chance: random.Random) -> list[SimulatedPlayer]:
    """Who plays which seat, so that the better performance of the day comes in ahead."""
    performances = sorted(players, key=lambda player: -chance.gauss(player.strength, NOISE))
    places = [seat for group in match.state.ranking() for seat in group["seats"]]
    seats = dict(zip(places, performances, strict=True))
    return [seats[seat] for seat in range(match.players)]


def log_of_rated_match(
    table: str, at: int, match: Match, seated: list[SimulatedPlayer], *, rated: bool = True, left: int | None = None
) -> list[LogEntry]:
    """The log of a whole rated match; `left`: this seat left before the last choice."""
    game = find_game(match.game.name)
    chairs = [InitialChair(player.id, player.name) for player in seated]
    created = Created(
        game.name, match.players, {}, game.rules_version, seated[0].id, InitialClock("live", 30, 60), True, "as_sat",
        False, chairs, rated=rated, hints=False,
    )  # fmt: skip
    first, played = match_events(match)
    started = Started(list(range(match.players)), list(game.colours[: match.players]), first)
    events: list[LogEvent] = [created, started, *played, Ended("finished")]
    if left is not None:
        events.insert(-2, Left(left, "left"))
    return [LogEntry(table, seq, at + seq, event) for seq, event in enumerate(events, 1)]


def fold_entries(entries: list[LogEntry]) -> Table:
    table = Table(entries[0].table, Rng(0))
    for entry in entries:
        table.apply_entry(entry)
    return table


async def append_match_log(store: Store, entries: list[LogEntry]) -> None:
    """A match ends: what the process that saw it wrote before it was killed."""
    assert await store.tables.append_entries(entries, fold_entries(entries).build_summary())


async def tables_awaiting_rating(store: Store) -> list[str]:
    """Tables that wait to be rated."""
    return await store.tables.list_table_ids_past_deadline(NOW * 2)


async def run_hub(database: str) -> None:
    """Look after all tables for ever."""
    store = make_store_for_setting(database)
    await store.database.open_and_migrate()
    hub = Hub(store, runtime=Runtime(housekeeping_ms=HUB_TICK_MS, empty_table_grace_ms=0))
    await hub.start_background_tasks()
    print("ready", flush=True)
    await asyncio.Event().wait()


def rank_correlation(one: list[float], other: list[float]) -> float:
    """The rank correlation of two lists without ties."""

    def ranks(values: list[float]) -> list[int]:
        order = sorted(range(len(values)), key=values.__getitem__)
        return [order.index(i) for i in range(len(values))]

    n = len(one)
    squares = sum((a - b) ** 2 for a, b in zip(ranks(one), ranks(other), strict=True))
    return 1 - 6 * squares / (n * (n * n - 1))


if __name__ == "__main__":
    asyncio.run(run_hub(sys.argv[1]))
