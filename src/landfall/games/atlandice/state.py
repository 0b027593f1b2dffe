"""A position of Atlandice: its fields, and which chapter of the rules answers in which phase."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.ranking import rank
from landfall.core.state import CHANCE, NOT_A_CHOICE, Moves, State
from landfall.core.vectors import filled
from landfall.games.atlandice import (
    donation,
    effects,
    evaluate,
    features,
    knowledge,
    notation,
    rounds,
    scoring,
    setup,
    view,
    visits,
    words,
)
from landfall.games.atlandice.actions import (
    BONUS,
    CLOCK,
    CLOCK_DONE,
    DIE,
    DONATE,
    DONATE_SECOND,
    ENTER,
    FACE,
    GATES,
    NEXT_DONOR,
    NUM_ACTIONS,
    PIECE,
    RESOLVE,
    REVEAL,
    ROLL,
    SECOND_ROLL,
    SETTLED,
    SUBMARINE_PIECE,
    TILE,
    VISITED,
)
from landfall.games.atlandice.board import REGIONS, SECTORS, WORKSHOP
from landfall.games.atlandice.components import FACE_DOWN, FACES, HOLDERS, LETTERS, RESOURCES, TILES, UNSEEN

if TYPE_CHECKING:
    from landfall.core.layout import Sheet
    from landfall.core.messages import Rank
    from landfall.core.rng import Rng
    from landfall.core.vectors import Buf
    from landfall.games.atlandice.messages import Choice, Outcome, Own, Preview, View


class AtlandiceState(State):
    """Everything on the table. `face` and `hands` never change, so copies share them."""

    def __init__(self, players: i64, face: Buf, hands: Buf, source: AtlandiceState | None = None) -> None:
        super().__init__(players)
        self.face: Buf = face  # the clock's icon on each space (AD.C4)
        self.hands: Buf = hands  # clock's hands by tile, the black market's last (AD.C3)
        if source is None:
            self.phase: i64 = REVEAL
            self.round: i64 = 0  # 0 while the first tiles are turned up
            self.first: i64 = 0  # this round's first player
            self.visits: i64 = 0  # finished in this round
            self.to_roll: i64 = 0  # dice the first player still has to roll
            self.hand: i64 = 0  # where the clock points
            self.submarine: i64 = WORKSHOP
            self.turn: i64 = 0  # whose visit it is
            self.holder: i64 = 0  # whom it benefits: the same, or the neutral player
            self.at: i64 = 0  # the sector visited
            self.picked: i64 = 0  # the sector * 5 + resource of a piece, or the sector of a die, about to be moved
            self.reveal: i64 = 0  # the stack whose next tile is to be turned up
            self.donors: i64 = 0  # players the donation has passed (AD.V5)
            self.stock: Buf = filled(HOLDERS * RESOURCES, 0)  # holder * 5 + resource
            self.points: Buf = filled(HOLDERS, 0)  # victory points by holder, tiles not counted
            self.tile_place: Buf = filled(TILES, UNSEEN)
            self.top: Buf = filled(REGIONS, FACE_DOWN)  # the letter on top of each stack
            self.lying: Buf = filled(SECTORS * RESOURCES, 0)  # sector * 5 + resource
            self.held: Buf = filled(REGIONS, 0)  # 1: the tile on top has held a piece (AD.V3)
            self.dice: Buf = filled(SECTORS, 0)  # lying in each sector
            self.taken: Buf = filled(HOLDERS, 0)  # dice of each holder in this round
            self.gave: Buf = filled(HOLDERS, 0)  # 1: this seat's die for the neutral player is taken (AD.N1)
        else:
            self.actor = source.actor
            self.phase = source.phase
            self.round = source.round
            self.first = source.first
            self.visits = source.visits
            self.to_roll = source.to_roll
            self.hand = source.hand
            self.submarine = source.submarine
            self.turn = source.turn
            self.holder = source.holder
            self.at = source.at
            self.picked = source.picked
            self.reveal = source.reveal
            self.donors = source.donors
            self.stock = source.stock[:]
            self.points = source.points[:]
            self.tile_place = source.tile_place[:]
            self.top = source.top[:]
            self.lying = source.lying[:]
            self.held = source.held[:]
            self.dice = source.dice[:]
            self.taken = source.taken[:]
            self.gave = source.gave[:]

    def copy(self) -> AtlandiceState:
        """An independent copy."""
        return AtlandiceState(self.players, self.face, self.hands, self)

    def scalars(self) -> list[int]:
        """All single numbers, as `ruleset.Atlandice.load` reads them."""
        last = len(self.face) - 1
        turn = [self.phase, self.round, self.first, self.visits, self.to_roll, self.hand, self.submarine]
        visit = [self.turn, self.holder, self.at, self.picked, self.reveal, self.donors]
        return [last] + [int(x) for x in turn] + [int(x) for x in visit]

    def vectors(self) -> list[Buf]:
        """All vectors, as `ruleset.Atlandice.load` reads them."""
        clock = [self.face, self.hands]
        players = [self.stock, self.points, self.taken, self.gave]
        return clock + players + [self.tile_place, self.top, self.lying, self.held, self.dice]

    def num_actions(self) -> int:
        return NUM_ACTIONS

    # --- playing ----------------------------------------------------------------------------------------------

    def apply(self, action: i64) -> None:
        """Carry out a choice or an outcome, then all that follows by itself."""
        phase = self.phase
        if phase == GATES:
            rounds.gate(self, action - FACE)
        elif phase == DIE:
            visits.take_die(self, action)
        elif phase in (PIECE, SUBMARINE_PIECE):
            visits.take_piece(self, action)
        elif phase == ROLL:
            effects.rolled(self, action - FACE + 1)
        elif phase == SECOND_ROLL:
            effects.rolled_again(self, action - FACE)
        elif phase == REVEAL:
            setup.revealed(self, action - TILE)
        elif phase in (DONATE, DONATE_SECOND):
            donation.apply(self, action)
        else:
            effects.apply(self, action)
        self.advance()

    def advance(self) -> None:
        """Go on until somebody must act."""
        while True:
            phase = self.phase
            if phase == ENTER:
                visits.enter(self)
            elif phase == RESOLVE:
                effects.start(self)
            elif phase == VISITED:
                scoring.settle(self)
            elif phase == SETTLED:
                rounds.next_visit(self)
            elif phase == CLOCK:
                rounds.clock(self)
            elif phase == NEXT_DONOR:
                donation.next_donor(self)
            elif phase == CLOCK_DONE:
                rounds.clock_done(self)
            else:
                return

    def generate(self, moves: Moves) -> None:
        """Every choice of the actor."""
        phase = self.phase
        if phase == DIE:
            visits.generate_dice(self, moves)
        elif phase in (PIECE, SUBMARINE_PIECE):
            visits.generate_pieces(self, moves)
        elif phase in (DONATE, DONATE_SECOND):
            donation.generate(self, moves)
        else:
            effects.generate(self, moves)

    def forbids(self, action: i64) -> str:
        """The rule that forbids the actor this choice."""
        phase = self.phase
        if phase == DIE:
            return visits.forbids_die(self, action)
        elif phase in (PIECE, SUBMARINE_PIECE):
            return visits.forbids_piece(self, action)
        elif phase in (DONATE, DONATE_SECOND):
            return donation.forbids(self, action)
        elif BONUS <= phase < DONATE:
            return effects.forbids(self, action)
        return NOT_A_CHOICE

    def chances(self) -> list[tuple[int, int]]:
        """Faces of a die, or the unseen tiles of a stack, each equally likely."""
        if self.actor != CHANCE:
            return []
        if self.phase == REVEAL:
            first = int(self.reveal) * LETTERS
            return [(TILE + i, 1) for i in range(LETTERS) if self.tile_place[first + i] == UNSEEN]
        return [(FACE + i, 1) for i in range(FACES)]

    def draw(self, rng: Rng) -> i64:
        """One of `chances()`, without listing them."""
        if self.phase == REVEAL:
            return setup.draw_tile(self, rng)
        return FACE + rng.below(FACES)

    # --- what it is worth -------------------------------------------------------------------------------------

    def scores(self) -> list[int]:
        """Points by seat if the game ended now (AD.E2)."""
        return [int(scoring.total(self, seat)) for seat in range(self.players)]

    def ranking(self) -> list[Rank]:
        """Most points first; ties share (AD.E2). The neutral player cannot win and is no seat (AD.N1)."""
        return rank([[score] for score in self.scores()], ["points"])

    def evaluate(self, seat: i64) -> i64:
        return evaluate.evaluate(self, seat)

    def prospects(self, out: Buf) -> None:
        evaluate.prospects(self, out)

    def spread(self) -> i64:
        return evaluate.spread(self)

    def features(self, seat: i64, sheet: Sheet) -> None:
        features.encode(self, seat, sheet)

    def turn_mark(self) -> i64:
        return self.round * 16 + self.visits

    # --- what it looks like -----------------------------------------------------------------------------------

    def view(self, seat: int | None) -> View:
        return view.view(self, seat)

    def own_view(self, seat: int | None) -> Own:
        """AD.V9: all is public; a view only says whose it is."""
        return {"seat": seat}

    def resample(self, seat: int | None, rng: Rng) -> State:
        return knowledge.resample(self, seat, rng)

    def may_read(self, seat: int | None, secret: int) -> bool:
        return knowledge.may_read(self, seat, secret)

    def describe(self, action: int) -> Choice | Outcome:
        return words.describe(self, action)

    def notation(self, action: int) -> str:
        return notation.notation(self, action)

    def parse(self, text: str) -> int:
        return notation.parse(self, text)

    def loses(self, action: int) -> list[str]:
        return words.loses(self, action)

    def forbids_touch(self, piece: str, place: str) -> str | None:
        return words.forbids_touch(self, piece, place)

    def preview(self, seat: int) -> Preview:
        return view.preview(self)
