"""Rated matches near their end in a world, and what must hold of ratings when it has come to rest."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from landfall.games import BUILT_IN_GAMES
from landfall.games import game as find_game
from landfall.store.event_codec import encode_event
from landfall.store.events import Created, InitialChair, InitialClock, LogEvent, Rated, Started
from landfall.tables.ratings.recompute import RatedMatch, compute_ratings_of_matches
from tests.ratings.simulated_matches import match_events
from tests.sim.late_matches import match_near_the_end
from tests.sim.log_checker import Log, Row

if TYPE_CHECKING:
    from tests.sim.simulated_disk import Disk


def make_rated_log_rows(chance: random.Random, names: list[str], at: int) -> list[Row]:
    """The log of a match between accounts that began long ago."""
    game = find_game(chance.choice([one for one in BUILT_IN_GAMES if len(names) in find_game(one).player_counts]))
    match = match_near_the_end(game.name, len(names), chance.randrange(4), chance.choice([1, 2, 3, 6, 12]))
    clock = InitialClock("live", chance.choice([5, 12]), chance.choice([0, 20]))
    chairs = [InitialChair(f"id-{name}", name) for name in names]
    created = Created(
        game.name, len(names), {}, game.rules_version, f"id-{names[0]}", clock, True, "as_sat", False,
        chairs, rated=True, hints=False,
    )  # fmt: skip
    first, played = match_events(match)
    started = Started(list(range(len(names))), list(game.colours[: len(names)]), first)
    events: list[LogEvent] = [created, started, *played]
    return [(seq, at + seq, event.kind, encode_event(event).encode()) for seq, event in enumerate(events, 1)]


def tables_awaiting_rating(disk: Disk) -> list[str]:
    """Matches that are over and still wait for their rating."""
    return sorted(table for table, log in disk.logs.items() if log.table.awaits_rating)


def find_rating_fault(disk: Disk) -> str:
    """What is wrong with the ratings; "" if nothing: they are what the logs lead to, and every match counted once."""
    logs = [*disk.logs.values(), *disk.deleted.values()]
    rated = [(log, entry.at, entry.event) for log in logs for entry in log.entries() if isinstance(entry.event, Rated)]
    numbers = sorted(event.n for _, _, event in rated)
    if numbers != list(range(1, len(numbers) + 1)):
        return f"the rated matches have the numbers {numbers}"
    matches = [RatedMatch(log.table, event, at) for log, at, event in sorted(rated, key=lambda one: one[2].n)]
    found = compute_ratings_of_matches(matches)
    if found.differing:
        return f"{found.differing[0]} was rated with other numbers than its players had"
    wanted = {key: row for key, row in found.ratings.items() if key[0] in disk.people}
    if wanted != disk.ratings:
        return (
            f"the ratings are not what the logs say: {sorted(wanted.keys() ^ disk.ratings.keys()) or 'numbers differ'}"
        )
    return ""


def make_log_of_rows(table: str, rows: list[Row]) -> Log:
    log = Log(table)
    log.take_old(rows)
    return log
