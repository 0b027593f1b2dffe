"""One server process: its store, its tables, its connections."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import random
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager, suppress
from math import inf
from typing import Any

from fastapi import FastAPI

import landfall
from landfall.api.home_page import FeaturedMatches
from landfall.api.limits import SOCKET
from landfall.api.message_codec import encode_message
from landfall.api.rate_limits import RateLimiter, RateLimiters, RecentSet
from landfall.build_version import read_build_version
from landfall.optional_dependencies import install_command
from landfall.paths import PACKAGE
from landfall.store.database_errors import DATABASE_ERRORS
from landfall.store.nats_bus import NatsBus
from landfall.store.row_types import Presence, UserRecord
from landfall.store.store import Store, make_store_for_setting
from landfall.tables.bots.bot_pool import BotPool, ProcessBotPool
from landfall.tables.bots.remote_bots import RemoteBotPool
from landfall.tables.jobs.reviews import Reviews
from landfall.tables.live.hub import Hub
from landfall.tables.lobby.bot_exhibition import ensure_exhibition_match
from landfall.tables.lobby.lobby_board import LobbyBoard
from landfall.tables.matchmaking.matchmaker import Matchmaker
from landfall.tables.notifications.sender import NotificationSender
from landfall.tables.protocol.errors import Refused
from landfall.tables.tournaments.director import Director
from landfall.web.accounts import Accounts
from landfall.web.connection import CLOSE_SIGNED_OUT, Connection
from landfall.web.identity import AuthSession, Identities
from landfall.web.link_previews import PictureCache
from landfall.web.mail import Mail
from landfall.web.metrics import Metrics
from landfall.web.metrics_exchange import MetricsExchange
from landfall.web.opening_gate import OpeningGate
from landfall.web.peer_signalling import PeerNotes
from landfall.web.push import WebPush, is_push_installed
from landfall.web.puzzle_tries import PuzzleTries
from landfall.web.quotas import Quotas
from landfall.web.server_load_history import LoadHistory
from landfall.web.settings import Settings
from landfall.web.worker_figures import sum_worker_figures

MAX_PROVEN_PLACES = 10_000
MAX_COMMAND_MS = 10_000  # a command is written by then, or given up and looked for in the log
PROBE_TIMEOUT_S = 4.0  # after which a silent database counts as unavailable
HANDOVERS_AT_ONCE = 4  # tables whose clients are on their way to another process
MAX_HANDOVER_S = 1.0  # for a table's clients to arrive there; who is slower does not delay the others
MAX_WARM_UP_S = 30.0  # after which a process takes over, however far its bots are
MAX_DRAIN_S = 5.0  # until the last client is asked to leave; Docker kills after 10 s
MAX_HANDOVERS_S = 60.0  # the same where a successor has started already
FINISH_TIMEOUT_S = 3.0  # for a table's commands in progress
MIN_RECONNECT_MS, MAX_RECONNECT_MS = 50, 500  # within which clients that leave together come back
NO_CONTACT = "nobody@example.invalid"  # for push services, where the host names no address


def read_running_version() -> str:
    """The build's version; in a checkout that of its commit, as it is now."""
    checkout = PACKAGE.parents[1]
    is_checkout = (checkout / ".git").exists() and not (PACKAGE / "_version.py").exists()
    return read_build_version(checkout) if is_checkout else landfall.__version__


