"""Positions of Survive set up by hand in a few lines.

    scene = Scene(players=4, dolphins=True)
    scene.sea("D4")                       # that tile has been removed
    scene.explorer("r1", "E4", value=5)   # on a tile, or swimming if it is sea
    scene.ship("D3", "r2", "y1")          # a ship and its crew
    scene.creature("shark", "C5")
    scene.hold(0, "wind")                 # a hand tile
    scene.moving(0)                       # red's step 2, three points
    scene.play("r1 NW ship")              # checked; chance is named too: scene.chance("shark")

Explorers that are not mentioned are lost. The island begins whole: sixteen beaches on the outside, then forest,
then mountains around the lake.
"""

from __future__ import annotations

from landfall.core.hex_grid import hex_distance
from landfall.core.int_vectors import to_list
from landfall.core.state import CHANCE
from landfall.games import game
from landfall.games.survive.rules import phases, piece_positions
from landfall.games.survive.rules.board import BY_NAME, NAMES, SLOT_HEXES, SLOT_SPACE, place_name
from landfall.games.survive.rules.components import (
    ASIDE,
    BACK_NAMES,
    COLOUR_LETTERS,
    FIRST,
    KIND_NAMES,
    LOST,
    SUPPLY,
    TERRAIN_NAMES,
    VALUE_COUNTS,
    Back,
    is_tile_kept_in_hand,
)
from landfall.games.survive.rules.setup import explorers_per_colour, values_set_aside
from landfall.games.survive.state import SurviveState

SURVIVE = game("survive")
PHASE = {name: i for i, name in enumerate(phases.PHASE_NAMES)}


def state_before_island(players: int = 4, **options: object) -> SurviveState:
    """The very first position, before chance has laid the island."""
    state = SURVIVE.new(players, options)
    assert isinstance(state, SurviveState)
    return state


def state_with_island(players: int = 4, **options: object) -> SurviveState:
    """The island laid as in `Scene`, the first explorer about to be placed."""
    state = state_before_island(players, **options)
    for terrain in default_island():
        state.apply(state.parse(terrain))
    return state


def default_island() -> list[str]:
    """The terrain of each slot, in their order: beaches outside, mountains inside."""
    outwards = sorted(range(40), key=lambda i: (-hex_distance(SLOT_HEXES[i], (0, 0)), i))
    terrain = [""] * 40
    for rank, slot in enumerate(outwards):
        terrain[slot] = TERRAIN_NAMES[0 if rank < 16 else 1 if rank < 32 else 2]
    return terrain


