"""The ints of actions: every one has its family and its parts, and the parts make it again."""

from __future__ import annotations

from collections import Counter

from landfall.games.survive.rules import actions
from landfall.games.survive.rules.actions import NUM_ACTIONS, NUM_OUTCOMES, decode_action

# How many there are of the first part of each family, and of the second.
SIZES = {
    actions.PLACE: (40, 6),
    actions.PLACE_SECOND: (40, 6),
    actions.PUT: (133, 1),
    actions.STEP: (20, 21),
    actions.SAIL: (12, 6),
    actions.SINK: (40, 1),
    actions.PICK: (60, 1),
    actions.FETCH: (12, 1),
    actions.END: (1, 1),
    actions.DEFEND: (1, 1),
    actions.MOVE: (25, 133),
    actions.SHIP_TO: (12, 133),
    actions.SWIM: (20, 133),
    actions.CHANGE: (4, 60),
    actions.LAY: (3, 1),
    actions.BACK: (12, 1),
    actions.DIE: (6, 1),
    actions.FAR: (4, 1),
}


def test_parts_make_the_action_again() -> None:
    found: Counter[int] = Counter()
    for action in range(NUM_ACTIONS + NUM_OUTCOMES):
        family, first, second = decode_action(action)
        firsts, seconds = SIZES[family]
        assert 0 <= first < firsts
        assert 0 <= second < seconds
        assert family + first * seconds + second == action
        found[family] += 1
    assert found == {family: firsts * seconds for family, (firsts, seconds) in SIZES.items()}
