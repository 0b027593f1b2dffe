"""Packed integer vectors: `vec[i64]` when compiled, plain lists when interpreted.

The fields of a state are vectors, so that a copy is a few memory copies. Rules work with both alike: both kinds are
indexed, sliced, measured and iterated alike. Neither may grow; make them the right length.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from mypy_extensions import i64

if TYPE_CHECKING:  # resolved by the compiler; the interpreted engine never needs librt
    from librt.vecs import vec

    Buf = vec[i64]

COMPILED: Final = not __file__.endswith(".py")


def to_vector(items: list[int]) -> Buf:
    """A vector holding these numbers."""
    if COMPILED:
        return vec[i64]([i64(x) for x in items])
    return cast("vec[i64]", items[:])


def filled_vector(length: int, value: int) -> Buf:
    """A vector of one number repeated."""
    return to_vector([value] * length)


def to_list(v: Buf) -> list[int]:
    """The numbers of a vector as a list."""
    return [int(x) for x in v]


def overwrite_vector(v: Buf, numbers: list[int]) -> None:
    """Replace the contents of a vector; whoever views it sees the new ones."""
    for i in range(len(numbers)):
        v[i] = numbers[i]


def vectors_equal(a: Buf, b: Buf) -> bool:
    """Whether two vectors of one length hold the same numbers."""
    for i in range(len(a)):
        if a[i] != b[i]:
            return False
    return True


def vector_slices_equal(a: Buf, b: Buf, first: i64, end: i64) -> bool:
    """The same for a slice of each."""
    for i in range(first, end):
        if a[i] != b[i]:
            return False
    return True


def pack_numbers(numbers: list[int]) -> bytes:
    """Numbers as narrow bytes: one byte for -1 to 253, nine for anything else."""
    out: list[int] = []
    for x in numbers:
        if -1 <= x <= 253:
            out.append(x + 1)
        else:
            out.append(255)
            out.extend(x.to_bytes(8, "little", signed=True))
    return bytes(out)


def unpack_numbers(data: bytes) -> list[int]:
    """The inverse of `pack_numbers`; ValueError if the bytes end in the middle of a number."""
    out: list[int] = []
    at = 0
    while at < len(data):
        if data[at] == 255:
            if at + 9 > len(data):
                raise ValueError("the bytes end in the middle of a number")
            out.append(int.from_bytes(data[at + 1 : at + 9], "little", signed=True))
            at += 9
        else:
            out.append(data[at] - 1)
            at += 1
    return out
