"""A page's whole evening at a table, written down as the server told it; and beside it, now and then, what somebody
is told who has just come to the same seat. `client/src/lib/freshPageEquivalence.recorded.ts` reads it and compares
what the client keeps."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from landfall.tables.live.hub import TableConfig
from landfall.tables.protocol import commands as cmd
from tests.sim.late_matches import match_near_the_end
from tests.tables.fake_users import Guest, Scene, guest_to_choose

THINGS = 40  # that happen in an evening
NEWCOMERS = 8
MOST = 8  # choices in a row


class Page(Guest):
    """Somebody whose messages are written down."""

    def __init__(self, s: Scene, name: str) -> None:
        super().__init__(s.hub, name)
        self.steps: list[dict[str, Any]] = []
        self.asked = True  # for the log, after the last welcome

    def receive(self, text: str) -> None:
        super().receive(text)
        self.steps.append({"receive": self.inbox[-1]})
        if self.inbox[-1]["t"] == "welcome":
            self.asked = False

    async def ask(self) -> None:
        """The client asks for the log where a welcome left it unknown."""
        if not self.asked:
            self.asked = True
            await self.send(cmd.Events())

    async def arrive(self, table: str, since: int | None = None) -> None:
        self.steps.append({"open": since})
        before = self.seat
        await self.come(table, since)
        self.asked = since is not None and self.seat == before
        await self.ask()


async def play_evening(s: Scene, game: str, hot_seat: bool, ending: bool) -> list[dict[str, Any]]:
    """Random choices, undo, talk, cuts, slowness, curtains; from the lobby on, or over the end of a match."""
    chance = Random(f"{game} {hot_seat} {ending}")
    ana, boris = Page(s, "Ana"), s.guest("Boris")
    table = await create_evening_table(s, ana, game, hot_seat, ending)
    await ana.arrive(table)
    await boris.come(table)
    for chair, guest in enumerate((ana, ana if hot_seat else boris)):
        if guest.table["chairs"][chair].get("who") is None:
            await guest.send(cmd.Sit(chair=chair))
    await ana.send(cmd.Start())
    compared = chance.sample(range(THINGS - 1), NEWCOMERS)
    for number in range(THINGS):
        await do_one_random_thing(ana, boris, chance, number)
        await ana.ask()
        if number in compared or number == THINGS - 1:
            await record_newcomer(s, ana, table)
    return ana.steps


async def create_evening_table(s: Scene, ana: Page, game: str, hot_seat: bool, ending: bool) -> str:
    """A table that waits for its people."""
    assert ana.user is not None
    if ending:
        return await s.hub.create_table_from_record(ana.user, match_near_the_end(game, 2, 0, 30).record())
    return await s.hub.create_table(ana.user, TableConfig(game, 2, seating="as_sat", hot_seat=hot_seat))


async def do_one_random_thing(ana: Page, boris: Guest, chance: Random, number: int) -> None:
    """Whatever happens next at the table."""
    assert ana.subscriber is not None
    table = ana.subscriber.live.table
    what = chance.choice(["play"] * 7 + ["undo", "say", "cut", "slow", "curtain"])
    if what == "say":
        await boris.send(cmd.Say(text=f"line {number}"))
    elif what == "cut":
        ana.steps.append({"cut": True})
        n = ana.n
        await ana.go()
        await make_some_choices(ana, boris, chance, away=True)
        await ana.arrive(table.id, n)
    elif what == "slow":
        ana.receive(await ana.subscriber.build_resync_message())
    elif what == "curtain" and len(table.seats_of_person(ana.subscriber.user_id)) > 1:
        await ana.send(cmd.Viewpoint(seat=chance.choice([None, 0, 1])))
    elif what == "undo":
        ana.steps.append({"undo": True})
        await ana.send(cmd.Undo(version=ana.version, id=f"u{number}"))
    else:
        await make_some_choices(ana, boris, chance)


async def make_some_choices(ana: Page, boris: Guest, chance: Random, away: bool = False) -> None:
    """Some choices, by whoever is to make them."""
    for _ in range(chance.randint(1, MOST)):
        table = boris.subscriber.live.table if boris.subscriber else None
        if table is None or table.status != "playing":
            return
        if not away and ana.seat is None and len(table.seats_of_person("id-Ana")) > 1:
            await ana.send(cmd.Viewpoint(seat=table.actor))
            await ana.ask()
        here = [boris] if away else [ana, boris]
        if not any(guest.choices for guest in here):
            return
        one = guest_to_choose(here)
        action = chance.choice(one.choices)["action"]
        if isinstance(one, Page):
            one.steps.append({"play": action})
        await one.play(action)
        await ana.ask() if not away else None


async def record_newcomer(s: Scene, ana: Page, table: str) -> None:
    """Somebody comes to the same seat, and asks for the log: what they are told."""
    fresh = s.guest("Ana")
    await fresh.come(table)
    if fresh.seat != ana.seat:
        await fresh.send(cmd.Viewpoint(seat=ana.seat))
    await fresh.send(cmd.Events())
    told = json.loads(json.dumps(fresh.inbox))
    await fresh.go()
    ana.steps.append({"fresh": told})