class Scene:
    """A position under construction, and then in play."""

    def __init__(self, players: int = 4, **options: object) -> None:
        s = state_with_island(players, **options)
        self.s = s
        colours = 4 if s.rules.two_colours else players
        each = explorers_per_colour(s.rules)
        for colour in range(colours):
            values = [v + 1 for v in range(6) for _ in range(VALUE_COUNTS[v])]
            for v in values_set_aside(s.rules):
                values.remove(v)
            for v in range(6):
                s.values_left[colour * 6 + v] = 0
            for i in range(10):
                s.where[colour * 10 + i] = LOST if i < each else ASIDE
                s.value[colour * 10 + i] = values[i] if i < each else 0
            s.placed[colour] = each
        for seat in range(players):
            s.ships_to_put[seat] = 0
        for c in range(5):  # no serpents unless the scene says so
            s.creature_space[c] = -1
        piece_positions.recompute_derived_fields(s)
        self.moving(0)

    @classmethod
    def set_up(cls, players: int = 4, **options: object) -> Scene:
        """The island laid, the first explorer about to be placed."""
        scene = cls(players, **options)
        scene.s = state_with_island(players, **options)
        return scene

    # --- setting up -------------------------------------------------------------------------------------------

    def sea(self, *names: str) -> Scene:
        """These tiles have been removed; what their backs were is of no matter, and the volcano was not among them."""
        for name in names:
            space = BY_NAME[name]
            terrain = int(self.s.tile[space])
            assert terrain >= 0, f"{name} is sea already"
            self.s.tile[space] = -1
            self.s.terrain_left[terrain] -= 1
            self.s.tiles_left -= 1
            back = next(b for b in (10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 11) if self.s.back_left[terrain * 12 + b] > 0)
            self.s.back_left[terrain * 12 + back] -= 1
        piece_positions.recompute_derived_fields(self.s)
        return self

    def keep_only_tiles(self, *names: str) -> Scene:
        """All other tiles have been removed."""
        keep = {BY_NAME[n] for n in names}
        gone = [NAMES[int(at)] for at in SLOT_SPACE if int(at) not in keep and self.s.tile[int(at)] >= 0]
        return self.sea(*gone)

    def tile(self, name: str, terrain: str) -> Scene:
        """Swap this tile with one of that terrain elsewhere, so that the numbers stay right."""
        space = BY_NAME[name]
        wanted = TERRAIN_NAMES.index(terrain)
        had = int(self.s.tile[space])
        if had != wanted:
            other = next(int(at) for at in SLOT_SPACE if self.s.tile[int(at)] == wanted)
            self.s.tile[other] = had
            self.s.tile[space] = wanted
        return self

    def swap_tiles(self, one: str, other: str) -> Scene:
        """Two tiles change places."""
        a, b = BY_NAME[one], BY_NAME[other]
        self.s.tile[a], self.s.tile[b] = self.s.tile[b], self.s.tile[a]
        return self

    def hides(self, terrain: str, back: str) -> Scene:
        """Some tile of that terrain still on the island hides this back; another back made way for it."""
        row = TERRAIN_NAMES.index(terrain) * 12
        if self.s.back_left[row + BACK_NAMES.index(back)] == 0:
            other = next(b for b in range(11) if self.s.back_left[row + b] > 0)
            self.s.back_left[row + other] -= 1
            self.s.back_left[row + BACK_NAMES.index(back)] += 1
        return self

    def explorer(self, name: str, at: str, value: int | None = None) -> Scene:
        """On a tile, in the water or on an isle."""
        e = explorer_number(name)
        self.s.where[e] = BY_NAME[at]
        if value is not None:
            self.give_value(e, value)
        piece_positions.recompute_derived_fields(self.s)
        return self

    def give_value(self, e: int, value: int) -> None:
        """Swap values within the colour, so that they still add up."""
        mates = range(e // 10 * 10, e // 10 * 10 + 10)
        other = next(i for i in mates if self.s.value[i] == value)
        self.s.value[e], self.s.value[other] = self.s.value[other], self.s.value[e]

    def ship(self, at: str, *crew: str) -> Scene:
        ship = piece_positions.bring_ship_from_supply(self.s, BY_NAME[at])
        for name in crew:
            piece_positions.put_explorer_aboard(self.s, explorer_number(name), ship)
        piece_positions.recompute_derived_fields(self.s)
        return self

    def creature(self, kind: str, at: str, ward: str | None = None) -> Scene:
        """One more of a kind; a dolphin may have a ward, who must swim there already."""
        k = KIND_NAMES.index(kind)
        c = next(i for i in range(int(FIRST[k]), int(FIRST[k + 1])) if self.s.creature_space[i] < 0)
        self.s.creature_space[c] = BY_NAME[at]
        self.s.creature_left[k] = min(int(self.s.creature_left[k]), SUPPLY[k] - (c - int(FIRST[k])) - 1)
        if ward is not None:
            self.s.ward[c - int(FIRST[3])] = explorer_number(ward)
            self.s.guard[explorer_number(ward)] = c - int(FIRST[3])
        piece_positions.recompute_derived_fields(self.s)
        return self

    def hold(self, seat: int, tile: str, terrain: str | None = None) -> Scene:
        """A tile in a seat's hand; some tile of the island made way for it. Give the terrain or take the first."""
        back = Back(BACK_NAMES.index(tile))
        assert is_tile_kept_in_hand(self.s.rules.dolphins, back), f"{tile} is never held"
        for t in range(3):
            if self.s.back_left[t * 12 + back] > 0 and terrain in (None, TERRAIN_NAMES[t]):
                self.s.back_left[t * 12 + back] -= 1
                self.s.hand[(seat * 3 + t) * 7 + back] += 1
                self.s.hand_size[seat] += 1
                # Its place on the island: the back that must go so that island and backs still agree.
                space = next(
                    int(at) for at in reversed(to_list(SLOT_SPACE)) if self.s.tile[at] == t and not self.is_occupied(at)
                )
                self.s.tile[space] = -1
                self.s.terrain_left[t] -= 1
                self.s.tiles_left -= 1
                piece_positions.recompute_derived_fields(self.s)
                return self
        raise AssertionError(f"no {tile} is left")

    def is_occupied(self, at: int) -> bool:
        return any(self.s.where[e] == at for e in range(60))

    # --- whose turn -------------------------------------------------------------------------------------------

    def phase(self, name: str, step: int, seat: int) -> Scene:
        s = self.s
        s.phase = phases.Phase(PHASE[name])
        s.step = phases.Step(step)
        s.turn = seat
        s.actor = seat
        s.set_up = 0
        for other in range(s.players):
            s.turns[other] = max(1, int(s.turns[other]))
        return self

    def hand(self, seat: int) -> Scene:
        """A seat's step 1."""
        return self.phase("hand", int(phases.STEP_HAND), seat)

    def moving(self, seat: int, points: int = 3) -> Scene:
        """A seat's step 2."""
        self.phase("moving", int(phases.STEP_MOVE), seat)
        self.s.points = points
        return self

    def set_removing_step(self, seat: int) -> Scene:
        """A seat's step 3."""
        self.s.points = 0
        return self.phase("removing", int(phases.STEP_TILE), seat)

    def set_rolling_step(self, seat: int) -> Scene:
        """A seat's step 4: the die is about to fall."""
        self.phase("rolling", int(phases.STEP_DIE), seat)
        self.s.points = 0
        self.s.actor = CHANCE
        return self

    # --- playing ----------------------------------------------------------------------------------------------

    def play(self, *texts: str) -> Scene:
        """Play choices and outcomes in notation, each of which must be legal; the position must stay possible."""
        for text in texts:
            rule = self.why_not(text)
            assert rule is None, f"{text} is forbidden by {rule}"
            self.s.apply(self.s.parse(text))
        self.sound()
        return self

    def play_on(self, until: str) -> Scene:
        """Play the first legal choice again and again, until a phase."""
        while self.asked()[1] != until:
            self.s.apply(self.s.legal_actions()[0])
        self.sound()
        return self

    def chance(self, *outcomes: str) -> Scene:
        """Outcomes of chance, by name."""
        for outcome in outcomes:
            assert self.s.actor == CHANCE, "chance is not asked"
            self.play(outcome)
        return self

    def sound(self) -> None:
        problems = SURVIVE.find_faults(self.s)
        assert not problems, problems

    # --- looking ----------------------------------------------------------------------------------------------

    def why_not(self, text: str) -> str | None:
        """The rule that forbids this, None if it is legal; `legal` must agree."""
        self.sound()
        action = self.s.parse(text)
        rule = self.s.why_illegal(action)
        if action < self.s.num_actions():
            assert (action in self.s.legal_actions()) == (rule is None)
        return rule

    def choices(self) -> set[str]:
        """What the actor may choose, in notation; `why_not` must agree."""
        assert not [a for a in self.s.legal_actions() if self.s.why_illegal(a) is not None]
        return {self.s.notation(a) for a in self.s.legal_actions()}

    def outcome_weights(self) -> dict[str, int]:
        """The outcomes of chance and their weights."""
        return {self.s.notation(outcome): weight for outcome, weight in self.s.chance_outcomes()}

    def at(self, name: str) -> str:
        """Where an explorer is: a space, an isle, or "lost"; with a + if it is aboard a ship."""
        e = explorer_number(name)
        if self.s.where[e] == LOST:
            return "lost"
        return place_name(int(self.s.where[e])) + ("+" if self.s.aboard[e] >= 0 else "")

    def asked(self) -> tuple[int, str]:
        """Who is asked what: (seat or -1 for chance or -2 at the end, phase)."""
        return int(self.s.actor), phases.PHASE_NAMES[self.s.phase]

    def creatures(self, kind: str) -> list[str]:
        """Where the creatures of a kind are."""
        k = KIND_NAMES.index(kind)
        spaces = [int(self.s.creature_space[c]) for c in range(int(FIRST[k]), int(FIRST[k + 1]))]
        return [NAMES[at] for at in spaces if at >= 0]

    def ships(self) -> dict[str, list[str]]:
        """Every ship's space and crew."""
        return {
            NAMES[self.s.ship_space[k]]: piece_positions.crew_names(self.s, k)
            for k in range(12)
            if self.s.ship_space[k] >= 0
        }

    def hand_of(self, seat: int) -> list[str]:
        """The tiles a seat holds."""
        s = self.s
        return [BACK_NAMES[b] for t in range(3) for b in range(7) for _ in range(s.hand[(seat * 3 + t) * 7 + b])]

    def wards_at(self, at: str) -> list[str | None]:
        """Whom the dolphins of a space guard."""
        found: list[str | None] = []
        for d in range(4):
            if self.s.creature_space[int(FIRST[3]) + d] == BY_NAME[at]:
                found.append(piece_positions.explorer_name(int(self.s.ward[d])) if self.s.ward[d] >= 0 else None)
        return found

    def tiles(self) -> dict[str, str]:
        """The tiles left on the island."""
        return {NAMES[int(at)]: TERRAIN_NAMES[self.s.tile[int(at)]] for at in SLOT_SPACE if self.s.tile[int(at)] >= 0}


def explorer_number(name: str) -> int:
    """An explorer's number from its name."""
    return COLOUR_LETTERS.index(name[0]) * 10 + int(name[1:]) - 1
