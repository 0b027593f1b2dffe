"""Logs of older rules and damaged logs: what opens, what is refused and how, and that nothing else is disturbed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from landfall.core.errors import RecordError
from landfall.core.rng import Rng
from landfall.games import game as find_game
from landfall.match import Match
from landfall.store import encoding, schema
from landfall.store.encoding import read, written
from landfall.store.facts import VERSION, Answered, Created, Fact, Played, Started, TakenBack, Unreadable
from landfall.store.rows import Entry
from landfall.tables import commands as cmd
from landfall.tables.archive import record_of
from landfall.tables.errors import Refused
from landfall.tables.hub import Wish
from landfall.tables.opening import opened
from landfall.tables.table import OVER
from tests.tables.people import Guest, Scene, scene, whose_turn

pytestmark = pytest.mark.once

PEOPLE = ("Ana", "Boris")


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules of Survive are of the next version: all that is already written is of the one before."""
    game = find_game("survive")
    version = game.rules_version
    monkeypatch.setattr(game, "rules_version", version + 1)


async def begun(s: Scene, choices: int = 30) -> tuple[str, list[Guest]]:
    """A table of Survive some way into the match, everybody gone."""
    people = await s.table(*PEOPLE, wish=Wish("survive", 2, seating="as_sat"))
    assert people[0].watcher is not None
    live = people[0].watcher.live
    rng = Rng(5)
    for _ in range(choices):
        guest = whose_turn(people)
        assert live.table.match is not None
        await guest.play(int(live.table.match.state.random_action(rng)))
    return live.table.id, people


async def rewritten(s: Scene, table: str, seq: int, fact: Fact) -> list[Entry]:
    """A log with another entry at some place."""
    entries = await s.hub.store.entries(table)
    return [replace(e, fact=fact) if e.seq == seq else e for e in entries]


def code_of(table: str, entries: list[Entry]) -> str:
    with pytest.raises(Refused) as refused:
        opened(table, entries, Rng(0))
    return refused.value.code


def made_under(entries: list[Entry], rules: int) -> list[Entry]:
    """The same log, had it been begun under other rules."""
    first = entries[0]
    assert isinstance(first.fact, Created)
    return [replace(first, fact=replace(first.fact, rules=rules)), *entries[1:]]


def test_a_log_of_the_version_before_opens_if_todays_rules_allow_it(tmp_path: Path, newer: None) -> None:
    async def story(s: Scene) -> None:
        table, _ = await begun(s)
        entries = await s.hub.store.entries(table)
        today = find_game("survive").rules_version
        old = opened(table, made_under(entries, today - 1), Rng(0))
        assert old.match is not None
        assert old.match.state.digest() == opened(table, entries, Rng(0)).match.state.digest()  # type: ignore[union-attr]
        assert old.terms.rules == today, "it is played by today's"
        assert f"rules: {today}\n" in old.match.record()
        assert code_of(table, made_under(entries, today + 1)) == "rules", "what is newer is not understood"

    scene(story, tmp_path)


def test_a_line_that_the_rules_do_not_allow(tmp_path: Path, newer: None) -> None:
    """Of older rules it is their difference; of today's it is damage."""

    async def story(s: Scene) -> None:
        table, _ = await begun(s)
        today = find_game("survive").rules_version
        last = (await s.hub.store.entries(table))[-1]
        fact = last.fact
        assert isinstance(fact, Played)
        for other in (
            replace(fact, acts=["rA1=1"]),
            replace(fact, seat=1 - fact.seat),
            replace(fact, acts=[*fact.acts, fact.acts[0]]),
            replace(fact, acts=[]),
        ):
            wrong = await rewritten(s, table, last.seq, other)
            assert code_of(table, wrong) == "damaged"
            assert code_of(table, made_under(wrong, today - 1)) == "rules"
        wrong = await rewritten(s, table, last.seq, TakenBack(0, 900, False))
        assert code_of(table, wrong) == "damaged"

    scene(story, tmp_path)


def test_old_records_are_read_if_todays_rules_allow_every_line(newer: None) -> None:
    today = find_game("survive").rules_version
    match = Match("survive", 2, seed=3)
    while len(match.log) < 90:
        match.play(match.legal()[0])
    text = match.record().replace(f"rules: {today}", f"rules: {today - 1}")
    assert Match.replay(text).record() == match.record()
    lines = text.split("\n")
    lines[60] = lines[61]
    with pytest.raises(RecordError) as refused:
        Match.replay("\n".join(lines))
    assert refused.value.line == 61
    assert f"follows version {today - 1} of the survive rules; here is {today}" in str(refused.value)
    with pytest.raises(RecordError, match=f"^line 3: this record follows version {today + 5} "):
        Match.replay(match.record().replace(f"rules: {today}", f"rules: {today + 5}"))


