"""Samples a deal with its exact probability, given that the player in turn can finish and pay for the current move.

`hidden_information` uses rejection sampling first and this module when such deals are too rare. It counts all deals of
the unknown cards kind by kind, then samples one. Nothing depends on the true hands.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.core.rng import Rng
from landfall.games.atlantis.rules import board, card_drawing, components, movement, phases
from landfall.games.atlantis.rules.position import AtlantisPosition

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf

# The state after dealing the first kinds: the number of kinds dealt; the cards still to come, and how many of these
# count as bought; the cards that could have been in the deck; the useful cards held, and the bought ones among them,
# packed as in `movement`; the bought cards still in hand, which cannot pay.
Case = tuple[int, int, int, int, int, int, int]
Share = tuple[int, int, int]  # of one kind: cards that could have been in the deck, others, bought ones among these

LIMB_BITS: Final = 30  # bits per draw when building a large random number


class DealCounter:
    """Counts and samples the deals to the deck and the hand in turn that let the move continue.

    `pool` are the unknown cards by kind, `deckable` those that may be in the deck. Cards are distinguishable, so all
    deals have equal weight. A hand matters only up to `useful` cards of a kind; equivalent states are counted once.
    """

    def __init__(self, s: AtlantisPosition, pool: Buf, deckable: Buf) -> None:
        base = s.seat * components.NUM_KINDS
        self.s = s
        self.deckable = [int(deckable[kind]) for kind in range(components.NUM_KINDS)]
        self.others = [int(pool[kind] - deckable[kind]) for kind in range(components.NUM_KINDS)]
        self.known = [int(s.known[base + kind]) for kind in range(components.NUM_KINDS)]
        self.useful = max_useful_cards_by_kind(s)
        self.hand_size = int(card_drawing.count_cards_in_hand(s, s.seat))
        self.deck_size = int(card_drawing.sum_card_counts(s.deck))
        self.counted: dict[Case, int] = {}

    def case_before_dealing(self) -> Case:
        """The state before dealing."""
        return (0, self.hand_size - sum(self.known), int(self.s.bought_count), 0, 0, 0, 0)

    def count_deals(self, case: Case) -> int:
        """The number of deals from this state that let the move continue."""
        kind, left, bought, deckable, held, fresh, unpayable = case
        if kind == components.NUM_KINDS:
            if left or bought or not self.can_finish_move(held, fresh, unpayable):
                return 0
            return comb(sum(self.deckable) - deckable, self.deck_size)
        found = self.counted.get(case)
        if found is None:
            found = 0
            for share in self.possible_shares(case):
                found += self.count_deals_with_share(case, share)
            self.counted[case] = found
        return found

    def possible_shares(self, case: Case) -> list[Share]:
        """The possible shares of the next kind for the hand."""
        kind, left, bought, _, _, _, _ = case
        found: list[Share] = []
        played = int(self.s.played[kind])
        for of_deckable in range(min(left, self.deckable[kind]) + 1):
            for of_others in range(min(left - of_deckable, self.others[kind]) + 1):
                for of_bought in range(min(bought, of_deckable + of_others + played) + 1):
                    found.append((of_deckable, of_others, of_bought))
        return found

    def count_deals_with_share(self, case: Case, share: Share) -> int:
        """The number of deals from this state with this share of the next kind."""
        rest = self.count_deals(self.case_after_share(case, share))
        if rest == 0:
            return 0
        kind = case[0]
        of_deckable, of_others, of_bought = share
        chosen = comb(self.deckable[kind], of_deckable) * comb(self.others[kind], of_others)
        return chosen * comb(of_deckable + of_others + int(self.s.played[kind]), of_bought) * rest

    def case_after_share(self, case: Case, share: Share) -> Case:
        """The state after dealing this share."""
        kind, left, bought, deckable, held, fresh, unpayable = case
        of_deckable, of_others, of_bought = share
        cards = of_deckable + of_others
        still_held = max(0, of_bought - int(self.s.played[kind]))  # AT.G3: bought cards are played first
        shift = movement.BITS_A_KIND * kind
        return (
            kind + 1,
            left - cards,
            bought - of_bought,
            deckable + of_deckable,
            held | min(self.known[kind] + cards, self.useful[kind]) << shift,
            fresh | min(still_held, self.useful[kind]) << shift,
            unpayable + still_held,
        )

    def can_finish_move(self, held: int, fresh: int, unpayable: int) -> bool:
        """Whether a hand that holds these useful cards can finish and pay for the move."""
        s = self.s
        if s.phase == phases.PAYING:
            return bool(s.bill - s.paid <= s.worth[s.seat] + self.hand_size - unpayable)
        at = s.figure_at[s.seat * components.FIGURES + s.mover]
        old = self.hand_size - unpayable
        return bool(movement.playable_kind_bits(s, at, s.toll[s.origin + 1], i64(held), i64(fresh), i64(old)) != 0)

    def sample_deal(self, rng: Rng) -> list[Share]:
        """The share of each kind in a uniformly sampled deal. At least one deal must exist."""
        drawn: list[Share] = []
        case = self.case_before_dealing()
        while len(drawn) < components.NUM_KINDS:
            number = random_big_int_below(rng, self.count_deals(case))
            shares = self.possible_shares(case)
            i = 0
            ways = self.count_deals_with_share(case, shares[i])
            while number >= ways:
                number -= ways
                i += 1
                ways = self.count_deals_with_share(case, shares[i])
            drawn.append(shares[i])
            case = self.case_after_share(case, shares[i])
        return drawn


def max_useful_cards_by_kind(s: AtlantisPosition) -> list[int]:
    """For each kind, the largest number of cards that one move could use from here."""
    useful = [0] * components.NUM_KINDS
    if s.phase != phases.HOPPING:
        return useful
    means = s.worth[s.seat] + card_drawing.count_cards_in_hand(s, s.seat) + s.toll[s.origin + 1]
    waiting = [int(s.figure_at[s.seat * components.FIGURES + s.mover])]
    met = waiting[:]
    ends = [0] * components.NUM_KINDS
    while waiting:
        at = waiting.pop()
        for kind in range(components.NUM_KINDS):
            target = int(s.ahead[kind * board.ROW + at + 1])
            if s.toll[target + 1] > means:
                continue
            ends[kind] = 1
            if target != board.MAINLAND and s.occupant[target] >= 0 and target not in met:
                met.append(target)
                waiting.append(target)
                useful[kind] += 1
    return [useful[kind] + ends[kind] for kind in range(components.NUM_KINDS)]


def deal_hand_that_can_finish_move(c: AtlantisPosition, pool: Buf, deckable: Buf, rng: Rng) -> bool:
    """Deal unknown cards from the pool to the player in turn, with their bought marks; False if no deal is possible.

    The dealt cards are removed from `pool` and `deckable`.
    """
    counter = DealCounter(c, pool, deckable)
    if counter.count_deals(counter.case_before_dealing()) == 0:
        return False
    base = c.seat * components.NUM_KINDS
    shares = counter.sample_deal(rng)
    for kind in range(components.NUM_KINDS):
        of_deckable, of_others, of_bought = shares[kind]
        c.hand[base + kind] = c.known[base + kind] + of_deckable + of_others
        c.bought[kind] = max(0, of_bought - c.played[kind])
        pool[kind] -= of_deckable + of_others
        deckable[kind] -= of_deckable
    return True


def random_big_int_below(rng: Rng, n: int) -> int:
    """A uniform number from 0 to n - 1, for any n above 0."""
    limbs = n.bit_length() // LIMB_BITS + 1
    most = 1 << (LIMB_BITS * limbs)
    while True:
        number = 0
        for _ in range(limbs):
            number = (number << LIMB_BITS) | int(rng.randbelow(1 << LIMB_BITS))
        if number < most - most % n:
            return number % n
