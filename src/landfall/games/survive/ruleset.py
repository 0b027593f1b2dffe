"""The facts of the game: players, options, how positions are made and read."""

from __future__ import annotations

from typing import Final

from landfall.core.game import Game, Reader
from landfall.core.options import CHOICE, Option
from landfall.core.state import State
from landfall.core.vectors import buf
from landfall.games.survive import invariants, terminal
from landfall.games.survive.actions import NUM_ACTIONS, NUM_OUTCOMES
from landfall.games.survive.components import COLOUR_NAMES
from landfall.games.survive.phases import PHASES, STEPS
from landfall.games.survive.state import SQUID_CHOICES, Rules, SurviveState

# SV.O7: what each needs and what it does not go with; in the order of `Rules.numbers`.
OPTIONS: Final = [
    Option("two_colours", "SV.V1", players=(2,)),
    Option("ships_per_colour", "SV.V2", requires=("two_colours",)),
    Option("overpopulated", "SV.O1"),
    Option("to_the_last", "SV.O2"),
    Option("all_equal", "SV.O3"),
    Option("submerged", "SV.O4"),
    Option("crowded", "SV.O5", players=(5, 6), excludes=("overpopulated",)),
    Option("dolphins", "SV.N1"),
    Option("squid", "SV.Q1", kind=CHOICE, default="off", choices=SQUID_CHOICES),
    Option("squid_spares_on_arrival", "SV.Q9", requires=("squid",)),
    Option("bounty", "SV.E1"),
    Option("isle_hopper", "SV.E2"),
    Option("open_values", "SV.U5"),
]


class Survive(Game):
    """Survive: Escape from Atlantis! for two to six."""

    def __init__(self) -> None:
        super().__init__(
            "survive", 2, (2, 3, 4, 5, 6), COLOUR_NAMES, int(NUM_ACTIONS), int(NUM_OUTCOMES), OPTIONS, "SV"
        )
        self.search = (0.06, 1, 24, 0, -1, 250, 100, 1)

    def start(self, players: int, options: dict[str, object]) -> SurviveState:
        state = SurviveState(Rules(players, options))
        state.prepare()
        return state

    def load(self, reader: Reader) -> SurviveState:
        players = reader.one(2, 6)
        actor = reader.one(-2, players - 1)
        options: dict[str, object] = {}
        for option in OPTIONS:
            number = reader.one(0, max(1, len(option.choices) - 1))
            options[option.name] = option.choices[number] if option.choices else bool(number)
        s = SurviveState(Rules(players, options))
        s.actor = actor
        s.phase = reader.one(0, int(PHASES) - 1)
        s.step = reader.one(0, int(STEPS) - 1)
        s.turn = reader.one(0, players - 1)
        s.points = reader.one(0, 3)
        s.tiles_left = reader.one(0, 40)
        s.ships_left = reader.one(0, 12)
        s.set_up = reader.one(0, 60)
        s.tile_space = reader.one(-1, 132)
        s.tile_terrain = reader.one(-1, 2)
        s.face = reader.one(-1, 5)
        s.far = reader.one(0, 4)
        s.creature = reader.one(-1, 24)
        s.prey_aboard = reader.one(0, 1)
        s.ask_next = reader.one(0, 6)
        s.mini_seat = reader.one(-1, players - 1)
        s.touched = reader.one(-1, 132)
        s.touched_too = reader.one(-1, 132)
        s.quiet_rounds = reader.one(0, 10)
        s.round_counts = reader.one(0, 1)
        s.stirred = reader.one(0, 1)
        s.tile = buf(reader.many(133, -1, 3))
        s.where = buf(reader.many(60, -3, 136))
        s.value = buf(reader.many(60, 0, 6))
        s.aboard = buf(reader.many(60, -1, 11))
        s.guard = buf(reader.many(60, -1, 3))
        s.marks = buf(reader.many(60, 0, 3))
        s.ship_space = buf(reader.many(12, -1, 132))
        s.ship_seat = buf(reader.many(36, -1, 59))
        s.creature_space = buf(reader.many(25, -1, 132))
        s.ward = buf(reader.many(4, -1, 59))
        s.creature_left = buf(reader.many(5, 0, 6))
        s.back_left = buf(reader.many(36, 0, 4))
        s.terrain_left = buf(reader.many(3, 0, 16))
        s.hand = buf(reader.many(126, 0, 3))
        s.hand_size = buf(reader.many(6, 0, 18))
        s.values_left = buf(reader.many(36, 0, 3))
        s.placed = buf(reader.many(6, 0, 10))
        s.ships_to_put = buf(reader.many(6, 0, 4))
        s.turns = buf(reader.many(6, 0, 1 << 40))
        s.bounties = buf(reader.many(6, 0, 60))
        reader.end()
        s.tally()
        problems = invariants.check(s)
        if problems:
            raise ValueError(problems[0])
        return s

    def draw(self, view: dict[str, object], language: str) -> str:
        return terminal.draw(view, language)

    def check(self, state: State) -> list[str]:
        assert isinstance(state, SurviveState)
        return invariants.check(state)


GAME: Final = Survive()
