"""What a database's error means: is it away as a whole, or can this one thing not be written."""

from __future__ import annotations

import sqlite3
from importlib.util import find_spec
from typing import Final

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

ErrorTypes = tuple[type[Exception], ...]


def postgres_error_types() -> tuple[ErrorTypes, ErrorTypes, ErrorTypes]:
    """What PostgreSQL's driver raises: of its own; about the words of one request (data that is none, a key given
    twice, a mistake of ours); about a value that it cannot encode, if that is a ValueError, too."""
    if find_spec("asyncpg") is None:
        return (), (), ()
    import asyncpg

    refused = asyncpg.DataError, asyncpg.IntegrityConstraintViolationError, asyncpg.SyntaxOrAccessError
    return (asyncpg.PostgresError, asyncpg.InterfaceError), refused, (asyncpg.InterfaceError,)


POSTGRES_ERRORS, STATEMENT_ERRORS, ENCODING_ERRORS = postgres_error_types()
CONNECTION_ERRORS: Final[ErrorTypes] = (*POSTGRES_ERRORS, OSError)
DATABASE_ERRORS: Final[ErrorTypes] = (SQLAlchemyError, sqlite3.Error, *CONNECTION_ERRORS)  # by either database


def is_unavailable(error: BaseException) -> bool:
    """Whether nothing can be written now, by anybody: a full disk, a lost file, a server that does not answer."""
    if isinstance(error, DBAPIError) and error.orig is not None:
        cause = error.orig.__cause__  # SQLAlchemy wraps what asyncpg raised twice
        return is_unavailable(cause if cause is not None else error.orig)
    if isinstance(error, ENCODING_ERRORS) and isinstance(error, ValueError):  # values it cannot encode
        return False
    if isinstance(error, CONNECTION_ERRORS):
        return not isinstance(error, STATEMENT_ERRORS)
    return isinstance(error, sqlite3.OperationalError | TimeoutError) or (
        isinstance(error, SQLAlchemyError) and not isinstance(error, DBAPIError)
    )
