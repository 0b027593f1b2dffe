"""A WebSocket a table. Speaks ASGI itself: each message is one call, with nothing in between."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Final
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
from landfall.web.limits import Bucket
from landfall.web.safety import may_ask

if TYPE_CHECKING:
    from landfall.web.server import Server

DECODER: Final = msgspec.json.Decoder(AnyCommand)
GONE, SLOW, RUDE, NO_TABLE, GOING, SIGNED_OUT = 1000, 4408, 4429, 4404, 1012, 4401
FREE: Final = (cmd.Play, cmd.Undo, cmd.Look, cmd.Explain, cmd.Preview, cmd.Hint, cmd.Events, cmd.Ping)
PATIENCE: Final = 200  # messages too fast or unreadable, one after the other, before the door is shut


class Socket:
    """One connection's way out: a message goes at once if it can, else it waits its turn, but not for ever."""

    def __init__(self, send: Send, most: int) -> None:
        self.raw = send
        self.most = most
        self.waiting: deque[str] = deque()
        self.draining: asyncio.Task[None] | None = None
        self.dead = False
        self.proof: Proof | None = None  # who is at the other end

    def send(self, text: str) -> None:
        """Send, never wait. The server's `send` waits before it writes, and only while its buffer is full; so one step
        of it either has sent all or has done nothing."""
        if self.dead:
            return
        if self.draining is None:
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
        self.waiting.append(text)
        if len(self.waiting) > self.most:
            self.dead = True
            self.waiting.clear()

    async def drain(self) -> None:
        """Send what waits, as fast as the client takes it."""
        try:
            while self.waiting and not self.dead:
                await self.raw({"type": "websocket.send", "text": self.waiting.popleft()})
            if self.dead:
                await self.raw({"type": "websocket.close", "code": SLOW, "reason": "too slow"})
        except Exception:  # gone
            self.dead = True
        finally:
            self.draining = None


class TableSocket:
    """The endpoint /ws/tables/{table}."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.open: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        headers = Headers(scope=scope)
        address = scope["client"][0] if scope.get("client") else ""
        server = self.server
        if not may_ask(server.settings, headers) or self.open[address] >= server.settings.limits.sockets:
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
        socket = Socket(send, server.settings.limits.queue)
        try:
            after = after_of(scope)
            table = table_id(scope["path_params"]["table"])
            watcher = await server.house.watch(table, visitor(proof), socket.send, after)
        except Refused as error:
            socket.send(encoded(refusal(error, None, None)))
            await send({"type": "websocket.close", "code": NO_TABLE, "reason": error.code})
            return
        socket.proof = proof
        server.live.add(socket)
        try:
            await self.listen(receive, send, socket, watcher)
        finally:
            server.live.discard(socket)
            await server.house.unwatch(watcher)

    async def listen(self, receive: Receive, send: Send, socket: Socket, watcher: Watcher) -> None:
        """Carry out what comes until the client goes."""
        limits = self.server.settings.limits
        bucket, rude = Bucket(limits.messages), 0
        orders = self.server.house.orders
        while True:
            message = await receive()
            if message["type"] != "websocket.receive" or socket.dead:
                return
            self.server.metrics.received.inc()
            data = message.get("text") or message.get("bytes") or ""
            fault = self.fault(data, bucket)
            if fault is None:
                try:
                    command = DECODER.decode(data)
                except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
                    fault = Refused("bad_message", reason=str(error)[:200])
                else:
                    fault = self.too_often(command, watcher.person)
            if fault is not None:
                socket.send(encoded(refusal(fault, None, None)))
                rude += 1
                if rude > PATIENCE:
                    await send({"type": "websocket.close", "code": RUDE, "reason": "too much"})
                    return
                continue
            rude = 0
            try:
                orders.take(watcher, command)
            except Exception:
                self.server.log.exception("a command failed")
                socket.send(encoded(refusal(Refused("store"), command, None)))

    def fault(self, data: str | bytes, bucket: Bucket) -> Refused | None:
        """What is wrong with a message before it is read."""
        most = self.server.settings.limits.message
        if len(data) > most:
            return Refused("too_large", most=most)
        if not bucket.take():
            return Refused("too_fast")
        return None

    def too_often(self, command: AnyCommand, person: str | None) -> Refused | None:
        """Talk, and what is done at a table beside playing, are bounded by person, however many sockets they have."""
        rate = self.server.chat if isinstance(command, Say) else self.server.changes
        if person is None or isinstance(command, FREE) or rate.take(person):
            return None
        return Refused("too_fast")


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
