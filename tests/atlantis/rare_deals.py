"""Exactly sampled deals against an enumeration of all deals, over made-up positions in which few of them fit.

The enumeration lists decks, hands and bought cards as they are dealt, one after the other, and asks the engine whether
the player in turn can go on; it shares no count with `exact_deal_sampling`. Where the deal drawn stands among all
deals, in order and by weight, is uniformly distributed if every deal comes as often as it should.
`python -m tests.atlantis.rare_deals 10000` compares so many positions.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import comb

import landfall
from landfall.core.errors import PositionError
from landfall.core.rng import Rng
from landfall.games.atlantis.rules import hidden_information, turn
from landfall.games.atlantis.rules.components import KINDS, NUM_KINDS
from landfall.games.atlantis.rules.phases import HOPPING, PAYING
from landfall.games.atlantis.state import AtlantisState

GAME = landfall.game("atlantis")
Cards = tuple[int, ...]
RARE = 0.1  # of all deals so many let the move go on, at most


@dataclass
class Found:
    """What a comparison came to."""

    positions: int = 0
    phases: Counter[str] = field(default_factory=Counter)
    ranks: list[float] = field(default_factory=list)
    true_hands: int = 0
    expected_true_hands: float = 0.0

    def largest_gap(self) -> float:
        """Between the distribution of ranks and the uniform one, as Kolmogorov and Smirnov measure it."""
        n, ranks = len(self.ranks), sorted(self.ranks)
        return max(max((i + 1) / n - rank, rank - i / n) for i, rank in enumerate(ranks))


def iterate_handfuls(cards: Cards, size: int) -> Iterator[tuple[Cards, int]]:
    """Every way to take so many cards, by kind, and how many ways it is if all cards are told apart."""
    if not cards:
        if size == 0:
            yield (), 1
        return
    for taken in range(min(cards[0], size) + 1):
        for rest, ways in iterate_handfuls(cards[1:], size - taken):
            yield (taken, *rest), comb(cards[0], taken) * ways


def enumerate_deals(s: AtlantisState, own: int) -> tuple[dict[tuple[Cards, Cards, Cards], int], float]:
    """The weight of every deck, hand in turn and bought cards that let the move go on; their part of all deals."""
    base = int(s.seat) * NUM_KINDS
    other = next(seat for seat in range(int(s.players)) if seat not in (own, s.seat)) if s.players > 2 else None
    hidden = [s.seat] if other is None else [s.seat, other]
    unknown = tuple(
        int(s.deck[k]) + sum(int(s.hand[h * NUM_KINDS + k] - s.known[h * NUM_KINDS + k]) for h in hidden)
        for k in range(NUM_KINDS)
    )
    in_deck = tuple(min(int(s.shuffled[k] - s.drawn[own * NUM_KINDS + k]), unknown[k]) for k in range(NUM_KINDS))
    size = sum(int(s.hand[base + k] - s.known[base + k]) for k in range(NUM_KINDS))
    found: dict[tuple[Cards, Cards, Cards], int] = {}
    total = 0
    world = s.copy()
    for deck, deck_ways in iterate_handfuls(in_deck, sum(s.deck)):
        left = tuple(a - b for a, b in zip(unknown, deck, strict=True))
        for dealt, hand_ways in iterate_handfuls(left, size):
            for k in range(NUM_KINDS):
                world.hand[base + k] = s.known[base + k] + dealt[k]
            may_be_bought = tuple(dealt[k] + int(s.played[k]) for k in range(NUM_KINDS))
            for bought, bought_ways in iterate_handfuls(may_be_bought, int(s.bought_count)):
                weight = deck_ways * hand_ways * bought_ways
                total += weight
                fresh = tuple(max(0, bought[k] - int(s.played[k])) for k in range(NUM_KINDS))
                for k in range(NUM_KINDS):
                    world.bought[k] = fresh[k]
                if can_finish_move(world):
                    key = (deck, tuple(int(world.hand[base + k]) for k in range(NUM_KINDS)), fresh)
                    found[key] = found.get(key, 0) + weight
    return found, sum(found.values()) / total


def can_finish_move(s: AtlantisState) -> bool:
    if s.phase == PAYING:
        return bool(s.bill - s.paid <= turn.count_spendable_points(s))
    return bool(s.legal_actions())


def make_position(chance: random.Random) -> AtlantisState | None:
    """A position in the middle of Blue's move, few cards unknown; None if it came to nothing."""
    kinds: list[str] = list(KINDS)
    chance.shuffle(kinds)
    return make_hop_position(chance, kinds) if chance.random() < 0.75 else make_payment_position(chance, kinds)


def make_hop_position(chance: random.Random, kinds: list[str]) -> AtlantisState | None:
    """Blue can go on only with two or three cards of one kind; some may have been bought."""
    first, second, third = kinds[:3]
    taken = chance.randint(1, 2)  # tiles of the third kind that are occupied
    path = [f"{first}1(Blue A)", f"{second}1(White A)"]
    path += [f"{third}{1 + i}(White {'BC'[i]})" for i in range(taken)]
    path += [f"{third}5", "~"] + [f"{kind}5" for kind in kinds[3:]] + [f"{second}5"]
    blue = Counter({second: 1, third: taken + 1}) + Counter(chance.choices(kinds[3:], k=chance.randint(1, 2)))
    fresh = chance.choices([third, *kinds[3:]], k=chance.choice((0, 0, 1, 2)))
    moves = [f"A {second}", *[f"A {third}"] * chance.randint(0, taken)]
    return position_after_moves(chance, kinds, path, blue, fresh, moves)


