"""Atlantis read a second time, from docs/rules/atlantis.md."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from tests.second_implementation.game_as_questions import (
    GameOver,
    Reading,
    Telling,
    ask_chance,
    ask_seat,
    group_seats_by_place,
)

KINDS = ("blue", "grey", "white", "yellow", "brown", "green", "pink")
SEVEN_ON_B = ("blue", "grey", "white", "yellow")  # AT.C1: their sixth tile is a 6 on back A, a 7 on back B
LAST = 53  # AT.U1: 26 stacks of A, one gap, 26 of B
ATLANTIS = 0
MAINLAND = 54
FIGURES = "ABC"

Tile = tuple[str, int]
Hand = Counter[str]


def tiles_of_back(back: str) -> dict[str, int]:
    """AT.C1: the 42 tiles of a back, each once."""
    found = {}
    for kind in KINDS:
        highest = 7 if (kind in SEVEN_ON_B) == (back == "B") else 6
        for value in (1, 2, 3, 4, 5, highest):
            found[f"{kind}{value}"] = 1
    return found


def parse_tile(face: str) -> Tile:
    return face[:-1], int(face[-1])


def format_tile(tile: Tile) -> str:
    return f"{tile[0]}{tile[1]}"


class Atlantis(Reading):
    """A match of Atlantis."""

    def __init__(self, players: int, options: dict[str, object]) -> None:
        self.players = players
        self.top: dict[int, Tile] = {}
        self.below: Counter[int] = Counter()
        self.unseen = {back: tiles_of_back(back) for back in "AB"}
        self.bridged: set[int] = set()  # positions of gaps that a bridge lies on
        self.figures = [dict.fromkeys(FIGURES, ATLANTIS) for _ in range(players)]
        self.hands: list[Hand] = [Counter() for _ in range(players)]
        self.tiles: list[Counter[Tile]] = [Counter() for _ in range(players)]
        self.holds_bridge = [True] * players
        self.deck: Hand = Counter(dict.fromkeys(KINDS, 15))  # AT.C2
        self.discard: Hand = Counter()
        self.out: Hand = Counter()
        self.bought: Hand = Counter()

    def back(self, at: int) -> str:
        return "A" if at <= 26 else "B"

    # --- the path -------------------------------------------------------------------------------------------------

    def occupied(self, at: int) -> bool:
        """AT.T5: on the path there is one figure a tile."""
        return ATLANTIS < at < MAINLAND and any(at in own.values() for own in self.figures)

    def ends(self) -> tuple[int, int]:
        """The first and the last tile: AT.R3, beyond them gaps close up."""
        return (min(self.top), max(self.top)) if self.top else (MAINLAND, ATLANTIS)

    def gaps(self) -> list[list[int]]:
        """AT.R3: the gaps, each as its positions; adjacent ones are one."""
        found: list[list[int]] = []
        first, last = self.ends()
        for at in range(first, last):
            if at not in self.top:
                if found and found[-1][-1] == at - 1:
                    found[-1].append(at)
                else:
                    found.append([at])
        return found

    def has_bridge(self, gap: list[int]) -> bool:
        return any(at in self.bridged for at in gap)

    def price(self, start: int, to: int) -> int:
        """AT.G1, AT.G2, AT.G5: all gaps between two places."""
        total = 0
        for gap in self.gaps():
            if start < gap[0] and gap[-1] < to and not self.has_bridge(gap):
                total += min(self.top[gap[0] - 1][1], self.top[gap[-1] + 1][1])
        return total

    def ahead(self, at: int, kind: str) -> int:
        """AT.T3, AT.T4: where a card takes a figure."""
        return next((p for p in sorted(self.top) if p > at and self.top[p][0] == kind), MAINLAND)

    # --- U · set-up -----------------------------------------------------------------------------------------------

    def tell(self) -> Telling[None]:
        """AT.U1, AT.U2"""
        for at in range(1, LAST + 1):
            if at != 27:
                self.below[at] = 0 if 11 <= at <= 20 or 34 <= at <= 43 else 1
                yield from self.turn_up(at)
        for seat in range(self.players):
            for _ in range(4 + seat):
                yield from self.draw_card(seat)
        stuck = 0
        seat = 0
        while True:
            stuck = stuck + 1 if (yield from self.take_turn(seat)) else 0
            if stuck == self.players:  # AT.E4
                return
            seat = (seat + 1) % self.players

    def turn_up(self, at: int) -> Telling[None]:
        unseen = self.unseen[self.back(at)]
        face = yield from ask_chance(unseen)
        unseen[face] -= 1
        self.top[at] = parse_tile(face)

    def draw_card(self, seat: int) -> Telling[str]:
        """AT.T7: the card, or nothing if there is none."""
        if not self.deck.total():
            self.deck, self.discard = self.discard, Counter()
        if not self.deck.total():
            return ""
        kind = yield from ask_chance({k: self.deck[k] for k in KINDS})
        self.deck[kind] -= 1
        self.hands[seat][kind] += 1
        return kind

    # --- T · turn -------------------------------------------------------------------------------------------------

    def take_turn(self, seat: int) -> Telling[bool]:
        """AT.T1; whether the player was stuck and drew nothing (AT.E4)."""
        self.bought = Counter()
        may_buy = True
        while True:
            plays = [f"{f} {k}" for f in FIGURES for k in KINDS if self.may_begin(seat, f, k)]
            bridges = self.bridge_answers(seat)
            buys = [f"buy {format_tile(t)}" for t, n in self.tiles[seat].items() if n and t[1] > 1]  # AT.T2
            if not may_buy or not (self.deck.total() or self.discard.total()):
                buys = []
            answer = yield from ask_seat(seat, [*(plays or ["show"]), *bridges, *buys])  # AT.T6
            verb, *rest = answer.split()
            may_buy = False
            if verb == "buy":
                yield from self.buy(seat, parse_tile(rest[0]))
            elif verb == "bridge":
                self.lay_bridge(seat, int(rest[0]))
            elif verb == "show":
                first = yield from self.draw_card(seat)
                yield from self.draw_card(seat)
                return not first
            else:
                yield from self.move(seat, verb, rest[0])
                return False

    def buy(self, seat: int, tile: Tile) -> Telling[None]:
        """AT.T2"""
        self.tiles[seat][tile] -= 1
        for _ in range(tile[1] // 2):
            kind = yield from self.draw_card(seat)
            if kind:
                self.bought[kind] += 1

    def bridge_answers(self, seat: int) -> list[str]:
        """AT.G5: on any gap without one."""
        if not self.holds_bridge[seat]:
            return []
        return [f"bridge {gap[0]}" for gap in self.gaps() if not self.has_bridge(gap)]

    def lay_bridge(self, seat: int, at: int) -> None:
        self.holds_bridge[seat] = False
        self.bridged.add(at)

    def means(self, seat: int, hand: Hand, bought: Hand) -> int:
        """AT.G3: what can be paid: tiles, and cards that were not bought this turn."""
        return sum(t[1] * n for t, n in self.tiles[seat].items()) + hand.total() - bought.total()

    def play_card(self, hand: Hand, bought: Hand, kind: str) -> tuple[Hand, Hand]:
        """AT.G3: the cards left after playing one; of equal ones bought ones go first."""
        hand, bought = hand.copy(), bought.copy()
        hand[kind] -= 1
        if bought[kind]:
            bought[kind] -= 1
        return hand, bought

    def can_finish(self, seat: int, start: int, at: int, hand: Hand, bought: Hand) -> bool:
        """AT.T3, AT.G4: whether a figure that came this far can end its move, and pay."""
        if not self.occupied(at):
            return self.means(seat, hand, bought) >= self.price(start, at)
        return any(self.can_play(seat, start, at, hand, bought, kind) for kind in KINDS)

    def can_play(self, seat: int, start: int, at: int, hand: Hand, bought: Hand, kind: str) -> bool:
        if not hand[kind]:
            return False
        return self.can_finish(seat, start, self.ahead(at, kind), *self.play_card(hand, bought, kind))

    def may_begin(self, seat: int, figure: str, kind: str) -> bool:
        """AT.T5: figures on the mainland move no more."""
        at = self.figures[seat][figure]
        return at != MAINLAND and self.can_play(seat, at, at, self.hands[seat], self.bought, kind)

    def move(self, seat: int, figure: str, kind: str) -> Telling[None]:
        """AT.T3, AT.G2, AT.R1, AT.G5, AT.D1, AT.E1"""
        start = at = self.figures[seat][figure]
        while True:
            hand, bought = self.hands[seat], self.bought
            self.hands[seat], self.bought = self.play_card(hand, bought, kind)
            self.discard[kind] += 1  # AT.T7: nobody draws before the move is over
            at = self.ahead(at, kind)
            self.figures[seat][figure] = start
            if not self.occupied(at):
                break
            hand, bought = self.hands[seat], self.bought
            goes_on = [k for k in KINDS if self.can_play(seat, start, at, hand, bought, k)]
            self.figures[seat][figure] = at
            answer = yield from ask_seat(seat, [f"{figure} {k}" for k in goes_on])
            kind = answer.split()[1]
        bill = self.price(start, at)
        self.figures[seat][figure] = at
        yield from self.pay(seat, bill)
        yield from self.take_tile(seat, at)
        bridges = self.bridge_answers(seat)
        if bridges:
            answer = yield from ask_seat(seat, [*bridges, "no bridge"])
            if answer != "no bridge":
                self.lay_bridge(seat, int(answer.split()[1]))
        ashore = sum(at == MAINLAND for at in self.figures[seat].values())
        for _ in range(1 + ashore):
            yield from self.draw_card(seat)
        if ashore == 3:
            raise GameOver

    def pay(self, seat: int, bill: int) -> Telling[None]:
        """AT.G3: piece by piece."""
        while bill > 0:
            cards = [f"pay {k}" for k in KINDS if self.hands[seat][k] > self.bought[k]]
            answer = yield from ask_seat(
                seat, cards + [f"pay {format_tile(t)}" for t, n in self.tiles[seat].items() if n]
            )
            what = answer.removeprefix("pay ")
            if what in KINDS:
                self.hands[seat][what] -= 1
                self.out[what] += 1
                bill -= 1
            else:
                self.tiles[seat][parse_tile(what)] -= 1
                bill -= parse_tile(what)[1]

    def take_tile(self, seat: int, entered: int) -> Telling[None]:
        """AT.R1, AT.R2, AT.R3"""
        free = [p for p in self.top if p < entered and not self.occupied(p)]
        if not free:
            return
        at = max(free)
        self.tiles[seat][self.top.pop(at)] += 1
        if self.below[at]:
            self.below[at] = 0
            yield from self.turn_up(at)
        first, last = self.ends()
        self.bridged = {p for p in self.bridged if first < p < last}

    # --- E · end --------------------------------------------------------------------------------------------------

    def bill(self, seat: int) -> int:
        """AT.E2: all gaps still ahead of all figures."""
        return sum(self.price(at, MAINLAND) for at in self.figures[seat].values())

    def score(self, seat: int) -> int:
        """AT.E2, AT.E3: paid the cheapest way."""
        tiles = [t[1] for t in self.tiles[seat].elements()]
        cards = self.hands[seat].total()
        worth, bill = sum(tiles) + cards, self.bill(seat)
        if worth < bill:
            return worth - bill
        sums = {sum(some) for n in range(len(tiles) + 1) for some in combinations(tiles, n)}
        return worth - min(s + c for s in sums for c in range(cards + 1) if s + c >= bill)

    def result(self) -> dict[str, object]:
        scores = [self.score(seat) for seat in range(self.players)]
        return {"scores": scores, "places": group_seats_by_place([(score,) for score in scores])}

    def seen(self) -> dict[str, object]:
        """The table; AT.T8: a hand is seen by its owner, and by all at the end."""
        gaps, seats = self.gaps(), range(self.players)
        return {
            "path": {at: (format_tile(tile), self.below[at]) for at, tile in self.top.items()},
            "water": [at for gap in gaps for at in gap],
            "gaps": [(gap[0], gap[-1], self.price(gap[0] - 1, gap[-1] + 1), self.has_bridge(gap)) for gap in gaps],
            "figures": [dict(own) for own in self.figures],
            "hands": [{k: n for k, n in hand.items() if n} for hand in self.hands],
            "tiles": [sorted(format_tile(t) for t in own.elements()) for own in self.tiles],
            "bridges": list(self.holds_bridge),
            "seen": [[self.over or who == whose for whose in seats] for who in (None, *seats)],
            "deck": self.deck.total(),
            "discard": {k: n for k, n in self.discard.items() if n},
            "out": {k: n for k, n in self.out.items() if n},
        }
