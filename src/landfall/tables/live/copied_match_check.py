"""Detects whether an imported match copies one that the user is playing against others: it is then refused.

A copy may be cut short, start from a position, be edited, or reorder its seats. So positions are compared by the
similarity of their public information.
"""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from landfall import guides
from landfall.core.state import SPECTATOR
from landfall.games import game as find_game
from landfall.match import Match
from landfall.tables.log.table import PLAYING
from landfall.tables.protocol.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from landfall.core.state import State
    from landfall.store.row_types import TableSummary
    from landfall.tables.live.live_table import LiveTable
    from landfall.tables.live.process_services import Services

MIN_SIMILARITY: Final = 0.75  # of two positions' words: one choice leaves 0.9, unrelated matches share 0.69
OPENING_CHOICES: Final = 20  # before so many choices unrelated matches look alike: only equal positions count
MAX_WORD_LENGTH: Final = 16  # a longer word is a drawing of the board, compared character by character
MAX_REMEMBERED_PAIRS: Final = 4096
MAX_RUNNING_TABLES: Final = 50  # per user, checked


@dataclass(frozen=True)
class Asker:
    """Who requests an analysis: a user, if named, and an origin."""

    person: str | None = None
    origin: str = ""


@dataclass(frozen=True)
class ImportedMatch:
    """An imported match: with its public start position, if not the standard one."""

    key: str  # equal for equal matches
    game: str
    position: str | None
    record: Callable[[], str]

    @classmethod
    def from_match(cls, key: str, match: Match) -> ImportedMatch:
        """From a match."""
        return cls(key, match.game.name, match.custom_start_text(None), match.record)


class CopiedMatchCheck:
    """Compares imported matches with those that a user is playing."""

    def __init__(
        self, process: Services, live_tables: Mapping[str, LiveTable], load: Callable[[str], Awaitable[LiveTable]]
    ) -> None:
        self.process = process
        self.live_tables = live_tables
        self.load = load
        self.compared: OrderedDict[tuple[str, str], bool] = OrderedDict()  # (match key, table): one shows the other

    async def refuse_copy_of_running_match(self, asker: Asker, handed_in: ImportedMatch) -> None:
        """Refused if it shows a match that the user is playing against others."""
        game, position = handed_in.game, handed_in.position
        for live in await self.load_running_tables_of_asker(asker, game):
            if position is not None and position not in guide_start_positions(game):
                raise Refused("not_shown")  # a position is too easily edited to be compared
            if await self.is_copy_of_table(handed_in, live, asker):
                raise Refused("not_shown")

    async def load_running_tables_of_asker(self, asker: Asker, game: str) -> list[LiveTable]:
        """The unfinished matches of a game against others, played by the user or from the same origin."""
        people = {asker.person} | self.people_connected_from(asker.origin)
        if asker.person is not None:
            for summary in await self.process.store.tables.list_tables_of_user(
                asker.person, MAX_RUNNING_TABLES, over=False
            ):
                if summary.game != game or summary.status != PLAYING or summary.table in self.live_tables:
                    continue
                if may_have_opponents(summary):
                    with suppress(Refused):  # of other rules, or damaged: nobody can go on with it
                        await self.load(summary.table)
        return [
            live
            for live in self.live_tables.values()
            if live.table.terms.game == game
            and live.table.status == PLAYING
            and live.table.match is not None
            and len(players := {chair.person for chair in live.table.chairs if chair.person is not None}) > 1
            and players & people
        ]

    def people_connected_from(self, origin: str) -> set[str | None]:
        """The users connected from an origin."""
        if not origin:
            return set()
        return {w.user_id for live in self.live_tables.values() for w in live.subscribers if w.origin == origin}

    async def is_copy_of_table(self, handed_in: ImportedMatch, live: LiveTable, asker: Asker) -> bool:
        """Whether a match shows that of a table; the result is cached."""
        pair = handed_in.key, live.table.id
        found = self.compared.get(pair)
        if found is None:
            assert live.table.match is not None
            records = handed_in.record(), live.table.match.record()
            found = await self.process.bot_pool.run_task(have_a_position_in_common, *records, who=asker.origin)
            self.compared[pair] = found
            while len(self.compared) > MAX_REMEMBERED_PAIRS:
                self.compared.popitem(last=False)
        return found


def may_have_opponents(summary: TableSummary) -> bool:
    """Whether people play against each other at a table; a head of an earlier release does not say."""
    people = summary.info.get("people")
    return people is None or len(set(people) - {None}) > 1


@cache
def guide_start_positions(game: str) -> frozenset[str]:
    """The public start positions of a game's guides, which everybody may use."""
    found = [one["position"] for one in guides.load_guide_book(game)["guides"]]
    return frozenset(find_game(game).from_text(line).to_text(SPECTATOR) for line in found if line is not None)


def have_a_position_in_common(record: str, running: str) -> bool:
    """Whether two matches share a position, or nearly; a common start position does not count."""
    theirs, mine = list_public_positions(Match.replay(running)), list_public_positions(Match.replay(record))
    early, late = theirs[1:OPENING_CHOICES], theirs[OPENING_CHOICES:]
    if not set(early).isdisjoint(mine):
        return True
    return any(jaccard_similarity(words, other) >= MIN_SIMILARITY for words in mine for other in late)


def list_public_positions(match: Match) -> list[frozenset[str]]:
    """The words of every position at which a seat chose, in order."""
    again = match.copy_at_start()
    found = [public_position_words(again.state)]
    for entry in match.log:
        again.apply_and_log(entry.action)
        if again.actor >= 0:
            found.append(public_position_words(again.state))
    return found


def public_position_words(state: State) -> frozenset[str]:
    """The public information of a position as an unordered set of words."""
    found: set[str] = set()
    for word in state.to_text(SPECTATOR).replace(";", " ").split():
        if len(word) > MAX_WORD_LENGTH:
            found.update(f"{at}{sign}" for at, sign in enumerate(word))
        else:
            found.add(word)
    return frozenset(found)


def jaccard_similarity(one: frozenset[str], other: frozenset[str]) -> float:
    """The similarity of two positions, 0 to 1."""
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared)
