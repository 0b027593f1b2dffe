"""All that a seat may know, as tensors: what a research environment observes. Declared here, written by each game's
`observation.py` on a sheet of rows; one byte an entry, none above 127.

The layout for nets (`core/feature_layout.py`) chooses; this leaves nothing out: what looks different to a seat has
different rows. Seats and colours are counted from the observing seat, in turn order.
"""

from __future__ import annotations

import hashlib
from typing import Final

from mypy_extensions import i64

from landfall.core.feature_layout import RowFormat, round_up_to_eight

MAX_ENTRY: Final[i64] = 127


class Tensor:
    """A named part of an observation: its shape, the most an entry can be, and what it means."""

    def __init__(self, name: str, shape: tuple[int, ...], most: int, meaning: str) -> None:
        if not 0 < most <= 127:
            raise ValueError(f"{name}: an entry is at most 1 to 127, not {most}")
        self.name = name
        self.shape = shape
        self.most = most
        self.meaning = meaning
        self.length = 1
        for n in shape:
            self.length *= n


class TensorLayout(RowFormat):
    """The tensors of a game's observation, one behind the other in a row. Single numbers follow each other closely;
    whatever has a shape begins at a multiple of eight bytes, so that it can be written in words."""

    def __init__(self, name: str, version: int, parts: list[Tensor]) -> None:
        self.first: dict[str, int] = {}
        at = 0
        for part in parts:
            if part.shape:
                at = round_up_to_eight(at)
            self.first[part.name] = at
            at += part.length
        super().__init__(name, version, round_up_to_eight(at))
        self.parts = parts

    def offset_of(self, name: str) -> i64:
        """The first byte of a tensor."""
        return self.first[name]

    def digest(self) -> str:
        """A fingerprint: environments made for one layout are never fed another."""
        told = [f"{self.first[part.name]} {part.name} {part.shape} {part.most}" for part in self.parts]
        return hashlib.blake2b("\n".join([f"{self.name} {self.version}", *told]).encode(), digest_size=8).hexdigest()
