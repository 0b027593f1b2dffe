"""The cost of a net's one-ply search: `python -m bench.features` applies every choice of some positions to a copy and
encodes the result; microseconds of processor time, the best of five rounds."""

from __future__ import annotations

from time import process_time

import landfall
from landfall.bots.search.afterstate_rows import write_afterstates
from landfall.bots.search.one_ply_search import best_action
from landfall.bots.value_net import layout_of
from landfall.core.feature_layout import RowBuffer
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, State
from landfall.games import GAME_NAMES

BUFFER_ROWS = 4000


def sample_positions(name: str, players: int, games: int = 3) -> list[State]:
    """A third of the decisions of a few games."""
    rng, found = Rng(3), []
    for _ in range(games):
        state = landfall.game(name).new(players)
        while state.actor != OVER:
            if state.actor == CHANCE:
                state.apply(state.sample_chance(rng))
                continue
            if rng.randbelow(3) == 0:
                found.append(state.copy())
            state.apply(best_action(state, state.actor, rng))
    return found


def measure_encoding(name: str, players: int) -> tuple[int, float, float]:
    """The number of choices, the cost of one from choice to row, and that of the row alone."""
    found, sheet, rng = sample_positions(name, players), RowBuffer(layout_of(name), BUFFER_ROWS), Rng(4)
    whole, row = [], []
    for _ in range(5):
        began, choices = process_time(), 0
        for state in found:
            sheet.restart_at_first_row()
            choices += len(write_afterstates(state, state.actor, sheet, BUFFER_ROWS, rng))
        whole.append((process_time() - began) / choices)
        began = process_time()
        for state in found:
            sheet.restart_at_first_row()
            for _ in range(50):
                state.write_features(state.actor, sheet)
        row.append((process_time() - began) / (50 * len(found)))
    return choices, 1e6 * min(whole), 1e6 * min(row)


def main() -> None:
    """Print a line for each game and number of players."""
    print(f"engine {landfall.ENGINE}\n{'game':10} players choices  µs a choice  µs a row")
    for name in GAME_NAMES:
        for players in landfall.game(name).player_counts[::2]:
            choices, whole, row = measure_encoding(name, players)
            print(f"{name:10} {players:7} {choices:7,} {whole:12.2f} {row:9.2f}")


if __name__ == "__main__":
    main()
