"""A position declares its fields in one list, with their initial values and bounds.

The copy, the bytes and their reading are written from that list into the same file by `python -m tests.fields`:
compiled code wants each field by its name, and this way no list of them is kept by hand beside the first.

    self.points = declare_number(0, 0, 3)  # at first, least, most
    self.where = declare_vector(EXPLORERS, UNPLACED, ASIDE, PLACES - 1)  # length, at first, least, most
    self.supply = declare_vector_of([5, 6, 5], 0, 6)  # at first, least, most
    self.phase = declare_passing_number(0, 0, 9, 12)  # at first, least, most at rest, most while an action is applied
    self.crowd = declare_derived_number(0, 0, 9)  # follows from other fields: copied, but not among the bytes
    self.people = declare_derived_vector(SPACES, 0, 0, 9)  # length, at first, least, most
    self.icons = declare_given_vector(icons, 240, 0, 7)  # given by the table and constant: longest, least, most

Bounds are also the types of kernels (docs/kernels.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.int_vectors import filled_vector, to_vector

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf


def declare_number(first: i64, least: i64, most: i64) -> i64:
    """A single number with bounds."""
    return first


def declare_passing_number(first: i64, least: i64, most: i64, most_in_action: i64) -> i64:
    """A single number that may exceed its upper bound while an action is applied."""
    return first


def declare_vector(length: i64, first: i64, least: i64, most: i64) -> Buf:
    """A vector of numbers with bounds, all equal at first."""
    return filled_vector(length, first)


def declare_vector_of(first: list[int], least: i64, most: i64) -> Buf:
    """A vector of numbers with bounds and given initial values."""
    return to_vector(first)


def declare_derived_number(first: i64, least: i64, most: i64) -> i64:
    """A single number derived from other fields."""
    return first


def declare_derived_vector(length: i64, first: i64, least: i64, most: i64) -> Buf:
    """A vector derived from other fields."""
    return filled_vector(length, first)


def declare_given_vector(given: Buf, longest: i64, least: i64, most: i64) -> Buf:
    """A vector that the table gives. It never changes, so copies share it."""
    return given
