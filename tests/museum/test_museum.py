"""What an earlier release wrote: whatever the code is now, it opens it."""

from __future__ import annotations

import asyncio
import itertools
import json
import sqlite3
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
import sqlalchemy as sa

from landfall.core.errors import RecordError
from landfall.core.rng import Rng
from landfall.games import game as find_game
from landfall.match import OMNISCIENT, Match
from landfall.store import schema
from landfall.store.event_codec import decode_event, encode_event
from landfall.store.events import UnreadableEvent
from landfall.store.store import Store
from landfall.tables.jobs.replay import record_to_replay_json
from landfall.tables.live.live_table import LiveTable
from landfall.tables.live.record_export import export_record
from landfall.tables.live.subscriber import User
from landfall.tables.log.loading import load_table_from_entries
from landfall.tables.log.table import GATHERING, OVER, PLAYING, Table
from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol.errors import Refused
from landfall.web.app import create_app
from landfall.web.identity import COOKIE_NAME
from landfall.web.settings import Settings
from tests.museum.database_copies import DAY, HERE, MANIFEST, THEN, Museum, StoredHub, run_with_hub
from tests.museum.table_snapshot import snapshot_of_table
from tests.server.server_process import WIDE
from tests.tables.fake_users import Guest, wait_until_true

pytestmark = pytest.mark.once

# Every kind of entry there was, with every set of fields it was ever written with.
CREATE: Final = "chairs clock game hot_seat options owner pace players public rules seating"
KINDS: Final = {
    "create": {CREATE, f"{CREATE} lines", f"{CREATE} previous"},
    "sit": {"chair name person"},
    "bot": {"chair code"},
    "stand": {"chair"},
    "colour": {"chair colour"},
    "start": {"acts colours order"},
    "play": {"acts seat", "acts id seat", "acts decided id seat"},
    "undo": {"consent id seat to", "consent seat to"},
    "leave": {"seat why"},
    "back": {"seat"},
    "propose": {"by what", "by to what"},
    "answer": {"person yes"},
    "end": {"why"},
    "pause": {"since", "agreed since"},
    "resume": {""},
    "mute": {"on person"},
    "pace": {"pace"},
    "ban": {"person"},
    "rematch": {"table"},
}
WORDS: Final = {
    ("leave", "why"): {"left", "time", "removed", "resigned"},
    ("end", "why"): {"abandoned", "resigned", "closed"},
    ("propose", "what"): {"abandon", "takeback", "pause"},
    ("answer", "yes"): {True, False},
    ("mute", "on"): {True, False},
    ("undo", "consent"): {True, False},
}


async def table_of(store: Store, here: dict[str, Any]) -> Table:
    return load_table_from_entries(here["table"], await store.tables.read_log_entries(here["table"]), Rng(0))


async def rows(store: Store) -> list[tuple[str, str, str]]:
    """Every entry as it is in the database: its table, its kind, its text."""
    e = schema.entries.c
    return [
        (table, kind, data)
        for table, kind, data in await store.database.fetch_rows(sa.select(e.table_id, e.kind, e.data))
    ]


def of_today(record: str | None) -> str | None:
    """A record of then, as one of today's rules."""
    if record is None:
        return None
    name = record.split("\n")[1].removeprefix("game: ")
    return record.replace(f"rules: {THEN}\n", f"rules: {find_game(name).rules_version}\n", 1)


# --- looking --------------------------------------------------------------------------------------------------


def test_every_kind_of_entry_is_there_with_every_field(shown: Museum) -> None:
    async def story(hub: StoredHub) -> None:
        kinds: dict[str, set[str]] = {}
        words: dict[tuple[str, str], set[object]] = {}
        for _, kind, data in await rows(hub.store):
            kinds.setdefault(kind, set()).add(" ".join(sorted(json.loads(data))))
            for field, value in json.loads(data).items():
                if (kind, field) in WORDS:
                    words.setdefault((kind, field), set()).add(value)
        assert kinds == {kind: {" ".join(sorted(f.split())) for f in fields} for kind, fields in KINDS.items()}
        assert words == WORDS

    run_with_hub(shown, story)


