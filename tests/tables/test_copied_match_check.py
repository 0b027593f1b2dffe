"""Whoever plays a match against others has it judged through no door: not by a copy, however it was changed."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from landfall.core.match_record import Record
from landfall.core.match_record import parse_record as read_record
from landfall.core.rng import Rng
from landfall.core.state import OVER
from landfall.games import GAME_NAMES
from landfall.match import Match
from landfall.tables.jobs.reviews import Reviews
from landfall.tables.live.copied_match_check import Asker, have_a_position_in_common
from landfall.tables.live.hub import TableConfig
from landfall.tables.live.record_export import export_position
from landfall.tables.live.subscriber import User
from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol.errors import Refused
from tests.tables.fake_users import Guest, Scene, guest_to_choose, run_scene, wait_until_true

pytestmark = pytest.mark.once
STRANGER = Asker("id-Zoe", "198.51.100.7")
ANA = Asker("id-Ana", "203.0.113.9")


async def playing(s: Scene, game: str = "atlandice", choices: int = 60) -> tuple[list[Guest], Match]:
    """Ana and Boris in the middle of a match."""
    people = await s.table("Ana", "Boris", config=TableConfig(game, 2, seating="as_sat"))
    for _ in range(choices):
        one = guest_to_choose(people)
        await one.play(one.choices[len(one.choices) // 2]["action"])
    subscriber = people[0].subscriber
    assert subscriber is not None
    assert subscriber.live.table.match is not None
    return people, subscriber.live.table.match


def played_out(record: str, seed: int = 5) -> str:
    match, rng = Match.replay(record, Rng(seed)), Rng(seed)
    match.resolve_chance()
    while match.actor != OVER:
        match.play(int(match.state.random_action(rng)))
    return match.record()


def begun_from(match: Match, line: str) -> str:
    """A record that begins from a position, and was played at random to its end."""
    game, rules = match.game.name, match.game.rules_version
    return played_out(Record(game, rules, match.players, match.options, ["", ""], [], position=line).to_text())


async def is_judged(doors: list[tuple[Callable[..., Awaitable[object]], tuple[object, ...]]]) -> list[bool]:
    """Through which doors something is told."""
    found = []
    for door, given in doors:
        try:
            await door(*given)
            found.append(True)
        except Refused as refused:
            found.append(False)
            if refused.code != "not_shown":
                raise
    return found


async def all_doors(s: Scene, record: str, asker: Asker) -> list[bool]:
    """Handed in as a record; opened as a table by somebody else, and looked back on there."""
    found = Reviews(s.hub)
    table = await s.hub.create_table_from_record(User("id-Eve", "Eve"), record)
    await s.hub.bot_pool.run_task(len, "")
    doors: list[tuple[Callable[..., Awaitable[object]], tuple[object, ...]]] = [
        (found.request_record_review, (record, "here", asker)),
        (found.request_table_review, (table, "here", asker)),
        (found.encode_table_review_status, (table, asker)),
        (found.encode_choices_at_line, (table, 70, "here", asker)),
    ]
    return await is_judged(doors)


def edited(line: str) -> str:
    """Nearly the same position: Red has a few points more."""
    head, red, rest = line.partition("Red: ")
    assert red
    own, end, others = rest.partition(";")
    own = " ".join(word for word in own.split() if not word.startswith("points="))
    return f"{head}{red}{own} points=7{end}{others}"


def test_the_position_of_a_running_match_is_not_judged_for_who_plays_it(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        people, match = await playing(s)
        table, _ = await export_position(s.hub, people[0].table["id"], "id-Ana", 0)
        line = match.state.to_text(0)
        assert table.match is match
        for record in (begun_from(match, line), begun_from(match, edited(line))):
            assert await all_doors(s, record, ANA) == [False] * 4
            assert await all_doors(s, record, STRANGER) == [True] * 4

    run_scene(story, tmp_path)


@pytest.mark.parametrize("cut", [1, pytest.param(2, marks=pytest.mark.proof), pytest.param(5, marks=pytest.mark.proof)])
def test_a_copy_cut_short_is_not_judged_for_who_plays_it(tmp_path: Path, cut: int) -> None:
    async def story(s: Scene) -> None:
        _, match = await playing(s)
        record = played_out(match.copy_rewound_to(len(match.log) - cut).record(), seed=8)
        assert await all_doors(s, record, ANA) == [False] * 4
        assert await all_doors(s, record, STRANGER) == [True] * 4

    run_scene(story, tmp_path)


def test_nor_for_a_guest_without_a_name_at_the_same_address(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        people, match = await playing(s)
        record = begun_from(match, match.state.to_text(0))
        found = Reviews(s.hub)
        assert await is_judged([(found.request_record_review, (record, "here", Asker(None, "203.0.113.9")))]) == [True]
        key = json.loads(await found.request_record_review(record, "here"))["key"]
        assert people[0].subscriber is not None
        people[0].subscriber.origin = "203.0.113.9"
        doors = [
            (found.request_record_review, (record, "here", Asker(None, "203.0.113.9"))),
            (found.encode_record_review_status, (key, ANA)),
        ]
        assert await is_judged(doors) == [False, False]  # type: ignore[arg-type]

    run_scene(story, tmp_path)


def test_a_running_match_is_not_played_on_elsewhere_by_who_plays_it(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        _, match = await playing(s)
        ana, eve = User("id-Ana", "Ana"), User("id-Eve", "Eve")
        for record in (match.record(), match.copy_rewound_to(len(match.log) - 1).record()):
            with pytest.raises(Refused, match="only when the match is over"):
                await s.hub.create_table_from_record(ana, record, None, 1, "random")
            await s.hub.create_table_from_record(eve, record, None, 1, "random")
        own = played_out(Match("atlandice", 2, seed=77).record(), seed=77)
        await s.hub.create_table_from_record(ana, own, 60, 0, "random")

    run_scene(story, tmp_path)


def test_a_hint_at_a_copy_is_refused_to_who_plays_the_match(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        _, match = await playing(s)
        eve = s.guest("Eve")
        assert eve.user is not None
        seat = match.actor
        table = await s.hub.create_table_from_record(eve.user, match.record(), None, seat, "random")
        await eve.come(table)
        assert eve.subscriber is not None
        version = eve.subscriber.live.table.version
        await eve.send(cmd.Hint(version=version))
        await wait_until_true(lambda: eve.inbox[-1]["t"] == "hint")
        (ana,) = [w for live in s.hub.live_tables.values() for w in live.subscribers if w.user_id == "id-Ana"]
        ana.origin = eve.subscriber.origin = "203.0.113.9"  # it was Ana all the time
        await eve.send(cmd.Hint(version=version))
        await wait_until_true(lambda: eve.inbox[-1]["t"] == "refused")
        assert eve.inbox[-1]["code"] == "not_shown"

    run_scene(story, tmp_path)


def test_matches_of_ones_own_are_judged_while_another_runs(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        await playing(s)
        own = played_out(Match("atlandice", 2, seed=77).record(), seed=77)
        assert await all_doors(s, own, ANA) == [True] * 4

    run_scene(story, tmp_path)


@pytest.mark.parametrize("game", GAME_NAMES)
def test_copies_are_distinguished_from_other_matches(game: str) -> None:
    """Cut, with seats in another order, or begun later; and no two matches that have nothing to do with each other."""
    matches = []
    for seed in range(4):
        match, rng = Match(game, 2, seed=seed), Rng(seed)
        while len(match.log) < 150 and match.actor != OVER:
            match.play(int(match.state.random_action(rng)))
        if match.actor == OVER:
            match = match.copy_rewound_to(len(match.log) // 2)
        matches.append(match)
    ended = [played_out(match.record(), seed=50 + n) for n, match in enumerate(matches)]
    for n, match in enumerate(matches):
        short = match.copy_rewound_to(len(match.log) - 3).record()
        assert have_a_position_in_common(played_out(short, seed=9), match.record())
        assert all(have_a_position_in_common(one, match.record()) == (n == m) for m, one in enumerate(ended))
        assert read_record(short).game == game
