"""Who somebody is: a guest with a chosen name, or the owner of an account; known by a session, which can be ended."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from landfall.store.names import skeleton
from landfall.store.rows import Person, Session
from landfall.store.store import Store
from landfall.tables import writing
from landfall.tables.environment import Environment
from landfall.tables.errors import Refused
from landfall.tables.fair_queue import FairQueue
from landfall.tables.watcher import Visitor

T = TypeVar("T")
COOKIE: Final = "landfall"
YEAR: Final = 365 * 24 * 3600
SEEN: Final = 300_000  # milliseconds until it is noted again that somebody is there
HASHER: Final = PasswordHasher()  # argon2id, with the library's parameters
AT_ONCE: Final = 2  # passwords tried at once: each takes memory
MAX_WAITING_HERE: Final = 4  # tries of one address that wait
MAX_WAITING: Final = 40  # tries of all
BROWSERS: Final = {
    "Edg": "Edge", "OPR/": "Opera", "SamsungBrowser": "Samsung Internet", "Firefox": "Firefox", "FxiOS": "Firefox",
    "Chrome": "Chrome", "CriOS": "Chrome", "Safari": "Safari",
}  # fmt: skip
SYSTEMS: Final = {
    "Android": "Android", "iPhone": "iPhone", "iPad": "iPad", "Windows": "Windows", "CrOS": "ChromeOS",
    "Macintosh": "Mac", "Linux": "Linux",
}  # fmt: skip


@dataclass(frozen=True)
class Proof:
    """Who somebody is, and by which session; None: by a cookie signed before there were sessions."""

    person: Person
    session: str | None

    @property
    def key(self) -> str:
        """What must still be good for this to prove anything."""
        return self.session or self.person.id


def clean_password(password: str) -> str:
    if not 8 <= len(password) <= 200:
        raise Refused("password")
    return password


def hashed(token: str) -> str:
    """What is kept of a session's cookie: it leads from a cookie to a session, never back."""
    return hashlib.blake2b(token.encode(), digest_size=16).hexdigest()


def device_of(agent: str) -> str:
    """A browser and a system, as coarse as their owner needs to tell them apart; "" if unknown."""
    found = [next((name for word, name in known.items() if word in agent), "") for known in (BROWSERS, SYSTEMS)]
    return " · ".join(word for word in found if word)


class PasswordQueue:
    """Hashing takes a processor for a while: it is done off the loop, in turn by address, and only so much waits."""

    def __init__(self) -> None:
        self.queue = FairQueue(AT_ONCE, 1)
        self.waiting: Counter[str] = Counter()

    async def run(self, address: str, account: str, task: Callable[..., T], *args: object) -> T:
        """Do something with a password. Refused: too many wait."""
        if self.waiting[address] >= MAX_WAITING_HERE or self.waiting.total() >= MAX_WAITING:
            raise Refused("too_fast")
        who = f"{address} {account}"
        self.waiting[address] += 1
        try:
            await self.queue.take(who)
        finally:
            self.waiting -= Counter([address])  # drops it at 0
        # A thread cannot be stopped: whoever goes meanwhile keeps the place until it is done.
        return await asyncio.shield(self.in_thread(who, task, *args))

    async def in_thread(self, who: str, task: Callable[..., T], *args: object) -> T:
        try:
            return await asyncio.to_thread(task, *args)
        finally:
            self.queue.give_back(who)


