"""A tournament in a world, or a league of two seasons, and the judge of its log.

Nobody sits twice in a round, nobody plays who left, a round has exactly its tables, a result is what the table's log
says and is counted once, and when the faults are over the tournament comes to its end by itself. Nobody of a league
meets somebody of another division, and as many rise as fall.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from landfall.store.events import Created
from landfall.store.shared_logs import decode_shared_event
from landfall.store.tournament_events import (
    TOURNAMENT_EVENTS,
    DivisionsSet,
    PlayerJoined,
    PlayerLeft,
    PlayerRemoved,
    ResultRecorded,
    RoundPaired,
    TournamentBegun,
    TournamentCancelled,
    TournamentFinished,
    TournamentOpened,
    TournamentWrite,
)
from landfall.tables.live.subscriber import User
from landfall.tables.log.table import COUNTED_ENDS, OVER, Table
from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol.errors import Refused
from landfall.tables.tournaments.decisions import TournamentConfig
from landfall.tables.tournaments.standings import UNIT
from landfall.tables.tournaments.tournament_log import CHECK_IN_MS, Tournament

if TYPE_CHECKING:
    from tests.sim.simulated_disk import Disk
    from tests.sim.simulated_process import Process
    from tests.sim.simulated_world import World

NAMES = ("Nils", "Olga", "Paz", "Quim", "Rosa")
MORE_NAMES = ("Sven", "Tess", "Ugo", "Vico", "Wim")  # of a league
SHARE = 0.03  # of all worlds
LEAGUE_SHARE = 0.4  # of those with a tournament
DIVISION = 4  # players of a division at least
ROUNDS = 2
POINTS = (2, 0)  # first and second of two
PATIENCE_S = 3600.0  # clocks run out, stand-ins play


@dataclass
class TournamentJudge:
    """The tournaments on disk, kept by other rules than the server's."""

    inside: dict[str, set[str]] = field(default_factory=dict)
    rounds: dict[str, list[RoundPaired]] = field(default_factory=dict)
    results: dict[str, ResultRecorded] = field(default_factory=dict)  # by table
    status: dict[str, str] = field(default_factory=dict)
    after: dict[str, str] = field(default_factory=dict)  # the season before
    divisions: dict[str, list[list[str]]] = field(default_factory=dict)

    def find_fault(self, id_: str, write: TournamentWrite, disk: Disk) -> str:
        """What is wrong with a commit; "" if nothing. It is taken in."""
        for event in write.events:
            if self.status.get(id_) in ("over", "cancelled"):
                return f"{event.kind} after the end of {id_}"
            if fault := self.fault_of_event(id_, event, write, disk):
                return fault
        return ""

    def fault_of_event(self, id_: str, event: object, write: TournamentWrite, disk: Disk) -> str:
        inside = self.inside.setdefault(id_, set())
        match event:
            case TournamentOpened():
                self.after[id_] = event.after
            case PlayerJoined(person):
                if person in inside:
                    return f"{person} joins twice"
                inside.add(person)
                divisions = self.divisions.get(id_)
                if divisions is not None and not any(person in people for people in divisions):
                    divisions[-1].append(person)
            case PlayerLeft(person) | PlayerRemoved(person):
                if person not in inside:
                    return f"{person} leaves, and is not in it"
                inside.discard(person)
            case TournamentBegun():
                if self.status.get(id_):
                    return f"{id_} begins twice"
                self.status[id_] = "running"
            case DivisionsSet(people):
                return self.fault_of_divisions(id_, people)
            case RoundPaired():
                return self.fault_of_round(id_, event, write)
            case ResultRecorded():
                return self.fault_of_result(id_, event, disk)
            case TournamentFinished():
                if self.unfinished(id_):
                    return f"{id_} is over, and {self.unfinished(id_)[0]} is not"
                self.status[id_] = "over"
            case TournamentCancelled():
                self.status[id_] = "cancelled"
        return ""

    def unfinished(self, id_: str) -> list[str]:
        planned = [one.table for round_ in self.rounds.get(id_, []) for one in round_.tables]
        return [table for table in planned if table not in self.results]

    def fault_of_divisions(self, id_: str, people: list[list[str]]) -> str:
        if self.status.get(id_) != "running" or self.rounds.get(id_) or id_ in self.divisions:
            return f"the divisions of {id_} are set too late, too early, or again"
        sizes, inside = [len(one) for one in people], self.inside[id_]
        if sorted(person for one in people for person in one) != sorted(inside):
            return f"the divisions of {id_} are {people}, and {sorted(inside)} are in it"
        if len(sizes) != len(inside) // DIVISION or max(sizes) - min(sizes) > 1:
            return f"the divisions of {id_} have {sizes}"
        self.divisions[id_] = [list(one) for one in people]
        last = self.after.get(id_, "")
        return self.fault_of_moves(last, people) if last in self.divisions else ""

    def fault_of_moves(self, last: str, people: list[list[str]]) -> str:
        """Two of each division rise and two fall, if all come back: those with the most and the fewest points."""
        before = self.divisions[last]
        everybody = [sorted(person for one in season for person in one) for season in (before, people)]
        if everybody[0] != everybody[1] or [*map(len, before)] != [*map(len, people)]:
            return ""
        points = {person: Fraction(0) for one in before for person in one} | self.count_points(last)
        for n, (upper, lower) in enumerate(pairwise(before)):
            fallen, risen = set(upper) & set(people[n + 1]), set(lower) & set(people[n])
            if len(fallen) != 2 or len(risen) != 2:
                return f"{sorted(fallen)} fall and {sorted(risen)} rise after {last}"
            if max(points[one] for one in fallen) > min(points[one] for one in upper if one not in fallen):
                return f"{sorted(fallen)} fall after {last} with {points}"
            if min(points[one] for one in risen) < max(points[one] for one in lower if one not in risen):
                return f"{sorted(risen)} rise after {last} with {points}"
        return ""

    def fault_of_round(self, id_: str, event: RoundPaired, write: TournamentWrite) -> str:
        earlier = self.rounds.setdefault(id_, [])
        if self.status.get(id_) != "running" or event.number != len(earlier) + 1 or len(earlier) >= ROUNDS:
            return f"round {event.number} of {id_} is paired after {len(earlier)}"
        if self.unfinished(id_):
            return f"round {event.number} of {id_} is paired before {self.unfinished(id_)[0]} is over"
        people = [person for one in event.tables for person in one.people if person is not None] + event.byes
        if twice := [person for person, count in Counter(people).items() if count > 1]:
            return f"{twice[0]} sits twice in round {event.number}"
        if strangers := set(people) - self.inside[id_]:
            return f"{sorted(strangers)[0]} is not in the tournament, and plays in round {event.number}"
        for one in event.tables:
            if not any(set(one.people) <= {*people, None} for people in self.divisions.get(id_, [one.people])):
                return f"{one.people} of different divisions meet in round {event.number}"
        begun = {}
        for table in write.tables:
            first = table.entries[0].event
            assert isinstance(first, Created)
            begun[table.summary.table] = [chair.person for chair in first.chairs]
        if begun != {one.table: one.people for one in event.tables}:
            return f"the tables of round {event.number} are not those that begin with it"
        earlier.append(event)
        return ""

    def fault_of_result(self, id_: str, event: ResultRecorded, disk: Disk) -> str:
        if event.table not in self.unfinished(id_):
            return f"the result of {event.table} is recorded again"
        log = disk.logs.get(event.table)
        if log is not None and (log.table.status != OVER or event.places != counted_places(log.table)):
            return f"the result of {event.table} is {event.places}, and its log says {counted_places(log.table)}"
        self.results[event.table] = event
        return ""

    def count_points(self, id_: str) -> dict[str, Fraction]:
        """Points by another way than the server's."""
        points: dict[str, Fraction] = {}
        for round_ in self.rounds.get(id_, []):
            for resting in round_.byes:
                points[resting] = points.get(resting, Fraction(0)) + 1
            for one in round_.tables:
                result = self.results[one.table]
                for seat, person in enumerate(one.people):
                    assert person is not None
                    points.setdefault(person, Fraction(0))
                    if result.places and seat not in result.absent:
                        place, tied = result.places[seat], result.places.count(result.places[seat])
                        points[person] += Fraction(sum(POINTS[place - 1 : place - 1 + tied]), tied)
        return points


