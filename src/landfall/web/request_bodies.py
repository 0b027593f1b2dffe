"""How large the body of a request may be."""

from __future__ import annotations

from typing import Final

from landfall.api.limits import Limits
from landfall.api.route_table import SHARED_ROUTES
from landfall.api.types import RecordBody

# All other bodies are small, so that reading them is cheap before the sender is known.
RECORD_PATHS: Final = frozenset(
    route.path for route in SHARED_ROUTES if route.body_kind is not None and issubclass(route.body_kind, RecordBody)
)


def max_body_bytes(limits: Limits, path: str) -> int:
    """The size limit of a request's body."""
    return limits.record if path in RECORD_PATHS else limits.body_bytes
