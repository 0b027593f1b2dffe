"""What a database's error means: is it away as a whole, or can this one thing not be written."""

from __future__ import annotations

import sqlite3
from typing import Final

import asyncpg
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

# What PostgreSQL says about the words of one request: data that is none, a key given twice, a mistake of ours.
REFUSED: Final = (
    asyncpg.DataError, asyncpg.IntegrityConstraintViolationError, asyncpg.SyntaxOrAccessError
)  # fmt: skip
LOST: Final = (asyncpg.PostgresError, asyncpg.InterfaceError, OSError)


def away(error: BaseException) -> bool:
    """Whether nothing can be written now, by anybody: a full disk, a lost file, a server that does not answer."""
    if isinstance(error, DBAPIError) and error.orig is not None:
        cause = error.orig.__cause__  # SQLAlchemy wraps what asyncpg raised twice
        return away(cause if cause is not None else error.orig)
    if isinstance(error, asyncpg.InterfaceError) and isinstance(error, ValueError):  # values it cannot encode
        return False
    if isinstance(error, LOST):
        return not isinstance(error, REFUSED)
    return isinstance(error, sqlite3.OperationalError | TimeoutError) or (
        isinstance(error, SQLAlchemyError) and not isinstance(error, DBAPIError)
    )
