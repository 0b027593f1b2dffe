"""Many matches at once, by Gymnasium's API for vector environments: the caller plays every seat.

`MatchVectorEnv` steps them in this process, `SharedMatchVectorEnv` in several over shared memory. Importing this module
registers `landfall/AtlantisSelfPlay-v0` and peers for `gymnasium.make_vec`.
"""

from __future__ import annotations

import inspect
import multiprocessing
from copy import deepcopy
from dataclasses import dataclass
from functools import cache, cached_property
from multiprocessing.connection import Connection
from typing import Any, Final, TypeVar

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from landfall.core.game import usual_player_count
from landfall.core.match_batch import DISABLED, NEXT_STEP, REWARD_UNITS, SAME_STEP, MatchBatch, rng_of_match
from landfall.core.state import OVER, State
from landfall.games import game as find_game
from landfall.games.observation_and_feature_layouts import action_features, tensor_layout
from landfall.kernels.device import DeviceBatch, load_device_kernel
from landfall.kernels.host import load_kernel
from landfall.lab.environments.env_match import (
    VERSIONS,
    observation_upper_bounds,
    require_horizon,
    reward_function,
    view_as_bytes,
)
from landfall.lab.environments.kernel_batch import KernelBatch
from landfall.lab.environments.segment_sampling import NO_ITEM, sample_segments

Array = NDArray[Any]
# Per-match arrays of a batch; the buffer's rows and the masks are viewed as bytes.
ROW_ARRAYS: Final = ("observation", "mask", "final")
NUMBER_ARRAYS: Final = ("actor", "choices", "drawn", "ended", "reward", "earned")
OWN_ARRAYS: Final = (*NUMBER_ARRAYS, "offsets", "length")  # of a batch in this process
MAX_SEED: Final = 2**48  # exclusive
MODES: Final = {
    AutoresetMode.SAME_STEP: int(SAME_STEP),
    AutoresetMode.NEXT_STEP: int(NEXT_STEP),
    AutoresetMode.DISABLED: int(DISABLED),
}
SELF_PLAY_IDS: Final = {game: f"landfall/{game.capitalize()}SelfPlay-v{version}" for game, version in VERSIONS.items()}
for game, name in SELF_PLAY_IDS.items():
    gym.register(id=name, vector_entry_point=f"{__name__}:MatchVectorEnv", kwargs={"game": game})


@cache
def action_feature_table(game: str) -> tuple[Array, Array]:
    """The feature rows of a game's actions, and which of them are rotated to the acting seat."""
    found = action_features(game)
    actions = range(find_game(game).num_actions)
    return np.array([found.row(a) for a in actions], np.uint8), np.array([found.is_rotated(a) for a in actions])


@dataclass
class LegalActions:
    """The legal actions of all matches, one after the other: those of match i are
    `actions[offsets[i]:offsets[i + 1]]`.

    >>> matches = MatchVectorEnv("atlandice", 3, players=2)
    >>> observations, info = matches.reset(seed=1)
    >>> matches.legal.offsets.tolist()
    [0, 12, 20, 28]
    """

    game: str
    offsets: Array
    actions: Array
    actor: Array  # by match
    cycle: int  # after which a rotated feature begins again

    @cached_property
    def counts(self) -> Array:
        """How many actions each match has.

        >>> matches = MatchVectorEnv("atlandice", 3, players=2)
        >>> observations, info = matches.reset(seed=1)
        >>> matches.legal.counts.tolist()
        [12, 8, 8]
        """
        return self.offsets[1:] - self.offsets[:-1]

    @cached_property
    def match_indices(self) -> Array:
        """The match of each action.

        >>> matches = MatchVectorEnv("atlandice", 3, players=2)
        >>> observations, info = matches.reset(seed=1)
        >>> matches.legal.match_indices[:9].tolist()
        [0, 0, 0, 0, 0, 0, 0, 0, 0]
        """
        return np.arange(len(self.actor)).repeat(self.counts)

    @cached_property
    def features(self) -> Array:
        """A row of bytes for each action: what it names, by the columns of docs/observations.md.

        >>> matches = MatchVectorEnv("atlandice", 3, players=2)
        >>> observations, info = matches.reset(seed=1)
        >>> len(matches.legal.features) == len(matches.legal.actions)
        True
        """
        column = action_features(self.game).rotated
        table, rotated = action_feature_table(self.game)
        found: Array = table.take(self.actions, 0)
        if column >= 0:
            at = np.flatnonzero(rotated.take(self.actions))
            found[at, column] = (found[at, column] - 1 - self.actor[self.match_indices[at]]) % self.cycle + 1
        return found


