# interpreted
"""What a study notes of each seat of a finished match; a game's `study_notes.py` says what, from the match's events.

A mark is something that a seat has or has not by the end; a part is a number of points.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Event = dict[str, Any]  # as one who may read everything is told


@dataclass
class SeatNotes:
    """What is noted of one seat."""

    marks: set[str] = field(default_factory=set)
    parts: dict[str, float] = field(default_factory=dict)

    def add(self, part: str, points: float) -> None:
        """Points from there."""
        self.parts[part] = self.parts.get(part, 0) + points


def humanize(name: str) -> str:
    """A word of the messages as people write it."""
    return name.replace("_", " ")
