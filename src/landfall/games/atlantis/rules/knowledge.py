"""Who knows what (AT.T8): a copy of the position in which all that a seat cannot know is drawn anew.

Nobody knows the order of the deck or the lower tiles, so neither is kept; what is redrawn are the other hands. All
know the cards seen (played, paid, shown), the number of cards in each hand, and what the deck was made of when it was
last shuffled; a seat knows besides what it drew itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.core.int_vectors import full
from landfall.core.rng import Rng
from landfall.core.state import OVER, SCRATCH_ACTIONS
from landfall.games.atlantis.rules import drawing, exact_deal, turn
from landfall.games.atlantis.rules.actions import CARD, sort_of
from landfall.games.atlantis.rules.components import NUM_KINDS
from landfall.games.atlantis.rules.phases import HOPPING, PAYING

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf
    from landfall.games.atlantis.rules.position import AtlantisPosition

MAX_REJECTED_DEALS: Final = 400
SPECTATOR: Final = -1


def resample(s: AtlantisPosition, seat: int | None, rng: Rng) -> AtlantisPosition:
    """A copy as `seat` may imagine it. Who is in the middle of a move can finish and pay for it: all know that."""
    own: i64 = SPECTATOR if seat is None else seat
    if s.actor == OVER:
        return s.copy()
    for _ in range(MAX_REJECTED_DEALS):
        c = s.copy()
        redeal(c, own, rng)
        if s.seat == own or can_go_on(c):
            return c
    c = s.copy()
    redeal_exactly(c, own, rng)
    return c


def redeal(c: AtlantisPosition, own: i64, rng: Rng) -> None:
    """Deal all cards unknown to seat `own` anew to the deck and to the other hands."""
    pool = unknown_cards(c, own)
    redeal_deck(c, own, pool, deckable_cards(c, own, pool), rng)
    for seat in range(c.players):
        if seat != own:
            redeal_hand(c, seat, pool, rng)
    if c.seat != own and c.bought_count > 0:
        redraw_bought(c, rng)


def redeal_exactly(c: AtlantisPosition, own: i64, rng: Rng) -> None:
    """The same where few deals let the player in turn go on: one of these, each as likely as by `redeal`."""
    pool = unknown_cards(c, own)
    deckable = deckable_cards(c, own, pool)
    if not exact_deal.give_hand(c, pool, deckable, rng):
        redeal(c, own, rng)  # no position that keeps the rules comes here
        return
    redeal_deck(c, own, pool, deckable, rng)
    for seat in range(c.players):
        if seat != own and seat != c.seat:
            redeal_hand(c, seat, pool, rng)


def unknown_cards(c: AtlantisPosition, own: i64) -> Buf:
    """The cards, by kind, of which seat `own` does not know whether they are in the deck or in which hand."""
    pool = full(NUM_KINDS, 0)
    for kind in range(NUM_KINDS):
        pool[kind] = c.deck[kind]
        for seat in range(c.players):
            if seat != own:
                pool[kind] += c.hand[seat * NUM_KINDS + kind] - c.known[seat * NUM_KINDS + kind]
    return pool


def deckable_cards(c: AtlantisPosition, own: i64, pool: Buf) -> Buf:
    """Those that may lie in the deck: no more of a kind than it was shuffled with, less what `own` drew of it."""
    deckable = full(NUM_KINDS, 0)
    for kind in range(NUM_KINDS):
        most = c.shuffled[kind]
        if own >= 0:
            most -= c.drawn[own * NUM_KINDS + kind]
        deckable[kind] = min(most, pool[kind])
    return deckable


def redeal_hand(c: AtlantisPosition, seat: i64, pool: Buf, rng: Rng) -> None:
    """A hand keeps what all know of; the rest comes out of the pool."""
    unknown: i64 = 0
    for i in range(seat * NUM_KINDS, (seat + 1) * NUM_KINDS):
        unknown += c.hand[i] - c.known[i]
        c.hand[i] = c.known[i]
    for _ in range(unknown):
        c.hand[seat * NUM_KINDS + pick(pool, rng)] += 1


def redeal_deck(c: AtlantisPosition, own: i64, pool: Buf, deckable: Buf, rng: Rng) -> None:
    """Take a new deck out of the pool."""
    cards = drawing.total(c.deck)
    for kind in range(NUM_KINDS):
        c.deck[kind] = 0
    for _ in range(cards):
        kind = pick(deckable, rng)
        c.deck[kind] += 1
        pool[kind] -= 1
    rebook(c, own)


def rebook(c: AtlantisPosition, own: i64) -> None:
    """What others drew since the last shuffle is what the deck now lacks; who drew it is nobody's knowledge."""
    other: i64 = 1 if own == 0 else 0
    for kind in range(NUM_KINDS):
        gone = c.shuffled[kind] - c.deck[kind]
        for seat in range(c.players):
            if seat != own:
                c.drawn[seat * NUM_KINDS + kind] = 0
        if own >= 0:
            gone -= c.drawn[own * NUM_KINDS + kind]
        c.drawn[other * NUM_KINDS + kind] = gone


def redraw_bought(c: AtlantisPosition, rng: Rng) -> None:
    """Which cards the player in turn bought, out of those played since and those in hand that nobody knows of."""
    base = c.seat * NUM_KINDS
    there = full(NUM_KINDS, 0)
    for kind in range(NUM_KINDS):
        c.bought[kind] = 0
        there[kind] = c.hand[base + kind] - c.known[base + kind] + c.played[kind]
    for _ in range(c.bought_count):
        c.bought[pick(there, rng)] += 1
    for kind in range(NUM_KINDS):
        c.bought[kind] = max(0, c.bought[kind] - c.played[kind])  # AT.G3: bought ones are played first


def pick(cards: Buf, rng: Rng) -> i64:
    """Take one card out, each equally likely; its kind."""
    left = rng.randbelow(drawing.total(cards))
    kind: i64 = 0
    while left >= cards[kind]:
        left -= cards[kind]
        kind += 1
    cards[kind] -= 1
    return kind


def can_go_on(c: AtlantisPosition) -> bool:
    """Whether the move under way can be finished and paid for."""
    if c.phase == PAYING:
        return c.bill - c.paid <= turn.means(c)
    if c.phase == HOPPING:
        SCRATCH_ACTIONS.count = 0
        c.fill_legal(SCRATCH_ACTIONS)
        return SCRATCH_ACTIONS.count > 0
    return True


def secret_code(s: AtlantisPosition, action: int) -> int:
    """A card drawn is its player's secret: one more than the seat."""
    return int(1 + s.seat) if sort_of(action) == CARD else 0


def can_read(s: AtlantisPosition, seat: int | None, secret: int) -> bool:
    """One's own secrets; all of them at the end."""
    return secret == 0 or s.actor == OVER or (seat is not None and secret == 1 + seat)
