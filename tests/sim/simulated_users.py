"""People of a world: their pages, which fold what they are told as the client does, and what they do with them.

Everything a process sends is examined when it leaves: is it on disk, is it the truth, may this one know it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, get_args

import msgspec

from landfall.core.errors import LandfallError
from landfall.core.patch import apply_patch
from landfall.tables.live.driver import FOLLOW_UP_PAUSE_SHARE
from landfall.tables.live.subscriber import Subscriber, User
from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol.errors import Refused
from landfall.tables.protocol.server_messages import ServerMessage, encode_json, make_refusal
from tests.sim.log_checker import Moment
from tests.sim.simulated_disk import DiskError

if TYPE_CHECKING:
    from tests.sim.simulated_process import Process
    from tests.sim.world import World

MOST = 40  # messages a slow reader may be behind before the line is cut
TALK = 30
decode = msgspec.json.decode
FIELDS = {get_args(kind.__annotations__["t"])[0]: set(kind.__annotations__) for kind in get_args(ServerMessage)}


@dataclass(frozen=True)
class Known:
    """What a page shows."""

    n: int = 0
    version: int = 0
    you: str | None = None
    seat: int | None = None
    seats: tuple[int, ...] = ()
    view: Any = None
    choices: Any = ()
    table: dict[str, Any] = field(default_factory=dict)
    runs: bool | None = None  # the clock


class Line:
    """One connection: a page at one end, a handler in a process at the other, as the server's sockets are."""

    def __init__(self, page: Page, process: Process, since: int | None) -> None:
        self.page, self.process, self.since = page, process, since
        self.world = page.world
        self.table = page.table
        self.chance = page.chance
        self.up = True
        self.welcomed = False
        self.subscriber: Subscriber | None = None
        self.inbox: deque[cmd.AnyCommand | None] = deque()
        self.arrived: asyncio.Future[None] | None = None
        self.out: deque[tuple[dict[str, Any], Known]] = deque()
        self.sending = False
        self.posted = 0.0
        self.known = Known()  # what the page will know once everything has come
        self.cancelled = False
        self.auth = None if page.person.id is None else SimpleNamespace(revocation_key=page.device, session=page.device)
        process.lines.add(self)
        self.handler = process.spawn(self.serve())

    # --- in the process ---------------------------------------------------------------------------------------

    async def serve(self) -> None:
        """As the server's socket: everything that comes is carried out, one after the other."""
        hub, world = self.process.hub, self.world
        try:
            self.subscriber = await hub.subscribe(self.table, self.page.person.user, self.send, self.since)
        except Refused as error:
            if error.code == "no_table" and self.table in world.disk.deleted:
                self.page.close()
            elif error.code != "store" or not world.faulty:
                world.broken("refused at the door", f"{self.page.name}: {error}")
            self.fall()
            return
        except DiskError:
            self.fall()
            return
        except asyncio.CancelledError:
            self.unasked("watching")
            raise
        except Exception as error:
            self.failed("watching", error)
            return
        try:
            while (command := await self.next()) is not None:
                await self.carry_out(command)
        finally:
            try:
                await hub.unsubscribe(self.subscriber)
            except DiskError:
                pass
            except Exception as error:
                self.failed("going", error)
            self.process.lines.discard(self)

    async def carry_out(self, command: cmd.AnyCommand) -> None:
        assert self.subscriber is not None
        self.world.note(self.page.name, "asks", command)
        try:
            await self.process.hub.command_handler.handle_and_wait(self.subscriber, command)
        except LandfallError as error:
            self.refuse(Refused("illegal", None, reason=str(error)), command)
        except DiskError:
            self.refuse(Refused("store"), command)
        except asyncio.CancelledError:
            self.unasked(f"{command}")
            raise
        except Exception as error:
            self.failed(f"{command}", error)

    def refuse(self, error: Refused, command: cmd.AnyCommand) -> None:
        self.send(encode_json(make_refusal(error, command, None)))

    def failed(self, what: str, error: Exception) -> None:
        if self.process.alive:
            self.world.broken("an error", f"{self.page.name}, {what}: {type(error).__name__}: {error}", error)

    def unasked(self, what: str) -> None:
        """Cancelled: only whoever cancelled it may be the cause."""
        if self.process.alive and not self.cancelled and not self.process.closing:
            self.world.broken("cancelled", f"{self.page.name}, {what}: cancelled by nobody")

    async def next(self) -> cmd.AnyCommand | None:
        while not self.inbox:
            self.arrived = self.world.loop.create_future()
            await self.arrived
        return self.inbox.popleft()

    def put(self, command: cmd.AnyCommand | None) -> None:
        """Something arrives at the process."""
        if self.process.deferred(self.put, command):
            return
        self.inbox.append(command)
        if self.arrived is not None and not self.arrived.done():
            self.arrived.set_result(None)

    # --- on its way -------------------------------------------------------------------------------------------

    def lag(self) -> float:
        return self.chance.expovariate(1 / 0.02) if self.world.active else 0.001

    def post(self, command: cmd.AnyCommand) -> None:
        """From the page to the process, in order."""
        self.posted = max(self.posted, self.world.loop.time() + self.lag())
        self.world.loop.call_at(self.posted, self.put, command)

    def send(self, text: str) -> None:
        """From the process to the page: examined, folded, on its way."""
        if not self.up or not self.process.alive or self.world.verdict is not None:
            return
        try:
            told = read(text)
            self.world.note(self.page.name, "is told", told["t"], told.get("n"), told.get("version"), told.get("code"))
            self.known = self.examined(told, self.known)
        except Exception as error:
            self.world.broken("told", f"{self.page.name} cannot read {text[:300]}: {error!r}", error)
            return
        self.out.append((told, self.known))
        if len(self.out) > MOST:
            self.world.note(self.page.name, "is too slow and cut off")
            self.fall()
        elif not self.sending:
            self.sending = True
            lag = max(self.lag(), self.page.lagging_until - self.world.loop.time())
            self.world.loop.call_later(lag, self.deliver)

    def deliver(self) -> None:
        self.sending = False
        while self.out and self.up:
            self.page.take(*self.out.popleft())

    def fall(self) -> None:
        """The connection is gone; each end hears of it."""
        if not self.up:
            return
        self.up = False
        self.out.clear()
        self.process.lines.discard(self)
        self.world.loop.call_later(self.lag(), self.put, None)
        self.page.lost(self)

    def close(self, code: int) -> None:
        """The server hangs up: this device is signed out, or its owner deleted."""
        self.world.note(self.page.name, f"is hung up on, {code}")
        if self.world.disk.good([self.page.device]):
            self.world.broken("hung up", f"{self.page.name} is signed in")
        self.page.close()
        self.fall()

    def cancel(self) -> None:
        """The server gives this connection up in the middle of what it does."""
        self.cancelled = True
        self.world.note(self.page.name, "its handler is cancelled")
        self.fall()
        self.handler.cancel()

    # --- examining --------------------------------------------------------------------------------------------

    def wrong(self, kind: str, what: str) -> None:
        self.world.broken(kind, f"{self.page.name} at {self.process.name}: {what}")

    def examined(self, told: dict[str, Any], known: Known) -> Known:
        """What the page will know after a message, which must be on disk, true, and for these eyes."""
        kind = told["t"]
        log = self.world.disk.log_of(self.table)
        for name in ("n", "version"):
            if kind not in ("chat", "hint", "preview") and told.get(name) is not None:
                if told[name] > log.seq:
                    self.wrong("told before it was on disk", f"{kind} {name}={told[name]}, on disk are {log.seq}")
                    return known
        if kind in ("welcome", "update", "table"):
            self.is_new(told)
        if kind == "welcome":
            self.welcomed = True
            self.chat_is_there(told.get("chat", []))
            known = replace(
                known, you=told.get("you"), seat=told.get("seat"), seats=tuple(told.get("seats", ())),
                view=told.get("view"), table=self.about(told["table"], known, told["n"]),
            )  # fmt: skip
            return self.position(told, known, log.moments[told["n"] - 1])
        if kind == "update":
            view = apply_patch(known.view or {}, told.get("patch", {}))
            known = replace(known, view=view, seat=told.get("seat", known.seat))
            return self.position(told, known, log.moments[told["n"] - 1])
        if kind == "table":
            return replace(known, table=self.about(told, known, told["n"]), n=told["n"])
        if kind == "chat":
            self.chat_is_there([told])
        elif kind == "ack":
            self.is_acknowledged(told)
        elif kind == "done" and told.get("table") is not None and not self.world.disk.was_there(told["table"]):
            self.wrong("told before it was on disk", f"a rematch {told['table']}")
        elif kind == "events":
            since = log.moments[max(known.n, 1) - 1 :]  # the process may not have heard of the last ones
            if not any(told.get("events", []) == truth.events(told.get("first", 0), known.seat) for truth in since):
                self.wrong("told what is not so", f"events of seat {known.seat} asked for at {known.n}")
        elif kind == "hint" and told["version"] == known.version and known.choices:
            if told["action"] not in actions_of(known.choices):
                self.wrong("told what is not so", f"a hint, {told['text']}, that is no choice at {known.n}")
        return known

    def is_new(self, told: dict[str, Any]) -> None:
        """Where one process writes and nothing fails, it knows all of the log but what it is just writing."""
        log, store = self.world.disk.log_of(self.table), self.process.store
        if self.world.calm and not self.world.shared and not store.under_way[self.table] and told["n"] < log.seq:
            self.wrong("told what is old", f"{told['t']} {told['n']}, the log is at {log.seq}")

    def about(self, table: dict[str, Any], known: Known, n: int) -> dict[str, Any]:
        if n < known.n:
            self.wrong("told backwards", f"table {n} after {known.n}")
        status = self.world.disk.log_of(self.table).moments[n - 1].status
        if table["status"] != status:
            self.wrong("told what is not so", f"table {n} is {table['status']}, on disk {status}")
        return table

    def position(self, told: dict[str, Any], known: Known, truth: Moment) -> Known:
        """A view, its version and choices, and what happened: as the log says, for a seat that is theirs."""
        n, version, seat = told["n"], told["version"], known.seat
        if n < known.n or version < known.version:
            self.wrong("told backwards", f"{n}/{version} after {known.n}/{known.version}")
        if version != truth.version:
            self.wrong("told what is not so", f"version {version} at {n}, on disk {truth.version}")
        choices = told.get("choices", [])
        if seat is not None and not truth.may_look(self.page.person.id, seat):
            self.wrong("a secret", f"{self.page.person.id} looks through seat {seat} at {n}")
        elif truth.match is not None:
            if known.view != truth.view(seat):
                self.wrong(
                    "told what is not so", f"a view of seat {seat} at {n}: {parted(known.view, truth.view(seat))}"
                )
            if choices and choices != truth.choices(seat):
                self.wrong("told what is not so", f"choices of seat {seat} at {n}")
            self.knows(told, truth, seat)
        elif known.view:
            self.wrong("told what is not so", "a view before there is a match")
        clock = told.get("clock")
        return replace(known, n=n, version=version, choices=choices, runs=clock["runs"] if clock else None)

    def knows(self, told: dict[str, Any], truth: Moment, seat: int | None) -> None:
        first = told.get("first", 0)
        if told.get("events", []) != truth.events(first, seat):
            self.wrong("told what is not so", f"events of seat {seat} from {first} on at {truth.seq}")
        if first > truth.happened:
            self.wrong("told what is not so", f"events from {first} on, of {truth.happened}")

    def chat_is_there(self, lines: list[dict[str, Any]]) -> None:
        talk = {(line.n, line.text) for line in self.world.disk.said.get(self.table, [])}
        for line in lines:
            if (line["n"], line["text"]) not in talk:
                self.wrong("told before it was on disk", f"chat {line}")

    def is_acknowledged(self, told: dict[str, Any]) -> None:
        log = self.world.disk.log_of(self.table)
        found = decode(log.rows[told["n"] - 1][3]).get("id", "")
        if found.partition(".")[2] != told["id"]:
            self.wrong("acknowledged, but not on disk", f"{told['id']} as {told['n']}, where {found or 'none'} is")


