"""The same seeds in both engines: `python -m tests.generic.engine_traces GAME FIRST COUNT` prints the digests as
JSON."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys

import landfall
from landfall.bots.search.afterstate_rows import encode_row
from landfall.bots.search.one_ply_search import best_action
from landfall.bots.value_net import layout_of
from landfall.core.feature_layout import RowBuffer
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER
from landfall.game_checks.option_combinations import FEATURED, OBSERVED, sample_combinations
from landfall.game_checks.position_checks import random_game_positions
from landfall.game_checks.two_world_comparison import observation_bytes
from landfall.games import game as find_game


def digest_of_random_game(name: str, seed: int) -> str:
    """A fingerprint of one random game: positions, evaluations, features, samples and searches on the way."""
    game = find_game(name)
    combo = sample_combinations(name, seed + 1)[seed]
    rng, aside = Rng(seed), Rng(seed + 1)
    h = hashlib.blake2b(digest_size=12)
    sheet = RowBuffer(layout_of(name), 1) if name in FEATURED else None
    for state in random_game_positions(game.new(*combo), rng):
        if state.actor == OVER or aside.randbelow(6) == 0:
            h.update(state.to_bytes())
        if aside.randbelow(20) == 0:
            seat = int(aside.randbelow(state.players))
            h.update(
                json.dumps([state.legal_actions(), state.chance_outcomes(), state.scores(), state.view(seat)]).encode()
            )
            h.update(str(state.evaluate(seat)).encode())
            if sheet is not None:
                h.update(encode_row(state, seat, sheet))
            if name in OBSERVED:
                h.update(observation_bytes(name, state, seat))
            h.update(state.resample(seat, aside).to_bytes())
            if state.actor > CHANCE and aside.randbelow(4) == 0:
                h.update(str(best_action(state, seat, aside)).encode())
    return h.hexdigest()


def digests_of_random_games(name: str, first: int, count: int) -> list[str]:
    """The traces of some seeds."""
    return [digest_of_random_game(name, seed) for seed in range(first, first + count)]


def digests_by_interpreted_engine(name: str, first: int, count: int) -> list[str]:
    """The same traces by a process that runs the interpreted engine."""
    command = [sys.executable, "-m", "tests.generic.engine_traces", name, str(first), str(count)]
    env = os.environ | {"LANDFALL_PURE": "1"}
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=True)
    answer = json.loads(done.stdout)
    assert answer["engine"].startswith("interpreted"), answer["engine"]
    found: list[str] = answer["traces"]
    return found


if __name__ == "__main__":
    game_name, from_seed, how_many = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    print(json.dumps({"engine": landfall.ENGINE, "traces": digests_of_random_games(game_name, from_seed, how_many)}))