Kind = TypeVar("Kind", bound=type)


def show_constructor(kind: Kind) -> Kind:
    """A class whose signature is that of its constructor, and not of the choice of its class."""
    parameters = [*inspect.signature(kind.__dict__["__init__"]).parameters.values()]
    type.__setattr__(kind, "__signature__", inspect.Signature(parameters[1:]))
    return kind


@show_constructor
class MatchVectorEnv(VectorEnv[Array, Array, Array]):
    """`num_envs` matches, each waiting for an action of the seat `actor`. Arrays belong to the engine, and the next
    step overwrites them; `copy=True` returns copies. `autoreset_mode` says when a finished match starts again.

    `reward` is win, share, rank or score. After `horizon` choices a match is truncated and counts as it stands; 0 for
    none. With either the engine steps, not a kernel.

    >>> matches = MatchVectorEnv("atlandice", 3, players=2)
    >>> observations, info = matches.reset(seed=1)
    >>> observations, rewards, terminated, truncated, info = matches.step(matches.random_actions)
    >>> observations.shape[0], rewards.tolist()
    (3, [0.0, 0.0, 0.0])
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012
    holds_states = True  # as the engine's: what a reward or a horizon of the caller's is computed from

    def __new__(cls, *_: Any, device: str = "cpu", **__: Any) -> MatchVectorEnv:
        """Of the class that steps matches on that device."""
        if cls is MatchVectorEnv and device == "cuda":
            return super().__new__(DeviceMatchVectorEnv)
        return super().__new__(cls)

    def __init__(
        self,
        game: str,
        num_envs: int,
        players: int | None = None,
        *,
        copy: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        threads: int = 1,
        device: str = "cpu",
        reward: str = "win",
        horizon: int = 0,
        **options: object,
    ) -> None:
        if device not in ("cpu", "cuda"):
            raise ValueError(f'a device is "cpu" or "cuda", not {device!r}')
        rules, tensors = find_game(game), tensor_layout(game)
        self.game = game
        self.num_envs = num_envs
        self.players = usual_player_count(rules.player_counts) if players is None else players
        self.options = options
        self.copy = copy
        self.rewards_of = reward_function(reward)
        self.horizon = require_horizon(horizon)
        self.judges = reward != "win" or horizon > 0  # what the batch does not know of: see `judge_matches`
        if self.judges and not self.holds_states:
            raise ValueError("reward and horizon are known to MatchVectorEnv on a processor only")
        self.threads = 0 if self.judges else threads  # of a kernel, where there is one; 0: step in the engine
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode}
        self.num_actions = rules.num_actions
        self.single_observation_space = spaces.Box(0, observation_upper_bounds(tensors), dtype=np.uint8)
        self.single_action_space = spaces.Discrete(rules.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.at: dict[str, Array] = {}
        self.paid: list[int] = []  # matches that ended in the last step
        self.chose: Array = np.zeros(num_envs, np.int64)  # the seats that chose in the last step
        self.everywhere = np.ones(num_envs, np.bool_)  # the mask of what all matches have
        self.sampler = np.random.default_rng(0)
        self.log_probs: Array = np.zeros(num_envs)  # of the actions that `sample` returned last

    def __copy__(self) -> MatchVectorEnv:
        """An independent environment, like a deep copy: two environments cannot share their matches."""
        return deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        """For copies and pickles: of the arrays only those that are not views of the engine's vectors."""
        own = {name: array for name, array in self.at.items() if array.base is None}
        return self.__dict__ | {"at": own}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        if self.at:
            self.at = arrays_of(self.batch) | self.at

    def make_result_arrays(self) -> dict[str, Array]:
        """Create the arrays of a step's results."""
        n, self.paid = self.num_envs, []
        return {
            "rewards": np.zeros(n),
            "seat_rewards": np.zeros((n, self.players)),
            "over": np.zeros(n, np.bool_),
            "cut": np.zeros(n, np.bool_),
        }

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Restart all matches, or those that `options["reset_mask"]` marks. Chance depends on the seed and the match's
        index; a match that is restarted without a seed continues its stream of chance."""
        super().reset(seed=seed)
        mask = None if options is None else options.get("reset_mask")
        if mask is None:
            number = int(self.np_random.integers(MAX_SEED))
            self.begin(number)
            self.sampler = np.random.default_rng(number)
        else:
            which = self.match_indices_of_reset_mask(mask)
            self.restart(which, -1 if seed is None else int(self.np_random.integers(MAX_SEED)))
            for i in which:
                self.clear_result(i)
            self.paid = [i for i in self.paid if not mask[i]]
        at = self.arrays_to_return()
        return at["observation"], self.make_info(at)

    def match_indices_of_reset_mask(self, mask: object) -> list[int]:
        """The marked matches; TypeError or ValueError as Gymnasium's own vector environments raise them."""
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            raise TypeError(f"options['reset_mask'] must be an array of bool, not {mask!r}")
        if mask.shape != (self.num_envs,) or not mask.any():
            raise ValueError(f"options['reset_mask'] must mark one of {self.num_envs} matches or more, not {mask!r}")
        if not self.at:
            raise ValueError("options['reset_mask'] restarts matches, but none has begun: reset all first")
        found: list[int] = np.flatnonzero(mask).tolist()
        return found

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Apply one action per match. The reward is that of the seat that acted; `info` has all seats'. ValueError
        names the first illegal action; then nothing has changed.

        >>> matches = MatchVectorEnv("atlandice", 3, players=2)
        >>> observations, info = matches.reset(seed=1)
        >>> matches.step(5)
        Traceback (most recent call last):
        ...
        ValueError: 3 actions are needed, one a match, not an array of shape ()
        """
        given = np.asarray(actions)
        if given.shape != (self.num_envs,):
            raise ValueError(f"{self.num_envs} actions are needed, one a match, not an array of shape {given.shape}")
        self.advance(given)
        self.update_rewards()
        at = self.arrays_to_return()
        info = self.make_info(at)
        if self.paid and self.autoreset_mode == AutoresetMode.SAME_STEP:
            self.add_final_info(info)
        return at["observation"], at["rewards"].copy(), at["over"].copy(), at["cut"].copy(), info

    def make_info(self, at: dict[str, Array]) -> dict[str, Any]:
        """The info dictionary; `action_mask` is packed, one bit per action, the lowest first. As in all of Gymnasium's
        vector environments, an entry with an underscore says which matches have the entry."""
        everywhere = self.everywhere
        return {
            "actor": at["actor"],
            "action_mask": at["mask"],
            "choices": at["choices"],
            "seat_rewards": at["seat_rewards"],
            "_actor": everywhere,
            "_action_mask": everywhere,
            "_choices": everywhere,
            "_seat_rewards": everywhere,
        }

    def add_final_info(self, info: dict[str, Any]) -> None:
        """What the matches that ended in this step showed last, before they started again."""
        ended = np.zeros(self.num_envs, np.bool_)
        ended[self.paid] = True
        last = np.full(self.num_envs, None, object)
        for i in self.paid:
            last[i] = self.at["final"][i].copy()
        final = {
            "actor": np.where(ended, int(OVER), 0),
            "action_mask": np.zeros_like(self.at["mask"]),
            "choices": np.zeros(self.num_envs, np.int64),
            "seat_rewards": self.at["seat_rewards"].copy(),
        }
        info["final_obs"], info["_final_obs"] = last, ended
        info["final_info"], info["_final_info"] = final | {f"_{name}": ended for name in final}, ended

    # --- legal actions ----------------------------------------------------------------------------------------

    @property
    def legal(self) -> LegalActions:
        """The legal actions of all matches as ragged arrays, which are the caller's own.

        >>> matches = MatchVectorEnv("atlandice", 3, players=2)
        >>> observations, info = matches.reset(seed=1)
        >>> matches.legal.counts.tolist()
        [12, 8, 8]
        """
        offsets, actions = self.ragged_legal_actions()
        return LegalActions(self.game, offsets, actions, self.at["actor"].copy(), self.rotated_feature_cycle)

    @cached_property
    def rotated_feature_cycle(self) -> int:
        """The number after which a rotated action feature begins again."""
        return action_features(self.game).cycle(find_game(self.game).new(self.players, self.options))

    def ragged_legal_actions(self) -> tuple[Array, Array]:
        offsets = self.at["offsets"].copy()
        if isinstance(self.batch, KernelBatch):
            return offsets, self.batch.legal
        return offsets, view_as_bytes(self.batch.legal).view(np.int64)[: offsets[-1]].copy()

    def sample(self, logits: Array, temperature: float = 1.0) -> Array:
        """Sample a legal action per match, with probability proportional to exp(logit / temperature); at 0 the best.

        `logits` has an entry for each action of `legal.actions`, or a row of all actions for each match. `log_probs`
        then has the logarithm of each sampled action's probability. A match that is over gets action 0.

        >>> matches = MatchVectorEnv("atlandice", 3, players=2)
        >>> observations, info = matches.reset(seed=1)
        >>> logits = np.zeros(len(matches.legal.actions))
        >>> matches.sample(logits).shape
        (3,)
        """
        offsets, actions = self.ragged_legal_actions()
        given = np.asarray(logits)
        if given.ndim == 2:
            given = given[np.arange(self.num_envs).repeat(np.diff(offsets)), actions]
        if given.shape != actions.shape:
            raise ValueError(f"{len(actions)} logits are needed, one a legal action, not {given.shape}")
        chosen, self.log_probs = sample_segments(offsets, given, temperature, self.sampler)
        return np.where(chosen == NO_ITEM, 0, actions.take(chosen, mode="clip"))

    # --- results ----------------------------------------------------------------------------------------------

    def update_rewards(self) -> None:
        """Set the rewards of matches that ended; clear those of matches that ended a step ago."""
        at, ends = self.at, self.matches_just_ended()
        for i in self.paid:
            self.clear_result(i)
        if self.judges:
            self.judge_matches(ends)
            return
        for i in ends:
            at["over"][i] = True
            at["rewards"][i] = at["earned"][i] / int(REWARD_UNITS)
            at["seat_rewards"][i] = at["reward"][i * self.players : (i + 1) * self.players] / int(REWARD_UNITS)
        self.paid = ends

    def judge_matches(self, ends: list[int]) -> None:
        """Reward the matches that ended, end those at the horizon, and start again what starts in the same step."""
        at, batch = self.at, self.batch
        cut: list[int] = []
        if self.horizon:
            cut = [int(i) for i in np.flatnonzero(at["length"] >= self.horizon) if int(batch.states[i].actor) != OVER]
        for i in sorted(ends + cut):
            rewards = self.rewards_of(batch.states[i])
            at["over" if i in ends else "cut"][i] = True
            at["seat_rewards"][i] = rewards
            at["rewards"][i] = rewards[self.chose[i]]
        self.paid = sorted(ends + cut)
        if self.paid and self.autoreset_mode == AutoresetMode.SAME_STEP:
            for i in self.paid:
                self.write_final_observation(i)
            batch.reset(self.paid, -1)

    def write_final_observation(self, i: int) -> None:
        """What the seat that chose last sees of a match that is about to start again."""
        finals = self.batch.finals
        finals.used = i
        self.batch.states[i].write_observation(int(self.chose[i]), finals)

    def clear_result(self, i: int) -> None:
        at = self.at
        at["over"][i] = at["cut"][i] = False
        at["rewards"][i] = at["seat_rewards"][i] = 0

    def matches_just_ended(self) -> list[int]:
        """The matches that the last step ended."""
        ended: list[int] = self.batch.ends
        return ended

    @property
    def actor(self) -> Array:
        """The seat to act, by match.

        >>> matches = MatchVectorEnv("atlandice", 3, players=2)
        >>> observations, info = matches.reset(seed=1)
        >>> matches.actor.tolist()
        [0, 0, 0]
        """
        return self.at["actor"]

    @property
    def random_actions(self) -> Array:
        """A legal action per match, uniformly at random.

        >>> matches = MatchVectorEnv("atlandice", 3, players=2)
        >>> observations, info = matches.reset(seed=1)
        >>> matches.random_actions.shape
        (3,)
        """
        return self.at["drawn"]

    def masks(self) -> Array:
        """The legal actions, one byte each.

        >>> matches = MatchVectorEnv("atlandice", 3, players=2)
        >>> observations, info = matches.reset(seed=1)
        >>> matches.masks().sum(axis=1).tolist()
        [12, 8, 8]
        """
        return np.unpackbits(self.at["mask"], axis=1, count=self.num_actions, bitorder="little")

    def arrays_to_return(self) -> dict[str, Array]:
        """The observation arrays, or copies of them."""
        return {name: array.copy() for name, array in self.at.items()} if self.copy else self.at

    def begin(self, seed: int) -> None:
        # a match that is yet to be judged must not be replaced: then only `judge_matches` starts it again
        same_step = self.autoreset_mode == AutoresetMode.SAME_STEP
        mode = AutoresetMode.DISABLED if self.judges and same_step else self.autoreset_mode
        table = (self.game, self.players, self.options, mode)
        kernel = kernel_batch_of(table, self.num_envs, seed, self.threads)
        self.batch: Any = kernel or batch_of(table, self.num_envs, seed)
        self.at = arrays_of(self.batch) | self.make_result_arrays()

    def restart(self, which: list[int], seed: int) -> None:
        self.batch.reset(which, seed)

    def advance(self, actions: Array) -> None:
        if isinstance(self.batch, KernelBatch):
            self.batch.step(actions)
        elif self.horizon and self.at["cut"].any():
            self.advance_past_horizon(actions)
        else:
            self.chose = self.at["actor"].copy()
            self.batch.step(actions.tolist())

    def advance_past_horizon(self, actions: Array) -> None:
        """One step where matches stand at the horizon: they start again now, or nothing goes on before a reset."""
        at = self.at
        cut: list[int] = np.flatnonzero(at["cut"]).tolist()
        if self.autoreset_mode == AutoresetMode.DISABLED:
            raise ValueError(f"match {cut[0]} is over: reset it")
        if self.autoreset_mode == AutoresetMode.NEXT_STEP:
            actions = np.where(at["cut"], at["drawn"], actions)
        self.chose = at["actor"].copy()
        self.batch.step(actions.tolist())
        if self.autoreset_mode == AutoresetMode.NEXT_STEP:
            ends = [i for i in self.batch.ends if i not in cut]
            self.batch.reset(cut, -1)
            self.batch.ends = ends


Table = tuple[str, int, dict[str, object], AutoresetMode]  # game, players, options, when a match starts again


def batch_of(table: Table, matches: int, seed: int) -> MatchBatch:
    """A batch of that many matches from a seed."""
    game, players, options, mode = table
    return MatchBatch(find_game(game).new(players, options), tensor_layout(game), matches, seed, MODES[mode])


def kernel_batch_of(table: Table, matches: int, seed: int, threads: int) -> KernelBatch | None:
    """The same by a kernel; None where the game's is not built."""
    game, players, options, mode = table
    kernel = load_kernel(game) if threads > 0 else None
    if kernel is None:
        return None
    return KernelBatch(kernel, find_game(game).new(players, options), matches, seed, MODES[mode], min(threads, matches))


