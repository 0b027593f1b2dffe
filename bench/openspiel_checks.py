"""OpenSpiel's own checks and algorithms on our games, in an environment of its own: `make .bench/openspiel/.done`.

PYTHONPATH=src .bench/openspiel/bin/python -m bench.openspiel_checks api atlantis
PYTHONPATH=src .bench/openspiel/bin/python -m bench.openspiel_checks check atlantis --players 3
PYTHONPATH=src .bench/openspiel/bin/python -m bench.openspiel_checks cfr atlantis --iterations 20
PYTHONPATH=src .bench/openspiel/bin/python -m bench.openspiel_checks ismcts atlandice --games 4 --simulations 50
PYTHONPATH=src .bench/openspiel/bin/python -m bench.openspiel_checks mccfr atlandice --iterations 20
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
import unittest
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyspiel
from absl import flags
from open_spiel.python.algorithms import (
    cfr,
    exploitability,
    external_sampling_mccfr,
    generate_playthrough,
    get_all_states,
    ismcts,
    mcts,
    outcome_sampling_mccfr,
)

import landfall
from landfall.core.rng import Rng
from landfall.core.state import CHANCE
from landfall.lab.environments.openspiel import NAME_PREFIX, position_parameter

# A variant that is small enough to solve: the end of a random match, dealt in a few worlds, for a few choices.
SMALL_VARIANTS: Final = {"atlantis": {"seed": 9, "last": 23, "horizon": 4, "worlds": 2}}


def check_game(table: Any, args: argparse.Namespace) -> None:
    """Run random_sim_test, a playthrough replayed from its text, and samples from a seat's knowledge."""
    pyspiel.random_sim_test(table, args.games, True, False)
    check_information_states(table)
    text = generate_playthrough.playthrough(str(table), None, seed=1)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "playthrough.txt"
        file.write_text(text, encoding="utf-8")
        before, again = generate_playthrough.replay(str(file))
    assert before == again, "a replayed playthrough differs"
    positions = text.count("# State")
    print(f"{table}: {args.games} random games, a playthrough of {positions} positions, {check_samples(table)} samples")


def check_information_states(table: Any) -> None:
    """Along two random games with the same beginning: the tensors of a seat differ where its strings do, and what is
    seen of a state is seen of its clone."""
    found: dict[tuple[int, str], bytes] = {}
    for seed in (1, 1, 2):
        state, random = table.new_initial_state(), np.random.RandomState(seed)
        while not state.is_terminal():
            if not state.is_chance_node() and state.move_number() % 5 == 0:
                for seat in range(table.num_players()):
                    tensor = np.array(state.information_state_tensor(seat), np.float32)
                    assert len(tensor) == table.information_state_tensor_size()
                    key = (seat, state.information_state_string(seat))
                    assert found.setdefault(key, tensor.tobytes()) == tensor.tobytes(), "one string, two tensors"
                    assert state.clone().information_state_string(seat) == key[1]
            state.apply_action(sample_action(state, random))
        assert sum(one.player >= 0 for one in state.full_history()) <= table.max_game_length()
    per_seat = [(seat, tensor) for (seat, _), tensor in found.items()]
    assert len(per_seat) == len(set(per_seat)), "two strings, one tensor"


def run_api_test(table: Any, args: argparse.Namespace) -> None:
    """OpenSpiel's own test of the API, on this game."""
    api_test = import_module("open_spiel.integration_tests.api_test")  # lists the games when it is imported
    flags.FLAGS(["spiel"])
    flags.FLAGS.test_only_games = table.get_type().short_name + "$"
    every = api_test.load_tests(unittest.TestLoader(), None, None)
    result = unittest.TextTestRunner(verbosity=0).run(every)
    assert result.wasSuccessful(), result.failures + result.errors
    assert result.testsRun > 0
    print(f"{table}: {result.testsRun} of OpenSpiel's own tests passed")


def measure_clone(table: Any, args: argparse.Namespace) -> None:
    """What a clone costs in the middle of a match, in microseconds, beside a copy of the engine's state."""
    state, random = table.new_initial_state(), np.random.RandomState(1)
    for _ in range(100):
        state.apply_action(sample_action(state, random))
    costs = []
    for copied in (state.clone, state.held.position.copy):
        began = time.perf_counter()
        for _ in range(2_000):
            copied()
        costs.append((time.perf_counter() - began) / 2_000 * 1e6)
    print(f"{table}: a clone takes {costs[0]:.1f} µs, a copy of the engine's state {costs[1]:.2f} µs")


def small_variant(name: str) -> Any:
    """The game's small variant."""
    where = SMALL_VARIANTS[name]
    state, rng = landfall.new(name, 2), Rng(where["seed"])
    choices: list[Any] = []
    while state.actor != landfall.OVER:
        if state.actor == CHANCE:
            state.apply(state.sample_chance(rng))
        else:
            choices.append(state.copy())
            state.apply(state.random_action(rng))
    settings = {"worlds": where["worlds"], "horizon": where["horizon"], "reward": "score"}
    position = position_parameter(choices[-where["last"]])
    return pyspiel.load_game(NAME_PREFIX + name, {"players": 2, "position": position, **settings})


def run_cfr(table: Any, args: argparse.Namespace) -> None:
    """CFR and external-sampling MCCFR on the small variant: how exploitable their average policies are."""
    table = small_variant(args.game)
    states = get_all_states.get_all_states(table, depth_limit=-1, include_terminals=True, include_chance_states=True)
    print(f"{args.game}: {len(states):,} states", flush=True)
    np.random.seed(1)
    solvers: list[tuple[str, Any, int]] = [
        ("CFR", cfr.CFRSolver(table), 1),
        ("MCCFR", external_sampling_mccfr.ExternalSamplingSolver(table), 10),
    ]
    for name, solver, factor in solvers:
        curve, done = [], 0
        for goal in (1, max(2, args.iterations // 10), args.iterations):
            while done < goal * factor:
                solver.evaluate_and_update_policy() if name == "CFR" else solver.iteration()
                done += 1
            curve.append(exploitability.exploitability(table, solver.average_policy()))
        shown = ", ".join(f"{one:.4f}" for one in curve)
        assert curve[2] < curve[1] < curve[0], f"{name}: exploitability does not fall: {shown}"
        rounds = f"1, {args.iterations // 10}, {args.iterations} rounds of {name}"
        print(f"{args.game}: exploitability after {rounds}: {shown}")


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
    parser.add_argument("work", choices=["api", "check", "clone", "cfr", "ismcts", "mccfr"])
    parser.add_argument("game", help="one of survive, atlantis, atlandice")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--options", type=json.loads, default={}, help="the game's own, as JSON")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--simulations", type=int, default=50)
    parser.add_argument("--iterations", type=int, default=20)
    args = parser.parse_args()
    flags.FLAGS(["spiel"])  # OpenSpiel reads its own flags
    cache_tensors()
    table = pyspiel.load_game(NAME_PREFIX + args.game, {"players": args.players, **args.options})
    work = {"api": run_api_test, "check": check_game, "clone": measure_clone, "cfr": run_cfr}
    {**work, "ismcts": play_ismcts, "mccfr": run_mccfr}[args.work](table, args)


if __name__ == "__main__":
    main()