def test_every_entry_is_read_as_what_it_is_and_would_be_written_the_same(shown: Museum) -> None:
    async def story(hub: StoredHub) -> None:
        found = await rows(hub.store)
        assert len(found) > 2500
        for table, kind, data in found:
            event = decode_event(kind, data)
            assert not isinstance(event, UnreadableEvent), (table, event)
            assert event.kind == kind
            assert encode_event(event) == data, table

    run_with_hub(shown, story)


def test_every_table_is_found_as_it_was(shown: Museum) -> None:
    assert len(shown.tables) > 35
    for game in ("survive", "atlantis", "atlandice"):
        assert {t["status"] for t in shown.tables.values() if t["game"] == game} == {GATHERING, PLAYING, OVER}

    async def story(hub: StoredHub) -> None:
        for label, here in shown.tables.items():
            if not shown.opens(label):
                continue
            head = await hub.get_table_summary(here["table"])
            chat = await hub.store.chat.read_chat_lines(here["table"])
            now = snapshot_of_table(await table_of(hub.store, here), head, chat)
            expected = {key: here[key] for key in now}
            expected["record"] = of_today(here["record"])
            assert now == expected, label

    run_with_hub(shown, story)


def test_finished_matches_replay_to_the_same_ranking(shown: Museum) -> None:
    for label in shown.open_tables(OVER):
        here = shown.tables[label]
        if here["record"] is None:
            continue  # closed before it began
        assert Match.replay(here["record"]).state.digest() == here["digest"], label
        if here["ended"] == "finished":
            assert Match.replay(here["record"]).state.ranking() == here["ranking"], label
        told = json.loads(record_to_replay_json(here["record"], OMNISCIENT))
        assert len(told["moments"]) == len(here["record"].split("---\n")[1].splitlines()), label


def test_everybody_finds_their_tables(shown: Museum) -> None:
    async def story(hub: StoredHub) -> None:
        for person in shown.manifest["people"].values():
            listed = {head.table for head in await hub.store.tables.list_tables_of_user(person["id"], 1000)}
            sat = {t["table"] for t in shown.tables.values() if any(c["person"] == person["id"] for c in t["chairs"])}
            assert sat
            assert sat <= listed
        public = {head.table for head in await hub.store.tables.list_unfinished_public_tables(1000)}
        assert public == {t["table"] for t in shown.tables.values() if t["public"] and t["status"] != OVER}

    run_with_hub(shown, story)


def test_people_are_known_by_their_cookies_and_passwords(museum: Museum) -> None:
    people = museum.manifest["people"]

    async def story() -> None:
        settings = Settings(database=museum.database, public_url="http://landfall.test", bot_workers=0, limits=WIDE)
        app = create_app(settings)
        transport = httpx.ASGITransport(app=app)

        def client(cookie: str | None = None) -> httpx.AsyncClient:
            headers = {"Cookie": f"{COOKIE_NAME}={cookie}"} if cookie else {}
            return httpx.AsyncClient(transport=transport, base_url="http://landfall.test", headers=headers)

        async with app.router.lifespan_context(app):
            for name, person in people.items():
                async with client(person["cookie"]) as http:
                    assert (await http.get("/api/me")).json()["name"] == name
                    mine = {t["table"] for t in (await http.get("/api/history")).json() if t["you"]}
                    assert mine & {t["table"] for t in museum.tables.values()}, name
            async with client(people["Boris"]["cookie"][:-1] + "-") as http:
                assert (await http.get("/api/me")).status_code == 401
            async with client() as http:
                login = {"name": "ana", "password": museum.manifest["password"]}
                assert (await http.post("/api/login", json={**login, "password": "no such one"})).status_code == 401
                assert (await http.post("/api/login", json=login)).json() == {
                    "name": "Ana", "account": True, "shown": False, "host": False,
                }  # fmt: skip
                table = museum.tables["survive running"]["table"]
                assert (await http.get(f"/api/tables/{table}")).json()["seats"], "it is the same Ana"

    asyncio.run(story())


