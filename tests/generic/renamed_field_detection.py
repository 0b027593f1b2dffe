"""A field renamed in one `message_types.py` and nowhere else: who notices?

`python -m tests.generic.renamed_field_detection [GAME ...]`

In a copy of the tree one field of the view, of an event and of a choice of each game get other names; what is made from
the declarations is made anew; mypy, svelte-check and the check of the catalogues say what no longer fits.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from landfall.games import BUILT_IN_GAMES
from tests.repository_files import REPO


@dataclass(frozen=True)
class Rename:
    """A field of a declared type; `line` is the line that declares it."""

    game: str
    what: str
    field: str
    line: str

    @property
    def new(self) -> str:
        return f"{self.field}_renamed"


RENAMES: Final = (
    Rename("survive", "view", "explorers", "    explorers: dict[str, str]"),
    Rename("survive", "event", "isle", '"isle": str'),
    Rename("survive", "choice", "ward", "    ward: str"),
    Rename("atlantis", "view", "gaps", "    gaps: list[Gap]"),
    Rename("atlantis", "event", "side", '    side: Literal["atlantis", "mainland"]'),
    Rename("atlantis", "choice", "price", "    price: int  # until now"),
    Rename("atlandice", "view", "holders", "    holders: list[HolderView]"),
    Rename("atlandice", "event", "market", '        "market": int,'),
    Rename("atlandice", "choice", "resource", '    verb: Literal["give"]\n    resource: Resource'),
)
COPIED: Final = ("src", "tests", "docs", "client", "bench", "examples", "pyproject.toml", "setup.py", ".mypy_cache")


def plant_rename(root: Path, rename: Rename) -> None:
    """Give the field another name where it is declared."""
    path = root / "src/landfall/games" / rename.game / "rules/message_types.py"
    text = path.read_text(encoding="utf-8")
    assert text.count(rename.line) == 1, f"{rename}: its line is not there once"
    path.write_text(
        text.replace(rename.line, re.sub(rf"\b{rename.field}\b", rename.new, rename.line)), encoding="utf-8"
    )


def copy_tree(root: Path) -> None:
    leave = shutil.ignore_patterns("node_modules", "*.so", "__pycache__", "static", "native.stamp")
    for name in COPIED:
        source = REPO / name
        if source.is_dir():
            shutil.copytree(source, root / name, ignore=leave)
        elif source.exists():
            shutil.copy2(source, root / name)
    (root / "client/node_modules").symlink_to((REPO / "client/node_modules").resolve())


def run_command(root: Path, command: list[str], folder: str = ".") -> str:
    """What a command says, whatever it ends with."""
    paths = {"PYTHONPATH": str(root / "src"), "LANDFALL_PURE": "1"}
    run = subprocess.run(
        command, cwd=root / folder, env=os.environ | paths, capture_output=True, text=True, check=False
    )
    return run.stdout + run.stderr


def collect_complaints(root: Path) -> dict[str, list[str]]:
    """The complaints of each that could notice."""
    write = "import sys; sys.argv = ['landfall', 'types', '--write']; from landfall.cli import main; main()"
    run_command(root, [sys.executable, "-c", write])
    check = [sys.executable, "-m", "pytest", "-vv", "-n", "0", "tests/generic/test_messages.py", "-k", "placeholder"]
    said = {
        "mypy": run_command(root, [sys.executable, "-m", "mypy"]),
        "svelte-check": run_command(
            root, ["npx", "svelte-check", "--tsconfig", "./tsconfig.json", "--output", "machine"], "client"
        ),
        "catalogue": run_command(root, check),
    }
    return {
        who: [line for line in text.splitlines() if "error" in line.lower() or line.startswith("E ")]
        for who, text in said.items()
    }


def is_about_field(line: str, rename: Rename, who: str) -> bool:
    """Whether a complaint is about this field: it is named, in a file of the game's or in its texts.

    A literal that fits no event or choice any more is complained of by mypy without naming the field.
    """
    if who != "catalogue" and rename.game not in line:
        return False
    misfit = {"event": 'Argument 2 to "record_event"', "choice": "action_descriptions.py"}.get(rename.what)
    return bool(re.search(rf"\b{rename.field}\b", line)) or (who == "mypy" and misfit is not None and misfit in line)


def count_complaints_of_renames(games: list[str]) -> dict[Rename, Counter[str]]:
    """How many complaints each rename brings, by who complains."""
    chosen = [rename for rename in RENAMES if rename.game in games]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        copy_tree(root)
        for rename in chosen:
            plant_rename(root, rename)
        found = collect_complaints(root)
    counts = {rename: Counter[str]() for rename in chosen}
    for rename in chosen:
        for who, lines in found.items():
            counts[rename][who] = sum(is_about_field(line, rename, who) for line in lines)
    return counts


def check_every_rename_is_noticed(name: str, job: int) -> dict[str, int]:
    """A part of the proof: every rename of a game is noticed."""
    counts = count_complaints_of_renames([name])
    assert all(found.total() for found in counts.values()), f"nobody noticed: {counts}"
    return {"renames": len(counts), "complaints": sum(found.total() for found in counts.values())}


def main() -> None:
    silent = []
    for rename, counts in count_complaints_of_renames(sys.argv[1:] or list(BUILT_IN_GAMES)).items():
        print(f"{rename.game:10} {rename.what:7} {rename.field:10}", *(f"{who} {n}" for who, n in counts.items()))
        silent += [] if counts.total() else [rename]
    assert not silent, f"nobody noticed: {silent}"


if __name__ == "__main__":
    main()
