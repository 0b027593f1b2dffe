"""What a database's error means: is it away as a whole, or can this one thing not be written."""

from __future__ import annotations

import sqlite3
from importlib.util import find_spec
from typing import Final

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

Kinds = tuple[type[Exception], ...]


def postgres_kinds() -> tuple[Kinds, Kinds, Kinds]:
    """What PostgreSQL's driver raises: of its own; about the words of one request (data that is none, a key given
    twice, a mistake of ours); about a value that it cannot encode, if that is a ValueError, too."""
    if find_spec("asyncpg") is None:
        return (), (), ()
    import asyncpg

    refused = asyncpg.DataError, asyncpg.IntegrityConstraintViolationError, asyncpg.SyntaxOrAccessError
    return (asyncpg.PostgresError, asyncpg.InterfaceError), refused, (asyncpg.InterfaceError,)


POSTGRES, REFUSED, UNCODED = postgres_kinds()
LOST: Final[Kinds] = (*POSTGRES, OSError)
RAISED: Final[Kinds] = (SQLAlchemyError, sqlite3.Error, *LOST)  # by either database


def away(error: BaseException) -> bool:
    """Whether nothing can be written now, by anybody: a full disk, a lost file, a server that does not answer."""
    if isinstance(error, DBAPIError) and error.orig is not None:
        cause = error.orig.__cause__  # SQLAlchemy wraps what asyncpg raised twice
        return away(cause if cause is not None else error.orig)
    if isinstance(error, UNCODED) and isinstance(error, ValueError):  # values it cannot encode
        return False
    if isinstance(error, LOST):
        return not isinstance(error, REFUSED)
    return isinstance(error, sqlite3.OperationalError | TimeoutError) or (
        isinstance(error, SQLAlchemyError) and not isinstance(error, DBAPIError)
    )
