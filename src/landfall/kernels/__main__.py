"""`python -m landfall.kernels GAME` prints a game's kernel."""

from __future__ import annotations

import sys

from landfall.games import game
from landfall.kernels.program import Program
from landfall.kernels.source_modules import Untranslatable


def main() -> None:
    try:
        print(Program(game(sys.argv[1])).source())
    except Untranslatable as reason:
        sys.exit(str(reason))


if __name__ == "__main__":
    main()
