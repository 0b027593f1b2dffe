"""Builds a kernel with the machine's C compiler and calls it."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from landfall.core.rng import Rng
from landfall.kernels.memory import BATCH, Memory
from landfall.kernels.program import ALL_ENTRIES, Program

if TYPE_CHECKING:
    from landfall.core.game import Game
    from landfall.core.state import State

COMPILERS: Final = ("cc", "gcc", "clang")
RELEASE: Final = ("-O3", "-fwrapv", "-fPIC", "-shared", "-w")
DEBUG: Final = ("-O1", "-g", "-DDEBUG_KERNEL", "-fwrapv", "-fPIC", "-shared", "-w")


def find_compiler() -> str | None:
    """The C compiler of this machine; None if there is none."""
    return next((found for name in COMPILERS if (found := shutil.which(name))), None)


def compile_source(source: str, folder: Path, name: str, flags: tuple[str, ...] = RELEASE) -> Path:
    """A shared library of a kernel."""
    compiler = find_compiler()
    if compiler is None:
        raise RuntimeError("kernels need a C compiler: install gcc or clang")
    written = folder / f"{name}.c"
    written.write_text(source, encoding="utf-8")
    library = folder / f"{name}.so"
    subprocess.run([compiler, *flags, "-o", str(library), str(written)], check=True)
    return library


class HostKernel:
    """A game's kernel on this machine's processor."""

    def __init__(
        self, game: Game, folder: Path, flags: tuple[str, ...] = RELEASE, entries: tuple[str, ...] = ALL_ENTRIES
    ) -> None:
        self.program = Program(game, entries)
        self.memory = Memory(self.program)
        self.library = ctypes.CDLL(str(compile_source(self.program.source(), folder, game.name, flags)))
        for name in ("work_size", "position_size", "table_size", "play_matches"):
            getattr(self.library, name).restype = ctypes.c_int64
        assert self.library.position_size() == ctypes.sizeof(self.memory.position), "the layouts differ"
        assert self.library.table_size() == ctypes.sizeof(self.memory.table), "the layouts differ"

    def new_work(self) -> Any:
        """What a thread needs for itself."""
        return ctypes.create_string_buffer(int(self.library.work_size()))

    def play_matches(self, start: State, seeds: list[int], everything: bool = False) -> tuple[list[int], int]:
        """Play a match of random actions for each seed: the hash of its actions and outcomes, and all decisions. With
        `everything`, legal actions, observations, evaluations, keys and scores are hashed, too."""
        words = (ctypes.c_int64 * len(seeds))(*(int(Rng(seed).word) for seed in seeds))
        hashes = (ctypes.c_uint64 * len(seeds))()
        decisions = self.library.play_matches(
            self.new_work(),
            ctypes.byref(self.memory.table_of(start)),
            ctypes.byref(self.memory.position_of(start)),
            words,
            ctypes.c_int64(len(seeds)),
            hashes,
            int(everything),
            (ctypes.c_int64 * self.memory.observation_words)(),
        )
        return list(hashes), int(decisions)

    def new_batch(self, start: State, words: list[int], legal_width: int = 0, autoreset: int = 0) -> HostBatch:
        """Matches of one table, a generator for each."""
        return HostBatch(self, start, words, legal_width, autoreset)


class HostBatch:
    """Matches of one table in numpy arrays. Several threads step them at once: no call holds the interpreter's lock."""

    def __init__(
        self,
        kernel: HostKernel,
        start: State,
        words: list[int],
        legal_width: int = 0,
        autoreset: int = 0,
        threads: int = 1,
    ) -> None:
        import numpy as np

        self.kernel = kernel
        self.matches = len(words)
        shapes = kernel.memory.batch_shapes(self.matches, int(start.players), legal_width)
        self.at = {name: np.zeros(shape, kind) for name, (kind, shape) in shapes.items()}
        self.at["words"][:] = words
        self.at["choices"][:] = 1
        self.table, self.start = kernel.memory.table_of(start), kernel.memory.position_of(start)
        self.actions = np.zeros(self.matches, "i8")
        places = {name: array.ctypes.data for name, array in self.at.items()}
        places |= {"table": ctypes.addressof(self.table), "start": ctypes.addressof(self.start)}
        places |= {"autoreset": autoreset, "legal_width": legal_width}
        self.batch = (ctypes.c_int64 * len(BATCH))(*(places[name] for name in BATCH))
        self.pool = ThreadPoolExecutor(threads) if threads > 1 else None
        edges = [self.matches * i // threads for i in range(threads + 1)]
        self.parts = [(kernel.new_work(), first, end) for first, end in pairwise(edges)]
        self.run("begin_matches")
        self.run("step_matches", None)

    def run(self, name: str, *arguments: Any) -> None:
        """Call a function for the matches of every thread."""
        function = getattr(self.kernel.library, name)

        def part(one: tuple[Any, int, int]) -> None:
            function(self.batch, one[0], ctypes.c_int64(one[1]), ctypes.c_int64(one[2]), *arguments)

        if self.pool is None:
            part(self.parts[0])
        else:
            list(self.pool.map(part, self.parts))

    def choose(self) -> Any:
        """A random action of every match."""
        self.run("choose_actions", ctypes.c_void_p(self.actions.ctypes.data))
        return self.actions

    def step(self, actions: Any) -> None:
        """One decision in every match; illegal actions are not looked for."""
        self.run("step_matches", ctypes.c_void_p(actions.ctypes.data))
