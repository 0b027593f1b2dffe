"""For authors of games: a small game is written, plays everywhere, and what an author forgot is said in one line."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from landfall.game_checks.check_game import CHECKS
from landfall.game_checks.small_game_template import TEMPLATE, write_small_game
from landfall.games import BadGameName
from tests.repository_files import REPO

pytestmark = pytest.mark.once
COMMAND = "import sys; from landfall.cli import main; main()"
FORGOTTEN = [
    ("contract", "    def notation(self", "    def notating(self", "TidesState lacks notation"),
    ("random games", 'return "TI.T2" if action >= self.stones else ""', 'return ""', "stones is -1, not 0 to 21"),
    ("records", "self.record_event(", "(lambda *said: None)(", "no match records an event"),
    ("secrecy", "self.hides = False", "self.hides = True", "in 0 positions `resample` changed something"),
    ("secrecy", '("stones", STONES, 0, STONES)', '("stones", STONES, 0, STONES, NOBODY)', "write resample"),
    ("rules", "**TI.T2**", "**TI.T3**", "why.TI.T2: the rules have no TI.T2"),
    ("texts", '"act.take"', '"act.taking"', "the texts lack act.take"),
    ("texts", "{who:seat} takes", "Somebody takes", "wait.turn names nobody: write {who:seat}"),
    ("bots", "return 1000 * self.points[seat] +", "return -1000 * self.points[seat] -", "`evaluate` misleads it"),
]


def landfall(*words: str, folder: Path, typed: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(REPO / "src"), "PYTHONWARNINGS": "ignore", **more}
    command = [sys.executable, "-c", COMMAND, *words]
    return subprocess.run(command, cwd=folder, env=env, input=typed, capture_output=True, text=True, check=False)


def written_game(folder: Path) -> Path:
    """The source of a small game, just written."""
    done = landfall("new-game", "tides", folder=folder)
    assert done.returncode == 0, done.stderr
    return folder / "tides/landfall_tides/game_definition.py"


def findings(said: str) -> dict[str, tuple[str, str]]:
    """What is said of each subject: `ok` or `missing`, and the sentence."""
    return {subject: (mark, rest) for mark, subject, rest in re.findall(r"^(ok|missing) +([a-z ]+): (.*)$", said, re.M)}


def test_a_new_game_is_one_file_and_lacks_nothing(tmp_path: Path) -> None:
    source = written_game(tmp_path)
    assert sorted(path.name for path in (tmp_path / "tides").rglob("*.*")) == [
        "__init__.py",
        "game_definition.py",
        "pyproject.toml",
    ]
    assert "tones" not in source.read_text(encoding="utf-8").replace("stones", "")
    done = landfall("check-game", "tides", folder=tmp_path)
    found = findings(done.stdout)
    assert list(found) == [subject for subject, _, _ in CHECKS]
    assert {mark for mark, _ in found.values()} == {"ok"}, done.stdout
    assert "no kernel, which is no fault: " in found["kernel"][1]
    assert done.returncode == 0


@pytest.mark.parametrize(("subject", "right", "wrong", "said"), FORGOTTEN, ids=[one[3] for one in FORGOTTEN])
def test_what_an_author_forgot_is_said_with_where_to_read(
    tmp_path: Path, subject: str, right: str, wrong: str, said: str
) -> None:
    source = written_game(tmp_path)
    text = source.read_text(encoding="utf-8").replace("import DeclaredField,", "import NOBODY, DeclaredField,")
    assert right in text
    source.write_text(text.replace(right, wrong), encoding="utf-8")
    done = landfall("check-game", "tides", folder=tmp_path)
    mark, sentence = findings(done.stdout)[subject]
    assert mark == "missing", done.stdout
    assert said in sentence
    assert sentence.endswith(f"Read {next(read for one, _, read in CHECKS if one == subject)}.")
    assert done.returncode == 1


def test_a_new_game_plays_in_a_terminal_and_in_environments(tmp_path: Path) -> None:
    folder = written_game(tmp_path).parent
    packages = folder.parent
    info = packages / "landfall_tides-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: landfall-tides\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(
        "[landfall.games]\ntides = landfall_tides.game_definition:GAME\n", encoding="utf-8"
    )
    path = os.pathsep.join((str(packages), str(REPO / "src")))
    order = ("play", "tides", "--text", "--players", "2", "--seed", "4")
    played = landfall(*order, folder=tmp_path, typed="1\n" * 30, PYTHONPATH=path)
    assert played.returncode == 0, played.stderr
    assert "Tides" in played.stdout
    assert "takes 1 stone." in played.stdout
    assert not re.search(r"\b(?:event|act|ask|term|why)\.\w+", played.stdout), "a text is missing"
    script = (
        "from landfall.lab.environments.pettingzoo import env\n"
        "from pettingzoo.test import api_test\n"
        "api_test(env('tides', players=3), num_cycles=50)\n"
        "from landfall.lab.environments.vector import MatchVectorEnv\n"
        "many = MatchVectorEnv('tides', 4)\n"
        "many.reset(seed=1)\n"
        "print([many.step(many.random_actions)[0].shape[0] for _ in range(30)][-1])\n"
    )
    env = {**os.environ, "PYTHONPATH": path, "PYTHONWARNINGS": "ignore"}
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1:] == ["4"], done.stderr


@pytest.mark.parametrize("name", ["Tides", "", "a b", "survive", "../tides"])
def test_a_name_that_no_game_can_have_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadGameName):
        write_small_game(name, tmp_path / "there")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("name", "prefix"), [("a1b", "AB"), ("none", "NO"), ("lfx", "LX"), ("atoll", "AO")])
def test_a_new_game_has_letters_of_its_own_and_a_name_that_python_takes(name: str, prefix: str, tmp_path: Path) -> None:
    source = write_small_game(name, tmp_path / name)[-1].read_text(encoding="utf-8")
    compile(source, name, "exec")
    assert set(re.findall(r"\*\*(\w+)\.", source)) == {prefix}


def test_a_folder_that_hides_another_package_or_game_is_refused(tmp_path: Path) -> None:
    """And what lies beside a game hides no module of Python."""
    package = written_game(tmp_path).parent
    (tmp_path / "tides/statistics.py").write_text("raise SystemExit('not the statistics of Python')", encoding="utf-8")
    script = "from landfall.games import find_or_register_game; find_or_register_game('tides'); import statistics"
    assert subprocess.run([sys.executable, "-c", script], cwd=tmp_path, check=False).returncode == 0
    (tmp_path / "tides/statistics.py").unlink()
    hidden = package.rename(package.parent / "json")
    done = landfall("check-game", str(hidden), folder=tmp_path)
    assert (done.returncode, done.stderr[:42]) == (2, "landfall: no new game can be called 'json'")
    named = hidden.rename(package)
    source = named / "game_definition.py"
    source.write_text(source.read_text("utf-8").replace('("tides", 1', '("survive", 1'), encoding="utf-8")
    assert "no new game can be called 'survive'" in landfall("check-game", "tides", folder=tmp_path).stderr


def test_one_seat_alone_may_have_a_secret(tmp_path: Path) -> None:
    source = written_game(tmp_path)
    text = source.read_text(encoding="utf-8").replace("import DeclaredField,", "import NOBODY, DeclaredField,")
    text = text.replace(
        "STONES, 0, STONES),\n", 'STONES, 0, STONES),\n        number_field("mark", 0, 0, 9, NOBODY),\n'
    )
    text = text.replace("    stones: int\n", "    stones: int\n    mark: int\n").replace(
        "hides = False", "hides = True"
    )
    resample = (
        "    def resample(self, seat, rng):\n        found = self.copy()\n"
        "        found.mark = self.mark if seat == 0 else int(rng.randbelow(10))\n        return found\n\n"
    )
    source.write_text(text.replace("    # --- for bots ---", resample + "    # --- for bots ---"), encoding="utf-8")
    found = findings(landfall("check-game", "tides", folder=tmp_path).stdout)
    assert found["secrecy"][0] == "ok", found


def test_nothing_is_said_to_hold_where_python_checks_nothing(tmp_path: Path) -> None:
    done = landfall("check-game", "atlandice", folder=tmp_path, PYTHONOPTIMIZE="1")
    assert (done.returncode, done.stdout) == (2, "")
    assert "unset PYTHONOPTIMIZE" in done.stderr


def test_a_game_that_never_ends_is_said_and_nothing_waits_for_it(tmp_path: Path) -> None:
    source = written_game(tmp_path)
    text = source.read_text(encoding="utf-8").replace("self.stones -= action + 1", "self.stones -= 0")
    source.write_text(text, encoding="utf-8")
    found = findings(landfall("check-game", "tides", folder=tmp_path).stdout)
    assert list(found) == ["contract", "random games"]
    assert found["random games"] == (
        "missing",
        "a random game did not end within 20000 actions Read docs/new-game.md, step 3.",
    )


def test_nothing_is_written_over(tmp_path: Path) -> None:
    source = written_game(tmp_path)
    before = source.read_text(encoding="utf-8")
    assert landfall("new-game", "tides", folder=tmp_path).returncode != 0
    assert source.read_text(encoding="utf-8") == before


def test_check_game_names_the_games_there_are_when_it_finds_none(tmp_path: Path) -> None:
    done = landfall("check-game", "nothing_here", folder=tmp_path)
    assert done.returncode != 0
    assert "survive" in done.stdout + done.stderr


def test_the_page_says_how_to_begin() -> None:
    page = (REPO / "docs/new-game.md").read_text(encoding="utf-8")
    assert "landfall new-game" in page
    assert "landfall check-game" in page
    assert len(TEMPLATE.read_text(encoding="utf-8").splitlines()) <= 160
