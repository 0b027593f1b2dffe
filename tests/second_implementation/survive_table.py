"""Where all pieces of Survive are, and what becomes of explorers; read a second time from docs/rules/survive.md."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tests.second_implementation.game_as_questions import GameOver, Reading, Telling, ask_seat
from tests.second_implementation.survive_board import (
    BACKS,
    COLOURS,
    DRAWN,
    ISLE_OF,
    LOST,
    LOW_TO_HIGH,
    NEAR,
)


class Dolphin:
    """A dolphin on the board, and the swimmer it guards (SV.N4)."""

    def __init__(self, at: str) -> None:
        self.at = at
        self.ward = ""


class Table(Reading):
    """Where everything is."""

    def __init__(self, players: int, options: dict[str, object]) -> None:
        self.players = players
        self.options = options
        self.squid = str(options.get("squid", "off"))
        self.dolphins_play = self.on("dolphins")
        each = 2 if self.on("two_colours") else 1
        self.colours = [[COLOURS[seat + 2 * i] for i in range(each)] for seat in range(players)]
        self.seat_of = {colour: seat for seat, colours in enumerate(self.colours) for colour in colours}
        self.tiles: dict[str, str] = {}
        self.backs = {terrain: dict(backs) for terrain, backs in BACKS.items()}
        self.where: dict[str, str] = {}
        self.values: dict[str, int] = {}
        self.ships: dict[str, list[str]] = {}
        self.ships_left = 12  # SV.C2
        self.creatures: list[tuple[str, str]] = [("serpent", s) for s, mark in DRAWN.items() if mark in "SL"]
        self.dolphins: list[Dolphin] = []
        self.supply = {"shark": 6, "whale": 5, "dolphin": 4, "squid": 5}  # SV.C2, SV.C4; the five serpents are out
        self.hands: list[list[tuple[str, str]]] = [[] for _ in range(players)]
        self.turns = [0] * players
        self.bounty = [0] * players
        self.to_put = self.first_ships()
        self.acted: set[str] = set()  # SV.M9
        self.turn = 0
        self.playing = False
        self.points = 0
        self.dice: list[str] = []
        self.stirred = False  # SV.G3: somebody landed or was removed

    def on(self, option: str) -> bool:
        """Whether the table switched it on."""
        return bool(self.options.get(option, False))

    def first_ships(self) -> list[int]:
        """SV.U2, SV.V2, SV.X1, SV.X2, SV.O5"""
        if self.on("ships_per_colour"):
            return [4, 4]
        if not self.on("crowded") and self.players == 5:
            return [1, 1, 2, 2, 2]
        if not self.on("crowded") and self.players == 6:
            return [1, 1, 1, 1, 2, 2]
        return [2] * self.players

    # --- the position -------------------------------------------------------------------------------------------------

    def owner(self, explorer: str) -> int:
        """SV.V1: two colours of one player are one owner."""
        return self.seat_of[explorer[0]]

    def is_sea(self, space: str) -> bool:
        """SV.B5: all that is no tile is sea."""
        return space in DRAWN and space not in self.tiles

    def on_board(self, explorer: str) -> bool:
        return self.where[explorer] in DRAWN

    def own(self, seat: int) -> list[str]:
        """A player's explorers on tiles, ships and in the water."""
        return [e for e in self.where if self.owner(e) == seat and self.on_board(e)]

    def on_tile(self, space: str) -> list[str]:
        return [e for e, at in self.where.items() if at == space] if space in self.tiles else []

    def ship_of(self, explorer: str) -> str:
        """Where its ship is, or nothing if it is aboard of none."""
        return next((space for space, crew in self.ships.items() if explorer in crew), "")

    def swimmers(self, space: str) -> list[str]:
        if space in self.tiles:
            return []
        return [e for e, at in self.where.items() if at == space and not self.ship_of(e)]

    def guarded(self, explorer: str) -> bool:
        return any(d.ward == explorer for d in self.dolphins)

    def unguarded(self, space: str) -> list[str]:
        return [e for e in self.swimmers(space) if not self.guarded(e)]

    def has(self, kind: str, space: str) -> bool:
        return (kind, space) in self.creatures

    def deadly(self, space: str) -> bool:
        """SV.M12: for swimmers."""
        return self.has("serpent", space) or self.has("shark", space)

    def occupied(self, space: str) -> bool:
        """SV.S7: only a ship with somebody aboard is prey."""
        return bool(self.ships.get(space))

    def vacant(self, space: str) -> bool:
        """SV.H3: a sea space without explorer, ship or creature; dolphins and squids are creatures."""
        return (
            self.is_sea(space)
            and space not in self.ships
            and space not in self.where.values()
            and all(at != space for _, at in self.creatures)
            and all(d.at != space for d in self.dolphins)
        )

    def sea_by(self, space: str) -> list[str]:
        return [n for n in NEAR[space].values() if self.is_sea(n)]

    def manned_tiles_by(self, space: str) -> list[str]:
        """The explorers on the tiles that touch a sea space."""
        return [e for n in NEAR[space].values() for e in self.on_tile(n)]

    def company(self, answer: str) -> int:
        """How many stand on the tile that an answer steps to or sinks."""
        first, *rest = answer.split()
        if first == "sink":
            return len(self.on_tile(rest[0]))
        if first in self.where and self.where[first] in self.tiles and len(rest) == 1:
            return len(self.on_tile(NEAR[self.where[first]][rest[0]]))
        return 0

    def spread(self, at: str, far: int, enters: Callable[[str], bool], stops: Callable[[str], bool]) -> set[str]:
        """Where something comes in up to so many steps, over what it may enter, never on from where it stops."""
        found: set[str] = set()
        edge = {at}
        for _ in range(far):
            edge = {n for s in edge for n in NEAR[s].values() if n not in found and n != at and enters(n)}
            found |= edge
            edge = {s for s in edge if not stops(s)}
        return found

    # --- what becomes of explorers and tiles in a hand ----------------------------------------------------------------

    def leave_ship(self, explorer: str) -> None:
        ship = self.ship_of(explorer)
        if ship:
            self.ships[ship].remove(explorer)

    def leave_dolphin(self, explorer: str) -> None:
        for dolphin in self.dolphins:
            if dolphin.ward == explorer:
                dolphin.ward = ""

    def lose(self, explorer: str, by: int | None) -> None:
        """Removed from the game; SV.E1: a point for whose doing it is, on their own turn."""
        self.leave_ship(explorer)
        self.leave_dolphin(explorer)
        self.where[explorer] = LOST
        self.stirred = True
        if by == self.turn and self.owner(explorer) != by:
            self.bounty[by] += 1

    def land(self, explorer: str) -> None:
        """SV.M8, SV.N10"""
        isle = ISLE_OF[self.where[explorer]]
        self.leave_ship(explorer)
        self.leave_dolphin(explorer)
        self.where[explorer] = isle
        self.stirred = True

    def remove_ship(self, space: str) -> None:
        """Out of the game; SV.O5: back to the supply."""
        del self.ships[space]
        self.ships_left += self.on("crowded")

    def wreck(self, space: str) -> None:
        """SV.S6, SV.K5: the ship is gone, its passengers swim; SV.M9: that was their act."""
        self.acted.update(self.ships[space])
        self.remove_ship(space)

    def settle(self, spaces: Iterable[str], by: int) -> Telling[None]:
        """SV.N12, SV.N5: the event is finished; dolphins without a ward take one; then SV.M12; SV.O2."""
        touched = list(dict.fromkeys(s for s in spaces if self.is_sea(s)))
        for space in touched:
            for dolphin in self.dolphins:
                if dolphin.at == space and not dolphin.ward and self.unguarded(space):
                    dolphin.ward = yield from self.pick(by, self.unguarded(space))
        for space in touched:
            if self.deadly(space):
                for explorer in self.unguarded(space):
                    self.lose(explorer, by)
        self.look_for_the_end()

    def pick(self, seat: int, explorers: list[str]) -> Telling[str]:
        """One of several; one alone is not asked for."""
        if len(explorers) == 1:
            return explorers[0]
        answer = yield from ask_seat(seat, [f"pick {e}" for e in explorers])
        return answer.removeprefix("pick ")

    def look_for_the_end(self) -> None:
        """SV.O2: over once no explorer is on the board."""
        if self.on("to_the_last") and not any(self.on_board(e) for e in self.where):
            raise GameOver

    def seize(self, seat: int, prey: list[str]) -> Telling[None]:
        """SV.Q2, SV.Q5, SV.Q10: one explorer, of the mover's choice; nobody is asked for a defence."""
        if prey:
            taken = yield from self.pick_prey(seat, prey)
            self.lose(taken, seat)
            self.look_for_the_end()

    def pick_prey(self, seat: int, prey: list[str]) -> Telling[str]:
        answer = yield from ask_seat(seat, [f"pick {e}" for e in prey])
        return answer.removeprefix("pick ")

    def choose_tile(self, seat: int, kind: str, answer: str) -> dict[str, tuple[str, str]]:
        """SV.R8: an answer with each terrain of such tiles; the lowest is not named."""
        held = [t for t in LOW_TO_HIGH if (kind, t) in self.hands[seat]]
        return {answer if t == held[0] else f"{answer} {t[0]}": (kind, t) for t in held}
