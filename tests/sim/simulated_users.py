"""People of a world: their pages, which fold messages as the client does, and what they do with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from landfall.tables.live.bot_and_clock_driver import FOLLOW_UP_PAUSE_SHARE
from landfall.tables.live.subscriber import User
from landfall.tables.protocol import commands as cmd
from tests.sim.simulated_connection import Known, Line, action_numbers
from tests.sim.simulated_disk import DiskError

if TYPE_CHECKING:
    from tests.sim.simulated_process import Process
    from tests.sim.simulated_world import World


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

    def take(self, message: dict[str, Any], known: Known) -> None:
        """What the client does with a message."""
        kind = message["t"]
        fresh = self.known.view is None or known.seat != self.known.seat
        self.known = known
        if kind in ("ack", "refused") and message.get("id"):
            self.unsure.pop(message["id"], None)
        if kind == "refused" and message.get("code") == "no_table" and self.table in self.world.disk.deleted:
            self.close()
        if kind in ("welcome", "update"):
            if self.world.calm and message["n"] < (self.since or 0):
                self.world.broken("told backwards", f"{self.name}: {kind} {message['n']} after {self.since}")
            self.since = message["n"]
            first = message.get("first", 0)
            if (kind == "welcome" and fresh) or not self.base <= first <= self.base + len(self.events):
                self.base, self.events = first, []
            self.events = self.events[: first - self.base] + message.get("events", [])
            for event in message.get("again", []):
                if event["n"] >= self.base:
                    self.events[event["n"] - self.base] = {k: v for k, v in event.items() if k != "n"}
            self.remembers(known)
            self.person.watch_a_bot(self)
        if kind == "welcome" and message.get("chat"):
            self.chat = message["chat"]
        elif kind == "chat" and all(line["n"] != message["n"] for line in self.chat):
            self.chat = [*self.chat, message][-200:]

    def remembers(self, known: Known) -> None:
        """What this page keeps of what happened is what a newcomer to its seat would be told: nothing more, no less."""
        truth = self.world.disk.log_of(self.table).moments[known.n - 1]
        if truth.match is not None and self.events != truth.events(self.base, known.seat):
            self.world.broken("remembers what is not told", f"{self.name}: seat {known.seat} at {known.n}")

    def actions(self) -> list[int]:
        """What is offered now."""
        return action_numbers(self.known.choices)


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
            await process.server.delete_user(id_)
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
            command = choice_with_version(chance.choice(self.old), page.known.version)
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


def choice_with_version(command: cmd.Play, version: int) -> cmd.Play:
    """The same choice, as if it were made now: the same id, another message."""
    return cmd.Play(version=version, id=command.id, action=command.action)
