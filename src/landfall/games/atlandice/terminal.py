# interpreted
"""The city in a terminal."""

from __future__ import annotations


def draw(view: dict[str, object], language: str) -> str:
    """The table as Rich markup."""
    return str(view)
