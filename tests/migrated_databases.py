"""New databases for tests: the migrations run once in a process, and every test gets a copy of what they made."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

import sqlalchemy as sa

from landfall.store.migrate import upgrade_schema
from landfall.store.sqlite import set_sqlite_pragmas


@cache
def migrated_database_bytes() -> bytes:
    """A database file as the migrations leave it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "landfall.db")
        engine = sa.create_engine(f"sqlite:///{path}")
        sa.event.listen(engine, "connect", set_sqlite_pragmas)
        with engine.begin() as connection:
            upgrade_schema(connection)
        engine.dispose()
        return path.read_bytes()


def create_migrated_database(path: Path) -> Path:
    """That path, with a new database there if nothing is."""
    if not path.exists() and path.parent.exists():
        path.write_bytes(migrated_database_bytes())
    return path