class Server:
    """Everything a process needs, built by `create_app`."""

    def __init__(self, settings: Settings, store: Store | None = None) -> None:
        self.settings = settings
        self.log = logging.getLogger("landfall")
        self.version = read_running_version()
        self.bus = NatsBus(settings.bus) if settings.bus else None
        self.store: Store = store or make_store_for_setting(settings.database, bus=self.bus)
        runtime = settings.make_runtime()
        runtime.encode = encode_message
        runtime.table_link = lambda table: f"{settings.public_base_url}/t/{table}"
        self.hub = Hub(self.store, self.make_bot_pool(), runtime)
        self.hub.on_users_changed = lambda: self.spawn_background_task(self.try_apply_sign_outs_and_deletions())
        self.reviews = Reviews(self.hub)
        self.matchmaker = Matchmaker(self.hub, self.store)
        self.hub.on_searches = self.matchmaker.on_search_notification
        self.hub.on_seated = self.matchmaker.on_person_seated
        self.director = Director(self.hub, self.store)
        self.identities = Identities(self.store, runtime, settings.recheck_s)
        self.accounts = Accounts(self.identities, settings)
        self.metrics = Metrics(self.hub, self.reviews)
        self.load_history = LoadHistory(self.store, runtime.clock.wall_time_ms, self.measure_load)
        self.metrics_exchange = MetricsExchange(self.metrics.render_prometheus_text, settings.metrics_folder)
        contact = (
            settings.public_base_url
            if settings.public_base_url.startswith("https:")
            else f"mailto:{settings.mail_from or NO_CONTACT}"
        )
        self.push = WebPush(self.store, contact, settings.private_push) if is_push_installed() else None
        self.mail = (
            Mail(self.store, settings.smtp, settings.mail_from, settings.public_base_url) if settings.smtp else None
        )
        self.sender = NotificationSender(self.store, runtime, self.push, self.mail, self.hub.is_user_connected_to_table)
        self.rendezvous = PeerNotes(settings.metrics_folder)
        self.connections: set[Connection] = set()
        self.sockets_by_user: Counter[str] = Counter()
        self.opening_gate = OpeningGate(settings.max_opening)
        self.request_limiter = RateLimiter(settings.limits.requests)
        self.quotas = Quotas(settings, self.store, runtime)
        self.board = LobbyBoard(
            self.hub, self.store, self.quotas.list_lobby_tables, self.connected_presences,
            self.matchmaker.searched_games_by_person, self.start_exhibition_if_wanted,
        )  # fmt: skip
        self.featured_matches = FeaturedMatches(self.hub, self.store)
        self.hub.on_public_change = self.board.mark_changed
        self.hub.on_lobby = self.board.on_lobby_notification
        self.rate_limiters = RateLimiters(settings.limits)
        self.pictures = PictureCache()
        self.first_tries = PuzzleTries(self.store)
        self.password_limiter = RateLimiter(settings.limits.tries)
        self.guess_limiter = RateLimiter(settings.limits.guesses)
        self.proven_places = RecentSet(MAX_PROVEN_PLACES)  # accounts with the addresses that were right before
        self.log_key = secrets.token_bytes(16)
        self.mail_limiter = RateLimiter(settings.limits.mails)
        self.bot_choice_limiter = RateLimiter(settings.limits.bot_choices)
        self.parting: dict[str, int] = {}  # deleted users removed here: when to check again, on the monotonic clock
        self.forgotten: set[str] = set()  # deleted users of whom nothing can be in flight any more
        self.sweep_lock = asyncio.Lock()
        self.replacing: Counter[str] = Counter()  # revocation keys whose cookie is being replaced: no sign-out
        self.last_probe = 0.0, True  # the time of the last write probe, and its result
        self.probing: asyncio.Task[None] | None = None
        self.warm_until = inf
        self.draining = False  # it stops soon: no new sockets
        self.max_drain_s = MAX_DRAIN_S
        self.hub.on_newer_log = self.on_log_of_newer_release

    def make_bot_pool(self) -> BotPool:
        """Where bots think."""
        if self.bus is not None:
            return RemoteBotPool(self.bus, max(1, self.settings.bot_worker_count), self.settings.bot_memory_mb)
        if self.settings.bot_worker_count:
            return ProcessBotPool(self.settings.bot_worker_count, self.settings.bot_memory_mb)
        return BotPool()

    @asynccontextmanager
    async def run_lifespan(self, app: FastAPI) -> AsyncIterator[None]:
        """Open, serve, close cleanly."""
        await self.store.database.open_and_migrate()
        await self.identities.load_cookie_key_and_end_idle_sessions()
        await self.hub.start_background_tasks()
        if self.bus is not None:
            await self.bus.connect_in_background()
        for channel in (self.push, self.mail):
            if channel is not None:
                await channel.load_secret_key()
        if self.push is None:
            self.log.info("no push messages: %s", install_command("notify"))
        self.spawn_background_task(self.sender.send_until_cancelled())
        self.director.start_tick_loop()
        await self.metrics_exchange.listen_to_other_workers()
        await self.rendezvous.listen_to_other_workers()
        self.warm_until = time.monotonic() + MAX_WARM_UP_S
        self.spawn_background_task(self.watch_sign_outs())
        self.spawn_background_task(self.metrics.measure_event_loop_lag())
        self.spawn_background_task(self.board.run_update_loop())
        self.spawn_background_task(self.load_history.take_samples_forever())
        yield
        await self.rendezvous.stop_listening()
        await self.metrics_exchange.stop_listening()
        with suppress(*DATABASE_ERRORS):  # the lease ends soon
            await self.board.end_presences_of_this_process()
        await self.hub.shut_down()
        if self.push is not None:
            await self.push.close_client()
        if self.bus is not None:
            await self.bus.flush_and_disconnect()
        await self.store.database.close()

    # --- the lobby --------------------------------------------------------------------------------------------

    def connected_person_ids(self) -> set[str]:
        """Who is connected to this process."""
        return {connection.auth.person.id for connection in self.connections if connection.auth is not None}

    async def count_people_here(self) -> int:
        """Who is connected to any process of this server."""
        here = self.connected_person_ids()
        if self.store.database.is_shared:
            now = self.hub.runtime.clock.wall_time_ms()
            here |= {one.person for one in await self.store.presences.read_presences(now)}
        return len(here)

    async def measure_load(self) -> tuple[int, list[int]]:
        """The people who are here, and all requests until now, of all workers."""
        figures = sum_worker_figures(await self.metrics_exchange.render_metrics_of_all_workers())
        return await self.count_people_here(), figures.requests

    def connected_presences(self) -> Iterator[Presence]:
        """Who is connected to this process; by name only who agreed to be shown."""
        for connection in self.connections:
            person = connection.auth.person if connection.auth is not None else None
            if person is not None and person.author is None:
                shown = person.account is not None and person.shown
                yield Presence(person.id, person.name if shown else "", connection.table)

    async def start_exhibition_if_wanted(self) -> None:
        """Nobody plays in public: let bots, if the host wants it."""
        if self.settings.exhibition and not self.draining:
            await ensure_exhibition_match(self.hub, self.store)

    # --- who is signed out or forgotten -----------------------------------------------------------------------

    def spawn_background_task(self, work: Coroutine[Any, Any, None]) -> None:
        self.hub.spawn_background_task(work)

    async def is_healthy(self) -> bool:
        """Whether the database can be read and written; probed at most once per second."""
        if self.last_probe[0] < time.monotonic() - 1:
            if self.probing is None or self.probing.done():
                self.probing = self.hub.spawn_background_task(self.probe_database_write())
            await asyncio.wait({self.probing}, timeout=PROBE_TIMEOUT_S)
            if not self.probing.done():
                return False
        return self.last_probe[1]

    async def probe_database_write(self) -> None:
        """Check whether the database can be written."""
        try:
            await self.store.database.write_probe_row()
        except Exception as error:
            self.log.warning("the database cannot be written: %s", error)
            self.last_probe = time.monotonic(), False
        else:
            self.last_probe = time.monotonic(), True

    async def watch_sign_outs(self) -> None:
        """Poll for users signed out or deleted by other processes, including `landfall host`."""
        while True:
            await self.try_apply_sign_outs_and_deletions()
            await asyncio.sleep(self.settings.recheck_s)

    async def try_apply_sign_outs_and_deletions(self) -> None:
        """Apply sign-outs; what fails is tried again soon."""
        try:
            await self.apply_sign_outs_and_deletions()
        except Exception as error:  # a database says in many ways that it is away
            self.log.warning("it could not be looked up who was signed out: %s", error)

    async def apply_sign_outs_and_deletions(self) -> None:
        """Close the sockets of signed-out users; remove deleted users from the tables."""
        async with self.sweep_lock:
            self.identities.cache.clear()
            await self.quotas.reload_mutes()
            asked = [(socket, socket.auth) for socket in self.connections if socket.auth is not None]
            signed = {auth.revocation_key for _, auth in asked if auth.session is None}
            good = await self.store.sessions.filter_valid_sessions(
                {auth.revocation_key for _, auth in asked} - signed, signed
            )
            for socket, auth in asked:  # not those who connected meanwhile: they were not checked
                kept = auth.revocation_key in self.replacing or socket.auth is not auth  # its cookie was replaced
                if auth.revocation_key not in good and not kept:
                    await self.close_connection(socket, CLOSE_SIGNED_OUT)
            for person, tables in await self.store.personal_data.list_recently_deleted_users():
                if tables or self.is_due_to_be_erased(person):
                    await self.erase_deleted_user(person, tables)
            if not self.store.database.scrubbed:
                await self.store.database.scrub_deleted_data()

    async def delete_user(self, person: str) -> None:
        """Delete a user with their bots, here and everywhere."""
        await self.store.personal_data.erase_user(person)
        self.spawn_background_task(self.hub.notify_processes_until_sent("people", ""))
        await self.try_apply_sign_outs_and_deletions()  # the account is deleted, whatever becomes of the rest

    def is_due_to_be_erased(self, person: str) -> bool:
        """Whether it is time to forget somebody here, once more."""
        return person not in self.forgotten and self.hub.runtime.clock.monotonic_ms() >= self.parting.get(person, 0)

    async def erase_deleted_user(self, person: str, tables: list[str]) -> None:
        """Remove a user from all tables; a failed write is retried at the next sweep.

        Repeated after a while: a command of a closed socket may have been written since.
        """
        failed = await self.hub.erase_user_from_tables(person, tables)
        await self.matchmaker.end_search_of_deleted_user(person)
        await self.director.reread_logs_of_deleted_user(person)
        await self.store.personal_data.erase_user(person)
        left = await self.store.personal_data.remove_pending_tables_of_deleted_user(person, set(tables) - failed)
        if failed or left:
            return
        if person in self.parting and self.is_due_to_be_erased(person):
            del self.parting[person]
            self.forgotten.add(person)
        else:
            self.parting.setdefault(person, self.hub.runtime.clock.monotonic_ms() + MAX_COMMAND_MS)

    @asynccontextmanager
    async def keep_signed_in_while_cookie_is_replaced(self, before: AuthSession | None) -> AsyncIterator[None]:
        """While a user's cookie is replaced, a sweep does not take them for signed out."""
        keys = [before.revocation_key] if before is not None else []
        self.replacing.update(keys)
        try:
            yield
        finally:
            self.replacing -= Counter(keys)  # removes it at 0

    def move_sockets_to_session(self, before: AuthSession, after: AuthSession) -> None:
        """A user's cookie was replaced: keep their sockets open here."""
        for socket in self.connections:
            if socket.auth is not None and socket.auth.revocation_key == before.revocation_key:
                socket.auth = after

    @asynccontextmanager
    async def limited_password_attempt(
        self, account: str, address: str, auth: AuthSession | None
    ) -> AsyncIterator[None]:
        """A password attempt. Too many wrong ones from an address must wait, but not the owner, nor other addresses.

        From many addresses together there are not many more; not counted are addresses that were right before.
        """
        own = auth is not None and auth.person.account == account  # its owner, or whoever has taken the cookie
        who = f"{'own ' if own else ''}{account} {address}"
        if not self.password_limiter.try_take_token(who):
            raise Refused("tries")
        if not own and (account, address) not in self.proven_places.seen:
            if not self.guess_limiter.try_take_token(account):
                self.log_failed_sign_in("tries", account, address)
                raise Refused("tries")
        try:
            yield
        except Refused as refused:
            self.log_failed_sign_in(refused.code, account, address)
            raise
        self.password_limiter.reset_bucket(who)
        self.proven_places.add_if_new((account, address))

    def log_failed_sign_in(self, reason: str, account: str, address: str) -> None:
        """Without names: the marks only tell, until this process ends, whether it is the same account or address."""
        marks = (
            hashlib.blake2b(one.encode(), key=self.log_key, digest_size=4).hexdigest() for one in (account, address)
        )
        self.log.warning("a sign-in failed: %s; account %s, address %s", reason, *marks)

    def require_member(self, person: UserRecord) -> None:
        """Refused: a guest, on a server for members only."""
        if self.settings.invite_only and person.account is None:
            raise Refused("invite_only")

    async def is_host(self, auth: AuthSession) -> bool:
        """Whether a host asks, and no program of theirs."""
        return (
            auth.scopes is None
            and auth.person.account is not None
            and await self.store.moderation.is_server_host(auth.person.id)
        )

    def count_socket_of_user(self, connection: Connection, person: UserRecord) -> None:
        """Refused: a user opens sockets too fast, or has as many as they may."""
        limits = self.settings.limits
        self.rate_limiters.require_person_rate(SOCKET, person.author or person.id)
        if self.sockets_by_user[person.id] >= (limits.sockets_of_user if person.author is None else limits.bot_sockets):
            raise Refused("too_fast")
        connection.counted_for = person.id
        self.sockets_by_user[person.id] += 1

    def uncount_socket(self, connection: Connection) -> None:
        """It is closed."""
        if connection.counted_for is not None:
            self.sockets_by_user[connection.counted_for] -= 1
            if not self.sockets_by_user[connection.counted_for]:
                del self.sockets_by_user[connection.counted_for]

    async def close_connection(self, socket: Connection, code: int) -> None:
        socket.close(code)

    # --- another process takes over ---------------------------------------------------------------------------

    @property
    def is_warmed_up(self) -> bool:
        """Whether it can take over: its bot workers have started, and no longer need the processor for that."""
        warm_up = self.hub.warm_up
        return (warm_up is not None and warm_up.done()) or time.monotonic() > self.warm_until

    async def hand_over_all_tables(self) -> None:
        """Let the clients of each table reconnect to another process, a few tables at a time.

        The next table follows when another process reports a table's people, so that nobody queues there, but at the
        latest in time for all to leave within `max_drain_s`. If the database is not shared, no other process serves
        meanwhile, and all are let go at once.
        """
        self.draining = True
        tables = sorted({connection.table for connection in self.connections}, key=lambda _: random.random())
        started = time.monotonic()
        handovers: list[asyncio.Task[None]] = []
        for number, table in enumerate(tables):
            share = number / len(tables)
            while (
                self.store.database.is_shared and (left_s := started + self.max_drain_s * share - time.monotonic()) > 0
            ):
                under_way = [handover for handover in handovers if not handover.done()]
                if len(under_way) < HANDOVERS_AT_ONCE:
                    break
                await asyncio.wait(under_way, timeout=left_s, return_when=asyncio.FIRST_COMPLETED)
            handovers.append(asyncio.create_task(self.hand_over_table(table)))
        await asyncio.gather(*handovers)
        self.close_connections_for_reconnect(list(self.connections))

    async def hand_over_table(self, table: str) -> None:
        """Finish what a table's clients have sent, let them reconnect, and wait until they have."""
        sockets = [connection for connection in self.connections if connection.table == table]
        try:
            async with asyncio.timeout(FINISH_TIMEOUT_S):
                checks = [socket.quota_check for socket in sockets if socket.quota_check is not None]
                await asyncio.gather(*checks, return_exceptions=True)
                await self.hub.evict_after_queued_commands(table)
        except TimeoutError:
            self.log.warning("a table's commands were not finished in time")
        leaving = [connection for connection in self.connections if connection.table == table]
        people = {connection.auth.person.id for connection in leaving if connection.auth is not None}
        with self.hub.expect_arrivals_elsewhere(table, people) as arrived:
            self.close_connections_for_reconnect(leaving)
            await self.store.database.release_bot_lease(table)
            if self.store.database.is_shared:
                await asyncio.wait({arrived}, timeout=MAX_HANDOVER_S)

    def close_connections_for_reconnect(self, connections: list[Connection]) -> None:
        """Close connections; each gets its own time to reconnect, so that not all come at once."""
        spread_ms = min(MAX_RECONNECT_MS, MIN_RECONNECT_MS + len(connections))
        for connection in connections:
            connection.close_for_reconnect(random.randint(0, spread_ms))

    def on_log_of_newer_release(self, table: str) -> None:
        """A newer release goes on with a table: its clients look for a process that can, too."""
        for connection in [c for c in self.connections if c.table == table]:
            connection.close_for_reconnect(random.randint(MIN_RECONNECT_MS, MAX_RECONNECT_MS))
