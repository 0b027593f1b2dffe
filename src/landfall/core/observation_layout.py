"""Observations for research environments: all that a seat may know, as tensors. Each game's `observation.py` writes
them to a row buffer, one byte per entry, none above 127.

An observation is complete: positions that look different to a seat have different rows. (Feature rows for nets,
`core/feature_layout.py`, are a selection.) Seats and colours are numbered from the observing seat, in turn order.
"""

from __future__ import annotations

import hashlib
from typing import Final

from mypy_extensions import i64

from landfall.core.feature_layout import RowFormat, round_up_to_eight

MAX_ENTRY: Final[i64] = 127


class Tensor:
    """A named part of an observation: its shape, its largest entry, its meaning, and how a single number is read: an
    expression over the variables of the function that writes it (devtools/feature_rows.py).
    """

    def __init__(self, name: str, shape: tuple[int, ...], most: int, meaning: str, read: str = "") -> None:
        if not 0 < most <= 127:
            raise ValueError(f"{name}: an entry is at most 1 to 127, not {most}")
        self.name = name
        self.shape = shape
        self.most = most
        self.meaning = meaning
        self.read = read
        self.length = 1
        for n in shape:
            self.length *= n

    def __reduce__(self) -> tuple[object, ...]:
        return Tensor, (self.name, self.shape, self.most, self.meaning, self.read)


class TensorLayout(RowFormat):
    """The tensors of an observation, in row order. Scalars are packed without gaps; a tensor with a shape starts at a
    multiple of eight bytes, so that it can be written in words.
    """

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
        """The offset of a tensor's first byte."""
        return self.first[name]

    def __reduce__(self) -> tuple[object, ...]:
        return TensorLayout, (self.name, self.version, self.parts)

    def digest(self) -> str:
        """A hash that identifies the layout; an environment refuses any other."""
        lines = [f"{self.first[part.name]} {part.name} {part.shape} {part.most}" for part in self.parts]
        return hashlib.blake2b("\n".join([f"{self.name} {self.version}", *lines]).encode(), digest_size=8).hexdigest()
