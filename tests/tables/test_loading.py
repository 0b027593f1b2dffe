"""Logs of older rules and damaged logs: what opens, what is refused and how, and that nothing else is disturbed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from landfall.core.errors import RecordError
from landfall.core.rng import Rng
from landfall.games import game as find_game
from landfall.match import Match
from landfall.store import event_codec, schema
from landfall.store.event_codec import decode_event, encode_event
from landfall.store.events import LOG_VERSION, Answered, Created, LogEvent, Played, Started, TakenBack, UnreadableEvent
from landfall.store.row_types import LogEntry
from landfall.tables.live.hub import TableConfig
from landfall.tables.live.record_export import export_record
from landfall.tables.log.loading import load_table_from_entries
from landfall.tables.log.table import OVER
from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol.errors import Refused
from tests.tables.fake_users import Guest, Scene, guest_to_choose, run_scene

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
    people = await s.table(*PEOPLE, config=TableConfig("survive", 2, seating="as_sat"))
    assert people[0].subscriber is not None
    live = people[0].subscriber.live
    rng = Rng(5)
    for _ in range(choices):
        guest = guest_to_choose(people)
        assert live.table.match is not None
        await guest.play(int(live.table.match.state.random_action(rng)))
    return live.table.id, people


async def rewritten(s: Scene, table: str, seq: int, event: LogEvent) -> list[LogEntry]:
    """A log with another entry at some place."""
    entries = await s.store.tables.read_log_entries(table)
    return [replace(e, event=event) if e.seq == seq else e for e in entries]


def code_of(table: str, entries: list[LogEntry]) -> str:
    with pytest.raises(Refused) as refused:
        load_table_from_entries(table, entries, Rng(0))
    return refused.value.code


def made_under(entries: list[LogEntry], rules: int) -> list[LogEntry]:
    """The same log, had it been begun under other rules."""
    first = entries[0]
    assert isinstance(first.event, Created)
    return [replace(first, event=replace(first.event, rules=rules)), *entries[1:]]


def test_a_log_of_the_version_before_opens_if_todays_rules_allow_it(tmp_path: Path, newer: None) -> None:
    async def story(s: Scene) -> None:
        table, _ = await begun(s)
        entries = await s.store.tables.read_log_entries(table)
        today = find_game("survive").rules_version
        old = load_table_from_entries(table, made_under(entries, today - 1), Rng(0))
        assert old.match is not None
        assert old.match.state.digest() == load_table_from_entries(table, entries, Rng(0)).match.state.digest()  # type: ignore[union-attr]
        assert old.terms.rules == today, "it is played by today's"
        assert f"rules: {today}\n" in old.match.record()
        assert code_of(table, made_under(entries, today + 1)) == "rules", "what is newer is not understood"

    run_scene(story, tmp_path)


def test_a_line_that_the_rules_do_not_allow(tmp_path: Path, newer: None) -> None:
    """Of older rules it is their difference; of today's it is damage."""

    async def story(s: Scene) -> None:
        table, _ = await begun(s)
        today = find_game("survive").rules_version
        last = (await s.store.tables.read_log_entries(table))[-1]
        event = last.event
        assert isinstance(event, Played)
        for other in (
            replace(event, acts=["rA1=1"]),
            replace(event, seat=1 - event.seat),
            replace(event, acts=[*event.acts, event.acts[0]]),
            replace(event, acts=[]),
        ):
            wrong = await rewritten(s, table, last.seq, other)
            assert code_of(table, wrong) == "damaged"
            assert code_of(table, made_under(wrong, today - 1)) == "rules"
        wrong = await rewritten(s, table, last.seq, TakenBack(0, 900, False))
        assert code_of(table, wrong) == "damaged"

    run_scene(story, tmp_path)


def test_old_records_are_read_if_todays_rules_allow_every_line(newer: None) -> None:
    today = find_game("survive").rules_version
    match = Match("survive", 2, seed=3)
    while len(match.log) < 90:
        match.play(match.legal_actions()[0])
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
        live = people[0].subscriber.live  # type: ignore[union-attr]
        assert live.table.match is not None
        while over and live.table.status != OVER:
            await guest_to_choose(people).play(int(live.table.match.state.random_action(Rng(live.table.seq))))
        match = live.table.match
        entries = await s.store.tables.read_log_entries(table)
        at = len(entries) - 2
        plays = {e.seq: e.event.acts for e in entries if isinstance(e.event, Started | Played)}
        played = entries[at - 1].event
        assert isinstance(played, Played)
        plays[at] = ["rA1=1"]  # whatever the rules of then allowed
        lines = [line for acts in plays.values() for line in acts]
        wrong = await rewritten(s, table, at, replace(played, acts=plays[at]))
        await replace_log(s, table, made_under(wrong, today - 1))
        with pytest.raises(Refused) as refused:
            await s.hub.get_or_load_table(table)
        assert refused.value.code == "rules"
        text = await export_record(s.hub, table, None)
        assert f"rules: {today - 1}\n" in text
        assert 'seats: ["Ana", "Boris"]' in text
        if over:
            assert text.split("---\n")[1].splitlines() == lines
        else:
            fits = sum(len(acts) for seq, acts in plays.items() if seq < at)
            assert text.split("---\n")[1].splitlines() == match.copy_rewound_to(fits).log_lines(None)
            assert "?" in text, "the values of the explorers are nobody's to read"

    run_scene(story, tmp_path)


