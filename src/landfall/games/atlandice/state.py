"""A state of Atlandice: the position, and the contract's methods handed on to the modules that know."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from mypy_extensions import i64

from landfall.core.rng import Rng
from landfall.core.state import Moves, State
from landfall.core.vectors import listed
from landfall.games.atlandice import (
    chance,
    costs,
    explain,
    features,
    knowledge,
    line,
    notation,
    observation,
    play,
    preview,
    scoring,
    view,
    words,
)
from landfall.games.atlandice import evaluate as judgement
from landfall.games.atlandice.actions import NUM_ACTIONS
from landfall.games.atlandice.position import AtlandicePosition

if TYPE_CHECKING:
    from landfall.core.layout import Sheet
    from landfall.core.messages import View as CoreView
    from landfall.core.vectors import Buf
    from landfall.games.atlandice.messages import Choice, Outcome, Own, Preview, View


class AtlandiceState(AtlandicePosition):
    """A position that can be played."""

    def copy(self) -> AtlandiceState:
        return AtlandiceState(self.players, self.icons, self.hands, self)

    # --- playing ----------------------------------------------------------------------------------------------

    def num_actions(self) -> int:
        return NUM_ACTIONS

    def generate(self, moves: Moves) -> None:
        play.generate(self, moves)

    def forbids(self, action: i64) -> str:
        return play.forbids(self, action)

    def apply(self, action: i64) -> None:
        play.apply(self, action)

    def chances(self) -> list[tuple[int, int]]:
        return chance.chances(self)

    def draw(self, rng: Rng) -> i64:
        return chance.draw(self, rng)

    def turn_mark(self) -> i64:
        return self.round * 16 + self.visits

    # --- what it is worth -------------------------------------------------------------------------------------

    def scores(self) -> list[int]:
        """Points if the game ended now: most win, ties share (AD.E2); the neutral player is no seat (AD.N1)."""
        return [int(scoring.total(self, seat)) for seat in range(self.players)]

    def evaluate(self, seat: i64) -> i64:
        return judgement.evaluate(self, seat)

    def prospects(self, out: Buf) -> None:
        judgement.prospects(self, out)

    def spread(self) -> i64:
        return judgement.spread(self)

    def features(self, seat: i64, sheet: Sheet) -> None:
        features.encode(self, seat, sheet)

    def observe(self, seat: i64, sheet: Sheet) -> None:
        observation.observe(self, seat, sheet)

    # --- who may know what ------------------------------------------------------------------------------------

    def options_told(self) -> list[int]:
        return listed(self.icons) + listed(self.hands)

    def view(self, seat: int | None, previous: tuple[State, CoreView] | None = None) -> View:
        if previous is None:
            return view.view(self, seat)
        before, seen = previous
        assert isinstance(before, AtlandicePosition)
        return view.told(self, seat, before, cast("View", seen))

    def svg(self, seat: int | None = None) -> str:
        from landfall.games.atlandice.picture import picture

        return picture(self.view(seat))

    def own_view(self, seat: int | None, public: CoreView | None = None, reveal: bool = False) -> Own:
        return view.own_view(seat)

    def line(self, seat: int | None = None) -> str:
        return line.write(self, seat)

    def resample(self, seat: int | None, rng: Rng) -> State:
        return knowledge.resample(self, seat, rng)

    def may_read(self, seat: int | None, secret: int) -> bool:
        return knowledge.may_read(self, seat, secret)

    # --- in words ---------------------------------------------------------------------------------------------

    def describe(self, action: int) -> Choice | Outcome:
        return words.describe(self, action)

    def lone_choice_tells(self) -> bool:
        return False

    def notation(self, action: int, masked: bool = False) -> str:
        return notation.text(self, action)

    def parse(self, text: str) -> int:
        return notation.parse(self, text)

    def costs(self, action: int) -> tuple[list[str], list[str]]:
        return costs.loses(action), []

    def forbids_touch(self, piece: str, place: str) -> str | None:
        return explain.forbids_touch(self, piece, place)

    def preview(self, seat: int) -> Preview:
        return preview.preview(self)
