"""The ints of actions: every one has its family and its parts, and the parts make it again."""

from __future__ import annotations

from collections import Counter

from landfall.games.survive.rules import codes
from landfall.games.survive.rules.codes import (
    DEFEND,
    NUM_ACTIONS,
    NUM_OUTCOMES,
    decode_action,
    higher_terrain_played,
    plays_higher_terrain,
)

# How many there are of the first part of each family, and of the second.
SIZES = {
    codes.PLACE: (40, 6),
    codes.PLACE_SECOND: (40, 6),
    codes.PUT: (133, 1),
    codes.STEP: (20, 21),
    codes.SAIL: (12, 6),
    codes.SINK: (40, 1),
    codes.PICK: (60, 1),
    codes.FETCH: (12, 1),
    codes.END: (1, 1),
    codes.DEFEND: (1, 1),
    codes.MOVE: (25, 133),
    codes.SHIP_TO: (12, 133),
    codes.SWIM: (20, 133),
    codes.CHANGE: (4, 60),
    codes.SEND_FOREST: (25, 133),
    codes.SWIM_FOREST: (20, 133),
    codes.DEFEND_HIGHER: (2, 1),
    codes.LAY: (3, 1),
    codes.BACK: (12, 1),
    codes.DIE: (6, 1),
    codes.SECOND_DIE: (4, 1),
}
HIGHER = {
    codes.MOVE: codes.SEND_FOREST,
    codes.SWIM: codes.SWIM_FOREST,
    codes.DEFEND: codes.DEFEND_HIGHER,
}


def test_parts_make_the_action_again() -> None:
    found: Counter[int] = Counter()
    for action in range(NUM_ACTIONS + NUM_OUTCOMES):
        family, first, second = decode_action(action)
        if plays_higher_terrain(action):  # SV.R8
            higher, first = HIGHER[family], first + (action - codes.DEFEND_HIGHER) * (family == DEFEND)
            assert higher_terrain_played(action) == 1 + first * (family == DEFEND)
            family = higher
        firsts, seconds = SIZES[family]
        assert 0 <= first < firsts
        assert 0 <= second < seconds
        assert family + first * seconds + second == action
        found[family] += 1
    assert found == {family: firsts * seconds for family, (firsts, seconds) in SIZES.items()}