def make_payment_position(chance: random.Random, kinds: list[str]) -> AtlantisState | None:
    """Blue can pay only if all cards played were among those bought."""
    first, second, third, fourth = kinds[:4]
    rest = chance.randint(2, 4)
    path = [f"{first}1(Blue A)", f"{second}1(White A)", f"{third}{rest}(White B)", "~", f"{fourth}5"]
    blue = Counter(kinds[1:4]) + Counter(chance.choices(kinds, k=rest))
    return position_after_moves(chance, kinds, path, blue, kinds[1:4], [f"A {kind}" for kind in kinds[1:4]])


def position_after_moves(
    chance: random.Random, kinds: list[str], path: list[str], blue: Counter[str], fresh: list[str], moves: list[str]
) -> AtlantisState | None:
    """The position after these moves; a few cards are in the deck, in other hands, and held since before a shuffle."""
    deck, white = Counter(chance.choices(kinds[3:], k=chance.randint(4, 7))), Counter(chance.choices(kinds[3:], k=2))
    black = Counter(chance.choices(kinds[3:], k=chance.choice((0, 0, 2))))
    stale = Counter(chance.choices(list(blue), k=chance.choice((0, 1, 2))))
    fresh = [kind for kind in fresh if blue[kind]]
    deck -= stale  # so that the deck cannot hold as many of these as are unknown
    there = {kind: deck[kind] + blue[kind] + white[kind] + black[kind] for kind in kinds}
    out = format_cards(Counter({kind: 15 - n for kind, n in there.items()}))
    now = f"; now: start bought={len(fresh)} fresh={','.join(fresh)}" if fresh else ""
    hands = {"Blue": blue - stale, "White": white, "Black": black}
    drawn = " ".join(
        f"{name}={format_cards(cards).replace(' ', ',')}" for name, cards in hands.items() if cards.total()
    )
    seats = f"Blue: {format_cards(blue)}; White: {format_cards(white)}; Black: {format_cards(black)}"
    text = f"{' '.join(path)}; {seats}; out: {out}{now}"
    try:
        state = GAME.from_text(f"{text}; drawn: {drawn}")
    except PositionError:
        return None
    assert isinstance(state, AtlantisState)
    for move in moves:
        if state.why_illegal(state.parse(move)) is None:
            state.apply(state.parse(move))
    return state if state.actor == 0 and state.phase in (HOPPING, PAYING) else None


def format_cards(cards: Counter[str]) -> str:
    return " ".join(f"{n}{kind}" for kind, n in cards.items())


def compare_rare_deals(count: int, first: int = 0) -> Found:
    """One deal in each of so many positions."""
    found, seed = Found(), first * 1000
    while found.positions < count:
        seed += 1
        state = make_position(random.Random(seed))
        if state is not None:
            compare_deal_with_all(state, 1, Rng(seed), found)
    return found


def compare_deal_with_all(state: AtlantisState, own: int, rng: Rng, found: Found) -> None:
    """Draw a deal as seat `own`, and note where it stands among all."""
    deals, part = enumerate_deals(state, own)
    if part > RARE or len(deals) < 4:
        return
    world = state.copy()
    hidden_information.redeal_with_exact_sampling(world, own, rng)
    faults = GAME.find_faults(world)
    assert not faults, faults
    base = int(state.seat) * NUM_KINDS
    drawn = deal_in_state(world, base)
    weights = sorted(deals.items())
    before = sum(weight for deal, weight in weights if deal < drawn)
    total = sum(deals.values())
    found.ranks.append((before + random.Random(found.positions).random() * deals[drawn]) / total)
    truth = deal_in_state(state, base)[1]
    found.expected_true_hands += sum(weight for deal, weight in weights if deal[1] == truth) / total
    found.true_hands += drawn[1] == truth
    found.positions += 1
    found.phases["paying" if state.phase == PAYING else "hopping"] += 1
    found.phases["bought"] += state.bought_count > 0
    found.phases["some cards cannot lie in the deck"] += sum(state.shuffled) < sum(state.deck) + sum(state.hand)


def deal_in_state(s: AtlantisState, base: int) -> tuple[Cards, Cards, Cards]:
    return tuple(s.deck), tuple(int(s.hand[base + k]) for k in range(NUM_KINDS)), tuple(s.bought)


if __name__ == "__main__":
    start = time.perf_counter()
    result = compare_rare_deals(int(sys.argv[1]))
    print(f"{result.positions} positions {dict(result.phases)}, {landfall.ENGINE}, {time.perf_counter() - start:.0f} s")
    print(f"largest gap {result.largest_gap():.4f}, 1 % of the time above {1.63 / result.positions**0.5:.4f}")
    print(f"true hand drawn {result.true_hands} times, expected {result.expected_true_hands:.1f}")
