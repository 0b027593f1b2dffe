"""Steps many matches of one table by a kernel: like `core/match_batch.py`, with the same seeds and matches, on threads.

Everything is in numpy arrays that the kernel writes to. No call holds the interpreter's lock.
"""

from __future__ import annotations

import ctypes
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from landfall.core.match_batch import rng_of_match
from landfall.core.rng import Rng
from landfall.core.state import State
from landfall.kernels.host import HostKernel, load_kernel
from landfall.kernels.memory import BATCH

Array = NDArray[Any]


class KernelBatch:
    """`start` is copied for every match. Chance in match i depends only on the seed and i."""

    def __init__(self, kernel: HostKernel, start: State, matches: int, seed: int, autoreset: int, threads: int) -> None:
        self.kernel, self.first_state = kernel, start
        self.matches, self.autoreset, self.threads = matches, autoreset, threads
        shapes = kernel.memory.batch_shapes(matches, int(start.players), kernel.memory.game.num_actions)
        self.at: dict[str, Array] = {name: np.zeros(shape, kind) for name, (kind, shape) in shapes.items()}
        self.at |= {"drawn": np.zeros(matches, np.int64), "offsets": np.zeros(matches + 1, np.int64)}
        self.at["words"][:] = [int(rng_of_match(seed, i).word) for i in range(matches)]
        self.policy = int(Rng(seed * 2 + 1).word)
        self.connect()
        self.run("begin_matches")
        self.step_and_show(None)

    def connect(self) -> None:
        """Tell the kernel where the arrays are, and share the matches among threads."""
        memory = self.kernel.memory
        self.table, self.start = memory.table_of(self.first_state), memory.position_of(self.first_state)
        places = {name: array.ctypes.data for name, array in self.at.items()}
        places |= {"table": ctypes.addressof(self.table), "start": ctypes.addressof(self.start)}
        places |= {"autoreset": self.autoreset, "legal_width": memory.game.num_actions}
        self.batch = (ctypes.c_int64 * len(BATCH))(*(places[name] for name in BATCH))
        edges = [self.matches * i // self.threads for i in range(self.threads + 1)]
        self.parts = [(self.kernel.new_work(), ctypes.c_int64(a), ctypes.c_int64(b)) for a, b in pairwise(edges)]
        self.pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None

    def __reduce__(self) -> tuple[object, ...]:
        """For copies and pickles, which continue every match with the same chance."""
        kept = {name: array.copy() for name, array in self.at.items() if name != "legal"}
        kept["legal"] = self.legal
        game = self.kernel.memory.game.name
        return restore_kernel_batch, (game, self.first_state, self.autoreset, self.threads, self.policy, kept)

    def run(self, name: str, *arguments: Any) -> None:
        """Call a function of the kernel for the matches of every thread."""
        function = getattr(self.kernel.library, name)

        def part(one: tuple[Any, Any, Any]) -> None:
            function(self.batch, *one, *arguments)

        if self.pool is None:
            part(self.parts[0])
        else:
            list(self.pool.map(part, self.parts))

    def step_and_show(self, actions: Array | None) -> None:
        """One decision in every match, then what players see, what they may do, and a random action."""
        self.run("step_matches", ctypes.c_void_p(actions.ctypes.data) if actions is not None else None)
        np.cumsum(self.at["choices"], out=self.at["offsets"][1:])
        drawn = ctypes.c_void_p(self.at["drawn"].ctypes.data)
        matches, word = ctypes.c_int64(self.matches), ctypes.c_int64(self.policy)
        self.policy = int(self.kernel.library.draw_actions(self.batch, self.parts[0][0], matches, word, drawn))

    def step(self, given: Array) -> None:
        """Apply one decision in every match. ValueError names the first illegal one; then no match has changed."""
        actions = np.ascontiguousarray(given, np.int64)
        if actions.shape != (self.matches,):
            raise ValueError(f"{self.matches} actions are needed, one a match, not {len(given)}")
        place = ctypes.c_void_p(actions.ctypes.data)
        i = int(self.kernel.library.find_illegal_action(self.batch, ctypes.c_int64(self.matches), place))
        if i >= 0:
            if self.at["choices"][i] == 0:
                raise ValueError(f"match {i} is over: reset it")
            raise ValueError(f"match {i}: {actions[i]} is no choice of seat {self.at['actor'][i]}")
        self.step_and_show(actions)

    @property
    def ends(self) -> list[int]:
        """The matches that the last step ended."""
        found: list[int] = np.flatnonzero(self.at["ended"]).tolist()
        return found

    def reset(self, which: list[int], seed: int) -> None:
        """Restart some matches. With a seed, -1 for none, their chance depends on it, as in a new batch."""
        for i in which:
            if seed >= 0:
                self.at["words"][i] = int(rng_of_match(seed, i).word)
            self.kernel.library.restart_match(self.batch, self.parts[0][0], ctypes.c_int64(i))
        self.step_and_show(None)

    @property
    def legal(self) -> Array:
        """The legal actions of all matches, one after the other."""
        found = np.empty(int(self.at["offsets"][-1]), np.int64)
        place = ctypes.c_void_p(found.ctypes.data)
        self.kernel.library.copy_legal_actions(self.batch, ctypes.c_int64(self.matches), place)
        return found

    def arrays(self) -> dict[str, Array]:
        """Views of the arrays that an environment shows."""
        names = ("observation", "mask", "final")
        shown = {name: self.at[name].view(np.uint8) for name in names}
        numbers = ("actor", "choices", "drawn", "ended", "earned", "offsets")
        return shown | {name: self.at[name][:] for name in numbers} | {"reward": self.at["reward"].reshape(-1)}


def restore_kernel_batch(
    game: str, start: State, autoreset: int, threads: int, policy: int, kept: dict[str, Array]
) -> KernelBatch:
    """The batch with these matches."""
    kernel = load_kernel(game)
    if kernel is None:
        raise RuntimeError(f"the kernel of {game} is not built here: make native")
    batch = KernelBatch.__new__(KernelBatch)
    batch.kernel, batch.first_state, batch.autoreset, batch.threads = kernel, start, autoreset, threads
    batch.policy, batch.matches, batch.at = policy, len(kept["words"]), kept
    legal, width = kept["legal"], kernel.memory.game.num_actions
    kept["legal"] = np.zeros((batch.matches, width), np.int16)
    for i, (first, end) in enumerate(pairwise(kept["offsets"])):
        kept["legal"][i, : end - first] = legal[first:end]
    batch.connect()
    return batch
