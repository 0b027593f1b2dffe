"""What a seat may know as numbers: a declared layout of bytes, and the sheet that compiled code writes such rows on.

A row is one position as one seat knows it: the table's fields, then every seat's, then every piece's, seat by seat. The
seat itself comes first, the others follow in turn order; a seat or piece that is not there is all nought.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final, cast

from mypy_extensions import i64, u8

from landfall.core.vectors import COMPILED

if TYPE_CHECKING:
    from librt.vecs import vec

    Cells = vec[u8]

KIND: Final = "kind"  # a field whose numbers name things: 0 to most
COUNT: Final = "count"  # a field whose numbers measure: 0 to most


class Field:
    """One byte of a row: its name, whether it names or measures, and the most it can be."""

    def __init__(self, name: str, most: int, sort: str = COUNT) -> None:
        if not 0 < most < 256:
            raise ValueError(f"{name}: a field is a byte, so its most is 1 to 255, not {most}")
        self.name = name
        self.most = most
        self.sort = sort


def kind(name: str, most: int) -> Field:
    """A field whose numbers name things."""
    return Field(name, most, KIND)


def count(name: str, most: int) -> Field:
    """A field whose numbers measure."""
    return Field(name, most, COUNT)


def counts(name: str, of: list[str], most: int) -> list[Field]:
    """The same measure of several things."""
    return [Field(f"{name}_{each}", most, COUNT) for each in of]


class Layout:
    """The meaning of a row's bytes. `version` rises whenever any of this, or what a field means, changes."""

    def __init__(
        self,
        name: str,
        version: int,
        seats: int,
        table: list[Field],
        seat: list[Field],
        pieces: int,
        piece: list[Field],
        worths: list[float],
    ) -> None:
        self.name = name
        self.version = version
        self.seats = seats  # as many as can play
        self.table = table
        self.seat = seat  # of every seat
        self.pieces = pieces  # of every seat
        self.piece = piece  # of every piece; all of them kinds, the first 0 for a piece that is not there
        self.worths = worths  # by the second field of a piece: points it brings if it is saved; empty: pieces are not
        self.seat_at = len(table)
        self.piece_at = self.seat_at + seats * len(seat)
        self.size = self.piece_at + seats * pieces * len(piece)

    def fields(self) -> list[Field]:
        """Every byte of a row, in order."""
        seats = [Field(f"seat{r}_{f.name}", f.most, f.sort) for r in range(self.seats) for f in self.seat]
        pieces = [
            Field(f"seat{r}_piece{i}_{f.name}", f.most, f.sort)
            for r in range(self.seats)
            for i in range(self.pieces)
            for f in self.piece
        ]
        return [*self.table, *seats, *pieces]

    def digest(self) -> str:
        """A fingerprint of the layout: what was trained on one layout is never fed another."""
        told = [f"{f.name} {f.sort} {f.most}" for f in self.fields()] + [str(w) for w in self.worths]
        text = "\n".join([f"{self.name} {self.version}", *told])
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


class Sheet:
    """Room for so many rows, filled one after the other; `cells` is seen by numpy without a copy."""

    def __init__(self, layout: Layout, rows: int) -> None:
        self.size: i64 = layout.size
        self.rows: i64 = rows
        self.used: i64 = 0  # rows
        self.at: i64 = 0  # the cell written next
        self.cells: Cells = blank(layout.size * rows)

    def clear(self) -> None:
        """Begin again; what was written is written over row by row."""
        self.used = 0
        self.at = 0

    def put(self, number: i64) -> None:
        """The next byte of a row."""
        self.cells[self.at] = u8(number)
        self.at += 1

    def row(self, number: i64) -> bytes:
        """One row, copied."""
        first = number * self.size
        return bytes([int(self.cells[i]) for i in range(first, first + self.size)])


def blank(length: i64) -> Cells:
    """So many noughts."""
    if COMPILED:
        return vec[u8]([u8(0) for _ in range(length)])
    return cast("vec[u8]", bytearray(length))


def capped(number: i64, most: i64) -> i64:
    """The number, or the most a field can be."""
    return number if number < most else most
