"""Hidden information (AT.T8): resamples everything a seat cannot know.

Nobody knows the order of the deck or the lower tiles, so the position does not store them; only other hands are
resampled. Public are the cards seen (played, paid, shown), the size of each hand, and the deck's contents at the last
shuffle. A seat also knows what it drew itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.core.int_vectors import filled_vector
from landfall.core.rng import Rng
from landfall.core.state import OVER, SCRATCH_ACTIONS
from landfall.games.atlantis.rules import card_drawing, codes, components, exact_deal_sampling, phases, turn
from landfall.games.atlantis.rules.position import AtlantisPosition

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf

MAX_REJECTED_DEALS: Final = 400
SPECTATOR: Final = -1


def resample_hidden_information(s: AtlantisPosition, seat: int | None, rng: Rng) -> AtlantisPosition:
    """A sampled copy for `seat`. Everybody knows that a player in the middle of a move can finish and pay for it."""
    own: i64 = SPECTATOR if seat is None else seat
    if s.actor == OVER:
        return s.copy()
    for _ in range(MAX_REJECTED_DEALS):
        c = s.copy()
        redeal_unknown_cards(c, own, rng)
        if s.seat == own or can_finish_move(c):
            return c
    c = s.copy()
    redeal_with_exact_sampling(c, own, rng)
    return c


def redeal_unknown_cards(c: AtlantisPosition, own: i64, rng: Rng) -> None:
    """Deal all cards unknown to seat `own` to the deck and the other hands."""
    pool = count_unknown_cards_by_kind(c, own)
    redeal_deck(c, own, pool, count_possible_deck_cards_by_kind(c, own, pool), rng)
    for seat in range(c.players):
        if seat != own:
            redeal_hand(c, seat, pool, rng)
    if c.seat != own and c.bought_count > 0:
        resample_bought_cards(c, rng)


def redeal_with_exact_sampling(c: AtlantisPosition, own: i64, rng: Rng) -> None:
    """The same if few deals let the player in turn continue: sample one of these from the same distribution."""
    pool = count_unknown_cards_by_kind(c, own)
    deckable = count_possible_deck_cards_by_kind(c, own, pool)
    if not exact_deal_sampling.deal_hand_that_can_finish_move(c, pool, deckable, rng):
        redeal_unknown_cards(c, own, rng)  # no legal position gets here
        return
    redeal_deck(c, own, pool, deckable, rng)
    for seat in range(c.players):
        if seat != own and seat != c.seat:
            redeal_hand(c, seat, pool, rng)


def count_unknown_cards_by_kind(c: AtlantisPosition, own: i64) -> Buf:
    """The cards, by kind, that may be in the deck or in any other hand as far as seat `own` knows."""
    pool = filled_vector(components.NUM_KINDS, 0)
    for kind in range(components.NUM_KINDS):
        pool[kind] = c.deck[kind]
        for seat in range(c.players):
            if seat != own:
                pool[kind] += c.hand[seat * components.NUM_KINDS + kind] - c.known[seat * components.NUM_KINDS + kind]
    return pool


def count_possible_deck_cards_by_kind(c: AtlantisPosition, own: i64, pool: Buf) -> Buf:
    """Those that may be in the deck: at most the deck's contents at the last shuffle minus what `own` drew."""
    deckable = filled_vector(components.NUM_KINDS, 0)
    for kind in range(components.NUM_KINDS):
        most = c.shuffled[kind]
        if own >= 0:
            most -= c.drawn[own * components.NUM_KINDS + kind]
        deckable[kind] = min(most, pool[kind])
    return deckable


def redeal_hand(c: AtlantisPosition, seat: i64, pool: Buf, rng: Rng) -> None:
    """A hand keeps its public cards; the rest comes from the pool."""
    unknown: i64 = 0
    for i in range(seat * components.NUM_KINDS, (seat + 1) * components.NUM_KINDS):
        unknown += c.hand[i] - c.known[i]
        c.hand[i] = c.known[i]
    for _ in range(unknown):
        c.hand[seat * components.NUM_KINDS + remove_random_card(pool, rng)] += 1


def redeal_deck(c: AtlantisPosition, own: i64, pool: Buf, deckable: Buf, rng: Rng) -> None:
    """Deal a new deck from the pool."""
    cards = card_drawing.sum_card_counts(c.deck)
    for kind in range(components.NUM_KINDS):
        c.deck[kind] = 0
    for _ in range(cards):
        kind = remove_random_card(deckable, rng)
        c.deck[kind] += 1
        pool[kind] -= 1
    reassign_unknown_draws(c, own)


def reassign_unknown_draws(c: AtlantisPosition, own: i64) -> None:
    """Others drew since the last shuffle what the deck now lacks; nobody knows who drew which."""
    other: i64 = 1 if own == 0 else 0
    for kind in range(components.NUM_KINDS):
        gone = c.shuffled[kind] - c.deck[kind]
        for seat in range(c.players):
            if seat != own:
                c.drawn[seat * components.NUM_KINDS + kind] = 0
        if own >= 0:
            gone -= c.drawn[own * components.NUM_KINDS + kind]
        c.drawn[other * components.NUM_KINDS + kind] = gone


def resample_bought_cards(c: AtlantisPosition, rng: Rng) -> None:
    """Sample the cards that the player in turn bought, from those played since and the hidden ones in hand."""
    base = c.seat * components.NUM_KINDS
    there = filled_vector(components.NUM_KINDS, 0)
    for kind in range(components.NUM_KINDS):
        c.bought[kind] = 0
        there[kind] = c.hand[base + kind] - c.known[base + kind] + c.played[kind]
    for _ in range(c.bought_count):
        c.bought[remove_random_card(there, rng)] += 1
    for kind in range(components.NUM_KINDS):
        c.bought[kind] = max(0, c.bought[kind] - c.played[kind])  # AT.G3: bought cards are played first


def remove_random_card(cards: Buf, rng: Rng) -> i64:
    """Remove one card uniformly at random. Returns its kind."""
    left = rng.randbelow(card_drawing.sum_card_counts(cards))
    kind: i64 = 0
    while left >= cards[kind]:
        left -= cards[kind]
        kind += 1
    cards[kind] -= 1
    return kind


def can_finish_move(c: AtlantisPosition) -> bool:
    """Whether the current move can be finished and paid for."""
    if c.phase == phases.PAYING:
        return c.bill - c.paid <= turn.count_spendable_points(c)
    if c.phase == phases.HOPPING:
        SCRATCH_ACTIONS.count = 0
        c.fill_legal(SCRATCH_ACTIONS)
        return SCRATCH_ACTIONS.count > 0
    return True


def secret_code_of_action(s: AtlantisPosition, action: int) -> int:
    """A drawn card is its player's secret: the code is the seat plus one."""
    return int(1 + s.seat) if codes.action_family(action) == codes.CARD else 0


def can_read_secret(s: AtlantisPosition, seat: int | None, secret: int) -> bool:
    """A seat's own secrets; at the end all."""
    return secret == 0 or s.actor == OVER or (seat is not None and secret == 1 + seat)
