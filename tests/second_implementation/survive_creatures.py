"""Dice and creatures of Survive, read a second time from docs/rules/survive.md."""

from __future__ import annotations

from tests.second_implementation.game_as_questions import Telling, ask_chance, ask_seat
from tests.second_implementation.survive_board import (
    DRAWN,
    FIRST_DIE,
    REACH,
    SECOND_DIE,
)
from tests.second_implementation.survive_table import Table


class Creatures(Table):
    """What the dice move."""

    # --- K, N · dice --------------------------------------------------------------------------------------------------

    def roll(self, seat: int) -> Telling[None]:
        """SV.K1, SV.N2"""
        if self.dolphins_play:
            face = yield from ask_chance(dict.fromkeys(FIRST_DIE, 1))
            far = yield from ask_chance(SECOND_DIE)
            self.dice = [face, far]
        else:
            face = yield from ask_chance({"serpent": 2, "shark": 2, "whale": 2})  # SV.C3
            far = ""
            self.dice = [face]
        kinds = {face}
        if face == "starfish":
            kinds = {"serpent", "shark", "whale", "dolphin", "ship"}
        if "whale" in kinds and self.squid != "off":  # SV.Q3, SV.Q8
            kinds.add("squid")
        answers = self.creature_moves(kinds, far)
        if answers is None:
            return
        answer = yield from ask_seat(seat, [*answers, "pass"])
        if answer == "pass":
            return
        first, *rest = answer.split()
        if first in self.ships:
            self.ships[rest[0]] = self.ships.pop(first)  # SV.N3
        elif first == "dolphin":
            yield from self.move_dolphin(seat, rest[0], rest[1])
        else:
            yield from self.move_creature(seat, first, rest[0], rest[1])

    def creature_moves(self, kinds: set[str], far: str) -> list[str] | None:
        """SV.K2, SV.K3, SV.K4, SV.K5, SV.K6, SV.N2, SV.N3: all that the dice allow; None if nothing they name is on
        the board (SV.K1).
        """
        found: list[str] = []
        named = False
        for kind, at in dict.fromkeys(self.creatures):
            if kind in kinds:
                named = True
                to = self.where_to(kind, at, far)
                if kind == "squid":
                    to.add(at)  # SV.Q4
                found += [f"{kind} {at} {space}" for space in to]
        if "ship" in kinds:
            for at in self.ships:
                if not self.occupied(at):
                    named = True
                    found += [f"{at} {to}" for to in self.where_to("ship", at, far)]
        if "dolphin" in kinds:
            for at, ward in dict.fromkeys((d.at, d.ward) for d in self.dolphins):
                named = True
                name = f"dolphin {at}({ward})"
                found += [f"{name} {to}" for to in self.where_to("dolphin", at, far)]
                found += [f"{name} {e}" for e in self.unguarded(at)]  # SV.N9
        return found if named else None

    def where_to(self, kind: str, at: str, far: str) -> set[str]:
        """Where a creature, or an empty ship, may go."""
        if far == "D":  # SV.N2, SV.H3
            return {s for s in DRAWN if self.vacant(s)}
        steps = int(far) if far else REACH[kind]
        if kind == "ship":
            return self.spread(at, steps, lambda s: self.is_sea(s) and s not in self.ships, lambda s: False)
        return self.spread(at, steps, self.is_sea, lambda s: self.must_stop(kind, s))

    def must_stop(self, kind: str, space: str) -> bool:
        """SV.K4, SV.K5, SV.N3, SV.N11, SV.Q4, SV.Q6: on entering a space."""
        if kind == "serpent":
            return bool(self.unguarded(space)) or self.occupied(space)
        if kind == "shark":
            return bool(self.unguarded(space))
        if kind == "whale":
            return self.occupied(space) or self.has("squid", space)
        if kind == "squid":
            return self.occupied(space) or self.has("whale", space) or bool(self.manned_tiles_by(space))
        return False

    def move_creature(self, seat: int, kind: str, at: str, to: str) -> Telling[None]:
        """SV.K3, SV.K4, SV.K5, SV.D1, SV.D2, SV.Q5, SV.Q6: a creature goes, and what it does there."""
        self.creatures.remove((kind, at))
        self.creatures.append((kind, to))
        if kind == "serpent":
            if self.occupied(to):
                for e in list(self.ships[to]):
                    self.lose(e, seat)
                self.remove_ship(to)
            yield from self.settle([to], seat)
        elif kind == "shark":
            prey = self.unguarded(to)
            if prey and (yield from self.defended(seat, "shark", to, prey)):
                return
            yield from self.settle([to], seat)
        elif kind == "whale":
            self.creatures = [c for c in self.creatures if c != ("squid", to)]
            if self.occupied(to):
                if (yield from self.defended(seat, "whale", to, self.ships[to])):
                    return
                self.wreck(to)
            yield from self.settle([to], seat)
        else:
            self.creatures = [c for c in self.creatures if c != ("whale", to)]
            yield from self.seize(seat, self.manned_tiles_by(to) + self.ships.get(to, []))

    def defended(self, mover: int, kind: str, to: str, prey: list[str]) -> Telling[bool]:
        """SV.D1, SV.D2, SV.D3, SV.D4, SV.D5: whether somebody attacked plays a defence tile; the creature then leaves
        the game.
        """
        attacked = {self.owner(e) for e in prey}
        for i in range(1, self.players):
            seat = (mover + i) % self.players
            if seat in attacked and self.hands[seat]:
                played = self.choose_tile(seat, f"{kind}_defence", "defend")
                answer = yield from ask_seat(seat, ["pass", *played])
                if answer != "pass":
                    self.hands[seat].remove(played[answer])  # SV.H4
                    self.creatures.remove((kind, to))
                    return True
        return False

    def move_dolphin(self, seat: int, name: str, to: str) -> Telling[None]:
        """SV.N6, SV.N8, SV.N9"""
        at, ward = name.removesuffix(")").split("(")
        dolphin = next(d for d in self.dolphins if (d.at, d.ward) == (at, ward))
        if to in DRAWN:
            dolphin.ward = ""
            dolphin.at = to
            yield from self.settle([at, to], seat)
        else:
            dolphin.ward = to
            yield from self.settle([at], seat)
