"""What people ask for without a socket, and only to read: records, positions, replays, and matches to be reviewed.

Each answer must be what the log said at some moment, as this one may know it; a match that goes on is not reviewed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from landfall.core.errors import LandfallError
from landfall.tables.jobs.replay import record_to_replay_json
from landfall.tables.live.copied_match_check import Asker
from landfall.tables.live.record_export import export_position, export_record
from landfall.tables.log.table import OVER
from landfall.tables.protocol.errors import Refused
from landfall.tables.protocol.projections import visible_position_text
from tests.sim.log_checker import Log, Moment
from tests.sim.simulated_disk import DiskError

if TYPE_CHECKING:
    from tests.sim.simulated_process import Process
    from tests.sim.simulated_users import Person
    from tests.sim.simulated_world import World

KINDS = ("record", "record", "position", "position", "review", "review", "replay")


class Visits:
    """Asks on people's behalf, and judges the answers."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.chance = world.stream("visits")

    def pay(self, person: Person) -> None:
        """One question at some process."""
        process = self.chance.choice(self.world.processes)
        if process.alive and not process.closing and person.can_come():
            kind = self.chance.choice(KINDS)
            self.world.note(person.name, f"asks {process.name} for a {kind}", person.table)
            process.spawn(self.ask(kind, process, person))

    async def ask(self, kind: str, process: Process, person: Person) -> None:
        try:
            await getattr(self, f"ask_{kind}")(process, person)
        except (LandfallError, DiskError):
            pass
        except Exception as error:
            if process.alive:
                self.world.broken("an error", f"{person.name}, {kind}: {type(error).__name__}: {error}", error)

    async def ask_record(self, process: Process, person: Person) -> None:
        found = await export_record(process.hub, person.table, person.id)
        self.must_have_been(
            person, f"record {found[-60:]}", lambda log, at: record_at_moment(log, at, person.id) == found
        )

    async def ask_position(self, process: Process, person: Person) -> None:
        seat = self.chance.choice([None, 0, 1])
        _, line = await export_position(process.hub, person.table, person.id, seat)

        def fits(_: Log, at: Moment) -> bool:
            return (
                at.match is not None and at.may_look(person.id, seat) and visible_position_text(at.match, seat) == line
            )

        self.must_have_been(person, f"position of seat {seat}", fits)

    def must_have_been(self, person: Person, what: str, fits: Callable[[Log, Moment], bool]) -> None:
        log = self.world.disk.log_of(person.table)
        if any(chair.is_user_deleted for chair in log.table.chairs):  # their names are gone from what was told before
            return
        if not any(fits(log, moment) for moment in reversed(log.moments)):
            self.world.broken("told what is not so", f"{person.name}, {person.table}: {what}")

    async def ask_replay(self, process: Process, person: Person) -> None:
        live = await process.hub.get_or_load_table(person.table)
        match = live.table.match
        if live.table.status == OVER and match is not None:
            await process.hub.bot_pool.run_task(record_to_replay_json, match.record(), None, who=person.name)

    async def ask_review(self, process: Process, person: Person) -> None:
        try:
            await process.reviews.request_table_review(person.table, person.name, Asker(person.id, person.name))
        except Refused:
            return
        if self.world.disk.log_of(person.table).table.status != OVER:
            self.world.broken("a secret", f"{person.name} is told what choices of a match that goes on were worth")


def record_at_moment(log: Log, moment: Moment, person: str | None) -> str | None:
    """The record that somebody might have read then."""
    if moment.match is None:
        return None
    if moment.status == OVER:
        return moment.match.record()
    mine = [seat for seat, one in enumerate(moment.people) if person is not None and one == person]
    alone = len(mine) == 1 and person not in moment.banned
    return moment.match.record(mine[0] if alone else None)
