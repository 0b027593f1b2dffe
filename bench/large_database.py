"""A server with a long past: `python -m bench.large_database [--tables 100000] [--accounts 10000]`.

It fills an SQLite database with finished, rated matches: real logs of random matches, each copied to many tables with
other players, and the ratings that they give. Then a real server starts on it. Measured are the start, requests one
after the other, the size, and `landfall host backup`. With `--restore`, the copy is restored and compared; that replays
every log.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from base64 import urlsafe_b64encode
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any, Final
from urllib.parse import quote

from bench.server_cpu import HERE, start_server
from landfall.store.database import entry_to_row_values, summary_to_row_values
from landfall.store.event_codec import encode_event
from landfall.store.ratings import RATED_COUNT
from landfall.store.row_types import LogEntry, RatingRow
from landfall.store.store import make_store_for_setting
from landfall.tables.ratings.rate_match import make_rated_event
from landfall.tables.ratings.rating_model import NEWCOMER, Rating, table_size_class
from landfall.web.bench.load_test import wait_until_port_answers
from landfall.web.bench.websocket_client import send_json_request
from tests.ratings.simulated_matches import (
    SimulatedPlayer,
    finished_match,
    fold_entries,
    log_of_rated_match,
    make_players,
)

KINDS: Final = (("survive", 4), ("atlantis", 3), ("atlandice", 2), ("survive", 2), ("atlantis", 2), ("atlandice", 4))
MATCHES_PER_KIND: Final = 12
BATCH: Final = 500  # tables
MINUTE_MS: Final = 60_000
BUSY_GUEST_TABLES: Final = 3_000
OPEN_TABLES: Final = 20
SCHEMA_ROWS: Final = {"tables": 10, "entries": 5, "members": 2, "rating_changes": 12, "ratings": 8}


@dataclass(frozen=True)
class Template:
    """The log and the summary of a match whose players are named `person-0000` and so on."""

    entries: list[LogEntry]
    rows: list[tuple[Any, ...]]
    summary: tuple[Any, ...]
    places: list[int]


def make_template(game: str, players: int, number: int) -> Template:
    entries = log_of_rated_match("t", 0, finished_match(game, players, number), make_players(players, random.Random(0)))
    table = fold_entries(entries)
    rows = [entry_to_row_values(entry) for entry in entries]
    return Template(
        entries,
        rows,
        summary_to_row_values(replace(table.build_summary(), deadline=None)),
        table.final_places_by_seat(),
    )


class PastMatches:
    """Matches that were played, in the order of their end."""

    def __init__(self, tables: int, accounts: int) -> None:
        self.random = random.Random(1)
        ids = (urlsafe_b64encode(self.random.randbytes(16)).decode().rstrip("=") for _ in range(tables))
        self.ids = sorted(ids)  # in the key's order: quick to insert
        self.players = make_players(accounts, self.random)
        self.templates: dict[tuple[str, int], list[Template]] = {}
        self.ratings: dict[tuple[str, str, int], Rating] = {}
        self.last_at: dict[tuple[str, str, int], int] = {}
        self.ends = time.time_ns() // 1_000_000

    def generate_table_rows(self) -> Iterator[dict[str, list[tuple[Any, ...]]]]:
        """The rows of each."""
        self.templates = {kind: [make_template(*kind, n) for n in range(MATCHES_PER_KIND)] for kind in KINDS}
        for n, table in enumerate(self.ids, 1):
            game, count = kind = KINDS[n % len(KINDS)]
            template = self.random.choice(self.templates[kind])
            seated = self.random.sample(self.players, count)
            yield self.rows_of_table(n, table, (game, table_size_class(count)), template, seated)

    def rows_of_table(
        self, n: int, table: str, pool: tuple[str, int], template: Template, seated: list[SimulatedPlayer]
    ) -> dict[str, list[tuple[Any, ...]]]:
        at = self.ends - (len(self.ids) - n) * MINUTE_MS - len(template.rows) - 1
        keys = [(player.id, *pool) for player in seated]
        before = [self.ratings.get(key, NEWCOMER) for key in keys]
        event = make_rated_event(n, before, template.places)
        last = len(template.rows) + 1
        names = {f"person-{i:04}": player.id for i, player in enumerate(seated)}
        names |= {f'"Player {i}"': f'"{player.name}"' for i, player in enumerate(seated)}
        rows: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
        first = replace_names(template.rows[0][4], names)
        rows["entries"] = [(table, seq, at + seq, kind, data) for _, seq, _, kind, data in template.rows]
        rows["entries"][0] = (*rows["entries"][0][:4], first)
        rows["entries"].append((table, last, at + last, event.kind, encode_event(event)))
        _, game, rules, status, public, owner, *_, info = template.summary
        changed = at + last
        rows["tables"] = [
            (table, game, rules, status, public, names[owner], at, changed, None, replace_names(info, names))
        ]
        rows["members"] = [(player.id, table) for player in seated]
        for seat, key in enumerate(keys):
            (mu0, sigma0), (mu, sigma) = event.before[seat], event.after[seat]
            self.ratings[key] = Rating(mu, sigma, event.played[seat] + 1)
            self.last_at[key] = changed
            change = (*pool, changed, len(seated), template.places[seat], mu0, sigma0, mu, sigma)
            rows["rating_changes"].append((key[0], n, table, *change))
        return rows

    def rating_rows(self) -> list[tuple[Any, ...]]:
        found = []
        for key, one in self.ratings.items():
            row = RatingRow(*key, one.mu, one.sigma, one.played, self.last_at[key])
            found.append((*key, row.mu, row.sigma, row.rating_lower_bound, row.played, row.at))
        return found


def replace_names(text: str, names: dict[str, str]) -> str:
    """Other players. In two steps: a new name may be an old one's."""
    for number, old in enumerate(names):
        text = text.replace(old, f"\x00{number}\x00")
    for number, new in enumerate(names.values()):
        text = text.replace(f"\x00{number}\x00", new)
    return text


