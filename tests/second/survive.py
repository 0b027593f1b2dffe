"""Survive read a second time, from docs/rules/survive.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from tests.second.reading import GameOver, Reading, Telling, ask, draw, placed

# SV.B1: the picture of the rules; every row is centred. SV.B3: S is where a serpent starts, the lake (L) too.
PICTURE = (
    ".......",
    "S........o",
    "o.........S",
    "...####...",
    "...#####...",
    "..########..",
    "..###L###..",
    "..########..",
    "...#####...",
    "...####...",
    "S.........o",
    "o........S",
    ".......",
)
ROWS = "ABCDEFGHIJKLM"
SIDES = {"NW": (-0.5, -1), "NE": (0.5, -1), "E": (1.0, 0), "SE": (0.5, 1), "SW": (-0.5, 1), "W": (-1.0, 0)}
# SV.B4: the ends of the second and third row, and of the third last and second last.
ISLES = {"@NW": ("B1", "C1"), "@NE": ("B10", "C11"), "@SW": ("K1", "L1"), "@SE": ("K11", "L10")}
ISLE_OF = {space: isle for isle, spaces in ISLES.items() for space in spaces}

# SV.C1: how many backs of each sort lie under beach, forest, mountain.
LOW_TO_HIGH = ("beach", "forest", "mountain")
TABLE = """
    shark          3  2  1
    whale          3  2  0
    ship           1  3  0
    whirlpool      0  2  4
    volcano        0  0  1
    dolphin        3  1  0
    wind           2  0  0
    move_serpent   1  1  0
    move_shark     1  1  0
    move_whale     1  1  0
    shark_defence  1  1  1
    whale_defence  0  2  1
