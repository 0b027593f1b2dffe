"""The golden matches in a browser's Python: the same digests, and the same records."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from landfall.game_checks.match_checks import random_match
from landfall.game_checks.option_combinations import covering_combinations
from landfall.games import BUILT_IN_GAMES
from tests.client.conftest import STATIC
from tests.conftest import lacking
from tests.golden import golden_files
from tests.repository_files import REPO

pytestmark = [pytest.mark.once, pytest.mark.proof]
MANIFEST = STATIC / "here" / "manifest.json"


@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_a_match_comes_out_the_same_in_a_browser(game: str) -> None:
    node = shutil.which("node", path=f"{REPO}/.node/bin:/usr/local/bin:/usr/bin") or shutil.which("node")
    if node is None or not MANIFEST.is_file():
        lacking("what plays without a server is not built (make client)")
    given: list[tuple[str, int, list[str]]] = []
    for combo in covering_combinations(game):
        text = (golden_files.ROOT / game / golden_files.file_name(game, combo)).read_text(encoding="utf-8")
        digests = [line.removeprefix("     = ") for line in text.splitlines() if line.startswith("     = ")]
        given.append((random_match(game, combo, golden_files.SEED).record(), golden_files.DIGEST_EVERY, digests))
    command = [node, str(REPO / "tests" / "offline" / "golden.mjs"), str(MANIFEST)]
    done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split()[0] == str(sum(len(digests) for _, _, digests in given))
    assert "emscripten" in done.stdout
