"""The lobby's board: public tables and who is here, the same in every process, live for all who look at it.

It is read again after a change, at most twice a second, and now and then in case a notification was lost. What changed
is encoded once for all viewers. Only those for whom something is hidden, or who follow somebody, get a message of
their own. Private tables are never on it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from landfall.store.row_types import PRESENCE_LEASE_MS, Presence, TableSummary
from landfall.tables.live.process_services import Services
from landfall.tables.live.subscriber import User
from landfall.tables.log.table import EXHIBITION, GATHERING, PLAYING
from landfall.tables.protocol.server_messages import HereInfo, HerePerson, LobbyMessage, LobbyTable

if TYPE_CHECKING:
    from landfall.store.store import Store

log = logging.getLogger("landfall")
MIN_INTERVAL_MS: Final = 500  # between two readings
POLL_MS: Final = 10_000  # after which it is read without a notification
MAX_NAMES: Final = 12  # of those who are here
MAX_FOLLOWED: Final = 20  # of those who are here and followed
VIEWERS_AT_ONCE: Final = 100  # served in one step of the loop
NOBODY: Final[frozenset[str]] = frozenset()


@dataclass(eq=False)
class LobbyViewer:
    """A page that looks at the board. `send` must not block."""

    user: User | None
    send: Callable[[str], None]
    sees_tables: bool = True
    hidden: frozenset[str] = NOBODY  # people whose tables and names this viewer does not see
    followed: frozenset[str] = NOBODY
    sent: dict[str, Any] = field(default_factory=dict)  # the last value of the parts of its own
    reading: asyncio.Lock = field(default_factory=asyncio.Lock)  # the latest reading of its relations comes last

    @property
    def sees_everything_public(self) -> bool:
        """Whether it gets what everybody gets."""
        return self.sees_tables and not self.hidden


@dataclass
class LobbySnapshot:
    """The board at one moment."""

    tables: dict[str, LobbyTable] = field(default_factory=dict)
    people: dict[str, frozenset[str]] = field(default_factory=dict)  # by table: who sits there, or owns it
    here: list[tuple[str, HerePerson]] = field(default_factory=list)  # those who are shown, with their ids
    count: int = 0  # of all who are here
    tables_in_use: int = 0
    waiting: dict[str, int] = field(default_factory=dict)  # by game: how many look for a table
    searches: int = 0
    ranks: dict[str, int] = field(init=False)  # by id: where somebody is in `here`

    def __post_init__(self) -> None:
        self.ranks = {person: rank for rank, (person, _) in enumerate(self.here)}

    def tables_visible_to(self, viewer: LobbyViewer) -> dict[str, LobbyTable]:
        if viewer.sees_everything_public:
            return self.tables
        if not viewer.sees_tables:
            return {}
        return {id_: row for id_, row in self.tables.items() if self.people[id_].isdisjoint(viewer.hidden)}

    def presence_info_without(self, hidden: frozenset[str], shows_tables: bool = True) -> HereInfo:
        names = list(islice((one for person, one in self.here if person not in hidden), MAX_NAMES))
        if not shows_tables:
            names = [{"name": one["name"]} for one in names]
        return {
            "people": self.count, "tables": self.tables_in_use, "names": names,
            "searches": self.searches, "waiting": self.waiting,
        }  # fmt: skip

    def followed_people_here(self, viewer: LobbyViewer) -> list[HerePerson]:
        # A few of many: the cost is that of those whom one viewer follows, not of all who are here.
        followed = (viewer.followed & self.ranks.keys()) - viewer.hidden
        found = sorted(self.ranks[person] for person in followed)
        return [self.here[rank][1] for rank in found[:MAX_FOLLOWED]]


class LobbyBoard:
    """The board as this process knows it."""

    def __init__(
        self,
        services: Services,
        store: Store,
        list_tables: Callable[[], Awaitable[list[TableSummary]]],
        connected: Callable[[], Iterable[Presence]],
        searches: Callable[[], Mapping[str, list[str]]],
        exhibit: Callable[[], Awaitable[None]],
    ) -> None:
        self.services = services
        self.store = store
        self.runtime = services.runtime
        self.list_tables = list_tables
        self.connected = connected  # to this process
        self.searches = searches  # by person: the games that they look for a table of
        self.exhibit = exhibit  # called when nobody plays in public and somebody looks
        self.viewers: dict[LobbyViewer, None] = {}
        self.connecting: dict[LobbyViewer, None] = {}  # nothing was sent to them yet
        self.snapshot = LobbySnapshot()
        self.read_at: int | None = None  # on the monotonic clock
        self.change = asyncio.Event()
        self.changed_here = False  # other processes have not been notified of a change
        self.presences: dict[str, Presence] = {}  # of this process, as the database knows them
        self.renewed: int | None = None  # the same clock
        self.lock = asyncio.Lock()
        self.readings = 0  # for tests and metrics

    # --- viewers ----------------------------------------------------------------------------------------------

    async def connect_viewer(self, user: User | None, send: Callable[[str], None], sees_tables: bool) -> LobbyViewer:
        """A page looks at the board: sends everything at once, then all changes."""
        viewer = LobbyViewer(user, send, sees_tables)
        self.connecting[viewer] = None  # from now on it is notified of blocks
        try:
            await self.reload_viewer_relations(viewer)
            await self.refresh_if_old_and_unwatched()
        finally:
            del self.connecting[viewer]
        viewer.send(self.runtime.encode(self.full_lobby_message(viewer)))
        self.viewers[viewer] = None
        self.mark_changed()
        return viewer

    async def presence_info_for_person(self, person: str) -> tuple[HereInfo, list[str]]:
        """Who is here, for somebody who asks now and then, and the names of those whom they follow."""
        await self.refresh_if_old_and_unwatched()
        asker = LobbyViewer(User(person, ""), lambda text: None)
        await self.reload_viewer_relations(asker)
        followed = [one["name"] for one in self.snapshot.followed_people_here(asker)]
        return self.snapshot.presence_info_without(asker.hidden), followed

    def disconnect_viewer(self, viewer: LobbyViewer) -> None:
        """A page is gone."""
        self.viewers.pop(viewer, None)
        self.mark_changed()

    async def reload_viewer_relations(self, viewer: LobbyViewer) -> None:
        """Whom a viewer follows, and whose tables are hidden."""
        if viewer.user is not None:
            async with viewer.reading:
                viewer.hidden = await self.store.relations.list_user_ids_blocked_either_way(viewer.user.id)
                viewer.followed = await self.store.relations.list_user_ids_followed_by(viewer.user.id)

    async def reload_relations_and_resend_lobby(self, *people: str) -> None:
        """Whom these users block or follow has changed: read it again, and send their pages the whole board."""
        known = [*self.viewers, *self.connecting]
        for viewer in [one for one in known if one.user is not None and one.user.id in people]:
            await self.reload_viewer_relations(viewer)
            if viewer in self.viewers:
                viewer.send(self.runtime.encode(self.full_lobby_message(viewer)))

    def full_lobby_message(self, viewer: LobbyViewer) -> LobbyMessage:
        """All parts, for a page that knows nothing."""
        here = self.snapshot.presence_info_without(viewer.hidden, viewer.sees_tables)
        tables = self.snapshot.tables_visible_to(viewer)
        viewer.sent = {"tables": tables, "here": here, "followed": self.snapshot.followed_people_here(viewer)}
        return {"t": "lobby", "fresh": True, **viewer.sent}  # type: ignore[typeddict-item]

    def send_home_changed_to_pages(self, person: str) -> None:
        """Something waits for somebody, or no longer: their pages ask what."""
        text = ""
        for viewer in self.viewers:
            if viewer.user is not None and viewer.user.id == person:
                text = text or self.runtime.encode({"t": "lobby", "home": True})
                viewer.send(text)

    # --- changes ----------------------------------------------------------------------------------------------

    def mark_changed(self) -> None:
        """Something on the board changed here: it is read again soon, and in other processes."""
        self.changed_here = True
        self.change.set()

    def on_lobby_notification(self, words: str) -> None:
        """Another process changed something, or may have: a person's home, or the board."""
        person, _, kind = words.partition(" ")
        if person and kind == "relations":
            self.services.spawn_background_task(self.reload_relations_and_resend_lobby(person))
        elif person:
            self.send_home_changed_to_pages(person)
        else:
            self.change.set()

    async def notify_home_changed(self, person: str) -> None:
        """Something waits for somebody, or no longer, in every process."""
        self.send_home_changed_to_pages(person)
        if self.store.database.is_shared:
            await self.services.notify_processes_until_sent("lobby", person)

    async def notify_relations_changed(self, *people: str) -> None:
        """The same for whom somebody blocks or follows."""
        await self.reload_relations_and_resend_lobby(*people)
        if self.store.database.is_shared:
            for person in people:
                await self.services.notify_processes_until_sent("lobby", f"{person} relations")

    async def run_update_loop(self) -> None:
        """Until the process ends."""
        while True:
            try:
                await self.update_and_broadcast()
            except Exception as error:  # the database is away: tried again
                log.warning("the lobby could not be read: %s", type(error).__name__)
            await self.runtime.clock.sleep_ms(MIN_INTERVAL_MS)
            waiting = asyncio.ensure_future(self.change.wait())
            polling = asyncio.ensure_future(self.runtime.clock.sleep_ms(POLL_MS))
            try:
                await asyncio.wait({waiting, polling}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                waiting.cancel()
                polling.cancel()

    async def update_and_broadcast(self) -> None:
        """Write who is connected here, notify other processes, read the board and send what changed."""
        self.change.clear()
        changed = await self.write_changed_presences()
        if self.store.database.is_shared and (changed or self.changed_here):
            self.changed_here = False
            await self.store.database.notify_processes("lobby", "")
        if self.viewers:
            async with self.lock:
                before = self.snapshot
                await self.reload_snapshot()
                await self.send_changes_to_viewers(before, self.snapshot)
            if not any(row["status"] == PLAYING for row in self.snapshot.tables.values()):
                await self.exhibit()

    async def end_presences_of_this_process(self) -> None:
        """Delete the presences of this process from the database: nobody is connected to it any more."""
        if self.presences:
            await self.store.presences.end_presences(self.services.name)

    # --- reading ----------------------------------------------------------------------------------------------

    async def write_changed_presences(self) -> bool:
        """Write to the database who is connected here, if processes share it. Returns whether it changed."""
        if not self.store.database.is_shared:
            return False
        now = one_presence_per_person(self.connected())
        changed = [one for person, one in now.items() if self.presences.get(person) != one]
        gone = [person for person in self.presences if person not in now]
        steady = self.runtime.clock.monotonic_ms()
        due = self.renewed is None or steady - self.renewed > PRESENCE_LEASE_MS // 3
        if not changed and not gone and not (due and now):
            return False
        until = self.runtime.clock.wall_time_ms() + PRESENCE_LEASE_MS
        await self.store.presences.renew_presences(self.services.name, changed, gone, until)
        self.presences, self.renewed = now, steady
        return bool(changed or gone)

    async def refresh_if_old_and_unwatched(self) -> None:
        """The board is no older than it may be; once for all who ask at the same time. While somebody looks at it, it
        is read in any case.
        """
        async with self.lock:
            old = self.read_at is None or self.runtime.clock.monotonic_ms() - self.read_at > POLL_MS
            if old and not self.viewers:
                await self.reload_snapshot()

    async def reload_snapshot(self) -> None:
        """Replace the snapshot by the board as it is now."""
        shared = self.store.database.is_shared
        summaries = await self.list_tables()
        found = await self.store.presences.read_presences(self.runtime.clock.wall_time_ms()) if shared else None
        here = one_presence_per_person(self.connected() if found is None else found)
        self.snapshot = self.build_snapshot(summaries, here)
        self.read_at = self.runtime.clock.monotonic_ms()
        self.readings += 1

    def build_snapshot(self, summaries: list[TableSummary], here: Mapping[str, Presence]) -> LobbySnapshot:
        watched = Counter(one.table for one in here.values() if one.table)
        others_play = any(summary.status == PLAYING and summary.owner != EXHIBITION for summary in summaries)
        shown = [summary for summary in summaries if summary.owner != EXHIBITION or not others_play]
        tables = {summary.table: describe_public_table(summary, watched[summary.table]) for summary in shown}
        searches = self.searches()
        waiting = Counter(game for games in searches.values() for game in games)
        names = [
            (person, describe_connected_person(one, tables, searches.get(person, [])))
            for person, one in here.items()
            if one.name
        ]
        names.sort(key=lambda pair: ("waits" not in pair[1], "table" not in pair[1], pair[1]["name"]))
        people = {
            summary.table: frozenset([*(who for who in summary.info.get("people", []) if who), summary.owner])
            for summary in shown
        }
        return LobbySnapshot(tables, people, names, len(here), len(watched), dict(waiting), len(searches))

    # --- sending ----------------------------------------------------------------------------------------------

    async def send_changes_to_viewers(self, before: LobbySnapshot, after: LobbySnapshot) -> None:
        """Send every viewer what changed; the same text to all who may see everything."""
        plain: dict[str, Any] = {}
        if changed := changed_table_rows(before.tables, after.tables):
            plain["tables"] = changed
        if (here := after.presence_info_without(NOBODY)) != before.presence_info_without(NOBODY):
            plain["here"] = here
        text = self.runtime.encode({"t": "lobby", **plain}) if plain else ""  # type: ignore[arg-type]
        for n, viewer in enumerate(list(self.viewers)):
            if n % VIEWERS_AT_ONCE == 0:
                await asyncio.sleep(0)
            if viewer not in self.viewers:
                continue
            if viewer.sees_everything_public and viewer.sent.get("tables") is before.tables:
                viewer.sent["tables"] = after.tables
                if text:
                    viewer.send(text)
                self.send_followed_if_changed(viewer, after)
            else:
                self.send_personal_changes(viewer, after)

    def send_followed_if_changed(self, viewer: LobbyViewer, after: LobbySnapshot) -> None:
        """Those whom a viewer follows, if that changed."""
        if viewer.followed and (followed := after.followed_people_here(viewer)) != viewer.sent.get("followed"):
            viewer.sent["followed"] = followed
            viewer.send(self.runtime.encode({"t": "lobby", "followed": followed}))

    def send_personal_changes(self, viewer: LobbyViewer, after: LobbySnapshot) -> None:
        """What changed for a viewer to whom not everything is shown, or who came in between."""
        tables, here = after.tables_visible_to(viewer), after.presence_info_without(viewer.hidden, viewer.sees_tables)
        message: dict[str, Any] = {}
        if changed := changed_table_rows(viewer.sent.get("tables", {}), tables):
            message["tables"] = changed
        if here != viewer.sent.get("here"):
            message["here"] = here
        viewer.sent.update(tables=tables, here=here)
        if message:
            viewer.send(self.runtime.encode({"t": "lobby", **message}))  # type: ignore[arg-type]
        self.send_followed_if_changed(viewer, after)


def one_presence_per_person(found: Iterable[Presence]) -> dict[str, Presence]:
    """One presence for each person: at a table rather than not."""
    people: dict[str, Presence] = {}
    for one in found:
        if one.person not in people or (one.table and not people[one.person].table):
            people[one.person] = one
    return people


def describe_connected_person(one: Presence, tables: Mapping[str, LobbyTable], games: list[str]) -> HerePerson:
    """What somebody does, as everybody may know: at a private table they are just here."""
    found: HerePerson = {"name": one.name}
    if (row := tables.get(one.table)) is not None:
        found["table"], found["game"] = one.table, row["game"]
    elif games:
        found["waits"] = games
    return found


def describe_public_table(summary: TableSummary, watched: int) -> LobbyTable:
    """A public table, as everybody may see it."""
    info = summary.info
    row: LobbyTable = {
        "table": summary.table, "game": summary.game, "status": "gathering" if summary.status == GATHERING else PLAYING,
        "created": summary.created, "updated": summary.updated, "players": info["players"], "clock": info["clock"],
        "chairs": info["chairs"], "colours": info.get("colours", []), "rated": info.get("unrated") == "",
        "here": watched,
    }  # fmt: skip
    if bots := info.get("online_bots"):
        row["online_bots"] = bots
    if summary.owner == EXHIBITION:
        row["exhibition"] = True
    return row


def changed_table_rows(
    before: Mapping[str, LobbyTable], after: Mapping[str, LobbyTable]
) -> dict[str, LobbyTable | None]:
    """The rows that differ; null for those that are gone."""
    changed: dict[str, LobbyTable | None] = {id_: row for id_, row in after.items() if before.get(id_) != row}
    gone: Collection[str] = before.keys() - after.keys()
    return {**changed, **dict.fromkeys(gone)}
