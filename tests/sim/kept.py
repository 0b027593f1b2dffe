"""Seeds that were broken once, and what was wrong. Their worlds have changed since; to keep them costs little."""

from __future__ import annotations

from typing import NamedTuple


class Kept(NamedTuple):
    """A seed, its world, and its cause."""

    seed: int
    processes: int
    calm: bool
    why: str


KEPT: list[Kept] = []
