"""Pearls with the interface of `landfall.core.state`: every method delegates to a module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from landfall.core.ranking import group_seats_by_rank
from landfall.core.state import OVER
from landfall_pearls import evaluate, knowledge, position_text, turn, view, words
from landfall_pearls.actions import NUM_ACTIONS
from landfall_pearls.position import PearlsPosition, used

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf
    from landfall.core.message_types import Rank
    from landfall.core.message_types import View as CoreView
    from landfall.core.rng import Rng
    from landfall.core.state import ActionList, State
    from landfall_pearls.message_types import Choice, Outcome, PrivateView, View


class PearlsState(PearlsPosition):
    """A position with its rules."""

    # --- actions and events (turn.py) ---

    def num_actions(self) -> int:
        return NUM_ACTIONS

    def fill_legal(self, actions: ActionList) -> None:
        turn.fill_legal(self, actions)

    def forbidden_by(self, action: int) -> str:
        return turn.forbidden_by(self, action)

    def chance_outcomes(self) -> list[tuple[int, int]]:
        return turn.chance_outcomes(self)

    def apply(self, action: int) -> None:
        turn.apply(self, action)

    def scores(self) -> list[int]:
        return self.pearls[:]

    def ranking(self) -> list[Rank]:
        """PL.E2: most pearls wins; ties share the place."""
        return group_seats_by_rank([[points] for points in self.scores()], ["pearls"])

    # --- who may know what (knowledge.py, view.py) ---

    def view(self, seat: int | None, previous: tuple[State, CoreView] | None = None) -> View:
        return view.view(self, seat, self.ranking() if self.actor == OVER else [])

    def private_part_of_view(
        self, seat: int | None, public: CoreView | None = None, reveal: bool = False
    ) -> PrivateView:
        return view.private_part_of_view(self.view(seat))

    def secret_code(self, action: int) -> int:
        return knowledge.secret(self, action)

    def can_read(self, seat: int | None, secret: int) -> bool:
        return self.actor == OVER or knowledge.may_read(seat, secret)

    def resample(self, seat: int | None, rng: Rng) -> PearlsState:
        twin = self.copy()
        if self.actor != OVER:
            knowledge.redraw(twin, seat, rng)
        return twin

    # --- in words (words.py, position_text.py) ---

    def action_to_dict(self, action: int) -> Choice | Outcome:
        return words.action_to_dict(action)

    def notation(self, action: int, masked: bool = False) -> str:
        return "+?" if masked and self.secret_code(action) else words.notation(action)

    def parse(self, text: str) -> int:
        return words.parse(text)

    def to_text(self, seat: int | None = None) -> str:
        return position_text.format_position(self, seat if self.actor != OVER else None)

    # --- for bots (evaluate.py) ---

    def evaluate(self, seat: int) -> int:
        return evaluate.evaluate(self, seat)

    def fill_expected_scores(self, out: Buf) -> None:
        for seat in range(int(self.players)):
            out[seat] = evaluate.prospects(self, seat)

    def win_probability_score_scale(self) -> int:
        return 2 * evaluate.PEARL

    def turn_key(self) -> int:
        return used(self)
