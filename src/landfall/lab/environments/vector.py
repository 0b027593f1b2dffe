"""Many matches at once, by Gymnasium's convention for vector environments: the caller plays every seat.

`MatchVectorEnv` steps them in this process, `SharedMatchVectorEnv` in several over shared memory. A finished match
restarts in the same step, so there is no final observation: the observation belongs to the new match.
"""

from __future__ import annotations

import multiprocessing
from copy import deepcopy
from multiprocessing.connection import Connection
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from landfall.core.batch import REWARD_UNITS, Batch
from landfall.games import game as find_game
from landfall.lab.environments.env_match import tensors_of, upper_bounds, view_as_bytes
from landfall.lab.experiments.engine_speed import usual_players

Array = NDArray[Any]
# Per-match arrays of a batch; the buffer's rows and the masks are viewed as bytes.
ROW_ARRAYS: Final = ("observation", "mask")
NUMBER_ARRAYS: Final = ("actor", "choices", "drawn", "ended", "reward", "earned")
MAX_SEED: Final = 2**48  # exclusive


class MatchVectorEnv(VectorEnv[Array, Array, Array]):
    """`num_envs` matches, each waiting for an action of the seat `actor`. Arrays belong to the engine, and the next
    step overwrites them; `copy=True` returns copies."""

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self, game: str, num_envs: int, players: int | None = None, copy: bool = False, **options: object
    ) -> None:
        rules, tensors = find_game(game), tensors_of(game)
        self.game = game
        self.num_envs = num_envs
        self.players = usual_players(rules.player_counts) if players is None else players
        self.options = options
        self.copy = copy
        self.num_actions = rules.num_actions
        self.single_observation_space = spaces.Box(0, upper_bounds(tensors), dtype=np.uint8)
        self.single_action_space = spaces.Discrete(rules.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.at: dict[str, Array] = {}
        self.paid: list[int] = []  # matches that ended in the last step
        self.random = np.random.default_rng()

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
        """Create the arrays of a step's results; no match is ever truncated."""
        n, self.paid = self.num_envs, []
        return {
            "rewards": np.zeros(n),
            "seat_rewards": np.zeros((n, self.players)),
            "over": np.zeros(n, np.bool_),
            "cut": np.zeros(n, np.bool_),
        }

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Restart all matches; chance events depend on the seed and the match's index."""
        if seed is not None:
            self.random = np.random.default_rng(seed)
        self.begin(int(self.random.integers(MAX_SEED)))
        at = self.observation_arrays()
        return at["observation"], self.make_info(at)

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Apply one action per match. The reward is that of the seat that acted; `info` has all seats'. ValueError
        names the first illegal action; then nothing has changed."""
        self.advance(np.asarray(actions))
        self.update_rewards()
        at = self.observation_arrays()
        return at["observation"], at["rewards"], at["over"], at["cut"], self.make_info(at)

    def make_info(self, at: dict[str, Array]) -> dict[str, Any]:
        """The info dictionary; `action_mask` is packed, one bit per action, the lowest first."""
        return {
            "actor": at["actor"],
            "action_mask": at["mask"],
            "choices": at["choices"],
            "seat_rewards": at["seat_rewards"],
        }

    def update_rewards(self) -> None:
        """Set the rewards of matches that ended; clear those of matches that ended a step ago."""
        at, ends = self.at, self.ends()
        for i in self.paid:
            at["over"][i] = False
            at["rewards"][i] = at["seat_rewards"][i] = 0
        for i in ends:
            at["over"][i] = True
            at["rewards"][i] = at["earned"][i] / int(REWARD_UNITS)
            at["seat_rewards"][i] = at["reward"][i * self.players : (i + 1) * self.players] / int(REWARD_UNITS)
        self.paid = ends

    def ends(self) -> list[int]:
        """The matches that the last step ended."""
        return self.batch.ends

    @property
    def actor(self) -> Array:
        """The seat to act, by match."""
        return self.at["actor"]

    @property
    def drawn(self) -> Array:
        """A legal action per match, uniformly at random."""
        return self.at["drawn"]

    def masks(self) -> Array:
        """The legal actions, one byte each."""
        return np.unpackbits(self.at["mask"], axis=1, count=self.num_actions, bitorder="little")

    def observation_arrays(self) -> dict[str, Array]:
        """The observation arrays, or copies of them."""
        return {name: array.copy() for name, array in self.at.items()} if self.copy else self.at

    def begin(self, seed: int) -> None:
        self.batch = batch_of(self.game, self.players, self.options, self.num_envs, seed)
        self.at = arrays_of(self.batch) | self.make_result_arrays()

    def advance(self, actions: Array) -> None:
        self.batch.step(actions.tolist())


def batch_of(game: str, players: int, options: dict[str, object], matches: int, seed: int) -> Batch:
    """A batch of that many matches from a seed."""
    return Batch(find_game(game).new(players, options), tensors_of(game), matches, seed)


def arrays_of(batch: Batch) -> dict[str, Array]:
    """A batch's vectors as arrays, without a copy."""
    found: dict[str, Array] = {name: view_as_bytes(getattr(batch, name)).view(np.int64) for name in NUMBER_ARRAYS}
    for name, words in (("observation", batch.sheet.words), ("mask", batch.mask)):
        found[name] = view_as_bytes(words).reshape(int(batch.matches), -1)
    return found


class SharedMatchVectorEnv(MatchVectorEnv):
    """The same in several processes: each steps its share and writes the results into shared memory."""

    def __init__(
        self,
        game: str,
        num_envs: int,
        players: int | None = None,
        processes: int = 2,
        copy: bool = False,
        **options: object,
    ) -> None:
        super().__init__(game, num_envs, players, copy, **options)
        if num_envs % processes:
            raise ValueError(f"{num_envs} matches cannot be shared evenly by {processes} processes")
        words = -(-self.num_actions // 64)
        self.widths = {"observation": tensors_of(game).size, "mask": words * 8}
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
            facts = (self.game, self.players, self.options, first, share)
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

    def advance(self, actions: Array) -> None:
        if actions.shape != (self.num_envs,):
            raise ValueError(f"{self.num_envs} actions are needed, one a match, not {actions.shape}")
        self.check(actions)
        self.at["actions"][:] = actions
        self.request_workers([("step", 0)] * len(self.workers))

    def ends(self) -> list[int]:
        ended: list[int] = np.flatnonzero(self.at["ended"]).tolist()
        return ended

    def check(self, actions: Array) -> None:
        """Check that every action is legal before any is applied."""
        known = (actions >= 0) & (actions < self.num_actions)
        named = np.where(known, actions, 0)
        bytes_ = self.at["mask"][np.arange(self.num_envs), named >> 3]
        allowed = known & (bytes_ >> (named & 7) & 1).astype(np.bool_)
        if not allowed.all():
            first = int(allowed.argmin())
            raise ValueError(f"match {first}: {actions[first]} is no choice of seat {self.actor[first]}")

    def request_workers(self, words: list[tuple[str, Any]]) -> list[Batch | None]:
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
    facts: tuple[str, int, dict[str, object], int, int],
) -> None:
    """A worker: steps its share of the matches until its pipe closes."""
    game, players, options, first, share = facts
    shared = {}
    for what, whole in map_shared_arrays(memory, matches, widths).items():
        per = len(whole) // matches
        shared[what] = whole[first * per : (first + share) * per]
    batch: Batch | None = None
    while True:
        try:
            word, given = wire.recv()
        except EOFError:
            break
        fault = ""
        if word == "begin":
            batch = batch_of(game, players, options, share, given)
        elif word == "load":
            batch = given
        elif word == "step" and batch is not None:
            try:
                batch.step(shared["actions"].tolist())
            except ValueError as error:
                fault = str(error)
        if batch is not None:
            for what, array in arrays_of(batch).items():
                shared[what][:] = array
        wire.send((fault, batch if word == "save" else None))
