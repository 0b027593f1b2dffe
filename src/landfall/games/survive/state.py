"""A position of Survive with its rules: implements `core/state.py` by delegating to the game's modules."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from mypy_extensions import i64

from landfall.core.feature_layout import RowBuffer
from landfall.core.message_types import Rank
from landfall.core.message_types import View as CoreView
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, ActionList, State, require_seat
from landfall.games.survive.ai import features, observation, opening_book, position_evaluation, random_actions
from landfall.games.survive.presentation import (
    action_descriptions,
    action_losses,
    move_refusal,
    notation,
    position_text,
    view,
)
from landfall.games.survive.rules import (
    action_dispatch,
    chance,
    codes,
    hidden_information,
    message_types,
    phases,
    scoring,
)
from landfall.games.survive.rules.position import SurvivePosition

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf


class SurviveState(SurvivePosition):
    """A position with its rules; every method delegates to a module."""

    def copy(self) -> SurviveState:
        return SurviveState(self.rules, self)

    def to_text(self, seat: int | None = None) -> str:
        return position_text.format_position(self, seat)

    def num_actions(self) -> int:
        return codes.NUM_ACTIONS

    def fill_legal(self, actions: ActionList) -> None:
        action_dispatch.add_legal_actions(self, actions)

    def random_action(self, rng: Rng) -> i64:
        return random_actions.sample_legal_action(self, rng)

    def forbidden_by(self, action: i64) -> str:
        return action_dispatch.rule_forbidding_action(self, action)

    def chance_outcomes(self) -> list[tuple[int, int]]:
        return chance.chance_outcomes(self)

    def sample_chance(self, rng: Rng) -> i64:
        return chance.sample_chance(self, rng)

    def apply(self, action: i64) -> None:
        if self.actor == CHANCE:
            chance.apply_outcome(self, action)
        else:
            action_dispatch.apply_action(self, action)

    def scores(self) -> list[int]:
        return scoring.compute_scores(self)

    def ranking(self) -> list[Rank]:
        return scoring.compute_ranking(self)

    def tie_break_key(self, seat: i64, nth: i64) -> i64:
        return scoring.tie_break_key(self, seat, nth)

    def evaluate(self, seat: i64) -> i64:
        return position_evaluation.expected_score_lead(self, seat)

    def fill_expected_scores(self, out: Buf) -> None:
        position_evaluation.fill_expected_scores(self, out)

    def win_probability_score_scale(self) -> i64:
        return position_evaluation.win_probability_score_scale(self)

    def write_features(self, seat: i64, buffer: RowBuffer) -> None:
        features.write_feature_row(self, seat, buffer)

    def saved_pieces(self, seat: i64) -> list[int]:
        return features.explorer_rescue_flags(self, seat)

    def write_observation(self, seat: i64, buffer: RowBuffer) -> None:
        observation.write_observation_row(self, seat, buffer)

    def turn_key(self) -> i64:
        return self.turns[self.turn] * 8 + self.turn + (self.set_up + self.ships_left) * 1024

    def step_key(self) -> i64:
        """A hand tile and the moves after it are searched as one step."""
        return self.turn_key() * 8 + (phases.STEP_MOVE if self.step == phases.STEP_HAND else self.step)

    def opening_action(self) -> i64:
        return opening_book.opening_action(self)

    def is_setup(self) -> bool:
        """The effects of placing explorers and ships lie beyond the horizon of a search."""
        return self.step == phases.STEP_SETUP

    def option_values(self) -> list[int]:
        return list(self.rules.numbers)

    def view(self, seat: int | None, previous: tuple[State, CoreView] | None = None) -> message_types.View:
        require_seat(self, seat)
        if previous is None:
            return view.build_view_from_scratch(self, seat)
        before, seen = previous
        assert isinstance(before, SurvivePosition)
        return view.build_view_reusing_previous(self, seat, before, cast("message_types.View", seen))

    def svg(self, seat: int | None = None) -> str:
        from landfall.games.survive.presentation.picture import render_svg

        return render_svg(self.view(seat))

    def private_part_of_view(
        self, seat: int | None, public: CoreView | None = None, reveal: bool = False
    ) -> message_types.PrivateView:
        return (
            view.build_private_part_of_view_with_values(self, seat)
            if reveal and seat is not None
            else view.build_private_part_of_view(self, seat)
        )

    def needs_answer_delay(self) -> bool:
        """SV.T2, SV.D5: a player who holds any tile is asked, even if none of them can be used."""
        return self.phase == phases.HAND or self.phase == phases.DEFENDING

    def resample(self, seat: int | None, rng: Rng) -> SurviveState:
        require_seat(self, seat)
        fresh = self.copy()
        hidden_information.resample_hidden_information(fresh, seat, rng)
        return fresh

    def action_to_dict(self, action: int) -> message_types.Choice | message_types.Outcome:
        return action_descriptions.describe_action(self, action)

    def choice_groups(self, seat: int | None) -> list[tuple[str, list[str], list[list[object]]]]:
        if self.phase == phases.PLACING and seat is not None and seat == self.actor:
            return action_descriptions.list_placing_choice_groups(self)
        return super().choice_groups(seat)

    def is_single_choice_secret(self) -> bool:
        return self.step == phases.STEP_SETUP or self.needs_answer_delay()

    def notation(self, action: int, masked: bool = False) -> str:
        return notation.format_masked_action(self, action) if masked else notation.format_action(self, action)

    def parse(self, text: str) -> int:
        return notation.parse_action(self, text)

    def secret_code(self, action: int) -> int:
        return hidden_information.secret_code_of_action(self, action)

    def can_read(self, seat: int | None, secret: int) -> bool:
        return hidden_information.can_read_secret(self, seat, secret)

    def immediate_losses(self, action: int) -> tuple[list[str], list[str]]:
        return action_losses.list_immediate_losses(self, action)

    def move_of_piece_forbidden_by(self, piece: str, place: str) -> str | None:
        return move_refusal.rule_forbidding_move_of_piece(self, piece, place)