"""
BACKS = {
    terrain: {row.split()[0]: int(row.split()[1 + column]) for row in TABLE.strip().splitlines()}
    for column, terrain in enumerate(LOW_TO_HIGH)
}
COLOURS = "rygbow"  # SV.U2: red, yellow, green, blue, orange, white
LOST = "lost"

# SV.K3, SV.K4, SV.K5, SV.Q3: how far each goes on the creature die.
REACH = {"serpent": 1, "shark": 2, "whale": 3, "squid": 3}
# SV.C4
FIRST_DIE = ("serpent", "shark", "whale", "dolphin", "ship", "starfish")
SECOND_DIE = {"1": 2, "2": 2, "3": 1, "D": 1}


def make_board() -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """SV.B1: what is drawn on each space, and its neighbours by side."""
    at: dict[tuple[float, int], str] = {}
    drawn: dict[str, str] = {}
    for y, row in enumerate(PICTURE):
        for i, mark in enumerate(row):
            name = f"{ROWS[y]}{i + 1}"
            at[i - (len(row) - 1) / 2, y] = name
            drawn[name] = mark
    near = {
        name: {side: at[x + dx, y + dy] for side, (dx, dy) in SIDES.items() if (x + dx, y + dy) in at}
        for (x, y), name in at.items()
    }
    return drawn, near


DRAWN, NEAR = make_board()
LAND = [name for name, mark in DRAWN.items() if mark == "#"]  # SV.B2
OUTER = [name for name in LAND if any(DRAWN[n] not in "#L" for n in NEAR[name].values())]


class Dolphin:
    """A dolphin on the board, and the swimmer it guards (SV.N4)."""

    def __init__(self, at: str) -> None:
        self.at = at
        self.ward = ""


class Survive(Reading):
    """A match of Survive."""

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

    # --- the position ---------------------------------------------------------------------------------------------

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

    # --- what becomes of explorers ----------------------------------------------------------------------------------

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
        answer = yield from ask(seat, [f"pick {e}" for e in explorers])
        return answer.removeprefix("pick ")

    def look_for_the_end(self) -> None:
        """SV.O2: over once no explorer is on the board."""
        if self.on("to_the_last") and not any(self.on_board(e) for e in self.where):
            raise GameOver

    # --- U · set-up -------------------------------------------------------------------------------------------------

    def tell(self) -> Telling[None]:
        yield from self.lay_tiles()
        yield from self.place_explorers()
        yield from self.put_ships()
        self.playing = True
        yield from self.play()

    def lay_tiles(self) -> Telling[None]:
        """SV.U1"""
        left = {terrain: sum(backs.values()) for terrain, backs in BACKS.items()}
        for space in LAND:
            terrain = yield from draw(left)
            left[terrain] -= 1
            self.tiles[space] = terrain

    def first_values(self) -> list[int]:
        """SV.C2; SV.X1, SV.X2 but for SV.O5: what is set aside."""
        values = [1, 1, 1, 2, 2, 3, 3, 4, 5, 6]
        aside = {5: (1, 3), 6: (1, 2, 3)}.get(self.players, ()) if not self.on("crowded") else ()
        for value in aside:
            values.remove(value)
        return values

    def first_ships(self) -> list[int]:
        """SV.U2, SV.V2, SV.X1, SV.X2, SV.O5"""
        if self.on("ships_per_colour"):
            return [4, 4]
        if not self.on("crowded") and self.players == 5:
            return [1, 1, 2, 2, 2]
        if not self.on("crowded") and self.players == 6:
            return [1, 1, 1, 1, 2, 2]
        return [2] * self.players

    def place_explorers(self) -> Telling[None]:
        """SV.U3: one each in turn; the owner picks the value, and the colour (SV.V1)."""
        left = {c: Counter(self.first_values()) for colours in self.colours for c in colours}
        seat = 0
        while any(values.total() for values in left.values()):
            answers = [
                f"{c}{space}={value}"
                for c in self.colours[seat]
                for space in LAND
                if self.may_stand(c, space)
                for value, count in left[c].items()
                if count
            ]
            answer = yield from ask(seat, answers)
            where, value = answer[1:].split("=")
            colour = answer[0]
            left[colour][int(value)] -= 1
            name = f"{colour}{sum(e[0] == colour for e in self.where) + 1}"
            self.where[name] = where
            self.values[name] = int(value)
            seat = (seat + 1) % self.players

    def may_stand(self, colour: str, space: str) -> bool:
        """SV.U3, SV.O1, SV.O5, SV.X2: whether an explorer may be placed on a tile."""
        there = self.on_tile(space)
        if not there:
            return True
        full = all(self.on_tile(tile) for tile in LAND)
        if self.on("overpopulated"):
            return len(there) == 1 and space not in OUTER
        strange = all(e[0] != colour for e in there)
        if self.on("crowded"):
            return full and len(there) == 1 and strange
        return full and self.players == 6 and strange

    def put_ships(self) -> Telling[None]:
        """SV.U4, SV.X3"""
        seat = 0
        while any(self.to_put):
            if self.to_put[seat]:
                places = [
                    s
                    for s in DRAWN
                    if self.is_sea(s)
                    and any(n in self.tiles for n in NEAR[s].values())
                    and s not in self.ships
                    and not self.has("serpent", s)
                ]
                answer = yield from ask(seat, [f"ship {s}" for s in places])
                self.ships[answer.removeprefix("ship ")] = []
                self.to_put[seat] -= 1
                self.ships_left -= 1
            seat = (seat + 1) % self.players

    # --- T · the turn -----------------------------------------------------------------------------------------------

    def play(self) -> Telling[None]:
        """SV.T1, SV.G3"""
        quiet = 0
        while True:
            counts = not self.tiles
            self.stirred = False
            for seat in range(self.players):
                yield from self.take_turn(seat)
            self.turn = 0
            quiet = quiet + 1 if counts and not self.stirred else 0
            if self.on("to_the_last") and quiet == 10:
                return

    def take_turn(self, seat: int) -> Telling[None]:
        self.turn = seat
        self.turns[seat] += 1
        self.acted = set()
        self.dice = []
        yield from self.play_tile(seat)
        yield from self.move(seat)
        if self.tiles:  # SV.T5, SV.O2
            yield from self.remove_tile(seat)
        yield from self.roll(seat)

    # --- H · hand tiles ---------------------------------------------------------------------------------------------

    def play_tile(self, seat: int) -> Telling[None]:
        """SV.T2: who holds a tile is asked; SV.H1, SV.H2, SV.H3, SV.H4."""
        if not self.hands[seat]:
            return
        kinds = {kind for kind, _ in self.hands[seat]}
        played: dict[str, str] = {}
        if "dolphin" in kinds:
            for e in self.own(seat):
                if e in self.swimmers(self.where[e]):
                    for to in self.swims(self.where[e], 3):
                        played[f"{e} {to}"] = "dolphin"
        if "wind" in kinds:
            for at, crew in self.ships.items():
                if crew and seat in self.controllers(at):
                    for to in self.sails(at, 3):
                        played[f"{at} {to}"] = "wind"
        for kind in ("serpent", "shark", "whale"):
            if f"move_{kind}" in kinds:
                for what in ("whale", "squid") if kind == "whale" else (kind,):  # SV.Q3
                    for at in {at for k, at in self.creatures if k == what}:
                        for to in DRAWN:
                            if self.vacant(to) or (what == "squid" and to == at):  # SV.Q4
                                played[f"{what} {at} {to}"] = f"move_{kind}"
        answer = yield from ask(seat, [*played, "pass"])
        if answer == "pass":
            return
        self.discard(seat, played[answer])
        first, *rest = answer.split()
        if first in REACH:
            yield from self.move_creature(seat, first, rest[0], rest[1])
        elif first in self.ships:
            yield from self.sail(seat, first, rest[0])
        else:
            self.where[first] = rest[0]
            yield from self.settle([rest[0]], seat)

    def discard(self, seat: int, kind: str) -> None:
        """SV.H4; of equal backs the one of the lowest terrain, which no rule says."""
        terrain = next(t for t in LOW_TO_HIGH if (kind, t) in self.hands[seat])
        self.hands[seat].remove((kind, terrain))

    def spread(self, at: str, far: int, enters: Callable[[str], bool], stops: Callable[[str], bool]) -> set[str]:
        """Where something comes in up to so many steps, over what it may enter, never on from where it stops."""
        found: set[str] = set()
        edge = {at}
        for _ in range(far):
            edge = {n for s in edge for n in NEAR[s].values() if n not in found and n != at and enters(n)}
            found |= edge
            edge = {s for s in edge if not stops(s)}
        return found

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

    # --- M, S · movement --------------------------------------------------------------------------------------------

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
            answer = yield from ask(seat, answers)
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
        yield from self.settle([at, to], seat)

    def sail(self, seat: int, at: str, to: str) -> Telling[None]:
        """SV.S2, SV.S3, SV.S4, SV.S5, SV.S6: a ship goes, with all aboard."""
        crew = self.ships.pop(at)
        self.ships[to] = crew
        for e in crew:
            self.where[e] = to
        if crew and self.wrecks(to):
            self.wreck(to)
        yield from self.settle([to], seat)

    # --- R · removing a tile ----------------------------------------------------------------------------------------

    def remove_tile(self, seat: int) -> Telling[None]:
        """SV.R1, SV.R2, SV.R3, SV.R4, SV.R5, SV.R6, SV.R7, SV.R8, SV.R9, SV.O4, SV.O5"""
        lowest = next(t for t in LOW_TO_HIGH if t in self.tiles.values())
        those = [s for s, t in self.tiles.items() if t == lowest]
        by_the_sea = [s for s in those if self.sea_by(s)]
        answer = yield from ask(seat, [f"sink {s}" for s in by_the_sea or those])
        space = answer.removeprefix("sink ")
        fallen = self.on_tile(space)
        del self.tiles[space]
        if self.on("submerged") and not self.tiles:  # SV.O4: its back does nothing
            raise GameOver
        back = yield from draw(self.backs[lowest])
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
        answer = yield from ask(seat, [f"squid {s}" for s in places])
        at = answer.removeprefix("squid ")
        self.bring("squid", at)
        if not self.on("squid_spares_on_arrival"):
            yield from self.seize(seat, self.manned_tiles_by(at))

    def seize(self, seat: int, prey: list[str]) -> Telling[None]:
        """SV.Q2, SV.Q5, SV.Q10: one explorer, of the mover's choice; nobody is asked for a defence."""
        if prey:
            taken = yield from self.pick_prey(seat, prey)
            self.lose(taken, seat)
            self.look_for_the_end()

    def pick_prey(self, seat: int, prey: list[str]) -> Telling[str]:
        answer = yield from ask(seat, [f"pick {e}" for e in prey])
        return answer.removeprefix("pick ")

    def bring_ship(self, seat: int, space: str) -> Telling[None]:
        """SV.R5; SV.O5: an empty ship is fetched if there is none left."""
        if self.ships_left:
            self.ships_left -= 1
        else:
            empty = [s for s in self.ships if not self.ships[s]]
            if not empty or not self.on("crowded"):
                return
            answer = yield from ask(seat, [f"fetch {s}" for s in empty])
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
        answer = yield from ask(seat, ["pass", *(s for e in alive for s in self.steps_of(e))])
        self.points = 0
        if answer != "pass":
            yield from self.step(seat, answer)

    # --- K, N · dice ------------------------------------------------------------------------------------------------

    def roll(self, seat: int) -> Telling[None]:
        """SV.K1, SV.N2"""
        if self.dolphins_play:
            face = yield from draw(dict.fromkeys(FIRST_DIE, 1))
            far = yield from draw(SECOND_DIE)
            self.dice = [face, far]
        else:
            face = yield from draw({"serpent": 2, "shark": 2, "whale": 2})  # SV.C3
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
        answer = yield from ask(seat, [*answers, "pass"])
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
                holds = any(tile == f"{kind}_defence" for tile, _ in self.hands[seat])
                answer = yield from ask(seat, ["pass", "defend"] if holds else ["pass"])
                if answer == "defend":
                    self.discard(seat, f"{kind}_defence")
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

    # --- G · the end ------------------------------------------------------------------------------------------------

    def saved(self, seat: int) -> list[str]:
        return [e for e, at in self.where.items() if at in ISLES and self.owner(e) == seat]

    def extra(self, seat: int) -> int:
        """SV.E1, SV.E2"""
        points = self.bounty[seat] if self.on("bounty") else 0
        return points + (len({self.where[e] for e in self.saved(seat)}) if self.on("isle_hopper") else 0)

    def result(self) -> dict[str, object]:
        """SV.G1, SV.G2, SV.G4, SV.O3"""
        keys: list[tuple[int, ...]] = []
        for seat in range(self.players):
            number = len(self.saved(seat))
            worth = sum(self.values[e] for e in self.saved(seat))
            first, second = (number, worth) if self.on("all_equal") else (worth, number)
            keys.append((first + self.extra(seat), second, -self.turns[seat]))
        return {"scores": [key[0] for key in keys], "places": placed(keys)}

    def seen(self) -> dict[str, object]:
        """The table as all see it, and what each holds."""
        return {
            "tiles": dict(self.tiles),
            "explorers": dict(self.where),
            "aboard": {at: sorted(crew) for at, crew in self.ships.items()},
            "creatures": sorted(self.creatures + [("dolphin", d.at) for d in self.dolphins]),
            "wards": sorted((d.at, d.ward) for d in self.dolphins if d.ward),
            "supply": self.shown_supply(),
            "hands": [sorted(hand) for hand in self.hands],
            "values": [self.known_values(seat) for seat in (None, *range(self.players))],
            "turns": list(self.turns),
            "saved": [len(self.saved(seat)) for seat in range(self.players)],
            "in_play": [len(self.own(seat)) for seat in range(self.players)],
            "bounty": list(self.bounty) if self.on("bounty") else [],
            "to_put": list(self.to_put),
            "turn": self.turn,
            "points": self.points,
        }

    def known_values(self, seat: int | None) -> dict[str, int]:
        """SV.U5: one's own during set-up or by the option, all at the end."""
        own = not self.playing or self.on("open_values")
        return {e: value for e, value in self.values.items() if self.over or (own and self.owner(e) == seat)}

    def shown_supply(self) -> dict[str, int]:
        """SV.C2, SV.C4: of what this table plays with."""
        plays = {
            "shark": True,
            "whale": self.squid != "instead_of_whales",
            "dolphin": self.dolphins_play,
            "squid": self.squid != "off",
        }
        return {"ship": self.ships_left, **{k: n for k, n in self.supply.items() if plays[k] and n}}


def may_be_played(players: int, options: dict[str, object]) -> bool:
    """SV.O7: what is refused; all else combines."""
    wanted = {name for name, value in options.items() if value not in (False, "off")}
    if "two_colours" in wanted and players != 2:
        return False
    if "ships_per_colour" in wanted and "two_colours" not in wanted:
        return False
    if "crowded" in wanted and (players not in (5, 6) or "overpopulated" in wanted):
        return False
    return "squid" in wanted or "squid_spares_on_arrival" not in wanted
