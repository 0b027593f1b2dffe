"""`python -m landfall.kernels GAME` prints a game's kernel; `--build` compiles those of our games, with a compiler."""

from __future__ import annotations

import sys

from landfall.games import BUILT_IN_GAMES
from landfall.games import game as find_game
from landfall.kernels.host import BUILT, build_kernel, find_compiler, load_kernel
from landfall.kernels.program import Program
from landfall.kernels.source_modules import Untranslatable


def main() -> None:
    try:
        if sys.argv[1] != "--build":
            print(Program(find_game(sys.argv[1])).source())
            return
        for game in BUILT_IN_GAMES:
            if find_compiler() is not None and load_kernel(game) is None:
                build_kernel(find_game(game), BUILT)
    except Untranslatable as reason:
        sys.exit(str(reason))


if __name__ == "__main__":
    main()