@pytest.mark.parametrize("over", [False, True])
def test_the_record_of_a_match_that_todays_rules_refuse(tmp_path: Path, newer: None, over: bool) -> None:
    """Open if its head says that it is over, though no entry does; else only what everybody saw, while it fits."""

    async def story(s: Scene) -> None:
        table, people = await begun(s, 20)
        today = find_game("survive").rules_version
        live = people[0].watcher.live  # type: ignore[union-attr]
        assert live.table.match is not None
        while over and live.table.status != OVER:
            await whose_turn(people).play(int(live.table.match.state.random_action(Rng(live.table.seq))))
        match = live.table.match
        entries = await s.hub.store.entries(table)
        at = len(entries) - 2
        plays = {e.seq: e.fact.acts for e in entries if isinstance(e.fact, Started | Played)}
        played = entries[at - 1].fact
        assert isinstance(played, Played)
        plays[at] = ["rA1=1"]  # whatever the rules of then allowed
        lines = [line for acts in plays.values() for line in acts]
        wrong = await rewritten(s, table, at, replace(played, acts=plays[at]))
        await replace_log(s, table, made_under(wrong, today - 1))
        with pytest.raises(Refused) as refused:
            await s.hub.live(table)
        assert refused.value.code == "rules"
        text = await record_of(s.hub, table, None)
        assert f"rules: {today - 1}\n" in text
        assert 'seats: ["Ana", "Boris"]' in text
        if over:
            assert text.split("---\n")[1].splitlines() == lines
        else:
            fits = sum(len(acts) for seq, acts in plays.items() if seq < at)
            assert text.split("---\n")[1].splitlines() == match.shortened(fits).lines(None)
            assert "?" in text, "the values of the explorers are nobody's to read"

    scene(story, tmp_path)


async def replace_log(s: Scene, table: str, entries: list[Entry]) -> None:
    """As if it had been written so, and nobody had been there since."""
    e = schema.entries
    for entry in entries:
        same = (e.c.table_id == table) & (e.c.seq == entry.seq)
        change = e.update().where(same).values(kind=entry.kind, data=written(entry.fact))
        await s.hub.store.write(change)
    s.hub.live_tables.pop(table)


@pytest.mark.parametrize(
    ("kind", "data", "reason"),
    [
        ("dance", "{}", "no such kind of entry is known here"),
        ("sit", '{"chair":0,"person":"p","name":"P","hat":1}', "no such field is known here: hat"),
        ("sit", '{"chair":"0","person":"p","name":"P"}', "Expected `int`, got `str` - at `$.chair`"),
        ("sit", '{"chair":0,"person":"p"}', "Object missing required field `name`"),
        ("leave", "[]", "Expected `object`, got `array`"),
    ],
)
def test_what_a_newer_release_wrote_is_told_by_its_kind(tmp_path: Path, kind: str, data: str, reason: str) -> None:
    """To who watches, when it comes from another process; and to who opens the table."""

    async def story(s: Scene) -> None:
        ana, boris = await s.table(*PEOPLE, wish=Wish("survive", 2, seating="as_sat"))
        assert ana.watcher is not None
        live = ana.watcher.live
        last = live.table.seq
        row = {"table_id": live.table.id, "seq": last + 1, "at": live.table.last_at, "kind": kind, "data": data}
        await s.hub.store.write(schema.entries.insert().values(row))
        live.writer.look()
        await live.writer.finish()
        for guest in (ana, boris):
            told = guest.inbox[-1]
            assert (told["t"], told["code"], told["args"]) == ("refused", "damaged", {"entry": last + 1, "kind": kind})
        entries = await s.hub.store.entries(live.table.id)
        assert entries[-1].fact == Unreadable(kind, reason, data)
        assert written(entries[-1].fact) == data
        with pytest.raises(Refused) as refused:
            opened(live.table.id, entries, Rng(0))
        assert (refused.value.code, refused.value.arguments) == ("damaged", {"entry": last + 1, "kind": kind})

    scene(story, tmp_path)


def test_a_log_of_a_later_version_says_so_in_its_first_entry(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        table, _ = await begun(s, 2)
        first = (await s.hub.store.entries(table))[0].fact
        assert isinstance(first, Created)
        assert '"log"' not in written(first)
        later = read("create", written(replace(first, log=VERSION + 1)))
        assert isinstance(later, Unreadable)
        assert later.reason == f"the log is of version {VERSION + 1}, here is {VERSION}"

    scene(story, tmp_path)


def test_a_release_from_before_a_kind_of_entry_opens_the_tables_that_have_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The version of the log stays: else no table of today, however plain, could be opened by yesterday's release."""

    async def story(s: Scene) -> None:
        plain, _ = await begun(s, 2)
        ana, _ = await s.table(*PEOPLE, wish=Wish("survive", 2, seating="as_sat"))
        await ana.send(cmd.Arrange())
        assert ana.watcher is not None
        arranged = ana.watcher.live.table
        assert VERSION == 1
        monkeypatch.setattr(encoding, "KINDS", {k: v for k, v in encoding.KINDS.items() if k != "arrange"})
        entries = await s.hub.store.entries(plain)
        assert opened(plain, entries, Rng(0)).seq == len(entries)
        found = [e for e in await s.hub.store.entries(arranged.id) if isinstance(e.fact, Unreadable)]
        assert [e.kind for e in found] == ["arrange"]
        with pytest.raises(Refused) as refused:
            opened(arranged.id, await s.hub.store.entries(arranged.id), Rng(0))
        assert (refused.value.code, refused.value.arguments) == ("damaged", {"entry": found[0].seq, "kind": "arrange"})

    scene(story, tmp_path)


def test_an_empty_name_left_by_forgetting_somebody_is_no_newer_field() -> None:
    assert read("answer", '{"person":"gone-1","yes":true,"name":""}') == Answered("gone-1", True)
