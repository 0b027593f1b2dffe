"""Tree search parameters: each game's tuned values, which a bot's parameters may override."""

from __future__ import annotations

from dataclasses import dataclass

from mypy_extensions import i64


@dataclass(frozen=True)
class SearchSettings:
    """The parameters of a search. The defaults suit an unknown game; docs/strength.md has measurements."""

    explore: float = 0.15  # exploration weight
    prior_visits: i64 = 1  # visits that the prior value of a choice counts for
    max_children: i64 = 24  # choices considered below the root, the most promising ones
    expand_after: i64 = 1  # visits after which a position is expanded
    # Turns per iteration, counted from the root. 0: to the tree's leaf. -1: to the end of the turn's step, or to
    # chance.
    horizon_turns: i64 = 2
    own_points: i64 = 0  # weight of own points beside the win probability, in hundredths
    greedy_percent: i64 = 100  # share of simulated choices that are evaluated, not random
    rollout_rounds: i64 = 0  # rounds that the most promising lines are then played on for comparison
