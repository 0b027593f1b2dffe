"""`python -m tests.museum.museum_writer` writes the museum: kept to tell how it was made, at the commit its README
names.

Run again it would hold what the code writes then, which is not what a museum is for.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from sqlalchemy.engine import make_url

from landfall.core.rng import Rng
from landfall.games.survive.rules.board import SPACES
from landfall.games.survive.rules.codes import MOVE
from landfall.games.survive.rules.components import CREATURES, FACE_NAMES, KIND_OF, SHIPS, SQUID
from landfall.games.survive.rules.phases import CREATURE
from landfall.match import Match
from landfall.store.row_types import UserRecord
from landfall.store.store import Store, make_store_for_setting
from landfall.tables.live.hub import Hub, TableConfig
from landfall.tables.live.live_table import LiveTable
from landfall.tables.live.subscriber import User
from landfall.tables.log.clocks import ClockRule
from landfall.tables.log.table import OVER, Table, fold_table_from_log
from landfall.tables.protocol import commands as cmd
from landfall.tables.runtime_dependencies import Runtime
from landfall.web.identity import Identities
from tests.museum.table_snapshot import snapshot_of_table
from tests.postgres_cluster import postgres_programs_folder, run_temporary_cluster
from tests.tables.fake_users import Guest, HandTime, wait_until_true

HERE: Final = Path(__file__).resolve().parent
PASSWORD: Final = "a museum's password"
NAMES: Final = ("Ana", "Boris", "Chen", "Dora", "Emil", "Zora")
LIVE: Final = ClockRule("live", turn=30, bank=60)
DAY: Final = 86_400_000
HOLD: Final = 1500
EXPANSIONS: Final[dict[str, Any]] = {"dolphins": True, "squid": "with_whales"}
EVERYTHING: Final[dict[str, Any]] = {
    **EXPANSIONS,
    "crowded": True,
    "to_the_last": True,
    "all_equal": True,
    "submerged": True,
    "bounty": True,
    "isle_hopper": True,
    "squid_spares_on_arrival": True,
}
Pick = Callable[[Match], int]


# --- the rule that was wrong ----------------------------------------------------------------------------------


def moves_squid(action: int) -> bool:
    """Whether a choice of Survive moves a squid."""
    return 0 <= action - MOVE < CREATURES * SPACES and KIND_OF[(action - MOVE) // SPACES] == SQUID


def is_ship_face_to_move(state: Any) -> bool:
    """Whether the dive dice show a ship, and something is chosen."""
    return bool(state.phase == CREATURE and FACE_NAMES[state.face] == "ship" and state.rules.dolphins)


def squid_moves_by_ship_face(match: Match) -> list[int]:
    """The choices that SV.N2 does not allow and this release does: a squid moved by the face *ship*."""
    return [a for a in match.legal_actions() if moves_squid(a)] if is_ship_face_to_move(match.state) else []


def keeps_rule_n2(match: Match) -> bool:
    """Whether no choice was made, or asked for, that SV.N2 does not allow."""
    again = Match.before_first_action(match.game, match.players, match.options, match.seats, match.rng)
    for entry in match.log:
        state: Any = again.state
        if entry.actor >= 0 and is_ship_face_to_move(state):
            empty = any(state.ship_space[n] >= 0 and state.ship_seat[n * 3] < 0 for n in range(SHIPS))
            if moves_squid(entry.action) or not empty:
                return False
        again.apply_and_log(entry.action)
    return True


# --- playing --------------------------------------------------------------------------------------------------


class Writer:
    """A house whose people do all there is to do."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.time = HandTime()
        self.rng = Rng(1982)
        self.numbers = itertools.count(1)
        self.env = Runtime(
            clock=self.time, rng=Rng(1969), new_id=lambda: f"museum-{next(self.numbers):015}", bot_pace_ms=0,
            answer_hold_ms=0,
            housekeeping_ms=400 * DAY,
        )  # fmt: skip
        self.hub = Hub(store, runtime=self.env)
        self.identities = Identities(store, self.env)
        self.persons: dict[str, UserRecord] = {}
        self.choices = itertools.count()  # so that no id is used twice, whoever returns
        self.labels: dict[str, str] = {}
        self.records: dict[str, str] = {}

    async def open(self) -> None:
        await self.store.database.open_and_migrate()
        await self.hub.start_background_tasks()
        await self.identities.load_cookie_key_and_end_idle_sessions()
        for name in NAMES:
            self.persons[name] = await self.identities.create_guest(name)
        await self.identities.turn_guest_into_account(self.persons["Ana"], "Ana", PASSWORD)

    async def stop_without_closing(self) -> None:
        """As when a server is killed: no clock is stopped."""
        self.hub.closing = True
        for task in list(self.hub.tasks):
            task.cancel()
        await asyncio.gather(*self.hub.tasks, return_exceptions=True)
        await self.store.database.close()

    def user(self, name: str) -> User:
        return User(self.persons[name].id, name)

    async def come(self, name: str, table: str) -> Guest:
        guest = Guest(self.hub, name)
        guest.user = self.user(name)
        await guest.come(table)
        return guest

    async def table(self, label: str, names: str, config: TableConfig, *bots: str, start: bool = True) -> list[Guest]:
        """A new table: its owner first, then the others, then bots."""
        people = names.split()
        table = await self.hub.create_table(self.user(people[0]), config)
        self.labels[label] = table
        guests = [await self.come(name, table) for name in people]
        for chair, guest in enumerate(guests[1:], 1):
            await self.ok(guest, cmd.Sit(chair=chair))
        for chair, code in enumerate(bots, len(guests)):
            await self.ok(guests[0], cmd.Bot(chair=chair, code=code))
        if start:
            await self.ok(guests[0], cmd.Start())
        return guests

    async def ok(self, guest: Guest, command: cmd.AnyCommand) -> None:
        answer = await guest.send(command)
        assert answer.get("t") != "refused", (command, answer)

    def live(self, guest: Guest) -> LiveTable:
        assert guest.subscriber is not None
        return guest.subscriber.live

    def random_allowed_action(self, match: Match) -> int:
        """Some choice; never the wrong one of Survive."""
        wrong = set(squid_moves_by_ship_face(match)) if match.game.name == "survive" else set()
        while True:
            action = int(match.state.random_action(self.rng))
            if action not in wrong:
                return action

    async def go_on(self, guests: list[Guest], until: Callable[[Table], bool], pick: Pick | None = None) -> None:
        """People choose and bots answer, until something is so or the match is over."""
        live = self.live(guests[0])
        while live.table.status != OVER and not until(live.table):
            await live.writer.wait_until_queue_is_empty()
            table = live.table
            version, actor = table.version, table.actor
            assert actor is not None
            assert table.match is not None
            chair = table.chairs[actor]
            if chair.is_played_by_person:
                guest = next(g for g in guests if g.user is not None and g.user.id == chair.person)
                action = (pick or self.random_allowed_action)(table.match)
                answer = await guest.play(action, f"m{next(self.choices)}")
                assert answer["t"] in ("ack", "held"), answer
                if answer["t"] == "held":
                    await self.time.go_on(HOLD)
            await wait_until_true(lambda version=version: live.table.version > version)  # type: ignore[misc]
            self.time.ms += 400

    async def play(self, guests: list[Guest], lines: int) -> None:
        """So many entries further."""
        until = self.live(guests[0]).table.seq + lines
        await self.go_on(guests, lambda table: table.seq >= until)

    async def play_to_turn_of(self, guests: list[Guest], seat: int) -> None:
        await self.go_on(guests, lambda table: table.actor == seat)

    async def go(self, *guests: Guest) -> None:
        for guest in guests:
            if guest.subscriber is not None:
                await guest.go()

    # --- the rooms of the museum ------------------------------------------------------------------------------

    async def gathering(self) -> None:
        """Tables that have not begun."""
        ana, boris, chen, dora = await self.table(
            "survive gathering",
            "Ana Boris Chen Dora",
            TableConfig("survive", 6, public=True, options=EVERYTHING),
            start=False,
        )
        await self.ok(ana, cmd.Bot(chair=4, code="sprat"))
        await self.ok(ana, cmd.Bot(chair=4, code="mcts:iters=20"))
        await self.ok(ana, cmd.Bot(chair=5, code="greedy"))
        await self.ok(ana, cmd.Free(chair=5))
        await self.ok(ana, cmd.Colour(chair=4, colour="white"))
        await self.ok(boris, cmd.Colour(chair=1, colour="blue"))
        await self.ok(boris, cmd.Free(chair=1))
        await self.ok(boris, cmd.Sit(chair=1))
        await self.ok(chen, cmd.Leave())
        await self.ok(chen, cmd.Say(text="I only look. 我只是看看。"))
        await self.ok(dora, cmd.Say(text="Ще играя!"))
        await self.ok(ana, cmd.Mute(who=self.live(ana).public_handle_of_user(self.persons["Chen"].id)))
        await self.ok(ana, cmd.Mute(who=self.live(ana).public_handle_of_user(self.persons["Boris"].id)))
        await self.ok(ana, cmd.Mute(who=self.live(ana).public_handle_of_user(self.persons["Boris"].id), on=False))
        await self.ok(ana, cmd.Remove(who=self.live(ana).public_handle_of_user(self.persons["Dora"].id)))
        await self.go(ana, boris, chen, dora)
        guests = await self.table(
            "atlantis gathering",
            "Boris",
            TableConfig("atlantis", 3, clock=LIVE, public=True),
            start=False,
        )
        await self.go(*guests)
        guests = await self.table(
            "atlandice gathering", "Chen Dora", TableConfig("atlandice", 4), "greedy", start=False
        )
        await self.go(*guests)
        guests = await self.table("atlandice closed", "Chen Dora", TableConfig("atlandice", 2), start=False)
        await self.ok(guests[0], cmd.Close())
        await self.go(*guests)

    async def running(self) -> None:
        """Tables in the middle of a match."""
        for game, players in (("survive", 4), ("atlantis", 4), ("atlandice", 4)):
            guests = await self.table(f"{game} running", "Ana Boris", TableConfig(game, players), "greedy", "sprat")
            await self.play(guests, 60)
            await self.undo_choices(guests)
            await self.play(guests, 3)
            await self.ok(guests[1], cmd.Say(text="Your turn, I think"))
            await self.go(*guests)
        six = await self.table(
            "survive six", "Ana Boris Chen Dora Emil", TableConfig("survive", 6, options=EVERYTHING), "random"
        )
        await self.play(six, 230)
        await self.go(*six)
        guests = await self.table("survive held", "Ana Boris Chen", TableConfig("survive", 3, seating="as_sat"))
        self.env.answer_hold_ms = HOLD
        await self.go_on(guests, lambda t: "held" in {m["t"] for g in guests for m in g.inbox})
        self.env.answer_hold_ms = 0
        await self.go(*guests)

    async def undo_choices(self, guests: list[Guest]) -> None:
        """Somebody takes back by themselves, one choice and then a whole turn, as soon as the rules let them."""
        taken = 0
        live = self.live(guests[0])
        while taken < 2 and live.table.status != OVER:
            await self.play(guests, 1)
            for guest in guests:
                if guest.choices:
                    undo = cmd.Undo(version=guest.version, id=f"u{taken}.{guest.version}", turn=taken == 1)
                    taken += (await guest.send(undo))["t"] == "ack"

    async def finished(self) -> None:
        """Matches that are over: played to the end, resigned, abandoned, closed."""
        over: Callable[[Table], bool] = lambda table: False  # noqa: E731
        guests = await self.table("survive finished", "Ana Boris", TableConfig("survive", 3), "random")
        await self.go_on(guests, over)
        await self.go(*guests)
        guests = await self.table(
            "survive five finished", "Chen",
            TableConfig("survive", 5, options={
                "overpopulated": True, "squid": "instead_of_whales", "open_values": True}),
            "greedy", "random", "greedy", "random",
        )  # fmt: skip
        await self.go_on(guests, over)
        await self.go(*guests)
        guests = await self.table(
            "atlantis finished", "Ana Boris Zora", TableConfig("atlantis", 4, public=True), "greedy"
        )
        await self.go_on(guests, over)
        await self.ok(guests[2], cmd.Say(text="Well played."))
        await self.ok(guests[0], cmd.Rematch())
        self.labels["atlantis rematch"] = str(self.live(guests[0]).table.successor)
        await self.go(*guests)
        options = {"clock": random_clock(3)}
        guests = await self.table(
            "atlandice finished", "Ana Boris", TableConfig("atlandice", 3, options=options), "sprat"
        )
        await self.play(guests, 20)
        await self.ok(guests[0], cmd.Remove(who=self.live(guests[0]).public_handle_of_user(self.persons["Boris"].id)))
        await self.go_on(guests, over)
        await self.ok(guests[0], cmd.Rematch())
        table = self.labels["atlandice rematch"] = str(self.live(guests[0]).table.successor)
        await self.go(*guests)
        ana, emil = await self.come("Ana", table), await self.come("Emil", table)
        free = next(i for i, c in enumerate(self.live(ana).table.chairs) if c.is_free)
        await self.ok(emil, cmd.Sit(chair=free))
        await self.ok(ana, cmd.Start())
        await self.play([ana, emil], 10)
        await self.go(ana, emil)
        guests = await self.table("survive resigned", "Ana Boris", TableConfig("survive", 2))
        await self.play(guests, 30)
        await self.ok(guests[1], cmd.Resign())
        await self.go(*guests)
        guests = await self.table("atlandice abandoned", "Ana Boris Chen", TableConfig("atlandice", 3))
        await self.play(guests, 8)
        await self.ok(guests[0], cmd.Propose(what="abandon"))
        await self.ok(guests[1], cmd.Answer(yes=False))
        await self.ok(guests[2], cmd.Propose(what="abandon"))
        await self.ok(guests[1], cmd.Answer(yes=True))
        await self.ok(guests[0], cmd.Answer(yes=True))
        await self.go(*guests)
        guests = await self.table("atlantis closed", "Dora Emil", TableConfig("atlantis", 2))
        await self.play(guests, 12)
        await self.ok(guests[0], cmd.Close())
        await self.go(*guests)

    async def people(self) -> None:
        """Those who leave, return, resign, are removed, agree; hot seats."""
        guests = await self.table(
            "survive stand-ins", "Ana Boris Chen Dora", TableConfig("survive", 4, options={"dolphins": True})
        )
        await self.play(guests, 30)
        await self.ok(guests[1], cmd.Leave())
        await self.play(guests, 20)
        await self.ok(guests[1], cmd.Back())
        await self.ok(guests[2], cmd.Resign())
        await self.ok(guests[0], cmd.Remove(who=self.live(guests[0]).public_handle_of_user(self.persons["Dora"].id)))
        await self.play(guests, 20)
        await self.ok(guests[1], cmd.Leave())
        await self.play_to_turn_of(guests, self.live(guests[0]).table.seats_of_person(self.persons["Ana"].id)[0])
        await self.go(*guests)
        guests = await self.table("atlantis takeback", "Ana Boris", TableConfig("atlantis", 3), "random")
        await self.play(guests, 15)
        await self.ok(guests[0], cmd.Propose(what="takeback"))
        await self.ok(guests[1], cmd.Answer(yes=True))
        await self.play(guests, 5)
        await self.ok(guests[1], cmd.Propose(what="takeback"))
        await self.go(*guests)
        for label, config in (
            (
                "survive hot seat",
                TableConfig("survive", 2, hot_seat=True, options={"two_colours": True, "ships_per_colour": True}),
            ),
            ("atlantis hot seat", TableConfig("atlantis", 3, hot_seat=True)),
            ("atlandice hot seat", TableConfig("atlandice", 3, hot_seat=True)),
        ):
            (ana,) = await self.table(label, "Ana", config, start=False)
            await self.ok(ana, cmd.Sit(chair=1, name="Grandma"))
            if config.players > 2:
                await self.ok(ana, cmd.Bot(chair=2, code="greedy"))
            await self.ok(ana, cmd.Start())
            await self.play([ana], 40)
            await self.go(ana)

    async def clocks(self) -> None:
        """Live clocks and clocks by days, pauses of both kinds."""
        guests = await self.table("survive paused", "Ana Boris", TableConfig("survive", 2, clock=LIVE))
        await self.play(guests, 20)
        await self.go(*guests)
        await self.time.go_on(self.env.empty_table_grace_ms + 1000)
        guests = [await self.come(name, self.labels["survive paused"]) for name in ("Ana", "Boris")]
        await self.play(guests, 20)
        await self.go(*guests)
        await self.time.go_on(self.env.empty_table_grace_ms + 1000)
        await wait_until_true(lambda: self.labels["survive paused"] not in self.hub.live_tables)
        guests = await self.table("atlantis resting", "Ana Boris", TableConfig("atlantis", 2))
        for _ in range(2):
            await self.play(guests, 8)
            await self.ok(guests[0], cmd.Propose(what="pause"))
            await self.ok(guests[1], cmd.Answer(yes=True))
            if _ == 0:
                await self.ok(guests[1], cmd.Resume())
        await self.go(*guests)
        guests = await self.table(
            "atlandice out of time", "Ana Boris", TableConfig("atlandice", 3, clock=LIVE), "greedy"
        )
        await self.play(guests, 10)
        await self.play_to_turn_of(guests, self.live(guests[0]).table.seats_of_person(self.persons["Ana"].id)[0])
        await self.time.go_on(200_000)
        ana = self.live(guests[0]).table.chairs[self.live(guests[0]).table.seats_of_person(self.persons["Ana"].id)[0]]
        await wait_until_true(lambda: ana.away_reason == "time")
        await self.play(guests, 4)
        await self.go(*guests)
        await self.time.go_on(self.env.empty_table_grace_ms + 1000)
        days = ClockRule("days", days=1)
        guests = await self.table("atlandice by days", "Chen Dora", TableConfig("atlandice", 2, clock=days))
        await self.play(guests, 6)
        await self.go(*guests)
        live = await self.hub.get_or_load_table(self.labels["atlandice by days"])
        await self.time.go_on(DAY)
        await wait_until_true(lambda: any(c.away_reason == "time" for c in live.table.chairs))
        away = next(c.person for c in live.table.chairs if c.away_reason == "time")
        chen = await self.come(next(p.name for p in self.persons.values() if p.id == away), live.table.id)
        await self.ok(chen, cmd.Back())
        await self.go(chen)
        guests = await self.table(
            "survive by days", "Ana Boris", TableConfig("survive", 3, clock=ClockRule("days", days=14)), "greedy"
        )
        await self.play(guests, 40)
        await self.play_to_turn_of(guests, self.live(guests[0]).table.seats_of_person(self.persons["Ana"].id)[0])
        await self.go(*guests)

    async def write_tables_from_records(self) -> None:
        """Tables opened from records."""
        over = self.labels["survive finished"]
        record = (await self.hub.get_or_load_table(over)).table.match
        assert record is not None
        text = record.record()
        ana = self.user("Ana")
        self.labels["survive from a record, over"] = await self.hub.create_table_from_record(ana, text)
        self.labels["survive from a record, gathering"] = await self.hub.create_table_from_record(
            ana, text, max_lines=120
        )
        table = self.labels["survive from a record"] = await self.hub.create_table_from_record(
            ana, text, max_lines=100, seat=1
        )
        guest = await self.come("Ana", table)
        await self.go_on([guest], lambda t: t.seq > 12 and t.actor == 1)
        await self.go(guest)
        for game in ("atlantis", "atlandice"):
            found = (await self.hub.get_or_load_table(self.labels[f"{game} finished"])).table.match
            assert found is not None
            table = self.labels[f"{game} from a record"] = await self.hub.create_table_from_record(
                self.user("Boris"), found.record(), max_lines=40
            )
            people = [await self.come(name, table) for name in ("Boris", "Emil")]
            for chair, guest in enumerate(people):
                await self.ok(guest, cmd.Sit(chair=chair))
            for chair in range(2, found.players):
                await self.ok(people[0], cmd.Bot(chair=chair, code="random"))
            await self.ok(people[0], cmd.Start())
            await self.play(people, 6)
            await self.go(*people)

    async def dive(self) -> None:
        """Survive with dolphins and squid: matches that keep SV.N2 and SV.Q3, and matches that do not."""

        def wrongly(match: Match) -> int:
            """A squid moved by the face *ship* wherever that can be."""
            wrong = squid_moves_by_ship_face(match)
            return wrong[-1] if wrong else self.random_allowed_action(match)

        def wrong(table: Table) -> bool:
            assert table.match is not None
            return table.match.state.turn_key() >= 0 and not keeps_rule_n2(table.match)

        config = TableConfig("survive", 3, options=EXPANSIONS)
        guests = await self.table("survive dive", "Ana Boris Chen", config)
        await self.play(guests, 190)
        await self.go(*guests)
        guests = await self.table("survive dive finished", "Ana Boris Chen", config)
        await self.go_on(guests, lambda table: False)
        await self.go(*guests)
        for label, over in (("survive dive wrongly", False), ("survive dive wrongly finished", True)):
            guests = await self.table(label, "Ana Boris Chen", config)
            await self.go_on(guests, wrong, wrongly)
            assert self.live(guests[0]).table.status != OVER, label
            await self.ok(guests[0], cmd.Say(text="A squid by ship?"))
            if over:
                await self.go_on(guests, lambda table: False)
            else:
                await self.play(guests, 10)
            await self.go(*guests)

    async def last(self) -> None:
        """What the end of the server leaves as it is: a clock that nobody stopped, a deadline that passes."""
        guests = await self.table("atlandice unclean", "Ana Boris", TableConfig("atlandice", 2, clock=LIVE))
        await self.play(guests, 12)
        guests = await self.table(
            "atlantis overdue", "Ana Boris", TableConfig("atlantis", 2, clock=ClockRule("days", days=1))
        )
        await self.play(guests, 12)
        await self.store.personal_data.erase_user(self.persons.pop("Zora").id)

    async def write(self) -> None:
        for part in (
            self.clocks, self.gathering, self.running, self.finished, self.people,
            self.write_tables_from_records, self.dive, self.last,
        ):  # fmt: skip
            await part()
            print(part.__name__, file=sys.stderr)
            await self.time.go_on(self.env.empty_table_grace_ms + 1000)

    # --- what must be found -----------------------------------------------------------------------------------

    async def manifest(self) -> dict[str, Any]:
        tables = {}
        for label, table in self.labels.items():
            entries = await self.store.tables.read_log_entries(table)
            head = await self.store.tables.get_table_summary(table)
            assert head is not None
            opened = fold_table_from_log(table, entries, Rng(0))
            match = opened.match
            here = snapshot_of_table(opened, head, await self.store.chat.read_chat_lines(table))
            here["fits"] = match is None or match.game.name != "survive" or keeps_rule_n2(match)
            assert here["fits"] == ("wrongly" not in label), label
            tables[label] = {"table": table, **here}
            assert match is None or Match.replay(match.record()).state.digest() == here["digest"], label
            if match is not None and opened.status == OVER:
                self.records[f"{label}.landfall"] = match.record()
            if match is not None and label.endswith((" running", "dive wrongly")):
                self.records[f"{label}.landfall"] = match.record()
                self.records[f"{label}, seat 0.landfall"] = match.record(0)
                self.records[f"{label}, spectator.landfall"] = match.record(None)
        people = {
            name: {"id": p.id, "cookie": f"{p.id}.{self.identities.sign_user_id(p.id)}", "account": name == "Ana"}
            for name, p in self.persons.items()
        }
        now = self.time.wall_time_ms() + 3 * DAY
        return {"now": now, "password": PASSWORD, "people": people, "tables": tables}


