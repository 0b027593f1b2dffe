"""A position of Atlantis: the path, the figures, who holds what, and where in the turn we are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.ranking import rank
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, Moves, State
from landfall.core.vectors import filled
from landfall.games.atlantis import (
    drawing,
    ending,
    features,
    gaps,
    knowledge,
    movement,
    notation,
    preview,
    setup,
    tiles,
    turn,
    words,
)
from landfall.games.atlantis import evaluate as judgement
from landfall.games.atlantis.actions import BRIDGE, BUY, CARD, NO_BRIDGE, NUM_ACTIONS, PAY_CARD, SHOW, TILE
from landfall.games.atlantis.board import ATLANTIS, MAINLAND, POSITIONS, ROW, STATIONS
from landfall.games.atlantis.components import (
    CARDS_A_KIND,
    FIGURES,
    MOST_PLAYERS,
    NUM_KINDS,
    NUM_TILES,
    TILE_FACE,
    TILES_A_BACK,
    UNSEEN,
)
from landfall.games.atlantis.phases import BRIDGING, HOPPING, LAYING, PAYING, START, UNCOVERING

if TYPE_CHECKING:
    from landfall.core.layout import Sheet
    from landfall.core.messages import Rank
    from landfall.core.vectors import Buf
    from landfall.games.atlantis.messages import Choice, Outcome, Own, Preview, View


class AtlantisState(State):
    """See `board` for positions, `components` for tiles, `phases` for the moments of a turn."""

    def __init__(self, players: i64, like: AtlantisState | None) -> None:
        super().__init__(players)
        self.phase: i64 = LAYING
        self.seat: i64 = 0  # whose turn it is, also while chance acts
        self.mover: i64 = -1  # the figure being moved, 0 to 2
        self.origin: i64 = ATLANTIS  # where it stood before
        self.bill: i64 = 0
        self.paid: i64 = 0
        self.to_draw: i64 = 0
        self.bought_count: i64 = 0  # cards bought this turn
        self.laid: i64 = 0  # 1 if the bridge was laid at the first moment of this turn
        self.idle: i64 = 0  # players in a row who were stuck and could draw nothing (AT.E4)
        self.spot: i64 = 0  # the position where chance turns up a tile; -1 if it does not
        self.first: i64 = 0  # the path's first and last tile; derived, as all that `rebuild` makes
        self.last: i64 = -1
        if like is None:
            self.tile_at = filled(NUM_TILES, UNSEEN)  # by tile
            self.top = filled(POSITIONS, -1)  # by position: the tile on top, -1 for water
            self.below = filled(POSITIONS, 0)  # by position: tiles nobody has seen, 0 or 1
            self.bridge = filled(POSITIONS, 0)  # by position: a gap with any is bridged
            self.figure_at = filled(MOST_PLAYERS * FIGURES, ATLANTIS)
            self.hand = filled(MOST_PLAYERS * NUM_KINDS, 0)  # by seat and kind, as the next two
            self.known = filled(MOST_PLAYERS * NUM_KINDS, 0)  # of these, how many all know of (AT.T6)
            self.drawn = filled(MOST_PLAYERS * NUM_KINDS, 0)  # drawn since the deck was last shuffled
            self.bought = filled(NUM_KINDS, 0)  # in the hand of the player in turn, bought this turn (AT.G3)
            self.played = filled(NUM_KINDS, 0)  # this turn
            self.deck = filled(NUM_KINDS, CARDS_A_KIND)
            self.discard = filled(NUM_KINDS, 0)
            self.out_cards = filled(NUM_KINDS, 0)
            self.shuffled = filled(NUM_KINDS, CARDS_A_KIND)  # the deck when it was last shuffled
            self.holds_bridge = filled(MOST_PLAYERS, 0)  # by seat: 1 while it is not laid
            for seat in range(players):
                self.holds_bridge[seat] = 1
            self.worth = filled(MOST_PLAYERS, 0)  # derived: the value of each seat's tiles
            self.faces = filled(MOST_PLAYERS, 0)  # derived: a bit for each face a seat holds
            self.occupant = filled(POSITIONS, -1)  # derived: the figure that stands there, seat * 3 + figure
            self.toll = filled(STATIONS, 0)  # derived: see gaps.survey
            self.ahead = filled(NUM_KINDS * ROW, MAINLAND)  # derived: see tiles.forget_ahead
        else:
            self.tile_at = like.tile_at[:]
            self.top = like.top[:]
            self.below = like.below[:]
            self.bridge = like.bridge[:]
            self.figure_at = like.figure_at[:]
            self.hand = like.hand[:]
            self.known = like.known[:]
            self.drawn = like.drawn[:]
            self.bought = like.bought[:]
            self.played = like.played[:]
            self.deck = like.deck[:]
            self.discard = like.discard[:]
            self.out_cards = like.out_cards[:]
            self.shuffled = like.shuffled[:]
            self.holds_bridge = like.holds_bridge[:]
            self.worth = like.worth[:]
            self.faces = like.faces[:]
            self.occupant = like.occupant[:]
            self.toll = like.toll[:]
            self.ahead = like.ahead[:]

    def copy(self) -> AtlantisState:
        c = AtlantisState(self.players, self)
        c.actor = self.actor
        c.phase = self.phase
        c.seat = self.seat
        c.mover = self.mover
        c.origin = self.origin
        c.bill = self.bill
        c.paid = self.paid
        c.to_draw = self.to_draw
        c.bought_count = self.bought_count
        c.laid = self.laid
        c.idle = self.idle
        c.spot = self.spot
        c.first = self.first
        c.last = self.last
        return c

    def scalars(self) -> list[int]:
        numbers = [self.phase, self.seat, self.mover, self.origin, self.bill, self.paid, self.to_draw]
        numbers += [self.bought_count, self.laid, self.idle, self.spot]
        return [int(n) for n in numbers]

    def vectors(self) -> list[Buf]:
        path = [self.tile_at, self.top, self.below, self.bridge, self.figure_at]
        cards = [self.hand, self.known, self.drawn, self.bought, self.played]
        return path + cards + [self.deck, self.discard, self.out_cards, self.shuffled, self.holds_bridge]

    # --- what may be done -------------------------------------------------------------------------------------

    def num_actions(self) -> int:
        return NUM_ACTIONS

    def generate(self, moves: Moves) -> None:
        if self.phase == START:
            turn.generate_start(self, moves)
        elif self.phase == HOPPING:
            movement.generate_cards(self, moves)
        elif self.phase == PAYING:
            gaps.generate_payment(self, moves)
        elif self.phase == BRIDGING:
            gaps.generate_bridges(self, moves)
            moves.add(NO_BRIDGE)

    def forbids(self, action: i64) -> str:
        if action < PAY_CARD:
            return movement.forbids_card(self, action)
        if action < BUY:
            return gaps.forbids_payment(self, action)
        if action < BRIDGE:
            return turn.forbids_buying(self, action)
        if action == SHOW:
            return turn.forbids_showing(self)
        return gaps.forbids_bridge(self, action)

    def apply(self, action: i64) -> None:
        if action < PAY_CARD:
            movement.apply_card(self, action)
        elif action < BUY:
            gaps.apply_payment(self, action)
        elif action < BRIDGE:
            turn.apply_buying(self, action)
        elif action == SHOW:
            turn.apply_showing(self)
        elif action < TILE:
            gaps.apply_bridge(self, action)
        elif action >= CARD:
            drawing.apply_drawn(self, action - CARD)
        elif self.phase == LAYING:
            setup.apply_laid(self, action - TILE)
        else:
            tiles.apply_uncovered(self, action - TILE)

    def lose_card(self, seat: i64, kind: i64) -> None:
        """A card leaves a hand openly: one fewer that all know of, if they knew of any."""
        self.hand[seat * NUM_KINDS + kind] -= 1
        if self.known[seat * NUM_KINDS + kind] > 0:
            self.known[seat * NUM_KINDS + kind] -= 1

    # --- chance -----------------------------------------------------------------------------------------------

    def chances(self) -> list[tuple[int, int]]:
        if self.actor != CHANCE:
            return []
        if self.phase != LAYING and self.phase != UNCOVERING:
            return [(int(CARD + kind), int(self.deck[kind])) for kind in range(NUM_KINDS) if self.deck[kind] > 0]
        start = tiles.back_of(self.spot) * TILES_A_BACK
        unseen = [t for t in range(start, start + TILES_A_BACK) if self.tile_at[t] == UNSEEN]
        return [(int(TILE + TILE_FACE[t]), 1) for t in unseen]

    def draw(self, rng: Rng) -> i64:
        if self.phase != LAYING and self.phase != UNCOVERING:
            left = rng.below(drawing.total(self.deck))
            kind: i64 = 0
            while left >= self.deck[kind]:
                left -= self.deck[kind]
                kind += 1
            return CARD + kind
        start = tiles.back_of(self.spot) * TILES_A_BACK
        unseen: i64 = 0
        for tile in range(start, start + TILES_A_BACK):
            if self.tile_at[tile] == UNSEEN:
                unseen += 1
        nth = rng.below(unseen)
        at = start
        while self.tile_at[at] != UNSEEN or nth > 0:
            if self.tile_at[at] == UNSEEN:
                nth -= 1
            at += 1
        return TILE + TILE_FACE[at]

    # --- the rest of the contract -----------------------------------------------------------------------------

    def scores(self) -> list[int]:
        return [ending.score(self, seat) for seat in range(self.players)]

    def ranking(self) -> list[Rank]:
        return rank([[points] for points in self.scores()], ["points"])

    def evaluate(self, seat: i64) -> i64:
        return judgement.evaluate(self, seat)

    def prospects(self, out: Buf) -> None:
        judgement.prospects(self, out)

    def spread(self) -> i64:
        return judgement.spread(self)

    def features(self, seat: i64, sheet: Sheet) -> None:
        features.encode(self, seat, sheet)

    def turn_mark(self) -> i64:
        return self.seat

    def view(self, seat: int | None) -> View:
        return words.view(self, seat)

    def own_view(self, seat: int | None) -> Own:
        return words.own_view(self, seat)

    def resample(self, seat: int | None, rng: Rng) -> State:
        return knowledge.resample(self, seat, rng)

    def describe(self, action: int) -> Choice | Outcome:
        return words.describe(self, action)

    def notation(self, action: int) -> str:
        return notation.text(action)

    def parse(self, text: str) -> int:
        return notation.parse(text)

    def masked(self, action: int) -> str:
        return "?" if action >= CARD else notation.text(action)

    def secret(self, action: int) -> int:
        return int(1 + self.seat) if action >= CARD else 0

    def may_read(self, seat: int | None, secret: int) -> bool:
        return secret == 0 or self.actor == OVER or (seat is not None and secret == 1 + seat)

    def loses(self, action: int) -> list[str]:
        return words.loses(action)

    def forbids_touch(self, piece: str, place: str) -> str | None:
        return preview.forbids_touch(self, piece, place)

    def preview(self, seat: int) -> Preview:
        return preview.preview(self, seat)
