"""PPO of RLlib: one policy plays both seats of Atlandice and learns from every choice.

Needs `landfall` with the extra `lab`, Ray's RLlib and torch. Five minutes on a core of its own:

    make .bench/rllib/.done
    PYTHONPATH=src .bench/rllib/bin/python examples/recipes/rllib_ppo.py --minutes 5
"""

import argparse
import logging
import time
import warnings

import numpy as np
import ray
import torch
from gymnasium import spaces
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.multi_agent_env import MultiAgentEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

from landfall.lab.environments.pettingzoo import raw_env

GAME, PLAYERS = "atlandice", 2
POLICY = "every_seat"  # the one policy of all seats
CHOICES = 4096  # a batch


class SeatsEnv(MultiAgentEnv):
    """A match for RLlib: only the seat that acts gets an observation; at the end all get one, and their rewards."""

    def __init__(self, config=None):
        super().__init__()
        self.match = raw_env(GAME, PLAYERS)
        self.agents = self.possible_agents = list(self.match.possible_agents)
        row = self.match.observation_space(self.agents[0])["observation"]
        self.scale = 1 / row.high.astype(np.float32)
        actions = self.match.action_space(self.agents[0])
        masks = spaces.Box(0.0, 1.0, (int(actions.n),), np.float32)
        rows = spaces.Box(0.0, 1.0, row.shape, np.float32)
        self.observation_spaces = dict.fromkeys(self.agents, spaces.Dict({"action_mask": masks, "observations": rows}))
        self.action_spaces = dict.fromkeys(self.agents, actions)

    def look(self, agent):
        """What a seat may know, from 0 to 1, and which actions it may choose."""
        seen = self.match.observe(agent)
        mask = seen["action_mask"].astype(np.float32)
        return {"action_mask": mask, "observations": seen["observation"] * self.scale}

    def reset(self, *, seed=None, options=None):
        self.match.reset(seed)
        agent = self.match.agent_selection
        return {agent: self.look(agent)}, {}

    def step(self, actions):
        self.match.step(int(actions[self.match.agent_selection]))
        over = all(self.match.terminations.values())
        seen = self.agents if over else [self.match.agent_selection]
        rewards = {agent: float(self.match.rewards[agent]) for agent in seen}
        return {agent: self.look(agent) for agent in seen}, rewards, {"__all__": over}, {"__all__": False}, {}


def measure(module, games):
    """The share of games won against a random player, from either seat; a tie is half a win."""
    random, won = np.random.default_rng(12345), 0.0
    matches = [SeatsEnv() for _ in range(games)]
    mine = [match.agents[number % PLAYERS] for number, match in enumerate(matches)]
    seen = [match.reset(seed=number)[0] for number, match in enumerate(matches)]
    going = list(range(games))
    while going:
        asked = [n for n in going if mine[n] in seen[n]]
        chosen = {}
        if asked:
            rows = {key: torch.from_numpy(np.stack([seen[n][mine[n]][key] for n in asked])) for key in module.KEYS}
            with torch.no_grad():
                logits = module.forward_inference({Columns.OBS: rows})[Columns.ACTION_DIST_INPUTS]
            chosen = dict(zip(asked, logits.argmax(1).tolist(), strict=True))
        for n in going[:]:
            ((agent, look),) = seen[n].items()
            action = chosen[n] if n in chosen else random.choice(np.flatnonzero(look["action_mask"]))
            seen[n], rewards, over, _, _ = matches[n].step({agent: action})
            if over["__all__"]:
                won += (1 + np.sign(rewards[mine[n]])) / 2
                going.remove(n)
    return won / games


class MaskedPolicy(ActionMaskingTorchRLModule):
    """RLlib's own module for masked actions."""

    KEYS = ("action_mask", "observations")


def make_algorithm():
    """PPO in this process, with the policy at every seat."""
    env = SeatsEnv()
    space = env.observation_spaces[env.agents[0]], env.action_spaces[env.agents[0]]
    spec = RLModuleSpec(MaskedPolicy, *space, model_config={"fcnet_hiddens": [128, 128], "vf_share_layers": False})
    return (
        PPOConfig()
        .environment(SeatsEnv, disable_env_checking=True)  # the check plays any action, legal or not
        .env_runners(num_env_runners=0)
        .multi_agent(policies={POLICY}, policy_mapping_fn=lambda agent, episode, **_: POLICY)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={POLICY: spec}))
        .training(lr=5e-4, gamma=1.0, lambda_=0.95, clip_param=0.2, entropy_coeff=0.01, grad_clip=0.5)
        .training(train_batch_size_per_learner=CHOICES, minibatch_size=CHOICES // 4, num_epochs=4)
        .debugging(log_level="ERROR", seed=1)
        .build_algo()
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--games", type=int, default=400, help="of the first and the last measure")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)  # the net is small
    ray.init(num_cpus=1, include_dashboard=False, logging_level=logging.ERROR, log_to_driver=False)
    algorithm = make_algorithm()
    module = algorithm.get_module(POLICY)
    print(f"before learning it wins {measure(module, given.games):.1%} of {given.games} against random", flush=True)
    began = said = time.monotonic()
    choices = 0
    while (spent := time.monotonic() - began) < 60 * given.minutes:
        algorithm.train()
        choices += CHOICES
        if time.monotonic() - said > 15:
            said = time.monotonic()
            left = max(0, 60 * given.minutes - spent)
            print(f"{choices:,} choices, {left:.0f} s left; wins {measure(module, 100):.0%} against random", flush=True)
    print(f"{choices:,} choices in {spent:.0f} s")
    print(f"it wins {measure(module, given.games):.1%} of {given.games} against random")
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
