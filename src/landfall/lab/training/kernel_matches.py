"""Matches in step by a game's kernel: on this machine's processor, or on a GPU with CuPy. All arrays are torch's."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import torch
from torch import Tensor

import landfall.kernels
from landfall.bots.value_net import layout_of
from landfall.kernels.device import THREADS_A_BLOCK, DeviceKernel
from landfall.kernels.host import RELEASE, build_kernel
from landfall.kernels.memory import Memory
from landfall.kernels.program import SELF_PLAY_ENTRIES, Program
from landfall.lab.training.batched_self_play import generator_words, tables_of_matches

if TYPE_CHECKING:
    from landfall.core.game import Game
    from landfall.core.state import State

SOURCE: Final = Path(landfall.kernels.__file__).with_name("self_play.h")
ARRAYS: Final = (  # of `Play`, in order
    "tables",
    "starts",
    "table",
    "positions",
    "words",
    "actor",
    "in_setup",
    "ended",
    "result",
    "saved",
)


class SelfPlayKernel(Protocol):
    """A compiled kernel, and where its arrays lie."""

    device: torch.device
    memory: Memory

    def run(self, name: str, arrays: Tensor, count: int, *arguments: Tensor | int) -> None:
        """Run one of the kernel's functions for so many matches or rows."""


class HostSelfPlay:
    """Compiled for this machine's processor."""

    device = torch.device("cpu")

    def __init__(self, game: Game, folder: Path, flags: tuple[str, ...] = RELEASE) -> None:
        self.kernel = build_kernel(game, folder, flags, SELF_PLAY_ENTRIES, SOURCE.read_text("utf-8"))
        self.memory, self.work = self.kernel.memory, self.kernel.new_work()

    def run(self, name: str, arrays: Tensor, count: int, *arguments: Tensor | int) -> None:
        given = [ctypes.c_void_p(a.data_ptr()) if isinstance(a, Tensor) else ctypes.c_int64(a) for a in arguments]
        place = ctypes.c_void_p(arrays.data_ptr())
        getattr(self.kernel.library, name)(place, self.work, ctypes.c_int64(count), *given)


class DeviceSelfPlay(DeviceKernel):
    """On a GPU, in the order of torch's work there."""

    device = torch.device("cuda")

    def translate(self, game: Game) -> Program:
        return Program(game, SELF_PLAY_ENTRIES)

    def source(self) -> str:
        return super().source() + SOURCE.read_text("utf-8")

    def run(self, name: str, arrays: Tensor, count: int, *arguments: Tensor | int) -> None:
        if count == 0:
            return
        given = [a.data_ptr() if isinstance(a, Tensor) else a for a in (arrays, count, *arguments)]
        with self.cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
            blocks = min(self.blocks, -(-count // THREADS_A_BLOCK))
            self.launch(name, *(self.cupy.int64(a) for a in given), blocks=blocks)


class KernelMatches:
    """See `MatchesInStep`: matches of several tables, as many of each; every match begins anew at its own."""

    def __init__(self, kernel: SelfPlayKernel, starts: list[State], matches: int, seed: int) -> None:
        self.kernel, self.device, self.matches = kernel, kernel.device, matches
        memory, layout = kernel.memory, layout_of(kernel.memory.game.name)
        self.layout = layout
        self.tables = self.place([memory.table_of(start) for start in starts])
        self.starts = self.place([memory.position_of(start) for start in starts])
        self.positions = torch.zeros(matches, ctypes.sizeof(memory.position), dtype=torch.uint8, device=self.device)
        self.words = torch.tensor(generator_words(seed, matches), device=self.device)
        self.table = torch.tensor(tables_of_matches(len(starts), matches), device=self.device)
        self.actor, self.in_setup, self.ended = (
            torch.zeros(matches, dtype=torch.long, device=self.device) for _ in range(3)
        )
        self.result = torch.zeros(matches, 2 * layout.seats, device=self.device)
        shape = matches, layout.seats, layout.saved_pieces
        self.saved = torch.zeros(shape, dtype=torch.uint8, device=self.device)
        players = torch.tensor([int(start.players) for start in starts], device=self.device)
        self.players = players[self.table]
        places = torch.tensor([getattr(self, name).data_ptr() for name in ARRAYS])
        self.arrays = places.to(self.device)
        self.run("begin_plays", matches)

    def place(self, structures: list[Any]) -> Tensor:
        """The bytes of structures on the device."""
        joined = bytearray(b"".join(bytes(one) for one in structures))
        return torch.frombuffer(joined, dtype=torch.uint8).to(self.device)

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

    def play(self, chosen: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        self.result.zero_()
        self.run("advance_plays", self.matches, chosen)
        return self.ended > 0, self.result.clone(), self.saved.clone()
