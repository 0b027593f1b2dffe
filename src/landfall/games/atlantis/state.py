"""A position of Atlantis with its rules: implements `core/state.py` by delegating to the game's modules."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from mypy_extensions import i64

from landfall.core.feature_layout import RowBuffer
from landfall.core.message_types import View as CoreView
from landfall.core.rng import Rng
from landfall.core.state import ActionList, State, require_seat
from landfall.games.atlantis.ai import features, observation
from landfall.games.atlantis.ai import position_evaluation as judgement
from landfall.games.atlantis.presentation import (
    action_descriptions,
    action_losses,
    card_preview,
    move_refusal,
    notation,
    position_text,
    view,
)
from landfall.games.atlantis.rules import (
    action_dispatch,
    chance,
    codes,
    hidden_information,
    message_types,
    phases,
    scoring,
)
from landfall.games.atlantis.rules.position import AtlantisPosition

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf


class AtlantisState(AtlantisPosition):
    """A position with its rules."""

    def copy(self) -> AtlantisState:
        return AtlantisState(self.players, self)

    # --- playing ----------------------------------------------------------------------------------------------

    def num_actions(self) -> int:
        return codes.NUM_ACTIONS

    def fill_legal(self, actions: ActionList) -> None:
        action_dispatch.add_legal_actions(self, actions)

    def forbidden_by(self, action: i64) -> str:
        return action_dispatch.rule_forbidding_action(self, action)

    def apply(self, action: i64) -> None:
        action_dispatch.apply_action(self, action)

    def chance_outcomes(self) -> list[tuple[int, int]]:
        return chance.chance_outcomes(self)

    def sample_chance(self, rng: Rng) -> i64:
        return chance.sample_chance(self, rng)

    def turn_key(self) -> i64:
        return self.seat

    # --- evaluation -------------------------------------------------------------------------------------------

    def scores(self) -> list[int]:
        return [int(scoring.final_score(self, seat)) for seat in range(self.players)]

    def evaluate(self, seat: i64) -> i64:
        return judgement.expected_score_lead(self, seat)

    def fill_expected_scores(self, out: Buf) -> None:
        judgement.fill_expected_scores(self, out)

    def win_probability_score_scale(self) -> i64:
        return judgement.win_probability_score_scale(self)

    def write_features(self, seat: i64, buffer: RowBuffer) -> None:
        features.write_feature_row(self, seat, buffer)

    def write_observation(self, seat: i64, buffer: RowBuffer) -> None:
        observation.write_observation_row(self, seat, buffer)

    # --- hidden information -----------------------------------------------------------------------------------

    def view(self, seat: int | None, previous: tuple[State, CoreView] | None = None) -> message_types.View:
        require_seat(self, seat)
        if previous is None:
            return view.build_view_from_scratch(self, seat)
        before, seen = previous
        assert isinstance(before, AtlantisPosition)
        return view.build_view_reusing_previous(self, seat, before, cast("message_types.View", seen))

    def svg(self, seat: int | None = None) -> str:
        from landfall.games.atlantis.presentation.picture import render_svg

        return render_svg(self.view(seat))

    def private_part_of_view(
        self, seat: int | None, public: CoreView | None = None, reveal: bool = False
    ) -> message_types.PrivateView:
        return view.build_private_part_of_view(self, seat, cast("message_types.View | None", public))

    def to_text(self, seat: int | None = None) -> str:
        return position_text.format_position(self, seat)

    def resample(self, seat: int | None, rng: Rng) -> State:
        require_seat(self, seat)
        return hidden_information.resample_hidden_information(self, seat, rng)

    def secret_code(self, action: int) -> int:
        return hidden_information.secret_code_of_action(self, action)

    def can_read(self, seat: int | None, secret: int) -> bool:
        return hidden_information.can_read_secret(self, seat, secret)

    # --- actions as data --------------------------------------------------------------------------------------

    def action_to_dict(self, action: int) -> message_types.Choice | message_types.Outcome:
        return action_descriptions.describe_action(self, action)

    def is_single_choice_secret(self) -> bool:
        return bool(self.phase != phases.BRIDGING)  # the other questions depend on the hand

    def notation(self, action: int, masked: bool = False) -> str:
        return notation.format_masked_action(action) if masked else notation.format_action(action)

    def parse(self, text: str) -> int:
        return notation.parse_action(text)

    def immediate_losses(self, action: int) -> tuple[list[str], list[str]]:
        return action_losses.list_immediate_losses(action), []

    def move_of_piece_forbidden_by(self, piece: str, place: str) -> str | None:
        return move_refusal.rule_forbidding_move_of_piece(self, piece, place)

    def preview(self, seat: int) -> message_types.Preview:
        return card_preview.preview_card_routes(self, seat)
