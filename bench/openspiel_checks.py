"""OpenSpiel's own checks and algorithms on our games, in an environment of its own: `make .bench/openspiel/.done`.

PYTHONPATH=src .bench/openspiel/bin/python -m bench.openspiel_checks check atlantis --players 3
PYTHONPATH=src .bench/openspiel/bin/python -m bench.openspiel_checks ismcts atlandice --games 4 --simulations 50
PYTHONPATH=src .bench/openspiel/bin/python -m bench.openspiel_checks mccfr atlandice --iterations 20
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
from absl import flags
from open_spiel.python.algorithms import generate_playthrough, ismcts, mcts, outcome_sampling_mccfr

import landfall.lab.environments.openspiel  # registers the games


def check_game(table: Any, args: argparse.Namespace) -> None:
    """Run random_sim_test, a playthrough replayed from its text, and samples from a seat's knowledge."""
    pyspiel.random_sim_test(table, args.games, True, False)
    text = generate_playthrough.playthrough(str(table), None, seed=1)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "playthrough.txt"
        file.write_text(text, encoding="utf-8")
        before, again = generate_playthrough.replay(str(file))
    assert before == again, "a replayed playthrough differs"
    positions = text.count("# State")
    print(f"{table}: {args.games} random games, a playthrough of {positions} positions, {check_samples(table)} samples")


def cache_tensors() -> None:
    """Cache tensors: computing them takes most of a playthrough's time, and nearly all repeat."""
    write, known = generate_playthrough._format_tensor, dict[tuple[str, bytes], list[str]]()

    def written(tensor: Any, name: str) -> list[str]:
        key = (name, tensor.tobytes())
        if key not in known:
            known[key] = write(tensor, name)
        return known[key]

    generate_playthrough._format_tensor = written


def check_samples(table: Any) -> int:
    """Sample positions from a seat's knowledge along a random game; each looks the same to that seat."""
    random, state, count = np.random.RandomState(1), table.new_initial_state(), 0
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    while not state.is_terminal():
        seat = state.current_player()
        if seat >= 0 and random.randint(4) == 0:
            other = state.resample_from_infostate(seat, sampler)
            assert other.information_state_string(seat) == state.information_state_string(seat)
            assert other.legal_actions() == state.legal_actions()
            assert list(other.observation_tensor(seat)) == list(state.observation_tensor(seat))
            count += 1
        state.apply_action(sample_action(state, random))
    assert count > 0
    return count


def sample_action(state: Any, random: Any) -> int:
    """Sample an action or a chance outcome."""
    if not state.is_chance_node():
        return int(random.choice(state.legal_actions()))
    outcomes, odds = zip(*state.chance_outcomes(), strict=True)
    return int(random.choice(outcomes, p=odds))


def play_ismcts(table: Any, args: argparse.Namespace) -> None:
    """Play OpenSpiel's IS-MCTS on the first seat against random players."""
    random, won, began = np.random.RandomState(1), 0, time.perf_counter()
    bot = ismcts.ISMCTSBot(
        table,
        mcts.RandomRolloutEvaluator(1, random),
        2.0,
        args.simulations,
        random_state=random,
        allow_inconsistent_action_sets=True,
    )
    for _ in range(args.games):
        state = table.new_initial_state()
        while not state.is_terminal():
            state.apply_action(int(bot.step(state)) if state.current_player() == 0 else sample_action(state, random))
        won += state.returns()[0] > 0
    seconds = time.perf_counter() - began
    print(f"{table}: IS-MCTS of {args.simulations} simulations won {won} of {args.games} games, {seconds:.1f} s")


def run_mccfr(table: Any, args: argparse.Namespace) -> None:
    """Run OpenSpiel's outcome-sampling MCCFR; prints the number of information states in its policy."""
    np.random.seed(1)
    solver, began = outcome_sampling_mccfr.OutcomeSamplingSolver(table), time.perf_counter()
    for _ in range(args.iterations):
        solver.iteration()
    policy = solver.average_policy()
    state, random = table.new_initial_state(), np.random.RandomState(1)
    while state.current_player() < 0:
        state.apply_action(sample_action(state, random))
    odds = policy.action_probabilities(state)
    assert abs(sum(odds.values()) - 1) < 1e-6
    met, seconds = len(solver._infostates), time.perf_counter() - began
    print(f"{table}: {args.iterations} iterations of MCCFR met {met} information states, {seconds:.1f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", choices=["check", "ismcts", "mccfr"])
    parser.add_argument("game", help="one of survive, atlantis, atlandice")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--options", type=json.loads, default={}, help="the game's own, as JSON")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--simulations", type=int, default=50)
    parser.add_argument("--iterations", type=int, default=20)
    args = parser.parse_args()
    flags.FLAGS(["spiel"])  # OpenSpiel reads its own flags
    cache_tensors()
    name = landfall.lab.environments.openspiel.NAME_PREFIX + args.game
    table = pyspiel.load_game(name, {"players": args.players, **args.options})
    {"check": check_game, "ismcts": play_ismcts, "mccfr": run_mccfr}[args.work](table, args)


if __name__ == "__main__":
    main()
