"""The ints of actions: every one has its family and its parts, and the parts make it again."""

from __future__ import annotations

from collections import Counter

from landfall.games.survive.rules import action_encoding
from landfall.games.survive.rules.action_encoding import (
    DEFEND,
    NUM_ACTIONS,
    NUM_OUTCOMES,
    decode_action,
    higher_terrain_played,
    plays_higher_terrain,
)

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
    action_encoding.SEND_FOREST: (25, 133),
    action_encoding.SWIM_FOREST: (20, 133),
    action_encoding.DEFEND_HIGHER: (2, 1),
    action_encoding.LAY: (3, 1),
    action_encoding.BACK: (12, 1),
    action_encoding.DIE: (6, 1),
    action_encoding.FAR: (4, 1),
}
HIGHER = {
    action_encoding.MOVE: action_encoding.SEND_FOREST,
    action_encoding.SWIM: action_encoding.SWIM_FOREST,
    action_encoding.DEFEND: action_encoding.DEFEND_HIGHER,
}


def test_parts_make_the_action_again() -> None:
    found: Counter[int] = Counter()
    for action in range(NUM_ACTIONS + NUM_OUTCOMES):
        family, first, second = decode_action(action)
        if plays_higher_terrain(action):  # SV.R8
            higher, first = HIGHER[family], first + (action - action_encoding.DEFEND_HIGHER) * (family == DEFEND)
            assert higher_terrain_played(action) == 1 + first * (family == DEFEND)
            family = higher
        firsts, seconds = SIZES[family]
        assert 0 <= first < firsts
        assert 0 <= second < seconds
        assert family + first * seconds + second == action
        found[family] += 1
    assert found == {family: firsts * seconds for family, (firsts, seconds) in SIZES.items()}
