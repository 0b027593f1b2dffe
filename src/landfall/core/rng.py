"""Random generators. They live outside of states: rules never generate random numbers themselves."""

from __future__ import annotations

import secrets
from typing import Final

from mypy_extensions import i64

MASK_63_BITS: Final = 0x7FFFFFFFFFFFFFFF


class Rng:
    """A seeded generator. It produces the same numbers compiled and interpreted.

    >>> a, b = Rng(7), Rng(7)
    >>> [a.randbelow(6) for _ in range(5)] == [b.randbelow(6) for _ in range(5)]
    True
    """

    def __init__(self, seed: int) -> None:
        # Adjacent seeds must not give correlated streams: mix the bits first.
        x = seed & 0xFFFFFFFFFFFFFFFF
        for _ in range(2):
            x = (x + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
            x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
            x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
            x ^= x >> 31
        self.word: i64 = i64(x & MASK_63_BITS)

    def randbelow(self, n: i64) -> i64:
        """A number from 0 to n - 1, for n below 2**31.

        >>> landfall.Rng(7).randbelow(6)
        5
        """
        # Mask before every shift, so that wrapping (compiled) and growing (interpreted) ints agree. Constants above
        # 2**62 are built from halves: the compiler would make literals of that size objects at every use.
        factor: i64 = 0x5851F42D
        most: i64 = 0x7FFFFFFF
        word = self.word * (factor * 0x100000000 + 0x4C957F2D) + 1442695040888963407
        self.word = word & (most * 0x100000000 + 0xFFFFFFFF)
        return ((self.word >> 32) * n) >> 31

    def __reduce__(self) -> tuple[object, ...]:
        """For copies and pickles, which continue the same stream."""
        if type(self) is not Rng:
            raise TypeError(f"{type(self).__name__} cannot be copied")
        return restore_rng, (int(self.word),)


class SystemRng(Rng):
    """The operating system's generator, unpredictable: for live play."""

    def __init__(self) -> None:
        super().__init__(0)

    def randbelow(self, n: i64) -> i64:
        """A number from 0 to n - 1."""
        return i64(secrets.randbelow(int(n)))

    def __reduce__(self) -> tuple[object, ...]:
        return SystemRng, ()


def restore_rng(word: int) -> Rng:
    """The generator with this internal state."""
    rng = Rng(0)
    rng.word = word
    return rng


def shuffle_in_place(items: list[int], rng: Rng) -> None:
    """Shuffle a list in place, uniformly."""
    for i in range(len(items) - 1, 0, -1):
        j = int(rng.randbelow(i + 1))
        items[i], items[j] = items[j], items[i]