# --- playing on -----------------------------------------------------------------------------------------------


async def come(hub: StoredHub, museum: Museum, label: str) -> list[Guest]:
    """All who have a chair at a table."""
    here = museum.tables[label]
    persons = {chair["person"]: chair["name"] for chair in here["chairs"] if chair["person"]}
    persons.setdefault(here["owner"], "Somebody")
    guests = []
    for person, name in persons.items():
        guest = Guest(hub, name)
        guest.user = User(person, name)
        guest.ids = itertools.count(100_000)  # ids used then are known still
        await guest.come(here["table"])
        guests.append(guest)
    return guests


async def one_choice(live: LiveTable, guests: list[Guest], rng: Rng) -> None:
    """A person chooses, and bots and stand-ins answer until a person is to choose or the match is over."""
    answer = {"t": "refused", "code": "stand_in"}
    while answer["t"] == "refused":
        assert answer["code"] in ("stand_in", "stale"), answer  # somebody's time ran out just then
        await wait_until_true(lambda: waits_for_a_person(live.table))
        table = live.table
        if table.status == OVER:
            return
        assert table.match is not None
        assert table.actor is not None
        person, version = table.chairs[table.actor].person, table.version
        guest = next(g for g in guests if g.user is not None and g.user.id == person)
        answer = await guest.play(int(table.match.state.random_action(rng)), version=version)
    assert answer["t"] == "ack", answer
    await wait_until_true(lambda: waits_for_a_person(live.table))
    assert live.table.version > version


def waits_for_a_person(table: Table) -> bool:
    return table.status == OVER or (table.actor is not None and table.chairs[table.actor].is_played_by_person)


def test_running_tables_go_on(museum: Museum) -> None:
    running = museum.open_tables(PLAYING)
    assert len(running) > 20
    rng = Rng(3)

    async def story(hub: StoredHub) -> None:
        digests = {}
        for label in running:
            here = museum.tables[label]
            guests = await come(hub, museum, label)
            live = await hub.get_or_load_table(here["table"])
            await wait_until_true(lambda live=live: not live.table.paused or live.table.paused_by_agreement)  # type: ignore[misc]
            if live.table.paused_by_agreement:
                await guests[0].send(cmd.Resume())
            for _ in range(3):
                await one_choice(live, guests, rng)
            assert live.table.version > here["version"], label
            for guest in guests:
                await guest.go()
            await live.writer.wait_until_queue_is_empty()
            assert live.table.match is not None
            digests[label] = live.table.match.state.digest()
        for label in running:
            match = (await table_of(hub.store, museum.tables[label])).match
            assert match is not None
            assert match.state.digest() == digests[label], label

    run_with_hub(museum, story)


def test_gathering_tables_begin(museum: Museum) -> None:
    rng = Rng(4)

    async def story(hub: StoredHub) -> None:
        for label in museum.open_tables(GATHERING):
            guests = await come(hub, museum, label)
            live = await hub.get_or_load_table(museum.tables[label]["table"])
            owner = next(g for g in guests if g.user is not None and g.user.id == live.table.terms.owner)
            if not live.table.seats_of_person(live.table.terms.owner):
                await owner.send(cmd.Sit(chair=0))
            for number, chair in enumerate(live.table.chairs):
                if chair.is_free:
                    await owner.send(cmd.Bot(chair=number, code="random"))
            await owner.send(cmd.Start())
            assert live.table.status == PLAYING, label
            await one_choice(live, guests, rng)
            for guest in guests:
                await guest.go()

    run_with_hub(museum, story)


