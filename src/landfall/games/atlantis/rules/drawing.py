"""Chapter D and AT.T7: cards drawn one by one, the discard pile that becomes a new deck, cards that leave a hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.state import CHANCE
from landfall.games.atlantis.rules.components import KINDS, NUM_KINDS, Kind
from landfall.games.atlantis.rules.events import record_drew, record_event
from landfall.games.atlantis.rules.phases import BUYING

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf
    from landfall.games.atlantis.rules.position import AtlantisPosition


def total(cards: Buf) -> i64:
    """How many cards."""
    n: i64 = 0
    for kind in range(NUM_KINDS):
        n += cards[kind]
    return n


def nothing_to_draw(s: AtlantisPosition) -> bool:
    """Whether deck and discard pile are both empty."""
    return total(s.deck) == 0 and total(s.discard) == 0


def next_card(s: AtlantisPosition) -> bool:
    """Chance gives the next card, if one is due and there is any; else the drawing is over, and False."""
    if s.to_draw > 0 and total(s.deck) == 0:
        shuffle_discards(s)  # AT.T7: when a card is needed and the deck has none
    if s.to_draw > 0 and total(s.deck) > 0:
        s.actor = CHANCE
        return True
    s.to_draw = 0
    return False


def hand_of(s: AtlantisPosition, seat: i64) -> list[int]:
    """How many cards of each kind a seat holds."""
    return [int(s.hand[seat * NUM_KINDS + kind]) for kind in range(NUM_KINDS)]


def hand_size(s: AtlantisPosition, seat: i64) -> i64:
    """How many cards a seat holds."""
    n: i64 = 0
    for i in range(seat * NUM_KINDS, (seat + 1) * NUM_KINDS):
        n += s.hand[i]
    return n


def shuffle_discards(s: AtlantisPosition) -> None:
    """The discard pile becomes the deck. All have seen what is in it: knowledge begins anew from there."""
    cards = total(s.discard)
    if cards == 0:
        return
    for kind in range(NUM_KINDS):
        s.deck[kind] = s.discard[kind]
        s.shuffled[kind] = s.discard[kind]
        s.discard[kind] = 0
    for i in range(len(s.drawn)):
        s.drawn[i] = 0
    if s.events is not None:
        record_event(s, {"kind": "shuffled", "cards": int(cards)})


def apply_drawn(s: AtlantisPosition, kind: Kind) -> None:
    """The player in turn gets a card of this kind."""
    s.deck[kind] -= 1
    s.hand[s.seat * NUM_KINDS + kind] += 1
    s.drawn[s.seat * NUM_KINDS + kind] += 1
    if s.phase == BUYING:
        s.bought[kind] += 1
        s.bought_count += 1
    if s.events is not None:
        seat = int(s.seat)
        record_drew(s, {"kind": "drew", "seat": seat, "card": "hidden"}, {"card": KINDS[kind]}, 1 + seat)
    s.to_draw -= 1


def lose_card(s: AtlantisPosition, kind: Kind) -> None:
    """A card leaves the hand of the player in turn openly: one fewer that all know of, if they knew of any."""
    i = s.seat * NUM_KINDS + kind
    s.hand[i] -= 1
    if s.known[i] > 0:
        s.known[i] -= 1


def forget_bought(s: AtlantisPosition) -> None:
    """From here on it makes no difference which cards were bought this turn (AT.G3)."""
    s.bought_count = 0
    for kind in range(NUM_KINDS):
        s.bought[kind] = 0
