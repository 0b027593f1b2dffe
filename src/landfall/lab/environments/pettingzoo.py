"""The games for PettingZoo: agents take turns (AEC), or all step at once and only the actor's action counts (parallel).

Rewards come at the end and sum to zero. An agent observes a row of bytes (docs/observations.md) and a mask of its legal
actions. `env` checks what PettingZoo's usual wrappers check, so an illegal action loses at once; `raw_env` does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
from gymnasium import spaces
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import turn_based_aec_to_parallel_wrapper
from pettingzoo.utils.env import AECEnv
from pettingzoo.utils.env_logger import EnvLogger

from landfall.core.errors import IllegalAction
from landfall.core.state import NOT_A_CHOICE
from landfall.lab.environments.env_match import (
    RENDER_MODES,
    VERSIONS,
    EnvMatch,
    observation_upper_bounds,
)

ILLEGAL_REWARD: Final = -1.0


def env(
    game: str,
    players: int | None = None,
    *,
    render_mode: str | None = None,
    reward: str = "win",
    horizon: int = 0,
    **options: object,
) -> SeatTurnsEnv:
    """A match of any of our games; `options` are the game's own. An illegal action loses at once.

    `reward` is win, share, rank or score. After `horizon` choices the match is truncated and counts as it stands; 0 for
    none.

    Each of PettingZoo's wrappers forwards every attribute, which takes most of a step's time. So only the one that
    checks the order of calls is used; what two others do is done by `SeatTurnsEnv`.

    >>> turns = env("atlandice", players=2)
    >>> turns.reset(seed=1)
    >>> for agent in turns.agent_iter(max_iter=4):
    ...     observation, reward, terminated, truncated, info = turns.last()
    ...     turns.step(turns.action_space(agent).sample(observation["action_mask"]))
    >>> turns.agents
    ['seat_0', 'seat_1']
    """
    turns = SeatTurnsEnv(game, players, render_mode, True, reward, horizon, **options)
    return cast("SeatTurnsEnv", OrderedTurnsEnv(turns))


def parallel_env(
    game: str,
    players: int | None = None,
    *,
    render_mode: str | None = None,
    reward: str = "win",
    horizon: int = 0,
    **options: object,
) -> SimultaneousEnv:
    """The parallel API: all agents step at once, and only the actor's action counts.

    >>> agents = parallel_env("atlandice", players=2)
    >>> observations, infos = agents.reset(seed=1)
    >>> sorted(observations)
    ['seat_0', 'seat_1']
    """
    return SimultaneousEnv(env(game, players, render_mode=render_mode, reward=reward, horizon=horizon, **options))


def raw_env(
    game: str,
    players: int | None = None,
    *,
    render_mode: str | None = None,
    reward: str = "win",
    horizon: int = 0,
    **options: object,
) -> SeatTurnsEnv:
    """Without wrappers: faster; an illegal action raises IllegalAction.

    >>> turns = raw_env("atlandice", players=2)
    >>> turns.reset(seed=1)
    >>> turns.agent_selection
    'seat_0'
    """
    return SeatTurnsEnv(game, players, render_mode, False, reward, horizon, **options)


class OrderedTurnsEnv(wrappers.OrderEnforcingWrapper):
    """Calls out of order are errors."""

    def __copy__(self) -> OrderedTurnsEnv:
        return deepcopy(self)


class SimultaneousEnv(turn_based_aec_to_parallel_wrapper):
    """The parallel API over agents that take turns."""

    def __copy__(self) -> SimultaneousEnv:
        return deepcopy(self)


class LegalDiscrete(spaces.Discrete):
    """The actions of a seat. Without a mask, `sample` draws a legal one while the seat is to act."""

    def __init__(self, desk: EnvMatch, seat: int) -> None:
        super().__init__(desk.game.num_actions)
        self.desk = desk
        self.acting_seat = seat

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        if mask is None and probability is None and self.desk.actor == self.acting_seat:
            mask = self.desk.mask
        return super().sample(mask, probability)


class SeatTurnsEnv(AECEnv):
    """A match whose seats are the agents seat_0, seat_1, ... An illegal action loses, or raises IllegalAction."""

    def __init__(
        self,
        game: str,
        players: int | None,
        render_mode: str | None,
        illegal_loses: bool,
        reward: str = "win",
        horizon: int = 0,
        **options: object,
    ) -> None:
        super().__init__()
        self.illegal_loses = illegal_loses
        self.desk = desk = EnvMatch(game, players, options, render_mode, reward, horizon)
        version = VERSIONS.get(game, 0)
        self.metadata = {
            "name": f"{game}_v{version}",
            "render_modes": RENDER_MODES,
            "is_parallelizable": True,
            "render_fps": 1,
        }
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(desk.players)]
        self.seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.random = np.random.default_rng()
        choices = desk.game.num_actions
        row = spaces.Box(0, observation_upper_bounds(desk.tensors), dtype=np.uint8)
        masks = spaces.Box(0, 1, (choices,), np.int8)
        self.observed = {a: spaces.Dict({"observation": row, "action_mask": masks}) for a in self.possible_agents}
        self.chosen = {agent: LegalDiscrete(desk, seat) for agent, seat in self.seats.items()}

    def __copy__(self) -> SeatTurnsEnv:
        """An independent environment, like a deep copy: two environments cannot share one match."""
        return deepcopy(self)

    if TYPE_CHECKING:  # PettingZoo says nothing of the types of what it provides

        def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]: ...
        def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]: ...

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observed[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.chosen[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self.random = np.random.default_rng(seed)
        self.desk.begin(int(self.random.integers(2**62)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.desk.actor]

    def observe(self, agent: str) -> dict[str, Any]:
        return self.desk.observe(self.seats[agent])

    def step(self, action: int | np.integer[Any] | None) -> None:
        agent = self.agent_selection
        if action is None or self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        desk = self.desk
        if action not in desk.legal:
            if self.illegal_loses:
                self.end_after_illegal_action(agent, int(action))
                return
            raise IllegalAction(desk.state.why_illegal(int(action)) or NOT_A_CHOICE, str(action))
        self._cumulative_rewards[agent] = 0.0
        desk.play_action(int(action))
        if desk.is_over or desk.is_cut:
            self.rewards = dict(zip(self.possible_agents, desk.rewards(), strict=True))
            self.terminations = dict.fromkeys(self.agents, desk.is_over)
            self.truncations = dict.fromkeys(self.agents, desk.is_cut)
            self._accumulate_rewards()
        else:
            self.agent_selection = self.possible_agents[desk.actor]

    def end_after_illegal_action(self, agent: str, action: int) -> None:
        """End the match after an illegal action, as PettingZoo's `TerminateIllegalWrapper` does."""
        assert self.chosen[agent].contains(action), "action is not in action space"
        EnvLogger.warn_on_illegal_move()
        self._cumulative_rewards[agent] = 0.0
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards = dict.fromkeys(self.agents, 0.0) | {agent: ILLEGAL_REWARD}
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> Any:
        """Render what a spectator sees."""
        return None if self.render_mode is None else self.desk.render(None)

    def close(self) -> None:
        """Does nothing: no resources are held."""
