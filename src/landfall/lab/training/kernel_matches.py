"""Matches in step by a game's kernel: on this machine's processor, or on a GPU with CuPy. All arrays are torch's."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

import torch
from torch import Tensor

import landfall.kernels
from landfall.bots.value_net import layout_of
from landfall.core.rng import Rng
from landfall.kernels.device import OPTIONS, STACK_BYTES, STACK_LIMIT, import_cupy
from landfall.kernels.host import RELEASE, find_compiler
from landfall.kernels.memory import Memory, memory_of
from landfall.kernels.program import SELF_PLAY_ENTRIES, Program

if TYPE_CHECKING:
    from landfall.core.game import Game
    from landfall.core.state import State

SOURCE: Final = Path(landfall.kernels.__file__).with_name("self_play.h")
ARRAYS: Final = ("table", "start", "positions", "words", "actor", "in_setup", "ended", "result")  # of `Play`, in order
THREADS_A_BLOCK: Final = 64
MAX_BLOCKS: Final = 132 * 16


def self_play_source(program: Program) -> str:
    """A game's kernel with what self-play needs, in C."""
    layout = layout_of(program.game.name)
    sizes = f"#define FEATURE_WORDS {layout.size // 8}\n#define FEATURE_SEATS {layout.seats}\n"
    return program.source() + sizes + SOURCE.read_text("utf-8")


class SelfPlayKernel(Protocol):
    """A compiled kernel, and where its arrays lie."""

    device: torch.device
    memory: Memory

    def run(self, name: str, arrays: Tensor, count: int, *arguments: Tensor | int) -> None:
        """Run one of the kernel's functions for so many matches or rows."""


class HostSelfPlay:
    """Compiled for this machine's processor."""

    device = torch.device("cpu")

    def __init__(self, game: Game, folder: Path) -> None:
        program = Program(game, SELF_PLAY_ENTRIES)
        self.memory = memory_of(game, program.structures)
        source, library = folder / f"{game.name}-self-play.c", folder / f"{game.name}-self-play.so"
        source.write_text(self_play_source(program), encoding="utf-8")
        compiler = find_compiler()
        if compiler is None:
            raise RuntimeError("matches in step need a C compiler, or a GPU")
        subprocess.run([compiler, *RELEASE, "-o", str(library), str(source)], check=True)
        self.library = ctypes.CDLL(str(library))
        self.library.work_size.restype = ctypes.c_int64
        self.work = ctypes.create_string_buffer(self.library.work_size())

    def run(self, name: str, arrays: Tensor, count: int, *arguments: Tensor | int) -> None:
        given = [ctypes.c_void_p(a.data_ptr()) if isinstance(a, Tensor) else ctypes.c_int64(a) for a in arguments]
        getattr(self.library, name)(ctypes.c_void_p(arrays.data_ptr()), self.work, ctypes.c_int64(count), *given)


class DeviceSelfPlay:
    """Compiled for a GPU, by NVRTC or already as a cubin."""

    device = torch.device("cuda")

    def __init__(self, game: Game, cubin: Path | None = None) -> None:
        self.cupy = import_cupy()
        program = Program(game, SELF_PLAY_ENTRIES)
        self.memory = memory_of(game, program.structures)
        code = {"path": str(cubin)} if cubin else {"code": self_play_source(program), "options": OPTIONS}
        self.module = self.cupy.RawModule(**code)
        sizes = torch.zeros(3, dtype=torch.long, device=self.device)
        self.module.get_function("read_sizes")((1,), (1,), (self.cupy.int64(sizes.data_ptr()),))
        self.cupy.cuda.runtime.deviceSetLimit(STACK_LIMIT, STACK_BYTES + int(sizes[0]))
        self.works = torch.zeros(MAX_BLOCKS * THREADS_A_BLOCK * int(sizes[0]), dtype=torch.uint8, device=self.device)

    def run(self, name: str, arrays: Tensor, count: int, *arguments: Tensor | int) -> None:
        if count == 0:
            return
        blocks = min(MAX_BLOCKS, -(-count // THREADS_A_BLOCK))
        given = [
            self.cupy.int64(a.data_ptr() if isinstance(a, Tensor) else a)
            for a in (self.works, arrays, count, *arguments)
        ]
        with self.cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
            self.module.get_function(name)((blocks,), (THREADS_A_BLOCK,), tuple(given))


class KernelMatches:
    """See `MatchesInStep`: matches of one table."""

    def __init__(self, kernel: SelfPlayKernel, start: State, matches: int, seed: int) -> None:
        self.kernel, self.device, self.matches = kernel, kernel.device, matches
        memory = kernel.memory
        self.layout = layout_of(memory.game.name)
        self.table, self.start = self.place(memory.table_of(start)), self.place(memory.position_of(start))
        self.positions = torch.zeros(matches, ctypes.sizeof(memory.position), dtype=torch.uint8, device=self.device)
        generators = [int(Rng(seed * 1_000_003 + i * 2).word) for i in range(matches)]
        self.words = torch.tensor(generators, device=self.device)
        self.actor, self.in_setup, self.ended = (
            torch.zeros(matches, dtype=torch.long, device=self.device) for _ in range(3)
        )
        self.result = torch.zeros(matches, 2 * self.layout.seats, device=self.device)
        self.players = torch.full((matches,), int(start.players), device=self.device)
        places = torch.tensor([getattr(self, name).data_ptr() for name in ARRAYS])
        self.arrays = places.to(self.device)
        self.run("begin_plays", matches)

    def place(self, structure: ctypes.Structure) -> Tensor:
        """A structure's bytes on the device."""
        return torch.frombuffer(bytearray(bytes(structure)), dtype=torch.uint8).to(self.device)

    def run(self, name: str, count: int, *arguments: Tensor | int) -> None:
        self.kernel.run(name, self.arrays, count, *arguments)

    def list_choices(self, most: int) -> tuple[Tensor, Tensor]:
        actions = torch.zeros(self.matches, most, dtype=torch.long, device=self.device)
        counts = torch.zeros(self.matches, dtype=torch.long, device=self.device)
        self.run("list_plays", self.matches, most, actions, counts)
        return actions, counts

    def encode_choices(self, match: Tensor, action: Tensor) -> Tensor:
        words = torch.empty(len(match), self.layout.size // 8, dtype=torch.long, device=self.device)
        self.run("encode_plays", len(match), match, action, words)
        return words.view(torch.uint8)

    def play(self, chosen: Tensor) -> tuple[Tensor, Tensor]:
        self.result.zero_()
        self.run("advance_plays", self.matches, chosen)
        return self.ended > 0, self.result.clone()