def fill_database(path: Path, past: PastMatches) -> int:
    """Write everything; returns the number of entries."""
    entries = 0
    with closing(sqlite3.connect(path)) as db:
        db.execute("pragma synchronous = off")
        accounts = [
            (p.id, p.name, 0, past.ends, p.name.casefold(), "x", False, f"skeleton {p.id}") for p in past.players
        ]
        columns = "id, name, created, seen, account, password, signed, skeleton"
        db.executemany(f"insert into people ({columns}) values (?,?,?,?,?,?,?,?)", accounts)
        for number, rows in enumerate(past.generate_table_rows(), 1):
            for name, some in rows.items():
                insert_rows(db, name, some)
            entries += len(rows["entries"])
            if number % BATCH == 0:
                db.commit()
        insert_rows(db, "ratings", past.rating_rows())
        db.execute("insert into settings (key, value) values (?, ?)", (RATED_COUNT, str(len(past.ids))))
        db.commit()
    return entries


def insert_rows(db: sqlite3.Connection, table: str, rows: list[tuple[Any, ...]]) -> None:
    db.executemany(f"insert into {table} values ({','.join('?' * SCHEMA_ROWS[table])})", rows)


async def make_empty_database(path: Path) -> None:
    store = make_store_for_setting(str(path))
    await store.database.open_and_migrate()
    await store.database.close()


# --- a server on it -------------------------------------------------------------------------------------------


