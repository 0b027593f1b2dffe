"""Random play here and in catanatron, interleaved: one table with ratios and spread. See bench/README.md."""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import landfall
from landfall.games import GAME_NAMES

HERE = Path(__file__).resolve().parent
CATANATRON = HERE.parent / ".bench" / "catanatron" / "bin" / "python"
LANDFALL = Path(sys.executable).parent / "landfall"
YARDSTICK = "catanatron"


@dataclass(frozen=True)
class Run:
    decisions: int
    games: int
    seconds: float

    @property
    def decisions_per_second(self) -> float:
        return self.decisions / self.seconds

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds


Play = Callable[[int, int], Run]  # games, seed


def run_and_parse(command: list[str], **env: str) -> dict[str, float]:
    """The JSON object a command prints last."""
    done = subprocess.run(command, env=os.environ | env, stdout=subprocess.PIPE, text=True, check=True)
    answer: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return answer


def play_catanatron(games: int, seed: int) -> Run:
    script = str(HERE / "catanatron_random.py")
    got = run_and_parse([str(CATANATRON), script, "--games", str(games), "--seed", str(seed)])
    return Run(int(got["actions"]), games, got["seconds"])


def play_ours(spec: str, pure: bool) -> Play:
    """Play random games of `game:players:option=value,...`; only the game's name is required."""
    game, players, options = (spec.split(":") + ["", ""])[:3]
    command = [str(LANDFALL), "sim", game, "--players", players or "4", "--json"]
    for option in filter(None, options.split(",")):
        command += ["--set", option]

    def play(games: int, seed: int) -> Run:
        got = run_and_parse([*command, "--games", str(games), "--seed", str(seed)], LANDFALL_PURE="1" if pure else "0")
        if got["compiled"] == pure:
            sys.exit(f"{spec}: asked for {'interpreted' if pure else 'compiled'} play and got the other")
        return Run(int(got["decisions"]), games, got["seconds"])

    return play


def calibrate_games(play: Play, seconds: float) -> int:
    """The number of games that fills the given time, found by playing more and more of them."""
    games = 4
    while (run := play(games, 1)).seconds < seconds / 8:
        games *= 4
    return max(1, round(games * seconds / run.seconds))


def format_table(rows: dict[str, list[Run]]) -> list[str]:
    lines = [f"{'':38} {'games/s':>9} {'decisions/s':>12} {'spread':>24} {'ratio':>7} {'spread':>16}"]
    for name, runs in rows.items():
        speeds = [r.decisions_per_second for r in runs]
        ratios = [s / c.decisions_per_second for s, c in zip(speeds, rows[YARDSTICK])]
        lines.append(
            f"{name:38} {median(r.games_per_second for r in runs):9,.1f} {median(speeds):12,.0f} "
            f"{f'{min(speeds):,.0f} – {max(speeds):,.0f}':>24} {median(ratios):7.2f} "
            f"{f'{min(ratios):.2f} – {max(ratios):.2f}':>16}"
        )
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME[:PLAYERS[:OPTION=VALUE,...]]", help="default: every game")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="length of one run")
    parser.add_argument("--no-pure", action="store_true", help="leave the interpreted engine out")
    args = parser.parse_args()
    if not CATANATRON.exists():
        sys.exit("catanatron's environment is not there: `make bench` makes it")

    engines = [pure for pure in (False, True) if not (pure and args.no_pure)]
    if landfall.ENGINE != "compiled":
        print(f"Only interpreted play is measured; the engine is {landfall.ENGINE}")
        engines = [True]
    plays: dict[str, Play] = {YARDSTICK: play_catanatron}
    for spec in args.games or GAME_NAMES:
        for pure in engines:
            plays[f"{spec} {'interpreted' if pure else 'compiled'}"] = play_ours(spec, pure)

    counts = {name: calibrate_games(play, args.seconds) for name, play in plays.items()}
    rows: dict[str, list[Run]] = {name: [] for name in plays}
    for turn in range(args.rounds):
        for name, play in plays.items():
            rows[name].append(play(counts[name], turn + 1))
    print(
        f"Random play, one core, {args.rounds} interleaved rounds of {args.seconds:g} s, medians; ratio to catanatron"
    )
    print("\n".join(format_table(rows)))


if __name__ == "__main__":
    main()
