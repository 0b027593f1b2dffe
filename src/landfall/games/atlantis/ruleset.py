"""Atlantis as the registry knows it: its static facts, and the doors to its positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from landfall.core.game import Game, Reader
from landfall.core.state import State
from landfall.core.vectors import buf
from landfall.games.atlantis import invariants, tiles
from landfall.games.atlantis.actions import NUM_ACTIONS, NUM_OUTCOMES
from landfall.games.atlantis.board import MAINLAND, POSITIONS
from landfall.games.atlantis.components import (
    CARDS_A_KIND,
    COLOURS,
    FIGURES,
    HELD,
    MOST_PLAYERS,
    NUM_CARDS,
    NUM_KINDS,
    NUM_TILES,
)
from landfall.games.atlantis.phases import DONE
from landfall.games.atlantis.state import AtlantisState

if TYPE_CHECKING:
    from landfall.core.messages import View
    from landfall.games.atlantis import messages


class Atlantis(Game):
    """Two to four players; the rulebook has no variants, so there are no options."""

    def __init__(self) -> None:
        super().__init__("atlantis", 1, (2, 3, 4), COLOURS, NUM_ACTIONS, NUM_OUTCOMES, [], "AT")
        self.fresh = [AtlantisState(players, None) for players in (2, 3, 4)]  # copying one is quicker than making it

    def start(self, players: int, options: dict[str, object]) -> State:
        return self.fresh[players - 2].copy()

    def load(self, reader: Reader) -> State:
        s = AtlantisState(reader.one(2, MOST_PLAYERS), None)
        s.actor = reader.one(-2, int(s.players) - 1)
        s.phase = reader.one(0, DONE)
        s.seat = reader.one(0, int(s.players) - 1)
        s.mover = reader.one(-1, FIGURES - 1)
        s.origin = reader.one(-1, POSITIONS - 1)
        s.bill = reader.one(0, 7 * POSITIONS)
        s.paid = reader.one(0, 7 * POSITIONS)
        s.to_draw = reader.one(0, 3 + MOST_PLAYERS)
        s.bought_count = reader.one(0, 3)
        s.laid = reader.one(0, 1)
        s.idle = reader.one(0, int(s.players))
        s.spot = reader.one(-1, POSITIONS - 1)
        s.tile_at = buf(reader.many(NUM_TILES, 0, HELD + int(s.players) - 1))
        s.top = buf(reader.many(POSITIONS, -1, NUM_TILES - 1))
        s.below = buf(reader.many(POSITIONS, 0, 1))
        s.bridge = buf(reader.many(POSITIONS, 0, 1))
        s.figure_at = buf(reader.many(MOST_PLAYERS * FIGURES, -1, MAINLAND))
        s.hand = buf(reader.many(MOST_PLAYERS * NUM_KINDS, 0, CARDS_A_KIND))
        s.known = buf(reader.many(MOST_PLAYERS * NUM_KINDS, 0, CARDS_A_KIND))
        s.drawn = buf(reader.many(MOST_PLAYERS * NUM_KINDS, 0, NUM_CARDS))
        s.bought = buf(reader.many(NUM_KINDS, 0, 3))
        s.played = buf(reader.many(NUM_KINDS, 0, CARDS_A_KIND))
        s.deck = buf(reader.many(NUM_KINDS, 0, CARDS_A_KIND))
        s.discard = buf(reader.many(NUM_KINDS, 0, CARDS_A_KIND))
        s.out_cards = buf(reader.many(NUM_KINDS, 0, CARDS_A_KIND))
        s.shuffled = buf(reader.many(NUM_KINDS, 0, CARDS_A_KIND))
        s.holds_bridge = buf(reader.many(MOST_PLAYERS, 0, 1))
        reader.end()
        tiles.rebuild(s)
        problems = invariants.check(s)
        if problems:
            raise ValueError(problems[0])
        return s

    def draw(self, view: View, language: str) -> str:
        from landfall.games.atlantis.terminal import draw

        return draw(cast("messages.View", view), language)

    def check(self, state: State) -> list[str]:
        assert isinstance(state, AtlantisState)
        return invariants.check(state)


GAME = Atlantis()