def counted_places(table: Table) -> list[int]:
    """Nothing counts of a match without a result."""
    return table.final_places_by_seat() if table.ended in COUNTED_ENDS and table.match is not None else []


class TournamentParty:
    """Those of a world who play a tournament; in most worlds there is none."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.chance = world.stream("tournament")
        is_on = self.chance.random() < SHARE and not world.days
        some = NAMES[: self.chance.randint(3, len(NAMES))] if is_on else ()
        league = world.stream("league")
        self.is_league = is_on and league.random() < LEAGUE_SHARE
        if self.is_league:
            some = (*NAMES, *MORE_NAMES[: league.randint(3, len(MORE_NAMES))])
        self.users = [User(f"id-{name}", name, has_account=True) for name in some]
        self.id: str | None = None
        self.last = ""  # the season before
        world.disk.people.update({user.id: user.name for user in self.users})

    def lives(self) -> list[Any]:
        return [self.live()] if self.users else []

    async def live(self) -> None:
        """One opens it, others join, and it begins early; some leave and come back, some resign their matches."""
        while self.world.active and self.id is None:
            await self.ask(self.open)
            await self.world.later(0.2)
        await self.begin()
        while self.world.active:
            await self.world.later(self.chance.expovariate(1.0))
            user = self.chance.choice(self.users)
            what = self.chance.choice(["resign", "resign", "resign", "resign", "leave", "join", "join"])
            await self.ask(self.resign(user) if what == "resign" else self.join_or_leave(what, user))

    async def begin(self) -> None:
        for user in self.users:
            await self.ask(self.join_or_leave("join", user))
        await self.ask(self.begin_early)

    async def open(self, process: Process) -> None:
        starts = process.env.clock.wall_time_ms() + CHECK_IN_MS // 2
        config = TournamentConfig("A World's Cup", "atlandice", 2, ROUNDS, "five", starts, fill="byes", rest=1)
        if self.is_league:  # a week, so that nobody waits for another
            more: dict[str, Any] = {
                "form": "league",
                "pace": "day",
                "rounds": 1,
                "division": DIVISION,
                "after": self.last,
            }
            config = replace(config, **more)
        self.id = await process.server.director.open_tournament(self.users[0], config)

    async def begin_early(self, process: Process) -> None:
        if self.id is not None:
            await process.server.director.begin_tournament_early(self.id, self.users[0], is_organiser=False)

    def join_or_leave(self, what: str, user: User) -> Any:
        async def run(process: Process) -> None:
            director = process.server.director
            if self.id is not None:
                await (director.join_tournament if what == "join" else director.leave_tournament)(self.id, user)

        return run

    def resign(self, user: User) -> Any:
        async def run(process: Process) -> None:
            found = await process.server.director.get_tournament(self.id or "")
            if (table := found.unfinished_table_of_person(user.id)) is not None:
                await process.hub.execute_command(table.id, user, cmd.Resign())

        return run

    async def ask(self, work: Any) -> None:
        """At some process; one that is killed never answers."""
        living = [one for one in self.world.processes if one.alive and not one.closing]
        if not living:
            return
        process = self.chance.choice(living)

        async def run() -> None:
            try:
                await work(process)
            except (Refused, OSError):  # also that the disk is away
                pass
            except Exception as error:
                if process.alive:
                    self.world.broken("an error", f"a tournament: {type(error).__name__}: {error}", error)

        task = process.spawn(run())
        for _ in range(200):
            if task.done() or not process.alive:
                break
            await self.world.later(0.05)

    async def comes_to_rest(self) -> None:
        """Rounds follow each other, and the standings are what the logs say. A league has a second season."""
        disk, judge = self.world.disk, self.world.disk.cups
        if not disk.tournaments:
            return
        await self.play_out()
        if self.is_league and self.id is not None and judge.status.get(self.id) == "over":
            self.last, self.id = self.id, None
            await self.ask(self.open)
            await self.begin()
            await self.play_out()
        for id_ in disk.tournaments:
            self.check_standings(id_)

    async def play_out(self) -> None:
        """Nobody does anything; in a league, where clocks run for days, all resign."""
        disk, judge = self.world.disk, self.world.disk.cups
        for id_ in disk.tournaments:
            if id_ not in judge.status:  # whoever opened it was not heard: it begins by itself, or is called off
                await self.world.later(CHECK_IN_MS / 1000)
        until = self.world.loop.time() + PATIENCE_S
        while self.world.loop.time() < until and any(judge.status.get(one) != "over" for one in disk.tournaments):
            if all(judge.status.get(one) in ("over", "cancelled") for one in disk.tournaments):
                break
            for user in self.users if self.is_league else []:
                await self.ask(self.resign(user))
            await self.world.later(5)

    def check_standings(self, id_: str) -> None:
        judge = self.world.disk.cups
        if judge.status.get(id_) not in ("over", "cancelled"):
            self.world.broken("nobody goes on", f"{id_} is {judge.status.get(id_, 'open')} for ever")
            return
        found = Tournament(id_)
        for seq, at, kind, data in self.world.disk.tournaments[id_]:
            found.apply_event(seq, at, decode_shared_event(TOURNAMENT_EVENTS, kind, data))
        counted = judge.count_points(id_)
        shown = {one.person: Fraction(one.points, UNIT) for one in found.compute_standings()}
        if any(shown[person] != points for person, points in counted.items()):
            self.world.broken("standings", f"{id_} shows {shown}, and its logs say {counted}")
        if found.divisions != judge.divisions.get(id_, []):
            self.world.broken("standings", f"{id_} has {found.divisions}, and its log says {judge.divisions.get(id_)}")
