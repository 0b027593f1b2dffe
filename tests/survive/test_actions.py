"""The ints of actions: every one has its family and its parts, and the parts make it again."""

from __future__ import annotations

from collections import Counter
from math import prod

from landfall.games.survive.presentation.action_families import FAMILIES, Outcome
from landfall.games.survive.rules import codes
from landfall.games.survive.rules.codes import (
    DEFEND,
    NUM_ACTIONS,
    NUM_OUTCOMES,
    decode_action,
    higher_terrain_played,
    plays_higher_terrain,
)

# How many there are of the first argument of each family, and of the second.
SIZES = {
    **{family.code: tuple([*family.sizes, 1, 1][:2]) for family in codes.ACTION_FAMILIES},
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


def test_the_families_follow_each_other_without_gaps() -> None:
    expected = 0
    for family in codes.ACTION_FAMILIES:
        assert family.code == expected, family.arguments
        expected += prod(family.sizes)
    assert expected == codes.SEND_FOREST


def test_every_family_has_its_words() -> None:
    outcomes = {codes.LAY, codes.BACK, codes.DIE, codes.SECOND_DIE}
    assert set(FAMILIES) == {family.code for family in codes.ACTION_FAMILIES} | outcomes
    assert {code for code, family in FAMILIES.items() if isinstance(family, Outcome)} == outcomes
