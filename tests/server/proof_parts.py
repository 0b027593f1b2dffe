"""The server's full counts, as parts of `python -m tests.proof`. Those that mix all games run once, under survive."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

from landfall.game_checks.option_combinations import all_combinations
from landfall.games import GAME_NAMES
from landfall.games import game as find_game
from tests.postgres_cluster import run_temporary_cluster
from tests.server import (
    choice_races,
    dropped_connections,
    floods,
    fuzz,
    outages,
    stranger_bot_latency,
    two_worlds,
    unread_sockets,
    whole_games,
)
from tests.server.crashes import kill_server_often
from tests.server.real_server import ServerProcess
from tests.server.test_hostile_input import schemathesis

SECRECY_GAMES = 200
KILLS, DROPS, MESSAGES, RELOADS = 100, 1_000, 10_000, 1_000
OUTAGES = ((1, 4), (2, 4), (1, 0), (2, 0), (1, 10), (2, 10))  # processes, and seconds for which PostgreSQL is away
FLOOD_JOBS = 8
SMALL = 2_000  # bytes


class Part:
    """As tests.proof.Part, which imports this module."""

    def __init__(self, jobs: Callable[[str], int], do: Callable[[str, int], dict[str, int]]) -> None:
        self.jobs = jobs
        self.do = do


def only_under_first_game(jobs: int) -> Callable[[str], int]:
    return lambda name: jobs if name == GAME_NAMES[0] else 0


def play_whole_game_of_job(name: str, job: int) -> dict[str, int]:
    """A whole game at one player count: people at every chair, or two of them and bots."""
    players = find_game(name).player_counts[job // 2]
    people = players if job % 2 else min(2, players)

    async def story(server: ServerProcess) -> dict[str, int]:
        table, record, sizes = await whole_games.play_whole_game(server.url, name, players, people, seed=job)
        await whole_games.check_log_matches_record(server.settings["database"], table, record)
        small = sum(size < SMALL for size in sizes)
        assert 2 * small > len(sizes), "the median update is not small"
        return {"games": 1, "updates": len(sizes), "updates under 2 kB": small, "bytes": sum(sizes)}

    with tempfile.TemporaryDirectory() as folder, ServerProcess(f"{folder}/landfall.db") as server:
        return asyncio.run(story(server))


def compare_two_servers_of_job(name: str, job: int) -> dict[str, int]:
    """One game in two worlds, options at random, for a seat or a spectator."""
    every = all_combinations(name)
    combo = every[job * 7919 % len(every)]
    seat = None if job % (combo[0] + 1) == combo[0] else job % (combo[0] + 1)
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(two_worlds.compare_two_world_games(Path(folder), name, [(combo, job, seat)]))


def kill_sqlite_server(name: str, job: int) -> dict[str, int]:
    """Ten kills of a server on SQLite."""
    with tempfile.TemporaryDirectory() as folder:
        database = f"{folder}/landfall.db"
        server = ServerProcess(database, bot_workers=0)
        try:
            return asyncio.run(kill_server_often(database, [server], 10, 8, job))
        finally:
            server.__exit__()


def kill_postgres_servers(name: str, job: int) -> dict[str, int]:
    """Ten kills of one of two servers on PostgreSQL."""
    with run_temporary_cluster() as database:
        servers = [ServerProcess(database, bot_workers=0) for _ in range(2)]
        try:
            return asyncio.run(kill_server_often(database, servers, 10, 6, job))
        finally:
            for server in servers:
                server.__exit__()


def race_clients(name: str, job: int) -> dict[str, int]:
    """Fifty clients over two processes, twenty times."""
    with (
        run_temporary_cluster() as database,
        ServerProcess(database, bot_workers=0) as one,
        ServerProcess(database, bot_workers=0) as other,
    ):
        return asyncio.run(choice_races.race_choices([one, other], 50, 20))


def drop_connections(name: str, job: int) -> dict[str, int]:
    """A tenth of a game's share of cut connections."""
    with tempfile.TemporaryDirectory() as folder, ServerProcess(f"{folder}/landfall.db") as server:
        return asyncio.run(dropped_connections.drop_connections_often(server, -(-DROPS // 30), job, name))


def fuzz_server(name: str, job: int) -> dict[str, int]:
    """A tenth of the messages of nonsense."""
    with tempfile.TemporaryDirectory() as folder, ServerProcess(f"{folder}/landfall.db") as server:
        return asyncio.run(fuzz.send_random_messages(server, MESSAGES // 9, job))


def run_schemathesis(name: str, job: int) -> dict[str, int]:
    """Requests made up from the OpenAPI schema."""
    with tempfile.TemporaryDirectory() as folder, ServerProcess(f"{folder}/landfall.db") as server:
        schemathesis(server.url, examples=60, seed=job)
    return {"runs": 1}


def measure_stranger_bot(name: str, job: int) -> dict[str, int]:
    """One guest with twenty tables of three krakens: a stranger's bot takes at most twice its usual time."""
    with (
        tempfile.TemporaryDirectory() as folder,
        ServerProcess(f"{folder}/landfall.db", pace=700) as server,
    ):
        found = asyncio.run(stranger_bot_latency.measure_alone_and_beside(server, 20, 40))
    alone, beside = median(found["alone"]), median(found["beside"])
    times = [stranger_bot_latency.format_times(found[name]) for name in ("alone", "beside")]
    assert beside <= 2 * alone, f"alone {times[0]}; beside {times[1]}"
    return {"choices": 40, "alone, ms": int(1000 * alone), "beside, ms": int(1000 * beside)}


def attack_with_unread_sockets(name: str, job: int) -> dict[str, int]:
    """Twenty sockets that never read and ask 220 times each, at a table with a name as long as is let in."""
    with tempfile.TemporaryDirectory() as folder, ServerProcess(f"{folder}/landfall.db", bot_workers=0) as server:
        found = asyncio.run(
            unread_sockets.attack_with_unread_sockets(
                server, 20, 220, "x" * 240_000, (unread_sockets.LOOK, unread_sockets.EVENTS)[job]
            )
        )
    assert found["most"] < 200_000_000, found
    return {"attacks": 1, f"MB at most by {('look', 'events')[job]}": found["most"] // 1_000_000}


@contextmanager
def servers_with_clean_logs(
    pace: int, database: str | None = None, processes: int = 1, **settings: int
) -> Iterator[list[ServerProcess]]:
    """Servers of which bots will be troubled, and whose logs must not say what should never be."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        settings = {"pace": pace, **settings}
        with ExitStack() as running:
            servers = [
                ServerProcess(database or f"{folder}/landfall.db", log=str(log), **settings) for _ in range(processes)
            ]
            yield [running.enter_context(server) for server in servers]
        outages.check_log_without_errors(log)


def reload_pages(name: str, job: int) -> dict[str, int]:
    """A tenth of the pages reloaded around a bot's commit; for some of them the bots think in workers."""
    with servers_with_clean_logs(60, bot_workers=job % 5 == 4) as servers:
        reloads = outages.Reloads(servers, RELOADS // 10, seed=job)
        counts = asyncio.run(reloads.reload_at_tables(4))
    assert max(reloads.took) <= outages.SOON, counts
    return counts


def reload_pages_on_postgres(name: str, job: int) -> dict[str, int]:
    """The same on PostgreSQL: one process, or two."""
    with (
        run_temporary_cluster() as database,
        servers_with_clean_logs(60, database, 1 + job % 2, bot_workers=job % 5 == 4) as servers,
    ):
        reloads = outages.Reloads(servers, RELOADS // 10, seed=job)
        counts = asyncio.run(reloads.reload_at_tables(4))
    assert max(reloads.took) <= outages.SOON, counts
    return counts


def drop_onlookers(name: str, job: int) -> dict[str, int]:
    """Thirty onlookers who leave then, with the person who plays or without."""
    with servers_with_clean_logs(60, bot_workers=0) as servers:
        reloads = outages.Reloads(servers, 50, onlookers=30, seed=job)
        counts = asyncio.run(reloads.reload_at_tables(2))
    assert max(reloads.took) <= outages.SOON, counts
    return counts


def fill_disk(name: str, job: int) -> dict[str, int]:
    """Ten seconds without room for anything, for a whole entry, or for the end of one; three times."""
    with servers_with_clean_logs(500) as servers:
        outage = outages.Outage(servers, seed=job)
        counts = asyncio.run(outage.rounds(outages.make_full_disk_fault(servers[0], 10, (None, 0, 5000)[job]), 3))
    assert max(outage.took) <= outages.SOON, counts
    return counts


def stop_and_start_postgres(name: str, job: int) -> dict[str, int]:
    """PostgreSQL stopped as by a crash and started again, three times."""
    processes, seconds = OUTAGES[job]
    with run_temporary_cluster() as database, servers_with_clean_logs(500, database, processes) as servers:
        outage = outages.Outage(servers, seed=job)
        counts = asyncio.run(outage.rounds(outages.make_postgres_away_fault(database, seconds), 3))
    assert max(outage.took) <= outages.SOON, counts
    return counts


def kill_bot_workers(name: str, job: int) -> dict[str, int]:
    """Workers killed again and again while bots are to play, ten times."""
    killed: Counter[str] = Counter()
    with servers_with_clean_logs(200, bot_workers=1 + job % 2) as servers:
        outage = outages.Outage(servers, "mcts:ms=300", seed=job)
        counts = asyncio.run(outage.rounds(outages.make_workers_killed_fault(servers[0], 1, job, killed), 10))
    assert max(outage.took) <= outages.SOON, counts
    return counts + killed


def flood_routes_and_messages(name: str, job: int) -> dict[str, int]:
    """A share of all routes and messages, each flooded while somebody elsewhere uses it."""
    names = floods.all_names()[job::FLOOD_JOBS]
    with (
        tempfile.TemporaryDirectory() as folder,
        ServerProcess(f"{folder}/landfall.db", limited=True, bot_workers=0) as server,
    ):
        found = asyncio.run(floods.measure_floods(server, names))
    slow = [str(times) for times in found if not times.fine]
    assert not slow, slow
    return {"floods": len(found)}


PARTS = {
    "server-games": Part(lambda name: 2 * len(find_game(name).player_counts), play_whole_game_of_job),
    "server-secrecy": Part(lambda name: -(-SECRECY_GAMES // len(GAME_NAMES)), compare_two_servers_of_job),
    "server-kill": Part(only_under_first_game(KILLS // 10), kill_sqlite_server),
    "server-kill-postgres": Part(only_under_first_game(KILLS // 10), kill_postgres_servers),
    "server-races": Part(only_under_first_game(2), race_clients),
    "server-drops": Part(lambda name: 10, drop_connections),
    "server-fuzz": Part(only_under_first_game(10), fuzz_server),
    "server-schema": Part(only_under_first_game(3), run_schemathesis),
    "server-strangers": Part(only_under_first_game(1), measure_stranger_bot),
    "server-floods": Part(only_under_first_game(FLOOD_JOBS), flood_routes_and_messages),
    "server-deaf": Part(only_under_first_game(2), attack_with_unread_sockets),
    "server-reload": Part(only_under_first_game(10), reload_pages),
    "server-reload-postgres": Part(only_under_first_game(10), reload_pages_on_postgres),
    "server-onlookers": Part(only_under_first_game(4), drop_onlookers),
    "server-full-disk": Part(only_under_first_game(3), fill_disk),
    "server-postgres-away": Part(only_under_first_game(len(OUTAGES)), stop_and_start_postgres),
    "server-workers": Part(only_under_first_game(4), kill_bot_workers),
}
