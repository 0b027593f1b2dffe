"""A club for pages: accounts with long names, rated matches, tables, invitations, tournaments and reports."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Any

import httpx
from websockets.sync.client import connect

from landfall.core.rng import Rng
from landfall.store.confusable_names import confusable_skeleton
from landfall.store.row_types import UserRecord
from landfall.store.store import make_store_for_setting
from landfall.tables.log.loading import load_table_from_entries
from landfall.tables.ratings.rate_match import rate_match
from landfall.tables.tournaments.tournament_log import CHECK_IN_MS
from landfall.web.identity import PASSWORD_HASHER
from tests.client import measured_positions
from tests.conftest import LONG
from tests.ratings.simulated_matches import (
    SimulatedPlayer,
    append_match_log,
    finished_match,
    log_of_rated_match,
    seat_by_strength,
)
from tests.server.real_server import ServerProcess

PASSWORD = "a long password"
SHORT = ["Ana", "Boris", "小雨", "Inês", "Димитър", "Stoyan", "Vera", "Rafael", "Beatriz", "João", "Kalina", "Otto"]
NAMES = [*SHORT[:6], *measured_positions.NAMES[:5], *SHORT[6:]]  # those of all lengths are among the first


async def write_accounts(database: str, matches: int) -> None:
    """Accounts with one password, and rated matches of the last weeks. The first is the host."""
    store = make_store_for_setting(database)
    await store.database.open_and_migrate()
    try:
        chance = random.Random(5)
        players = [SimulatedPlayer(f"person-{n}", name, 34 - 2 * n) for n, name in enumerate(NAMES)]
        now, hashed = int(time.time() * 1000), PASSWORD_HASHER.hash(PASSWORD)
        for one in players:
            user = UserRecord(
                one.id, one.name, now, now, one.name.casefold(), hashed, False, confusable_skeleton(one.name)
            )
            await store.users.add_user(user)
        await store.moderation.set_server_host_role(players[0].id, True)
        for number in range(matches):
            count = chance.choice([2, 3, 4, 4])
            match = finished_match("atlandice", count, number % 6)
            seated = seat_by_strength(match, [players[0], *chance.sample(players[1:], count - 1)], chance)
            if number % 2:
                seated = seat_by_strength(match, chance.sample(players, count), chance)
            at = now - (matches - number) * 40_000_000 // 8
            await append_match_log(store, log_of_rated_match(f"club-{number:04}", at, match, seated))
            table = load_table_from_entries(
                f"club-{number:04}", await store.tables.read_log_entries(f"club-{number:04}"), Rng(0)
            )
            await rate_match(store, table, table.last_at)
    finally:
        await store.database.close()


def write_accounts_in_thread(database: str, matches: int) -> None:
    with ThreadPoolExecutor() as aside:  # Playwright has a loop in this thread
        aside.submit(asyncio.run, write_accounts(database, matches)).result()


class Member:
    """Somebody with an account, who asks the server without a page."""

    def __init__(self, url: str, name: str) -> None:
        self.url, self.name = url, name
        self.http = httpx.Client(base_url=url, timeout=LONG)
        self.post("/api/login", name=name, password=PASSWORD)

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        answer = self.http.request(method, path, json=body)
        assert answer.is_success, f"{path}: {answer.text}"
        return answer.json() if answer.content else None

    def post(self, path: str, **body: Any) -> Any:
        return self.ask("POST", path, body)

    def make(self, game: str, players: int, public: bool = True, **terms: Any) -> str:
        return str(self.post("/api/tables", game=game, players=players, public=public, **terms)["table"])

    def resign(self, table: str) -> None:
        """Give a match up, and go on when it is over."""
        with self.socket(f"/ws/tables/{table}") as socket:
            while True:
                news = json.loads(socket.recv(LONG))
                if news["t"] == "welcome":
                    socket.send('{"t":"resign"}')
                shown = news["table"] if news["t"] == "welcome" else news
                if shown["t"] == "table" and shown["status"] == "over":
                    return

    def socket(self, path: str) -> Any:
        cookie = f"landfall={self.http.cookies['landfall']}"
        address = self.url.replace("http", "ws", 1) + path
        # Nobody reads what the lobby sends: it is kept, so that the connection does not stop to answer.
        return connect(address, additional_headers={"Cookie": cookie}, max_queue=None, ping_interval=None)


@contextmanager
def create_club_activity(server: ServerProcess) -> Iterator[dict[str, str]]:
    """People who are here, wait and play; for the first one all of it waits. Gives the addresses of tournaments."""
    members = [Member(server.url, name) for name in NAMES[:11]]
    ana, boris, yu, ines = members[:4]
    for one in members[1:9]:
        one.ask("PUT", "/api/me/shown", {"shown": True})
    days, live = {"mode": "days", "days": 1}, {"mode": "live", "turn": 10, "bank": 900}
    members[6].make("survive", 4, clock=live, rated=True)
    members[7].make("atlantis", 3, clock=days)
    members[8].make("survive", 6)
    members[9].make("atlandice", 2, clock=live, rated=True)
    for one in members[6:9]:
        one.post(f"/api/players/{ana.name}/invitations", table=one.make("survive", 4, False, clock=days))
        one.post("/api/reports", player="Otto", text="Left four matches in a row, and was rude in the chat of two.")
        ana.ask("PUT", f"/api/players/{one.name}/follow")
    ana.ask("PUT", f"/api/players/{ines.name}/block")
    for game, players in (("survive", 3), ("atlantis", 2), ("atlandice", 2), ("survive", 6)):
        ana.post("/api/tables/quick", game=game, players=players, bots=["sprat"] * (players - 1), public=True)
    for name in ("Reef Runner of the North", "Drift"):
        ana.post("/api/me/bots", name=name, scopes=["play", "read"])
    addresses = create_tournaments(members)
    with ExitStack() as stack:
        for one in members[1:10]:
            stack.enter_context(one.socket("/ws/lobby"))
        for one in (members[7], members[8], yu):
            one.post("/api/search", games=["survive"], sizes=[5], rated=True)
        boris.post("/api/search", games=["atlantis"], sizes=[4], pace="day")
        yield addresses
    for one in members:
        one.http.close()


def create_tournaments(members: list[Member]) -> dict[str, str]:
    """One before it begins, one while it is played, one that is over, one that was called off; and two leagues with
    divisions, the second one over."""
    ana = members[0]
    others = [Member(ana.url, name) for name in NAMES[len(members) :]]
    body = {"title": "Autumn Regatta of the Harbour Masters of Greater Landfall", "game": "survive", "size": 4,
            "rounds": 5, "starts": int(time.time() * 1000) + 10**8}  # fmt: skip
    soon = {"starts": int(time.time() * 1000) + CHECK_IN_MS}  # a live one begins no earlier
    kinds: dict[str, dict[str, Any]] = {
        "before": {"rated": True},
        "during": soon,
        "after": {"size": 2, "rounds": 1, "game": "atlandice", **soon},
        "cancelled": {},
        "league": {"form": "league", "pace": "day", "rounds": 8},
        "season": {"form": "league", "pace": "day", "rounds": 1, "size": 2, "game": "atlandice"},
    }
    made: dict[str, str] = {}
    for number, (name, terms) in enumerate(kinds.items()):
        opener = ana if name == "season" else members[number // 2]  # nobody may have many
        made[name] = id_ = opener.post("/api/tournaments", **body | terms)["tournament"]
        for one in [*members, *others] if "form" in terms else members:
            one.post(f"/api/tournaments/{id_}/join")
        if name != "before":
            opener.post(f"/api/tournaments/{id_}/{'cancel' if name == 'cancelled' else 'begin'}")
    until = time.monotonic() + LONG
    for name in ("after", "season"):
        while not (played := get_tournament(ana, made[name])["played"]):
            assert time.monotonic() < until, name
            time.sleep(0.1)
        for table in played[0]["tables"]:
            [*members, *others][table["seats"][1]["player"]].resign(table["table"])
    for name, wanted in {"after": "over", "season": "over", "during": "running", "league": "running"}.items():
        while (state := get_tournament(ana, made[name]))["status"] != wanted or not state["played"]:
            assert time.monotonic() < until, name
            time.sleep(0.1)
    for one in others:
        one.http.close()
    places = {name: f"/tournament/{id_}" for name, id_ in made.items()}
    return {**places, "next season": f"/tournaments/new?after={made['season']}"}


def get_tournament(member: Member, tournament: str) -> Any:
    return member.ask("GET", f"/api/tournaments/{tournament}")["tournament"]
