"""Full counts of the environments' checks and of looking back, as parts of `python -m tests.proof`."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from collections.abc import Callable

from landfall.core.puzzle import load_puzzles
from landfall.core.rng import Rng
from landfall.games import BUILT_IN_GAMES
from landfall.games import game as find_game
from landfall.lab.experiments.puzzle_check import CONFIRMED, MAX_WORLDS, CheckJob, check_puzzle
from landfall.paths import puzzles_file
from tests.generic import environment_checks as checks
from tests.generic import review_truth_checks, two_world_comparison
from tests.generic.option_combinations import Combo, combos, covering, label
from tests.repository_files import REPO

WORLDS = 1_000  # games in two worlds over tensors
PUZZLES = 30
CHUNK = 20
SPIEL = REPO / ".bench" / "openspiel" / "bin" / "python"


class Part:
    """As tests.proof.Part, which imports this module."""

    def __init__(
        self,
        jobs: Callable[[str], int],
        do: Callable[[str, int], dict[str, int]],
        holds: Callable[[Counter[str]], list[str]] | None = None,
    ) -> None:
        self.jobs = jobs
        self.do = do
        self.holds = holds


def tables(name: str) -> list[Combo]:
    """The plain game at every player count, then every value of every option at each of them."""
    plain: list[Combo] = [(players, {}) for players in find_game(name).player_counts]
    return plain + [combo for combo in covering(name) if combo not in plain] if name in BUILT_IN_GAMES else []


def do_environments(name: str, job: int) -> dict[str, int]:
    """PettingZoo's and Gymnasium's checks at one table."""
    combo = tables(name)[job]
    try:
        checks.pettingzoo(name, combo, cycles=100)
        checks.gymnasium_checks(name, combo, "greedy" if job == 0 else "random")
    except Exception as error:
        raise AssertionError(f"{name} {label(combo)}: {error!r}") from error
    return {"tables": 1}


def do_tensors(name: str, job: int) -> dict[str, int]:
    """Whole games in two worlds, options at random: every position's tensors are the same bytes in both."""
    done: Counter[str] = Counter()
    every = combos(name)
    for seed in range(job * CHUNK, (job + 1) * CHUNK):
        combo = every[seed * 7919 % len(every)]
        try:
            found = two_world_comparison.two_worlds(
                name, combo, seed, seed % combo[0], kind=two_world_comparison.OfTensors
            )
        except Exception as error:
            raise AssertionError(f"{name} {label(combo)} seed {seed}: {error}") from error
        done.update({"games": 1, "observations": found.compared, "worlds": found.worlds})
        done["written over"] += two_world_comparison.written_over(name, combo, seed, steps=150)
    return done


def spiel(*words: str) -> str:
    """OpenSpiel's own checks and algorithms, in the environment that has it."""
    env = {**os.environ, "PYTHONPATH": f"{REPO / 'src'}{os.pathsep}{REPO}", "PYTHONWARNINGS": "ignore"}
    command = [str(SPIEL), "-m", "bench.openspiel_checks", *words]
    done = subprocess.run(command, env=env, cwd=REPO, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{words}: {done.stderr[-2000:]}"
    return done.stdout


def spiel_tables(name: str) -> list[Combo]:
    """Those that OpenSpiel's parameters can name."""
    return [combo for combo in tables(name) if all(isinstance(value, str | bool) for value in combo[1].values())]


def do_openspiel(name: str, job: int) -> dict[str, int]:
    """random_sim_test, a playthrough and samples of a seat's knowledge at one table; last, its IS-MCTS and MCCFR."""
    every = spiel_tables(name)
    if job < len(every):
        players, options = every[job]
        assert "samples" in spiel("check", name, "--players", str(players), "--options", json.dumps(options))
        return {"tables": 1}
    if name == "survive":
        return {}
    assert "IS-MCTS" in spiel("ismcts", name, "--games", "2", "--simulations", "20")
    assert "MCCFR" in spiel("mccfr", name, "--iterations", "5")
    return {"algorithms": 2}


def do_chances(name: str, job: int) -> dict[str, int]:
    """What looking back tells of positions of greedy bots' matches, and what came of them."""
    return review_truth_checks.chances(name, job * review_truth_checks.TOGETHER, review_truth_checks.TOGETHER)


def do_truth(name: str, job: int) -> dict[str, int]:
    """What the curve makes of forced moves and of the last round, beside games played to the end."""
    return review_truth_checks.truth(name, job * review_truth_checks.TRUE_TOGETHER, review_truth_checks.TRUE_TOGETHER)


def do_blunders(name: str, job: int) -> dict[str, int]:
    """Blunders planted in net bots' matches, and whether they are named."""
    return review_truth_checks.blunders(
        name, job * review_truth_checks.BLUNDERS_TOGETHER, review_truth_checks.BLUNDERS_TOGETHER
    )


def do_puzzles(name: str, job: int) -> dict[str, int]:
    """Puzzles drawn at random, checked by the second method with twice the worlds: at most one is not confirmed."""
    every, rng = load_puzzles(puzzles_file(name)), Rng(job + 1)
    drawn = [every.pop(int(rng.randbelow(len(every)))) for _ in range(PUZZLES)]
    found = [check_puzzle(CheckJob(name, one, 2 * MAX_WORLDS, seed=job + 2)) for one in drawn]
    open_ones = [one for one in found if one.verdict != CONFIRMED]
    assert len(open_ones) <= 1, open_ones
    return {"puzzles": len(found), "not confirmed": len(open_ones)}


PARTS = {
    "review-calibration": Part(
        lambda name: review_truth_checks.MATCHES // review_truth_checks.TOGETHER if name in BUILT_IN_GAMES else 0,
        do_chances,
        review_truth_checks.come_true,
    ),
    "review-truth": Part(
        lambda name: (
            review_truth_checks.TRUE_MATCHES // review_truth_checks.TRUE_TOGETHER if name in BUILT_IN_GAMES else 0
        ),
        do_truth,
        review_truth_checks.is_true,
    ),
    "review-blunders": Part(
        lambda name: (
            review_truth_checks.BLUNDERS // review_truth_checks.BLUNDERS_TOGETHER if name in BUILT_IN_GAMES else 0
        ),
        do_blunders,
        review_truth_checks.are_named,
    ),
    "review-worlds": Part(
        lambda name: review_truth_checks.WORLDS if name in BUILT_IN_GAMES else 0, review_truth_checks.two_worlds
    ),
    "puzzles": Part(lambda name: 1 if name in BUILT_IN_GAMES else 0, do_puzzles),
    "environments": Part(lambda name: len(tables(name)), do_environments),
    "tensors": Part(lambda name: WORLDS // CHUNK if name in BUILT_IN_GAMES else 0, do_tensors),
    "openspiel": Part(
        lambda name: len(spiel_tables(name)) + 1 if name in BUILT_IN_GAMES and SPIEL.exists() else 0, do_openspiel
    ),
}
