"""Our speed beside other engines', interleaved in one run, each in its own environment: `python -m bench.peers`.

`make peers` creates the environments first and writes the table into docs/speed.md. The unit is a player's decision per
processor time of all threads, so that a second core or other load does not matter.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import NamedTuple

import landfall
from landfall.games import BUILT_IN_GAMES as GAMES

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "speed.md"
MARK = "<!-- table: make peers -->"
OURS = "ours"


class Row(NamedTuple):
    """One line of a table: who plays what."""

    peer: str
    work: str
    words: str


def rows_for_our_games(work: str, words: str) -> list[Row]:
    """The same row for all three games."""
    return [Row(OURS, game + work, game.capitalize() + words) for game in GAMES]


def rows_by_match_count(peer: str, work: str, words: str) -> list[Row]:
    """The same row for few matches and for many."""
    return [Row(peer, f"{work}_{matches}", f"{words}, {matches:,} matches") for matches in (64, 1024)]


TABLES = {
    "Random play of the engine alone": [
        *rows_for_our_games("", ", four players"),
        Row("catanatron", "catan", "Catan, four players"),
        Row("openspiel", "backgammon", "backgammon (C++, stepped from Python)"),
        Row("openspiel", "connect_four", "connect four (C++, stepped from Python)"),
        Row("chess", "chess", "chess"),
    ],
    "Many matches at once, with observations and masks": [
        *(row for game in GAMES for row in rows_by_match_count(OURS, game, game.capitalize())),
        *rows_by_match_count("pgx", "backgammon", "backgammon"),
        *rows_by_match_count("pgx", "connect_four", "connect four"),
    ],
    "One match at a time through an environment, with observations and masks": [
        *rows_for_our_games("_turns", " through PettingZoo"),
        Row("pettingzoo", "connect_four", "connect four"),
        Row("rlcard", "limit_holdem", "limit hold'em"),
        Row("openspiel", "backgammon_environment", "backgammon, its environment for learning"),
    ],
}
PACKAGES = {
    "catanatron": "catanatron",
    "openspiel": "open-spiel",
    "pgx": "pgx",
    "pettingzoo": "pettingzoo",
    "rlcard": "rlcard",
    "chess": "chess",
}
NAMES = {OURS: "Landfall", "openspiel": "OpenSpiel", "pgx": "Pgx", "pettingzoo": "PettingZoo", "rlcard": "RLCard"}
NAMES |= {"chess": "python-chess"}


class Peer:
    """A program in its own environment that plays on request."""

    def __init__(self, name: str) -> None:
        self.name = name
        python = Path(sys.executable) if name == OURS else python_of(name)
        folders = [str(ROOT), str(ROOT / "src")] if name == OURS else [str(ROOT)]
        self.process = subprocess.Popen(
            [str(python), "-m", f"bench.peers.play_{name}"],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(folders), "OPENBLAS_NUM_THREADS": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def measure_rate(self, work: str, seconds: float) -> float:
        """Decisions per second of processor time."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{work} {seconds}\n")
        self.process.stdin.flush()
        while not (line := self.process.stdout.readline()).startswith("{"):  # some print a greeting
            if not line:
                sys.exit(f"{NAMES.get(self.name, self.name)} cannot play {work}")
        answer = json.loads(line)
        return float(answer["decisions"] / answer["seconds"])


def python_of(peer: str) -> Path:
    return ROOT / ".bench" / peer / "bin" / "python"


def measure_rows(rows: list[Row], peers: dict[str, Peer], rounds: int, seconds: float) -> dict[Row, list[float]]:
    """Measure every row in turn, several times; the first round is a warm-up."""
    found: dict[Row, list[float]] = {row: [] for row in rows if row.peer in peers}
    for turn in range(rounds + 1):
        for row, rates in found.items():
            rate = peers[row.peer].measure_rate(row.work, seconds if turn else seconds / 4)
            if turn:
                rates.append(rate)
    return found


def format_table(title: str, rows: list[Row], found: dict[Row, list[float]]) -> list[str]:
    """Format as Markdown; ratios are within a round."""
    first = found[rows[0]]
    lines = [f"## {title}", "", f"| | | decisions a second of a core | least – most | {rows[0].words}: times as fast |"]
    lines.append("|---|---|---:|---:|---:|")
    for row in rows:
        name = NAMES.get(row.peer, row.peer)
        if row not in found:
            lines.append(f"| {name} | {row.words} | not installed here | | |")
            continue
        rates = found[row]
        times = median(a / b for a, b in zip(first, rates, strict=True))
        ratio = "1" if row == rows[0] else f"{times:,.{2 if times < 10 else 0}f}"
        spread = f"{min(rates):,.0f} – {max(rates):,.0f}"
        lines.append(f"| {name} | {row.words} | {median(rates):,.0f} | {spread} | {ratio} |")
    return [*lines, ""]


def describe_machine(peers: dict[str, Peer]) -> str:
    """The machine and the versions."""
    lines = subprocess.run(["lscpu"], capture_output=True, text=True, check=False).stdout.splitlines()
    facts = dict(line.split(":", 1) for line in lines if ":" in line)
    model = facts.get("Model name", platform.processor() or "unknown processor").strip()
    load = os.getloadavg()[0]
    got = [f"{package} {installed_version(peer, package)}" for peer, package in PACKAGES.items() if peer in peers]
    return (
        f"{datetime.now(UTC):%Y-%m-%d}: {os.cpu_count()} cores of {model} ({platform.machine()}), {platform.system()}, "
        f"Python {platform.python_version()}, NumPy {version('numpy')}; {', '.join(got)}; "
        f"load {load:.0f} when it ended."
    )


def installed_version(peer: str, package: str) -> str:
    code = f"import importlib.metadata as m; print(m.version({package!r}))"
    return subprocess.run([python_of(peer), "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="of a row in a round")
    parser.add_argument("--write", action="store_true", help="into docs/speed.md")
    args = parser.parse_args()
    if landfall.ENGINE != "compiled":
        sys.exit(f"The engine is {landfall.ENGINE}; that would say nothing of its speed.")
    peers = {name: Peer(name) for name in (OURS, *PACKAGES) if name == OURS or python_of(name).exists()}
    lines: list[str] = []
    for title, rows in TABLES.items():
        lines += format_table(title, rows, measure_rows(rows, peers, args.rounds, args.seconds))
    lines = [describe_machine(peers), "", f"{args.rounds} rounds of {args.seconds:g} s each, medians.", "", *lines]
    print("\n".join(lines))
    if args.write:
        before, _, after = PAGE.read_text(encoding="utf-8").partition(MARK)
        rest = after.partition("\n## What is counted")[2]
        PAGE.write_text(f"{before}{MARK}\n" + "\n".join(lines) + f"\n## What is counted{rest}", encoding="utf-8")


if __name__ == "__main__":
    main()
