"""A league: a policy learns against its own earlier selves, and all of them are rated together. In numpy.

pip install "dist/landfall_games-….whl[lab]"    # the wheel; in a checkout: pip install ".[lab]"
python league.py --minutes 3    # needs policy_gradient.py beside it
"""

import argparse
import copy
import time

import numpy as np
from policy_gradient import GAME, MATCHES, PLAYERS, STEPS, Policy, measure, play

from landfall.lab.environments.vector import MatchVectorEnv
from landfall.lab.experiments.bradley_terry import fit_elo

MEMBERS, OWN_SHARE = 6, 0.5  # of the league; of the matches that the learner plays against itself


def opponents_by_match(members, random):
    """Who sits opposite in each match: -1 for the learner itself, else a member, the later ones more often."""
    weights = np.arange(1, len(members) + 1) / sum(range(1, len(members) + 1))
    drawn = random.choice(len(members), MATCHES, p=weights)
    return np.where(random.random(MATCHES) < OWN_SHARE, -1, drawn)


def choose_with(learner, members, opposite, seats):
    """The choices of whoever is to act: the learner at its seats, the members at theirs."""

    def choose(rows, masks, actor):
        who, chosen = np.where(actor == seats, -1, opposite), np.zeros(len(rows), np.int64)
        for number in np.unique(who):
            at = who == number
            chosen[at] = (learner if number < 0 else members[number]).choose(rows[at], masks[at])
        return chosen

    return choose


def rate(members, games):
    """Elo points of all members from a round robin, and the share of the last against the first."""
    pairs = [(a, b) for a in range(len(members)) for b in range(a)]
    won = np.array([meet(members[a], members[b], games) for a, b in pairs])
    elo = fit_elo(won * games, np.full(len(pairs), float(games)), pairs, len(members), PLAYERS)
    return elo, won[pairs.index((len(members) - 1, 0))]


def meet(one, other, games):
    """The share of games that one wins against the other, from either seat; a tie is half a win."""
    matches, seat, won = MatchVectorEnv(GAME, MATCHES, PLAYERS), np.arange(MATCHES) % PLAYERS, []
    matches.reset(seed=99)
    while len(won) < games:
        rows, masks, mine = matches.at["observation"], matches.masks() > 0, matches.actor == seat
        chosen = np.zeros(MATCHES, np.int64)
        for policy, at in ((one, mine), (other, ~mine)):
            if at.any():
                chosen[at] = policy.choose(rows[at], masks[at])
        _, _, over, _, info = matches.step(chosen)
        won += [(1 + np.sign(info["seat_rewards"][i, seat[i]])) / 2 for i in np.flatnonzero(over)]
    return np.mean(won)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--games", type=int, default=200, help="of each pairing at the end")
    given = parser.parse_args()
    matches = MatchVectorEnv(GAME, MATCHES, PLAYERS, reward="score")
    matches.reset(seed=1)
    learner, random, choices = Policy(matches), np.random.default_rng(1), 0
    members, began = [copy.deepcopy(learner)], time.monotonic()
    while (spent := time.monotonic() - began) < 60 * given.minutes:
        seats, opposite = random.integers(PLAYERS, size=MATCHES), opponents_by_match(members, random)
        batch = play(matches, choose_with(learner, members, opposite, seats))
        learner.learn(batch, seats)
        choices += MATCHES * STEPS
        if spent > 60 * given.minutes * len(members) / (MEMBERS - 1):
            members.append(copy.deepcopy(learner))
    members.append(learner)
    elo, share = rate(members, given.games)
    print(f"{choices:,} choices in {spent:.0f} s; the members' Elo points: {', '.join(f'{one:+.0f}' for one in elo)}")
    print(f"the last wins {share:.1%} of {given.games} against the first")
    print(f"it wins {measure(learner, given.games):.1%} of {given.games} against random")


if __name__ == "__main__":
    main()
