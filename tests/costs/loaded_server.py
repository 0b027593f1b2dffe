"""Where the worst is asked: a server in this process with long matches, over and running, of every game."""

from __future__ import annotations

import gc
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from unittest.mock import patch

from landfall.api.limits import Limits
from landfall.core.rng import Rng
from landfall.games import GAME_NAMES
from landfall.games import game as find_game
from landfall.match import Match
from landfall.store import schema, sqlite
from landfall.store.events import InitialChair
from landfall.store.row_types import Session, UserRecord
from landfall.store.shared_logs import encode_shared_event
from landfall.store.tournament_events import (
    DivisionsSet,
    PlannedTable,
    PlayerJoined,
    ResultRecorded,
    RoundPaired,
    TournamentBegun,
    TournamentEvent,
    TournamentOpened,
)
from landfall.tables.live.hub import TableConfig
from landfall.tables.live.subscriber import User
from landfall.tables.protocol import commands as cmd
from landfall.tables.runtime_dependencies import Runtime
from landfall.tables.tournaments.decisions import MAX_PLAYERS, MAX_ROUNDS
from landfall.tables.tournaments.divisions import MAX_DIVISIONS
from landfall.web.app import create_app
from landfall.web.server import Server
from landfall.web.settings import Settings
from tests.conftest import LONG
from tests.costs.event_loop_probe import Asker, LoopProbe

MATCHES_TRIED = 3  # at random, of which the longest is taken
SAID = 200  # lines of chat at each table, as long as may be: as many as are told

RATED = 400  # matches of the one who asks: as many as a curve shows
SHOWN = 60  # of them are of a table that is there
LISTED = 60  # public tables of different people: more than a lobby lists
TOKENS = 3  # of each bot of the one who asks


def longest_random_match(game: str, seeds: int = MATCHES_TRIED) -> Match:
    """Among some random matches of as many as can play the one with the longest log."""
    found = []
    for seed in range(seeds):
        rng, match = Rng(seed), Match(game, max(find_game(game).player_counts), seed=seed)
        while match.actor >= 0:
            match.apply_and_log(int(match.state.random_action(rng)))
            match.resolve_chance()
        found.append(match)
    return max(found, key=lambda match: len(match.log))