def random_clock(seed: int) -> dict[str, object]:
    """A clock of a table's own."""
    from tests.atlandice.random_games import random_clock as made

    return made(seed)


async def write_story(database: str) -> tuple[dict[str, Any], dict[str, str]]:
    """The story once, on one database."""
    writer = Writer(make_store_for_setting(database))
    await writer.open()
    await writer.write()
    manifest = await writer.manifest()
    await writer.stop_without_closing()
    return manifest, writer.records


def write_sqlite_museum(manifests: dict[str, Any]) -> dict[str, str]:
    """One file, everything checkpointed into it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "landfall.db"
        manifests["sqlite"], records = asyncio.run(write_story(str(path)))
        target = HERE / "landfall.db"
        target.unlink(missing_ok=True)
        db = sqlite3.connect(path)
        db.execute("pragma journal_mode = delete")
        db.execute("vacuum into ?", (str(target),))
        db.close()
    return records


def write_postgres_museum(manifests: dict[str, Any]) -> None:
    """As pg_dump writes it, but for the lines that only its own psql knows."""
    with run_temporary_cluster() as address:
        manifests["postgresql"], _ = asyncio.run(write_story(address))
        url = make_url(address)
        where = ["-h", str(url.query["host"]), "-p", str(url.query["port"]), "-U", "postgres", "postgres"]
        options = ["--inserts", "--rows-per-insert=100", "--no-owner", "--no-privileges"]
        dump = subprocess.run(
            [postgres_programs_folder() / "pg_dump", *options, *where], check=True, capture_output=True, text=True
        )
    lines = [line for line in dump.stdout.splitlines() if not line.startswith("\\")]
    (HERE / "landfall.sql").write_text("\n".join([*lines, ""]), encoding="utf-8")


def main() -> None:
    manifests: dict[str, Any] = {}
    records = write_sqlite_museum(manifests)
    write_postgres_museum(manifests)
    folder = HERE / "records"
    folder.mkdir(exist_ok=True)
    for name, text in records.items():
        (folder / name.replace(" ", "-").replace(",", "")).write_text(text, encoding="utf-8")
    (HERE / "manifest.json").write_text(json.dumps(manifests, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
