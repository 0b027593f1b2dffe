"""Splits a batch of steps into trajectories: what one seat of one match saw and chose, in order.

In a match of several seats the next step is often another seat's. A learner wants each seat's own choices, and at the
end what the match was worth to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
MIN_DIMENSIONS: Final = 2  # steps and matches


@dataclass(frozen=True)
class Trajectory:
    """A seat's choices in one match: `stored[trajectory.steps, trajectory.match]` are the stored values of them."""

    match: int  # the index in the batch
    seat: int
    steps: Array  # ascending
    reward: float  # what the match was worth to the seat; 0 while it goes on
    complete: bool  # whether the match ended in the batch


def split_by_seat(actor: Array, ended: Array, seat_rewards: Array) -> list[Trajectory]:
    """The trajectories of a batch: match by match, in each the earlier match first, then by seat.

    All arrays begin with steps and matches: the seat that chose, whether the match ended with this step, and after it
    the rewards of all seats (`info["seat_rewards"]`). A match that began before the batch has only its rest here.

    >>> actor = np.array([[0], [1], [0], [1]])
    >>> ended = np.array([[False], [False], [True], [False]])
    >>> rewards = np.zeros((4, 1, 2))
    >>> rewards[2, 0] = 1, -1
    >>> [(one.seat, one.steps.tolist(), one.reward) for one in split_by_seat(actor, ended, rewards)]
    [(0, [0, 2], 1.0), (1, [1], -1.0), (1, [3], 0.0)]
    """
    if actor.ndim != MIN_DIMENSIONS or actor.shape != ended.shape or seat_rewards.shape[:2] != actor.shape:
        raise ValueError(
            f"steps and matches differ: actor {actor.shape}, ended {ended.shape}, rewards {seat_rewards.shape}"
        )
    steps, matches = actor.shape
    found: list[Trajectory] = []
    for match in range(matches):
        first = 0
        ends = np.flatnonzero(ended[:, match]).tolist()
        for last in [*ends, steps - 1]:
            if first > last:
                continue
            complete = bool(ended[last, match])
            chosen = actor[first : last + 1, match]
            for seat in range(seat_rewards.shape[2]):
                own = np.flatnonzero(chosen == seat) + first
                if len(own):
                    reward = float(seat_rewards[last, match, seat]) if complete else 0.0
                    found.append(Trajectory(match, seat, own, reward, complete))
            first = last + 1
    return found
