"""Chapter D and AT.T7: drawing cards one by one, reshuffling the discard pile, discarding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.state import CHANCE
from landfall.games.atlantis.rules import components, phases
from landfall.games.atlantis.rules.event_recording import record_card_drawn, record_event
from landfall.games.atlantis.rules.position import AtlantisPosition

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf


def sum_card_counts(cards: Buf) -> i64:
    """How many cards."""
    n: i64 = 0
    for kind in range(components.NUM_KINDS):
        n += cards[kind]
    return n


def are_deck_and_discard_empty(s: AtlantisPosition) -> bool:
    """Whether deck and discard pile are both empty."""
    return sum_card_counts(s.deck) == 0 and sum_card_counts(s.discard) == 0


def request_next_card(s: AtlantisPosition) -> bool:
    """Let chance draw the next card if one is due and available. False if the draw is over."""
    if s.to_draw > 0 and sum_card_counts(s.deck) == 0:
        shuffle_discards_into_deck(s)  # AT.T7: a card is due and the deck is empty
    if s.to_draw > 0 and sum_card_counts(s.deck) > 0:
        s.actor = CHANCE
        return True
    s.to_draw = 0
    return False


def card_counts_in_hand(s: AtlantisPosition, seat: i64) -> list[int]:
    """How many cards of each kind a seat holds."""
    return [int(s.hand[seat * components.NUM_KINDS + kind]) for kind in range(components.NUM_KINDS)]


def count_cards_in_hand(s: AtlantisPosition, seat: i64) -> i64:
    """How many cards a seat holds."""
    n: i64 = 0
    for i in range(seat * components.NUM_KINDS, (seat + 1) * components.NUM_KINDS):
        n += s.hand[i]
    return n


def shuffle_discards_into_deck(s: AtlantisPosition) -> None:
    """The discard pile becomes the deck. Its contents are public, so knowledge of the deck restarts here."""
    cards = sum_card_counts(s.discard)
    if cards == 0:
        return
    for kind in range(components.NUM_KINDS):
        s.deck[kind] = s.discard[kind]
        s.shuffled[kind] = s.discard[kind]
        s.discard[kind] = 0
    for i in range(len(s.drawn)):
        s.drawn[i] = 0
    if s.events is not None:
        record_event(s, {"kind": "shuffled", "cards": int(cards)})


def give_drawn_card(s: AtlantisPosition, kind: components.Kind) -> None:
    """The player in turn receives a card of this kind."""
    s.deck[kind] -= 1
    s.hand[s.seat * components.NUM_KINDS + kind] += 1
    s.drawn[s.seat * components.NUM_KINDS + kind] += 1
    if s.phase == phases.BUYING:
        s.bought[kind] += 1
        s.bought_count += 1
    if s.events is not None:
        seat = int(s.seat)
        record_card_drawn(
            s, {"kind": "drew", "seat": seat, "card": "hidden"}, {"card": components.KINDS[kind]}, 1 + seat
        )
    s.to_draw -= 1


def remove_card_from_hand(s: AtlantisPosition, kind: components.Kind) -> None:
    """A card leaves the hand of the player in turn publicly; the count of public cards in the hand drops with it."""
    i = s.seat * components.NUM_KINDS + kind
    s.hand[i] -= 1
    if s.known[i] > 0:
        s.known[i] -= 1


def reset_bought_card_counts(s: AtlantisPosition) -> None:
    """From here on it does not matter which cards were bought this turn (AT.G3)."""
    s.bought_count = 0
    for kind in range(components.NUM_KINDS):
        s.bought[kind] = 0
