"""A WebSocket a table. Speaks ASGI itself: each message is one call, with nothing in between."""

from __future__ import annotations

import asyncio
from collections import Counter
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from landfall.tables import commands as cmd
from landfall.tables.commands import AnyCommand, Say
from landfall.tables.errors import Refused
from landfall.tables.news import refusal
from landfall.tables.watcher import Watcher
from landfall.tables.writing import table_id
from landfall.web.connection import NO_TABLE, RUDE, WIRE, Socket, Wire
from landfall.web.encoding import Unreadable, decoded, encoded
from landfall.web.identity import COOKIE, visitor
from landfall.web.limits import Bucket, whence
from landfall.web.making import MAKES
from landfall.web.process import Server
from landfall.web.safety import may_ask

PATH: Final = "/ws/tables/"
QUESTIONS: Final = (cmd.Explain, cmd.Preview)
TELLINGS: Final = (cmd.Look, cmd.Events, cmd.Hint)
FREE: Final = (cmd.Play, cmd.Undo, *QUESTIONS, *TELLINGS, cmd.Ping)
PATIENCE: Final = 200  # messages too fast or unreadable, one after the other, before the door is shut


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
        self.attending = False  # a message waits for that: none may overtake it

    def heard(self, data: bytes) -> bool:
        """Take a message at once. False: one before it takes time, so this one has to wait."""
        if self.making is not None or self.attending or self.socket.dead:
            return False
        self.take(data)
        return True

    async def attend(self, data: str | bytes) -> None:
        """Take a message when those before it are done."""
        self.attending = True
        while self.making is not None:
            await asyncio.wait({self.making})
        self.attending = False
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
                self.making = self.server.hub.spawn(self.make(command))
            else:
                self.server.hub.orders.take(self.watcher, command)
        except Refused as error:
            self.socket.send(encoded(refusal(error, command)))
        except Exception:
            self.server.log.exception("a command failed")
            self.socket.send(encoded(refusal(Refused("store"), command, None)))

    async def make(self, command: AnyCommand) -> None:
        """What asks the store first whether it may be."""
        try:
            await self.server.making.commanded(self.watcher, self.address, command)
            self.server.hub.orders.take(self.watcher, command)
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
            self.socket.close(RUDE)
        most = self.server.settings.limits.message
        if len(data) > most:
            raise Refused("too_large", most=most)
        if not self.messages.take():
            raise Refused("too_fast")
        try:
            command = decoded(data)
        except Unreadable as error:
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
        full = self.open[address] >= server.settings.limits.sockets or not server.new_sockets.take(address)
        if not known or full or not may_ask(server.settings, headers):
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
        wire: Wire = scope["extensions"][WIRE]
        socket = Socket(wire, server.settings.limits)
        try:
            after = after_of(scope)
            table = table_id(scope["path"].removeprefix(PATH))
            address = whence(scope.get("client"))
            watcher = await server.hub.watch(table, visitor(proof), socket.send, after, address)
        except Refused as error:
            socket.send(encoded(refusal(error)))
            socket.close(NO_TABLE, error.code)
            return
        socket.fresh = watcher.caught_up
        socket.proof = proof
        server.live.add(socket)
        hearing = Hearing(server, socket, watcher, address)
        wire.on_message = hearing.heard
        try:
            while (message := await receive())["type"] == "websocket.receive" and not socket.dead:
                await hearing.attend(message["bytes"])
        finally:
            wire.on_message = None
            server.live.discard(socket)
            await server.hub.unwatch(watcher)


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
