"""Removing a tile in Survive, read a second time from docs/rules/survive.md."""

from __future__ import annotations

from tests.second_implementation.game_as_questions import GameOver, Telling, ask_chance, ask_seat
from tests.second_implementation.survive_board import (
    DRAWN,
    LOW_TO_HIGH,
    NEAR,
)
from tests.second_implementation.survive_movement import Movement
from tests.second_implementation.survive_table import Dolphin


class Tiles(Movement):
    """What a removed tile brings."""

    # --- R · removing a tile ------------------------------------------------------------------------------------------

    def remove_tile(self, seat: int) -> Telling[None]:
        """SV.R1, SV.R2, SV.R3, SV.R4, SV.R5, SV.R6, SV.R7, SV.R8, SV.R9, SV.O4, SV.O5"""
        lowest = next(t for t in LOW_TO_HIGH if t in self.tiles.values())
        those = [s for s, t in self.tiles.items() if t == lowest]
        by_the_sea = [s for s in those if self.sea_by(s)]
        answer = yield from ask_seat(seat, [f"sink {s}" for s in by_the_sea or those])
        space = answer.removeprefix("sink ")
        fallen = self.on_tile(space)
        del self.tiles[space]
        if self.on("submerged") and not self.tiles:  # SV.O4: its back does nothing
            raise GameOver
        back = yield from ask_chance(self.backs[lowest])
        self.backs[lowest][back] -= 1
        yield from self.reveal(seat, space, back, lowest)
        self.look_for_the_end()
        if self.on("crowded"):
            for i in range(self.players):
                yield from self.mini_round((seat + i) % self.players, fallen)

    def reveal(self, seat: int, space: str, back: str, terrain: str) -> Telling[None]:
        """What the back does; SV.R8: or it is kept."""
        if back == "volcano" and not self.on("to_the_last") and not self.on("submerged"):  # SV.R7, SV.G1
            raise GameOver
        if back in ("volcano", "whirlpool"):  # SV.O2, SV.O4
            self.whirl(seat, space)
        elif back == "shark":  # SV.R3
            if self.bring("shark", space):
                yield from self.settle([space], seat)
        elif back == "whale":
            yield from self.bring_whale(seat, space)
        elif back == "ship":
            yield from self.bring_ship(seat, space)
        elif back == "dolphin" and self.dolphins_play:  # SV.N1
            if self.supply["dolphin"]:
                self.supply["dolphin"] -= 1
                self.dolphins.append(Dolphin(space))
                yield from self.settle([space], seat)
        else:
            self.hands[seat].append((back, terrain))

    def bring(self, kind: str, space: str) -> bool:
        """SV.R9: from the supply, if there is one."""
        if not self.supply[kind]:
            return False
        self.supply[kind] -= 1
        self.creatures.append((kind, space))
        return True

    def whirl(self, seat: int, space: str) -> None:
        """SV.R6"""
        for s in [space, *self.sea_by(space)]:
            for e in [e for e, at in self.where.items() if at == s]:
                self.lose(e, seat)
            if s in self.ships:
                self.remove_ship(s)
            self.creatures = [(kind, at) for kind, at in self.creatures if at != s]
            self.dolphins = [d for d in self.dolphins if d.at != s]

    def bring_whale(self, seat: int, space: str) -> Telling[None]:
        """SV.R4; SV.Q1, SV.Q2, SV.Q8, SV.Q9"""
        if self.squid != "instead_of_whales":
            self.bring("whale", space)
        if self.squid == "off" or not self.supply["squid"]:
            return
        places = [s for s in DRAWN if self.vacant(s) and any(n in self.tiles for n in NEAR[s].values())]
        if not places:
            return
        answer = yield from ask_seat(seat, [f"squid {s}" for s in places])
        at = answer.removeprefix("squid ")
        self.bring("squid", at)
        if not self.on("squid_spares_on_arrival"):
            yield from self.seize(seat, self.manned_tiles_by(at))

    def bring_ship(self, seat: int, space: str) -> Telling[None]:
        """SV.R5; SV.O5: an empty ship is fetched if there is none left."""
        if self.ships_left:
            self.ships_left -= 1
        else:
            empty = [s for s in self.ships if not self.ships[s]]
            if not empty or not self.on("crowded"):
                return
            answer = yield from ask_seat(seat, [f"fetch {s}" for s in empty])
            del self.ships[answer.removeprefix("fetch ")]
        self.ships[space] = []
        waiting = self.swimmers(space)
        while waiting and len(self.ships[space]) < 3:
            if len(waiting) + len(self.ships[space]) <= 3:
                self.ships[space] += waiting
                break
            chosen = yield from self.pick(seat, waiting)
            waiting.remove(chosen)
            self.ships[space].append(chosen)

    def mini_round(self, seat: int, fallen: list[str]) -> Telling[None]:
        """SV.O5: a movement point for one of those who stood on the tile."""
        alive = [e for e in fallen if self.owner(e) == seat and self.on_board(e)]
        if not alive:
            return
        self.points = 1
        answer = yield from ask_seat(seat, ["pass", *(s for e in alive for s in self.steps_of(e))])
        self.points = 0
        if answer != "pass":
            yield from self.step(seat, answer)
