# interpreted
"""Fields of a position, declared with their bounds and who may see them: for games that are not compiled.

`game_from_declared_fields.py` derives from them: copies, bytes, the position string, observations and features.

    FIELDS = (
        category_field("phase", 0, 2),  # at first, most: a name of something, not an amount
        number_field("depth", 0, 0, 9),  # at first, least, most
        seat_reference_field("turn", 0),  # a seat, or -1: nobody
        list_field("deck", 4, 6, 0, 6, NOBODY, total_visible=True),  # length, at first, least, most
        list_per_seat_field("hand", 4, 0, 0, 6, OWNER, total_visible=True),  # so many entries for every seat
        number_per_seat_field("pearls", 0, 0, 99),  # one entry for every seat
    )
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol

from landfall.core.feature_layout import FeatureLayout, Field, categorical_field, numeric_field
from landfall.core.observation_layout import Tensor, TensorLayout
from landfall.core.state import CHANCE

EVERYBODY: Final = "everybody"
OWNER: Final = "owner"  # the seat that an entry belongs to
NOBODY: Final = "nobody"
DIGIT_BITS: Final = 7  # an entry of a tensor is at most 127, so a larger number has several digits
NO_SEAT: Final = -1


class FieldState(Protocol):
    """A position with declared fields as attributes: `DeclaredState`."""

    players: int
    actor: int

    def can_see(self, one: DeclaredField, seat: int | None, owner: int) -> bool:
        """Whether a seat may see the entries of a field that belong to `owner`."""


@dataclass(frozen=True)
class DeclaredField:
    """One field: a number or a list of numbers, their bounds, and who may see them."""

    name: str
    first: int
    least: int
    most: int
    length: int = 1  # entries; with `per_seat`, of every seat
    is_number: bool = False  # a number, not a list
    per_seat: bool = False
    is_seat: bool = False  # its value is a seat
    is_kind: bool = False  # its value names something; it is no amount
    visible_to: str = EVERYBODY
    total_visible: bool = False  # everybody may see the sum of the hidden entries

    def __post_init__(self) -> None:
        if not self.least < self.most or not self.least <= self.first <= self.most or self.length < 1:
            raise ValueError(f"{self.name}: {self.first} of {self.least} to {self.most}, {self.length} entries")
        if self.visible_to not in (EVERYBODY, OWNER, NOBODY):
            raise ValueError(f"{self.name}: nobody is called {self.visible_to!r}")
        if self.visible_to == OWNER and not self.per_seat:
            raise ValueError(f"{self.name}: only entries of seats have an owner")

    def initial_value(self, players: int) -> Any:
        """Its value at first."""
        return self.first if self.is_number else [self.first] * self.entry_count(players)

    def entry_count(self, players: int) -> int:
        """How many entries it has at a table of so many players."""
        return self.length * players if self.per_seat else self.length

    def split_by_owner(self, value: Any, players: int) -> list[list[int]]:
        """Its entries: a list for every seat, or one list in all."""
        entries = [int(value)] if self.is_number else [int(n) for n in value]
        if not self.per_seat:
            return [entries]
        return [entries[seat * self.length : (seat + 1) * self.length] for seat in range(players)]


def number_field(name: str, first: int, least: int, most: int, visible_to: str = EVERYBODY) -> DeclaredField:
    """A single number."""
    return DeclaredField(name, first, least, most, is_number=True, visible_to=visible_to)


def category_field(name: str, first: int, most: int, visible_to: str = EVERYBODY) -> DeclaredField:
    """A single number that names something, from 0 on: a phase, a colour."""
    return DeclaredField(name, first, 0, most, is_number=True, is_kind=True, visible_to=visible_to)


def seat_reference_field(name: str, first: int = NO_SEAT, visible_to: str = EVERYBODY) -> DeclaredField:
    """A single number that is a seat, or -1 for nobody."""
    return DeclaredField(name, first, NO_SEAT, 5, is_number=True, is_seat=True, is_kind=True, visible_to=visible_to)


def list_field(
    name: str,
    length: int,
    first: int,
    least: int,
    most: int,
    visible_to: str = EVERYBODY,
    total_visible: bool = False,
) -> DeclaredField:
    """A list of numbers that belongs to the table."""
    return DeclaredField(name, first, least, most, length, visible_to=visible_to, total_visible=total_visible)


def list_per_seat_field(
    name: str,
    length: int,
    first: int,
    least: int,
    most: int,
    visible_to: str = EVERYBODY,
    total_visible: bool = False,
) -> DeclaredField:
    """So many numbers for every seat, one seat after the other in one list."""
    return DeclaredField(
        name, first, least, most, length, per_seat=True, visible_to=visible_to, total_visible=total_visible
    )


def number_per_seat_field(name: str, first: int, least: int, most: int, visible_to: str = EVERYBODY) -> DeclaredField:
    """One number for every seat."""
    return DeclaredField(name, first, least, most, per_seat=True, visible_to=visible_to)


# --- what a seat may know, as small numbers ---------------------------------------------------------------------------


@dataclass(frozen=True)
class InputPart:
    """Some inputs: a number, a list, or a list for every seat from the observing one on; each from 0 to `most`."""

    name: str
    width: int
    per_seat: bool
    is_number: bool
    is_kind: bool
    most: int
    meaning: str
    read: Callable[[FieldState, int], list[int]]


def encode_value_relative_to_seat(one: DeclaredField, value: int, seat: int, players: int) -> int:
    """A value as a number from 0 on; seats are counted from the observing one."""
    if one.is_seat:
        return 0 if value < 0 else 1 + (value - seat) % players
    return value - one.least


def encode_visible_entries(one: DeclaredField, digit: int, state: FieldState, seat: int) -> list[int]:
    """The entries that a seat may see, from its own on; 0 where it may not."""
    players = int(state.players)
    shift, found = digit * DIGIT_BITS, []
    segments = one.split_by_owner(getattr(state, one.name), players)
    for turn in range(len(segments)):
        owner = (seat + turn) % players if one.per_seat else NO_SEAT
        visible = state.can_see(one, seat, owner)
        for value in segments[owner if one.per_seat else 0]:
            code = encode_value_relative_to_seat(one, value, seat, players) + (one.visible_to != EVERYBODY)
            found.append((code if visible else 0) >> shift & 127)
    return found


def encode_entry_sums(one: DeclaredField, digit: int, state: FieldState, seat: int) -> list[int]:
    """The sums of a field's entries, from the seat's own on."""
    players = int(state.players)
    segments = one.split_by_owner(getattr(state, one.name), players)
    if one.per_seat:
        segments = segments[seat:] + segments[:seat]
    return [sum(entries) - one.least * len(entries) >> digit * DIGIT_BITS & 127 for entries in segments]


def digit_maxima(most: int) -> list[int]:
    """The largest value of each digit of a number up to `most`, the lowest first."""
    found = []
    while most:
        found.append(min(most, 127))
        most >>= DIGIT_BITS
    return found


def list_input_parts(fields: tuple[DeclaredField, ...], seats: int) -> list[InputPart]:
    """Everything that a seat may know at a table of at most so many seats."""
    parts = [
        InputPart("players", 1, False, True, False, seats, "the number of players", lambda s, seat: [int(s.players)]),
        InputPart(
            "actor", 1, False, True, True, seats + 1, "who acts; chance and the end are last", make_actor_encoder(seats)
        ),
        InputPart("observer", 1, False, True, True, max(1, seats - 1), "the observing seat", lambda s, seat: [seat]),
    ]
    names = [*(part.name for part in parts), *(one.name for one in fields)]
    if len(names) != len(set(names)):
        raise ValueError(f"two fields have the same name: {', '.join(names)}")
    for one in fields:
        hidden = one.visible_to != EVERYBODY
        most = (seats if one.is_seat else one.most - one.least) + hidden
        about = f"{one.name}, from {one.least} on" + ("; 0 where it is hidden, else one more" if hidden else "")
        for digit, top in enumerate(digit_maxima(most)):
            name, kind_ = one.name + f"_digit{digit}" * (digit > 0), one.is_kind and not digit

            def read(state: FieldState, seat: int, one: DeclaredField = one, digit: int = digit) -> list[int]:
                return encode_visible_entries(one, digit, state, seat)

            parts.append(InputPart(name, one.length, one.per_seat, one.is_number, kind_, top, about, read))
        for digit, top in enumerate(digit_maxima((one.most - one.least) * one.length) if one.total_visible else []):

            def total(state: FieldState, seat: int, one: DeclaredField = one, digit: int = digit) -> list[int]:
                return encode_entry_sums(one, digit, state, seat)

            name = f"{one.name}_total" + f"_digit{digit}" * (digit > 0)
            about = f"the sum of {one.name}"
            parts.append(InputPart(name, 1, one.per_seat, not one.per_seat, False, top, about, total))
    return parts


def make_actor_encoder(seats: int) -> Callable[[FieldState, int], list[int]]:
    """How the actor is observed: counted from the observing seat."""

    def encode_actor(state: FieldState, seat: int) -> list[int]:
        if state.actor >= 0:
            return [(int(state.actor) - seat) % int(state.players)]
        return [seats if state.actor == CHANCE else seats + 1]

    return encode_actor


def derive_tensor_layout(game: str, version: int, seats: int, parts: list[InputPart]) -> TensorLayout:
    """A tensor for each part."""
    tensors = []
    for part in parts:
        shape: tuple[int, ...] = () if part.is_number else (part.width,)
        if part.per_seat:
            shape = (seats,) if part.width == 1 else (seats, part.width)
        tensors.append(Tensor(part.name, shape, part.most, part.meaning))
    return TensorLayout(game, version, tensors)


def derive_feature_layout(game: str, version: int, seats: int, parts: list[InputPart]) -> FeatureLayout:
    """A field for each entry: of the table, and of every seat. There are no pieces, so one stands for its seat."""

    def list_part_fields(per_seat: bool) -> list[Field]:
        found = []
        for part in parts:
            names = [part.name] if part.width == 1 else [f"{part.name}_{i}" for i in range(part.width)]
            if part.per_seat == per_seat:
                found += [(categorical_field if part.is_kind else numeric_field)(name, part.most) for name in names]
        return found

    there = numeric_field("there", 1)
    return FeatureLayout(
        game,
        version,
        seats,
        list_part_fields(False),
        [there, *list_part_fields(True)],
        1,
        [categorical_field("there", 1)],
        [],
    )