def test_what_is_due_happens(museum: Museum) -> None:
    """A deadline that passed while no server ran, and a live clock that nobody stopped."""

    async def story(hub: StoredHub) -> None:
        due = await hub.store.tables.list_table_ids_past_deadline(hub.runtime.clock.wall_time_ms())
        assert museum.tables["atlantis overdue"]["table"] in due
        assert museum.tables["survive by days"]["table"] not in due
        await hub.start_background_tasks()
        actor = museum.tables["atlantis overdue"]["actor"]
        live = await hub.get_or_load_table(museum.tables["atlantis overdue"]["table"])
        await wait_until_true(lambda: live.table.chairs[actor].away_reason == "time")
        unclean = await hub.get_or_load_table(museum.tables["atlandice unclean"]["table"])
        assert unclean.table.paused
        assert unclean.table.chairs == (await table_of(hub.store, museum.tables["atlandice unclean"])).chairs

    run_with_hub(museum, story, later=3 * DAY)


# --- the rule that was wrong ----------------------------------------------------------------------------------


def test_what_todays_rules_do_not_allow_is_refused_and_can_be_read(museum: Museum) -> None:
    """Two tables at which a squid was moved by the face *ship*: one running, one finished."""
    today = find_game("survive").rules_version

    async def story(hub: StoredHub) -> None:
        await hub.start_background_tasks()
        for label in ("survive dive wrongly", "survive dive wrongly finished"):
            here = museum.tables[label]
            assert not here["fits"]
            if museum.opens(label):
                await hub.get_or_load_table(here["table"])
                continue
            with pytest.raises(Refused) as refused:
                await hub.get_or_load_table(here["table"])
            assert refused.value.code == "rules"
            assert refused.value.arguments == {"game": "survive", "need": THEN, "have": today}
            for person in [None, *(p["id"] for p in museum.manifest["people"].values())]:
                text = await export_record(hub, here["table"], person)
                if here["status"] == OVER:
                    assert text == here["record"]
                else:
                    lines = text.split("---\n")[1].splitlines()
                    public = here["record"].split("---\n")[1].splitlines()
                    assert 50 < len(lines) < len(public)
                    if person is None:
                        assert all(a == b or "?" in a for a, b in zip(lines, public))
            with pytest.raises(RecordError, match=rf"SV\.\w+; this record follows version {THEN} .* here is {today}"):
                Match.replay(museum.tables["survive dive wrongly finished"]["record"])
        for label in ("survive dive", "survive dive finished"):
            assert museum.tables[label]["fits"]
            await hub.get_or_load_table(museum.tables[label]["table"])

    run_with_hub(museum, story)


# --- records --------------------------------------------------------------------------------------------------

RECORDS: Final = sorted((HERE / "records").glob("*.landfall"))


def test_records_are_read_and_opened(tmp_path: Path) -> None:
    assert len(RECORDS) > 20
    today = find_game("survive").rules_version
    copy = Museum(str(tmp_path / "landfall.db"), MANIFEST["sqlite"])

    async def story(hub: StoredHub) -> None:
        for path in RECORDS:
            text = path.read_text(encoding="utf-8")
            if "seat-0" in path.name or "spectator" in path.name:
                if "?" in text:
                    with pytest.raises(RecordError, match="only an open record can be replayed"):
                        Match.replay(text)
                continue
            if "wrongly" in path.name and today != THEN:
                with pytest.raises(RecordError, match="this record follows version"):
                    Match.replay(text)
                continue
            match = Match.replay(text)
            assert match.record() == of_today(text)
            table = await hub.create_table_from_record(User("me", "Me"), text)
            again = (await hub.get_or_load_table(table)).table.match
            assert again is not None
            assert again.state.digest() == match.state.digest()

    run_with_hub(copy, story)


def test_the_file_is_whole_without_its_journal() -> None:
    """Nothing of the SQLite database is in a write-ahead log that is not kept."""
    with sqlite3.connect(f"file:{HERE / 'landfall.db'}?mode=ro&immutable=1", uri=True) as db:
        assert db.execute("pragma integrity_check").fetchone() == ("ok",)
        assert db.execute("select count(*) from entries").fetchone()[0] > 2000
    db.close()
