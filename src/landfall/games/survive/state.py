"""A position of Survive with its rules: the contract of `core/state.py`, handed on to the modules of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from mypy_extensions import i64

from landfall.core.rng import Rng
from landfall.core.state import CHANCE, Moves, State
from landfall.games.survive import (
    chance,
    costs,
    ending,
    evaluate,
    explain,
    features,
    knowledge,
    line,
    notation,
    observation,
    opening,
    play,
    rollout,
    view,
    words,
)
from landfall.games.survive.actions import NUM_ACTIONS
from landfall.games.survive.phases import DEFENDING, HAND, PLACING, STEP_HAND, STEP_MOVE, STEP_SETUP
from landfall.games.survive.position import SurvivePosition

if TYPE_CHECKING:
    from landfall.core.layout import Sheet
    from landfall.core.messages import Rank
    from landfall.core.messages import View as CoreView
    from landfall.core.vectors import Buf
    from landfall.games.survive.messages import Choice, Outcome, Own, View


class SurviveState(SurvivePosition):
    """A position with its rules: each method is its module's."""

    def copy(self) -> SurviveState:
        return SurviveState(self.rules, self)

    def line(self, seat: int | None = None) -> str:
        return line.write(self, seat)

    def num_actions(self) -> int:
        return NUM_ACTIONS

    def generate(self, moves: Moves) -> None:
        play.generate(self, moves)

    def random_action(self, rng: Rng) -> i64:
        return rollout.random_action(self, rng)

    def forbids(self, action: i64) -> str:
        return play.forbids(self, action)

    def chances(self) -> list[tuple[int, int]]:
        return chance.chances(self)

    def draw(self, rng: Rng) -> i64:
        return chance.draw(self, rng)

    def apply(self, action: i64) -> None:
        if self.actor == CHANCE:
            chance.happen(self, action)
        else:
            play.act(self, action)

    def scores(self) -> list[int]:
        return ending.scores(self)

    def ranking(self) -> list[Rank]:
        return ending.ranking(self)

    def evaluate(self, seat: i64) -> i64:
        return evaluate.evaluate(self, seat)

    def prospects(self, out: Buf) -> None:
        evaluate.prospects(self, out)

    def spread(self) -> i64:
        return evaluate.spread(self)

    def features(self, seat: i64, sheet: Sheet) -> None:
        features.encode(self, seat, sheet)

    def observe(self, seat: i64, sheet: Sheet) -> None:
        observation.observe(self, seat, sheet)

    def turn_mark(self) -> i64:
        return self.turns[self.turn] * 8 + self.turn + (self.set_up + self.ships_left) * 1024

    def step_mark(self) -> i64:
        """A hand tile and the moves after it are planned as one."""
        return self.turn_mark() * 8 + (STEP_MOVE if self.step == STEP_HAND else self.step)

    def opening(self) -> i64:
        return opening.opening(self)

    def setting_up(self) -> bool:
        """Where explorers and ships are put shows long after all that a search can see."""
        return self.step == STEP_SETUP

    def options_told(self) -> list[int]:
        return list(self.rules.numbers)

    def view(self, seat: int | None, previous: tuple[State, CoreView] | None = None) -> View:
        if previous is None:
            return view.view(self, seat)
        before, seen = previous
        assert isinstance(before, SurvivePosition)
        return view.told(self, seat, before, cast("View", seen))

    def svg(self, seat: int | None = None) -> str:
        from landfall.games.survive.picture import picture

        return picture(self.view(seat))

    def own_view(self, seat: int | None, public: CoreView | None = None, reveal: bool = False) -> Own:
        return view.open_view(self, seat) if reveal and seat is not None else view.own_view(self, seat)

    def timing_tells(self) -> bool:
        """SV.T2, SV.D5: whoever holds any tile is asked, whether or not one of them would do."""
        return self.phase == HAND or self.phase == DEFENDING

    def resample(self, seat: int | None, rng: Rng) -> SurviveState:
        fresh = self.copy()
        knowledge.redraw(fresh, seat, rng)
        return fresh

    def describe(self, action: int) -> Choice | Outcome:
        return words.describe(self, action)

    def choice_groups(self, seat: int | None) -> list[tuple[str, list[str], list[list[object]]]]:
        if self.phase == PLACING and seat is not None and seat == self.actor:
            return words.placings(self)
        return super().choice_groups(seat)

    def lone_choice_tells(self) -> bool:
        return self.step == STEP_SETUP or self.timing_tells()

    def notation(self, action: int, masked: bool = False) -> str:
        return notation.masked(self, action) if masked else notation.write(self, action)

    def parse(self, text: str) -> int:
        return notation.read(self, text)

    def secret(self, action: int) -> int:
        return knowledge.secret(self, action)

    def may_read(self, seat: int | None, secret: int) -> bool:
        return knowledge.may_read(self, seat, secret)

    def costs(self, action: int) -> tuple[list[str], list[str]]:
        return costs.costs(self, action)

    def forbids_touch(self, piece: str, place: str) -> str | None:
        return explain.forbids_touch(self, piece, place)
