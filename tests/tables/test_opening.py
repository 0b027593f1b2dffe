"""Logs of older rules and damaged logs: what opens, what is refused and how, and that nothing else is disturbed."""

from __future__ import annotations

from pathlib import Path

import pytest

from landfall.core.errors import RecordError
from landfall.core.rng import Rng
from landfall.games import game as find_game
from landfall.match import Match
from landfall.store import schema
from landfall.store.encoding import encode
from landfall.store.rows import Entry
from landfall.tables.archive import record_of
from landfall.tables.errors import Refused
from landfall.tables.house import Wish
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
    room = people[0].watcher.room
    rng = Rng(5)
    for _ in range(choices):
        guest = whose_turn(people)
        assert room.table.match is not None
        await guest.play(int(room.table.match.state.random_action(rng)))
    return room.table.id, people


async def rewritten(s: Scene, table: str, seq: int, kind: str, data: dict[str, object]) -> list[Entry]:
    """A log with another entry at some place."""
    entries = await s.house.store.entries(table)
    return [Entry(table, e.seq, e.at, kind, data) if e.seq == seq else e for e in entries]


def code_of(table: str, entries: list[Entry]) -> str:
    with pytest.raises(Refused) as refused:
        opened(table, entries, Rng(0))
    return refused.value.code


def made_under(entries: list[Entry], rules: int) -> list[Entry]:
    """The same log, had it been begun under other rules."""
    first = entries[0]
    return [Entry(first.table, 1, first.at, "create", {**first.data, "rules": rules}), *entries[1:]]


def test_a_log_of_the_version_before_opens_if_todays_rules_allow_it(tmp_path: Path, newer: None) -> None:
    async def story(s: Scene) -> None:
        table, _ = await begun(s)
        entries = await s.house.store.entries(table)
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
        last = (await s.house.store.entries(table))[-1]
        for data in (
            {**last.data, "acts": ["rA1=1"]},
            {**last.data, "seat": 1 - last.data["seat"]},
            {**last.data, "acts": [*last.data["acts"], last.data["acts"][0]]},
            {**last.data, "acts": []},
        ):
            wrong = await rewritten(s, table, last.seq, "play", data)
            assert code_of(table, wrong) == "damaged"
            assert code_of(table, made_under(wrong, today - 1)) == "rules"
        wrong = await rewritten(s, table, last.seq, "undo", {"seat": 0, "to": 900, "consent": False})
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
        room = people[0].watcher.room  # type: ignore[union-attr]
        assert room.table.match is not None
        while over and room.table.status != OVER:
            await whose_turn(people).play(int(room.table.match.state.random_action(Rng(room.table.seq))))
        match = room.table.match
        entries = await s.house.store.entries(table)
        at = len(entries) - 2
        plays = {e.seq: e.data["acts"] for e in entries if e.kind in ("start", "play")}
        plays[at] = ["rA1=1"]  # whatever the rules of then allowed
        lines = [line for acts in plays.values() for line in acts]
        wrong = await rewritten(s, table, at, "play", {**entries[at - 1].data, "acts": plays[at]})
        await replace_log(s, table, made_under(wrong, today - 1))
        with pytest.raises(Refused) as refused:
            await s.house.room(table)
        assert refused.value.code == "rules"
        text = await record_of(s.house, table, None)
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
        change = e.update().where(same).values(kind=entry.kind, data=encode(entry.data).decode())
        await s.house.store.write(change)
    s.house.rooms.pop(table)
