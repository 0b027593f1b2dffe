"""PPO in one file, in the style of CleanRL: one policy plays both seats of Atlandice and learns from every choice.

Needs `landfall` with the extra `lab`, and torch. Five minutes on two cores:

    make .bench/ppo/.done
    PYTHONPATH=src .bench/ppo/bin/python examples/recipes/ppo.py --minutes 5
"""

import argparse
import time

import numpy as np
import torch
from torch import nn

from landfall.games.observation_and_feature_layouts import tensor_layout
from landfall.lab.environments.env_match import observation_upper_bounds
from landfall.lab.environments.vector import MatchVectorEnv

GAME, PLAYERS = "atlandice", 2
MATCHES, STEPS = 64, 64  # a batch: so many choices of so many matches
EPOCHS, PARTS = 4, 4  # how often a batch is learnt from, and in how many parts
LAMBDA, CLIP, ENTROPY, VALUE, RATE = 0.95, 0.2, 0.01, 0.5, 5e-4  # rewards come at the end, so nothing is discounted


class Agent(nn.Module):
    """A policy and a value from what the acting seat may know, with one input for each value of a small number."""

    def __init__(self, actions: int) -> None:
        super().__init__()
        most = torch.from_numpy(observation_upper_bounds(tensor_layout(GAME)).astype(np.int64))
        small = torch.nonzero(most <= 8)[:, 0]
        self.register_buffer("byte", torch.repeat_interleave(small, most[small] + 1))
        self.register_buffer("number", torch.cat([torch.arange(int(n) + 1) for n in most[small]]))
        self.register_buffer("scale", 1 / most.float())
        self.body = nn.Sequential(nn.Linear(len(self.byte) + len(most), 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU())
        self.policy, self.value = nn.Linear(128, actions), nn.Linear(128, 1)
        nn.init.normal_(self.policy.weight, std=0.01)

    def forward(self, rows, masks):
        hot = (rows[:, self.byte] == self.number).float()
        hidden = self.body(torch.cat([hot, rows.float() * self.scale], 1))
        logits = self.policy(hidden).masked_fill(masks == 0, -1e9)
        return torch.distributions.Categorical(logits=logits, validate_args=False), self.value(hidden)[:, 0]


def rollout(matches, agent, store):
    """Play STEPS choices in every match with the agent at every seat."""
    for step in range(STEPS):
        rows, masks = torch.from_numpy(matches.at["observation"].copy()), torch.from_numpy(matches.masks())
        actor = torch.from_numpy(matches.actor.copy())
        with torch.no_grad():
            choice, value = agent(rows, masks)
            action = choice.sample()
        _, reward, over, _, _ = matches.step(action.numpy())
        now = {"rows": rows, "masks": masks, "actor": actor, "action": action, "value": value}
        now |= {"log_prob": choice.log_prob(action), "reward": torch.from_numpy(reward).float()}
        for name, tensor in (now | {"over": torch.from_numpy(over).float()}).items():
            store[name][step] = tensor
    with torch.no_grad():
        return agent(torch.from_numpy(matches.at["observation"].copy()), torch.from_numpy(matches.masks()))[1]


def advantages(store, last_value, last_actor):
    """Generalised advantage estimation. What is good for the next seat is bad for this one, if they differ."""
    found = torch.zeros(STEPS, MATCHES)
    after, value, actor = torch.zeros(MATCHES), last_value, last_actor
    for step in reversed(range(STEPS)):
        side = torch.where(store["actor"][step] == actor, 1.0, -1.0) * (1 - store["over"][step])
        error = store["reward"][step] + side * value - store["value"][step]
        found[step] = after = error + LAMBDA * side * after
        value, actor = store["value"][step], store["actor"][step]
    return found


def learn(agent, optimizer, store, gained):
    """PPO's clipped objective over the batch, in parts."""
    flat = {name: tensor.flatten(0, 1) for name, tensor in store.items()}
    gained, target = gained.flatten(), (gained + store["value"]).flatten()
    for _ in range(EPOCHS):
        for part in torch.randperm(len(gained)).chunk(PARTS):
            choice, value = agent(flat["rows"][part], flat["masks"][part])
            good = (gained[part] - gained[part].mean()) / (gained[part].std() + 1e-8)
            ratio = (choice.log_prob(flat["action"][part]) - flat["log_prob"][part]).exp()
            policy_loss = -torch.min(good * ratio, good * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
            loss = policy_loss + VALUE * (value - target[part]).pow(2).mean() - ENTROPY * choice.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()


def measure(agent, games):
    """The share of games won against a random player, from either seat; a tie is half a win."""
    matches = MatchVectorEnv(GAME, 50, PLAYERS)
    matches.reset(seed=12345)
    seat, won, played = np.arange(50) % 2, 0.0, 0
    while played < games:
        with torch.no_grad():
            choice, _ = agent(torch.from_numpy(matches.at["observation"].copy()), torch.from_numpy(matches.masks()))
        mine = choice.logits.argmax(1).numpy()
        _, _, over, _, info = matches.step(np.where(matches.actor == seat, mine, matches.random_actions))
        for match in np.flatnonzero(over):
            won += (1 + np.sign(info["seat_rewards"][match, seat[match]])) / 2
            played += 1
    return won / played


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--games", type=int, default=400, help="of the first and the last measure")
    given = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)  # the net is small
    matches = MatchVectorEnv(GAME, MATCHES, PLAYERS)
    matches.reset(seed=1)
    agent = Agent(matches.num_actions)
    optimizer = torch.optim.Adam(agent.parameters(), lr=RATE, eps=1e-5)
    shapes = {"rows": (matches.single_observation_space.shape[0],), "masks": (matches.num_actions,)}
    kinds = {"rows": torch.uint8, "masks": torch.uint8, "action": torch.int64, "actor": torch.int64}
    names = ("rows", "masks", "actor", "action", "value", "log_prob", "reward", "over")
    store = {n: torch.zeros(STEPS, MATCHES, *shapes.get(n, ()), dtype=kinds.get(n, torch.float32)) for n in names}
    print(f"before learning it wins {measure(agent, given.games):.1%} of {given.games} against random", flush=True)
    began = said = time.monotonic()
    choices = 0
    while (spent := time.monotonic() - began) < 60 * given.minutes:
        last_value = rollout(matches, agent, store)
        learn(agent, optimizer, store, advantages(store, last_value, torch.from_numpy(matches.actor.copy())))
        choices += STEPS * MATCHES
        if time.monotonic() - said > 15:
            said = time.monotonic()
            left = 60 * given.minutes - spent
            print(f"{choices:,} choices, {left:.0f} s left; wins {measure(agent, 100):.0%} against random", flush=True)
    print(f"{choices:,} choices in {spent:.0f} s")
    print(f"it wins {measure(agent, given.games):.1%} of {given.games} against random")


if __name__ == "__main__":
    main()
