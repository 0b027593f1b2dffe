"""Builds a kernel with the machine's C compiler and calls it."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from landfall.core.rng import Rng
from landfall.games.observation_and_feature_layouts import tensor_layout
from landfall.kernels.memory import Memory
from landfall.kernels.program import Program

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

    def __init__(self, game: Game, folder: Path, flags: tuple[str, ...] = RELEASE) -> None:
        self.program = Program(game)
        self.observation_words = tensor_layout(game.name).size // 8
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
            (ctypes.c_int64 * self.observation_words)(),
        )
        return list(hashes), int(decisions)
