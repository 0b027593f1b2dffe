# interpreted
"""A game whose position is a list of declared fields. Everything that follows from the fields is derived: copies,
bytes, the position string, a view, observations and features. A game overrides what it can say better or faster.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self, cast

from landfall.core.declared_fields import (
    EVERYBODY,
    NO_SEAT,
    NOBODY,
    OWNER,
    DeclaredField,
    InputPart,
    derive_feature_layout,
    derive_tensor_layout,
    list_input_parts,
)
from landfall.core.errors import PositionError
from landfall.core.feature_layout import FeatureLayout, add_to_byte
from landfall.core.game import GAME_OF_STATE, Game, SerializedStateReader
from landfall.core.int_vectors import to_vector
from landfall.core.state import CHANCE, OVER, State, require_seat

if TYPE_CHECKING:
    from landfall.core.feature_layout import RowBuffer
    from landfall.core.int_vectors import Buf
    from landfall.core.message_types import View
    from landfall.core.observation_layout import TensorLayout
    from landfall.core.rng import Rng

HIDDEN: Final = "?"
PHASE: Final = "phase"  # the field whose values `DeclaredState.PHASES` names
WORD_PATTERN: Final = re.compile(r"(\w+)=(\S+)")


class DeclaredState(State):
    """A position. A subclass declares `FIELDS`; each becomes an attribute, a number or a list of numbers."""

    FIELDS: ClassVar[tuple[DeclaredField, ...]] = ()
    PHASES: ClassVar[tuple[str, ...]] = ()  # the names of a field `phase`, if there is one

    def __init__(self, players: int) -> None:
        super().__init__(players)
        for one in self.FIELDS:
            setattr(self, one.name, one.initial_value(players))

    def copy(self) -> Self:
        twin = type(self)(int(self.players))
        twin.actor = self.actor
        for one in self.FIELDS:
            value = getattr(self, one.name)
            setattr(twin, one.name, value if one.is_number else value[:])
        return twin

    def option_values(self) -> list[int]:
        game = declared_game_of_state(self)
        return [int(getattr(self, option.name)) for option in game.options if hasattr(self, option.name)]

    def __dir__(self) -> list[str]:
        """The methods of every game, and the declared fields."""
        return [*super().__dir__(), *(one.name for one in self.FIELDS)]

    # --- bytes ---

    def scalars(self) -> list[int]:
        return [getattr(self, one.name) for one in self.FIELDS if one.is_number]

    def vectors(self) -> list[Buf]:
        return [to_vector(getattr(self, one.name)) for one in self.FIELDS if not one.is_number]

    # --- who may see what ---

    def can_see(self, one: DeclaredField, seat: int | None, owner: int) -> bool:
        """Whether `seat` (None or SPECTATOR: a spectator) may see the entries of a field that belong to `owner`.

        At the end everything is open. Override it where the rules open or hide a field during a match.
        """
        if self.actor == OVER or one.visible_to == EVERYBODY:
            return True
        return one.visible_to == OWNER and seat == owner

    def resample(self, seat: int | None, rng: Rng) -> Self:
        require_seat(self, seat)
        if self.actor != OVER and any(one.visible_to != EVERYBODY for one in self.FIELDS):
            raise NotImplementedError("write resample: this game hides something")
        return self.copy()

    def visible_entries_by_owner(self, one: DeclaredField, seat: int | None) -> list[list[int] | None]:
        """The entries of a field, of every seat or in all; None where `seat` may not see them."""
        segments = one.split_by_owner(getattr(self, one.name), int(self.players))
        return [
            entries if self.can_see(one, seat, owner if one.per_seat else NO_SEAT) else None
            for owner, entries in enumerate(segments)
        ]

    def phase_name(self) -> str:
        """What is asked: one of `PHASES`, else `turn`, `chance` or `over`."""
        if self.PHASES:
            return self.PHASES[int(getattr(self, PHASE))]
        return "over" if self.actor == OVER else "chance" if self.actor == CHANCE else "turn"

    def view(self, seat: int | None, previous: tuple[State, View] | None = None) -> View:
        require_seat(self, seat)
        asked = self.phase_name()
        found: dict[str, Any] = {
            "game": GAME_OF_STATE[type(self)].name,
            "players": int(self.players),
            "actor": int(self.actor),
            "phase": asked,
            "ask": f"ask.{asked}",
        }
        for one in self.FIELDS:
            if one.name == PHASE:
                continue
            entries = self.visible_entries_by_owner(one, seat)
            flat = [part[0] if part and one.length == 1 else part for part in entries]
            if one.per_seat or flat[0] is not None:
                found[one.name] = flat if one.per_seat else flat[0]
            if one.total_visible:
                sums = [sum(part) for part in one.split_by_owner(getattr(self, one.name), int(self.players))]
                found[f"{one.name}_total"] = sums if one.per_seat else sums[0]
        if self.actor == OVER:
            found["ranking"] = self.ranking()
        return cast("View", found)

    # --- the position string ---

    def to_text(self, seat: int | None = None) -> str:
        """`players=2 actor=0 stones=7 hand=0,1/2,0`; `?` for what a seat may not see, `?3` if it may see the sum."""
        words = [f"players={int(self.players)}", f"actor={int(self.actor)}"]
        for one in self.FIELDS:
            whole = one.split_by_owner(getattr(self, one.name), int(self.players))
            seen = whole if seat is None else self.visible_entries_by_owner(one, seat)
            texts = [
                HIDDEN + str(sum(entries)) * one.total_visible if part is None else ",".join(map(str, part))
                for part, entries in zip(seen, whole, strict=True)
            ]
            words.append(f"{one.name}={(',' if one.length == 1 else '/').join(texts)}")
        return " ".join(words)

    # --- nets and environments ---

    def write_observation(self, seat: int, buffer: RowBuffer) -> None:
        game = declared_game_of_state(self)
        first, words = buffer.take_zeroed_row(), buffer.words
        for part in game.input_parts:
            at = first + game.observation_layout.first[part.name]
            for i, value in enumerate(part.read(self, seat)):
                add_to_byte(words, at + i, value)

    def write_features(self, seat: int, buffer: RowBuffer) -> None:
        game, players = declared_game_of_state(self), int(self.players)
        layout = game.feature_layout
        first, words = buffer.take_zeroed_row(), buffer.words
        at, seat_at = first, first + layout.seat_at + 1
        for turn in range(players):
            add_to_byte(words, first + layout.seat_at + turn * layout.seat_wide, 1)
            add_to_byte(words, first + layout.piece_at + turn * layout.piece_wide, 1)
        for part in game.input_parts:
            values = part.read(self, seat)
            if not part.per_seat:
                for i, value in enumerate(values):
                    add_to_byte(words, at + i, value)
                at += part.width
                continue
            for i, value in enumerate(values):
                turn, entry = divmod(i, part.width)
                add_to_byte(words, seat_at + turn * layout.seat_wide + entry, value)
            seat_at += part.width


class DeclaredGame(Game):
    """A game of declared states. A subclass names its class of states; an option whose name is a field sets it."""

    state_class: ClassVar[type[DeclaredState]]

    def initial_state(self, players: int, options: dict[str, object]) -> State:
        state = self.state_class(players)
        for option in self.options:
            if hasattr(state, option.name):
                setattr(state, option.name, option.to_number(options[option.name]))
        return state

    def read_state(self, reader: SerializedStateReader) -> State:
        players = reader.read_next_in_range(self.player_counts[0], self.player_counts[-1])
        actor = reader.read_next_in_range(OVER, players - 1)
        state = self.state_class(players)
        state.actor = actor
        for one in state.FIELDS:
            if one.is_number:
                setattr(state, one.name, reader.read_next_in_range(one.least, self.max_field_value(one, players)))
        for one in state.FIELDS:
            if not one.is_number:
                setattr(
                    state,
                    one.name,
                    reader.read_next_vector(one.entry_count(players), one.least, self.max_field_value(one, players)),
                )
        reader.require_all_read()
        wrong = self.find_faults(state)
        if wrong:
            raise ValueError(wrong[0])
        return state

    def parse_text(self, text: str) -> State:
        words: dict[str, str] = {}
        for word in text.split():
            found = WORD_PATTERN.fullmatch(word)
            if found is None or found[1] in words:
                raise PositionError(word, "write every field once, as name=number")
            words[found[1]] = found[2]
        names = ["players", "actor", *(one.name for one in self.state_class.FIELDS)]
        if sorted(words) != sorted(names):
            raise PositionError(text, f"the fields are {', '.join(names)}")
        players = parse_number_list(words["players"], 1)[0]
        if players not in self.player_counts:
            raise PositionError(words["players"], f"the players are {', '.join(map(str, self.player_counts))}")
        state = self.state_class(players)
        state.actor = parse_number_list(words["actor"], 1)[0]
        for one in state.FIELDS:
            numbers = parse_number_list(words[one.name], one.entry_count(players))
            setattr(state, one.name, numbers[0] if one.is_number else numbers)
        return state

    def find_faults(self, state: State) -> list[str]:
        """The fields that are out of bounds. A game adds what else cannot be: `[*super().find_faults(state), ...]`."""
        assert isinstance(state, DeclaredState)
        players, wrong = int(state.players), []
        if not OVER <= state.actor < players:
            wrong.append(f"{state.actor} is no seat")
        for one in state.FIELDS:
            most = self.max_field_value(one, players)
            entries = [n for part in one.split_by_owner(getattr(state, one.name), players) for n in part]
            wrong += [f"{one.name} is {n}, not {one.least} to {most}" for n in entries if not one.least <= n <= most]
        return wrong

    def render_terminal(self, view: View, language: str) -> str:
        """The fields that the viewer may see, one on a line."""
        shown = cast("dict[str, Any]", view)
        names = [name for one in self.state_class.FIELDS for name in (one.name, f"{one.name}_total")]
        return "\n".join(f"{name}: {shown[name]}" for name in names if name in shown)

    @staticmethod
    def max_field_value(one: DeclaredField, players: int) -> int:
        """The largest value of a field at a table."""
        return players - 1 if one.is_seat else one.most

    # --- what observations and features consist of ---

    @cached_property
    def input_parts(self) -> list[InputPart]:
        """Everything that a seat may know."""
        return list_input_parts(self.state_class.FIELDS, self.player_counts[-1])

    @cached_property
    def observation_layout(self) -> TensorLayout:
        """The layout of observations."""
        return derive_tensor_layout(self.name, self.rules_version, self.player_counts[-1], self.input_parts)

    @cached_property
    def feature_layout(self) -> FeatureLayout:
        """The layout of features for nets."""
        return derive_feature_layout(self.name, self.rules_version, self.player_counts[-1], self.input_parts)


def declared_game_of_state(state: State) -> DeclaredGame:
    """The game of a declared state."""
    found = GAME_OF_STATE[type(state)]
    assert isinstance(found, DeclaredGame)
    return found


def parse_number_list(text: str, count: int) -> list[int]:
    """So many numbers, separated by commas and slashes."""
    words = re.split("[,/]", text)
    if len(words) != count or not all(re.fullmatch(r"-?\d{1,9}", word) for word in words):
        raise PositionError(text, f"here are {count} numbers")
    return [int(word) for word in words]


__all__ = ["EVERYBODY", "NOBODY", "OWNER", "DeclaredField", "DeclaredGame", "DeclaredState"]
