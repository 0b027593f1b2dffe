"""Doors at which something is made: how many tables one may have and make, and which bots may be put on chairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from landfall.store.store import Store
from landfall.tables import commands as cmd
from landfall.tables.commands import AnyCommand
from landfall.tables.environment import Environment
from landfall.tables.errors import Refused
from landfall.tables.levels import LEVELS
from landfall.tables.table import GATHERING, OVER
from landfall.web.limits import Buckets

if TYPE_CHECKING:
    from landfall.tables.watcher import Watcher
    from landfall.web.settings import Settings

MAKES: Final = (cmd.Bot, cmd.Rematch)
WEEK: Final = 7 * 24 * 3600 * 1000
PLACES: Final = 10_000  # addresses of which it is known who made public tables there


class Making:
    """The limits by person and by address, whichever door is used."""

    def __init__(self, settings: Settings, store: Store, env: Environment) -> None:
        self.settings = settings
        self.store = store
        self.env = env
        self.people = Buckets(settings.limits.tables)
        self.places = Buckets(settings.limits.tables_here)
        self.public: dict[str, set[str]] = {}  # who made public tables from an address

    async def table(self, person: str, address: str, public: bool) -> None:
        """Somebody makes a table. Refused: too many, or too fast."""
        limits = self.settings.limits
        if not self.people.take(person) or not self.places.take(address):
            raise Refused("too_fast")
        here = {person, *self.public.get(address, ())} if public else {person}
        found = await self.store.unfinished(here, self.env.time.now() - WEEK)
        if sum(head.owner == person for head in found) >= limits.unfinished:
            raise Refused("too_many", most=limits.unfinished)
        if public:
            open_ = [head.owner for head in found if head.public and head.status == GATHERING]
            if open_.count(person) >= limits.public:
                raise Refused("too_public", most=limits.public)
            if len(open_) >= limits.public_here:
                raise Refused("too_public", most=limits.public_here)
            self.remember(address, person)

    def remember(self, address: str, person: str) -> None:
        if len(self.public) > PLACES:
            self.public.clear()
        self.public.setdefault(address, set()).add(person)

    def bots(self, codes: list[str]) -> None:
        """Guests put levels on chairs; codes, which may ask for more, only where the host allows them."""
        for code in codes:
            if code not in LEVELS and not self.settings.bot_codes:
                raise Refused("bot", reason=f"{code[:60]!r}: {', '.join(LEVELS)}")

    async def commanded(self, watcher: Watcher, address: str, command: AnyCommand) -> None:
        """What one of MAKES makes: a bot on a chair, a table for a rematch."""
        if type(command) is cmd.Bot:
            self.bots([command.code])
        elif type(command) is cmd.Rematch:
            table = watcher.live.table
            if table.status == OVER and table.successor is None and table.seats_of(watcher.person):
                await self.table(watcher.person or "", address, table.terms.public)
