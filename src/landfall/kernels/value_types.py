"""Types of values in a kernel. A number has an interval, which follows from declared bounds and decides its width."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

LEAST_32: Final = -(1 << 31)
MOST_32: Final = (1 << 31) - 1
LEAST_64: Final = -(1 << 63)
MOST_64: Final = (1 << 63) - 1
STEPS: Final = (7, 15, 31, 63)  # a number that keeps growing is widened to these bits


@dataclass(frozen=True)
class Num:
    """A whole number of an interval."""

    least: int
    most: int

    @property
    def is_wide(self) -> bool:
        """Whether it needs 64 bits."""
        return self.least < LEAST_32 or self.most > MOST_32

    @property
    def c(self) -> str:
        return "i64" if self.is_wide else "i32"


BOOL: Final = Num(0, 1)
WIDE: Final = Num(LEAST_64, MOST_64)


@dataclass(frozen=True)
class Text:
    """A text of the rules, mostly a rule's id: a number with a table."""

    c: str = "i32"


@dataclass(frozen=True)
class Vec:
    """A vector: the type of a cell, its bounds, its length if it is constant, whether it may not be written."""

    cell: str
    least: int
    most: int
    length: int | None
    is_constant: bool = False

    @property
    def c(self) -> str:
        return ("const " if self.is_constant else "") + self.cell + " *"


@dataclass(frozen=True)
class Texts:
    """A constant tuple of texts."""

    length: int
    c: str = "const i16 *"


@dataclass(frozen=True)
class Obj:
    """An object: the name of its structure, and whether it may not be written."""

    struct: str
    is_constant: bool = False

    @property
    def c(self) -> str:
        return ("const " if self.is_constant else "") + self.struct + " *"


@dataclass(frozen=True)
class Tup:
    """Several numbers that a function returns."""

    items: tuple[Num, ...]

    @property
    def c(self) -> str:
        return f"tuple{len(self.items)}"


@dataclass(frozen=True)
class Void:
    c: str = "void"


Type = Num | Text | Vec | Texts | Obj | Tup | Void


def cell_type(least: int, most: int) -> str:
    """The narrowest type that stores an interval."""
    for bits in (8, 16, 32):
        if -(1 << (bits - 1)) <= least and most < 1 << (bits - 1):
            return f"i{bits}"
        if bits < 32 and least >= 0 and most < 1 << bits:
            return f"u{bits}"
    return "i64"


def clamp_to_64_bits(least: int, most: int) -> Num:
    """The interval if it fits; all numbers of 64 bits if it does not: these wrap, as compiled Python does."""
    return Num(least, most) if least >= LEAST_64 and most <= MOST_64 else WIDE


def join(a: Type, b: Type) -> Type | None:
    """The type of something that is one or the other; None if there is none."""
    if isinstance(a, Num) and isinstance(b, Num):
        return Num(min(a.least, b.least), max(a.most, b.most))
    if isinstance(a, Tup) and isinstance(b, Tup) and len(a.items) == len(b.items):
        return Tup(tuple(Num(min(x.least, y.least), max(x.most, y.most)) for x, y in zip(a.items, b.items)))
    if isinstance(a, Vec) and isinstance(b, Vec) and a.cell == b.cell and a.is_constant == b.is_constant:
        length = a.length if a.length == b.length else None
        return replace(a, least=min(a.least, b.least), most=max(a.most, b.most), length=length)
    return a if a == b else None


def widen(number: Num) -> Num:
    """The next wider interval."""
    bits = next(n for n in STEPS if number.least >= -(1 << n) and number.most < 1 << n)
    return Num(-(1 << bits) if number.least < 0 else 0, (1 << bits) - 1)


def bits_of(number: int) -> int:
    return number.bit_length() if number >= 0 else (~number).bit_length()


def add(a: Num, b: Num) -> Num:
    return keep_32_bits(a, b, clamp_to_64_bits(a.least + b.least, a.most + b.most))


def subtract(a: Num, b: Num) -> Num:
    return keep_32_bits(a, b, clamp_to_64_bits(a.least - b.most, a.most - b.least))


def keep_32_bits(a: Num, b: Num, result: Num) -> Num:
    """A sum with a number that was widened to 32 bits stays there: the debug build checks it."""
    if a.is_wide or b.is_wide or MOST_32 not in (a.most, b.most):
        return result
    return Num(max(result.least, LEAST_32), min(result.most, MOST_32))


def multiply(a: Num, b: Num) -> Num:
    ends = [x * y for x in (a.least, a.most) for y in (b.least, b.most)]
    return clamp_to_64_bits(min(ends), max(ends))


def floor_divide(a: Num, b: Num) -> Num:
    if b.least <= 0 <= b.most:
        most = max(abs(a.least), abs(a.most))
        return clamp_to_64_bits(-most, most)
    ends = [x // y for x in (a.least, a.most) for y in (b.least, b.most)]
    return Num(min(ends), max(ends))


def modulo(a: Num, b: Num) -> Num:
    if a.least >= 0 and b.least > 0 and a.most < b.least:
        return a
    if b.least > 0:
        return Num(0, min(b.most - 1, a.most) if a.least >= 0 else b.most - 1)
    return Num(min(b.least, 0), max(b.most, 0))


def shift_left(a: Num, b: Num) -> Num:
    if b.least < 0 or b.most > 62:
        return WIDE if a.least < 0 or bits_of(a.most) + max(b.most, 0) > 62 else Num(0, MOST_64)
    ends = [x << y for x in (a.least, a.most) for y in (b.least, b.most)]
    return clamp_to_64_bits(min(ends), max(ends))


def shift_right(a: Num, b: Num) -> Num:
    low, high = max(b.least, 0), min(max(b.most, 0), 63)
    ends = [x >> y for x in (a.least, a.most) for y in (min(low, 63), high)]
    return Num(min(ends), max(ends))


def bit_and(a: Num, b: Num) -> Num:
    if a.least >= 0 or b.least >= 0:
        return Num(0, min(x.most for x in (a, b) if x.least >= 0))
    return bit_or(a, b)


def bit_or(a: Num, b: Num) -> Num:
    bits = max(bits_of(x) for x in (a.least, a.most, b.least, b.most))
    return Num(-(1 << bits) if min(a.least, b.least) < 0 else 0, (1 << bits) - 1)


OPERATIONS: Final[dict[str, Callable[[Num, Num], Num]]] = {
    "Add": add,
    "Sub": subtract,
    "Mult": multiply,
    "FloorDiv": floor_divide,
    "Mod": modulo,
    "LShift": shift_left,
    "RShift": shift_right,
    "BitAnd": bit_and,
    "BitOr": bit_or,
    "BitXor": bit_or,
}
