"""Hidden information: values are private to their owner (SV.U3, SV.U5), hands to their holder (SV.R8)."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from landfall.core.rng import Rng, shuffle_in_place
from landfall.core.state import OVER
from landfall.games.survive.rules import codes, components, phases
from landfall.games.survive.rules.piece_positions import count_colours, seat_of_colour
from landfall.games.survive.rules.position import SurvivePosition

VALUE_SECRET: Final = 1  # + seat: a value that the seat gave an explorer
HAND_SECRET: Final = 11  # + seat: a tile that the seat holds


def secret_code_of_action(s: SurvivePosition, action: int) -> int:
    """The secret code of an action or outcome; 0 if it is public."""
    if codes.plays_higher_terrain(action):  # SV.R8: that there was a choice
        return HAND_SECRET + int(s.actor)
    family, back, _ = codes.decode_action(action)
    if family in (codes.PLACE, codes.PLACE_SECOND):
        return VALUE_SECRET + int(s.actor)
    if family == codes.BACK and components.is_tile_kept_in_hand(s.rules.dolphins, components.Back(back)):
        return HAND_SECRET + int(s.turn)
    return 0


def can_read_secret(s: SurvivePosition, seat: int | None, code: int) -> bool:
    if code == 0 or s.actor == OVER:
        return True
    if seat is None:
        return False
    if code >= HAND_SECRET:
        return code == HAND_SECRET + seat
    return code == VALUE_SECRET + seat and may_owners_see_values(s)


def may_owners_see_values(s: SurvivePosition) -> bool:
    """SV.U5: an owner sees its values during set-up, and later only with `open_values`."""
    return s.step == phases.STEP_SETUP or s.rules.open_values


# --- resampling -----------------------------------------------------------------------------------------------


def resample_hidden_information(s: SurvivePosition, seat: int | None, rng: Rng) -> None:
    """Resample everything the seat cannot know. A bot remembers the values it gave (perfect recall)."""
    for colour in range(count_colours(s)):
        if seat_of_colour(s, colour) != seat:
            resample_values(s, colour, rng)
    if s.actor != OVER:
        resample_hands(s, seat, rng)


def resample_values(s: SurvivePosition, colour: i64, rng: Rng) -> None:
    """All permutations of a colour's values over its explorers are equally likely, unplaced ones included."""
    if s.actor == OVER:
        return
    values: list[int] = []
    for e in range(colour * components.PER_COLOUR, colour * components.PER_COLOUR + s.placed[colour]):
        values.append(int(s.value[e]))
    for v in range(components.VALUES):
        for _ in range(s.values_left[colour * components.VALUES + v]):
            values.append(int(v) + 1)
        s.values_left[colour * components.VALUES + v] = 0
    values.sort()  # the sample must not depend on the true order
    shuffle_in_place(values, rng)
    for i in range(len(values)):
        if i < s.placed[colour]:
            s.value[colour * components.PER_COLOUR + i] = values[i]
        else:
            s.values_left[colour * components.VALUES + values[i] - 1] += 1


def resample_hands(s: SurvivePosition, seat: int | None, rng: Rng) -> None:
    """Others' hand tiles, terrain by terrain: any unseen backs that go to a hand."""
    for terrain in range(components.TERRAINS):
        unseen: list[int] = []
        for back in range(components.HAND_KINDS):
            if components.is_tile_kept_in_hand(s.rules.dolphins, components.Back(back)):
                for _ in range(s.back_left[terrain * components.BACKS + back]):
                    unseen.append(int(back))
                s.back_left[terrain * components.BACKS + back] = 0
        sizes: list[int] = []
        for other in range(s.players):
            size = 0
            if other != seat:
                for back in range(components.HAND_KINDS):
                    at = components.hand_index(other, terrain, back)
                    for _ in range(s.hand[at]):
                        unseen.append(int(back))
                        size += 1
                    s.hand[at] = 0
            sizes.append(size)
        unseen.sort()
        shuffle_in_place(unseen, rng)
        for other in range(s.players):
            for _ in range(sizes[other]):
                s.hand[components.hand_index(other, terrain, unseen.pop())] += 1
        for back in unseen:
            s.back_left[terrain * components.BACKS + back] += 1
