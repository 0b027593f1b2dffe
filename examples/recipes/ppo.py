"""PPO in one file, in the style of CleanRL: one policy plays both seats of Atlandice and learns from every choice.

pip install "dist/landfall_games-….whl[lab,train]"    # the wheel, or: make .bench/ppo/.done
python ppo.py --minutes 5 --device cuda               # or cpu; on a GPU the matches and their rows stay there, too
"""

import argparse
import time

import numpy as np
import torch
from torch import nn

from landfall.lab.environments.vector import MatchVectorEnv

GAME, PLAYERS = "atlandice", 2
STEPS, EPOCHS, PARTS = 64, 4, 4  # STEPS choices a batch, learnt from EPOCHS times in PARTS
LAMBDA, CLIP, ENTROPY, VALUE, RATE = 0.95, 0.2, 0.01, 0.5, 5e-4  # rewards come at the end, so nothing is discounted


def tensor(array):
    """What an environment shows, as a tensor of one's own on the same device."""
    return torch.from_numpy(np.array(array)) if isinstance(array, np.ndarray) else torch.from_dlpack(array).clone()


class Agent(nn.Module):
    """A policy and a value from what the acting seat may know, with one input for each value of a small number."""

    def __init__(self, matches):
        super().__init__()
        most = torch.from_numpy(matches.single_observation_space.high.astype(np.int64))
        small = torch.nonzero(most <= 8)[:, 0]
        self.register_buffer("byte", torch.repeat_interleave(small, most[small] + 1))
        self.register_buffer("number", torch.cat([torch.arange(int(n) + 1) for n in most[small]]))
        self.register_buffer("scale", 1 / most.float())
        self.body = nn.Sequential(nn.Linear(len(self.byte) + len(most), 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU())
        self.policy, self.value = nn.Linear(128, matches.num_actions), nn.Linear(128, 1)
        nn.init.normal_(self.policy.weight, std=0.01)

    def forward(self, rows, masks):
        hidden = self.body(torch.cat([rows[:, self.byte] == self.number, rows.float() * self.scale], 1))
        logits = self.policy(hidden).masked_fill(masks == 0, -1e9)
        return torch.distributions.Categorical(logits=logits, validate_args=False), self.value(hidden)[:, 0]


@torch.no_grad()
def rollout(matches, agent):
    """STEPS choices in every match with the agent at every seat, and generalised advantages of them: what is good for
    the next seat is bad for this one, if they differ."""
    steps = []
    for _ in range(STEPS):
        rows, masks = tensor(matches.at["observation"]), tensor(matches.masks())
        now = {"rows": rows, "masks": masks, "actor": tensor(matches.actor)}
        choice, now["value"] = agent(now["rows"], now["masks"])
        now["action"] = choice.sample()
        _, reward, over, _, _ = matches.step(now["action"] if matches.device == "cuda" else now["action"].numpy())
        now |= {"reward": tensor(reward).float(), "over": tensor(over).float()}
        now["log_prob"] = choice.log_prob(now["action"])
        steps.append(now)
    value, actor = agent(tensor(matches.at["observation"]), tensor(matches.masks()))[1], tensor(matches.actor)
    after = torch.zeros_like(value)
    for now in reversed(steps):
        side = torch.where(now["actor"] == actor, 1.0, -1.0) * (1 - now["over"])
        now["gained"] = after = now["reward"] + side * value - now["value"] + LAMBDA * side * after
        value, actor = now["value"], now["actor"]
    return {name: torch.cat([now[name] for now in steps]) for name in steps[0]}


def learn(agent, optimizer, batch):
    """PPO's clipped objective over the batch, in parts."""
    for _ in range(EPOCHS):
        for part in torch.randperm(len(batch["gained"]), device=batch["gained"].device).chunk(PARTS):
            some = {name: values[part] for name, values in batch.items()}
            choice, value = agent(some["rows"], some["masks"])
            good = (some["gained"] - some["gained"].mean()) / (some["gained"].std() + 1e-8)
            ratio = (choice.log_prob(some["action"]) - some["log_prob"]).exp()
            policy_loss = -torch.min(good * ratio, good * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
            value_loss = (value - some["gained"] - some["value"]).pow(2).mean()
            optimizer.zero_grad()
            (policy_loss + VALUE * value_loss - ENTROPY * choice.entropy().mean()).backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()


@torch.no_grad()
def measure(agent, games, device):
    """The share of games won against a random player, from either seat; a tie is half a win."""
    matches, seat, won = MatchVectorEnv(GAME, 50, PLAYERS), torch.arange(50) % 2, []
    matches.reset(seed=12345)
    while len(won) < games:
        choice, _ = agent(tensor(matches.at["observation"]).to(device), tensor(matches.masks()).to(device))
        mine = tensor(matches.actor) == seat
        _, _, over, _, info = matches.step(np.where(mine, choice.logits.argmax(1).cpu(), matches.random_actions))
        won += [(1 + np.sign(info["seat_rewards"][i, seat[i]])) / 2 for i in np.flatnonzero(over)]
    return np.mean(won)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--games", type=int, default=400, help="of the first and the last measure")
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    given = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)  # the net is small
    matches = MatchVectorEnv(GAME, 64 if given.device == "cpu" else 4096, PLAYERS, device=given.device)
    matches.device = given.device
    matches.reset(seed=1)
    agent, choices, spent = Agent(matches).to(given.device), 0, 0.0
    optimizer = torch.optim.Adam(agent.parameters(), lr=RATE, eps=1e-5)
    print(f"before learning it wins {measure(agent, given.games, given.device):.1%} of {given.games} against random")
    began = time.monotonic()
    while (spent := time.monotonic() - began) < 60 * given.minutes:
        learn(agent, optimizer, rollout(matches, agent))
        choices += STEPS * matches.num_envs
    print(f"{choices:,} choices in {spent:.0f} s")
    print(f"it wins {measure(agent, given.games, given.device):.1%} of {given.games} against random")


if __name__ == "__main__":
    main()
