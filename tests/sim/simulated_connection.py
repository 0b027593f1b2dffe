"""Connections of a world: a page at one end, a process at the other.

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
from landfall.core.json_patch import apply_patch
from landfall.tables.live.subscriber import Subscriber
from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol.errors import Refused
from landfall.tables.protocol.server_messages import ServerMessage, encode_json, make_refusal_message
from tests.sim.log_checker import Moment
from tests.sim.simulated_disk import DiskError

if TYPE_CHECKING:
    from tests.sim.simulated_process import Process
    from tests.sim.simulated_users import Page

MAX_UNREAD_MESSAGES = 40  # messages a slow reader may be behind before the line is cut
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
            self.subscriber = await hub.subscribe_to_table(self.table, self.page.person.user, self.send, self.since)
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
                await hub.unsubscribe_from_table(self.subscriber)
            except DiskError:
                pass
            except Exception as error:
                self.failed("going", error)
            self.process.lines.discard(self)

    async def carry_out(self, command: cmd.AnyCommand) -> None:
        assert self.subscriber is not None
        self.world.note(self.page.name, "asks", command)
        try:
            await self.process.hub.command_handler.handle_command_and_wait(self.subscriber, command)
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
        self.send(encode_json(make_refusal_message(error, command, None)))

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
            message = decode_known_message(text)
            self.world.note(
                self.page.name, "is told", message["t"], message.get("n"), message.get("version"), message.get("code")
            )
            self.known = self.examined(message, self.known)
        except Exception as error:
            self.world.broken("told", f"{self.page.name} cannot read {text[:300]}: {error!r}", error)
            return
        self.out.append((message, self.known))
        if len(self.out) > MAX_UNREAD_MESSAGES:
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

    def examined(self, message: dict[str, Any], known: Known) -> Known:
        """What the page will know after a message, which must be on disk, true, and for these eyes."""
        kind = message["t"]
        log = self.world.disk.log_of(self.table)
        for name in ("n", "version"):
            if kind not in ("chat", "hint", "preview") and message.get(name) is not None:
                if message[name] > log.seq:
                    self.wrong("told before it was on disk", f"{kind} {name}={message[name]}, on disk are {log.seq}")
                    return known
        if kind in ("welcome", "update", "table"):
            self.is_new(message)
        if kind == "welcome":
            self.welcomed = True
            self.chat_is_there(message.get("chat", []))
            known = replace(
                known, you=message.get("you"), seat=message.get("seat"), seats=tuple(message.get("seats", ())),
                view=message.get("view"), table=self.about(message["table"], known, message["n"]),
            )  # fmt: skip
            return self.position(message, known, log.moments[message["n"] - 1])
        if kind == "update":
            view = apply_patch(known.view or {}, message.get("patch", {}))
            known = replace(known, view=view, seat=message.get("seat", known.seat))
            return self.position(message, known, log.moments[message["n"] - 1])
        if kind == "table":
            return replace(known, table=self.about(message, known, message["n"]), n=message["n"])
        if kind == "chat":
            self.chat_is_there([message])
        elif kind == "ack":
            self.is_acknowledged(message)
        elif kind == "done" and message.get("table") is not None and not self.world.disk.was_there(message["table"]):
            self.wrong("told before it was on disk", f"a rematch {message['table']}")
        elif kind == "events":
            since = log.moments[max(known.n, 1) - 1 :]  # the process may not have heard of the last ones
            if not any(
                message.get("events", []) == truth.events(message.get("first", 0), known.seat) for truth in since
            ):
                self.wrong("told what is not so", f"events of seat {known.seat} asked for at {known.n}")
        elif kind == "hint" and message["version"] == known.version and known.choices:
            if message["action"] not in action_numbers(known.choices):
                self.wrong("told what is not so", f"a hint, {message['text']}, that is no choice at {known.n}")
        return known

    def is_new(self, message: dict[str, Any]) -> None:
        """Where one process writes and nothing fails, it knows all of the log but what it is just writing."""
        log, store = self.world.disk.log_of(self.table), self.process.store
        if (
            self.world.calm
            and not self.world.shared
            and not store.database.under_way[self.table]
            and message["n"] < log.seq
        ):
            self.wrong("told what is old", f"{message['t']} {message['n']}, the log is at {log.seq}")

    def about(self, table: dict[str, Any], known: Known, n: int) -> dict[str, Any]:
        if n < known.n:
            self.wrong("told backwards", f"table {n} after {known.n}")
        status = self.world.disk.log_of(self.table).moments[n - 1].status
        if table["status"] != status:
            self.wrong("told what is not so", f"table {n} is {table['status']}, on disk {status}")
        return table

    def position(self, message: dict[str, Any], known: Known, truth: Moment) -> Known:
        """A view, its version and choices, and what happened: as the log says, for a seat that is theirs."""
        n, version, seat = message["n"], message["version"], known.seat
        if n < known.n or version < known.version:
            self.wrong("told backwards", f"{n}/{version} after {known.n}/{known.version}")
        if version != truth.version:
            self.wrong("told what is not so", f"version {version} at {n}, on disk {truth.version}")
        choices = message.get("choices", [])
        if seat is not None and not truth.may_look(self.page.person.id, seat):
            self.wrong("a secret", f"{self.page.person.id} looks through seat {seat} at {n}")
        elif truth.match is not None:
            if known.view != truth.view(seat):
                self.wrong(
                    "told what is not so",
                    f"a view of seat {seat} at {n}: {describe_differing_keys(known.view, truth.view(seat))}",
                )
            if choices and choices != truth.choices(seat):
                self.wrong("told what is not so", f"choices of seat {seat} at {n}")
            self.knows(message, truth, seat)
        elif known.view:
            self.wrong("told what is not so", "a view before there is a match")
        clock = message.get("clock")
        return replace(known, n=n, version=version, choices=choices, runs=clock["runs"] if clock else None)

    def knows(self, message: dict[str, Any], truth: Moment, seat: int | None) -> None:
        first = message.get("first", 0)
        if message.get("events", []) != truth.events(first, seat):
            self.wrong("told what is not so", f"events of seat {seat} from {first} on at {truth.seq}")
        if first > truth.happened:
            self.wrong("told what is not so", f"events from {first} on, of {truth.happened}")

    def chat_is_there(self, lines: list[dict[str, Any]]) -> None:
        talk = {(line.n, line.text) for line in self.world.disk.said.get(self.table, [])}
        for line in lines:
            if (line["n"], line["text"]) not in talk:
                self.wrong("told before it was on disk", f"chat {line}")

    def is_acknowledged(self, message: dict[str, Any]) -> None:
        log = self.world.disk.log_of(self.table)
        found = decode(log.rows[message["n"] - 1][3]).get("id", "")
        if found.partition(".")[2] != message["id"]:
            self.wrong(
                "acknowledged, but not on disk", f"{message['id']} as {message['n']}, where {found or 'none'} is"
            )


def action_numbers(choices: list[dict[str, Any]]) -> list[int]:
    """The choices offered, by their numbers."""
    return [row[group["keys"].index("action")] for group in choices for row in group["rows"]]


def describe_differing_keys(one: Any, other: Any) -> str:
    """Where two views differ."""
    if not isinstance(one, dict) or not isinstance(other, dict):
        return f"{str(one)[:100]} and {str(other)[:100]}"
    keys = [key for key in {**one, **other} if one.get(key) != other.get(key)]
    return "; ".join(f"{key}: {str(one.get(key))[:60]} and {str(other.get(key))[:60]}" for key in keys[:4])


@lru_cache(maxsize=16)  # the same goes to many
def decode_known_message(text: str) -> dict[str, Any]:
    """A message, which must be one of those there are, with no more in it than those have."""
    message: dict[str, Any] = decode(text)
    if not message.keys() <= FIELDS[message["t"]]:
        raise ValueError(f"{message['t']} with {sorted(message.keys() - FIELDS[message['t']])}")
    return message