async def measure_requests(port: int, path: Path, past: PastMatches, count: int) -> dict[str, list[float]]:
    """Milliseconds of each kind of request."""
    chance = random.Random(2)
    usual, busy = [(await send_json_request(port, "POST", "/api/me", {"name": name}))[1] for name in ("Usual", "Busy")]
    for _ in range(OPEN_TABLES):
        await send_json_request(port, "POST", "/api/tables", {"game": "atlandice", "players": 2, "public": True}, usual)
    with closing(sqlite3.connect(path, timeout=10)) as db:
        for name, tables in (("Usual", 40), ("Busy", BUSY_GUEST_TABLES)):
            newest = "select id from people where name = ? order by created desc limit 1"
            [(person,)] = db.execute(newest, (name,)).fetchall()
            some = chance.sample(past.ids, min(tables, len(past.ids)))
            db.executemany("insert into members values (?, ?)", [(person, table) for table in some])
        db.commit()
    middle = past.ends - len(past.ids) * MINUTE_MS // 2
    kinds: dict[str, tuple[Callable[[], str], str]] = {
        "lobby": (lambda: "/api/tables", usual),
        "history": (lambda: "/api/history", usual),
        f"history of {BUSY_GUEST_TABLES:,} tables": (lambda: "/api/history", busy),
        "its middle": (lambda: f"/api/history?before={middle}", busy),
        "unfinished tables of it": (lambda: "/api/history?over=false", busy),
        "player page": (lambda: f"/api/players/{player_name(past, chance)}", usual),
        "player's matches": (lambda: f"/api/players/{player_name(past, chance)}/matches", usual),
        "player in a game": (lambda: f"/api/players/{player_name(past, chance)}/{pool_path(chance)}", usual),
        "leaderboard": (lambda: f"/api/leaders/{pool_path(chance)}", usual),
        "a finished table": (lambda: f"/api/tables/{chance.choice(past.ids)}", usual),
    }
    found: dict[str, list[float]] = {}
    for name, (make_path, cookie) in kinds.items():
        found[name] = []
        for _ in range(count):
            where = make_path()
            begun = time.perf_counter()
            await send_json_request(port, "GET", where, {}, cookie)
            found[name].append((time.perf_counter() - begun) * 1000)
    return found


def player_name(past: PastMatches, chance: random.Random) -> str:
    return quote(chance.choice(past.players).name)


def pool_path(chance: random.Random) -> str:
    game, players = chance.choice(KINDS)
    return f"{game}/{table_size_class(players)}"


async def measure_server(folder: Path, past: PastMatches, count: int) -> None:
    begun = time.perf_counter()
    process, port = start_server(HERE, str(folder))
    try:
        await wait_until_port_answers(port)
        started = time.perf_counter() - begun
        begun = time.perf_counter()
        await send_json_request(port, "GET", "/api/tables", {})
        print(f"start: {started:.2f} s, the first request: {(time.perf_counter() - begun) * 1000:.0f} ms")
        for name, times in (await measure_requests(port, folder / "bench.db", past, count)).items():
            p99 = sorted(times)[int(0.99 * len(times))]
            print(f"  {name:32} p50 {median(times):7.1f} ms   p99 {p99:7.1f} ms", flush=True)
    finally:
        process.kill()
        process.wait()


def run_host(*words: str | Path) -> float:
    """Seconds of a command of `landfall host`."""
    begun = time.perf_counter()
    command = [str(Path(sys.executable).with_name("landfall")), "host", *map(str, words)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begun


def count_differing_entries(one: Path, other: Path) -> int:
    """The entries of two databases that are not the same."""
    with closing(sqlite3.connect(one)) as db:
        db.execute("attach ? as other", (str(other),))
        [(different,)] = db.execute(
            "select (select count(*) from (select * from main.entries except select * from other.entries)) + "
            "(select count(*) from (select * from other.entries except select * from main.entries))"
        ).fetchall()
    return int(different)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=100_000)
    parser.add_argument("--accounts", type=int, default=10_000)
    parser.add_argument("--requests", type=int, default=200, help="of each kind")
    parser.add_argument("--restore", action="store_true", help="restore the copy and compare: replays every log")
    parser.add_argument("--folder", type=Path, help="where the database stays, or is from an earlier run")
    given = parser.parse_args()
    print(f"load average of this machine: {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as name:
        folder = given.folder or Path(name)
        path = folder / "bench.db"
        past = PastMatches(given.tables, given.accounts)
        if not path.exists():
            begun = time.perf_counter()
            asyncio.run(make_empty_database(path))
            entries = fill_database(path, past)
            print(f"{entries:,} entries, made in {time.perf_counter() - begun:.0f} s")
        size = path.stat().st_size
        print(
            f"{given.tables:,} tables, {given.accounts:,} accounts: {size / given.tables:,.0f} bytes a table",
            flush=True,
        )
        asyncio.run(measure_server(folder, past, given.requests))
        print(f"backup: {run_host('backup', Path(name) / 'copy.db', '--database', path):.1f} s", flush=True)
        if given.restore:
            seconds = run_host("restore", Path(name) / "copy.db", "--database", Path(name) / "again.db")
            different = count_differing_entries(path, Path(name) / "again.db")
            print(f"restore: {seconds:.1f} s, entries that differ: {different}")
            assert different == 0


if __name__ == "__main__":
    main()
