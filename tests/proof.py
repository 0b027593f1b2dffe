"""The full counts: `python -m tests.proof [PART ...] [--games GAME ...]`. Long, resumable, on all cores.

A part is a list of jobs of one game; each job is a short text that a function carries out, giving counts to add up.
What is done is kept in .proof/, so that a run cut short goes on where it stopped; `--again` forgets it.
A game's own tests add parts: `PARTS = {"name": Part(...)}` in tests/<game>/proof_parts.py.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Final

import landfall
from landfall import native
from landfall.game_checks import match_checks, position_checks, two_world_comparison
from landfall.game_checks.option_combinations import all_combinations, combination_label
from landfall.games import GAME_NAMES
from landfall.lab.worker_pool import AUTO_ADDRESS, ProcessPool, RayPool, WorkerPool
from tests.generic import engine_traces, position_text_checks, renamed_field_detection, training_checks
from tests.second_implementation import engine_comparison

STORE: Final = Path(__file__).resolve().parents[1] / ".proof"
SECRECY_GAMES: Final = 1_000
SECOND_GAMES: Final = 4_000
ENGINE_SEEDS: Final = 500
LINE_GAMES: Final = 400  # of which at least 25 positions each are written as lines
RAY: Final = STORE.parent / ".bench" / "ray" / "bin" / "python"  # its own environment: make .bench/ray/.done
RAY_GAMES: Final = 40
COSMIC_RAY: Final = STORE.parent / ".bench" / "mutants" / "bin" / "python"  # likewise
CHUNK: Final = 10  # seeds or combinations a job


@dataclass(frozen=True)
class Part:
    """One kind of proof: how many jobs a game needs, and what one job does and counts."""

    jobs: Callable[[str], int]
    do: Callable[[str, int], dict[str, int]]
    holds: Callable[[Counter[str]], list[str]] | None = None  # what is wrong with all counts added up


def count_chunks(total: int) -> int:
    return -(-total // CHUNK)


def check_combinations_of_job(name: str, job: int) -> dict[str, int]:
    """One random game of each combination with all properties, its record replayed, its first choices undone."""
    done: Counter[str] = Counter()
    for number, combo in list(enumerate(all_combinations(name)))[job * CHUNK : (job + 1) * CHUNK]:
        try:
            done["actions"] += position_checks.check_whole_random_game(name, combo, number, thoroughness=25)
            match = match_checks.random_match(name, combo, number)
            match_checks.check_record_replays(match)
            match_checks.check_events_numbered_alike(match)
            match_checks.check_undo_to_start(match_checks.random_match(name, combo, number, most=20))
        except Exception as error:
            raise AssertionError(f"{name} {combination_label(combo)} seed {number}: {error}") from error
        done["combinations"] += 1
    return done


def compare_two_worlds_of_job(name: str, job: int) -> dict[str, int]:
    """Whole games in two worlds, each for one seat or a spectator, options at random."""
    done: Counter[str] = Counter()
    every = all_combinations(name)
    for seed in range(job * CHUNK, (job + 1) * CHUNK):
        combo = every[seed * 7919 % len(every)]
        seat = None if seed % (combo[0] + 1) == combo[0] else seed % (combo[0] + 1)
        try:
            found = two_world_comparison.compare_two_worlds(name, combo, seed, seat, look_every=2)
        except Exception as error:
            raise AssertionError(f"{name} {combination_label(combo)} seed {seed} seat {seat}: {error}") from error
        done.update({"games": 1, "comparisons": found.compared, "worlds": found.worlds})
    return done


def compare_second_implementation_of_job(name: str, job: int) -> dict[str, int]:
    """Whole games beside the second reading of the rules, set-ups drawn from all."""
    done: Counter[str] = Counter()
    for seed in range(job * CHUNK, (job + 1) * CHUNK):
        done += engine_comparison.compare_random_game(name, engine_comparison.random_combination(name, seed), seed)
    return done


def check_position_texts_of_job(name: str, job: int) -> dict[str, int]:
    """Positions of random games as lines of text, read back, and in two worlds; options at random."""
    done: Counter[str] = Counter()
    every = all_combinations(name)
    for seed in range(job * CHUNK, (job + 1) * CHUNK):
        combo = every[seed * 7919 % len(every)]
        try:
            done["positions"] += position_text_checks.check_texts_of_random_game(name, combo, seed, share=2)
        except Exception as error:
            raise AssertionError(f"{name} {combination_label(combo)} seed {seed}: {error}") from error
    assert done["positions"] >= 25 * CHUNK, "too few positions for 10,000 a game"
    return done


def compare_engines_of_job(name: str, job: int) -> dict[str, int]:
    """The same seeds in both engines."""
    ours = engine_traces.digests_of_random_games(name, job * CHUNK, CHUNK)
    assert ours == engine_traces.digests_by_interpreted_engine(name, job * CHUNK, CHUNK), (
        f"{name}: seeds from {job * CHUNK} on differ"
    )
    return {"games": len(ours)}


def compare_ray_with_local_pool(name: str, job: int) -> dict[str, int]:
    """The same games on a Ray of two nodes as here, one of them killed: in Ray's own environment."""
    surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join(("src", ".")), "RAY_USAGE_STATS_ENABLED": "0"}
    surroundings["RAY_worker_niceness"] = "0"  # by itself Ray's workers give way to everything else
    command = [str(RAY), "-m", "tests.ray_cluster", str(RAY_GAMES)]
    done = subprocess.run(command, cwd=STORE.parent, env=surroundings, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    told: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    print(", ".join(f"{what} {value}" for what, value in told.items()), flush=True)
    return {what: int(told[what]) for what in ("games the same", "jobs", "done again")}


def proof_parts_by_name() -> dict[str, Part]:
    """Every part there is, those of the games' own tests included as `game.part`."""
    found: dict[str, Part] = {
        "combos": Part(lambda name: count_chunks(len(all_combinations(name))), check_combinations_of_job),
        "secrecy": Part(lambda name: count_chunks(SECRECY_GAMES), compare_two_worlds_of_job),
        "lines": Part(lambda name: count_chunks(LINE_GAMES), check_position_texts_of_job),
        "second": Part(lambda name: count_chunks(SECOND_GAMES), compare_second_implementation_of_job),
        "renames": Part(lambda name: 1, renamed_field_detection.check_every_rename_is_noticed),
    }
    if landfall.ENGINE == "compiled":
        found["engines"] = Part(lambda name: count_chunks(ENGINE_SEEDS), compare_engines_of_job)
        if training_checks.HERE:
            found["training"] = Part(lambda name: 1, lambda name, job: training_checks.check_training_of_game(name))
    if RAY.exists():
        found["ray"] = Part(lambda name: int(name == GAME_NAMES[0]), compare_ray_with_local_pool)
    if COSMIC_RAY.exists():
        found.update(import_module("tests.mutants.proof_parts").PARTS)
    for module in (
        "tests.generic.proof_parts",
        "tests.server.proof_parts",
        "tests.sim.proof_parts",
        "tests.client.proof_parts",
    ):
        found.update(import_module(module).PARTS)  # the same shape: they cannot import this module
    for game in GAME_NAMES:
        module = f"tests.{game}.proof_parts"
        if importlib.util.find_spec(f"tests.{game}") and importlib.util.find_spec(module):
            own: dict[str, Part] = import_module(module).PARTS
            found.update({f"{game}.{part}": what for part, what in own.items()})
    return found


def run_job(what: tuple[str, str, int]) -> dict[str, int]:
    """One job, in a process of its own."""
    part, game, job = what
    return dict(proof_parts_by_name()[part].do(game, job))


def fingerprint_package() -> str:
    """A fingerprint of all modules of the package."""
    return fingerprint_files("**/*.py")


def fingerprint_files(*patterns: str, root: Path = native.ROOT) -> str:
    """Of all files of the package, or of another folder, that go by these."""
    found = hashlib.blake2b(digest_size=16)
    for path in sorted({path for pattern in patterns for path in root.glob(pattern)}):
        found.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


class Store:
    """What was done, one line a job; forgotten when what it proves changes: the engine, or all of the server too."""

    def __init__(self, part: str, game: str, again: bool) -> None:
        STORE.mkdir(exist_ok=True)
        proven = fingerprint_package() if part.startswith(("server-", "site")) else native.source_digest()
        if part.startswith("review-"):
            plan = (STORE.parent / "tests/generic/review_truth_checks.py").read_bytes()
            proven = fingerprint_files(
                "analysis/*.py", "lab/experiments/win_probability_accuracy.py", "bots/value_net.py", "bots/nets/*.*"
            )
            proven += hashlib.blake2b(plan, digest_size=4).hexdigest() + native.source_digest()[:8]
        if part.startswith("mutants-"):
            proven = fingerprint_package()[:16] + fingerprint_files("**/*.py", root=STORE.parent / "tests")[:16]
        if part == "overlaps":
            proven = import_module("tests.client.overlap_measurement").measured()
        self.path = STORE / f"{part}-{game}-{proven}-{landfall.ENGINE.split(':')[0]}.jsonl"
        if again:
            self.path.unlink(missing_ok=True)
        lines = self.path.read_text().splitlines() if self.path.exists() else []
        self.done: dict[int, dict[str, int]] = {}
        for line in lines:
            try:
                job, counts = json.loads(line)
            except ValueError:  # a line cut short
                continue
            self.done[job] = counts

    def add(self, job: int, counts: dict[str, int]) -> None:
        """Keep the counts of a job."""
        self.done[job] = counts
        with self.path.open("a") as file:
            file.write(json.dumps([job, counts]) + "\n")

    def total(self) -> Counter[str]:
        """All counts added up."""
        return sum((Counter(counts) for counts in self.done.values()), Counter())


def run_missing_jobs(part: str, game: str, workers: WorkerPool, again: bool) -> list[str]:
    """All jobs of one part and game that are not done yet; what failed."""
    store = Store(part, game, again)
    jobs = [job for job in range(proof_parts_by_name()[part].jobs(game)) if job not in store.done]
    failures = []
    for number, done in enumerate(workers.as_completed(run_job, [(part, game, job) for job in jobs])):
        job = jobs[done.number]
        if done.error is None:
            store.add(job, done.result())
        else:
            failures.append(str(done.error).strip())
            print(f"{part} {game} job {job}: {failures[-1]}", flush=True)
        if sys.stderr.isatty():
            print(f"\r{part} {game}: {number + 1} of {len(jobs)} jobs", end="", file=sys.stderr)
    holds = getattr(proof_parts_by_name()[part], "holds", None)
    if holds is not None and not failures:
        failures += holds(store.total())
    counts = ", ".join(f"{value:,} {what}" for what, value in store.total().items())
    print(f"{part} {game}: {counts or 'nothing done'}{f'; failed: {len(failures)}' if failures else ''}", flush=True)
    return failures


def main() -> None:
    """Prove what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known = proof_parts_by_name()
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"default: all of {', '.join(known)}")
    parser.add_argument("--games", nargs="+", choices=GAME_NAMES, default=list(GAME_NAMES), help="default: every game")
    parser.add_argument("--again", action="store_true", help="forget what was done before")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1, help="default: all")
    parser.add_argument(
        "--ray", nargs="?", const=AUTO_ADDRESS, metavar="ADDRESS", help="on a Ray cluster (docs/cluster.md)"
    )
    args = parser.parse_args()
    unknown = [part for part in args.parts if part not in known]
    if unknown:
        parser.error(f"there is no part {unknown[0]!r}; there are {', '.join(known)}")
    print(f"engine {landfall.ENGINE}")
    if not training_checks.HERE:
        print("training: not run, torch is not installed")
    if not COSMIC_RAY.exists():
        print("mutants: not run, Cosmic Ray is not installed (make .bench/mutants/.done)")
    if not RAY.exists():
        print("ray: not run, it is not installed (make .bench/ray/.done)")
    failures = []
    with RayPool(args.ray) if args.ray else ProcessPool(args.cores) as workers:
        for part in args.parts or known:
            for game in args.games:
                if "." not in part or part.split(".")[0] == game:
                    failures += run_missing_jobs(part, game, workers, args.again)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
