"""Pearls as the contract of `landfall.core.state` asks for it: every method hands on to the module that knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from landfall.core.ranking import rank
from landfall.core.state import OVER
from landfall_pearls import evaluate, knowledge, line, turn, view, words
from landfall_pearls.actions import NUM_ACTIONS
from landfall_pearls.position import PearlsPosition, used

if TYPE_CHECKING:
    from landfall.core.messages import Rank
    from landfall.core.messages import View as CoreView
    from landfall.core.rng import Rng
    from landfall.core.state import Moves, State
    from landfall.core.vectors import Buf
    from landfall_pearls.messages import Choice, Outcome, Own, View


class PearlsState(PearlsPosition):
    """A position with its rules."""

    # --- what may be done, and what happens (turn.py) ---

    def num_actions(self) -> int:
        return NUM_ACTIONS

    def generate(self, moves: Moves) -> None:
        turn.generate(self, moves)

    def forbids(self, action: int) -> str:
        return turn.forbids(self, action)

    def chances(self) -> list[tuple[int, int]]:
        return turn.chances(self)

    def apply(self, action: int) -> None:
        turn.apply(self, action)

    def copy(self) -> PearlsState:
        twin = PearlsState(int(self.players), bool(self.stormy))
        twin.take(self)
        return twin

    def scores(self) -> list[int]:
        return [int(n) for n in self.pearls[: self.players]]

    def ranking(self) -> list[Rank]:
        """PL.E2: most pearls; who has as many shares the place."""
        return rank([[points] for points in self.scores()], ["pearls"])

    # --- who may know what (knowledge.py, view.py) ---

    def view(self, seat: int | None, previous: tuple[State, CoreView] | None = None) -> View:
        return view.view(self, seat, self.ranking() if self.actor == OVER else [])

    def own_view(self, seat: int | None, public: CoreView | None = None, reveal: bool = False) -> Own:
        return view.own(self.view(seat))

    def secret(self, action: int) -> int:
        return knowledge.secret(self, action)

    def may_read(self, seat: int | None, secret: int) -> bool:
        return self.actor == OVER or knowledge.may_read(seat, secret)

    def resample(self, seat: int | None, rng: Rng) -> PearlsState:
        twin = self.copy()
        if self.actor != OVER:
            knowledge.redraw(twin, seat, rng)
        return twin

    # --- in words (words.py, line.py) ---

    def describe(self, action: int) -> Choice | Outcome:
        return words.describe(action)

    def notation(self, action: int, masked: bool = False) -> str:
        return "+?" if masked and self.secret(action) else words.notation(action)

    def parse(self, text: str) -> int:
        return words.parse(text)

    def line(self, seat: int | None = None) -> str:
        return line.write(self, seat if self.actor != OVER else None)

    # --- for bots (evaluate.py) ---

    def evaluate(self, seat: int) -> int:
        return evaluate.evaluate(self, seat)

    def prospects(self, out: Buf) -> None:
        for seat in range(int(self.players)):
            out[seat] = evaluate.prospects(self, seat)

    def spread(self) -> int:
        return 2 * evaluate.PEARL

    def turn_mark(self) -> int:
        return used(self)