def actions_of(choices: list[dict[str, Any]]) -> list[int]:
    """The choices offered, by their numbers."""
    return [row[group["keys"].index("action")] for group in choices for row in group["rows"]]


def parted(one: Any, other: Any) -> str:
    """Where two views differ."""
    if not isinstance(one, dict) or not isinstance(other, dict):
        return f"{str(one)[:100]} and {str(other)[:100]}"
    keys = [key for key in {**one, **other} if one.get(key) != other.get(key)]
    return "; ".join(f"{key}: {str(one.get(key))[:60]} and {str(other.get(key))[:60]}" for key in keys[:4])


@lru_cache(maxsize=16)  # the same goes to many
def read(text: str) -> dict[str, Any]:
    """A message, which must be one of those there are, with no more in it than those have."""
    told: dict[str, Any] = decode(text)
    if not told.keys() <= FIELDS[told["t"]]:
        raise ValueError(f"{told['t']} with {sorted(told.keys() - FIELDS[told['t']])}")
    return told


class Page:
    """A page in a browser: one table, one line, which comes back by itself."""

    def __init__(self, person: Person, table: str, name: str) -> None:
        self.person, self.table, self.name = person, table, name
        self.device = f"{person.id}/{name}"  # where somebody is signed in
        self.world = person.world
        self.chance = self.world.stream(f"{name} at {table}")
        self.meddling = self.world.stream(f"{name} meddles at {table}")
        self.line: Line | None = None
        self.open = True
        self.known = Known()
        self.events: list[Any] = []
        self.base = 0
        self.chat: list[Any] = []
        self.unsure: dict[str, cmd.Play | cmd.Undo] = {}
        self.since: int | None = None
        self.lagging_until = 0.0

    def connect(self) -> bool:
        """Come to the table at some process; False if none is there."""
        living = [p for p in self.world.processes if p.alive and not p.closing]
        if not self.world.disk.good([self.device]):
            self.open = False
        if not living or not self.open:
            return False
        if self.line is not None and self.line.up:
            return True
        self.line = Line(self, self.chance.choice(living), self.since)
        self.world.note(self.name, f"comes to {self.line.process.name}", self.table, self.since)
        for command in self.unsure.values():
            self.line.post(command)
        return True

    def lost(self, line: Line) -> None:
        """The line is gone: try again after a while, if anybody is looking."""
        if self.line is line:
            self.line = None
            if self.open and self.world.active:
                self.world.loop.call_later(self.chance.uniform(0.05, 1.5), self.retry)

    def retry(self) -> None:
        if self.open and self.line is None and self.world.active and not self.connect():
            self.world.loop.call_later(self.chance.uniform(0.2, 1), self.retry)

    def close(self) -> None:
        self.open = False
        self.cut()

    def cut(self) -> None:
        """The network is gone for a moment."""
        line, self.line = self.line, None
        if line is not None:
            self.world.note(self.name, "goes")
            line.fall()
        if self.open and self.world.active:
            self.world.loop.call_later(self.chance.uniform(0.01, 2), self.retry)

    def post(self, command: cmd.AnyCommand) -> None:
        if isinstance(command, cmd.Play | cmd.Undo):
            self.unsure[command.id] = command
        if self.line is not None and self.line.up:
            self.line.post(command)

    def take(self, told: dict[str, Any], known: Known) -> None:
        """What the client does with a message."""
        kind = told["t"]
        fresh = self.known.view is None or known.seat != self.known.seat
        self.known = known
        if kind in ("ack", "refused") and told.get("id"):
            self.unsure.pop(told["id"], None)
        if kind == "refused" and told.get("code") == "no_table" and self.table in self.world.disk.deleted:
            self.close()
        if kind in ("welcome", "update"):
            if self.world.calm and told["n"] < (self.since or 0):
                self.world.broken("told backwards", f"{self.name}: {kind} {told['n']} after {self.since}")
            self.since = told["n"]
            first = told.get("first", 0)
            if (kind == "welcome" and fresh) or not self.base <= first <= self.base + len(self.events):
                self.base, self.events = first, []
            self.events = self.events[: first - self.base] + told.get("events", [])
            for event in told.get("again", []):
                if event["n"] >= self.base:
                    self.events[event["n"] - self.base] = {k: v for k, v in event.items() if k != "n"}
            self.remembers(known)
            self.person.watch_a_bot(self)
        if kind == "welcome" and told.get("chat"):
            self.chat = told["chat"]
        elif kind == "chat" and all(line["n"] != told["n"] for line in self.chat):
            self.chat = [*self.chat, told][-200:]

    def remembers(self, known: Known) -> None:
        """What this page keeps of what happened is what a newcomer to its seat would be told: nothing more, no less."""
        truth = self.world.disk.log_of(self.table).moments[known.n - 1]
        if truth.match is not None and self.events != truth.events(self.base, known.seat):
            self.world.broken("remembers what is not told", f"{self.name}: seat {known.seat} at {known.n}")

    def actions(self) -> list[int]:
        """What is offered now."""
        return actions_of(self.known.choices)


