"""Kernels on this machine's processor: built by its C compiler, called without the interpreter's lock.

`make native` builds those of our games into `built/`. Without a compiler, or after an edit, there are none.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from landfall.core.rng import Rng
from landfall.games import BUILT_IN_GAMES
from landfall.games import game as find_game
from landfall.kernels.memory import Memory, memory_of
from landfall.kernels.program import ALL_ENTRIES, Program
from landfall.kernels.structures import POSITION, TABLE
from landfall.native import source_digest

if TYPE_CHECKING:
    from landfall.core.game import Game
    from landfall.core.state import State

HERE: Final = Path(__file__).parent
BUILT: Final = HERE / "built"
COMPILERS: Final = ("cc", "gcc", "clang")
RELEASE: Final = ("-O2", "-fwrapv", "-fPIC", "-shared", "-w")
DEBUG: Final = ("-O1", "-g", "-DDEBUG_KERNEL", "-fwrapv", "-fPIC", "-shared", "-w")
RESULTS_OF_64_BITS: Final = (
    "work_size",
    "position_size",
    "table_size",
    "play_matches",
    "find_illegal_action",
    "draw_actions",
)


class HostKernel:
    """A game's kernel on this machine's processor."""

    def __init__(self, memory: Memory, library: Path) -> None:
        self.memory = memory
        self.library = ctypes.CDLL(str(library))
        for name in RESULTS_OF_64_BITS:
            getattr(self.library, name).restype = ctypes.c_int64
        assert self.library.position_size() == ctypes.sizeof(memory.position), "the layouts differ"
        assert self.library.table_size() == ctypes.sizeof(memory.table), "the layouts differ"

    def new_work(self) -> Any:
        """What a thread needs for itself."""
        work = ctypes.create_string_buffer(int(self.library.work_size()))
        self.library.start_work(work)
        return work

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


def find_compiler() -> str | None:
    """The C compiler of this machine; None if there is none."""
    return next((found for name in COMPILERS if (found := shutil.which(name))), None)


def build_kernel(
    game: Game,
    folder: Path,
    flags: tuple[str, ...] = RELEASE,
    entries: tuple[str, ...] = ALL_ENTRIES,
    drivers: str = "",
) -> HostKernel:
    """Translate a game and compile it into a folder, with more functions in C that use its entries: the
    library, and what `load_kernel` needs."""
    compiler = find_compiler()
    if compiler is None:
        raise RuntimeError("kernels need a C compiler: install gcc or clang")
    program = Program(game, entries)
    memory = memory_of(game, program.structures)
    folder.mkdir(exist_ok=True)
    source, library = folder / f"{game.name}.c", folder / f"{game.name}.so"
    source.write_text(program.source() + drivers, encoding="utf-8")
    subprocess.run([compiler, *flags, "-o", str(library), str(source)], check=True)
    source.unlink()
    described = {"of": digest_of_sources(), POSITION: memory.fields[POSITION], TABLE: memory.fields[TABLE]}
    (folder / f"{game.name}.json").write_text(json.dumps(described))
    return HostKernel(memory, library)


@cache
def load_kernel(game: str, folder: Path = BUILT) -> HostKernel | None:
    """A game's kernel as it was built; None if there is none of today's sources."""
    described, library = folder / f"{game}.json", folder / f"{game}.so"
    if not described.exists() or not library.exists():
        return None
    found = json.loads(described.read_text())
    if found["of"] != digest_of_sources():
        return None
    memory = Memory(find_game(game), found[POSITION], found[TABLE])
    return HostKernel(memory, library)


def games_with_kernels() -> list[str]:
    """Our games whose kernel is built here."""
    return [game for game in BUILT_IN_GAMES if load_kernel(game) is not None]


@cache
def digest_of_sources() -> str:
    """A hash of the rules and of what translates them."""
    digest = hashlib.blake2b(source_digest().encode(), digest_size=16)
    for path in sorted([*HERE.glob("*.py"), *HERE.glob("*.h")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()
