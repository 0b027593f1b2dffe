"""Chooses the database: a file in the user's data folder unless another one is named."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_data_path
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from landfall.optional_dependencies import require_extra
from landfall.store.migrate import DatabaseError
from landfall.store.nats_bus import NatsBus
from landfall.store.store import Store


def default_database_path() -> Path:
    """The default database file."""
    return user_data_path("landfall", appauthor=False) / "landfall.db"


def is_shared_database(database: str | None) -> bool:
    """Whether several processes may use it."""
    return database is not None and database.startswith("postgres")


def make_store_for_setting(database: str | None, beside: bool = False, bus: NatsBus | None = None) -> Store:
    """The store that a setting names: nothing, a file, `sqlite:///file` or `postgresql+asyncpg://…`.

    `beside`: a server may be running on it; for the host's commands. `bus`: how processes on PostgreSQL notify each
    other, if not by NOTIFY.
    """
    if database is None or "://" not in database:
        from landfall.store.sqlite import SqliteStore

        path = default_database_path() if database is None else Path(database)
        return SqliteStore(path, beside, own_folder=path == default_database_path())
    try:
        url = make_url(database)
    except (ArgumentError, ValueError):
        raise DatabaseError(f"{database!r} is no address of a database") from None
    if url.get_backend_name() == "sqlite":
        from landfall.store.sqlite import SqliteStore

        return SqliteStore(Path(url.database or default_database_path()), beside)
    if url.get_backend_name() == "postgresql":
        require_extra("postgres")
        from landfall.store.postgres import PostgresStore
        from landfall.store.postgres_connections import MAINTENANCE, SERVING

        return PostgresStore(url.set(drivername="postgresql+asyncpg"), MAINTENANCE if beside else SERVING, bus)
    raise DatabaseError(f"{url.get_backend_name()} is not known here; sqlite and postgresql are")
