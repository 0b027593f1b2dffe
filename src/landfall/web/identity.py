"""Identity: a guest with a chosen name, or the owner of an account; authenticated by a revocable session."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from http.cookies import CookieError, SimpleCookie
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy.exc import IntegrityError
from starlette.datastructures import Headers

from landfall.api.routes import PLAY, READ
from landfall.store.confusable_names import confusable_skeleton, mixes_scripts
from landfall.store.moderation import BAN, Restriction
from landfall.store.row_types import Session, UserRecord
from landfall.store.store import Store
from landfall.tables.bots.fair_queue import FairQueue
from landfall.tables.live.subscriber import User
from landfall.tables.protocol import text_validation
from landfall.tables.protocol.errors import Refused
from landfall.tables.runtime_dependencies import Runtime

T = TypeVar("T")
COOKIE_NAME: Final = "landfall"
DEVICE_COOKIE_NAME: Final = "landfall_device"  # tells browsers apart: nobody's name, and no proof
COOKIE_MAX_AGE_S: Final = 365 * 24 * 3600
SEEN_INTERVAL_MS: Final = 300_000  # between updates of a session's last-seen time
PASSWORD_HASHER: Final = PasswordHasher()  # argon2id, with the library's parameters
MAX_PARALLEL_HASHES: Final = 2  # each needs memory
MAX_WAITING_HERE: Final = 4  # waiting attempts per address
MAX_WAITING: Final = 40  # waiting attempts in total
BROWSERS: Final = {
    "Edg": "Edge", "OPR/": "Opera", "SamsungBrowser": "Samsung Internet", "Firefox": "Firefox", "FxiOS": "Firefox",
    "Chrome": "Chrome", "CriOS": "Chrome", "Safari": "Safari",
}  # fmt: skip
SYSTEMS: Final = {
    "Android": "Android", "iPhone": "iPhone", "iPad": "iPad", "Windows": "Windows", "CrOS": "ChromeOS",
    "Macintosh": "Mac", "Linux": "Linux",
}  # fmt: skip


SCOPES: Final = (PLAY, READ)
TOKEN_PREFIX: Final = "lf_bot_"
EARLIER_TOKEN_MS: Final = 3_600_000  # that a bot's earlier tokens stay valid: a running match is finished


@dataclass(frozen=True)
class AuthSession:
    """A user and the session; None: authenticated by a signed cookie from before there were sessions.

    `scopes`: what a bot's token allows; None for a browser's cookie, which allows everything.
    """

    person: UserRecord
    session: str | None
    scopes: frozenset[str] | None = None
    ban: Restriction | None = None

    def require_not_banned(self) -> None:
        """Refused, with the host's reason: the user is banned."""
        if self.ban is not None:
            raise Refused("banned", reason=self.ban.reason)

    def require_scope(self, scope: str | None) -> None:
        """Refused: a token does not allow this; None: no token does."""
        if self.scopes is not None and scope not in self.scopes:
            raise Refused("token_scope")

    @property
    def revocation_key(self) -> str:
        """The key whose revocation invalidates this authentication."""
        return self.session or self.person.id


def require_password_length(password: str) -> str:
    if not 8 <= len(password) <= 200:
        raise Refused("password")
    return password


def hash_session_token(token: str) -> str:
    """What is stored of a session cookie: a one-way hash."""
    return hashlib.blake2b(token.encode(), digest_size=16).hexdigest()


def describe_device(agent: str) -> str:
    """A browser and a system, just precise enough for their owner to recognise; "" if unknown."""
    found = [next((name for word, name in known.items() if word in agent), "") for known in (BROWSERS, SYSTEMS)]
    return " · ".join(word for word in found if word)


