"""Imitation: a linear policy learns to play as a bot does, from a data set of the bot's matches. In numpy.

pip install "dist/landfall_games-….whl[lab]"    # the wheel; in a checkout: pip install ".[lab]"
landfall sim atlandice --players 2 --games 600 --bots greedy,greedy --cores 0 --out games.parquet
python imitation.py games.parquet    # needs policy_gradient.py beside it
"""

import argparse
import time

import numpy as np
import pyarrow.parquet as pq
from policy_gradient import Policy, measure

import landfall
from landfall.core.feature_layout import RowBuffer
from landfall.games.observation_and_feature_layouts import tensor_layout
from landfall.lab.environments.env_match import view_as_bytes
from landfall.lab.environments.vector import MatchVectorEnv

PART, HELD_OUT = 512, 10  # rows that are learnt from at once; every tenth match is only measured


def read_examples(path):
    """What the seats saw, might choose and chose; and of which match. Forced choices teach nothing."""
    columns = pq.read_table(path, columns=["game", "match", "seat", "line", "action", "choices"]).to_pylist()
    rows = [one for one in columns if one["choices"] > 1]
    game = landfall.game(rows[0]["game"])
    layout = tensor_layout(game.name)
    seen, masks = np.zeros((len(rows), layout.size), np.uint8), np.zeros((len(rows), game.num_actions), np.bool_)
    buffer = RowBuffer(layout, 1)
    for i, one in enumerate(rows):
        state = game.from_text(one["line"])  # the whole position: the seat's part of it is its observation
        buffer.restart_at_first_row()
        state.write_observation(one["seat"], buffer)
        seen[i] = view_as_bytes(buffer.words)
        masks[i, state.legal_actions()] = True
    return seen, masks, np.array([one["action"] for one in rows]), np.array([one["match"] for one in rows])


def agreement(policy, seen, masks, actions):
    """How often the policy's first choice is the bot's."""
    return np.mean([policy.choose(seen[i : i + PART], masks[i : i + PART], best=True) == actions[i : i + PART]
                    for i in range(0, len(actions) - PART, PART)])  # fmt: skip


def learn(policy, seen, masks, actions):
    """One round of cross-entropy over all rows in random order."""
    order = policy.random.permutation(len(actions))
    for i in range(0, len(order), PART):
        part = order[i : i + PART]
        inputs = policy.inputs(seen[part])
        push = -policy.probabilities(inputs, masks[part])
        push[np.arange(len(part)), actions[part]] += 1
        policy.ascend(inputs.T @ push / len(part))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", help="what `landfall sim --out` wrote")
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--games", type=int, default=400, help="of the measures against random")
    given = parser.parse_args()
    seen, masks, actions, match = read_examples(given.data)
    kept, held = match % HELD_OUT > 0, match % HELD_OUT == 0
    policy = Policy(MatchVectorEnv("atlandice", 1, 2))
    print(f"before learning it wins {measure(policy, given.games):.1%} of {given.games} against random", flush=True)
    rounds, began = 0, time.monotonic()
    while time.monotonic() - began < 60 * given.minutes:
        learn(policy, seen[kept], masks[kept], actions[kept])
        rounds += 1
    print(f"{kept.sum():,} choices, {rounds} rounds in {time.monotonic() - began:.0f} s")
    print(f"it chooses as the bot in {agreement(policy, seen[held], masks[held], actions[held]):.1%} of other matches")
    print(f"it wins {measure(policy, given.games):.1%} of {given.games} against random")


if __name__ == "__main__":
    main()
