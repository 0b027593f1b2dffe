"""Atlandice read a second time, from docs/rules/atlandice.md."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.second_implementation.game_as_questions import Reading, Telling, ask_chance, ask_seat, group_seats_by_place

# AD.C1: a region's number is that of its own resource; six is the black market.
RESOURCE = {1: "g", 2: "b", 3: "p", 4: "t", 5: "w"}
NAMES = {"g": "gems", "b": "books", "p": "provisions", "t": "tools", "w": "weapons"}
REGIONS = (1, 2, 3, 4, 5)
MARKET = 6
DIE = {str(face): 1 for face in range(1, 7)}

# AD.C4, the default clock: what happens on which space; AD.C3: hands by letter.
ICONS = {2: "gems", 5: "books", 8: "provisions", 11: "tools", 14: "weapons", 6: "stock", 12: "stock"}
ICONS |= {3: "donation", 9: "donation", 15: "donation"}
HANDS = {"a": 1, "b": 2, "c": 3}


class Holder:
    """A player, or the neutral one (AD.N1): stock, points, tiles, dice of this round."""

    def __init__(self) -> None:
        self.stock: Counter[str] = Counter()
        self.points = 0
        self.tiles: list[str] = []
        self.dice = 0
        self.gave = False


class Atlandice(Reading):
    """A match of Atlandice."""

    def __init__(self, players: int, options: dict[str, object]) -> None:
        self.players = players
        self.holders = [Holder() for _ in range(players + (players == 2))]
        self.neutral = self.holders[2] if players == 2 else None
        share = 9 if players == 4 else 7  # AD.U1
        self.lying: dict[int, Counter[str]] = {n: Counter({RESOURCE[n]: share}) for n in REGIONS}
        self.lying[MARKET] = Counter(dict.fromkeys("gbptw", 3))
        self.dice_in_game = 9 if players == 4 else 7
        self.dice: Counter[int] = Counter()
        self.stack = {n: ["a", "b", "c"] for n in REGIONS}  # unseen
        self.top: dict[int, str] = {}  # a region without one is used up
        self.held = set(REGIONS)  # AD.V3: regions that held a piece since their tile came
        self.submarine = 4
        self.hand = 0
        self.last, self.icons = 18, dict(ICONS)
        self.hands = {f"{n}{letter}": HANDS[letter] for n in REGIONS for letter in "abc"} | {"market": 2}
        if options.get("clock"):
            self.read_clock(options["clock"])
        self.first = 0
        self.round = 0
        self.gone: list[str] = []

    def read_clock(self, clock: Any) -> None:
        """AD.C4: a table's own clock."""
        self.last = clock["last"]
        self.icons = {int(space): icon for space, icon in clock["icons"].items()}
        for n, stack in zip(REGIONS, ("jeweller", "library", "inn", "workshop", "forge"), strict=True):
            for letter, hands in zip("abc", clock["hands"][stack], strict=True):
                self.hands[f"{n}{letter}"] = hands
        self.hands["market"] = clock["hands"]["black_market"]

    # --- P · round ------------------------------------------------------------------------------------------------

    def tell(self) -> Telling[None]:
        """AD.U1, AD.C2, AD.P1, AD.P2, AD.P3, AD.P4, AD.E1"""
        for n in REGIONS:
            yield from self.turn_up(n)
        while True:
            self.round += 1
            yield from self.open_gates()
            yield from self.visits()
            yield from self.advance_clock()
            if self.hand == self.last:
                return
            self.first = (self.first + 1) % self.players

    def turn_up(self, n: int) -> Telling[None]:
        face = yield from ask_chance({f"{n}{letter}": 1 for letter in self.stack[n]})
        self.stack[n].remove(face[1])
        self.top[n] = face[1]

    def sector(self, face: int) -> int:
        """AD.P1: sixes and used-up numbers are the black market."""
        return face if face in self.top else MARKET

    def open_gates(self) -> Telling[None]:
        self.dice = Counter()
        for holder in self.holders:
            holder.dice, holder.gave = 0, False
        for _ in range(self.dice_in_game):
            face = yield from ask_chance(DIE)
            self.dice[self.sector(int(face))] += 1

    def visits(self) -> Telling[None]:
        """AD.P2, AD.N1: one die is left."""
        for number in range(self.dice_in_game - 1):
            seat = (self.first + number) % self.players
            yield from self.take_die(seat)
            yield from self.empty_regions()

    def order(self) -> list[Holder]:
        """This round's turn order, the neutral last (AD.V2)."""
        seats = [self.holders[(self.first + i) % self.players] for i in range(self.players)]
        return [*seats, *([self.neutral] if self.neutral else [])]

    # --- V · visits -----------------------------------------------------------------------------------------------

    def take_die(self, seat: int) -> Telling[None]:
        """AD.V1 (a); AD.N1: exactly one of three is the neutral's."""
        own, neutral = True, False
        player = self.holders[seat]
        if self.neutral:
            neutral = not player.gave
            own = player.gave or player.dice < 2
        marks = ["d"] * own + ["n"] * neutral
        answer = yield from ask_seat(seat, [f"{mark}{n}" for mark in marks for n, count in self.dice.items() if count])
        n = int(answer[1])
        self.dice[n] -= 1
        holder = player
        if answer[0] == "n":
            assert self.neutral
            player.gave = True
            holder = self.neutral
        holder.dice += 1
        yield from self.visit(seat, holder, n)

    def visit(self, seat: int, holder: Holder, n: int) -> Telling[None]:
        """AD.V1 (b), (c); AD.V6"""
        yield from self.take(seat, holder, [n])
        if self.submarine == n:
            yield from self.take(seat, holder, [n])
        if n != MARKET:
            yield from self.effect(seat, holder, n, f"{n}{self.top[n]}")

    def pieces(self, sectors: list[int]) -> list[str]:
        """The pieces lying in sectors, as the notation names them."""
        return [f"{n}{r}" for n in sectors for r, count in self.lying[n].items() if count]

    def take(self, seat: int, holder: Holder, sectors: list[int]) -> Telling[None]:
        """One piece into the stock, if there is one."""
        found = self.pieces(sectors)
        if found:
            answer = yield from ask_seat(seat, [f"+{piece}" for piece in found])
            self.lying[int(answer[1])][answer[2]] -= 1
            holder.stock[answer[2]] += 1

    def put(self, n: int, resource: str) -> None:
        self.lying[n][resource] += 1
        if n != MARKET:
            self.held.add(n)

    def others(self, n: int) -> list[int]:
        """AD.V7: another region."""
        return [region for region in REGIONS if region in self.top and region != n]

    def effect(self, seat: int, holder: Holder, n: int, tile: str) -> Telling[None]:
        """AD.C3, AD.V10"""
        here = self.pieces([n])
        if tile in ("1a", "5a"):
            if here:
                face = yield from ask_chance(DIE)
                if face in ("135" if tile == "1a" else "246"):
                    yield from self.take(seat, holder, [n])
        elif tile == "1b":
            if here and self.pieces(self.others(n)):
                one = yield from ask_seat(seat, [f"^{piece}" for piece in here])
                other = yield from ask_seat(seat, [f"^{piece}" for piece in self.pieces(self.others(n))])
                for piece in (one, other):
                    self.lying[int(piece[1])][piece[2]] -= 1
                self.put(int(other[1]), one[2])
                self.put(n, other[2])
        elif tile == "1c":
            yield from self.second_visit(seat, holder)
        elif tile == "2a":
            if self.pieces(self.others(n)):
                face = yield from ask_chance(DIE)
                if face in "56":
                    yield from self.take(seat, holder, self.others(n))
        elif tile == "2b":
            if here:
                answer = yield from ask_seat(seat, [f"^{piece}" for piece in here])
                self.lying[n][answer[2]] -= 1
                self.put(MARKET, answer[2])
        elif tile == "2c":
            if holder.dice == 2:  # AD.N2
                yield from self.take(seat, holder, [n])
        elif tile == "3a":
            if self.hand != self.last:
                face = yield from ask_chance(DIE)
                if face in "1234":
                    self.hand += 1
        elif tile == "3b":
            yield from self.carry(seat, MARKET, self.others(n))
        elif tile == "3c":
            yield from self.change_die(seat)
        elif tile[0] == "4":
            to = [s for s in (*self.top, MARKET) if s != self.submarine]
            answer = yield from ask_seat(seat, [f">{s}" for s in to])
            self.submarine = int(answer[1])
        elif tile == "5b":
            yield from self.carry(seat, n, self.others(n))
        elif tile == "5c":
            if self.pieces([MARKET]):
                face = yield from ask_chance(DIE)
                if face == "6":
                    yield from self.take(seat, holder, [MARKET])

    def matters(self, n: int) -> bool:
        """AD.V10: whether a visit without a die could change anything."""
        tile = "6" if n == MARKET else f"{n}{self.top[n]}"
        return (
            bool(self.pieces([n]))
            or tile == "3c"
            or tile[0] == "4"
            or (tile == "2a" and bool(self.pieces(self.others(n))))
            or (tile == "3a" and self.hand != self.last)
            or (tile == "3b" and bool(self.pieces([MARKET]) and self.others(n)))
            or (tile == "5c" and bool(self.pieces([MARKET])))
        )

    def second_visit(self, seat: int, holder: Holder) -> Telling[None]:
        """AD.V6"""
        if not any(self.matters(self.sector(face)) for face in range(1, 7)):
            return
        face = yield from ask_chance(DIE)
        if face == "6":
            face = yield from ask_chance(DIE)
            yield from self.visit(seat, holder, self.sector(int(face)))

    def carry(self, seat: int, start: int, to: list[int]) -> Telling[None]:
        """A piece from a sector to a region."""
        if self.pieces([start]) and to:
            piece = yield from ask_seat(seat, [f"^{piece}" for piece in self.pieces([start])])
            answer = yield from ask_seat(seat, [f">{n}" for n in to])
            self.lying[start][piece[2]] -= 1
            self.put(int(answer[1]), piece[2])

    def change_die(self, seat: int) -> Telling[None]:
        """AD.V7: inn c."""
        answer = yield from ask_seat(seat, [f"c{n}" for n, count in self.dice.items() if count])
        start = int(answer[1])
        answer = yield from ask_seat(seat, [f">{n}" for n in (*self.top, MARKET) if n != start])
        self.dice[start] -= 1
        self.dice[int(answer[1])] += 1

    # --- scoring on the way ---------------------------------------------------------------------------------------

    def empty_regions(self) -> Telling[None]:
        """AD.V2: lowest number first, until none is left."""
        while True:
            empty = [n for n in sorted(self.top) if n in self.held and not self.pieces([n])]
            if not empty:
                return
            yield from self.score_region(empty[0])

    def ranks(self, resource: str) -> tuple[list[Holder], list[Holder]]:
        """Those with most and, unless several are tied for it, those with second most; holding none counts nothing."""
        counts = sorted({h.stock[resource] for h in self.holders if h.stock[resource]}, reverse=True)
        best = [h for h in self.order() if counts and h.stock[resource] == counts[0]]
        second = [h for h in self.order() if len(counts) > 1 and h.stock[resource] == counts[1]]
        return best, second if len(best) == 1 else []

    def score_region(self, n: int) -> Telling[None]:
        """AD.V2, AD.V3"""
        resource = RESOURCE[n]
        best, second = self.ranks(resource)
        tile = f"{n}{self.top.pop(n)}"
        if best:
            best[0].tiles.append(tile)
        else:
            self.gone.append(tile)
        for holder in best[1:]:
            holder.points += 3
        for holder in second:
            holder.points += 1
        self.held.discard(n)
        returned = sum(holder.stock.pop(resource, 0) for holder in self.holders)
        if self.stack[n]:
            to_market = min(returned, max(0, 3 - self.lying[MARKET][resource]))
            self.lying[MARKET][resource] += to_market
            for _ in range(returned - to_market):
                self.put(n, resource)
            yield from self.turn_up(n)
        else:
            for pieces in self.lying.values():
                pieces.pop(resource, None)
            self.dice[MARKET] += self.dice.pop(n, 0)

    # --- the clock --------------------------------------------------------------------------------------------------

    def advance_clock(self) -> Telling[None]:
        """AD.P3, AD.V4, AD.V5, AD.V8"""
        if self.hand == self.last:
            return
        where = next(n for n, count in self.dice.items() if count)
        tile = "market" if where == MARKET else f"{where}{self.top[where]}"
        self.hand = min(self.last, self.hand + self.hands[tile])
        icon = self.icons.get(self.hand, "")
        if icon == "donation":
            for seat in [(self.first + i) % self.players for i in range(self.players)]:
                yield from self.donate(seat)
        elif icon:
            self.inventory(icon)

    def inventory(self, icon: str) -> None:
        """AD.V4; AD.N1: the neutral too."""
        counts = [h.stock.total() if icon == "stock" else self.of(h, icon) for h in self.holders]
        for holder, count in zip(self.holders, counts, strict=True):
            if count and count == max(counts):
                holder.points += 1

    def of(self, holder: Holder, resource_name: str) -> int:
        return sum(count for r, count in holder.stock.items() if NAMES[r] == resource_name)

    def donate(self, seat: int) -> Telling[None]:
        """AD.V5"""
        player = self.holders[seat]
        while player.stock.total() >= 2:
            answer = yield from ask_seat(seat, [*(f"-{r}" for r, n in player.stock.items() if n), "pass"])
            if answer == "pass":
                return
            self.give_back(player, answer[1])
            answer = yield from ask_seat(seat, [f"-{r}" for r, n in player.stock.items() if n])
            self.give_back(player, answer[1])
            player.points += 1

    def give_back(self, player: Holder, resource: str) -> None:
        player.stock[resource] -= 1
        self.put(next(n for n, r in RESOURCE.items() if r == resource), resource)

    # --- E · end ----------------------------------------------------------------------------------------------------

    def final(self, holder: Holder) -> int:
        """AD.E2: for each resource still in the game."""
        points = 0
        for n in self.top:
            best, second = self.ranks(RESOURCE[n])
            points += 3 * (holder in best) + (holder in second)
        return points

    def result(self) -> dict[str, object]:
        """AD.E2; AD.N1: the neutral cannot win."""
        scores = [h.points + 3 * len(h.tiles) + self.final(h) for h in self.holders[: self.players]]
        return {"scores": scores, "places": group_seats_by_place([(score,) for score in scores])}

    def seen(self) -> dict[str, object]:
        """The table; AD.V9: the same for everybody."""
        return {
            "public": True,
            "lying": {n: {r: c for r, c in pieces.items() if c} for n, pieces in self.lying.items()},
            "dice": {n: c for n, c in self.dice.items() if c},
            "tops": dict(self.top),
            "submarine": self.submarine,
            "hand": self.hand,
            "stocks": [{r: c for r, c in h.stock.items() if c} for h in self.holders],
            "points": [h.points for h in self.holders],
            "tiles": [sorted(h.tiles) for h in self.holders],
            "gone": sorted(self.gone),
            "first": self.first,
            "round": self.round,
        }
