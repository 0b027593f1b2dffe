"""Quotas: how many tables a user may have and create, and which bots may be put on chairs."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import zip_longest
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

from landfall.api.incoming_messages import require_bot_level
from landfall.store.moderation import MUTE
from landfall.store.store import Store
from landfall.tables.log.table import GATHERING, OVER
from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol.commands import AnyCommand
from landfall.tables.protocol.errors import Refused
from landfall.tables.runtime_dependencies import Runtime

if TYPE_CHECKING:
    from landfall.store.row_types import TableSummary
    from landfall.tables.live.subscriber import Subscriber
    from landfall.web.settings import Settings

COSTLY_COMMANDS: Final = (cmd.Bot, cmd.Rematch, cmd.Say)
COSTLY_BOT_COMMANDS: Final = (cmd.Sit, cmd.Rematch)  # of an online bot
WEEK_MS: Final = 7 * 24 * 3600 * 1000
MAX_ORIGINS: Final = 10_000  # users whose address at the creation of public tables is known
MAX_TOURNAMENT_ADDRESSES: Final = 10_000  # from which somebody opened or joined tournaments
MAX_LOBBY: Final = 50  # tables in the lobby
MAX_LOBBY_CANDIDATES: Final = 500  # the latest tables, from which these are chosen


class Quotas:
    """The limits by user and by address, for every endpoint."""

    def __init__(self, settings: Settings, store: Store, runtime: Runtime) -> None:
        self.settings = settings
        self.store = store
        self.runtime = runtime
        self.origins: OrderedDict[str, str] = OrderedDict()  # by user: the address of public tables' creators
        self.neighbours: OrderedDict[str, set[str]] = OrderedDict()  # by address: who opened or joined tournaments
        self.locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # by address
        self.mutes: dict[str, int] | None = None  # until when; read with every sweep, and when a host mutes somebody

    @asynccontextmanager
    async def new_table_within_quota(self, person: str, address: str, public: bool) -> AsyncIterator[None]:
        """A context in which a user creates a table. Refused: too many."""
        if not public:
            await self.require_table_count_quota(person, address, public)
            yield
            return
        # Serialised, so that concurrent creations are counted, too.
        async with self.locks.setdefault(address, asyncio.Lock()):
            await self.require_table_count_quota(person, address, public)
            yield

    async def require_table_count_quota(self, person: str, address: str, public: bool) -> None:
        """Refused: this user, or with a public table this address, has reached its limit."""
        limits = self.settings.limits
        here = {person, *(who for who, where in self.origins.items() if public and where == address)}
        found = await self.store.tables.list_unfinished_tables_created_by(
            here, self.runtime.clock.wall_time_ms() - WEEK_MS
        )
        if sum(summary.owner == person for summary in found) >= limits.unfinished:
            raise Refused("too_many", most=limits.unfinished)
        if public:
            listed = [summary.owner for summary in found if summary.public]
            if listed.count(person) >= limits.public:
                raise Refused("too_public", most=limits.public)
            if len(listed) >= limits.public_per_address:
                raise Refused("too_public", most=limits.public_per_address)
            self.record_public_table_origin(address, person)

    def record_tournament_neighbour(self, address: str, person: str) -> set[str]:
        """Who opened or joined tournaments from this address, this user included."""
        here = self.neighbours.setdefault(address, set())
        here.add(person)
        self.neighbours.move_to_end(address)
        if len(self.neighbours) > MAX_TOURNAMENT_ADDRESSES:
            self.neighbours.popitem(last=False)
        return here

    def tournament_address_of(self, person: str) -> str:
        """The address that an opener's tournaments are listed by; without one, the user."""
        return next((address for address, people in self.neighbours.items() if person in people), person)

    async def require_bot_table_quota(self, person: str, author: str | None) -> None:
        """Refused: an online bot has as many unfinished tables as it may."""
        most = self.settings.limits.bot_tables
        if author is not None and len(await self.store.tables.list_tables_of_user(person, most, over=False)) >= most:
            raise Refused("too_many", most=most)

    def record_public_table_origin(self, address: str, person: str) -> None:
        self.origins[person] = address
        self.origins.move_to_end(person)
        if len(self.origins) > MAX_ORIGINS:
            self.origins.popitem(last=False)

    async def list_lobby_tables(self, is_bot: bool = False) -> list[TableSummary]:
        """Public tables that are not over: the latest of each address, then the second of each, and so on.

        Free chairs only of tables where the reader may sit: bots play where bots opened, and rated among themselves.
        """
        limits = self.settings.limits
        by_owner: Counter[str] = Counter()
        by_origin: dict[str, list[TableSummary]] = {}
        for summary in await self.store.tables.list_unfinished_public_tables(MAX_LOBBY_CANDIDATES):
            by_bot = summary.info.get("by_bot", False)
            may_sit = by_bot if is_bot else not (by_bot and "unrated" in summary.info)
            if summary.status == GATHERING and not may_sit:
                continue
            mine = by_origin.setdefault(self.origins.get(summary.owner, summary.owner), [])
            if by_owner[summary.owner] < limits.public and len(mine) < limits.public_per_address:
                by_owner[summary.owner] += 1
                mine.append(summary)
        rounds = zip_longest(*by_origin.values())
        return [summary for one in rounds for summary in one if summary is not None][:MAX_LOBBY]

    async def reload_mutes(self) -> dict[str, int]:
        """Who is muted, once for all chat lines until the next time."""
        self.mutes = found = await self.store.moderation.restriction_ends_by_user(MUTE)
        return found

    def require_allowed_bots(self, codes: list[str]) -> None:
        """Guests may use levels; codes, which may cost more, only if the host allows them."""
        if not self.settings.bot_codes:
            for code in codes:
                require_bot_level(code)

    async def require_command_quota(self, subscriber: Subscriber, address: str, command: AnyCommand) -> None:
        """Check a command that needs the store: a chat line, a bot on a chair, a rematch, a match of an online bot."""
        if type(command) is cmd.Say:
            mutes = self.mutes if self.mutes is not None else await self.reload_mutes()
            if mutes.get(subscriber.user_id or "", 0) > self.runtime.clock.wall_time_ms():
                raise Refused("muted")
            return
        author = subscriber.user.author if subscriber.user is not None else None
        await self.require_bot_table_quota(subscriber.user_id or "", author)
        if type(command) is cmd.Bot:
            self.require_allowed_bots([command.code])
        elif type(command) is cmd.Rematch:
            table = subscriber.live.table
            if table.status == OVER and table.successor is None and table.seats_of_person(subscriber.user_id):
                async with self.new_table_within_quota(subscriber.user_id or "", address, table.terms.public):
                    return
