"""`python -m bench.opening_table`: the value of an explorer by slot at set-up, the table of
games/survive/ai/opening_book.py.

Greedy bots play Survive to the end. In each game about half of them place their explorers at random, so that a slot is
independent of everything else. Least squares give the share of an explorer's value that a slot brings home, and the
bonus of higher ground; a slot and its image under half a turn of the island are one.
"""

from __future__ import annotations

import argparse
from functools import partial

import landfall
from landfall.bots.search.one_ply_search import best_action
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER
from landfall.games.survive.rules.board import SLOT_OF
from landfall.games.survive.rules.components import FOREST
from landfall.games.survive.rules.phases import PLACING
from landfall.games.survive.state import SurviveState
from landfall.lab.experiments.simulation import seat_rngs, seed_of_game
from landfall.lab.worker_pool import make_pool

HALF_OF_SLOTS = 20
PLAYER_COUNTS = (4, 6)  # averaged
Row = list[float]


def play_game(players: int, number: int) -> list[tuple[Row, int]]:
    """For each seat that placed at random: its values by slot, those times the height above forest, and its score."""
    state, rng = landfall.game("survive").new(players), Rng(seed_of_game(players, number))
    assert isinstance(state, SurviveState)
    rngs = seat_rngs(seed_of_game(players, number), players)
    at_random = [int(rng.randbelow(2)) == 1 for _ in range(players)]
    rows: dict[int, Row] = {}
    while state.actor != OVER:
        seat = int(state.actor)
        if seat == CHANCE:
            state.apply(state.sample_chance(rng))
            continue
        if state.phase == PLACING and at_random[seat]:
            state.apply(state.random_action(rngs[seat]))
            continue
        if state.phase != PLACING and not rows:
            rows = {seat: placed_values(state, seat) for seat in range(players) if at_random[seat]}
        state.apply(best_action(state.resample(seat, rngs[seat]), seat, rngs[seat]))
    scores = state.scores()
    return [(row, scores[seat]) for seat, row in rows.items()]


def placed_values(state: SurviveState, seat: int) -> Row:
    """The explorers a seat has placed: see `play_game`."""
    row = [0.0] * (2 * HALF_OF_SLOTS)
    for e in range(10 * seat, 10 * seat + 10):
        at = int(state.where[e])
        if at >= 0:
            slot = int(SLOT_OF[at])
            half = slot if slot < HALF_OF_SLOTS else 2 * HALF_OF_SLOTS - 1 - slot
            row[half] += int(state.value[e])
            row[HALF_OF_SLOTS + half] += int(state.value[e]) * int(state.tile[at] - FOREST)
    return row


def fit_weights(rows: list[tuple[Row, int]], prior: float = 20.0) -> Row:
    """The least-squares weights; `prior` regularises slots with few games."""
    n = len(rows[0][0])
    a = [[sum(x[i] * x[j] for x, _ in rows) + (prior if i == j else 0.0) for j in range(n)] for i in range(n)]
    b = [sum(x[i] * y for x, y in rows) for i in range(n)]
    for i in range(n):  # positive definite: no pivoting needed
        for k in range(i + 1, n):
            part = a[k][i] / a[i][i]
            a[k] = [x - part * y for x, y in zip(a[k], a[i], strict=True)]
            b[k] -= part * b[i]
    out = [0.0] * n
    for i in reversed(range(n)):
        out[i] = (b[i] - sum(a[i][j] * out[j] for j in range(i + 1, n))) / a[i][i]
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=5000, help="at each table")
    parser.add_argument("--cores", type=int, default=1)
    args = parser.parse_args()
    found: list[Row] = []
    with make_pool(args.cores) as workers:
        for players in PLAYER_COUNTS:
            games = workers.in_order(partial(play_game, players), range(args.games))
            rows = [row for game in games for row in game]
            found.append(fit_weights(rows))
            print(f"{players} players: {len(rows):,} seats, {sum(y for _, y in rows) / len(rows):.2f} points each")
    mean = [round(1000 * sum(each) / len(found)) for each in zip(*found, strict=True)]
    print("HOME", mean[:HALF_OF_SLOTS])
    print("HIGHER", mean[HALF_OF_SLOTS:])


if __name__ == "__main__":
    main()
