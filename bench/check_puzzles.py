"""Check puzzles by a second method (landfall.lab.experiments.puzzle_check); an interrupted run resumes.

python -m bench.check_puzzles --out FOLDER --processes 16       all puzzles of all games
python -m bench.check_puzzles --out FOLDER --games atlantis --ids 089fa2740a
python -m bench.check_puzzles --out FOLDER --found LOG.jsonl    those that `landfall puzzles make --log` found
"""

import argparse
import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from landfall import paths
from landfall.core.puzzle import Puzzle, load_puzzles
from landfall.games import BUILT_IN_GAMES
from landfall.lab.experiments.puzzle_check import MAX_WORLDS, CheckJob, check_puzzle
from landfall.lab.experiments.puzzle_mining import read_puzzles_of_mining_log
from landfall.lab.worker_pool import make_pool


def read_rows(path: Path) -> list[dict[str, object]]:
    """The complete lines of a file of results."""
    lines = path.read_text(encoding="utf-8").split("\n")[:-1] if path.exists() else []
    return [json.loads(line) for line in lines]


def list_puzzles(game: str, found: Path | None) -> list[Puzzle]:
    """A game's own puzzles, or those in a log of the mine."""
    return load_puzzles(paths.puzzles_file(game)) if found is None else read_puzzles_of_mining_log(game, found)


def main() -> None:
    """Check those that were asked for, and append a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="the folder of the results, one file per game")
    parser.add_argument("--games", nargs="+", choices=BUILT_IN_GAMES, default=list(BUILT_IN_GAMES))
    parser.add_argument("--ids", nargs="+", default=[], help="only these")
    parser.add_argument("--found", type=Path, help="a log of `landfall puzzles make`, instead of the games' puzzles")
    parser.add_argument("--processes", type=int, default=0, help="default: one per core")
    parser.add_argument("--worlds", type=int, default=MAX_WORLDS, help="of the last comparison, at most")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    jobs = [
        CheckJob(game, one, args.worlds)
        for game in args.games
        for done in [{row["id"] for row in read_rows(args.out / f"{game}.jsonl")}]
        for one in list_puzzles(game, args.found)
        if one.id not in done and (not args.ids or one.id in args.ids)
    ]
    with make_pool(args.processes) as workers:
        for number, done in enumerate(workers.as_completed(check_puzzle, jobs), 1):
            if done.error is not None:
                print(f"{number} of {len(jobs)}: {jobs[done.number].puzzle.id} failed: {done.error}", flush=True)
                continue
            checked = done.result()
            with (args.out / f"{checked.game}.jsonl").open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(checked)) + "\n")
            print(f"{number} of {len(jobs)}: {checked.game} {checked.id} {checked.verdict}", flush=True)
    for game in args.games:
        rows = read_rows(args.out / f"{game}.jsonl")
        print(f"{game}: {dict(Counter(str(row['verdict']) for row in rows))}")


if __name__ == "__main__":
    main()
