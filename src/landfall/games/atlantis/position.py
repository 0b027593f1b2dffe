"""A position of Atlantis: its fields, their copy, their bytes. Everything else stands on this."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.state import State
from landfall.core.vectors import buf, filled
from landfall.games.atlantis.board import ATLANTIS, MAINLAND, POSITIONS, ROW, STATIONS
from landfall.games.atlantis.components import (
    CARDS_A_KIND,
    FIGURES,
    HELD,
    MOST_PLAYERS,
    NUM_CARDS,
    NUM_KINDS,
    NUM_TILES,
    NUM_VALUES,
    UNSEEN,
)
from landfall.games.atlantis.phases import DONE, LAYING

if TYPE_CHECKING:
    from landfall.core.game import Reader
    from landfall.core.vectors import Buf


class AtlantisPosition(State):
    """See `board` for positions, `components` for tiles, `phases` for the moments of a turn."""

    def __init__(self, players: i64, like: AtlantisPosition | None) -> None:
        super().__init__(players)
        if like is None:
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
            self.actor = like.actor
            self.phase = like.phase
            self.seat = like.seat
            self.mover = like.mover
            self.origin = like.origin
            self.bill = like.bill
            self.paid = like.paid
            self.to_draw = like.to_draw
            self.bought_count = like.bought_count
            self.laid = like.laid
            self.idle = like.idle
            self.spot = like.spot
            self.first = like.first
            self.last = like.last
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

    def copy(self) -> AtlantisPosition:
        """An independent copy of the fields; a state's own copy plays."""
        return AtlantisPosition(self.players, self)

    def scalars(self) -> list[int]:
        numbers = [self.phase, self.seat, self.mover, self.origin, self.bill, self.paid, self.to_draw]
        numbers += [self.bought_count, self.laid, self.idle, self.spot]
        return [int(n) for n in numbers]

    def vectors(self) -> list[Buf]:
        path = [self.tile_at, self.top, self.below, self.bridge, self.figure_at]
        cards = [self.hand, self.known, self.drawn, self.bought, self.played]
        return path + cards + [self.deck, self.discard, self.out_cards, self.shuffled, self.holds_bridge]

    def load(self, reader: Reader) -> None:
        """The same numbers, read back and held to their bounds."""
        self.phase = reader.one(0, DONE)
        self.seat = reader.one(0, int(self.players) - 1)
        self.mover = reader.one(-1, FIGURES - 1)
        self.origin = reader.one(ATLANTIS, POSITIONS - 1)
        self.bill = reader.one(0, NUM_VALUES * POSITIONS)
        self.paid = reader.one(0, NUM_VALUES * POSITIONS)
        self.to_draw = reader.one(0, 3 + MOST_PLAYERS)
        self.bought_count = reader.one(0, 3)
        self.laid = reader.one(0, 1)
        self.idle = reader.one(0, int(self.players))
        self.spot = reader.one(-1, POSITIONS - 1)
        self.tile_at = buf(reader.many(NUM_TILES, 0, HELD + int(self.players) - 1))
        self.top = buf(reader.many(POSITIONS, -1, NUM_TILES - 1))
        self.below = buf(reader.many(POSITIONS, 0, 1))
        self.bridge = buf(reader.many(POSITIONS, 0, 1))
        self.figure_at = buf(reader.many(MOST_PLAYERS * FIGURES, ATLANTIS, MAINLAND))
        self.hand = buf(reader.many(MOST_PLAYERS * NUM_KINDS, 0, CARDS_A_KIND))
        self.known = buf(reader.many(MOST_PLAYERS * NUM_KINDS, 0, CARDS_A_KIND))
        self.drawn = buf(reader.many(MOST_PLAYERS * NUM_KINDS, 0, NUM_CARDS))
        self.bought = buf(reader.many(NUM_KINDS, 0, 3))
        self.played = buf(reader.many(NUM_KINDS, 0, CARDS_A_KIND))
        self.deck = buf(reader.many(NUM_KINDS, 0, CARDS_A_KIND))
        self.discard = buf(reader.many(NUM_KINDS, 0, CARDS_A_KIND))
        self.out_cards = buf(reader.many(NUM_KINDS, 0, CARDS_A_KIND))
        self.shuffled = buf(reader.many(NUM_KINDS, 0, CARDS_A_KIND))
        self.holds_bridge = buf(reader.many(MOST_PLAYERS, 0, 1))
