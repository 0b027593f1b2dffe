"""Folds the log of searches: who looks for a table now, since when, and whether they are there.

Durations are measured by this process's monotonic clock from the moment it read an event. A wall clock that is wrong
ends no search: it is only asked how old events from before the process began are.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from landfall.store.matchmaking_events import (
    SearchEntry,
    SearchesEnded,
    SearchesLeft,
    SearchesRenewed,
    SearchStarted,
    TableMatched,
)
from landfall.store.row_types import FORGOTTEN_PREFIX
from landfall.tables.log.clocks import DAYS_CLOCK, LIVE_CLOCK, ClockRule

PACES: Final = {
    "quarter": ClockRule(LIVE_CLOCK, turn=10, bank=900),  # a quarter of an hour each, and ten seconds a turn
    "day": ClockRule(DAYS_CLOCK, days=1),
    "three_days": ClockRule(DAYS_CLOCK, days=3),
    "week": ClockRule(DAYS_CLOCK, days=7),
}
ABSENCE_MS: Final = 30_000  # without a sign of somebody, after which a search ends
FOUND_TTL_MS: Final = 60_000  # that a page which missed it still gets the table that was found


@dataclass(slots=True)
class Search:
    """A search that goes on."""

    id: str
    seq: int  # of the event that started it
    terms: SearchStarted
    started: int  # on the monotonic clock
    seen: int  # the same, of the last sign that somebody is there
    present: bool = True

    @property
    def person_id(self) -> str:
        return self.terms.person

    @property
    def is_for_correspondence(self) -> bool:
        """Whether it goes on without anybody waiting for it."""
        return PACES[self.terms.pace].mode == DAYS_CLOCK

    @property
    def can_be_matched_now(self) -> bool:
        """Whether it can lead to a table now."""
        return self.present or self.is_for_correspondence


@dataclass
class SearchLog:
    """The folded state of the log."""

    seq: int = 0  # of the last event
    searches: dict[str, Search] = field(default_factory=dict)  # in the order of their start
    by_person: dict[str, Search] = field(default_factory=dict)
    found: dict[str, tuple[str, int]] = field(default_factory=dict)  # by person: the last table, and when on the clock

    def apply_entry(self, entry: SearchEntry, monotonic: int, age: int = 0) -> None:
        """Apply one event of this age, read at this time of the monotonic clock."""
        self.seq = entry.seq
        match entry.event:
            case SearchStarted() as terms:
                self.start_search(terms, entry, age, monotonic)
            case SearchesRenewed(searches):
                self.set_search_presence(searches, age < ABSENCE_MS, monotonic)
            case SearchesLeft(searches):
                self.set_search_presence(searches, False, monotonic)
            case SearchesEnded(searches):
                for search in searches:
                    self.remove_search(search)
            case TableMatched(table, searches):
                for search in searches:
                    if (gone := self.remove_search(search)) is not None and age < FOUND_TTL_MS:
                        self.found[gone.person_id] = table, monotonic
            case None:
                pass

    def start_search(self, terms: SearchStarted, entry: SearchEntry, age: int, monotonic: int) -> None:
        before = self.by_person.get(terms.person)
        if before is not None:
            self.remove_search(before.id)
        self.found.pop(terms.person, None)
        if terms.pace in PACES and not terms.person.startswith(FORGOTTEN_PREFIX):
            search = Search(terms.search, entry.seq, terms, monotonic - age, monotonic, age < ABSENCE_MS)
            self.searches[search.id] = self.by_person[search.person_id] = search

    def set_search_presence(self, searches: list[str], present: bool, monotonic: int) -> None:
        for id_ in searches:
            if (search := self.searches.get(id_)) is not None:
                search.present, search.seen = present, monotonic

    def remove_search(self, id_: str) -> Search | None:
        """A search is over."""
        search = self.searches.pop(id_, None)
        if search is not None:
            del self.by_person[search.person_id]
        return search

    def forget_old_found_tables(self, monotonic: int) -> None:
        """Pages had enough time to receive these tables."""
        self.found = {who: what for who, what in self.found.items() if monotonic - what[1] < FOUND_TTL_MS}

    @property
    def oldest_needed_seq(self) -> int:
        """The number of the first event that is still needed."""
        return min((search.seq for search in self.searches.values()), default=self.seq)
