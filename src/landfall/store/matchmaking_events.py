"""The events of the log of searches: who looks for a table, and what became of it.

One log for the whole server. What came before the oldest search that goes on can be deleted: the rest still tells who
looks for a table now.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Final

from landfall.store.shared_log_entries import SharedEntry, SharedWrite


@dataclass(slots=True)
class SearchStarted:
    """Somebody looks for a table; an earlier search of theirs ends. `numbers` are their ratings by pool."""

    kind: ClassVar[str] = "search"
    search: str
    person: str
    name: str
    games: list[str]
    sizes: list[int]
    pace: str
    rated: bool
    bots: str  # the level that takes free seats after a while; "" for none
    numbers: dict[str, int] = field(default_factory=dict)
    account: bool = False
    shown: bool = False  # whether others who wait see name and rating


@dataclass(slots=True)
class SearchesRenewed:
    """These people are still there, or again."""

    kind: ClassVar[str] = "renew"
    searches: list[str]


@dataclass(slots=True)
class SearchesLeft:
    """No page of theirs is connected to a process any more: without a renewal the searches end soon."""

    kind: ClassVar[str] = "away"
    searches: list[str]


@dataclass(slots=True)
class SearchesEnded:
    """`why` is stopped, away, late, seated or deleted."""

    kind: ClassVar[str] = "end"
    searches: list[str]
    why: str


@dataclass(slots=True)
class TableMatched:
    """These searches led to a table; its log begins in the same transaction."""

    kind: ClassVar[str] = "match"
    table: str
    searches: list[str]
    bots: int = 0


SearchEvent = SearchStarted | SearchesRenewed | SearchesLeft | SearchesEnded | TableMatched
SEARCH_EVENTS: Final[dict[str, type[SearchEvent]]] = {
    event.kind: event for event in (SearchStarted, SearchesRenewed, SearchesLeft, SearchesEnded, TableMatched)
}
SearchEntry = SharedEntry[SearchEvent]
SearchWrite = SharedWrite[SearchEvent]
