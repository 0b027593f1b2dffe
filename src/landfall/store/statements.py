"""Parts of SQL statements that several subjects use."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

import sqlalchemy as sa

from landfall.store import schema

MAX_QUERY_VALUES: Final = 500  # values per query
UNFINISHED_TOURNAMENT: Final = ("open", "running")  # its status


def select_user_row_for_update(person: str) -> sa.Select[tuple[str]]:
    """Locks a user's row; in SQLite, which has no such locks, it does nothing."""
    return sa.select(schema.people.c.id).where(schema.people.c.id == person).with_for_update()


def select_players_of_unfinished_tournaments() -> sa.Select[tuple[str]]:
    """Those who are in a tournament that is not over."""
    t, p = schema.tournaments.c, schema.tournament_players.c
    return (
        sa.select(p.person)
        .join(schema.tournaments, t.id == p.tournament)
        .where(p.inside, t.status.in_(UNFINISHED_TOURNAMENT))
    )


def split_in_batches(values: Iterable[str], size: int = MAX_QUERY_VALUES) -> list[Collection[str]]:
    """Batches as large as a database accepts."""
    every = list(values)
    return [every[i : i + size] for i in range(0, len(every), size)]