class PasswordQueue:
    """Hashing is slow: it runs off the event loop, fairly by address, with a bounded queue."""

    def __init__(self) -> None:
        self.queue = FairQueue(MAX_PARALLEL_HASHES, 1)
        self.waiting: Counter[str] = Counter()

    async def run_password_task(self, address: str, account: str, task: Callable[..., T], *args: object) -> T:
        """Run a password operation. Refused: the queue is full."""
        if self.waiting[address] >= MAX_WAITING_HERE or self.waiting.total() >= MAX_WAITING:
            raise Refused("too_fast")
        who = f"{address} {account}"
        self.waiting[address] += 1
        try:
            await self.queue.take_slot(who)
        finally:
            self.waiting -= Counter([address])  # removes it at 0
        # A thread cannot be cancelled: a caller that leaves keeps its slot until the thread is done.
        return await asyncio.shield(self.run_in_thread_and_release(who, task, *args))

    async def run_in_thread_and_release(self, who: str, task: Callable[..., T], *args: object) -> T:
        try:
            return await asyncio.to_thread(task, *args)
        finally:
            self.queue.release_slot(who)


class Identities:
    """The guests and accounts of one server."""

    def __init__(self, store: Store, runtime: Runtime, cache_s: float = 3.0) -> None:
        self.store = store
        self.runtime = runtime
        self.cache_s = cache_s  # until a session's validity is checked again
        self.key = b""
        self.cache: dict[str, tuple[float, AuthSession]] = {}  # by hash of the cookie: expiry, and the session
        self.passwords = PasswordQueue()

    async def load_cookie_key_and_end_idle_sessions(self) -> None:
        """The key of old signed cookies is stored with the data, so that an update keeps everybody signed in. Sessions
        whose cookies have expired are ended."""
        self.key = bytes.fromhex(await self.store.database.get_or_create_secret("cookie"))
        await self.store.sessions.end_idle_and_expired_sessions(
            self.runtime.clock.wall_time_ms() - COOKIE_MAX_AGE_S * 1000
        )

    def marks_of_place(self, table: str, address: str, headers: Headers) -> tuple[str, ...]:
        """What tells, at one table, that two accounts share an address or a device; nothing else can be told by it."""
        places = (address, read_cookie(headers, DEVICE_COOKIE_NAME))
        return tuple(
            hmac.new(self.key, f"place {table} {place}".encode(), hashlib.sha256).hexdigest()[:32]
            for place in places
            if place
        )

    def sign_user_id(self, person: str) -> str:
        return hmac.new(self.key, person.encode(), hashlib.sha256).hexdigest()[:40]

    async def authenticate_cookie(self, cookie: str | None) -> AuthSession | None:
        """The session of a cookie, if it is valid and not revoked."""
        if not cookie or len(cookie) > 200 or not cookie.isascii():
            return None
        id_ = hash_session_token(cookie)
        until, auth = self.cache.get(id_, (0.0, None))
        if until < time.monotonic():
            auth = await self.look_up_session(cookie, id_)
            if auth is None:
                self.cache.pop(id_, None)
                return None
            if len(self.cache) > 10_000:
                self.cache.clear()
            self.cache[id_] = time.monotonic() + self.cache_s, auth
        return auth

    async def look_up_session(self, cookie: str, id_: str) -> AuthSession | None:
        """The same, from the database."""
        if "." in cookie:
            name, _, signature = cookie.partition(".")
            fine = hmac.compare_digest(signature.encode(), self.sign_user_id(name).encode())
            person = await self.store.users.get_user_by_id(name) if fine else None
            if person is None or not person.signed:
                return None
            auth, seen = AuthSession(person, None), person.seen
        else:
            found = await self.store.sessions.get_session_and_user(id_)
            is_token = cookie.startswith(TOKEN_PREFIX)
            if found is None or (found[1].scopes is not None) != is_token:
                return None
            scopes = None if found[1].scopes is None else frozenset(found[1].scopes.split())
            auth, seen = AuthSession(found[0], id_, scopes), found[1].seen  # each device's own: its owner recognises it
        now = self.runtime.clock.wall_time_ms()
        if seen < now - SEEN_INTERVAL_MS:
            await self.store.sessions.update_last_seen(auth.person.id, auth.session, now)
        return replace(auth, ban=await self.find_ban(auth.person))

    async def find_ban(self, person: UserRecord) -> Restriction | None:
        """The ban of a user, or of a bot's author."""
        limits = await self.store.moderation.list_restrictions_of(
            [person.id, *([person.author] if person.author else [])]
        )
        return next((one for one in limits if one.kind == BAN), None)

    async def authenticate_request(self, cookie: str | None, authorization: str | None) -> AuthSession | None:
        """The session of a request: of its bearer token if it has one, else of its cookie.

        Refused: the token is not valid. A cookie is never a token, nor a token a cookie. What a browser proves to a
        proxy in front (`Basic`, `Digest`) is none of ours.
        """
        kind, _, token = (authorization or "").partition(" ")
        if kind.lower() != "bearer":
            is_token = cookie is not None and cookie.startswith(TOKEN_PREFIX)
            return None if is_token else await self.authenticate_cookie(cookie)
        token = token.strip()
        found = await self.authenticate_cookie(token) if token.startswith(TOKEN_PREFIX) else None
        if found is None:
            raise Refused("token")
        return found

    async def create_session_cookie(self, person: UserRecord, device: str = "", exchanged: bool = False) -> str:
        """Sign a user in; `exchanged`: in place of a signed cookie. Returns the cookie's value."""
        token, now = secrets.token_urlsafe(24), self.runtime.clock.wall_time_ms()
        if not await self.store.sessions.add_session(
            Session(hash_session_token(token), person.id, now, now, device), exchanged
        ):
            raise Refused("nameless")  # it was revoked just now
        return token

    async def replace_sessions_by_new_cookie(self, person: UserRecord, device: str = "") -> str:
        """Sign a user in again and revoke all earlier cookies."""
        token, now = secrets.token_urlsafe(24), self.runtime.clock.wall_time_ms()
        await self.store.sessions.replace_sessions(Session(hash_session_token(token), person.id, now, now, device))
        await self.forget_cached_sessions_everywhere()
        return token

    async def end_sessions_of_user(
        self, person: UserRecord, *, only: str | None = None, but: str | None = None, by: str | None = None
    ) -> int:
        """Sign a user out: everywhere, on one device (as the session `by` asks), or on all but one."""
        ended = await self.store.sessions.end_sessions_of_user(person.id, only=only, but=but, by=by)
        await self.forget_cached_sessions_everywhere()
        return ended

    async def forget_cached_sessions_everywhere(self) -> None:
        """Sessions were ended: no process takes them for valid any more."""
        self.cache.clear()
        await self.store.database.notify_processes("people", "")

    async def create_guest(self, name: str) -> UserRecord:
        """Create a guest."""
        now = self.runtime.clock.wall_time_ms()
        person = UserRecord(self.runtime.new_id(), await self.require_available_name(name), now, now)
        await self.store.users.add_user(person)
        return person

    async def require_available_name(self, name: str, person: UserRecord | None = None, account: bool = False) -> str:
        """A name as it is shown; Refused if it equals or resembles the name of another's account.

        An account's name has one script in each word: what looks like another's name is refused even where the
        skeletons do not know it.
        """
        shown = text_validation.require_displayable_name(name)
        own = person is not None and shown == person.name and not account
        if account and mixes_scripts(shown):
            raise Refused("name_mixed")
        if not own and await self.store.users.is_name_taken_or_similar(
            shown, person.id if person is not None else None
        ):
            raise Refused("account_taken")
        return shown

    async def reload_user(self, person: str) -> UserRecord:
        self.cache.clear()
        found = await self.store.users.get_user_by_id(person)
        if found is None:
            raise Refused("nameless")
        return found

    # --- accounts ---------------------------------------------------------------------------------------------

    async def turn_guest_into_account(
        self, person: UserRecord, name: str, password: str, address: str = ""
    ) -> UserRecord:
        """Turn a guest into an account with the same user id: seats and history are kept."""
        if person.account is not None:
            raise Refused("has_account")
        shown = await self.require_available_name(name, person, account=True)
        hashed = await self.hash_password(password, address, shown)
        account = {"account": text_validation.normalise_account_name(shown), "skeleton": confusable_skeleton(shown)}
        made = await self.store.users.update_guest(person.id, **account, password=hashed, name=shown)
        if not made:
            raise Refused("has_account" if made is None else "account_taken")
        return await self.reload_user(person.id)

    async def find_account_by_any_name(self, name: str) -> UserRecord | None:
        """The owner of an account, by name, or by the one it had until lately; whoever has a name now goes first."""
        return await self.store.users.find_account_by_name(
            text_validation.normalise_account_name(name)
        ) or await self.store.accounts.find_account_by_earlier_name(name)

    async def sign_in_attempt_key(self, name: str) -> str:
        """What attempts to sign in are counted by: the account's name, whichever of its names was typed."""
        found = await self.find_account_by_any_name(name)
        return (found.account if found is not None else None) or text_validation.normalise_account_name(name)

    async def find_account_by_password(self, name: str, password: str, address: str = "") -> UserRecord:
        """The owner of an account; errors do not say what was wrong."""
        found = await self.find_account_by_any_name(name)
        fine = await self.is_right_password(found.password if found is not None else None, password, address, name)
        if found is None or not fine:
            raise Refused("login")
        return found

    # --- online bots ------------------------------------------------------------------------------------------

    async def create_bot(self, author: UserRecord, name: str, most: int) -> UserRecord:
        """A bot of somebody's: a user with an account that nobody can log in to."""
        if author.account is None or author.author is not None:
            raise Refused("no_account")
        now, shown = self.runtime.clock.wall_time_ms(), await self.require_available_name(name, account=True)
        bot = UserRecord(
            self.runtime.new_id(), shown, now, now, text_validation.normalise_account_name(shown), None, False,
            confusable_skeleton(shown), author=author.id,
        )  # fmt: skip
        try:
            added = await self.store.users.add_bot(bot, most)
        except IntegrityError:  # somebody took the name meanwhile
            raise Refused("account_taken") from None
        if not added:
            raise Refused("too_many_bots", most=most)
        return bot

    async def find_bot_of_author(self, author: UserRecord, bot: str) -> UserRecord:
        """A bot of somebody's, by id; Refused if they have none such."""
        found = await self.store.users.get_user_by_id(bot)
        if found is None or found.author != author.id:
            raise Refused("no_bot")
        return found

    async def create_bot_token(self, bot: UserRecord, scopes: list[str]) -> tuple[str, Session]:
        """A token, which is known only to whom it is given. Earlier ones stay valid for an hour."""
        if not scopes or not set(scopes) <= set(SCOPES):
            raise Refused("token_scope")
        secret, now = TOKEN_PREFIX + secrets.token_urlsafe(24), self.runtime.clock.wall_time_ms()
        granted = " ".join(scope for scope in SCOPES if scope in scopes)
        token = Session(hash_session_token(secret), bot.id, now, now, secret[-4:], granted)
        await self.store.sessions.add_token_and_end_earlier(token, now + EARLIER_TOKEN_MS)
        return secret, token

    async def revoke_bot_token(self, bot: UserRecord, token: str) -> None:
        """Make a token invalid at once."""
        if not await self.end_sessions_of_user(bot, only=token):
            raise Refused("no_token")

    async def hash_password(self, password: str, address: str, account: str) -> str:
        return await self.passwords.run_password_task(
            address, account, PASSWORD_HASHER.hash, require_password_length(password)
        )

    async def is_right_password(self, hashed: str | None, password: str, address: str, account: str) -> bool:
        """Whether a password is right; takes equally long if the account does not exist."""
        return await self.passwords.run_password_task(
            address, account, matches_password_hash, hashed or DUMMY_HASH, password
        )


def matches_password_hash(hashed: str, password: str) -> bool:
    try:
        return PASSWORD_HASHER.verify(hashed, password[:200])
    except (VerificationError, InvalidHashError):
        return False


DUMMY_HASH: Final = PASSWORD_HASHER.hash(secrets.token_urlsafe())


def to_table_user(person: UserRecord | None) -> User | None:
    """The user as a table knows it."""
    if person is None:
        return None
    has_account = person.account is not None
    return User(person.id, person.name, has_account, has_account and person.shown, person.author)


def read_session_cookie(headers: Headers) -> str | None:
    """The session cookie."""
    return read_cookie(headers, COOKIE_NAME)


def read_cookie(headers: Headers, name: str) -> str | None:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return None
    return found.value if found is not None else None