async def replace_log(s: Scene, table: str, entries: list[LogEntry]) -> None:
    """As if it had been written so, and nobody had been there since."""
    e = schema.entries
    for entry in entries:
        same = (e.c.table_id == table) & (e.c.seq == entry.seq)
        change = e.update().where(same).values(kind=entry.kind, data=encode_event(entry.event))
        await s.store.database.commit_change(change)
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
def test_what_a_newer_release_wrote_is_reported_by_its_kind(tmp_path: Path, kind: str, data: str, reason: str) -> None:
    """To who watches, when it comes from another process; and to who opens the table."""

    async def story(s: Scene) -> None:
        ana, boris = await s.table(*PEOPLE, config=TableConfig("survive", 2, seating="as_sat"))
        assert ana.subscriber is not None
        live = ana.subscriber.live
        last = live.table.seq
        code = "newer" if reason.startswith("no such") else "damaged"
        moved_on: list[str] = []
        s.hub.on_newer_log = moved_on.append
        row = {"table_id": live.table.id, "seq": last + 1, "at": live.table.last_at, "kind": kind, "data": data}
        await s.store.database.commit_change(schema.entries.insert().values(row))
        live.writer.request_log_refresh()
        await live.writer.wait_until_queue_is_empty()
        for guest in (ana, boris):
            told = guest.inbox[-1]
            assert (told["t"], told["code"], told["args"]) == ("refused", code, {"entry": last + 1, "kind": kind})
        assert moved_on == [live.table.id] * (code == "newer")
        entries = await s.store.tables.read_log_entries(live.table.id)
        assert entries[-1].event == UnreadableEvent(kind, reason, data, code == "newer")
        assert encode_event(entries[-1].event) == data
        with pytest.raises(Refused) as refused:
            load_table_from_entries(live.table.id, entries, Rng(0))
        assert (refused.value.code, refused.value.arguments) == (code, {"entry": last + 1, "kind": kind})

    run_scene(story, tmp_path)


def test_a_log_of_a_later_version_says_so_in_its_first_entry(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        table, _ = await begun(s, 2)
        first = (await s.store.tables.read_log_entries(table))[0].event
        assert isinstance(first, Created)
        assert '"log"' not in encode_event(first)
        later = decode_event("create", encode_event(replace(first, log=LOG_VERSION + 1)))
        assert isinstance(later, UnreadableEvent)
        assert later.reason == f"the log is of version {LOG_VERSION + 1}, here is {LOG_VERSION}"

    run_scene(story, tmp_path)


def test_a_release_from_before_a_kind_of_entry_opens_the_tables_that_have_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The version of the log stays: else no table of today, however plain, could be opened by yesterday's release."""

    async def story(s: Scene) -> None:
        plain, _ = await begun(s, 2)
        ana, _ = await s.table(*PEOPLE, config=TableConfig("survive", 2, seating="as_sat"))
        await ana.send(cmd.Arrange())
        assert ana.subscriber is not None
        arranged = ana.subscriber.live.table
        assert LOG_VERSION == 1
        monkeypatch.setattr(
            event_codec, "EVENT_BY_KIND", {k: v for k, v in event_codec.EVENT_BY_KIND.items() if k != "arrange"}
        )
        entries = await s.store.tables.read_log_entries(plain)
        assert load_table_from_entries(plain, entries, Rng(0)).seq == len(entries)
        found = [e for e in await s.store.tables.read_log_entries(arranged.id) if isinstance(e.event, UnreadableEvent)]
        assert [e.kind for e in found] == ["arrange"]
        with pytest.raises(Refused) as refused:
            load_table_from_entries(arranged.id, await s.store.tables.read_log_entries(arranged.id), Rng(0))
        assert (refused.value.code, refused.value.arguments) == ("newer", {"entry": found[0].seq, "kind": "arrange"})

    run_scene(story, tmp_path)


def test_an_empty_name_left_by_forgetting_somebody_is_no_newer_field() -> None:
    assert decode_event("answer", '{"person":"gone-1","yes":true,"name":""}') == Answered("gone-1", True)
