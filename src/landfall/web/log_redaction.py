"""The server's log: what happened, never to whom. It contains no table key, address or name.

Paths contain keys, and exception messages contain values. So of library messages only the fixed words are logged, and
of exceptions only their types and locations. A line of a request or a socket's command has its request id.
"""

from __future__ import annotations

import json
import logging
import re
import traceback
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Final

from sqlalchemy.exc import DBAPIError

from landfall.tables.request_id import current_request_id

OWN_LOGGER: Final = "landfall"
ALLOWED_LIBRARY_LINES: Final = (
    "Started server process",
    "Waiting for",
    "Application ",
    "Uvicorn running",
    "Shutting down",
    "Finished ",
)
VALUE_START: Final = re.compile(r"[%<('\"\d{\[]")  # the end of a message's fixed words


def error_type_and_code(error: BaseException) -> str:
    """The type of an exception, and the database's error code; not its message."""
    kind = type(error).__name__
    code = getattr(error, "sqlite_errorname", None) or getattr(error, "sqlstate", None)
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error.__cause__
    more = f" from {error_type_and_code(cause)}" if cause is not None and cause is not error else ""
    return f"{kind} {code}{more}" if code else f"{kind}{more}"


def redact_log_message(record: logging.LogRecord) -> str:
    """A message without variable parts."""
    template = str(record.msg)
    if record.name.partition(".")[0] == OWN_LOGGER:
        args = record.args if isinstance(record.args, tuple) else ()
        return template % tuple(error_type_and_code(a) if isinstance(a, BaseException) else a for a in args)
    if record.name.startswith("uvicorn") and template.startswith(ALLOWED_LIBRARY_LINES):
        return record.getMessage()
    return f"{record.name}: {VALUE_START.split(template.splitlines()[0] if template else '')[0].strip()}"


class RedactingFormatter(logging.Formatter):
    """One line per event; exceptions by type and location."""

    def format(self, record: logging.LogRecord) -> str:
        lines = [redact_log_message(record)]
        if record.exc_info and record.exc_info[1] is not None:
            lines.extend(self.formatException(record.exc_info).splitlines())
        request = current_request_id()
        head = f"[{request}] " if request else ""
        return f"{record.levelname}: " + "\n".join(head + line for line in lines)

    def formatException(
        self, ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
    ) -> str:
        error = ei[1]
        return "" if error is None else "".join(traceback.format_tb(error.__traceback__)) + error_type_and_code(error)


class JsonFormatter(RedactingFormatter):
    """The same as one JSON object per event."""

    def format(self, record: logging.LogRecord) -> str:
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        found = {
            "time": time,
            "level": record.levelname.lower(),
            "worker": record.process,
            "message": redact_log_message(record),
        }
        if request := current_request_id():
            found["request"] = request
        if record.exc_info and record.exc_info[1] is not None:
            found["exception"] = self.formatException(record.exc_info)
        return json.dumps(found, ensure_ascii=False)


FORMATTERS: Final = {"text": RedactingFormatter, "json": JsonFormatter}


class LibraryLogFilter(logging.Filter):
    """Of the libraries' messages only start and stop: others contain paths and addresses."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno >= logging.WARNING or record.name.partition(".")[0] == OWN_LOGGER:
            return True
        return record.name == "uvicorn.error" and str(record.msg).startswith(ALLOWED_LIBRARY_LINES)


def make_logging_config(level: str, log_format: str = "text") -> dict[str, Any]:
    """For logging.config: everything to stderr, redacted."""
    formatter = FORMATTERS[log_format]
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"quiet": {"()": LibraryLogFilter}},
        "formatters": {"default": {"()": formatter}, "access": {"()": formatter}},
        "handlers": {"default": {"class": "logging.StreamHandler", "formatter": "default", "filters": ["quiet"]}},
        "loggers": {
            "uvicorn": {"handlers": ["default"], "propagate": False},
            OWN_LOGGER: {"handlers": ["default"], "level": level.upper(), "propagate": False},
        },
        "root": {"handlers": ["default"], "level": "WARNING"},
    }