class Person:
    """Somebody who plays, or looks on; with one page or two."""

    def __init__(self, world: World, name: str, table: str, seated: bool, nameless: bool = False) -> None:
        self.world = world
        self.name = name
        self.id: str | None = None if nameless else f"id-{name}"
        self.user = None if nameless else User(f"id-{name}", name, has_account=True)
        self.table = table
        self.seated = seated
        self.chance = world.stream(name)
        self.visiting = world.stream(f"{name} visits")
        self.pages: list[Page] = []
        self.count = 0
        self.tabs = 0
        self.away_until = 0.0
        self.old: list[cmd.Play] = []
        self.temper = self.chance.uniform(0.15, 1.2)  # seconds between what one does
        self.restless = self.chance.choice([0.05, 0.15, 0.4])  # how much of it is coming and going

    @property
    def is_deleted(self) -> bool:
        """Whether their account is."""
        return self.id in self.world.disk.forgotten

    def can_come(self) -> bool:
        """Whether there is somebody to come, and a table."""
        return not self.is_deleted and self.table not in self.world.disk.deleted

    def delete_account(self) -> None:
        """Ask for it at some process, on some page."""
        living = [process for process in self.world.processes if process.alive and not process.closing]
        if living and self.id is not None:
            process = self.chance.choice(living)
            self.world.note(self.name, f"deletes their account at {process.name}")
            process.spawn(self.ask_to_be_deleted(process, self.id))

    async def ask_to_be_deleted(self, process: Process, id_: str) -> None:
        try:
            await process.server.delete_account(id_)
        except DiskError:
            self.world.note(self.name, "could not be deleted")

    def sign_out_one(self) -> None:
        """Sign out on one device; others stay signed in."""
        page = self.chance.choice(self.pages)
        self.world.note(page.name, "signs out")
        self.world.disk.signed_out.add(page.device)
        self.world.disk.publish("people", "")

    def arrive(self) -> Page:
        """Open a page and connect it."""
        self.tabs += 1
        page = Page(self, self.table, f"{self.name}/{self.tabs}")
        self.pages.append(page)
        if not page.connect():
            self.world.loop.call_later(0.3, page.retry)
        return page

    def depart(self, page: Page) -> None:
        """Close a page."""
        self.pages.remove(page)
        page.close()

    def depart_all(self) -> None:
        for page in list(self.pages):
            self.depart(page)

    def id_(self) -> str:
        self.count += 1
        return f"{self.name}{self.count}"

    async def live(self) -> None:
        """Do this and that until the world comes to rest."""
        while self.world.active:
            await self.world.later(self.chance.expovariate(1 / self.temper))
            if self.world.active:
                self.act()
                if self.visiting.random() < 0.04:
                    self.world.visits.pay(self)

    def act(self) -> None:
        """One thing."""
        self.pages = [page for page in self.pages if page.open]
        if self.world.loop.time() < self.away_until or not self.can_come():
            return
        if not self.pages:
            if self.chance.random() < 0.6:
                self.arrive()
            return
        page = self.chance.choice(self.pages)
        if self.chance.random() < self.restless:
            self.wander(page)
        elif page.line is not None and page.known.table:
            if self.seated:
                self.busy(page)
            elif self.chance.random() < 0.3:
                page.post(self.idle(page))

    def wander(self, page: Page) -> None:
        """Come, go, reload, lag, open a second page."""
        if page not in self.pages or not self.world.active:
            return
        what = self.chance.choice(["reload", "reload", "cut", "cut", "leave", "second", "lag", "rest"])
        if what == "reload":
            self.depart(page)
            self.arrive()
        elif what == "cut":
            page.cut()
        elif what == "leave" or (what == "second" and len(self.pages) > 1):
            self.depart(page)
        elif what == "second":
            self.arrive()
        elif what == "lag":
            page.lagging_until = self.world.loop.time() + self.chance.uniform(0.2, 4)
        elif self.user is not None and page.known.table:
            self.world.ask_by_rest(self, self.eager(page) if self.chance.random() < 0.6 else self.idle(page))

    def watch_a_bot(self, page: Page) -> None:
        """It may be a bot's turn: the moment to take back is when it is about to play."""
        table, actor, meddling = page.known.table, (page.known.view or {}).get("actor", -1), page.meddling
        if not self.world.meddling or not self.world.active or not self.seated or not table or actor < 0:
            return
        if not table["chairs"][actor].get("bot"):
            return
        if meddling.random() < 0.8:
            due = self.world.setting.pace / 1000 * meddling.choice([FOLLOW_UP_PAUSE_SHARE, 1])
            self.world.loop.call_later(max(0, due - meddling.uniform(0, 0.06)), self.meddle, page)

    def meddle(self, page: Page) -> None:
        if self.world.active and page.open and page.known.table:
            agrees = page.known.table.get("proposal") is not None
            page.post(cmd.Answer(yes=True) if agrees else cmd.Propose(what="takeback"))

    def slip_in(self) -> None:
        """Stay away until the table is put away; ask for something just then, and come back."""
        self.depart_all()
        put_away = self.world.setting.grace / 1000
        self.away_until = self.world.loop.time() + put_away - 0.02
        some: list[cmd.AnyCommand] = [cmd.Resume(), cmd.Leave(), cmd.Back()]
        command = self.chance.choice(some)
        self.world.loop.call_later(put_away - self.chance.uniform(0, 0.012), self.world.ask_by_rest, self, command)
        self.world.loop.call_later(put_away + self.chance.uniform(-0.012, 0.012), self.come_back)

    def come_back(self) -> None:
        if self.world.active and not self.pages and self.can_come():
            self.arrive()

    def busy(self, page: Page) -> None:
        """Something at the table."""
        chance, table = self.chance, page.known.table
        if table["status"] == "gathering":
            page.post(self.gathering(page))
            return
        if table["status"] == "over":
            self.afterwards(page)
            return
        actions, draw = page.actions(), chance.random()
        mine = [table["chairs"][seat] for seat in page.known.seats if seat < len(table["chairs"])]
        if table.get("rests") and draw < 0.5:
            page.post(cmd.Resume())
        elif table.get("proposal") and draw < 0.5:
            page.post(cmd.Answer(yes=chance.random() < 0.6))
        elif any(chair.get("away") for chair in mine) and draw < 0.5:
            page.post(cmd.Back())
        elif len(page.known.seats) > 1 and not actions and draw < 0.8:
            page.post(cmd.Viewpoint(seat=chance.choice(page.known.seats)))
        elif actions and draw < 0.75:
            self.play(page, chance.choice(actions))
        elif draw < 0.85:
            page.post(self.idle(page))
        else:
            page.post(self.eager(page))

    def play(self, page: Page, action: int) -> None:
        """A choice; sometimes twice, on two pages, or one of long ago."""
        chance = self.chance
        command = cmd.Play(version=page.known.version, id=self.id_(), action=action)
        if len(self.old) < 8:
            self.old.append(command)
        draw = chance.random()
        if draw < 0.06 and self.old:
            command = chance.choice(self.old)
        elif draw < 0.09:
            command = replace_version(chance.choice(self.old), page.known.version)
        page.post(command)
        if draw > 0.92:
            chance.choice(self.pages).post(command)
        elif draw > 0.89:
            page.post(cmd.Play(version=command.version, id=self.id_(), action=action))

    def gathering(self, page: Page) -> cmd.AnyCommand:
        """Sit down, call bots, begin."""
        chance, chairs = self.chance, page.known.table["chairs"]
        free = [i for i, chair in enumerate(chairs) if not chair.get("who") and not chair.get("bot")]
        owner = page.known.you is not None and page.known.table["owner"] == page.known.you
        draw = chance.random()
        if free and (not page.known.seats or page.known.table.get("hot_seat")) and draw < 0.7:
            return cmd.Sit(chair=chance.choice(free))
        if owner and not free and draw < 0.8:
            return cmd.Start()
        if owner and free and draw < 0.4:
            return cmd.Bot(chair=chance.choice(free), code="random")
        if draw < 0.84 and page.known.seats:
            return cmd.Colour(chair=page.known.seats[0], colour=chance.choice(["red", "blue", "green", "yellow"]))
        if draw < 0.86:
            return cmd.Free(chair=chance.randrange(len(chairs)))
        if draw < 0.88:
            return cmd.Leave()
        return self.idle(page)

    def afterwards(self, page: Page) -> None:
        """Look at all the seats, ask for a rematch, follow to it."""
        chance, successor = self.chance, page.known.table.get("successor")
        draw = chance.random()
        if successor and draw < 0.3 and self.world.follow(self, successor):
            self.depart_all()
            self.arrive()
        elif draw < 0.45:
            page.post(cmd.Viewpoint(seat=chance.choice([None, 0, 1])))
        elif draw < 0.6:
            page.post(cmd.Rematch())
        else:
            page.post(self.idle(page))

    def idle(self, page: Page) -> cmd.AnyCommand:
        """Something that changes nothing of the match."""
        chance, version = self.chance, page.known.version
        some: list[cmd.AnyCommand] = [
            cmd.Say(text=f"hello {chance.randrange(100)}"),
            cmd.Say(text=f"hello {chance.randrange(100)}"),
            cmd.Ping(),
            cmd.Hint(version=version),
            cmd.Preview(),
            cmd.Explain(piece="", place="a1"),
            cmd.Explain(text="nonsense"),
            cmd.Events(since=chance.randrange(page.base + len(page.events) + 1)),
            cmd.Viewpoint(seat=chance.choice([None, 0, 1])),
        ]  # fmt: skip
        return chance.choice(some)

    def eager(self, page: Page) -> cmd.AnyCommand:
        """Something that changes the table."""
        chance, version = self.chance, page.known.version
        draw = chance.random()
        if draw < 0.4:
            return cmd.Undo(version=version, id=self.id_(), turn=chance.random() < 0.3)
        if draw < 0.58:
            return cmd.Propose(what=chance.choice(["takeback", "takeback", "takeback", "pause", "pause", "abandon"]))
        if draw < 0.7:
            return cmd.Leave()
        if draw < 0.78:
            return cmd.Back()
        if draw < 0.82:
            return cmd.Answer(yes=chance.random() < 0.7)
        whos = [chair.get("who") for chair in page.known.table["chairs"] if chair.get("who")]
        if draw < 0.94 and whos:
            return cmd.Mute(who=chance.choice(whos), on=chance.random() < 0.5)
        if draw < 0.95 and whos:
            return cmd.Remove(who=chance.choice(whos))
        if draw < 0.965:
            return cmd.Resign()
        if draw < 0.97:
            return cmd.Close()
        if draw < 0.985:
            return cmd.Arrange(on=draw < 0.98)
        if draw < 0.99:
            return cmd.Skip()
        return cmd.Resume()

    # --- at rest: everybody wants the match to go on ----------------------------------------------------------

    def go_on(self, page: Page) -> None:
        """What one does who wants the match to go on."""
        table, actions = page.known.table, page.actions()
        if not table or table["status"] != "playing" or page.line is None or page.unsure:
            return
        if table.get("rests"):
            page.post(cmd.Resume())
        elif table.get("proposal"):
            page.post(cmd.Answer(yes=False))
        elif len(page.known.seats) > 1 and page.known.view and page.known.view["actor"] in page.known.seats:
            if page.known.seat != page.known.view["actor"]:
                page.post(cmd.Viewpoint(seat=page.known.view["actor"]))
        if actions and page.known.seat is not None and not table["chairs"][page.known.seat].get("away"):
            page.post(cmd.Play(version=page.known.version, id=self.id_(), action=self.chance.choice(actions)))


def replace_version(command: cmd.Play, version: int) -> cmd.Play:
    """The same choice, as if it were made now: the same id, another message."""
    return cmd.Play(version=version, id=command.id, action=command.action)
