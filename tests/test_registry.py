"""Games are found: ours by their folders, others through installed packages; what cannot be used is named."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from landfall.games import BUILT_IN_GAMES, GAME_NAMES, game
from tests.repository_files import REPO

pytestmark = pytest.mark.once
ASKS = "import landfall.games as g; print(*g.GAME_NAMES); print(*(g.game(name).name for name in g.GAME_NAMES))"


def install(folder: Path, name: str, value: str) -> None:
    """A package of a game as an installer would leave it: an entry point, and nothing else of it."""
    info = folder / f"{name}-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[landfall.games]\n{name} = {value}\n")


def ask(*folders: Path) -> tuple[list[str], str]:
    path = os.pathsep.join(map(str, (*folders, REPO / "src")))
    done = subprocess.run(
        [sys.executable, "-c", ASKS],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines(), done.stderr


def test_ours_are_the_folders_in_the_order_of_the_shelf() -> None:
    assert list(BUILT_IN_GAMES) == ["survive", "atlantis", "atlandice"]
    assert GAME_NAMES[: len(BUILT_IN_GAMES)] == tuple(BUILT_IN_GAMES)
    assert [game(name).name for name in BUILT_IN_GAMES] == list(BUILT_IN_GAMES)


def test_a_game_of_another_package_is_found_by_its_entry_point(tmp_path: Path) -> None:
    (tmp_path / "another").mkdir()
    (tmp_path / "another" / "__init__.py").write_text("")
    (tmp_path / "another" / "game_definition.py").write_text(
        "from landfall.core.game import Game\nGAME = Game('another', 1, (2,), ('red', 'blue'), 1, 1, [], 'XX')\n"
    )
    install(tmp_path, "another", "another.game_definition:GAME")
    said, faults = ask(tmp_path)
    assert said == [" ".join([*BUILT_IN_GAMES, "another"])] * 2
    assert "no game" not in faults


@pytest.mark.parametrize(
    ("name", "value", "fault"),
    [
        ("survive", "another.game_definition:GAME", "no game can be called 'survive'"),
        ("landfall", "another.game_definition:GAME", "no game can be called 'landfall'"),
        ("../x", "another.game_definition:GAME", "no game can be called '../x'"),
        (
            "gone",
            "no_such_package.game_definition:GAME",
            "'no_such_package.game_definition:GAME' is no PACKAGE.game_definition:GAME",
        ),
        ("odd", "os.path:join", "'os.path:join' is no PACKAGE.game_definition:GAME"),
    ],
)
def test_what_cannot_be_used_is_named_and_ours_are_still_there(
    tmp_path: Path, name: str, value: str, fault: str
) -> None:
    install(tmp_path, "odd", value)
    (tmp_path / "odd-1.dist-info" / "entry_points.txt").write_text(f"[landfall.games]\n{name} = {value}\n")
    said, faults = ask(tmp_path)
    assert said == [" ".join(BUILT_IN_GAMES)] * 2
    assert fault in faults
