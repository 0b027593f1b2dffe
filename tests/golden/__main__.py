"""`python -m tests.golden [GAME ...]` writes the golden files anew; git shows what changed."""

import sys

from landfall.games import BUILT_IN_GAMES
from tests.golden.golden_files import ROOT, golden_files_of_game

for name in sys.argv[1:] or BUILT_IN_GAMES:
    written = dict(golden_files_of_game(name))
    for stale in set((ROOT / name).glob("*")) - set(written):
        stale.unlink()
    for path, text in written.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    print(f"{name}: {len(written)} files")
