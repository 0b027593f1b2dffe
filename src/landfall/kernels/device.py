"""Runs a kernel on a GPU through CuPy: compiling, memory, launches. What a match is stands in `play.h`."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from landfall.games import game as find_game
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

    def __init__(self, game: Game, cubin: str | None = None, cupy: Any = None, blocks: int = BLOCKS) -> None:
        self.cupy = cupy or import_cupy()
        self.blocks = blocks
        self.program = self.translate(game)
        self.memory = memory_of(game, self.program.structures)
        made = {"path": cubin} if cubin else {"code": self.source(), "options": OPTIONS}
        self.module = self.cupy.RawModule(**made)
        sizes = self.cupy.zeros(3, "i8")
        self.module.get_function("read_sizes")((1,), (1,), (sizes,))
        work, position, table = (int(size) for size in sizes.get())
        assert position == ctypes.sizeof(self.memory.position), "the layouts differ"
        assert table == ctypes.sizeof(self.memory.table), "the layouts differ"
        is_large = self.program.game.num_actions > LARGE_GAME
        self.cupy.cuda.runtime.deviceSetLimit(STACK_LIMIT, STACK_BYTES + (0 if is_large else work))
        threads = blocks * THREADS_A_BLOCK if is_large else 0
        self.works = self.cupy.zeros(threads * work + 1, "u1")
        self.launch("begin_works", self.cupy.int64(threads))

    def translate(self, game: Game) -> Program:
        return Program(game, LEARNER_ENTRIES)

    def source(self) -> str:
        return self.program.source()

    def launch(self, name: str, *arguments: Any, blocks: int = 0) -> None:
        """Run a kernel with a thread for each workspace, in some blocks or all."""
        self.module.get_function(name)((blocks or self.blocks,), (THREADS_A_BLOCK,), (self.works, *arguments))

    def to_device(self, structure: Any) -> Any:
        """A structure's bytes in the device's memory."""
        return self.cupy.frombuffer(bytearray(structure), "u1").copy()

    def play_matches(self, start: State, words: Any, everything: bool = False) -> tuple[Any, Any]:
        """Play a match of random actions for each generator: the hashes, and the decisions."""
        cupy = self.cupy
        table, position = self.to_device(self.memory.table_of(start)), self.to_device(self.memory.position_of(start))
        given = cupy.asarray(words, "i8")
        hashes, decisions = cupy.zeros(len(given), "u8"), cupy.zeros(len(given), "i8")
        rows = cupy.zeros((self.blocks * THREADS_A_BLOCK, self.memory.observation_words), "i8")
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
        self.kernel, self.first_state = kernel, start
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

    def choose(self, words: Any = None) -> Any:
        """A random action of every match: by its own generator, or by others."""
        self.run("choose_actions", self.at["words"] if words is None else words, self.actions)
        return self.actions

    def restart(self, which: list[int], words: list[int] | None) -> None:
        """Restart some matches; with words for their generators, with other chance."""
        at = self.cupy.asarray(which, "i8")
        if words is not None:
            self.at["words"][at] = self.cupy.asarray(words, "i8")
        self.kernel.launch("restart_matches", self.batch, self.cupy.int64(len(which)), at)
        self.show()

    def state(self, i: int) -> State:
        """The position of a match as a state of the engine."""
        return self.kernel.memory.state_of(bytes(self.at["positions"][i].get()), self.first_state)

    def place(self, i: int, state: State) -> None:
        """Let a match go on from a state of the same table."""
        self.at["positions"][i] = self.kernel.to_device(self.kernel.memory.position_of(state))
        self.at["seats"][i] = -1
        self.show()

    def step(self, actions: Any) -> None:
        """One decision in every match; illegal actions are not looked for."""
        self.at["ends"][:1] = 0
        self.run("advance_matches", actions)
        self.kernel.launch("end_matches", self.batch)
        self.show()


@cache
def load_device_kernel(game: str) -> DeviceKernel:
    """A game's kernel, compiled once; CuPy keeps what it compiled on disk."""
    return DeviceKernel(find_game(game))
