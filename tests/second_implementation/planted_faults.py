"""Faults planted into a copy of the engine, and within how many games the second reading finds each.

`python -m tests.second_implementation.planted_faults [MOST [FIRST]]` plays at most so many games a fault, interpreted,
over set-ups drawn from all; FIRST is the number of the fault to begin with.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Fault:
    """What is wrong, in which module of a game, and the line it comes from."""

    what: str
    game: str
    module: str
    right: str
    wrong: str


FAULTS = (
    Fault(
        "the dive dice's ship moves squids too",
        "survive",
        "components",
        "+ [0, 0, 0, 0, 0, 1]  # ship",
        "+ [0, 0, 0, 0, 1, 1]  # ship",
    ),
    Fault(
        "sharks stop at guarded swimmers",
        "survive",
        "reachability",
        "return count_unguarded_swimmers(s, space) > 0  # SV.K4, SV.N11",
        "return s.people_at[space] > 0  # SV.K4, SV.N11",
    ),
    Fault(
        "a whale tile's squid may land beside no tile",
        "survive",
        "giant_squid",
        "if is_vacant_sea(s, space) and is_beside_tile(s, space):",
        "if is_vacant_sea(s, space):",
    ),
    Fault(
        "shark and whale defence are mixed up",
        "survive",
        "defence",
        "return SHARK_DEFENCE if KIND_OF[s.creature] == SHARK else WHALE_DEFENCE",
        "return WHALE_DEFENCE if KIND_OF[s.creature] == SHARK else SHARK_DEFENCE",
    ),
    Fault(
        "of two tied aboard only the first controls",
        "survive",
        "pieces",
        "return seat in (first, second)\n",
        "return seat == first\n",
    ),
    Fault(
        "a rival's step in the mini-round brings a bounty",
        "survive",
        "pieces",
        "seat != s.turn and seat_of_current_event(s) == s.turn",
        "seat != s.turn",
    ),
    Fault(
        "a gap costs its far end",
        "atlantis",
        "gaps",
        "total += min(TILE_VALUE[s.top[shore]], TILE_VALUE[s.top[at]])",
        "total += TILE_VALUE[s.top[at]]",
    ),
    Fault(
        "cards bought this turn can be paid with",
        "atlantis",
        "gaps",
        "if s.hand[base + kind] > s.bought[kind]:",
        "if s.hand[base + kind] > 0:",
    ),
    Fault(
        "a tie for first leaves a second",
        "atlandice",
        "scoring",
        "return SECOND_POINTS if above == 1 else 0",
        "return SECOND_POINTS if above <= 2 else 0",
    ),
    Fault(
        "an inventory counts the next resource",
        "atlandice",
        "scoring",
        "return s.stock[holder * RESOURCES + icon - 1]",
        "return s.stock[holder * RESOURCES + icon % RESOURCES]",
    ),
)


def games_until_found(fault: Fault, most: int) -> str:
    """Play until the two are of two minds; what they said then."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "src", folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.so", "static"))
        (Path(folder) / "docs").symlink_to(ROOT / "docs")
        path = Path(folder) / "landfall" / "games" / fault.game / f"{fault.module}.py"
        source = path.read_text(encoding="utf-8")
        assert source.count(fault.right) == 1, f"{fault.module}: {source.count(fault.right)} times {fault.right!r}"
        path.write_text(source.replace(fault.right, fault.wrong), encoding="utf-8")
        env = {**os.environ, "LANDFALL_PURE": "1", "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}
        command = [sys.executable, "-m", "tests.second_implementation.engine_comparison", fault.game, "1", str(most)]
        found = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    return (found.stdout + found.stderr).strip().splitlines()[-1]


def main() -> None:
    """Each fault in turn."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    for fault in FAULTS[first - 1 :]:
        print(f"{fault.game}: {fault.what}\n    {games_until_found(fault, most)[:300]}", flush=True)


if __name__ == "__main__":
    main()
