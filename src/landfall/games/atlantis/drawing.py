"""Chapter D and AT.T7: cards drawn one by one, and the discard pile that becomes a new deck."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.state import CHANCE
from landfall.games.atlantis import turn
from landfall.games.atlantis.components import KINDS, NUM_KINDS
from landfall.games.atlantis.events import tell, tell_drew
from landfall.games.atlantis.phases import BUYING

if TYPE_CHECKING:
    from landfall.core.vectors import Buf
    from landfall.games.atlantis.state import AtlantisState


def total(cards: Buf) -> i64:
    """How many cards."""
    n: i64 = 0
    for kind in range(NUM_KINDS):
        n += cards[kind]
    return n


def nothing_to_draw(s: AtlantisState) -> bool:
    """Whether deck and discard pile are both empty."""
    return total(s.deck) == 0 and total(s.discard) == 0


def next_card(s: AtlantisState) -> None:
    """Chance gives the next card, if one is due and there is any; else the drawing is over."""
    if s.to_draw > 0 and total(s.deck) == 0:
        shuffle_discards(s)  # AT.T7: when a card is needed and the deck has none
    if s.to_draw > 0 and total(s.deck) > 0:
        s.actor = CHANCE
        return
    s.to_draw = 0
    turn.after_draw(s)


def shuffle_discards(s: AtlantisState) -> None:
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
        tell(s, {"kind": "shuffled", "cards": int(cards)})


def apply_drawn(s: AtlantisState, kind: i64) -> None:
    """The player in turn gets a card of this kind."""
    s.deck[kind] -= 1
    s.hand[s.seat * NUM_KINDS + kind] += 1
    s.drawn[s.seat * NUM_KINDS + kind] += 1
    if s.phase == BUYING:
        s.bought[kind] += 1
        s.bought_count += 1
    if s.events is not None:
        seat = int(s.seat)
        tell_drew(s, {"kind": "drew", "seat": seat, "card": "hidden"}, {"card": KINDS[kind]}, 1 + seat)
    s.to_draw -= 1
    next_card(s)
