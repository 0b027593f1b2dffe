"""A tournament of 64 on the real server, which is killed in every round; some do not come, some leave, some are late.

What it must show is counted from the tables' own logs, by other rules than the server's.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
import time
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from landfall.core.rng import Rng
from landfall.store.store import make_store_for_setting
from landfall.tables.log.loading import load_table_from_entries
from landfall.tables.log.table import Table
from landfall.tables.tournaments.tournament_log import CHECK_IN_MS
from tests.server.crashes import GONE
from tests.server.real_server import Line, Player, ServerProcess

PLAYERS, LATE, ROUNDS, SIZE = 64, 2, 6, 4
POINTS = [4, 2, 1, 0]
SHORT = {"clock": {"last": 4, "icons": {}}}  # some 50 choices for a match instead of 210: rounds are what is tested


class Evening:
    """Everybody who plays, and what each does in each round."""

    def __init__(self, server: ServerProcess, seed: int) -> None:
        self.server = server
        self.chance = random.Random(seed)
        self.players = [Player(server.url, f"P{n}") for n in range(PLAYERS + LATE)]
        self.id = ""
        self.playing: dict[str, asyncio.Task[None]] = {}
        self.kills = 0
        self.absent: Counter[int] = Counter()

    async def page(self) -> dict[str, Any]:
        """As anybody sees it, also while the server is away."""
        while True:
            with contextlib.suppress(*GONE):
                answer = await self.players[0].http.get(f"/api/tournaments/{self.id}")
                if answer.status_code == 200:
                    found: dict[str, Any] = answer.json()["tournament"]
                    return found
            await asyncio.sleep(0.1)

    async def post(self, player: Player, what: str) -> None:
        """Until it is answered."""
        for _ in range(100):
            with contextlib.suppress(*GONE):
                answer = await player.http.post(f"/api/tournaments/{self.id}/{what}")
                if answer.status_code < 500:
                    assert answer.status_code in (204, 400, 409), answer.text
                    return
            await asyncio.sleep(0.1)

    async def open(self) -> None:
        for player in self.players:
            await player.come()
        await self.players[0].post("/api/account", name="P0", password="a long password")
        starts = int(time.time() * 1000) + CHECK_IN_MS
        body = {"title": "Autumn Regatta", "game": "atlandice", "size": SIZE, "rounds": ROUNDS, "pace": "five",
                "options": SHORT}  # fmt: skip
        made = await self.players[0].post("/api/tournaments", **body, starts=starts, rest=0)
        self.id = made["tournament"]
        for player in self.players[:PLAYERS]:
            await self.post(player, "join")
        await self.post(self.players[0], "begin")

    async def play(self, number: int, player: Player, table: str) -> None:
        """At random, and again after the server was away. No id is used twice: a repeated one is no new choice."""
        chance, ids = random.Random(number), itertools.count()
        while True:
            line = Line(player, table)
            try:
                await line.open()
                while not line.over:
                    if line.choices:
                        action = chance.choice(line.choices)["action"]
                        line.choices = []
                        await line.send(t="play", version=line.version, id=f"p{next(ids)}", action=action)
                    if (await line.receive(5.0))["t"] == "refused":  # it came too late: look again
                        break
                await line.close()
                if line.over:
                    return
            except GONE:
                await asyncio.sleep(0.1)

    async def run(self) -> dict[str, Any]:
        """All rounds; in each the server is killed while it is played."""
        rounds_seen = 0
        left: set[int] = set()
        while (page := await self.page())["status"] != "over":
            if len(page["played"]) > rounds_seen:
                rounds_seen = len(page["played"])
                missing = set(self.chance.sample(range(1, PLAYERS), 3)) - left if rounds_seen in (1, 3, 4) else set()
                for table in page["played"][-1]["tables"]:
                    for seat in table["seats"]:
                        n = int(page["players"][seat["player"]]["name"][1:])
                        if n in missing:
                            self.absent[n] += 1
                        else:
                            key = f"{table['table']} {n}"
                            self.playing[key] = asyncio.create_task(self.play(n, self.players[n], table["table"]))
                if rounds_seen == 2:
                    left = set(self.chance.sample(range(1, PLAYERS), 3))
                    for n in left:
                        await self.post(self.players[n], "leave")
                if rounds_seen == 3:
                    for player in self.players[PLAYERS:]:
                        await self.post(player, "join")
                await asyncio.sleep(self.chance.uniform(0.0, 3.0))
                self.server.kill()
                self.kills += 1
                await asyncio.to_thread(self.server.start)
                for n in self.absent:  # who did not come says that they are here, for the rounds after
                    if rounds_seen == 5:
                        await self.post(self.players[n], "here")
            await asyncio.sleep(0.2)
        for task in self.playing.values():
            task.cancel()
        await asyncio.gather(*self.playing.values(), return_exceptions=True)
        return page


def places_of(table: Table) -> list[int]:
    """By the ranking on the board; who was away at the end comes last, whatever a stand-in made of it."""
    assert table.match is not None
    there = [chair.away_reason is None for chair in table.chairs]
    order = [[seat for seat in group["seats"] if there[seat]] for group in table.match.state.ranking()]
    places, place = [sum(there) + 1] * len(there), 1
    for group in order:
        for seat in group:
            places[seat] = place
        place += len(group)
    return places


async def check(database: str, evening: Evening, page: dict[str, Any]) -> dict[str, Any]:
    """Everything from the tables' logs."""
    store = make_store_for_setting(database)
    await store.database.open_and_migrate()
    names = [player["name"] for player in page["players"]]
    points: dict[str, Fraction] = dict.fromkeys(names, Fraction(0))
    met: Counter[frozenset[str]] = Counter()
    opponents: dict[str, list[str]] = {name: [] for name in names}
    sat: Counter[tuple[str, int]] = Counter()
    firsts: Counter[str] = Counter()
    no_shows, listed = 0, []
    for round_ in page["played"]:
        seen: list[str] = [names[n] for n in round_["byes"]]
        for name in seen:
            points[name] += 2
        for told in round_["tables"]:
            listed.append(told["table"])
            table = load_table_from_entries(told["table"], await store.tables.read_log_entries(told["table"]), Rng(0))
            assert table.status == "over"
            people = [chair.name for chair in table.chairs]
            assert people == [names[seat["player"]] for seat in told["seats"]], "the table's log says who sat there"
            assert table.match is not None
            for seat, chair in enumerate(table.chairs):
                place = places_of(table)[seat]
                tied = places_of(table).count(place)
                own = [line for line in table.match.log[: chair.saw] if line.actor == seat]
                sat[chair.name, seat] += 1
                if chair.away_reason == "time" and not own:
                    no_shows += 1
                    continue
                points[chair.name] += Fraction(sum(POINTS[place - 1 : place - 1 + tied]), tied)
                firsts[chair.name] += place == 1
            for one, other in itertools.combinations(people, 2):
                met[frozenset((one, other))] += 1
                opponents[one].append(other)
                opponents[other].append(one)
            seen += people
        assert len(seen) == len(set(seen)), "somebody sits twice in a round"
    every = await store.tables.list_all_table_ids()
    await store.database.close()
    assert sorted(every) == sorted(listed), "a table without its round, or a round without its table"
    key = {one: (points[one], sum(points[other] for other in opponents[one]), firsts[one]) for one in names}
    for row in page["standings"]:
        name = names[row["player"]]
        expected = [round(float(part), 2) for part in key[name]]
        assert [row["points"], row["opponents"], row["firsts"]] == expected, name
        assert row["place"] == 1 + sum(other > key[name] for other in key.values()), name
    games = {name: sum(sat[name, seat] for seat in range(SIZE)) for name in names}
    uneven = [n for n in names if any(abs(sat[n, seat] * SIZE - games[n]) > SIZE for seat in range(SIZE))]
    return {
        "rounds": len(page["played"]), "kills": evening.kills, "tables": len(listed), "players": len(names),
        "repeats": sum(count - 1 for count in met.values()), "uneven": uneven, "no-shows": no_shows,
        "seats": dict(Counter(tuple(sorted(sat[n, s] for s in range(SIZE))) for n in names if games[n] == ROUNDS)),
        "sizes": dict(Counter(len(told["seats"]) for round_ in page["played"] for told in round_["tables"])),
        "rests": sum(len(round_["byes"]) for round_ in page["played"]),
        "gone": sum(player["state"] == "gone" for player in page["players"]),
    }  # fmt: skip


@pytest.mark.proof
def test_sixty_four_over_six_rounds_with_a_kill_in_each(database: str) -> None:
    async def story() -> dict[str, Any]:
        server = ServerProcess(database, director_ms=200, no_show=8_000, forced=0)
        await asyncio.to_thread(server.start)
        evening = Evening(server, seed=1)
        await evening.open()
        page = await asyncio.wait_for(evening.run(), 1200)
        server.stop()
        for player in evening.players:
            await player.close()
        return await check(database, evening, page)

    began = time.monotonic()
    figures = asyncio.run(story())
    print(figures, f"{time.monotonic() - began:.0f} s")
    assert (figures["rounds"], figures["kills"], figures["players"]) == (ROUNDS, ROUNDS, PLAYERS + LATE)
    assert figures["no-shows"] > 0
    assert figures["gone"] == 3
    assert figures["repeats"] == 0
    assert figures["uneven"] == []