def arrays_of(batch: MatchBatch | KernelBatch) -> dict[str, Array]:
    """A batch's vectors as arrays, without a copy."""
    if isinstance(batch, KernelBatch):
        return batch.arrays()
    found: dict[str, Array] = {name: view_as_bytes(getattr(batch, name)).view(np.int64) for name in OWN_ARRAYS}
    for name, words in (("observation", batch.sheet.words), ("mask", batch.mask), ("final", batch.finals.words)):
        found[name] = view_as_bytes(words).reshape(int(batch.matches), -1)
    return found


@show_constructor
class DeviceMatchVectorEnv(MatchVectorEnv):
    """The same on a GPU: `MatchVectorEnv(game, matches, device="cuda")`. Every array stays there, as CuPy's, which
    torch and JAX read without a copy; `step` takes theirs. The same seed and actions give the same matches as here.

    `legal_width` is the room for a list of each match's legal actions in `legal_actions`; without it only their bits
    are written. The next step overwrites all arrays.
    """

    holds_states = False

    def __init__(
        self,
        game: str,
        num_envs: int,
        players: int | None = None,
        *,
        copy: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        device: str = "cuda",
        legal_width: int = 0,
        **options: Any,
    ) -> None:
        super().__init__(
            game, num_envs, players, copy=copy, autoreset_mode=autoreset_mode, threads=0, device=device, **options
        )
        self.kernel = load_device_kernel(game)
        self.xp = self.kernel.cupy
        self.legal_width = legal_width
        self.everywhere = self.xp.ones(num_envs, "?")
        self.every = self.xp.arange(num_envs)

    def begin(self, seed: int) -> None:
        start = find_game(self.game).new(self.players, self.options)
        words = [int(rng_of_match(seed, i).word) for i in range(self.num_envs)]
        mode = MODES[self.autoreset_mode]
        self.batch = DeviceBatch(self.kernel, start, words, legal_width=self.legal_width, autoreset=mode)
        self.random = self.xp.random.default_rng(seed)
        self.policy_words = self.xp.asarray(np.random.default_rng(seed).integers(0, MAX_SEED, self.num_envs))
        self.refresh()

    def refresh(self) -> None:
        """What the caller sees of the batch's arrays."""
        at = self.batch.at
        self.at = {name: at[name] for name in ("actor", "choices")}
        self.at |= {name: at[name].view("u1") for name in ("observation", "mask", "final")}
        self.at["over"] = at["ended"] > 0
        self.at["cut"] = self.xp.zeros(self.num_envs, "?")
        self.at["rewards"] = at["earned"] / int(REWARD_UNITS)
        self.at["seat_rewards"] = at["reward"] / int(REWARD_UNITS)

    def restart(self, which: list[int], seed: int) -> None:
        words = None if seed < 0 else [int(rng_of_match(seed, i).word) for i in which]
        self.batch.restart(which, words)
        self.refresh()

    def clear_result(self, i: int) -> None:
        """The kernel clears it."""

    def advance(self, actions: Any) -> None:
        given = actions if isinstance(actions, self.xp.ndarray) else self.xp.from_dlpack(actions)
        given = given.astype("i8")
        if given.shape != (self.num_envs,):
            raise ValueError(f"{self.num_envs} actions are needed, one a match, not {given.shape}")
        self.require_legal_actions(given)
        self.batch.step(given)
        self.refresh()

    def require_legal_actions(self, actions: Any) -> None:
        xp, at = self.xp, self.batch.at
        known = (actions >= 0) & (actions < self.num_actions)
        named = xp.where(known, actions, 0)
        allowed = known & (at["mask"].view("u1")[self.every, named >> 3] >> (named & 7).astype("u1") & 1 > 0)
        if self.autoreset_mode == AutoresetMode.NEXT_STEP:
            allowed |= at["choices"] == 0
        if not bool(allowed.all()):
            first = int(allowed.argmin())
            if int(at["choices"][first]) == 0:
                raise ValueError(f"match {first} is over: reset it")
            raise ValueError(f"match {first}: {int(actions[first])} is no choice of seat {int(self.actor[first])}")

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """As there; `info["final_obs"]` is an array whose rows count where `info["_final_obs"]` says so."""
        self.advance(actions)
        at = self.arrays_to_return()
        info = self.make_info(at)
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            info |= {"final_obs": at["final"], "_final_obs": at["over"]}
        return at["observation"], at["rewards"], at["over"], at["cut"], info

    def masks(self) -> Any:
        """The legal actions, one byte each."""
        bits = self.xp.unpackbits(self.at["mask"].reshape(-1), bitorder="little")
        return bits.reshape(self.num_envs, -1)[:, : self.num_actions]

    @property
    def legal(self) -> Any:
        raise AttributeError("on a device legal actions are a padded list, legal_actions, or bits in action_mask")

    @property
    def legal_actions(self) -> Any:
        """The legal actions of each match, padded: those of match i are `legal_actions[i, :choices[i]]`."""
        return self.batch.at["legal"]

    @property
    def random_actions(self) -> Any:
        """A legal action per match, uniformly at random."""
        return self.batch.choose(self.policy_words)

    def sample(self, logits: Any, temperature: float = 1.0) -> Any:
        """Sample a legal action per match, with probability proportional to exp(logit / temperature); at 0 the best.

        `logits` has a row for each match: of all actions, or of its padded list. `log_probs` then has the logarithm of
        each sampled action's probability. A match that is over gets action 0.
        """
        xp = self.xp
        given = logits if isinstance(logits, xp.ndarray) else xp.from_dlpack(logits)
        choices, width = self.at["choices"], given.shape[-1]
        if given.shape == (self.num_envs, self.num_actions):
            there, actions = self.masks() > 0, None
        elif given.shape == (self.num_envs, self.legal_width):
            there, actions = xp.arange(width) < choices[:, None], self.legal_actions
        else:
            wanted = f"a row of {self.num_actions} or {self.legal_width} logits is needed for each match"
            raise ValueError(f"{wanted}, not {given.shape}")
        scaled = xp.where(there, given / (temperature or 1.0), -xp.inf)
        noise = -xp.log(-xp.log(self.random.random(scaled.shape).clip(1e-300, 1 - 1e-16))) if temperature > 0 else 0.0
        chosen = (scaled + noise).argmax(1)
        best = scaled.max(1)
        if not bool((xp.isfinite(best) | (choices == 0)).all()):
            wrong = int((xp.isfinite(best) | (choices == 0)).argmin())
            raise ValueError(f"match {wrong}: its largest logit is {float(best[wrong])}")
        sums = xp.exp(scaled - xp.where(choices > 0, best, 0.0)[:, None]).sum(1)
        picked = scaled[self.every, chosen] - best - xp.log(sums)
        self.log_probs = xp.where(choices > 0, picked if temperature > 0 else 0.0, 0.0)
        found = chosen if actions is None else actions[self.every, chosen].astype("i8")
        return xp.where(choices > 0, found, 0)

    def state(self, i: int) -> State:
        """The position of a match as a state of the engine."""
        found: State = self.batch.state(i)
        return found

    def place(self, i: int, state: State) -> None:
        """Let a match go on from a state of the same table."""
        self.batch.place(i, state)
        self.refresh()


