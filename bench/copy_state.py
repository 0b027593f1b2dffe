"""The cost of copying a state, and its size in bytes. See bench/README.md."""

import argparse
import random
from collections.abc import Callable
from itertools import repeat
from statistics import median
from time import perf_counter_ns

import landfall
from landfall import CHANCE, OVER, State
from landfall.games import GAME_NAMES


def time_call_ns(call: Callable[[], object], turns: int) -> float:
    """The time of one call in a tight loop, minus the loop: the median of five."""
    results = []
    for _ in range(5):
        start = perf_counter_ns()
        for _ in repeat(None, turns):
            pass
        empty = perf_counter_ns() - start
        start = perf_counter_ns()
        for _ in repeat(None, turns):
            call()
        results.append((perf_counter_ns() - start - empty) / turns)
    return median(results)


def play_randomly(state: State, actions: int, rng: random.Random) -> State:
    """The state after some random actions, or just before the match ends."""
    for _ in range(actions):
        before = state.copy()
        if state.actor == CHANCE:
            outcomes, weights = zip(*state.chance_outcomes())
            state.apply(rng.choices(outcomes, weights)[0])
        else:
            state.apply(rng.choice(state.legal_actions()))
        if state.actor == OVER:
            return before
    return state


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="default: every game")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--actions", type=int, default=150, help="how far into the match mid-game is")
    parser.add_argument("--turns", type=int, default=20_000)
    args = parser.parse_args()
    print(f"Copies of a state, {args.players} players, engine {landfall.ENGINE}")
    print(f"{'':12} {'':20} {'copy':>12} {'bytes':>7}")
    for game in args.games or GAME_NAMES:
        for place, actions in (("at the start", 0), (f"{args.actions} actions in", args.actions)):
            state = play_randomly(landfall.new(game, players=args.players), actions, random.Random(1))
            print(f"{game:12} {place:20} {time_call_ns(state.copy, args.turns):9,.0f} ns {len(state.to_bytes()):7,}")


if __name__ == "__main__":
    main()
