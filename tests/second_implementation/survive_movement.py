"""Hand tiles and movement in Survive, read a second time from docs/rules/survive.md."""

from __future__ import annotations

from collections import Counter

from tests.second_implementation.game_as_questions import Telling, ask_seat
from tests.second_implementation.survive_board import (
    DRAWN,
    ISLE_OF,
    ISLES,
    NEAR,
    REACH,
)
from tests.second_implementation.survive_creatures import Creatures


class Movement(Creatures):
    """What a player moves."""

    # --- H · hand tiles -----------------------------------------------------------------------------------------------

    def play_tile(self, seat: int) -> Telling[None]:
        """SV.T2: who holds a tile is asked; SV.H1, SV.H2, SV.H3, SV.H4."""
        if not self.hands[seat]:
            return
        kinds = {kind for kind, _ in self.hands[seat]}
        played: dict[str, tuple[str, str]] = {}
        if "dolphin" in kinds:
            for e in self.own(seat):
                if e in self.swimmers(self.where[e]):
                    for to in self.swims(self.where[e], 3):
                        played |= self.choose_tile(seat, "dolphin", f"{e} {to}")
        if "wind" in kinds:
            for at, crew in self.ships.items():
                if crew and seat in self.controllers(at):
                    for to in self.sails(at, 3):
                        played |= self.choose_tile(seat, "wind", f"{at} {to}")
        for kind in ("serpent", "shark", "whale"):
            if f"move_{kind}" in kinds:
                for what in ("whale", "squid") if kind == "whale" else (kind,):  # SV.Q3
                    for at in {at for k, at in self.creatures if k == what}:
                        for to in DRAWN:
                            if self.vacant(to) or (what == "squid" and to == at):  # SV.Q4
                                played |= self.choose_tile(seat, f"move_{kind}", f"{what} {at} {to}")
        answer = yield from ask_seat(seat, [*played, "pass"])
        if answer == "pass":
            return
        self.hands[seat].remove(played[answer])  # SV.H4
        first, *rest = answer.split()
        if first in REACH:
            yield from self.move_creature(seat, first, rest[0], rest[1])
        elif first in self.ships:
            yield from self.sail(seat, first, rest[0])
        else:
            self.where[first] = rest[0]
            yield from self.settle([rest[0]], seat)

    def swims(self, at: str, far: int) -> set[str]:
        """SV.H1, SV.M12: nobody swims through serpents and sharks."""
        return self.spread(at, far, self.is_sea, self.deadly)

    def sails(self, at: str, far: int) -> set[str]:
        """SV.H2, SV.S4, SV.S6, SV.Q7: of an occupied ship."""
        return self.spread(at, far, lambda s: self.may_enter(at, s), self.wrecks)

    def may_enter(self, ship: str, space: str) -> bool:
        """SV.S1, SV.S4, SV.Q7: whether a ship may enter a space."""
        return self.is_sea(space) and space not in self.ships and not (self.occupied(ship) and self.has("squid", space))

    def wrecks(self, space: str) -> bool:
        """SV.S6"""
        return self.has("serpent", space) or self.has("whale", space)

    # --- M, S · movement ----------------------------------------------------------------------------------------------

    def move(self, seat: int) -> Telling[None]:
        """SV.T3, SV.T4"""
        self.points = 3
        while self.points and self.own(seat):
            answers = ["end"]
            for e in self.own(seat):
                answers += self.steps_of(e)
            for at in self.ships:
                if not self.occupied(at) or seat in self.controllers(at):  # SV.S2, SV.S3
                    answers += [f"{at} {side}" for side, to in NEAR[at].items() if self.may_enter(at, to)]
            answer = yield from ask_seat(seat, answers)
            if answer == "end":
                break
            self.points -= 1
            first, how, *_ = answer.split()
            if first in self.ships:
                yield from self.sail(seat, first, NEAR[first][how])
            else:
                yield from self.step(seat, answer)
        self.points = 0

    def controllers(self, ship: str) -> list[int]:
        """SV.S3: those with most aboard."""
        aboard = Counter(self.owner(e) for e in self.ships[ship])
        return [seat for seat, count in aboard.items() if count == max(aboard.values())]

    def steps_of(self, e: str) -> list[str]:
        """SV.M1, SV.M2, SV.M3, SV.M4, SV.M5, SV.M6, SV.M7, SV.M8, SV.M9, SV.M10: what one explorer may do with a
        point.
        """
        at = self.where[e]
        room = [side for side, to in NEAR[at].items() if to in self.ships and len(self.ships[to]) < 3]  # SV.S1
        sea = [side for side, to in NEAR[at].items() if self.is_sea(to)]
        if at in self.tiles:
            ashore = [f"{e} {side}" for side, to in NEAR[at].items() if to in self.tiles]  # SV.M1
            return ashore + [f"{e} {side}" for side in sea] + [f"{e} {side} ship" for side in room]  # SV.M3, SV.M2
        landing = [f"{e} {ISLE_OF[at]}"] if at in ISLE_OF else []  # SV.M8
        if self.ship_of(e):
            found = [f"{e} {side} ship" for side in room] + landing  # SV.M4
            return found if e in self.acted else [*found, f"{e} dive"]  # SV.M5, SV.M9
        if e in self.acted:  # SV.M9
            return []
        found = [f"{e} {side}" for side in sea] + landing  # SV.M6
        if self.guarded(e):
            found += [f"{e} {side} dolphin" for side in sea]  # SV.N7
        if at in self.ships and len(self.ships[at]) < 3:
            found.append(f"{e} board")  # SV.M7
        return found

    def step(self, seat: int, answer: str) -> Telling[None]:
        """SV.M1, SV.M2, SV.M3, SV.M4, SV.M5, SV.M6, SV.M7, SV.M8, SV.M9, SV.M10, SV.M11, SV.M12, SV.M13 as it
        happens.
        """
        e, how, *tail = answer.split()
        at = self.where[e]
        to = NEAR[at].get(how, at)
        swam = bool(e in self.swimmers(at))
        if how == "board" or tail == ["ship"]:
            self.leave_ship(e)
            self.leave_dolphin(e)  # SV.N10
            self.where[e] = to
            if swam:
                self.acted.add(e)
            self.ships[to].append(e)
            if len(self.ships[to]) == 1 and self.wrecks(to):  # SV.M13
                self.wreck(to)
        elif how in ISLES:
            self.land(e)
        elif to in self.tiles:
            self.where[e] = to
        else:
            self.acted.add(e)
            self.leave_ship(e)
            dolphin = next((d for d in self.dolphins if d.ward == e), None)
            if dolphin and tail == ["dolphin"]:
                dolphin.at = to
            else:
                self.leave_dolphin(e)  # SV.N7
            self.where[e] = to
        yield from self.settle([to, at], seat)  # in either order: only which question comes first depends on it

    def sail(self, seat: int, at: str, to: str) -> Telling[None]:
        """SV.S2, SV.S3, SV.S4, SV.S5, SV.S6: a ship goes, with all aboard."""
        crew = self.ships.pop(at)
        self.ships[to] = crew
        for e in crew:
            self.where[e] = to
        if crew and self.wrecks(to):
            self.wreck(to)
        yield from self.settle([to], seat)
