"""Survive read a second time, from docs/rules/survive.md."""

from __future__ import annotations

from collections import Counter

from tests.second_implementation.game_as_questions import Telling, ask_chance, ask_seat, group_seats_by_place
from tests.second_implementation.survive_board import (
    BACKS,
    DRAWN,
    ISLES,
    LAND,
    NEAR,
    OUTER,
)
from tests.second_implementation.survive_tiles import Tiles


class Survive(Tiles):
    """A match of Survive."""

    # --- U · set-up ---------------------------------------------------------------------------------------------------

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
            terrain = yield from ask_chance(left)
            left[terrain] -= 1
            self.tiles[space] = terrain

    def first_values(self) -> list[int]:
        """SV.C2; SV.X1, SV.X2 but for SV.O5: what is set aside."""
        values = [1, 1, 1, 2, 2, 3, 3, 4, 5, 6]
        aside = {5: (1, 3), 6: (1, 2, 3)}.get(self.players, ()) if not self.on("crowded") else ()
        for value in aside:
            values.remove(value)
        return values

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
            answer = yield from ask_seat(seat, answers)
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
                answer = yield from ask_seat(seat, [f"ship {s}" for s in places])
                self.ships[answer.removeprefix("ship ")] = []
                self.to_put[seat] -= 1
                self.ships_left -= 1
            seat = (seat + 1) % self.players

    # --- T · the turn -------------------------------------------------------------------------------------------------

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

    # --- G · the end --------------------------------------------------------------------------------------------------

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
        return {"scores": [key[0] for key in keys], "places": group_seats_by_place(keys)}

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


def are_options_allowed(players: int, options: dict[str, object]) -> bool:
    """SV.O7: what is refused; all else combines."""
    wanted = {name for name, value in options.items() if value not in (False, "off")}
    if "two_colours" in wanted and players != 2:
        return False
    if "ships_per_colour" in wanted and "two_colours" not in wanted:
        return False
    if "crowded" in wanted and (players not in (5, 6) or "overpopulated" in wanted):
        return False
    return "squid" in wanted or "squid_spares_on_arrival" not in wanted
