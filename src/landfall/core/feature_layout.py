"""Feature rows for nets: the declared layout of their bytes, and the buffer that compiled code writes them to.

A row is one position as one seat knows it: the fields of the table, of every seat, then of every piece, seat by seat.
The seat itself comes first; the others follow in turn order. A missing seat or piece is all zeros. Rows are written as
little-endian words of eight bytes, so each part is padded to a multiple of eight.
"""

from __future__ import annotations

import hashlib
from array import array
from typing import TYPE_CHECKING, Final, cast

from mypy_extensions import i64

from landfall.core.int_vectors import COMPILED, filled_vector, overwrite_vector, to_list, to_vector

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf

KIND: Final = "kind"  # a categorical field: 0 to most
COUNT: Final = "count"  # a numeric field: 0 to most


class Field:
    """One byte of a row: its name, whether it is categorical or numeric, its largest value, and how it is read.

    `read` is an expression over the variables of the function that writes the row: devtools/feature_rows.py makes the
    statements from it. `version` rises whenever the meaning of the values changes; older nets then no longer fit.
    """

    def __init__(self, name: str, most: int, sort: str = COUNT, version: int = 1, read: str = "") -> None:
        if not 0 < most < 256:
            raise ValueError(f"{name}: a field is a byte, so its most is 1 to 255, not {most}")
        self.name = name
        self.most = most
        self.sort = sort
        self.version = version
        self.read = read


def categorical_field(name: str, most: int, read: str = "") -> Field:
    """A categorical field."""
    return Field(name, most, KIND, 1, read)


def numeric_field(name: str, most: int, read: str = "") -> Field:
    """A numeric field."""
    return Field(name, most, COUNT, 1, read)


def numeric_fields_for_each(name: str, of: list[str], most: int, read: str = "") -> list[Field]:
    """The same count for several things; in `read`, {i} is the number of the thing."""
    return [numeric_field(f"{name}_{each}", most, read.replace("{i}", str(i))) for i, each in enumerate(of)]


class RowFormat:
    """The format of every row in a buffer: its size in bytes, a multiple of eight, with a name and a version."""

    def __init__(self, name: str, version: int, size: int) -> None:
        self.name = name
        self.version = version  # rises whenever the meaning of a byte changes
        self.size = size


class FeatureLayout(RowFormat):
    """The meaning of a row's bytes. Nets look up their fields by name, so a layout may gain fields; `version` rises
    only with a change after which no older net fits.
    """

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
        self.seats = seats  # the largest number of players
        self.table = table  # fields of the table; the first is the number of players
        self.seat = seat  # fields of every seat
        self.pieces = pieces  # pieces of every seat
        self.piece = piece  # fields of every piece; all are categorical, and the first is 0 for a missing piece
        self.worths = worths  # points for saving a piece, by its second field; empty if pieces are not saved
        self.saved_pieces = seats * pieces if worths else 0  # the length of a state's `saved_pieces`
        self.seat_wide = round_up_to_eight(len(seat))
        self.piece_wide = round_up_to_eight(len(piece))
        self.seat_at = round_up_to_eight(len(table))
        self.piece_at = self.seat_at + seats * self.seat_wide
        self.size = self.piece_at + seats * pieces * self.piece_wide  # bytes

    def fields_by_offset(self) -> dict[int, Field]:
        """Every used byte of a row, by its offset."""
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
        """A hash that identifies the layout."""
        lines = [f"{at} {f.name} {f.sort} {f.most}" for at, f in self.fields_by_offset().items()] + [
            str(w) for w in self.worths
        ]
        lines += [f"{f.name} version {f.version}" for f in self.fields_by_offset().values() if f.version > 1]
        text = "\n".join([f"{self.name} {self.version}", *lines])
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


class RowBuffer:
    """A fixed number of rows, filled in order; numpy reads `words` without a copy.

    A batch marks in `seats` the rows that hold an earlier observation of the same match. A game then needs to write
    only what has changed.
    """

    def __init__(self, layout: RowFormat, rows: int) -> None:
        self.size: i64 = layout.size // 8  # words per row
        self.used: i64 = 0  # rows filled
        self.words: Buf = zero_vector(layout.size // 8 * rows)
        # by row: the seat whose earlier row of the same match is there; -1: none
        self.seats: Buf = filled_vector(rows, -1)

    def restart_at_first_row(self) -> None:
        """Start over at the first row; the old contents stay until they are overwritten."""
        self.used = 0

    def take_zeroed_row(self) -> i64:
        """Take the next row and clear it. Returns the offset of its first byte."""
        first = self.take_row()
        zero_bytes(self.words, first, first + self.size * 8)
        return first

    def take_row(self) -> i64:
        """Take the next row as it is. Returns the offset of its first byte."""
        first = self.used * self.size * 8
        self.used += 1
        return first

    def seat_in_next_row(self) -> i64:
        """The seat whose row of the same match the next row still holds; -1: none."""
        return self.seats[self.used]

    def __reduce__(self) -> tuple[object, ...]:
        """For copies and pickles."""
        return restore_row_buffer, (int(self.size) * 8, int(self.used), to_list(self.words), to_list(self.seats))

    def copy_row_bytes(self, number: i64) -> bytes:
        """One row, copied."""
        first = number * self.size
        return b"".join([int(self.words[i]).to_bytes(8, "little") for i in range(first, first + self.size)])


def restore_row_buffer(size: int, used: int, words: list[int], seats: list[int]) -> RowBuffer:
    """The buffer with these contents."""
    buffer = RowBuffer(RowFormat("", 0, size), len(seats))
    buffer.used = used
    overwrite_vector(buffer.words, words)
    overwrite_vector(buffer.seats, seats)
    return buffer


def add_to_byte(words: Buf, at: i64, number: i64) -> None:
    """Add a number to one byte of a buffer's words; a byte holds at most 127. An even offset may span two bytes."""
    words[at >> 3] += number << ((at & 7) << 3)


def read_byte(words: Buf, at: i64) -> i64:
    """One byte of a buffer's words."""
    return words[at >> 3] >> ((at & 7) << 3) & 255


def zero_bytes(words: Buf, first: i64, end: i64) -> None:
    """Zero the bytes from one offset to another, both at word boundaries."""
    for i in range(first >> 3, end >> 3):
        words[i] = 0


def write_bytes_at_word(words: Buf, at: i64, numbers: Buf, length: i64) -> None:
    """Write a list of bytes at a word boundary."""
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


def zero_vector(length: int) -> Buf:
    """A zeroed vector, in memory that can be read from outside."""
    if COMPILED:
        return filled_vector(length, 0)
    return cast("Buf", array("q", bytes(8 * length)))


def pack_bytes_into_words(numbers: list[int]) -> Buf:
    """Pack bytes into words of eight."""
    padded = bytes(numbers).ljust(round_up_to_eight(len(numbers)), b"\0")
    return to_vector([int.from_bytes(padded[i : i + 8], "little") for i in range(0, len(padded), 8)])


def round_up_to_eight(length: int) -> int:
    """The next multiple of eight."""
    return -(-length // 8) * 8


def pack_eight_bytes(a: i64, b: i64, c: i64, d: i64, e: i64, f: i64, g: i64, h: i64) -> i64:
    """Pack eight bytes into one word; the last must be below 128."""
    return a | b << 8 | c << 16 | d << 24 | e << 32 | f << 40 | g << 48 | h << 56


def clamp_to_max(number: i64, most: i64) -> i64:
    """The number, but at most the field's maximum."""
    return number if number < most else most


def bool_to_int(on: bool) -> i64:
    """1 for true, 0 for false."""
    return 1 if on else 0
