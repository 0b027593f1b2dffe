"""Who somebody is: a guest with a chosen name, known by a signed cookie; or the owner of an account."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from landfall.store.rows import Person
from landfall.store.store import Store
from landfall.tables import writing
from landfall.tables.errors import Refused
from landfall.tables.means import Means
from landfall.tables.watcher import Visitor

COOKIE: Final = "landfall"
YEAR: Final = 365 * 24 * 3600
SEEN: Final = 300_000  # milliseconds until it is noted again that somebody is there
HASHER: Final = PasswordHasher()  # argon2id, with the library's parameters


def clean_password(password: str) -> str:
    if not 8 <= len(password) <= 200:
        raise Refused("password")
    return password


class Identities:
    """Guests and accounts of one server."""

    def __init__(self, store: Store, means: Means) -> None:
        self.store = store
        self.means = means
        self.key = b""
        self.known: dict[str, Person] = {}

    async def open(self) -> None:
        """The cookies' key is made once and kept with the data, so that a restart forgets nobody."""
        self.key = bytes.fromhex(await self.store.secret("cookie"))

    def cookie(self, person: str) -> str:
        """What proves that one is this person."""
        return f"{person}.{self.sign(person)}"

    def sign(self, person: str) -> str:
        return hmac.new(self.key, person.encode(), hashlib.sha256).hexdigest()[:40]

    async def who(self, cookie: str | None) -> Person | None:
        """The person a cookie names, if it is one of ours and they still exist."""
        person, _, signature = (cookie or "").partition(".")
        if not person.isascii() or not hmac.compare_digest(signature.encode(), self.sign(person).encode()):
            return None
        found = self.known.get(person)
        now = self.means.time.now()
        if found is None or found.seen < now - SEEN:
            found = await self.store.person(person)
            if found is None:
                self.known.pop(person, None)
                return None
            await self.store.change_person(person, seen=now)
            self.remember(Person(found.id, found.name, found.created, now, found.account, found.password))
        return self.known[person]

    def remember(self, person: Person) -> None:
        if len(self.known) > 10_000:
            self.known.clear()
        self.known[person.id] = person

    async def guest(self, name: str) -> Person:
        """Somebody new."""
        now = self.means.time.now()
        person = Person(self.means.ids(), writing.name(name), now, now)
        await self.store.add_person(person)
        self.remember(person)
        return person

    async def rename(self, person: Person, name: str) -> Person:
        await self.store.change_person(person.id, name=writing.name(name))
        self.known.pop(person.id, None)
        return await self.fresh(person.id)

    async def fresh(self, person: str) -> Person:
        found = await self.store.person(person)
        if found is None:
            raise Refused("nameless")
        self.remember(found)
        return found

    # --- accounts ---------------------------------------------------------------------------------------------

    async def register(self, person: Person, name: str, password: str) -> Person:
        """Make an account of a guest, who stays the same person: seats and history are kept."""
        if person.account is not None:
            raise Refused("has_account")
        hashed = await asyncio.to_thread(HASHER.hash, clean_password(password))
        shown = writing.name(name)
        if not await self.store.change_person(person.id, account=shown.casefold(), password=hashed, name=shown):
            raise Refused("account_taken")
        return await self.fresh(person.id)

    async def login(self, name: str, password: str) -> Person:
        """The owner of an account; what was wrong is not told."""
        found = await self.store.account(writing.normal(name).strip())
        hashed = found.password if found is not None and found.password else DUMMY
        fine = await asyncio.to_thread(matches, hashed, password)
        if found is None or not fine:
            raise Refused("login")
        self.remember(found)
        return found

    async def forget(self, person: Person) -> None:
        """Delete an account or a guest."""
        await self.store.forget_person(person.id)
        self.known.pop(person.id, None)


def matches(hashed: str, password: str) -> bool:
    """Whether a password is the one; takes as long for an account that does not exist."""
    try:
        return HASHER.verify(hashed, password[:200])
    except (VerificationError, InvalidHashError):
        return False


DUMMY: Final = HASHER.hash("nobody's password")


def visitor(person: Person | None) -> Visitor | None:
    """As a table knows them."""
    return Visitor(person.id, person.name) if person is not None else None
