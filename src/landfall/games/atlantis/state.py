"""A state of Atlantis: the position, and the contract's methods handed on to the modules that know."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from mypy_extensions import i64

from landfall.core.rng import Rng
from landfall.core.state import Moves, State
from landfall.games.atlantis import (
    chance,
    costs,
    ending,
    explain,
    features,
    knowledge,
    line,
    notation,
    observation,
    play,
    preview,
    view,
    words,
)
from landfall.games.atlantis import evaluate as judgement
from landfall.games.atlantis.actions import NUM_ACTIONS
from landfall.games.atlantis.phases import BRIDGING
from landfall.games.atlantis.position import AtlantisPosition

if TYPE_CHECKING:
    from landfall.core.layout import Sheet
    from landfall.core.messages import View as CoreView
    from landfall.core.vectors import Buf
    from landfall.games.atlantis.messages import Choice, Outcome, Own, Preview, View


class AtlantisState(AtlantisPosition):
    """A position that can be played."""

    def copy(self) -> AtlantisState:
        return AtlantisState(self.players, self)

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
        return self.seat

    # --- what it is worth -------------------------------------------------------------------------------------

    def scores(self) -> list[int]:
        return [ending.score(self, seat) for seat in range(self.players)]

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

    def view(self, seat: int | None, previous: tuple[State, CoreView] | None = None) -> View:
        if previous is None:
            return view.view(self, seat)
        before, seen = previous
        assert isinstance(before, AtlantisPosition)
        return view.told(self, seat, before, cast("View", seen))

    def svg(self, seat: int | None = None) -> str:
        from landfall.games.atlantis.picture import picture

        return picture(self.view(seat))

    def own_view(self, seat: int | None, public: CoreView | None = None, reveal: bool = False) -> Own:
        return view.own_view(self, seat, cast("View | None", public))

    def line(self, seat: int | None = None) -> str:
        return line.write(self, seat)

    def resample(self, seat: int | None, rng: Rng) -> State:
        return knowledge.resample(self, seat, rng)

    def secret(self, action: int) -> int:
        return knowledge.secret(self, action)

    def may_read(self, seat: int | None, secret: int) -> bool:
        return knowledge.may_read(self, seat, secret)

    # --- in words ---------------------------------------------------------------------------------------------

    def describe(self, action: int) -> Choice | Outcome:
        return words.describe(self, action)

    def lone_choice_tells(self) -> bool:
        return bool(self.phase != BRIDGING)  # all others are questions about the hand

    def notation(self, action: int, masked: bool = False) -> str:
        return notation.masked(action) if masked else notation.text(action)

    def parse(self, text: str) -> int:
        return notation.parse(text)

    def costs(self, action: int) -> tuple[list[str], list[str]]:
        return costs.loses(action), []

    def forbids_touch(self, piece: str, place: str) -> str | None:
        return explain.forbids_touch(self, piece, place)

    def preview(self, seat: int) -> Preview:
        return preview.preview(self, seat)
