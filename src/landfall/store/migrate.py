"""Migrates a database to this release's schema; refuses one of a newer release."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from landfall.core.errors import LandfallError

if TYPE_CHECKING:
    from sqlalchemy import Connection


class DatabaseError(LandfallError):
    """An unusable database, with the reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the database cannot be used: {reason}", "error.database", {"reason": reason})


def alembic_config(connection: Connection) -> Config:
    """Alembic's settings, without a file."""
    found = Config()
    found.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    found.attributes["connection"] = connection
    return found


def upgrade_schema(connection: Connection) -> str | None:
    """Run the missing migrations. Returns the revision of a database that needed any."""
    settings = alembic_config(connection)
    scripts = ScriptDirectory.from_config(settings)
    now = MigrationContext.configure(connection).get_current_revision()
    if now is not None and now not in {step.revision for step in scripts.walk_revisions()}:
        raise DatabaseError(f"it has the shape {now!r} of a newer release; this one knows {scripts.get_current_head()}")
    if now != scripts.get_current_head():
        if connection.dialect.name == "postgresql":  # several processes may start concurrently
            connection.exec_driver_sql("select pg_advisory_xact_lock(7240011)")
        command.upgrade(settings, "head")
        return now
    return None
