"""Finds tables for people who look for one: the only writer of the log of searches in this process.

A table and the event that says who sits there are one transaction: nobody is seated twice.
Who has a page connected here is renewed in the log now and then; without renewals a search ends soon. That covers a
closed page, a lost connection and a killed process alike.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from landfall.games import game as find_game
from landfall.store.events import Created, InitialChair, InitialClock
from landfall.store.matchmaking_events import (
    SearchEntry,
    SearchesEnded,
    SearchesLeft,
    SearchesRenewed,
    SearchEvent,
    SearchStarted,
    SearchWrite,
    TableMatched,
)
from landfall.tables.bots.allowed_bots import HINT_BOT, LEVELS
from landfall.tables.live.process_services import Services
from landfall.tables.live.shared_log_writer import NOBODY, SharedLogWriter
from landfall.tables.live.subscriber import User
from landfall.tables.log.clocks import DAY_MS
from landfall.tables.matchmaking import search_grouping
from landfall.tables.matchmaking.search_grouping import BAND_MS, BANDS, BOTS_AFTER_MS, SearchGroup
from landfall.tables.matchmaking.search_log import ABSENCE_MS, PACES, Search, SearchLog
from landfall.tables.protocol.errors import Refused
from landfall.tables.protocol.server_messages import LobbyMessage, NearSearch, SearchInfo, WaitingInfo
from landfall.tables.ratings.rating_model import shown_rating_number

if TYPE_CHECKING:
    from landfall.store.store import Store

log = logging.getLogger("landfall")
RENEWAL_MS: Final = 10_000  # between renewals of those who are connected here
DAYS_SEARCH_MS: Final = DAY_MS  # after which a search for a table by days ends
TICK_MS: Final = 1_000
KEPT_MS: Final = DAY_MS  # that events stay in the log
PRUNE_MS: Final = 3_600_000
MAX_NEAR: Final = 5  # of those who look for the same, shown to each
MAX_OFFERS_LISTED: Final = 24
MAX_COMPARED: Final = 500  # searches that each one is compared with, to say who is near
LISTENERS_AT_ONCE: Final = 20  # served in one step of the loop


@dataclass(eq=False)
class Listener:
    """A page that is connected to the lobby. `send` must not block."""

    user: User | None
    send: Callable[[str], None]
    sent: dict[str, Any] = field(default_factory=dict)  # the last value of each part


class Matchmaker(SharedLogWriter[SearchEvent]):
    """All searches, as this process knows them."""

    def __init__(self, services: Services, store: Store) -> None:
        super().__init__(services)
        self.store = store
        self.log = SearchLog()
        self.listeners: dict[Listener, None] = {}
        self.blocked: set[frozenset[str]] = set()  # pairs of people who look for a table
        self.untried: dict[str, None] = {}  # searches that changed since they were last tried
        self.bands: dict[str, int] = {}  # by search: the band it was last tried with
        self.pruned: int | None = None
        self.ticking: asyncio.Task[None] | None = None
        self.sending: asyncio.Task[None] | None = None

    # --- commands ---------------------------------------------------------------------------------------------

    async def start_search(
        self, user: User, games: list[str], sizes: list[int], pace: str, rated: bool, bots: str
    ) -> None:
        """Look for a table, in place of an earlier search."""
        games, sizes = list(dict.fromkeys(games)), sorted(set(sizes))
        if pace not in PACES or (bots and bots not in LEVELS):
            raise Refused("bad_message", reason=f"{pace[:20]!r}, {bots[:20]!r}")
        if not any(size in find_game(game).player_counts for game in games for size in sizes):
            raise Refused("no_such_table")
        if rated and not user.has_account:
            raise Refused("rated_account")
        rows = await self.store.ratings.list_ratings_of_user(user.id) if user.has_account else []
        numbers = {f"{row.game} {row.size}": shown_rating_number(row.mu) for row in rows if row.game in games}
        terms = SearchStarted(
            self.runtime.new_id(), user.id, user.name, games, sizes, pace, rated, bots, numbers, user.has_account,
            user.shown,
        )  # fmt: skip
        async with self.lock:
            await self.reload_blocked_pairs(user.id)
            await self.decide_and_append(lambda: SearchWrite([terms]))
            self.untried[terms.search] = None
            await self.try_to_seat_changed_searches()
        self.schedule_changes_to_listeners()
        self.start_tick_loop()

    async def stop_search(self, user: User) -> None:
        """Look no longer."""

        def decide_stop_search() -> SearchWrite | None:
            search = self.log.by_person.get(user.id)
            return None if search is None else SearchWrite([SearchesEnded([search.id], "stopped")])

        async with self.lock:
            await self.decide_and_append(decide_stop_search)
        self.schedule_changes_to_listeners()

    def on_person_seated(self, person: str) -> None:
        """Somebody sat down at a table that is played live: they look for no other one."""
        if not self.services.closing and (self.is_stale or person in self.log.by_person):
            self.services.spawn_background_task(self.try_end_search_of_seated(person))

    async def try_end_search_of_seated(self, person: str) -> None:
        def decide_end_when_seated() -> SearchWrite | None:
            search = self.log.by_person.get(person)
            if search is None or search.is_for_correspondence:
                return None
            return SearchWrite([SearchesEnded([search.id], "seated")])

        try:
            async with self.lock:
                await self.decide_and_append(decide_end_when_seated)
        except Refused:  # the page at the table does not renew it: it ends a little later
            return
        self.schedule_changes_to_listeners()

    async def seat_with_bots_now(self, user: User) -> None:
        """Let bots take the free seats now."""

        def decide_seat_with_bots() -> SearchWrite:
            search = self.log.by_person.get(user.id)
            if search is None:
                raise Refused("no_search")
            group = search_grouping.find_group_with_bots(
                search, self.log.searches.values(), self.blocked, self.monotonic_now_ms
            )
            return self.make_seating_write(group)

        async with self.lock:
            await self.decide_and_append(decide_seat_with_bots)
        self.schedule_changes_to_listeners()

    async def end_search_of_deleted_user(self, person: str) -> None:
        """A user was deleted from the store."""

        def decide_deletion() -> SearchWrite | None:
            search = self.log.by_person.get(person)
            return None if search is None else SearchWrite([SearchesEnded([search.id], "deleted")])

        async with self.lock:
            await self.decide_and_append(decide_deletion)
            self.log.found.pop(person, None)
        self.schedule_changes_to_listeners()

    async def describe_search(self, user: User) -> SearchInfo | None:
        """A user's search, if there is one."""
        async with self.lock:
            await self.refresh_if_stale()
        search = self.log.by_person.get(user.id)
        return None if search is None else self.build_search_info(search)

    # --- pages ------------------------------------------------------------------------------------------------

    async def connect_listener(self, user: User | None, send: Callable[[str], None]) -> Listener:
        """A page opens the lobby: sends everything at once, then all changes."""
        async with self.lock:
            await self.refresh_if_stale()
        listener = Listener(user, send)
        self.listeners[listener] = None
        listener.send(self.runtime.encode(self.full_lobby_message(listener)))
        self.start_tick_loop()
        return listener

    def disconnect_listener(self, listener: Listener) -> None:
        """A page is gone: without another one the search waits for it a little, and ends."""
        self.listeners.pop(listener, None)
        person = listener.user.id if listener.user is not None else None
        search = self.log.by_person.get(person) if person is not None else None
        if search is not None and person not in self.person_ids_connected_here() and not self.services.closing:
            self.services.spawn_background_task(self.try_record_searcher_left(search.id))

    def person_ids_connected_here(self) -> set[str]:
        """Who has a page open in this process."""
        return {listener.user.id for listener in self.listeners if listener.user is not None}

    async def try_record_searcher_left(self, id_: str) -> None:
        """Other processes are notified at once, so that nobody is seated with somebody who is gone."""

        def decide_left() -> SearchWrite | None:
            search = self.log.searches.get(id_)
            if search is None or not search.present or search.person_id in self.person_ids_connected_here():
                return None
            return SearchWrite([SearchesLeft([id_])])

        try:
            async with self.lock:
                await self.decide_and_append(decide_left)
        except Refused:  # without renewals the search ends a little later
            return
        self.schedule_changes_to_listeners()

    # --- the log ----------------------------------------------------------------------------------------------

    @property
    def monotonic_now_ms(self) -> int:
        return self.runtime.clock.monotonic_ms()

    def on_search_notification(self, words: str) -> None:
        """Another process wrote to the log, or may have (""); read it if somebody here waits for it."""
        if words and int(words) <= self.log.seq:
            return
        self.is_stale = True
        self.doubts += 1
        if self.listeners:
            self.services.spawn_background_task(self.refresh_and_seat_changed_searches())

    async def refresh_and_seat_changed_searches(self) -> None:
        try:
            async with self.lock:
                await self.refresh_if_stale()
                await self.try_to_seat_changed_searches()
        except Refused:  # tried again by the next tick
            return
        self.schedule_changes_to_listeners()
        self.start_tick_loop()

    @property
    def last_known_seq(self) -> int:
        return self.log.seq

    async def read_entries_after(self, after: int) -> list[SearchEntry]:
        return await self.store.searches.read_search_log(after)

    async def try_append_write(self, write: SearchWrite) -> bool:
        return await self.store.searches.append_search_events(write)

    async def on_incompatible_people(self) -> None:
        """Somebody was deleted, or blocked another, just now."""
        await self.end_searches_of_deleted_users()
        await self.reload_blocked_pairs()

    def apply_entries(self, entries: list[SearchEntry]) -> None:
        """Apply events that are on disk; those whose searches they change are tried again."""
        is_first = self.log.seq == 0  # what others write later is read at once
        for entry in entries:
            if entry.seq <= self.log.seq:
                continue
            age = max(0, self.runtime.clock.wall_time_ms() - entry.at) if is_first else 0
            self.log.apply_entry(entry, self.monotonic_now_ms, age)
            match entry.event:
                case SearchStarted(search):
                    self.untried[search] = None
                case SearchesRenewed(searches):
                    self.untried.update(dict.fromkeys(searches))
                    continue
            self.services.on_public_change()

    async def reload_blocked_pairs(self, person: str = "") -> None:
        """Read again who of those that look for a table, and somebody else, has blocked whom."""
        await self.refresh_if_stale()
        try:
            self.blocked = await self.store.relations.list_blocked_pairs_among({person, *self.log.by_person})
        except Exception as error:
            log.warning("blocked users could not be read: %s", type(error).__name__)
            raise Refused("store") from None

    # --- matching ---------------------------------------------------------------------------------------------

    async def try_to_seat_changed_searches(self) -> None:
        """Try to seat each search that changed."""
        while self.untried:
            id_ = next(iter(self.untried))
            del self.untried[id_]
            await self.try_to_seat_search(id_)

    async def try_to_seat_search(self, id_: str, with_bots: bool = False) -> None:
        """Seat a search if there is a full table for it; or with bots."""

        def decide_seating() -> SearchWrite | None:
            search = self.log.searches.get(id_)
            if search is None or not search.can_be_matched_now:
                return None
            self.bands[id_] = search_grouping.count_band_widenings(search, self.monotonic_now_ms)
            group = search_grouping.find_full_group(
                search, self.log.searches.values(), self.blocked, self.monotonic_now_ms
            )
            if group is None and with_bots:
                group = search_grouping.find_group_with_bots(
                    search, self.log.searches.values(), self.blocked, self.monotonic_now_ms
                )
            return None if group is None else self.make_seating_write(group)

        try:
            await self.decide_and_append(decide_seating)
        except Refused:
            self.untried[id_] = None
            raise

    async def end_searches_of_deleted_users(self) -> None:
        """End the searches of users who are gone."""
        gone = [search.id for search in self.log.searches.values() if not await self.user_exists(search.person_id)]
        if gone:
            await self.decide_and_append(lambda: SearchWrite([SearchesEnded(gone, "deleted")]))

    async def user_exists(self, person: str) -> bool:
        try:
            return await self.store.users.get_user_by_id(person) is not None
        except Exception as error:
            log.warning("a user could not be looked up: %s", type(error).__name__)
            raise Refused("store") from None

    def make_seating_write(self, group: SearchGroup) -> SearchWrite:
        """The events of a table at which these people sit, and its match has begun."""
        offer, searches = group.offer, group.searches
        level = next((search.terms.bots for search in searches if search.terms.bots), HINT_BOT)
        chairs = [InitialChair(search.person_id, search.terms.name) for search in searches]
        chairs += [InitialChair(bot=level) for _ in range(group.bots_needed)]
        clock = PACES[offer.pace]
        created = Created(
            offer.game, offer.players, {}, find_game(offer.game).rules_version, NOBODY,
            InitialClock(clock.mode, clock.turn, clock.bank, clock.days), True, "drawn", False, chairs,
            rated=offer.rated, hints=len(searches) == 1,
        )  # fmt: skip
        begun = self.make_started_table(created)
        event = TableMatched(begun.summary.table, [search.id for search in searches], group.bots_needed)
        return SearchWrite([event], [search.person_id for search in searches], [begun])

    # --- time -------------------------------------------------------------------------------------------------

    def start_tick_loop(self) -> None:
        """While somebody here waits, look after the searches."""
        waits = any(person in self.log.by_person for person in self.person_ids_connected_here())
        if waits and (self.ticking is None or self.ticking.done()):
            self.ticking = self.services.spawn_background_task(self.tick_while_somebody_waits())

    async def tick_while_somebody_waits(self) -> None:
        """Until nobody here waits any more."""
        while any(person in self.log.by_person for person in self.person_ids_connected_here()):
            try:
                async with self.lock:
                    await self.renew_end_and_match_searches()
            except Refused:  # the database is away: again at the next tick
                pass
            self.schedule_changes_to_listeners()
            await self.runtime.clock.sleep_ms(TICK_MS)

    async def renew_end_and_match_searches(self) -> None:
        """Renew, end what is over, widen bands, let bots sit down."""
        await self.refresh_if_stale()
        await self.renew_connected_searches()
        await self.end_absent_and_expired_searches()
        for search in list(self.log.searches.values()):
            if search_grouping.count_band_widenings(search, self.monotonic_now_ms) != self.bands.get(search.id, 0):
                self.untried[search.id] = None
        await self.try_to_seat_changed_searches()
        here = self.person_ids_connected_here()
        for search in list(self.log.searches.values()):
            due = search.terms.bots and self.monotonic_now_ms - search.started >= BOTS_AFTER_MS
            if due and (search.person_id in here or search.is_for_correspondence):
                await self.try_to_seat_search(search.id, with_bots=True)
        self.log.forget_old_found_tables(self.monotonic_now_ms)
        for id_ in [id_ for id_ in self.bands if id_ not in self.log.searches]:
            del self.bands[id_]
        await self.prune_search_log()

    async def renew_connected_searches(self) -> None:
        """Say of those connected here that they are, now and then, and at once if they were away."""
        mine = [
            search
            for person in self.person_ids_connected_here()
            if (search := self.log.by_person.get(person)) is not None
        ]
        due = sorted(
            search.id for search in mine if not search.present or self.monotonic_now_ms - search.seen >= RENEWAL_MS
        )
        if due:
            await self.decide_and_append(lambda: SearchWrite([SearchesRenewed(due)]))

    async def end_absent_and_expired_searches(self) -> None:
        """End the searches of those who are gone. The log is read before: others may have renewed them."""
        if not self.absent_or_expired_search_ids():
            return
        self.is_stale = True

        def decide_end_absent() -> SearchWrite | None:
            gone = self.absent_or_expired_search_ids()
            return SearchWrite([SearchesEnded(gone, "away")]) if gone else None

        await self.decide_and_append(decide_end_absent)

    def absent_or_expired_search_ids(self) -> list[str]:
        here = self.person_ids_connected_here()
        return [
            search.id
            for search in self.log.searches.values()
            if (
                self.monotonic_now_ms - search.started >= DAYS_SEARCH_MS
                if search.is_for_correspondence
                else search.person_id not in here and self.monotonic_now_ms - search.seen >= ABSENCE_MS
            )
        ]

    async def prune_search_log(self) -> None:
        """Delete the part of the log that nobody needs any more."""
        if self.pruned is not None and self.monotonic_now_ms - self.pruned < PRUNE_MS:
            return
        self.pruned = self.monotonic_now_ms
        try:
            await self.store.searches.prune_search_log(
                self.log.oldest_needed_seq, self.runtime.clock.wall_time_ms() - KEPT_MS
            )
        except Exception as error:
            log.warning("old searches could not be deleted: %s", type(error).__name__)

    # --- sending ----------------------------------------------------------------------------------------------

    def schedule_changes_to_listeners(self) -> None:
        """Send the pages what has changed; once for all changes meanwhile."""
        if self.listeners and (self.sending is None or self.sending.done()):
            self.sending = self.services.spawn_background_task(self.send_changes_to_listeners())

    async def send_changes_to_listeners(self) -> None:
        waiting = self.count_waiting_by_offer()
        text = self.runtime.encode({"t": "lobby", "waiting": waiting})  # once for all
        for n, listener in enumerate(list(self.listeners)):
            if n % LISTENERS_AT_ONCE == 0:
                await asyncio.sleep(0)
            if listener not in self.listeners:
                continue
            if listener.sent.get("waiting") != waiting:
                listener.sent["waiting"] = waiting
                listener.send(text)
            if changed := self.changed_parts_for_listener(listener):
                listener.send(self.runtime.encode({"t": "lobby", **changed}))

    def full_lobby_message(self, listener: Listener) -> LobbyMessage:
        """All parts at once, for a new page, or in place of what a slow one missed."""
        listener.sent = {"waiting": self.count_waiting_by_offer()}
        return {"t": "lobby", "waiting": listener.sent["waiting"], **self.changed_parts_for_listener(listener)}

    def changed_parts_for_listener(self, listener: Listener) -> LobbyMessage:
        """The parts of its own that differ from what the page knows. Times pass there, too."""
        if listener.user is None:
            return {}  # type: ignore[typeddict-item]
        search = self.log.by_person.get(listener.user.id)
        found = self.log.found.get(listener.user.id)
        parts: dict[str, Any] = {
            "search": None if search is None else self.build_search_info(search),
            "found": None if found is None else found[0],
        }
        known = {name: without_time_dependent_fields(value) for name, value in parts.items()}
        changed = {name: parts[name] for name in parts if listener.sent.get(name, ...) != known[name]}
        listener.sent.update({name: known[name] for name in changed})
        return changed  # type: ignore[return-value]

    def build_search_info(self, search: Search) -> SearchInfo:
        """A search as its owner sees it."""
        t, waited, ring = (
            search.terms,
            max(0, self.monotonic_now_ms - search.started),
            search_grouping.count_band_widenings(search, self.monotonic_now_ms),
        )
        near = self.nearest_searches(search)
        offers = search_grouping.offers_of_search(search)
        return {
            "games": t.games, "sizes": t.sizes, "pace": t.pace, "rated": t.rated, "bots": t.bots,
            "waited": waited, "ring": ring,
            "wider": (ring + 1) * BAND_MS - waited if ring + 1 < len(BANDS) else None,
            "bots_in": max(0, BOTS_AFTER_MS - waited) if t.bots else None,
            "rating": search_grouping.search_rating_for_offer(search, offers[0]),
            "near": [one for _, one in near[:MAX_NEAR]], "others": len(near),
        }  # fmt: skip

    def nearest_searches(self, search: Search) -> list[tuple[int, NearSearch]]:
        """Those who look for the same, the nearest first."""
        offers, found = search_grouping.offers_of_search(search), []
        for other in list(self.log.searches.values())[:MAX_COMPARED]:
            both = [offer for offer in offers if search_grouping.agrees_to_offer(other, offer)]
            blocked = frozenset((search.person_id, other.person_id)) in self.blocked
            if other is search or not both or blocked or not other.can_be_matched_now:
                continue
            apart = [
                abs(
                    search_grouping.search_rating_for_offer(search, offer)
                    - search_grouping.search_rating_for_offer(other, offer)
                )
                for offer in both
            ]
            at = apart.index(min(apart))
            one: NearSearch = {
                "ring": search_grouping.band_index_for_difference(apart[at]),
                "fits": search_grouping.are_within_both_bands(search, other, both[at], self.monotonic_now_ms),
            }
            if other.terms.shown:
                one["name"], one["rating"] = other.terms.name, search_grouping.search_rating_for_offer(other, both[at])
            found.append((apart[at], one))
        return sorted(found, key=lambda pair: pair[0])

    def searched_games_by_person(self) -> dict[str, list[str]]:
        """The games that each person looks for a table of."""
        return {
            person: search.terms.games for person, search in self.log.by_person.items() if search.can_be_matched_now
        }

    def count_waiting_by_offer(self) -> list[WaitingInfo]:
        """How many look for each kind of table."""
        ready = [search for search in self.log.searches.values() if search.can_be_matched_now]
        counts = Counter(offer for search in ready[:MAX_COMPARED] for offer in search_grouping.offers_of_search(search))
        listed = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MAX_OFFERS_LISTED]
        return [
            {"game": o.game, "players": o.players, "pace": o.pace, "rated": o.rated, "people": people}
            for o, people in listed
        ]


def without_time_dependent_fields(value: Any) -> Any:
    """A part without the fields that change as time passes."""
    if not isinstance(value, dict):
        return value
    return {name: part for name, part in value.items() if name not in ("waited", "wider", "bots_in")}
