"""What a seat may know as numbers: a declared layout of bytes, and the sheet that compiled code writes such rows on.

A row is one position as one seat knows it: the table's fields, then every seat's, then every piece's, seat by seat. The
seat itself comes first, the others follow in turn order; a seat or piece that is not there is all nought. Rows are
written eight bytes at a time, the first of them lowest, so each of these parts is filled up to a multiple of eight.
"""

from __future__ import annotations

import hashlib
from array import array
from typing import TYPE_CHECKING, Final, cast

from mypy_extensions import i64

from landfall.core.int_vectors import COMPILED, full, vector

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf

KIND: Final = "kind"  # a field whose numbers name things: 0 to most
COUNT: Final = "count"  # a field whose numbers measure: 0 to most


class Field:
    """One byte of a row: its name, whether it names or measures, and the most it can be.

    `version` rises whenever the meaning of its numbers changes: nets that read the older one no longer fit.
    """

    def __init__(self, name: str, most: int, sort: str = COUNT, version: int = 1) -> None:
        if not 0 < most < 256:
            raise ValueError(f"{name}: a field is a byte, so its most is 1 to 255, not {most}")
        self.name = name
        self.most = most
        self.sort = sort
        self.version = version


def kind_field(name: str, most: int) -> Field:
    """A field whose numbers name things."""
    return Field(name, most, KIND)


def count_field(name: str, most: int) -> Field:
    """A field whose numbers measure."""
    return Field(name, most, COUNT)


def count_fields(name: str, of: list[str], most: int) -> list[Field]:
    """The same measure of several things."""
    return [Field(f"{name}_{each}", most, COUNT) for each in of]


def place_of(fields: list[Field], name: str) -> int:
    """Where a field is among others."""
    return [field.name for field in fields].index(name)


class RowFormat:
    """What every row of a sheet is: so many bytes, a multiple of eight, under a name and a version."""

    def __init__(self, name: str, version: int, size: int) -> None:
        self.name = name
        self.version = version  # rises whenever the meaning of a byte changes
        self.size = size


class FeatureLayout(RowFormat):
    """The meaning of a row's bytes for nets, which read the fields they know by name. So a layout may gain fields;
    `version` rises when anything else changes, that is when no older net fits."""

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
        super().__init__(name, version, 0)
        self.seats = seats  # as many as can play
        self.table = table  # the first of them is the number of players
        self.seat = seat  # of every seat
        self.pieces = pieces  # of every seat
        self.piece = piece  # of every piece; all of them kinds, the first 0 for a piece that is not there
        self.worths = worths  # by the second field of a piece: points it brings if it is saved; empty: pieces are not
        self.seat_wide = round_up_to_eight(len(seat))
        self.piece_wide = round_up_to_eight(len(piece))
        self.seat_at = round_up_to_eight(len(table))
        self.piece_at = self.seat_at + seats * self.seat_wide
        self.size = self.piece_at + seats * pieces * self.piece_wide  # bytes

    def fields(self) -> dict[int, Field]:
        """Every byte of a row that means something, by its place."""
        found = dict(enumerate(self.table))
        for r in range(self.seats):
            for k, f in enumerate(self.seat):
                found[self.seat_at + r * self.seat_wide + k] = Field(f"seat{r}_{f.name}", f.most, f.sort, f.version)
            for i in range(self.pieces):
                first = self.piece_at + (r * self.pieces + i) * self.piece_wide
                for k, f in enumerate(self.piece):
                    found[first + k] = Field(f"seat{r}_piece{i}_{f.name}", f.most, f.sort, f.version)
        return found

    def digest(self) -> str:
        """A fingerprint of the layout, by which the rows of one are told from those of another."""
        told = [f"{at} {f.name} {f.sort} {f.most}" for at, f in self.fields().items()] + [str(w) for w in self.worths]
        told += [f"{f.name} version {f.version}" for f in self.fields().values() if f.version > 1]
        text = "\n".join([f"{self.name} {self.version}", *told])
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


class RowBuffer:
    """Room for so many rows, filled one after the other; `words` is seen by numpy without a copy.

    Where an earlier row of the same match stands, as a batch of matches says in `seats`, only what has changed since
    need be written.
    """

    def __init__(self, layout: RowFormat, rows: int) -> None:
        self.size: i64 = layout.size // 8  # of a row, in words
        self.used: i64 = 0  # rows
        self.words: Buf = zeros(layout.size // 8 * rows)
        self.seats: Buf = full(rows, -1)  # by row: whose row of the same match stands there; -1: none

    def clear(self) -> None:
        """Begin again; what was written is written over row by row."""
        self.used = 0

    def next_zeroed_row(self) -> i64:
        """A row of noughts, the next one; its first byte."""
        first = self.next_row()
        zero_bytes(self.words, first, first + self.size * 8)
        return first

    def next_row(self) -> i64:
        """The next row as it stands; its first byte."""
        first = self.used * self.size * 8
        self.used += 1
        return first

    def previous_seat(self) -> i64:
        """Whose row of the same match stands where the next row goes; -1: none."""
        return self.seats[self.used]

    def row_bytes(self, number: i64) -> bytes:
        """One row, copied."""
        first = number * self.size
        return b"".join([int(self.words[i]).to_bytes(8, "little") for i in range(first, first + self.size)])


def add_to_byte(words: Buf, at: i64, number: i64) -> None:
    """Add a number to one byte of those a sheet's words are; a byte holds at most 127. From an even byte on, to two."""
    words[at >> 3] += number << ((at & 7) << 3)


def zero_bytes(words: Buf, first: i64, end: i64) -> None:
    """Noughts from one byte to another, both at the beginning of a word."""
    for i in range(first >> 3, end >> 3):
        words[i] = 0


def write_bytes(words: Buf, at: i64, numbers: Buf, length: i64) -> None:
    """Bytes given one by one, from a byte on that begins a word."""
    at >>= 3
    word: i64 = 0
    shift: i64 = 0
    for i in range(length):
        word |= numbers[i] << shift
        shift += 8
        if shift == 64:
            words[at] = word
            at += 1
            word = 0
            shift = 0
    if shift > 0:
        words[at] = word


def zeros(length: int) -> Buf:
    """So many noughts, in memory that can be looked at from outside."""
    if COMPILED:
        return full(length, 0)
    return cast("Buf", array("q", bytes(8 * length)))


def pack_words(numbers: list[int]) -> Buf:
    """Bytes, eight to a word."""
    told = bytes(numbers).ljust(round_up_to_eight(len(numbers)), b"\0")
    return vector([int.from_bytes(told[i : i + 8], "little") for i in range(0, len(told), 8)])


def round_up_to_eight(length: int) -> int:
    """The next multiple of eight."""
    return -(-length // 8) * 8


def pack_eight_bytes(a: i64, b: i64, c: i64, d: i64, e: i64, f: i64, g: i64, h: i64) -> i64:
    """Eight bytes as one word; the last must be below 128."""
    return a | b << 8 | c << 16 | d << 24 | e << 32 | f << 40 | g << 48 | h << 56


def clamp_to_max(number: i64, most: i64) -> i64:
    """The number, or the most a field can be."""
    return number if number < most else most


def bool_to_int(on: bool) -> i64:
    """1 for true."""
    return 1 if on else 0
