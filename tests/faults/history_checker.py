"""Reads what people saw and what the database holds, and names what does not fit. It knows no code of the server.

A history is a list of `Seen`, one for each thing that somebody sent or was told, in the order of their own clock.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True)
class Seen:
    """`what` is sent, acknowledged, refused or state. `n` is a number in the table's log."""

    who: str
    table: str
    at: float
    what: str
    id: str = ""
    n: int = 0
    version: int = 0


@dataclass(frozen=True)
class Row:
    """A row of a table's log: its number, and the id of the message that it came from, if one did."""

    n: int
    id: str = ""


@dataclass(frozen=True)
class Wait:
    """Somebody waited: for a connection, an answer, or a bot."""

    who: str
    what: str
    since: float
    until: float


def find_log_faults(logs: dict[str, list[Row]], seen: list[Seen]) -> list[str]:
    """Every acknowledged choice is in the log once, and the order of the log is the order that everybody saw."""
    wrong = []
    for table, rows in logs.items():
        if [row.n for row in rows] != list(range(1, len(rows) + 1)):
            wrong.append(f"{table}: the numbers of the log are not 1, 2, 3, ...")
        twice = [id_ for id_, count in Counter(row.id for row in rows if row.id).items() if count > 1]
        wrong += [f"{table}: {id_} is in the log twice" for id_ in twice]
    by_table: dict[str, list[Seen]] = defaultdict(list)
    for one in seen:
        by_table[one.table].append(one)
    for table, found in by_table.items():
        wrong += find_table_faults(table, logs.get(table, []), found)
    return wrong


def find_table_faults(table: str, rows: list[Row], seen: list[Seen]) -> list[str]:
    place = {row.id: row.n for row in rows if row.id}
    wrong = []
    for one in seen:
        if one.what == "acknowledged" and place.get(one.id) != one.n:
            wrong.append(f"{table}: {one.id} was acknowledged as {one.n}, and the log has it at {place.get(one.id)}")
        if one.what == "refused" and one.id in place:
            wrong.append(f"{table}: {one.id} was refused, and is in the log")
        if one.n > len(rows):
            wrong.append(f"{table}: {one.who} was told of {one.n}, and the log ends at {len(rows)}")
    versions: dict[int, set[int]] = defaultdict(set)
    for one in seen:
        if one.what == "state":
            versions[one.n].add(one.version)
    wrong += [f"{table}: at {n} some saw another position" for n, found in versions.items() if len(found) > 1]
    ordered = sorted((n, min(found)) for n, found in versions.items())
    wrong += [f"{table}: the position at {a[0]} is newer than at {b[0]}" for a, b in pairwise(ordered) if a[1] > b[1]]
    for who in {one.who for one in seen}:
        mine = [one for one in seen if one.who == who]
        acks = [one.n for one in mine if one.what == "acknowledged"]
        if acks != sorted(set(acks)):
            wrong.append(f"{table}: the choices of {who} are in another order than they were made in")
        for before, after in pairwise(one for one in mine if one.what in ("state", "acknowledged")):
            if after.what == before.what == "state" and after.n < before.n:
                wrong.append(f"{table}: {who} saw {before.n}, and {after.n} later")
        known = {one.id for one in mine if one.what == "sent"}
        strange = {one.id for one in mine if one.what in ("acknowledged", "refused")} - known
        wrong += [f"{table}: {who} was answered {id_}, and never sent it" for id_ in strange]
    return wrong


def find_long_waits(waits: list[Wait], faults: list[tuple[float, float]], limit_s: float) -> list[str]:
    """Nobody waits longer than the limit, not counting the faults in that time: the limit begins again with each end of
    a fault."""
    wrong = []
    for wait in waits:
        free_since = wait.since
        for begin, end in sorted(faults):
            if begin < wait.until and end > free_since:
                if begin - free_since > limit_s:
                    break
                free_since = end
        if wait.until - free_since > limit_s:
            wrong.append(f"{wait.who} waited {wait.until - free_since:.1f} s for {wait.what} without a fault")
    return wrong
