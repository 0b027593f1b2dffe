"""Online bots at tables, without the web: what they are told, when their time is over, whom they count for."""

from __future__ import annotations

from base64 import b64decode
from dataclasses import replace
from pathlib import Path

import pytest

from landfall.api import tables as api
from landfall.api.types import Caller
from landfall.core.rng import Rng
from landfall.games import BUILT_IN_GAMES
from landfall.games import game as find_game
from landfall.store.events import InitialChair
from landfall.tables.live.hub import TableConfig
from landfall.tables.live.subscriber import User
from landfall.tables.log.clocks import ClockRule
from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol.errors import Refused
from tests.tables.fake_users import Guest, Scene, run_scene

pytestmark = pytest.mark.once
BOT = User("id-bot", "tideline", has_account=True, author="id-author")
OTHER_BOT = User("id-other", "low tide", has_account=True, author="id-other-author")
RATED = TableConfig("atlandice", 2, clock=ClockRule("live", 30, 60), seating="as_sat", rated=True)


async def seat(house: Scene, owner: User, other: User, config: TableConfig) -> list[Guest]:
    """Two users at a table that has begun."""
    table = await house.hub.create_table(owner, config)
    guests = [house.guest(owner.name), house.guest(other.name)]
    for chair, (guest, user) in enumerate(zip(guests, (owner, other), strict=True)):
        guest.user = user
        await guest.come(table)
        if chair:
            assert (await guest.send(cmd.Sit(chair=chair)))["t"] == "done"
    await guests[0].send(cmd.Start())
    return guests


@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_a_world_tells_a_bot_nothing_that_its_seat_may_not_know(game: str, tmp_path: Path) -> None:
    """In the true position and in one that the seat cannot tell from it, a bot is sent the same bytes."""

    async def work(house: Scene) -> None:
        config = TableConfig(game, 2, seating="as_sat")
        ana = User("id-Ana", "Ana")
        chairs = [InitialChair(BOT.id, BOT.name), InitialChair(ana.id, ana.name)]
        table = await house.hub.append_created_event(BOT, config, chairs)
        await house.hub.execute_command(table, BOT, cmd.Start())
        live = await house.hub.get_or_load_table(table)
        rng, compared = Rng(5), 0
        while compared < 25 and live.table.match is not None and live.table.actor is not None:
            match = live.table.match
            who = BOT if live.table.actor == 0 else ana
            if who is BOT:
                true = match.state
                found = []
                for position in (true, true.resample(0, Rng(compared + 100))):
                    match.state = position
                    house.hub.runtime.rng = Rng(9)
                    found.append(await api.get_resampled_position(house.hub, Caller(BOT), table))
                match.state = true
                assert found[0] == found[1]
                world = find_game(game).from_bytes(b64decode(found[0].world))
                assert world.view(0) == true.view(0), "and everything that it may"
                compared += 1
            else:
                with pytest.raises(Refused):
                    await api.get_resampled_position(house.hub, Caller(BOT), table)
            with pytest.raises(Refused, match="bots"):
                await api.get_resampled_position(house.hub, Caller(ana), table)
            actions = match.legal_actions()
            action = actions[int(rng.randbelow(len(actions)))]
            house.hub.runtime.rng = Rng(compared)
            play = cmd.Play(version=live.table.version, id=f"v{live.table.version}", action=action)
            await house.hub.execute_command(table, who, play)
        assert compared == 25

    run_scene(work, tmp_path)


def test_a_match_of_bots_is_rated_and_one_with_people_is_not(tmp_path: Path) -> None:
    async def work(house: Scene) -> None:
        bots = await seat(house, BOT, OTHER_BOT, RATED)
        table = (await house.hub.get_or_load_table(bots[0].table["id"])).table
        assert table.unrated_reason == ""
        assert [chair.author is not None for chair in table.chairs] == [True, True]
        assert table.chairs[0].author != table.chairs[1].author
        assert str(BOT.author) not in str(table.chairs), "a log holds a handle, not the author's id"
        mixed = await seat(house, BOT, User("id-Ana", "Ana", has_account=True), replace(RATED, rated=False))
        assert (await house.hub.get_or_load_table(mixed[0].table["id"])).table.required_voters() == {"id-Ana"}
        table.chairs[0].author = None  # planted: a person in a rated match of bots
        assert table.unrated_reason == "bots"

    run_scene(work, tmp_path)


@pytest.mark.parametrize("mode", ["none", "live", "days"])
def test_a_bot_has_seconds_for_a_choice_but_not_at_a_table_by_days(mode: str, tmp_path: Path) -> None:
    clock = {"none": ClockRule(), "live": ClockRule("live", 60, 60), "days": ClockRule("days", days=2)}[mode]

    async def work(house: Scene) -> None:
        bot, ana = await seat(
            house, BOT, User("id-Ana", "Ana"), TableConfig("atlandice", 2, {}, clock, seating="as_sat")
        )
        live = await house.hub.get_or_load_table(bot.table["id"])
        await house.time.go_on(9_900)
        assert "away" not in ana.table["chairs"][0], "it has ten seconds"
        await house.time.go_on(200)
        if mode == "days":
            assert live.table.actor == 0, "it may be away like everybody"
            return
        assert ana.table["chairs"][0]["away"] == "time"
        assert (await bot.send(cmd.Back()))["code"] == "gone"
        assert ana.table["status"] == "playing"

    run_scene(work, tmp_path)
