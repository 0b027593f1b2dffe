"""A WebSocket a table. Speaks ASGI itself: each message is one call, with nothing in between."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Final, Protocol
from urllib.parse import parse_qs

import msgspec
from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from landfall.tables import commands as cmd
from landfall.tables.commands import AnyCommand, Say
from landfall.tables.errors import Refused
from landfall.tables.news import encoded, refusal
from landfall.tables.watcher import Watcher
from landfall.tables.writing import table_id
from landfall.web.identity import COOKIE, Proof, visitor
from landfall.web.limits import Bucket, whence
from landfall.web.making import MAKES
from landfall.web.safety import may_ask
from landfall.web.settings import Limits

if TYPE_CHECKING:
    from landfall.web.server import Server

DECODER: Final = msgspec.json.Decoder(AnyCommand)
RUDE, NO_TABLE, GOING, SIGNED_OUT = 4429, 4404, 1012, 4401
WIRE: Final = "landfall.wire"  # the connection itself, where the server gives it away
PATH: Final = "/ws/tables/"
QUESTIONS: Final = (cmd.Explain, cmd.Preview)
TELLINGS: Final = (cmd.Look, cmd.Events, cmd.Hint)
FREE: Final = (cmd.Play, cmd.Undo, *QUESTIONS, *TELLINGS, cmd.Ping)
PATIENCE: Final = 200  # messages too fast or unreadable, one after the other, before the door is shut


class Wire(Protocol):
    """A connection, as far as it can be used without the framework in between."""

    heard: Callable[[bytes], bool] | None  # takes a message at once; False: the framework shall keep it until asked

    def write(self, text: str) -> bool:
        """Send at once; False: it cannot be done now."""

    async def ready(self) -> None:
        """Wait until something can be sent."""

    def cut(self) -> None:
        """End it without a word."""


class Socket:
    """One connection's way out: a message goes at once if it can, else it waits its turn; but what waits is not much.

    A client too far behind is told everything anew (`fresh`) once it reads again, and cut off if it does not.
    """

    def __init__(self, send: Send, limits: Limits, wire: Wire | None = None) -> None:
        self.raw = send
        self.limits = limits
        self.wire = wire
        self.waiting: deque[str] = deque()
        self.bytes = 0  # of what waits
        self.behind = False
        self.fresh: Callable[[], Awaitable[str]] | None = None
        self.draining: asyncio.Task[None] | None = None
        self.dead = False
        self.proof: Proof | None = None  # who is at the other end

    def send(self, text: str) -> None:
        """Send, never wait. The server's `send` waits before it writes, and only while its buffer is full; so one step
        of it either has sent all or has done nothing."""
        if self.dead:
            return
        if self.draining is None:
            if self.wire is not None and self.wire.write(text):
                return
            step = self.raw({"type": "websocket.send", "text": text})
            try:
                step.send(None)  # type: ignore[attr-defined]
            except StopIteration:
                return
            except Exception:  # the client has gone; the receiving side will hear of it
                self.dead = True
                return
            step.close()  # type: ignore[attr-defined]
            self.draining = asyncio.get_running_loop().create_task(self.drain())
        if not self.behind:
            self.wait(text)

    def wait(self, text: str) -> None:
        """Let a message wait; or, if there are too many, none."""
        self.waiting.append(text)
        self.bytes += sys.getsizeof(text)
        if len(self.waiting) > self.limits.queue or (self.bytes > self.limits.queue_bytes and len(self.waiting) > 1):
            self.waiting.clear()
            self.bytes = 0
            self.behind = True

    async def drain(self) -> None:
        """Send what waits, as fast as the client takes it."""
        try:
            while not self.dead:
                if self.wire is not None:  # what is told anew is told as it is when it can be read
                    await asyncio.wait_for(self.wire.ready(), self.limits.patience)
                text = await self.next()
                if text is None:
                    return
                await asyncio.wait_for(self.raw({"type": "websocket.send", "text": text}), self.limits.patience)
        except Exception:  # gone, or it takes nothing
            self.dead = True
            if self.wire is not None:
                self.wire.cut()
        finally:
            self.draining = None

    async def next(self) -> str | None:
        """What is to be sent now; None: it has caught up."""
        if self.waiting:
            text = self.waiting.popleft()
            self.bytes -= sys.getsizeof(text)
            return text
        if not self.behind:
            return None
        text = await self.fresh() if self.fresh is not None else ""
        self.behind = False  # from here on it hears again what happens
        return text or None


class Hearing:
    """What comes in on one socket, message by message: read, bounded, and handed to its table."""

    def __init__(self, server: Server, socket: Socket, watcher: Watcher, address: str) -> None:
        limits = server.settings.limits
        self.server = server
        self.socket = socket
        self.watcher = watcher
        self.address = address
        self.who = watcher.person or address
        self.messages = Bucket(limits.messages)
        self.questions = Bucket(limits.questions)  # what is dear to answer; the sockets of one person share more
        self.tellings = Bucket(limits.tellings)
        self.rude = 0  # messages too fast or unreadable, one after the other
        self.making: asyncio.Task[None] | None = None

    def heard(self, data: bytes) -> bool:
        """Take a message at once. False: one before it takes time, so this one has to wait."""
        if self.making is not None or self.socket.dead:
            return False
        self.take(data)
        return True

    async def attend(self, data: str | bytes) -> None:
        """Take a message when those before it are done."""
        while self.making is not None:
            await asyncio.wait({self.making})
        self.take(data)

    def take(self, data: str | bytes) -> None:
        """One message: carried out, or refused with the reason."""
        self.server.metrics.received += 1
        command: AnyCommand | None = None
        try:
            command = self.read(data)
            self.rude = 0
            self.spend(command)
            if type(command) in MAKES:
                self.making = self.server.house.spawn(self.make(command))
            else:
                self.server.house.orders.take(self.watcher, command)
        except Refused as error:
            self.socket.send(encoded(refusal(error, command)))
        except Exception:
            self.server.log.exception("a command failed")
            self.socket.send(encoded(refusal(Refused("store"), command, None)))

    async def make(self, command: AnyCommand) -> None:
        """What asks the store first whether it may be."""
        try:
            await self.server.making.commanded(self.watcher, self.address, command)
            self.server.house.orders.take(self.watcher, command)
        except Refused as error:
            self.socket.send(encoded(refusal(error, command)))
        except Exception:
            self.server.log.exception("a command failed")
            self.socket.send(encoded(refusal(Refused("store"), command, None)))
        finally:
            self.making = None

    def read(self, data: str | bytes) -> AnyCommand:
        """What a message says. Refused: it is too long, too fast, or says nothing."""
        self.rude += 1
        if self.rude > PATIENCE:
            self.server.house.spawn(self.server.shut(self.socket, RUDE))
        most = self.server.settings.limits.message
        if len(data) > most:
            raise Refused("too_large", most=most)
        if not self.messages.take():
            raise Refused("too_fast")
        try:
            command: AnyCommand = DECODER.decode(data)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise Refused("bad_message", reason=str(error)[:200]) from None
        if type(command) not in FREE and self.watcher.person is not None:
            # Talk, and what is done at a table beside playing, are bounded by person, however many sockets they have.
            rate = self.server.chat if type(command) is Say else self.server.changes
            if not rate.take(self.watcher.person):
                raise Refused("too_fast")
        return command

    def spend(self, command: AnyCommand) -> None:
        """Refused: too many that are dear to answer."""
        if type(command) in QUESTIONS:
            own, shared = self.questions, self.server.questions
        elif type(command) in TELLINGS:
            own, shared = self.tellings, self.server.tellings
        else:
            return
        if not own.take() or not shared.take(self.who):
            raise Refused("too_fast")


class TableSocket:
    """The endpoint /ws/tables/{table}."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.open: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        headers = Headers(scope=scope)
        address = whence(scope.get("client"))
        server = self.server
        known = scope["path"].startswith(PATH)
        if not known or not may_ask(server.settings, headers) or self.open[address] >= server.settings.limits.sockets:
            await send({"type": "websocket.close", "code": 1008})
            return
        self.open[address] += 1
        server.metrics.sockets.inc()
        try:
            await self.serve(scope, receive, send, headers)
        finally:
            server.metrics.sockets.dec()
            self.open[address] -= 1
            if not self.open[address]:
                del self.open[address]

    async def serve(self, scope: Scope, receive: Receive, send: Send, headers: Headers) -> None:
        server = self.server
        proof = await server.identities.who(cookie_of(headers))
        await send({"type": "websocket.accept"})
        socket = Socket(send, server.settings.limits, scope.get("extensions", {}).get(WIRE))
        try:
            after = after_of(scope)
            table = table_id(scope["path"].removeprefix(PATH))
            watcher = await server.house.watch(table, visitor(proof), socket.send, after)
        except Refused as error:
            socket.send(encoded(refusal(error)))
            await send({"type": "websocket.close", "code": NO_TABLE, "reason": error.code})
            return
        socket.fresh = watcher.caught_up
        socket.proof = proof
        server.live.add(socket)
        hearing = Hearing(server, socket, watcher, whence(scope.get("client")))
        if socket.wire is not None:
            socket.wire.heard = hearing.heard
        try:
            while (message := await receive())["type"] == "websocket.receive" and not socket.dead:
                await hearing.attend(message.get("text") or message.get("bytes") or "")
        finally:
            if socket.wire is not None:
                socket.wire.heard = None
            server.live.discard(socket)
            await server.house.unwatch(watcher)


def cookie_of(headers: Headers) -> str | None:
    """The cookie that says who it is."""
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return None
    return found.value if found is not None else None


def after_of(scope: Scope) -> int | None:
    """The last entry the client knows, from `?after=`."""
    given = parse_qs(scope["query_string"].decode("latin-1")).get("after", [""])[0]
    return int(given) if given.isdecimal() and len(given) < 10 else None
