"""Every command that a page asks its reader to run, runs: page by page, in its order, with small numbers."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

import landfall
from tests.conftest import LONG
from tests.repository_files import REPO
from tests.server.real_server import ServerProcess, free_port

pytestmark = pytest.mark.once

PAGES: Final = sorted([*REPO.glob("*.md"), *REPO.glob("docs/**/*.md"), *REPO.glob("examples/**/*.md")])
FENCED: Final = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
INDENTED: Final = re.compile(r"^ {4}((?:landfall|python|pip|make) .*)$", re.MULTILINE)
RUNS: Final = re.compile(r"(?:\.venv/bin/)?(landfall|python) .*")
OTHER_PROGRAM: Final = re.compile(r"(?:sudo|docker|apt|pip|make|cd|echo|printf|npm|git|ray) ?.*")
# As much as shows that the command does its work.
SMALLER: Final = [
    (r"--games \d+", "--games 2"), (r"--count \d+", "--count 1"),
    (r"--minutes \d+", "--minutes 0.02"), (r"--sample \d+", "--sample 1"), (r"--cores 0", "--cores 1"),
    (r"iters=\d+", "iters=5"), (r"--bot marlin", "--bot greedy"),
]  # fmt: skip
# What this machine has not, and where it is tried.
ELSEWHERE: Final = {
    r"--bus nats": "tests/server/test_bus.py has a NATS server",
    r"postgresql\+asyncpg": "tests/store and tests/server have a PostgreSQL",
    r"landfall bot --server": "tests/server/test_online_bots.py; it plays until it is stopped",
    r"-m pytest|tests\.client": "these are tests themselves",
    r"landfall study": "tests/test_study.py: a study plays ten matches of each of its many set-ups at least",
    r"landfall train": "tests/generic/training_checks.py, where torch is",
    r"puzzles (?:make|select)|bench\.check_puzzles": "tests/client and bench: to find one puzzle takes minutes",
}


@dataclass(frozen=True)
class Command:
    """A line of a page."""

    page: str
    line: str

    @property
    def elsewhere(self) -> str:
        """Where it is run, or by whom, if not here."""
        if not RUNS.fullmatch(self.line):
            return "another program" if OTHER_PROGRAM.fullmatch(self.line) else ""
        return next((reason for pattern, reason in ELSEWHERE.items() if re.search(pattern, self.line)), "")


def commands_of_page(page: Path) -> Iterator[Command]:
    text = page.read_text(encoding="utf-8")
    name = page.relative_to(REPO).as_posix()
    fenced = [line.strip() for language, block in FENCED.findall(text) if not language for line in block.splitlines()]
    lines = [line for line in fenced if RUNS.fullmatch(line) or OTHER_PROGRAM.fullmatch(line)]
    for line in [*lines, *INDENTED.findall(text)]:
        yield Command(name, line)


COMMANDS: Final = list(dict.fromkeys(command for page in PAGES for command in commands_of_page(page)))
HERE: Final = [command for command in COMMANDS if RUNS.fullmatch(command.line) and not command.elsewhere]


def prepare_folder(folder: Path) -> None:
    """What readers have by the time they come to a command: a bot of theirs, records, a net, this tree's examples."""
    python = re.findall(r"^```python\n(.*?)^```$", (REPO / "docs/bots.md").read_text("utf-8"), re.DOTALL | re.MULTILINE)
    bot = next(text for text in python if "class Rollouts" in text)
    (folder / "mine.py").write_text(bot, encoding="utf-8")
    (folder / "mybot.py").write_text("from landfall.bots.greedy_bot import GreedyBot as MyBot\n", encoding="utf-8")
    (folder / "examples").symlink_to(REPO / "examples")
    (folder / "research").mkdir()
    shutil.copy(REPO / "research/leaderboard.jsonl", folder / "research")
    shutil.copy(REPO / "src/landfall/bots/nets/survive.npz", folder)
    (folder / "records").mkdir()
    for seed in range(2):
        match = landfall.Match("atlandice", players=2, seed=seed)
        while match.legal_actions():
            match.play(match.legal_actions()[0])
        (folder / "records" / f"{seed}.txt").write_text(match.record(), encoding="utf-8")


def run_command(command: Command, folder: Path) -> None:
    """In the folder, as its reader would: what is served is stopped, what is played is left."""
    line = command.line.partition(" #")[0].removeprefix(".venv/bin/")
    for pattern, small in SMALLER:
        line = re.sub(pattern, small, line)
    line, _, written = line.partition(" > ")
    words = shlex.split(line)
    program = [str(Path(sys.executable).with_name("landfall"))] if words[0] == "landfall" else [sys.executable]
    environment = {**os.environ, "HOME": str(folder), "PYTHONPATH": str(REPO)}
    if words[1] == "serve":
        serve_until_ready([*program, *words[1:]], folder, environment)
        return
    done = subprocess.run(
        [*program, *words[1:]],
        cwd=folder,
        env=environment,
        input="quit\n",
        capture_output=True,
        text=True,
        timeout=LONG,
    )
    assert done.returncode == 0, f"{command.line}\n{done.stdout[-500:]}{done.stderr[-1500:]}"
    if written:
        (folder / written).write_text(done.stdout, encoding="utf-8")
        assert done.stdout


def serve_until_ready(words: list[str], folder: Path, environment: dict[str, str]) -> None:
    port = free_port()
    words = [word for word in words if word not in ("--port", "8000")]
    served = ServerProcess(str(folder / "served.db"), port=port)
    process = subprocess.Popen([*words, "--port", str(port)], cwd=folder, env=environment, stderr=subprocess.PIPE)
    served.process = AsProcess(process)  # type: ignore[assignment]
    try:
        served.ready()
    finally:
        process.terminate()
        process.communicate(timeout=LONG)
    assert process.returncode == 0


class AsProcess:
    """A subprocess as `ServerProcess.ready` asks for one."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    @property
    def exitcode(self) -> int | None:
        return self.process.poll()


def test_every_command_of_a_page_is_run_here_or_elsewhere() -> None:
    assert len(HERE) >= 12
    assert [command for command in COMMANDS if command not in HERE and not command.elsewhere] == []
    assert {pattern for pattern in ELSEWHERE if not any(re.search(pattern, one.line) for one in COMMANDS)} == set()
    for reason in ELSEWHERE.values():
        for path in re.findall(r"tests/[\w/.]+", reason):
            assert (REPO / path).exists(), reason


@pytest.mark.proof
@pytest.mark.parametrize("page", sorted({command.page for command in HERE}))
def test_the_commands_of_a_page_run(page: str, tmp_path: Path) -> None:
    prepare_folder(tmp_path)
    for command in HERE:
        if command.page == page:
            run_command(command, tmp_path)


@pytest.mark.proof
def test_a_command_that_does_not_run_is_found(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="nosuchgame"):
        run_command(Command("a page", "landfall sim nosuchgame --games 3"), tmp_path)