class Identities:
    """Guests and accounts of one server."""

    def __init__(self, store: Store, env: Environment, trust: float = 3.0) -> None:
        self.store = store
        self.env = env
        self.trust = trust  # seconds until it is looked up again whether a session is still good
        self.key = b""
        self.known: dict[str, tuple[float, Proof]] = {}  # by hash of the cookie: until when, and who
        self.passwords = PasswordQueue()

    async def open(self) -> None:
        """The key of cookies signed before is kept with the data, so that an update forgets nobody."""
        self.key = bytes.fromhex(await self.store.secret("cookie"))
        await self.store.end_unseen(self.env.time.now() - YEAR * 1000)

    def sign(self, person: str) -> str:
        return hmac.new(self.key, person.encode(), hashlib.sha256).hexdigest()[:40]

    async def who(self, cookie: str | None) -> Proof | None:
        """Whom a cookie names, if it is one of ours and was not revoked."""
        if not cookie or len(cookie) > 200 or not cookie.isascii():
            return None
        id_ = hashed(cookie)
        until, proof = self.known.get(id_, (0.0, None))
        if until < time.monotonic():
            proof = await self.looked_up(cookie, id_)
            if proof is None:
                self.known.pop(id_, None)
                return None
            if len(self.known) > 10_000:
                self.known.clear()
            self.known[id_] = time.monotonic() + self.trust, proof
        return proof

    async def looked_up(self, cookie: str, id_: str) -> Proof | None:
        """The same, as the database knows it now."""
        if "." in cookie:
            name, _, signature = cookie.partition(".")
            fine = hmac.compare_digest(signature.encode(), self.sign(name).encode())
            person = await self.store.person(name) if fine else None
            proof = Proof(person, None) if person is not None and person.signed else None
        else:
            found = await self.store.session(id_)
            proof = Proof(found[0], id_) if found is not None else None
        now = self.env.time.now()
        if proof is not None and proof.person.seen < now - SEEN:
            await self.store.seen(proof.person.id, proof.session, now)
        return proof

    async def begin(self, person: Person, device: str = "") -> str:
        """Sign somebody in; what their cookie is to say."""
        token, now = secrets.token_urlsafe(24), self.env.time.now()
        await self.store.add_session(Session(hashed(token), person.id, now, now, device))
        return token

    async def rotate(self, person: Person, device: str = "") -> str:
        """Sign somebody in anew; every cookie they had before, and whoever else knows it, proves nothing any more."""
        token, now = secrets.token_urlsafe(24), self.env.time.now()
        await self.store.replace_sessions(Session(hashed(token), person.id, now, now, device))
        self.known.clear()
        await self.store.notify("people", "")
        return token

    async def end(self, person: Person, *, only: str | None = None, but: str | None = None) -> int:
        """Sign somebody out: everywhere, on one device, or on all but one."""
        ended = await self.store.end_sessions(person.id, only=only, but=but)
        self.known.clear()
        await self.store.notify("people", "")
        return ended

    async def guest(self, name: str) -> Person:
        """Somebody new."""
        now = self.env.time.now()
        person = Person(self.env.ids(), await self.free_name(name), now, now)
        await self.store.add_person(person)
        return person

    async def rename(self, person: Person, name: str) -> Person:
        shown = await self.free_name(name, person)
        changed = {"name": shown} if person.account is None else {"name": shown, "skeleton": skeleton(shown)}
        if not await self.store.change_person(person.id, **changed):
            raise Refused("account_taken")
        return await self.fresh(person.id)

    async def free_name(self, name: str, person: Person | None = None) -> str:
        """A name as it is shown; Refused if it is that of somebody else's account, or looks like it."""
        shown = writing.name(name)
        own = person is not None and shown == person.name
        if not own and await self.store.has_namesake(shown, person.id if person is not None else None):
            raise Refused("account_taken")
        return shown

    async def fresh(self, person: str) -> Person:
        self.known.clear()
        found = await self.store.person(person)
        if found is None:
            raise Refused("nameless")
        return found

    # --- accounts ---------------------------------------------------------------------------------------------

    async def register(self, person: Person, name: str, password: str, address: str = "") -> Person:
        """Make an account of a guest, who stays the same person: seats and history are kept."""
        if person.account is not None:
            raise Refused("has_account")
        shown = writing.name(name)
        hashed = await self.hash(password, address, shown)
        if await self.store.has_namesake(shown, person.id):
            raise Refused("account_taken")
        account = {"account": writing.account_name(shown), "skeleton": skeleton(shown)}
        if not await self.store.change_person(person.id, **account, password=hashed, name=shown):
            raise Refused("account_taken")
        return await self.fresh(person.id)

    async def login(self, name: str, password: str, address: str = "") -> Person:
        """The owner of an account; what was wrong is not told."""
        found = await self.store.account(writing.account_name(name))
        fine = await self.matches(found.password if found is not None else None, password, address, name)
        if found is None or not fine:
            raise Refused("login")
        return found

    async def change_password(self, proof: Proof, old: str, new: str, address: str = "") -> None:
        """Another password; every other device is signed out."""
        if proof.person.account is None:
            raise Refused("no_account")
        person = await self.fresh(proof.person.id)
        if not await self.matches(person.password, old, address, person.id):
            raise Refused("old_password")
        await self.store.change_person(person.id, password=await self.hash(new, address, person.id))
        await self.end(person, but=proof.session)

    async def hash(self, password: str, address: str, account: str) -> str:
        return await self.passwords.run(address, account, HASHER.hash, clean_password(password))

    async def matches(self, hashed: str | None, password: str, address: str, account: str) -> bool:
        """Whether a password is the one; takes as long for an account that does not exist."""
        return await self.passwords.run(address, account, verified, hashed or DUMMY, password)


def verified(hashed: str, password: str) -> bool:
    try:
        return HASHER.verify(hashed, password[:200])
    except (VerificationError, InvalidHashError):
        return False


DUMMY: Final = HASHER.hash(secrets.token_urlsafe())


def visitor(proof: Proof | None) -> Visitor | None:
    """As a table knows them."""
    return Visitor(proof.person.id, proof.person.name) if proof is not None else None
