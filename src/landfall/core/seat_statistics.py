# interpreted
"""What a study records about each seat of a finished match. A game's `seat_statistics.py` derives it from the events.

A mark is a yes/no fact about a seat at the end of the match; a part is a number of points from one source.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Event = dict[str, Any]  # with all private fields


@dataclass
class SeatStatistics:
    """The notes about one seat."""

    marks: set[str] = field(default_factory=set)
    parts: dict[str, float] = field(default_factory=dict)

    def add_points(self, part: str, points: float) -> None:
        """Add points from one source."""
        self.parts[part] = self.parts.get(part, 0) + points


def humanize_identifier(name: str) -> str:
    """A message identifier as people write it."""
    return name.replace("_", " ")
