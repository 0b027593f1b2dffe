"""The base of all environments: a match that plays chance events itself, with observations as arrays."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, cast

from rich.console import Console

from landfall.core.feature_layout import RowBuffer
from landfall.core.observation_layout import TensorLayout
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, State
from landfall.games import BUILT_IN_GAMES, game_module
from landfall.games import game as find_game
from landfall.games.observation_and_feature_layouts import tensor_layout
from landfall.lab import pictures
from landfall.optional_dependencies import require_extra

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from landfall.core.int_vectors import Buf

    Bytes = NDArray[np.uint8]
    Mask = NDArray[np.int8]

RENDER_MODES: Final = ["human", "ansi", "rgb_array", "svg"]
TERMINAL_COLUMNS: Final = 120  # of a terminal
VERSIONS: Final = {name: int(game_module(name, "environment_version").ENVIRONMENT_VERSION) for name in BUILT_IN_GAMES}


def view_as_bytes(words: Buf) -> Bytes:
    """An engine vector as a byte array without a copy: later writes show in it."""
    import numpy as np

    return np.frombuffer(cast("bytes", words), np.uint8)


def observation_upper_bounds(tensors: TensorLayout) -> Bytes:
    """The largest value of each byte of an observation."""
    import numpy as np

    most = np.ones(tensors.size, np.uint8)  # padding is zero, but a space needs an upper bound above the lower one
    for one in tensors.parts:
        first = tensors.first[one.name]
        most[first : first + one.length] = one.most
    return most


def split_observation(game: str, observation: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """Split observations by name: each tensor in its own shape, without a copy."""
    tensors = tensor_layout(game)
    many = observation.shape[:-1]
    return {
        one.name: observation[..., (at := tensors.first[one.name]) : at + one.length].reshape(many + one.shape)
        for one in tensors.parts
    }


def zero_sum_win_rewards(state: State) -> list[float]:
    """Rewards of a finished match: 1 for first place, shared by ties; the others lose the same amount together."""
    best, n = state.ranking()[0]["seats"], int(state.players)
    if len(best) == n:
        return [0.0] * n
    each = (n - len(best)) / (len(best) * (n - 1))
    return [each if seat in best else -1 / (n - 1) for seat in range(n)]


def win_share_rewards(state: State) -> list[float]:
    """1 for first place, shared by ties; nothing for the others."""
    best = state.ranking()[0]["seats"]
    return [1 / len(best) if seat in best else 0.0 for seat in range(int(state.players))]


def rank_rewards(state: State) -> list[float]:
    """From 1 for the first place to -1 for the last in equal steps; ties share. The sum is zero."""
    last = int(state.players) - 1
    found, above = [0.0] * (last + 1), 0
    for group in state.ranking():
        seats = group["seats"]
        for seat in seats:
            found[seat] = 1 - (2 * above + len(seats) - 1) / last
        above += len(seats)
    return found


def score_difference_rewards(state: State) -> list[float]:
    """A seat's points less the mean of the others'. The sum is zero."""
    points = state.scores()
    total, others = sum(points), len(points) - 1
    return [one - (total - one) / others for one in points]


# What a match is worth to a seat at its end, by the name that environments take as `reward`.
REWARDS: Final[dict[str, Callable[[State], list[float]]]] = {
    "win": zero_sum_win_rewards,
    "share": win_share_rewards,
    "rank": rank_rewards,
    "score": score_difference_rewards,
}


def reward_function(name: str) -> Callable[[State], list[float]]:
    """The rewards of that name; ValueError if there are none."""
    if name not in REWARDS:
        raise ValueError(f"there is no reward {name!r}; there are {', '.join(REWARDS)}")
    return REWARDS[name]


def require_horizon(horizon: int) -> int:
    """A number of choices, or 0 for none; else ValueError."""
    if horizon < 0:
        raise ValueError(f"a horizon is a number of choices, or 0 for none, not {horizon}")
    return horizon


class EnvMatch:
    """One match at a time: observations, legal actions, rendering."""

    def __init__(
        self,
        game: str,
        players: int | None,
        options: dict[str, object],
        render_mode: str | None,
        reward: str = "win",
        horizon: int = 0,
    ) -> None:
        require_extra("lab", "numpy")
        import numpy as np

        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"there is no render_mode {render_mode!r} here; there are {', '.join(RENDER_MODES)}")
        self.game = find_game(game)
        self.options = options
        self.rewards_of = reward_function(reward)
        self.horizon = require_horizon(horizon)
        self.render_mode = render_mode
        self.start = self.game.new(players, options)
        self.players = int(self.start.players)
        self.tensors = tensor_layout(game)
        self.sheet = RowBuffer(self.tensors, 1)
        self.row = view_as_bytes(self.sheet.words)
        self.none: Mask = np.zeros(self.game.num_actions, np.int8)
        self.begin(0)

    def __getstate__(self) -> dict[str, Any]:
        """For copies and pickles: all but the view of the row buffer, which `__setstate__` makes again."""
        return {name: value for name, value in self.__dict__.items() if name != "row"}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self.row = view_as_bytes(self.sheet.words)

    def begin(self, seed: int, events: bool = False) -> None:
        """Begin a new match; the seed determines all chance events."""
        self.state = self.start.copy()
        self.state.events = [] if events else None
        self.rng = Rng(seed)
        self.choices = 0
        self.play_chance()

    def play_action(self, action: int) -> None:
        """Apply a legal action and the chance events after it."""
        self.state.apply(action)
        self.choices += 1
        self.play_chance()

    def play_chance(self) -> None:
        state = self.state
        while state.actor == CHANCE:
            state.apply(state.sample_chance(self.rng))
        self.actor = int(state.actor)
        self.legal = state.legal_actions()
        self.mask = self.none.copy()
        self.mask[self.legal] = 1

    @property
    def is_over(self) -> bool:
        return self.actor == OVER

    @property
    def is_cut(self) -> bool:
        """Whether the horizon has ended the match before its rules did; it counts as it stands."""
        return 0 < self.horizon <= self.choices and not self.is_over

    def rewards(self) -> list[float]:
        """What the match is worth to each seat once it has ended, and 0 before."""
        return self.rewards_of(self.state) if self.is_over or self.is_cut else [0.0] * self.players

    def observe(self, seat: int) -> dict[str, Any]:
        """A seat's observation and its legal actions, of which there are none while it does not act."""
        self.sheet.restart_at_first_row()
        self.state.write_observation(seat, self.sheet)
        return {"observation": self.row.copy(), "action_mask": (self.mask if seat == self.actor else self.none).copy()}

    def render(self, seat: int | None) -> Any:
        """Render the match as the seat or a spectator sees it, in the chosen mode."""
        view = self.state.view(seat)
        if self.render_mode in ("rgb_array", "svg"):
            return pictures.render_svg(view) if self.render_mode == "svg" else pictures.render_rgb(view)
        page = io.StringIO()
        human = self.render_mode == "human"
        console = (
            Console(width=TERMINAL_COLUMNS)
            if human
            else Console(file=page, width=TERMINAL_COLUMNS, force_terminal=True)
        )
        console.print(self.game.render_terminal(view, "en"))
        return None if human else page.getvalue()
