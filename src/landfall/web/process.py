"""One server process: its store, its tables, who is connected."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI

from landfall.store.store import Store
from landfall.store.where import store_for
from landfall.tables.errors import Refused
from landfall.tables.hub import Hub
from landfall.tables.lookbacks import Lookbacks
from landfall.tables.thinkers import ProcessThinkers, Thinkers
from landfall.web.connection import GOING, SIGNED_OUT, Socket
from landfall.web.encoding import encoded
from landfall.web.identity import Identities, Proof
from landfall.web.limits import Buckets, Once, times
from landfall.web.making import Making
from landfall.web.metrics import Metrics
from landfall.web.models import Listed
from landfall.web.previews import Pictures
from landfall.web.settings import Settings

SOCKETS = 3  # that one person is likely to have: what all of them may ask is that many times what one may
PROBE_TIMEOUT_S = 4.0  # after which a database that does not answer is said to be away
FIRST_TRIES = 50_000  # at puzzles, by address: one counts once


class Server:
    """Everything a process needs, made by `create_app`."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.log = logging.getLogger("landfall")
        self.store: Store = store_for(settings.database)
        env = settings.env()
        env.encode = encoded
        env.link = lambda table: f"{settings.base}/t/{table}"
        thinkers = ProcessThinkers(settings.bot_workers) if settings.bot_workers else Thinkers()
        self.hub = Hub(self.store, thinkers, env)
        self.hub.people_changed = lambda: self.soon(self.sweep())
        self.lookbacks = Lookbacks(self.hub)
        self.identities = Identities(self.store, env, settings.recheck)
        self.metrics = Metrics(self.hub)
        env.written = self.metrics.written
        self.live: set[Socket] = set()
        self.requests = Buckets(settings.limits.requests)
        self.new_sockets = Buckets(settings.limits.new_sockets)
        self.newcomers = Buckets(settings.limits.newcomers)
        self.work = Buckets(settings.limits.tables_here)
        self.making = Making(settings, self.store, env)
        self.questions = Buckets(times(settings.limits.questions, SOCKETS))
        self.tellings = Buckets(times(settings.limits.tellings, SOCKETS))
        self.pictures = Pictures()
        self.first_tries = Once(FIRST_TRIES)
        self.tries = Buckets(settings.limits.tries)
        self.renamings = Buckets(settings.limits.renamings)
        self.chat = Buckets(settings.limits.chat)
        self.changes = Buckets(settings.limits.changes)
        self.parted: set[str] = set()  # people who were forgotten, and are so here
        self.sweeping = asyncio.Lock()
        self.probed = 0.0, True  # when it was last tried to write something, and whether it went
        self.probing: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def lifespan(self, app: FastAPI) -> AsyncIterator[None]:
        """Open, serve, close cleanly."""
        await self.store.open()
        await self.identities.open()
        await self.hub.open()
        self.soon(self.look_after_people())
        yield
        await self.hub.close()
        await self.store.close()

    def turns(self, found: Listed) -> Listed:
        """A listed table with what is known only where it is live, if that is here."""
        live = self.hub.live_tables.get(found.table)
        if live is not None:
            found.turn, found.here = live.table.actor, len(live.here())
        return found

    # --- who is signed out or forgotten -----------------------------------------------------------------------

    def soon(self, work: Coroutine[Any, Any, None]) -> None:
        self.hub.spawn(work)

    async def healthy(self) -> bool:
        """Whether the database can be read and written; tried once a second at most, however many ask."""
        if self.probed[0] < time.monotonic() - 1:
            if self.probing is None or self.probing.done():
                self.probing = self.hub.spawn(self.probe())
            await asyncio.wait({self.probing}, timeout=PROBE_TIMEOUT_S)
            if not self.probing.done():
                return False
        return self.probed[1]

    async def probe(self) -> None:
        """Find out whether the database can be written."""
        try:
            await self.store.probe()
        except Exception as error:
            self.log.warning("the database cannot be written: %s", error)
            self.probed = time.monotonic(), False
        else:
            self.probed = time.monotonic(), True

    async def look_after_people(self) -> None:
        """Other processes sign people out and forget them, too, `landfall host` among them."""
        while True:
            try:
                await self.sweep()
            except Exception as error:  # a database says in many ways that it is away
                self.log.warning("it could not be looked up who was signed out: %s", error)
            await asyncio.sleep(self.settings.recheck)

    async def sweep(self) -> None:
        """Close the sockets of whoever was signed out; take whoever was forgotten away from the tables."""
        async with self.sweeping:
            self.identities.known.clear()
            asked = [(socket, socket.proof) for socket in self.live if socket.proof is not None]
            signed = {proof.key for _, proof in asked if proof.session is None}
            good = await self.store.good({proof.key for _, proof in asked} - signed, signed)
            for socket, proof in asked:  # and not those who came meanwhile: nothing was asked about them
                if proof.key not in good:
                    await self.shut(socket, SIGNED_OUT)
            for person, tables in await self.store.forgotten():
                if tables or person not in self.parted:
                    await self.forget(person, tables)
            if not self.store.scrubbed:
                await self.store.scrub()

    async def forget(self, person: str, tables: list[str]) -> None:
        """Take somebody away from all tables; what cannot be written now is tried again at the next sweep."""
        failed = await self.hub.forget(person, tables)
        await self.store.forget_person(person)  # what a socket wrote before it was closed
        left = await self.store.note_departed(person, set(tables) - failed)
        if not failed and not left:
            self.parted.add(person)

    def keep_sockets(self, before: Proof, after: Proof) -> None:
        """Somebody's cookie was replaced: their sockets here stay open."""
        for socket in self.live:
            if socket.proof is not None and socket.proof.key == before.key:
                socket.proof = after

    @asynccontextmanager
    async def trying(self, account: str, address: str, proof: Proof | None) -> AsyncIterator[None]:
        """A try at a password. Too many wrong ones from one address wait, but not the owner, nor another address."""
        who = f"{account} {address}"
        own = proof is not None and proof.person.account == account
        if not own and not self.tries.take(who):
            raise Refused("tries")
        yield
        self.tries.forgive(who)

    async def shut(self, socket: Socket, code: int) -> None:
        socket.close(code)

    async def hang_up(self) -> None:
        """Tell every client that this process goes, so that it comes back to the next one."""
        for socket in list(self.live):
            await self.shut(socket, GOING)