@dataclass
class Scene:
    """A server, somebody who asks, and tables."""

    server: Server
    asker: Asker
    owner: User
    cookie: str
    matches: dict[str, Match]
    over: dict[str, str] = field(default_factory=dict)  # tables by game
    running: dict[str, str] = field(default_factory=dict)

    async def make_running(self, game: str) -> str:
        """A table late in a match, at which the one who asks owns the table and has the choice."""
        match = self.matches[game]
        at = next(n for n in range(len(match.log) * 9 // 10, 0, -1) if match.log[n].actor >= 0)
        part = match.copy_rewound_to(at)
        chairs = [InitialChair(f"other {n}", f"Other {n}") for n in range(part.players)]
        chairs[part.actor] = InitialChair(self.owner.id, self.owner.name)
        wish = TableConfig(game, part.players, part.options, public=True, seating="as_sat")
        table = await self.server.hub.append_created_event(self.owner, wish, chairs, lines=part.log_lines())
        await self.server.hub.execute_command(table, self.owner, cmd.Start())
        return table

    async def prepare(self) -> None:
        """The tables, each with as much said as is told again."""
        hub = self.server.hub
        for number in range(LISTED):
            game = list(self.matches)[number % len(self.matches)]
            wish = TableConfig(game, self.matches[game].players, public=True)
            await hub.create_table(User(f"owner {number}", "Ж" * 24), wish)
        for game, match in self.matches.items():
            self.over[game] = await hub.create_table_from_record(self.owner, match.record())
            self.running[game] = await self.make_running(game)
            for table in (self.over[game], self.running[game]):
                line = {"table_id": table, "at": 0, "person": self.owner.id, "name": "Ж" * 24, "seat": 0}
                said = [{**line, "n": n + 1, "text": "水" * 500} for n in range(SAID)]
                await self.server.store.database.commit_change(schema.chat.insert().values(said))

    async def write_largest_tournament(self) -> None:
        """The largest there may be, in its last round, with the longest names."""
        people = [f"player {number}" for number in range(MAX_PLAYERS)]
        starts = (
            self.server.hub.runtime.clock.wall_time_ms() + 24 * 3_600_000
        )  # nothing is due while costs are measured
        events: list[TournamentEvent] = [
            TournamentOpened(
                self.owner.id, "Ж" * 24, "Ж" * 60, "atlandice", {}, 2, MAX_ROUNDS, "week", "league", starts, False,
                "byes", 0, 2, MAX_PLAYERS,
            )
        ]  # fmt: skip
        events += [PlayerJoined(person, "Ж" * 24) for person in people]
        events += [TournamentBegun(), DivisionsSet([people[n::MAX_DIVISIONS] for n in range(MAX_DIVISIONS)])]
        for number in range(MAX_ROUNDS):
            shift = [*people[number:], *people[:number]]
            tables = [PlannedTable(f"{number} {n}", [shift[n], shift[-n - 1]]) for n in range(MAX_PLAYERS // 2)]
            events.append(RoundPaired(number + 1, tables))
            events += [ResultRecorded(table.table, [1, 2]) for table in tables if number < MAX_ROUNDS - 1]
        rows = [
            {"tournament": "cup", "seq": n + 1, "at": starts, "kind": event.kind, "data": encode_shared_event(event)}
            for n, event in enumerate(events)
        ]
        async with self.server.store.database.engine.begin() as connection:
            await connection.execute(schema.tournament_events.insert(), rows)
        found = await self.server.director.get_tournament("cup")
        head = {"opener": "somebody", "listed": True, "starts": starts, "seq": len(rows)}
        info = json.dumps({**found.to_list_entry(), "status": "open"})  # one that is running would be looked after
        heads = [{**head, "id": f"cup {n}", "status": "open", "info": info} for n in range(LISTED)]
        async with self.server.store.database.engine.begin() as connection:
            await connection.execute(schema.tournaments.insert(), heads)

    async def write_many_ratings(self) -> None:
        """The one who asks has as many rated matches as a curve shows, against many, and is one of many leaders."""
        store, now = self.server.store, self.server.hub.runtime.clock.wall_time_ms()
        await store.users.update_user_fields(self.owner.id, account=self.owner.name.casefold())
        for number in range(Limits().bots):
            id_ = f"bot {number}"
            await store.users.add_user(
                UserRecord(id_, f"Ж {id_}", now, now, id_, None, False, id_, author=self.owner.id)
            )
            for token in range(TOKENS):
                await store.sessions.add_session(Session(f"{id_} {token}", id_, now, now, "abcd", "play read"))
        others = [f"owner {number}" for number in range(LISTED)]
        for person in others:
            await store.users.add_user(UserRecord(person, f"Ж {person}", now, now, f"ж {person}", "x", False, person))
        for game in self.matches:
            rows = [
                {"person": person, "game": game, "size": 2, "mu": 25.0 + n, "sigma": 2.0, "low": 21.0 + n,
                 "played": RATED, "at": now}
                for n, person in enumerate([self.owner.id, *others])
            ]  # fmt: skip
            await store.database.commit_change(schema.ratings.insert().values(rows))
        changes = [
            {"person": person, "n": n, "table_id": self.over[game] if n >= RATED - SHOWN else f"{n}",
             "game": game, "size": 2, "at": now, "players": 2, "place": 1,
             "mu_before": 25.0, "sigma_before": 3.0, "mu": 26.0, "sigma": 2.0}
            for n, game in enumerate(list(self.matches) * (RATED // len(self.matches)))
            for person in (self.owner.id, others[n % LISTED])
        ]  # fmt: skip
        async with store.database.engine.begin() as connection:
            await connection.execute(schema.rating_changes.insert(), changes)


@asynccontextmanager
async def open_scene(folder: Path, games: tuple[str, ...] = GAME_NAMES, workers: int = 1) -> AsyncIterator[Scene]:
    """A scene with limits as they are, but for rates and counts: each request is measured by itself."""
    limits = replace(Limits.wide_for_tests())
    env = Runtime(bot_pace_ms=0, answer_hold_ms=0)
    settings = Settings(
        database=str(folder / "landfall.db"), bot_workers=workers, limits=limits, make_runtime=lambda: env
    )
    app = create_app(settings)
    server: Server = app.state.server
    probe = LoopProbe()
    # What workers do may be done in the loop here. Meanwhile a transaction that the loop drives holds SQLite's lock.
    patient = (
        patch.object(sqlite, "PRAGMAS", (*sqlite.PRAGMAS, f"busy_timeout = {LONG * 1000}")),
        patch.object(sqlite, "COMMIT_TIMEOUT_S", LONG),
    )
    gc.collect()
    gc.disable()
    try:
        with probe.measure_loop(), patient[0], patient[1]:
            async with app.router.lifespan_context(app):
                person = await server.identities.create_guest("Ana")
                cookie = f"landfall={await server.identities.create_session_cookie(person)}"
                matches = {game: longest_random_match(game) for game in games}
                scene = Scene(server, Asker(app, probe), User(person.id, person.name), cookie, matches)
                await scene.prepare()
                await scene.write_many_ratings()
                await scene.write_largest_tournament()
                yield scene
    finally:
        gc.enable()
