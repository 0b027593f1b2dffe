"""Actions and outcomes are ints: choices from 0, then chance outcomes. Only this module decodes them."""

from typing import Final

from landfall_pearls.components import DRIFTS, VALUES

DIVE: Final = 0  # + value - 1: play a card to go down
SURFACE: Final = DIVE + VALUES  # + value - 1: discard a card to come up
NUM_ACTIONS: Final = SURFACE + VALUES
DRAWN: Final = NUM_ACTIONS  # + value - 1: chance gives a card
DRIFT: Final = DRAWN + VALUES  # + depth: chance says where the storm leaves the rope
NUM_OUTCOMES: Final = VALUES + DRIFTS


def parts(action: int) -> tuple[int, int]:
    """The kind of an action, and its number: a card's value, or a depth."""
    if action >= DRIFT:
        return DRIFT, action - DRIFT
    sort = DRAWN if action >= DRAWN else SURFACE if action >= SURFACE else DIVE
    return sort, action - sort + 1