@show_constructor
class SharedMatchVectorEnv(MatchVectorEnv):
    """The same in several processes: each steps its share and writes the results into shared memory.

    >>> shared = SharedMatchVectorEnv("atlandice", 4, players=2, processes=2)
    >>> observations, info = shared.reset(seed=1)
    >>> info["actor"].tolist()
    [0, 0, 0, 0]
    >>> shared.close()
    """

    holds_states = False

    def __init__(
        self,
        game: str,
        num_envs: int,
        players: int | None = None,
        *,
        processes: int = 2,
        copy: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        **options: Any,
    ) -> None:
        super().__init__(
            game, num_envs, players, copy=copy, autoreset_mode=autoreset_mode, threads=0, device="cpu", **options
        )
        if num_envs % processes:
            raise ValueError(f"{num_envs} matches cannot be shared evenly by {processes} processes")
        words = -(-self.num_actions // 64)
        size = tensor_layout(game).size
        self.widths = {"observation": size, "mask": words * 8, "final": size}
        self.widths |= {name: 8 * (self.players if name == "reward" else 1) for name in (*NUMBER_ARRAYS, "actions")}
        self.start_workers(processes)

    def start_workers(self, processes: int) -> None:
        """Start the processes, over a shared memory of their own."""
        n, spawn = self.num_envs, multiprocessing.get_context("spawn")
        memory = spawn.RawArray("b", n * sum(self.widths.values()))
        self.at = map_shared_arrays(memory, n, self.widths)
        share = n // processes
        self.workers: list[tuple[multiprocessing.process.BaseProcess, Connection]] = []
        for first in range(0, n, share):
            ours, theirs = spawn.Pipe()
            facts = ((self.game, self.players, self.options, self.autoreset_mode), first, share)
            process = spawn.Process(target=run_worker, args=(theirs, memory, n, self.widths, facts), daemon=True)
            process.start()
            theirs.close()
            self.workers.append((process, ours))

    def __getstate__(self) -> dict[str, Any]:
        """For copies and pickles: the matches of every worker. A copy starts workers of its own."""
        results = {name: array for name, array in self.at.items() if name not in self.widths}
        batches = self.request_workers([("save", None)] * len(self.workers))
        return self.__dict__ | {"at": results, "workers": batches}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        results, batches = self.at, kept["workers"]
        self.start_workers(len(batches))
        self.request_workers([("load", batch) for batch in batches])
        self.at |= results

    def begin(self, seed: int) -> None:
        self.request_workers([("begin", seed + i) for i in range(len(self.workers))])
        self.at |= self.make_result_arrays()

    def restart(self, which: list[int], seed: int) -> None:
        share = self.num_envs // len(self.workers)
        parts: list[list[int]] = [[] for _ in self.workers]
        for i in which:
            parts[i // share].append(i % share)
        seeds = [seed if seed < 0 else seed + number for number in range(len(parts))]
        self.request_workers([("reset", part) for part in zip(parts, seeds, strict=True)])

    def ragged_legal_actions(self) -> tuple[Array, Array]:
        """From the masks, so in ascending order."""
        rows, actions = self.masks().nonzero()
        return np.searchsorted(rows, np.arange(self.num_envs + 1)), actions

    def advance(self, actions: Array) -> None:
        self.require_legal_actions(actions)
        self.at["actions"][:] = actions
        self.request_workers([("step", 0)] * len(self.workers))

    def matches_just_ended(self) -> list[int]:
        ended: list[int] = np.flatnonzero(self.at["ended"]).tolist()
        return ended

    def require_legal_actions(self, actions: Array) -> None:
        """Check that every action is legal before any is applied."""
        known = (actions >= 0) & (actions < self.num_actions)
        named = np.where(known, actions, 0)
        bytes_ = self.at["mask"][np.arange(self.num_envs), named >> 3]
        allowed = known & (bytes_ >> (named & 7) & 1).astype(np.bool_)
        if self.autoreset_mode == AutoresetMode.NEXT_STEP:
            allowed |= self.at["choices"] == 0
        if not allowed.all():
            first = int(allowed.argmin())
            raise ValueError(f"match {first}: {actions[first]} is no choice of seat {self.actor[first]}")

    def request_workers(self, words: list[tuple[str, Any]]) -> list[MatchBatch | None]:
        """Send a request to every worker, then wait for all; ValueError with the first failure's message."""
        try:
            for (_, wire), word in zip(self.workers, words, strict=True):
                wire.send(word)
            said = [wire.recv() for _, wire in self.workers]
        except (EOFError, OSError):
            self.close()
            raise RuntimeError("a process that stepped matches is gone") from None
        for fault, _ in said:
            if fault:
                raise ValueError(fault)
        return [batch for _, batch in said]

    def close_extras(self, **kwargs: Any) -> None:
        """End the workers; the memory is freed when no array refers to it."""
        for _, wire in self.workers:
            wire.close()  # a worker ends when its pipe closes
        for process, _ in self.workers:
            process.join()


def map_shared_arrays(memory: Any, matches: int, widths: dict[str, int]) -> dict[str, Array]:
    """The arrays in a shared memory, one after the other."""
    found: dict[str, Array] = {}
    at = 0
    for name, width in widths.items():
        kind = np.uint8 if name in ROW_ARRAYS else np.int64
        count = matches * width // np.dtype(kind).itemsize
        found[name] = np.frombuffer(memory, kind, count, at)
        if name in ROW_ARRAYS:
            found[name] = found[name].reshape(matches, width)
        at += matches * width
    return found


def run_worker(
    wire: Connection,
    memory: Any,
    matches: int,
    widths: dict[str, int],
    facts: tuple[Table, int, int],
) -> None:
    """A worker: steps its share of the matches until its pipe closes."""
    table, first, share = facts
    shared = {}
    for what, whole in map_shared_arrays(memory, matches, widths).items():
        per = len(whole) // matches
        shared[what] = whole[first * per : (first + share) * per]
    batch: MatchBatch | None = None
    while True:
        try:
            word, given = wire.recv()
        except EOFError:
            break
        fault = ""
        if word == "begin":
            batch = batch_of(table, share, given)
        elif word == "load":
            batch = given
        elif batch is not None and word == "reset":
            batch.reset(*given)
        elif batch is not None and word == "step":
            try:
                batch.step(shared["actions"].tolist())
            except ValueError as error:
                fault = str(error)
        if batch is not None:
            arrays = arrays_of(batch)
            for what in shared.keys() & arrays.keys():
                array = arrays[what]
                shown = batch.ends if what == "final" else slice(None)
                shared[what][shown] = array[shown]
        wire.send((fault, batch if word == "save" else None))
