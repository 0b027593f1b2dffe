"""Runs a kernel on a GPU through CuPy: compiling, memory, launches. What a match is stands in `play.h`."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Final

from landfall.kernels.memory import BATCH, memory_of
from landfall.kernels.program import LARGE_GAME, LEARNER_ENTRIES, Program

if TYPE_CHECKING:
    from landfall.core.game import Game
    from landfall.core.state import State

THREADS_A_BLOCK: Final = 64
BLOCKS: Final = 132 * 16
STACK_BYTES: Final = 8192  # rules call themselves: a chain of cards, a move over several spaces
STACK_LIMIT: Final = 0  # cudaLimitStackSize
OPTIONS: Final = ("-std=c++17", "-w")


def import_cupy() -> Any:
    """CuPy; RuntimeError says what is missing."""
    try:
        import cupy
    except ImportError:
        raise RuntimeError("kernels on a GPU need CuPy: pip install cupy-cuda13x (or -cuda12x)") from None
    if not cupy.cuda.is_available():
        raise RuntimeError("kernels on a GPU need a CUDA device, and none is here")
    return cupy


class DeviceKernel:
    """A game's kernel on a GPU, compiled by NVRTC, or from a cubin."""

    def __init__(self, game: Game, cubin: str | None = None, cupy: Any = None) -> None:
        self.cupy = cupy or import_cupy()
        self.program = Program(game, LEARNER_ENTRIES)
        self.memory = memory_of(game, self.program.structures)
        made = {"path": cubin} if cubin else {"code": self.program.source(), "options": OPTIONS}
        self.module = self.cupy.RawModule(**made)
        sizes = self.cupy.zeros(3, "i8")
        self.module.get_function("read_sizes")((1,), (1,), (sizes,))
        work, position, table = (int(size) for size in sizes.get())
        assert position == ctypes.sizeof(self.memory.position), "the layouts differ"
        assert table == ctypes.sizeof(self.memory.table), "the layouts differ"
        self.cupy.cuda.runtime.deviceSetLimit(STACK_LIMIT, STACK_BYTES)
        threads = BLOCKS * THREADS_A_BLOCK if self.program.game.num_actions > LARGE_GAME else 0
        self.works = self.cupy.zeros(threads * work + 1, "u1")

    def launch(self, name: str, *arguments: Any) -> None:
        """Run a kernel with a thread for each workspace."""
        self.module.get_function(name)((BLOCKS,), (THREADS_A_BLOCK,), (self.works, *arguments))

    def to_device(self, structure: Any) -> Any:
        """A structure's bytes in the device's memory."""
        return self.cupy.frombuffer(bytearray(structure), "u1").copy()

    def play_matches(self, start: State, words: Any, everything: bool = False) -> tuple[Any, Any]:
        """Play a match of random actions for each generator: the hashes, and the decisions."""
        cupy = self.cupy
        table, position = self.to_device(self.memory.table_of(start)), self.to_device(self.memory.position_of(start))
        given = cupy.asarray(words, "i8")
        hashes, decisions = cupy.zeros(len(given), "u8"), cupy.zeros(len(given), "i8")
        rows = cupy.zeros((BLOCKS * THREADS_A_BLOCK, self.memory.observation_words), "i8")
        count, what = cupy.int64(len(given)), cupy.int32(everything)
        self.launch("play_matches", table, position, given, count, hashes, decisions, what, rows)
        return hashes, decisions


class DeviceBatch:
    """Matches of one table on the device. The arrays are CuPy's, which torch and JAX read without a copy (DLPack)."""

    def __init__(
        self,
        kernel: DeviceKernel,
        start: State,
        words: Any,
        views: bool = True,
        legal_width: int = 0,
        autoreset: int = 0,
    ) -> None:
        cupy = self.cupy = kernel.cupy
        self.kernel = kernel
        self.matches = len(words)
        shapes = kernel.memory.batch_shapes(self.matches, int(start.players), legal_width)
        if not views:
            shapes = {name: one for name, one in shapes.items() if name not in ("observation", "final", "mask")}
        self.at = {name: cupy.zeros(shape, kind) for name, (kind, shape) in shapes.items()}
        self.at["words"][:] = cupy.asarray(words, "i8")
        self.at["choices"][:] = 1
        self.at["table"] = kernel.to_device(kernel.memory.table_of(start))
        self.at["start"] = kernel.to_device(kernel.memory.position_of(start))
        self.actions = cupy.zeros(self.matches, "i8")
        numbers = {"autoreset": autoreset, "legal_width": legal_width}
        places = [numbers.get(name, self.at[name].data.ptr if name in self.at else 0) for name in BATCH]
        self.batch = cupy.asarray(places, "u8")
        self.views = views
        self.run("begin_matches")
        self.show()

    def run(self, name: str, *arguments: Any) -> None:
        self.kernel.launch(name, self.batch, self.cupy.int64(self.matches), *arguments)

    def show(self) -> None:
        """Observations and masks."""
        if self.views:
            self.run("show_matches")
            self.at["mask"].fill(0)
            self.run("list_matches")

    def choose(self) -> Any:
        """A random action of every match."""
        self.run("choose_actions", self.actions)
        return self.actions

    def step(self, actions: Any) -> None:
        """One decision in every match; illegal actions are not looked for."""
        self.at["ends"][:1] = 0
        self.run("advance_matches", actions)
        self.kernel.launch("end_matches", self.batch)
        self.show()
