"""The id of the request or socket command in progress: log lines that it causes bear it.

An id is a number until somebody reads it, so that a command pays for a counter only. What is read is a keyed hash of
the number: the number itself would show everybody how many commands others have sent, for example during the delay of a
secret answer.
"""

from __future__ import annotations

import secrets
from contextvars import ContextVar
from hashlib import blake2b
from itertools import count
from typing import Final

PROCESS_KEY: Final = secrets.token_bytes(16)
NO_REQUEST: Final = 0
request_number: Final[ContextVar[int]] = ContextVar("request_number", default=NO_REQUEST)
next_number: Final = count(NO_REQUEST + 1).__next__


def assign_request_number() -> int:
    """A new number, in this context from here on."""
    number = next_number()
    request_number.set(number)
    return number


def current_request_id() -> str:
    """The id in this context; "" without one."""
    number = request_number.get()
    return blake2b(number.to_bytes(8, "big"), digest_size=8, key=PROCESS_KEY).hexdigest() if number else ""
