"""A damaged log: the table says so to who comes, all others go on, and the host is told where and can cut it back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

from landfall.cli import app as commands
from landfall.core.rng import Rng
from landfall.store import schema
from landfall.store.event_codec import encode_event
from landfall.store.store import Store, make_store_for_setting
from landfall.tables.log.loading import load_table_from_entries
from landfall.tables.protocol.errors import Refused
from landfall.web.app import create_app
from landfall.web.settings import Settings
from tests.museum.database_copies import BOTH, Museum, StoredHub, make_museum_copy, run_with_hub
from tests.server.server_process import WIDE

pytestmark = pytest.mark.once

E: Final = schema.entries.c


def changed(**fields: object) -> Callable[[Any], sa.Update | sa.Delete]:
    """A row with other fields."""
    return lambda where: schema.entries.update().where(where).values(**fields)


def gone(where: Any) -> sa.Delete:
    return schema.entries.delete().where(where)


# By table of the museum: which of its entries is damaged, how, and what the host is told.
DAMAGE: Final[dict[str, tuple[int, Callable[[Any], sa.Update | sa.Delete], str]]] = {
    "survive running": (50, changed(data='{"seat": 1, "ac'), "play: Input data was truncated"),
    "survive six": (200, changed(data="[1, 2]"), "play: Expected `object`, got `array`"),
    "survive stand-ins": (30, changed(kind="create"), "create: Object missing required field `game`"),
    "survive paused": (20, changed(data="{}"), "play: Object missing required field `seat`"),
    "survive by days": (5, changed(kind="colour", data='{"chair": 9, "colour": "red"}'), "colour: IndexError"),
    "atlantis running": (
        40,
        changed(data='{"seat": 0, "acts": ["no such thing"]}'),
        "play: seat 0 chose, and it was not asked",
    ),
    "atlantis takeback": (12, gone, "?: entry 12 is missing"),
    "atlantis hot seat": (4, changed(kind="create"), "create: Object missing required field `game`"),
    "atlandice running": (30, changed(kind="undo", data='{"seat": 0, "to": 5000, "consent": false}'), "undo: 5000 of"),
    "atlandice finished": (60, changed(data='{"seat": 0, "acts": []}'), "play: an entry is one choice"),
    "atlandice gathering": (1, changed(data="\x01"), "create: "),
}
UNLISTED: Final = "atlantis resting"  # its log is good, its line in the list is not
FINE: Final = ("survive held", UNLISTED, "atlandice hot seat")


def with_store(museum: Museum, work: Callable[[Store], Any]) -> None:
    async def story() -> None:
        store = make_store_for_setting(museum.database)
        await store.database.open_and_migrate()
        try:
            await work(store)
        finally:
            await store.database.close()

    asyncio.run(story())


def damage(museum: Museum) -> Museum:
    """All of it at once."""

    async def story(store: Store) -> None:
        for label, (seq, how, _) in DAMAGE.items():
            await store.database.commit_change(how((E.table_id == museum.tables[label]["table"]) & (E.seq == seq)))
        t = schema.tables
        await store.database.commit_change(
            t.update().where(t.c.id == museum.tables[UNLISTED]["table"]).values(info="{")
        )

    with_store(museum, story)
    return museum


@pytest.fixture(scope="module", params=BOTH)
def damaged(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Museum:
    """A damaged copy for all who only look."""
    return damage(make_museum_copy("damaged", request, tmp_path_factory))


def check(museum: Museum, *words: str) -> tuple[int, list[str]]:
    done = CliRunner().invoke(commands, ["host", "check", "--database", museum.database, *words])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output.splitlines()


def about(said: list[str], table: str) -> str:
    return next((line for line in said if line.startswith(f"{table}: ")), "")


def test_a_damaged_table_says_so_and_the_others_go_on(damaged: Museum) -> None:
    async def story(hub: StoredHub) -> None:
        await hub.start_background_tasks()
        for label, (seq, _, why) in DAMAGE.items():
            with pytest.raises(Refused) as refused:
                await hub.subscribe_to_table(damaged.tables[label]["table"], None, lambda text: None)
            kind = why.partition(":")[0]
            assert (refused.value.code, refused.value.arguments) == ("damaged", {"entry": seq, "kind": kind}), label
        for label in FINE:
            await hub.subscribe_to_table(damaged.tables[label]["table"], None, lambda text: None)
        listed = {
            head.table
            for head in await hub.store.tables.list_tables_of_user(damaged.manifest["people"]["Ana"]["id"], 1000)
        }
        assert {damaged.tables[label]["table"] for label in FINE} - listed == {damaged.tables[UNLISTED]["table"]}

    run_with_hub(damaged, story)


def test_it_is_reported_by_name_without_secrets(damaged: Museum) -> None:
    async def story() -> None:
        settings = Settings(database=damaged.database, public_url="http://landfall.test", bot_workers=0, limits=WIDE)
        app = create_app(settings)
        transport = httpx.ASGITransport(app=app)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://landfall.test") as http,
        ):
            table = damaged.tables["survive running"]["table"]
            for path in ("", "/record", "/replay"):
                answer = await http.get(f"/api/tables/{table}{path}")
                assert answer.status_code == 409
                assert (answer.json()["code"], answer.json()["args"]) == ("damaged", {"entry": 50, "kind": "play"})
            fine = damaged.tables["survive held"]["table"]
            assert (await http.get(f"/api/tables/{fine}")).status_code == 200
            assert (await http.get("/api/tables")).status_code == 200

    asyncio.run(story())


def test_the_host_learns_where_and_why_and_nothing_is_changed(damaged: Museum) -> None:
    code, said = check(damaged)
    assert code == 1
    for label, (seq, _, why) in DAMAGE.items():
        line = about(said, damaged.tables[label]["table"])
        assert f"damaged, entry {seq} of " in line, label
        assert why in line
    assert "the table is not listed" in about(said, damaged.tables[UNLISTED]["table"])
    for label in damaged.tables:
        if label not in (*DAMAGE, UNLISTED) and damaged.opens(label):
            assert not about(said, damaged.tables[label]["table"]), label
    assert said[-1].endswith(f"{len(DAMAGE) + 1} damaged")
    assert check(damaged) == (code, said)


def test_cut_back_to_the_last_good_entry_tables_go_on(
    museum: Museum, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damaged = damage(museum)
    monkeypatch.chdir(tmp_path)
    code, said = check(damaged, "--cut")
    assert code == 0
    (file,) = tmp_path.glob("landfall-cut-*.jsonl")
    assert file.stat().st_mode & 0o777 == 0o600
    assert str(file) in "\n".join(said)
    kept = [json.loads(line) for line in file.read_text().splitlines()]

    async def story(store: Store) -> None:
        for label, (seq, _, _) in DAMAGE.items():
            here = damaged.tables[label]
            entries = await store.tables.read_log_entries(here["table"])
            assert [entry.seq for entry in entries] == list(range(1, seq)), label
            cut = [row["seq"] for row in kept if row["table"] == here["table"]]
            last = here["seq"]
            assert cut == [n for n in range(seq, last + 1) if (label, n) != ("atlantis takeback", 12)], label
            head = await store.tables.get_table_summary(here["table"])
            if seq == 1:
                assert head is None
                continue
            table = load_table_from_entries(here["table"], entries, Rng(0))
            assert head is not None
            assert (head.status, head.info["ended"], head.rules) == (table.status, table.ended, 1)
        listed = await store.tables.get_table_summary(damaged.tables[UNLISTED]["table"])
        assert listed is not None
        assert (listed.status, listed.game) == ("playing", "atlantis")
        assert len(await store.tables.read_log_entries(listed.table)) == damaged.tables[UNLISTED]["seq"]
        raw = next(row for row in kept if row["table"] == damaged.tables["survive running"]["table"])
        assert (raw["kind"], raw["data"]) == ("play", '{"seat": 1, "ac'), "as it was, to the letter"

    with_store(damaged, story)
    code, said = check(damaged)
    assert (code, said[-1].endswith(" 0 damaged")) == (0, True)

    async def goes_on(hub: StoredHub) -> None:
        live = await hub.get_or_load_table(damaged.tables["survive running"]["table"])
        assert live.table.seq == 49

    run_with_hub(damaged, goes_on)


def test_a_museum_without_damage_is_fine(museum: Museum) -> None:
    code, said = check(museum)
    assert code == 0
    assert said[-1].endswith(" 0 damaged")
    assert len(said) - 1 == sum(not museum.opens(label) for label in museum.tables), (
        "only those of other rules are named"
    )


def test_nothing_is_cut_under_a_server(damaged: Museum, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    async def story(store: Store) -> None:
        code, said = await asyncio.to_thread(check, damaged, "--cut")
        assert code == 1
        assert "using" in said[-1]
        assert (await asyncio.to_thread(check, damaged))[0] == 1, "but looked at it is"

    with_store(damaged, story)
    assert not list(tmp_path.glob("landfall-cut-*"))


def test_who_sat_at_a_damaged_table_can_be_forgotten(museum: Museum) -> None:
    boris = museum.manifest["people"]["Boris"]["id"]
    table = museum.tables["survive running"]["table"]
    t = schema.tables

    async def story(store: Store) -> None:
        where = (E.table_id == table) & (E.seq == 2)
        await store.database.commit_change(changed(data=f'{{"chair":1,"person":"{boris}","name":"Boris')(where))
        await store.database.commit_change(
            t.update().where(t.c.id == table).values(info=f'{{"chairs":["Ana","Boris"],"people":["{boris}"')
        )
        await store.personal_data.erase_user(boris)
        assert await store.users.get_user_by_id(boris) is None
        left = [row[0] for row in await store.database.fetch_rows(sa.select(E.data))]
        left += [row[0] for row in await store.database.fetch_rows(sa.select(t.c.info))]
        assert not [text for text in left if boris in text]

    with_store(museum, story)


def test_there_must_be_a_database(tmp_path: Path) -> None:
    done = CliRunner().invoke(commands, ["host", "check", "--database", str(tmp_path / "nowhere.db")])
    assert done.exit_code == 1
    assert "there is no database" in done.output
    assert not list(tmp_path.iterdir())


def test_entries_of_a_newer_release_are_named_and_never_cut(museum: Museum) -> None:
    """As after a step back to an older release, or beside a newer one during an update."""
    newer = {
        "survive running": (50, changed(kind="duel", data='{"seat": 1}'), "duel: no such kind of entry is known here"),
        "survive six": (3, None, "no such field is known here: glow"),
    }

    async def write(store: Store) -> None:
        for label, (seq, how, _) in newer.items():
            where = (E.table_id == museum.tables[label]["table"]) & (E.seq == seq)
            entries = await store.tables.read_log_entries(museum.tables[label]["table"])
            data = encode_event(entries[seq - 1].event)[:-1] + ', "glow": 1}'
            await store.database.commit_change((how or changed(data=data.replace("{, ", "{")))(where))

    with_store(museum, write)
    code, said = check(museum, "--cut")
    assert code == 0
    for label, (seq, _, why) in newer.items():
        line = about(said, museum.tables[label]["table"])
        assert f"written by a newer release, entry {seq} of {museum.tables[label]['seq']}" in line
        assert why in line

    async def story(hub: StoredHub) -> None:
        await hub.start_background_tasks()
        for label, (seq, _, _) in newer.items():
            with pytest.raises(Refused) as refused:
                await hub.subscribe_to_table(museum.tables[label]["table"], None, lambda text: None)
            assert (refused.value.code, refused.value.arguments["entry"]) == ("newer", seq)
        await hub.subscribe_to_table(museum.tables["survive held"]["table"], None, lambda text: None)

    run_with_hub(museum, story)
