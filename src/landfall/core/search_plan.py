"""How a tree search goes about a game: what each game found best, and what a bot's parameters may override."""

from __future__ import annotations

from dataclasses import dataclass

from mypy_extensions import i64


@dataclass(frozen=True)
class SearchPlan:
    """The parameters of a search. Defaults suit a game of which nothing is known; docs/strength.md has measurements."""

    explore: float = 0.15  # weight of what has been tried little
    prior_visits: i64 = 1  # how many visits the first look at a choice counts for
    max_children: i64 = 24  # choices looked at below the root, the most promising ones
    expand_after: i64 = 1  # visits after which a position's choices are looked at
    # Turns looked ahead in every iteration. 0: to the tree's end. -1: to the end of the turn's step, or to chance.
    horizon_turns: i64 = 2
    own_points: i64 = 0  # how much own points count beside the chance to win, in hundredths
    greedy_percent: i64 = 100  # beyond the tree, so many choices in a hundred are judged and not just drawn
    rollout_rounds: i64 = 0  # rounds that the most promising lines are then played on, to compare them
