"""The ints of actions: every one has its family and its parts, and the parts make it again."""

from __future__ import annotations

from collections import Counter

from landfall.games.survive.rules import action_encoding
from landfall.games.survive.rules.action_encoding import NUM_ACTIONS, NUM_OUTCOMES, decode_action

# How many there are of the first part of each family, and of the second.
SIZES = {
    action_encoding.PLACE: (40, 6),
    action_encoding.PLACE_SECOND: (40, 6),
    action_encoding.PUT: (133, 1),
    action_encoding.STEP: (20, 21),
    action_encoding.SAIL: (12, 6),
    action_encoding.SINK: (40, 1),
    action_encoding.PICK: (60, 1),
    action_encoding.FETCH: (12, 1),
    action_encoding.END: (1, 1),
    action_encoding.DEFEND: (1, 1),
    action_encoding.MOVE: (25, 133),
    action_encoding.SHIP_TO: (12, 133),
    action_encoding.SWIM: (20, 133),
    action_encoding.CHANGE: (4, 60),
    action_encoding.LAY: (3, 1),
    action_encoding.BACK: (12, 1),
    action_encoding.DIE: (6, 1),
    action_encoding.FAR: (4, 1),
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
