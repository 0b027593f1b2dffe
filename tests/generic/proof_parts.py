"""Full counts of the environments' checks and of looking back, as parts of `python -m tests.proof`."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from collections.abc import Callable

from landfall.core.puzzle import load_puzzles
from landfall.core.rng import Rng
from landfall.game_checks import two_world_comparison
from landfall.game_checks.option_combinations import Combo, all_combinations, combination_label, covering_combinations
from landfall.games import BUILT_IN_GAMES
from landfall.games import game as find_game
from landfall.lab.experiments.puzzle_check import CONFIRMED, MAX_WORLDS, CheckJob, check_puzzle
from landfall.paths import puzzles_file
from tests.generic import environment_checks as checks
from tests.generic import review_truth_checks
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


def settings_of_option_values(name: str) -> list[Combo]:
    """The plain game at every player count, then every value of every option at each of them."""
    plain: list[Combo] = [(players, {}) for players in find_game(name).player_counts]
    return (
        plain + [combo for combo in covering_combinations(name) if combo not in plain] if name in BUILT_IN_GAMES else []
    )


def check_environments_of_job(name: str, job: int) -> dict[str, int]:
    """PettingZoo's and Gymnasium's checks at one table."""
    combo = settings_of_option_values(name)[job]
    try:
        checks.run_pettingzoo_checks(name, combo, cycles=100)
        checks.run_gymnasium_checks(name, combo, "greedy" if job == 0 else "random")
    except Exception as error:
        raise AssertionError(f"{name} {combination_label(combo)}: {error!r}") from error
    return {"tables": 1}


def compare_tensors_of_job(name: str, job: int) -> dict[str, int]:
    """Whole games in two worlds, options at random: every position's tensors are the same bytes in both."""
    done: Counter[str] = Counter()
    every = all_combinations(name)
    for seed in range(job * CHUNK, (job + 1) * CHUNK):
        combo = every[seed * 7919 % len(every)]
        try:
            found = two_world_comparison.compare_two_worlds(
                name, combo, seed, seed % combo[0], kind=two_world_comparison.OfTensors
            )
        except Exception as error:
            raise AssertionError(f"{name} {combination_label(combo)} seed {seed}: {error}") from error
        done.update({"games": 1, "observations": found.compared, "worlds": found.worlds})
        done["written over"] += two_world_comparison.check_batch_rows_overwrite(name, combo, seed, steps=150)
    return done


def run_openspiel_program(*words: str) -> str:
    """OpenSpiel's own checks and algorithms, in the environment that has it."""
    env = {**os.environ, "PYTHONPATH": f"{REPO / 'src'}{os.pathsep}{REPO}", "PYTHONWARNINGS": "ignore"}
    command = [str(SPIEL), "-m", "bench.openspiel_checks", *words]
    done = subprocess.run(command, env=env, cwd=REPO, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{words}: {done.stderr[-2000:]}"
    return done.stdout


def settings_openspiel_can_name(name: str) -> list[Combo]:
    """Those that OpenSpiel's parameters can name."""
    return [
        combo
        for combo in settings_of_option_values(name)
        if all(isinstance(value, str | bool) for value in combo[1].values())
    ]


def check_openspiel_of_job(name: str, job: int) -> dict[str, int]:
    """random_sim_test, a playthrough and samples of a seat's knowledge at one table; last, OpenSpiel's own test of the
    API, and its CFR, IS-MCTS and MCCFR."""
    every = settings_openspiel_can_name(name)
    if job < len(every):
        players, options = every[job]
        assert "samples" in run_openspiel_program(
            "check", name, "--players", str(players), "--options", json.dumps(options)
        )
        return {"tables": 1}
    assert "own tests passed" in run_openspiel_program("api", name)
    if name == "survive":
        return {}
    if name == "atlantis":
        assert "rounds of MCCFR" in run_openspiel_program("cfr", name, "--iterations", "20")
    assert "IS-MCTS" in run_openspiel_program("ismcts", name, "--games", "2", "--simulations", "20")
    assert "MCCFR" in run_openspiel_program("mccfr", name, "--iterations", "5")
    return {"algorithms": 2}


def count_predicted_chances_of_job(name: str, job: int) -> dict[str, int]:
    """What looking back tells of positions of greedy bots' matches, and what came of them."""
    return review_truth_checks.count_predicted_chances(
        name, job * review_truth_checks.TOGETHER, review_truth_checks.TOGETHER
    )


def compare_curves_with_rollouts_of_job(name: str, job: int) -> dict[str, int]:
    """What the curve makes of forced moves and of the last round, beside games played to the end."""
    return review_truth_checks.measure_curve_against_rollouts(
        name, job * review_truth_checks.TRUE_TOGETHER, review_truth_checks.TRUE_TOGETHER
    )


def plant_blunders_of_job(name: str, job: int) -> dict[str, int]:
    """Blunders planted in net bots' matches, and whether they are named."""
    return review_truth_checks.count_named_blunders(
        name, job * review_truth_checks.BLUNDERS_TOGETHER, review_truth_checks.BLUNDERS_TOGETHER
    )


def recheck_random_puzzles(name: str, job: int) -> dict[str, int]:
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
        count_predicted_chances_of_job,
        review_truth_checks.find_untrue_tenths,
    ),
    "review-truth": Part(
        lambda name: (
            review_truth_checks.TRUE_MATCHES // review_truth_checks.TRUE_TOGETHER if name in BUILT_IN_GAMES else 0
        ),
        compare_curves_with_rollouts_of_job,
        review_truth_checks.find_curve_faults,
    ),
    "review-blunders": Part(
        lambda name: (
            review_truth_checks.BLUNDERS // review_truth_checks.BLUNDERS_TOGETHER if name in BUILT_IN_GAMES else 0
        ),
        plant_blunders_of_job,
        review_truth_checks.find_unnamed_blunders,
    ),
    "review-worlds": Part(
        lambda name: review_truth_checks.WORLDS if name in BUILT_IN_GAMES else 0,
        review_truth_checks.compare_judgements_in_two_worlds,
    ),
    "puzzles": Part(lambda name: 1 if name in BUILT_IN_GAMES else 0, recheck_random_puzzles),
    "environments": Part(lambda name: len(settings_of_option_values(name)), check_environments_of_job),
    "tensors": Part(lambda name: WORLDS // CHUNK if name in BUILT_IN_GAMES else 0, compare_tensors_of_job),
    "openspiel": Part(
        lambda name: len(settings_openspiel_can_name(name)) + 1 if name in BUILT_IN_GAMES and SPIEL.exists() else 0,
        check_openspiel_of_job,
    ),
}
