"""A position of Survive: where every piece is, what is asked of whom, and the doors to the chapters' rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.core.rng import Rng
from landfall.core.state import CHANCE, Moves, State
from landfall.core.vectors import buf, filled
from landfall.games.survive import (
    chance,
    costs,
    ending,
    evaluate,
    explain,
    features,
    knowledge,
    notation,
    opening,
    pieces,
    play,
    rollout,
    setup,
    view,
    words,
)
from landfall.games.survive.actions import NUM_ACTIONS
from landfall.games.survive.board import SERPENT_STARTS, SLOT_SPACE, SPACES
from landfall.games.survive.components import (
    ASIDE,
    CREATURES,
    EXPLORERS,
    KIND_OF,
    ONE,
    ONE_WARD,
    SERPENT,
    SHIPS,
    SUPPLY,
    TILE_TABLE,
    UNLAID,
    UNPLACED,
    VALUE_COUNTS,
)
from landfall.games.survive.phases import DEFENDING, HAND, LAYING, PLACING, STEP_HAND, STEP_MOVE, STEP_SETUP

if TYPE_CHECKING:
    from landfall.core.layout import Sheet
    from landfall.core.messages import Rank
    from landfall.core.vectors import Buf
    from landfall.games.survive.messages import Choice, Outcome, Own, View

SQUID_CHOICES: Final = ("off", "with_whales", "instead_of_whales")  # by number, as in `components`


class Rules:
    """The options of a table, shared by all its positions."""

    def __init__(self, players: i64, options: dict[str, object]) -> None:
        self.players: i64 = players
        self.two_colours = bool(options["two_colours"])
        self.ships_per_colour = bool(options["ships_per_colour"])
        self.overpopulated = bool(options["overpopulated"])
        self.to_the_last = bool(options["to_the_last"])
        self.all_equal = bool(options["all_equal"])
        self.submerged = bool(options["submerged"])
        self.crowded = bool(options["crowded"])
        self.dolphins = bool(options["dolphins"])
        self.squid: i64 = SQUID_CHOICES.index(str(options["squid"]))
        self.squid_spares = bool(options["squid_spares_on_arrival"])
        self.bounty = bool(options["bounty"])
        self.isle_hopper = bool(options["isle_hopper"])
        self.open_values = bool(options["open_values"])

    def numbers(self) -> list[int]:
        """The options as numbers, in the order of `ruleset.OPTIONS`."""
        return [
            int(self.two_colours),
            int(self.ships_per_colour),
            int(self.overpopulated),
            int(self.to_the_last),
            int(self.all_equal),
            int(self.submerged),
            int(self.crowded),
            int(self.dolphins),
            int(self.squid),
            int(self.squid_spares),
            int(self.bounty),
            int(self.isle_hopper),
            int(self.open_values),
        ]


class SurviveState(State):
    """See the comments beside the fields; `components.py` says what the numbers mean."""

    def __init__(self, rules: Rules, source: SurviveState | None = None) -> None:
        super().__init__(rules.players)
        self.rules = rules
        if source is not None:
            self.take_over(source)
            return
        self.phase: i64 = LAYING  # what is asked, of a seat or of chance
        self.step: i64 = STEP_SETUP  # which step of the turn it belongs to
        self.turn: i64 = 0  # whose turn
        self.points: i64 = 0  # movement points left
        self.tiles_left: i64 = 40
        self.ships_left: i64 = 12  # in the supply
        self.set_up: i64 = 0  # tiles laid, then explorers placed, while that lasts
        self.tile_space: i64 = -1  # where the tile removed this turn lay
        self.tile_terrain: i64 = -1
        self.face: i64 = -1  # what the die names
        self.far: i64 = 0  # how far the second dive die lets it go; 0: as far as its kind goes
        self.creature: i64 = -1  # the creature that attacks, or the squid that takes prey
        self.prey_aboard: i64 = 0  # 1: the squid may also take from the ship in its space (SV.Q5)
        self.ask_next: i64 = 0  # places clockwise from the turn's player: who is asked next (SV.D4, SV.O5)
        self.mini_seat: i64 = -1  # who has the point of SV.O5
        self.touched: i64 = -1  # the space an event touched where a ward is to be chosen (SV.N12)
        self.touched_too: i64 = -1
        self.quiet_rounds: i64 = 0  # SV.G3
        self.round_counts: i64 = 0  # the round began with no tile left
        self.stirred: i64 = 0  # an explorer landed or was removed this round
        self.tile: Buf = filled(133, -1)  # by space: the terrain, or SEA
        self.ship_at: Buf = filled(133, -1)  # by space
        self.people_at: Buf = filled(133, 0)  # by space: explorers on the tile or in the water, not those aboard
        self.creatures_at: Buf = filled(133, 0)  # by space: counts of each kind, packed (components.ONE)
        self.where: Buf = filled(60, -1)  # by explorer
        self.value: Buf = filled(60, 0)  # by explorer; 0 until placed
        self.aboard: Buf = filled(60, -1)  # by explorer: the ship
        self.guard: Buf = filled(60, -1)  # by explorer: the dolphin, 0 to 3
        self.marks: Buf = filled(60, 0)  # by explorer: ACTED, FELL
        self.ship_space: Buf = filled(12, -1)  # by ship; -1: in the supply or out of the game
        self.ship_seat: Buf = filled(36, -1)  # by ship, three seats, filled from the first
        self.creature_space: Buf = filled(25, -1)  # by creature
        self.ward: Buf = filled(4, -1)  # by dolphin: the explorer it guards
        self.creature_left: Buf = buf(SUPPLY)  # by kind: in the supply
        self.back_left: Buf = buf([n for row in TILE_TABLE for n in row])  # by terrain and back: still on the island
        self.terrain_left: Buf = buf([16, 16, 8])  # by terrain: not yet laid, then still on the island
        self.hand: Buf = filled(126, 0)  # by seat, terrain and back: how many
        self.hand_size: Buf = filled(6, 0)  # by seat
        self.values_left: Buf = filled(36, 0)  # by colour and value: not yet placed
        self.placed: Buf = filled(6, 0)  # by colour: explorers placed
        self.ships_to_put: Buf = filled(6, 0)  # by seat
        self.in_play: Buf = filled(6, 0)  # by seat: explorers on tiles, ships, in the water
        self.turns: Buf = filled(6, 0)  # by seat: turns begun
        self.bounties: Buf = filled(6, 0)  # by seat: points of SV.E1

    # --- set-up of a first position ---------------------------------------------------------------------------

    def prepare(self) -> None:
        """Everything that chance and players do not decide: SV.B3, SV.U2, SV.X1, SV.X2, SV.V1, SV.V2."""
        for i in range(40):
            self.tile[SLOT_SPACE[i]] = UNLAID
        for i in range(5):
            self.creature_space[i] = SERPENT_STARTS[i]
            self.creatures_at[SERPENT_STARTS[i]] += ONE[SERPENT]
        self.creature_left[SERPENT] = 0
        colours: i64 = 4 if self.rules.two_colours else self.players
        for c in range(60):
            self.where[c] = ASIDE if c // 10 >= colours else UNPLACED
        for c in range(colours):
            for v in range(6):
                self.values_left[c * 6 + v] = VALUE_COUNTS[v]
            for v in setup.set_aside(self.rules):
                self.values_left[c * 6 + v - 1] -= 1
            for i in range(setup.explorers_each(self.rules), 10):
                self.where[c * 10 + i] = ASIDE
        for seat in range(self.players):
            self.ships_to_put[seat] = setup.ships_of(self.rules, seat)

    # --- the contract -----------------------------------------------------------------------------------------

    def num_actions(self) -> int:
        return NUM_ACTIONS

    def generate(self, moves: Moves) -> None:
        play.generate(self, moves)

    def random_action(self, rng: Rng) -> i64:
        return rollout.random_action(self, rng)

    def forbids(self, action: i64) -> str:
        return play.forbids(self, action)

    def chances(self) -> list[tuple[int, int]]:
        return chance.chances(self)

    def draw(self, rng: Rng) -> i64:
        return chance.draw(self, rng)

    def apply(self, action: i64) -> None:
        if self.actor == CHANCE:
            chance.happen(self, action)
        else:
            play.act(self, action)

    def scores(self) -> list[int]:
        return ending.scores(self)

    def ranking(self) -> list[Rank]:
        return ending.ranking(self)

    def evaluate(self, seat: i64) -> i64:
        return evaluate.evaluate(self, seat)

    def prospects(self, out: Buf) -> None:
        evaluate.prospects(self, out)

    def spread(self) -> i64:
        return evaluate.spread(self)

    def features(self, seat: i64, sheet: Sheet) -> None:
        features.encode(self, seat, sheet)

    def turn_mark(self) -> i64:
        return self.turns[self.turn] * 8 + self.turn + (self.set_up + self.ships_left) * 1024

    def step_mark(self) -> i64:
        """A hand tile and the moves after it are planned as one."""
        return self.turn_mark() * 8 + (STEP_MOVE if self.step == STEP_HAND else self.step)

    def worth_searching(self) -> bool:
        """Where explorers and ships are put shows long after all that a search can see."""
        return self.step != STEP_SETUP

    def opening(self) -> i64:
        return opening.opening(self)

    def view(self, seat: int | None) -> View:
        return view.view(self, seat)

    def own_view(self, seat: int | None) -> Own:
        return view.own_view(self, seat)

    def hushed(self) -> bool:
        """SV.T2, SV.D5: whoever holds any tile is asked, whether or not one of them would do."""
        return self.phase == HAND or self.phase == DEFENDING

    def resample(self, seat: int | None, rng: Rng) -> SurviveState:
        fresh = self.copy()
        knowledge.redraw(fresh, seat, rng)
        return fresh

    def describe(self, action: int) -> Choice | Outcome:
        return words.describe(self, action)

    def grouped(self, seat: int | None) -> list[tuple[str, list[str], list[list[object]]]]:
        if self.phase == PLACING and seat is not None and seat == self.actor:
            return words.placings(self)
        return super().grouped(seat)

    def notation(self, action: int) -> str:
        return notation.write(self, action)

    def parse(self, text: str) -> int:
        return notation.read(self, text)

    def masked(self, action: int) -> str:
        return notation.masked(self, action)

    def secret(self, action: int) -> int:
        return knowledge.secret(self, action)

    def may_read(self, seat: int | None, secret: int) -> bool:
        return knowledge.may_read(self, seat, secret)

    def loses(self, action: int) -> list[str]:
        return costs.costs(self, action)[0] if self.actor >= 0 and self.forbids(action) == "" else []

    def costs(self, action: int) -> tuple[list[str], list[str]]:
        return costs.costs(self, action)

    def forbids_touch(self, piece: str, place: str) -> str | None:
        return explain.forbids_touch(self, piece, place)

    def tally(self) -> None:
        """Fill in ship_at, people_at, creatures_at and in_play from where each piece is."""
        self.ship_at = filled(133, -1)
        self.people_at = filled(133, 0)
        self.creatures_at = filled(133, 0)
        self.in_play = filled(6, 0)
        for ship in range(SHIPS):
            if self.ship_space[ship] >= 0:
                self.ship_at[self.ship_space[ship]] = ship
        for c in range(CREATURES):
            if self.creature_space[c] >= 0:
                self.creatures_at[self.creature_space[c]] += ONE[KIND_OF[c]]
        for e in range(EXPLORERS):
            at = self.where[e]
            if at < 0 or at >= SPACES:
                continue
            self.in_play[pieces.owner(self, e)] += 1
            if self.aboard[e] < 0:
                self.people_at[at] += 1
                if self.guard[e] >= 0:
                    self.creatures_at[at] += ONE_WARD

    # --- copying ----------------------------------------------------------------------------------------------

    def copy(self) -> SurviveState:
        return SurviveState(self.rules, self)

    def take_over(self, source: SurviveState) -> None:
        """Every field of another position of the same table."""
        self.actor = source.actor
        self.phase = source.phase
        self.step = source.step
        self.turn = source.turn
        self.points = source.points
        self.tiles_left = source.tiles_left
        self.ships_left = source.ships_left
        self.set_up = source.set_up
        self.tile_space = source.tile_space
        self.tile_terrain = source.tile_terrain
        self.face = source.face
        self.far = source.far
        self.creature = source.creature
        self.prey_aboard = source.prey_aboard
        self.ask_next = source.ask_next
        self.mini_seat = source.mini_seat
        self.touched = source.touched
        self.touched_too = source.touched_too
        self.quiet_rounds = source.quiet_rounds
        self.round_counts = source.round_counts
        self.stirred = source.stirred
        self.tile = source.tile[:]
        self.ship_at = source.ship_at[:]
        self.people_at = source.people_at[:]
        self.creatures_at = source.creatures_at[:]
        self.where = source.where[:]
        self.value = source.value[:]
        self.aboard = source.aboard[:]
        self.guard = source.guard[:]
        self.marks = source.marks[:]
        self.ship_space = source.ship_space[:]
        self.ship_seat = source.ship_seat[:]
        self.creature_space = source.creature_space[:]
        self.ward = source.ward[:]
        self.creature_left = source.creature_left[:]
        self.back_left = source.back_left[:]
        self.terrain_left = source.terrain_left[:]
        self.hand = source.hand[:]
        self.hand_size = source.hand_size[:]
        self.values_left = source.values_left[:]
        self.placed = source.placed[:]
        self.ships_to_put = source.ships_to_put[:]
        self.in_play = source.in_play[:]
        self.turns = source.turns[:]
        self.bounties = source.bounties[:]

    def scalars(self) -> list[int]:
        numbers = self.rules.numbers()
        numbers.extend(
            [
                int(self.phase),
                int(self.step),
                int(self.turn),
                int(self.points),
                int(self.tiles_left),
                int(self.ships_left),
                int(self.set_up),
                int(self.tile_space),
                int(self.tile_terrain),
                int(self.face),
                int(self.far),
                int(self.creature),
                int(self.prey_aboard),
                int(self.ask_next),
                int(self.mini_seat),
                int(self.touched),
                int(self.touched_too),
                int(self.quiet_rounds),
                int(self.round_counts),
                int(self.stirred),
            ]
        )
        return numbers

    def vectors(self) -> list[Buf]:
        # What stands where follows from where everything stands: `tally` fills those three in again.
        return [
            self.tile,
            self.where,
            self.value,
            self.aboard,
            self.guard,
            self.marks,
            self.ship_space,
            self.ship_seat,
            self.creature_space,
            self.ward,
            self.creature_left,
            self.back_left,
            self.terrain_left,
            self.hand,
            self.hand_size,
            self.values_left,
            self.placed,
            self.ships_to_put,
            self.turns,
            self.bounties,
        ]
