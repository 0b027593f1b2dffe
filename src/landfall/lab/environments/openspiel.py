"""The games for OpenSpiel: importing this registers `landfall_survive`, `landfall_atlantis`, `landfall_atlandice`.

Chance is explicit. Observations are the tensors of docs/observations.md; an information state is the log and the
position as the seat may know them. `resample_from_infostate` samples a position from a seat's knowledge. Parameters are
`players` and the game's options: `pyspiel.load_game("landfall_survive", {"players": 4})`.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pyspiel

from landfall.core import options as opt
from landfall.core.feature_layout import RowBuffer
from landfall.core.game import Game
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, State
from landfall.games import BUILT_IN_GAMES
from landfall.games import game as find_game
from landfall.games.observation_and_feature_layouts import tensor_layout
from landfall.lab.environments.env_match import split_observation, view_as_bytes, zero_sum_win_rewards

NAME_PREFIX: Final = "landfall_"
MAX_DECISIONS: Final = 100_000  # above the decisions of any match


def make_game_type(name: str) -> pyspiel.GameType:
    """A game's entry in OpenSpiel's registry."""
    rules = find_game(name)
    simple = {option.name: option.default for option in rules.options if option.kind != opt.OBJECT}
    return pyspiel.GameType(
        short_name=NAME_PREFIX + name,
        long_name=f"Landfall: {name.capitalize()}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=rules.player_counts[-1],
        min_num_players=rules.player_counts[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": rules.player_counts[0], **simple},
    )


class SpielGame(pyspiel.Game):
    """One table: a game, its players and options."""

    name = ""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = dict(params or {})
        rules = find_game(self.name)
        players = given.pop("players", rules.player_counts[0])
        self.start = LoggedPosition(rules, rules.new(players, given), [])
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.num_actions,
            max_chance_outcomes=rules.num_outcomes,
            num_players=players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MAX_DECISIONS,
        )
        super().__init__(GAME_TYPES[self.name], info, params or {})

    def new_initial_state(self) -> SpielState:
        return SpielState(self, self.start.position.copy())

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        return Observer(self.name, iig_obs_type is not None and iig_obs_type.perfect_recall)


class LoggedPosition:
    """A position with its game and log: each action's text, its public text, and who may read the full one.

    OpenSpiel clones a state by a deep copy, which a long log would make slow.
    """

    def __init__(self, rules: Game, position: State, log: list[tuple[str, str, int]]) -> None:
        self.rules = rules
        self.position = position
        self.log = log

    def __deepcopy__(self, memo: object) -> LoggedPosition:
        return LoggedPosition(self.rules, self.position.copy(), self.log[:])


class SpielState(pyspiel.State):
    """A position with OpenSpiel's interface."""

    def __init__(self, game: SpielGame, position: State) -> None:
        super().__init__(game)
        self.held = LoggedPosition(game.start.rules, position, [])

    @property
    def rules(self) -> Game:
        return self.held.rules

    @property
    def position(self) -> State:
        return self.held.position

    def current_player(self) -> int:
        actor = int(self.position.actor)
        if actor >= 0:
            return actor
        return int(pyspiel.PlayerId.CHANCE if actor == CHANCE else pyspiel.PlayerId.TERMINAL)

    def to_engine_action(self, player: int, action: int) -> int:
        """The engine's number of an action; OpenSpiel numbers chance outcomes from 0, too."""
        return action + self.rules.num_actions if player == pyspiel.PlayerId.CHANCE else action

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.position.legal_actions())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        found = self.position.chance_outcomes()
        total = sum(weight for _, weight in found)
        return sorted((outcome - self.rules.num_actions, weight / total) for outcome, weight in found)

    def _apply_action(self, action: int) -> None:
        number, position = self.to_engine_action(self.current_player(), action), self.position
        self.held.log.append(
            (position.notation(number), position.notation(number, masked=True), position.secret_code(number))
        )
        position.apply(number)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.notation(self.to_engine_action(player, action))

    def is_terminal(self) -> bool:
        return bool(self.position.actor == OVER)

    def returns(self) -> list[float]:
        return zero_sum_win_rewards(self.position) if self.is_terminal() else [0.0] * int(self.position.players)

    def read_log(self, player: int) -> list[str]:
        """The log as a seat may read it now."""
        may = self.position.can_read
        return [text if not code or may(player, code) else masked for text, masked, code in self.held.log]

    def resample_from_infostate(self, player: int, sampler: Any) -> SpielState:
        """Sample a position that is consistent with the seat's knowledge, with the log as it reads it."""
        rng = Rng(int(sampler() * 2**62))
        other = SpielState(self.get_game(), self.position.resample(player, rng))
        other.held.log = [(text, text, 0) for text in self.read_log(player)]
        return other

    def __str__(self) -> str:
        return self.position.to_text()


class Observer:
    """A seat's observation: tensors and the position string; with perfect recall the log too, and no tensor."""

    def __init__(self, game: str, recall: bool) -> None:
        tensors = tensor_layout(game)
        self.recall = recall
        self.sheet = RowBuffer(tensors, 1)
        self.row = view_as_bytes(self.sheet.words)
        self.tensor = None if recall else np.zeros(tensors.size, np.float32)
        self.dict: dict[str, Any] = {} if self.tensor is None else split_observation(game, self.tensor)

    def set_from(self, state: SpielState, player: int) -> None:
        if self.tensor is not None:
            self.sheet.restart_at_first_row()
            state.position.write_observation(player, self.sheet)
            self.tensor[:] = self.row

    def string_from(self, state: SpielState, player: int) -> str:
        line = f"seat {player}: {state.position.to_text(player)}"
        return "\n".join([*state.read_log(player), line]) if self.recall else line


GAME_TYPES: Final = {name: make_game_type(name) for name in BUILT_IN_GAMES}
for name in BUILT_IN_GAMES:
    pyspiel.register_game(GAME_TYPES[name], type(f"Spiel{name.capitalize()}", (SpielGame,), {"name": name}))
