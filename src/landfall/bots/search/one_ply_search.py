"""One-ply search, the inner loop of greedy bots; compiled with the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.core.rng import Rng
from landfall.core.state import ActionList, State

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf

ACTION_BUFFER: Final = ActionList()  # reused: creating one costs more than filling it
SAMPLED_CHOICES: Final[i64] = 4  # choices sampled for a quick choice


def best_action(state: State, seat: i64, rng: Rng) -> i64:
    """The choice with the best position for `seat`, before the chance event that follows.

    Ties are broken uniformly at random.
    """
    ACTION_BUFFER.count = 0
    state.fill_legal(ACTION_BUFFER)
    return best_of_actions(state, seat, ACTION_BUFFER.items, ACTION_BUFFER.count, rng)


def best_sampled_action(state: State, rng: Rng) -> i64:
    """The actor's best choice of a few sampled ones: fast, and better than random."""
    seat = state.actor
    ACTION_BUFFER.count = 0
    state.fill_legal(ACTION_BUFFER)
    items = ACTION_BUFFER.items
    count = ACTION_BUFFER.count
    if count > SAMPLED_CHOICES:
        for i in range(SAMPLED_CHOICES):
            j = i + rng.randbelow(count - i)
            drawn = items[j]
            items[j] = items[i]
            items[i] = drawn
        count = SAMPLED_CHOICES
    return best_of_actions(state, seat, items, count, rng)


def best_of_actions(state: State, seat: i64, actions: Buf, count: i64, rng: Rng) -> i64:
    """The best of the first `count` actions, tried on copies."""
    if count == 1:
        return actions[0]
    best: i64 = -1
    best_value: i64 = 0
    equals: i64 = 0
    for i in range(count):
        action = actions[i]
        after = state.copy()
        after.apply(action)
        value = after.evaluate(seat)
        if best < 0 or value > best_value:
            best = action
            best_value = value
            equals = 1
        elif value == best_value:
            equals += 1
            if rng.randbelow(equals) == 0:
                best = action
    return best


def evaluate_choices(state: State, seat: i64) -> list[tuple[int, int]]:
    """Every choice with the value to `seat` of the position after it."""
    found: list[tuple[int, int]] = []
    for action in state.legal_actions():
        after = state.copy()
        after.apply(action)
        found.append((action, int(after.evaluate(seat))))
    return found
