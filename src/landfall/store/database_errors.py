"""Classifies database errors: is the database unavailable, or can this one item not be written."""

from __future__ import annotations

import sqlite3
from importlib.util import find_spec
from typing import Final

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

ErrorTypes = tuple[type[Exception], ...]


def list_postgres_error_types() -> tuple[ErrorTypes, ErrorTypes, ErrorTypes]:
    """What PostgreSQL's driver raises: its own errors; errors about one statement (invalid data, a duplicate key, a
    mistake of ours); errors about a value that it cannot encode, if that is also a ValueError.
    """
    if find_spec("asyncpg") is None:
        return (), (), ()
    import asyncpg

    refused = asyncpg.DataError, asyncpg.IntegrityConstraintViolationError, asyncpg.SyntaxOrAccessError
    own = asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError
    return own, refused, (asyncpg.InterfaceError,)


POSTGRES_ERRORS, STATEMENT_ERRORS, ENCODING_ERRORS = list_postgres_error_types()
CONNECTION_ERRORS: Final[ErrorTypes] = (*POSTGRES_ERRORS, OSError)
DATABASE_ERRORS: Final[ErrorTypes] = (SQLAlchemyError, sqlite3.Error, *CONNECTION_ERRORS)  # of either database


def is_database_unavailable(error: BaseException) -> bool:
    """Whether nobody can write now: a full disk, a lost file, a server that does not answer."""
    if isinstance(error, DBAPIError) and error.orig is not None:
        cause = error.orig.__cause__  # SQLAlchemy wraps asyncpg's exception twice
        return is_database_unavailable(cause if cause is not None else error.orig)
    if isinstance(error, ENCODING_ERRORS) and isinstance(error, ValueError):  # values it cannot encode
        return False
    if isinstance(error, CONNECTION_ERRORS):
        return not isinstance(error, STATEMENT_ERRORS)
    return isinstance(error, sqlite3.OperationalError | TimeoutError) or (
        isinstance(error, SQLAlchemyError) and not isinstance(error, DBAPIError)
    )
