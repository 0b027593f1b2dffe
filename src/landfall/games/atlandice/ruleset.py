"""Atlandice as a game: its static facts, its one option, and the doors to its positions."""

from __future__ import annotations

from typing import Any, Final, cast

from landfall.core.game import Game, Reader
from landfall.core.options import OBJECT, Option
from landfall.core.state import OVER, State
from landfall.core.vectors import buf
from landfall.games.atlandice import invariants, setup, terminal
from landfall.games.atlandice.actions import NUM_ACTIONS, NUM_OUTCOMES, PHASES
from landfall.games.atlandice.board import REGIONS, SECTORS
from landfall.games.atlandice.clock import check, face_of, hands_of
from landfall.games.atlandice.components import (
    COLOURS,
    DONATION,
    FACE_DOWN,
    HOLDERS,
    MOST_SPACES,
    NO_ICON,
    RESOURCES,
    TAKEN,
    TILES,
    USED_UP,
)
from landfall.games.atlandice.state import AtlandiceState

MANY: Final = 1 << 20  # points and rounds never come near


class Atlandice(Game):
    """The rules of docs/rules/atlandice.md."""

    def __init__(self) -> None:
        options = [Option("clock", "AD.C4", kind=OBJECT, default=None, check=check)]
        super().__init__("atlandice", 1, (2, 3, 4), COLOURS, NUM_ACTIONS, NUM_OUTCOMES, options, "AD")
        self.search = (0.15, 1, 24, 1, 6, 0, 0, 0)

    def start(self, players: int, options: dict[str, object]) -> State:
        """All tiles face down, the first about to be turned up."""
        clock = cast("dict[str, Any] | None", options["clock"])
        s = AtlandiceState(players, face_of(clock), hands_of(clock))
        setup.lay_out(s)
        return s

    def load(self, reader: Reader) -> State:
        """A position from its numbers; what is impossible is refused."""
        players = reader.one(2, 4)
        actor = reader.one(OVER, players - 1)
        last = reader.one(1, MOST_SPACES)
        turn = [reader.one(0, PHASES - 1), reader.one(0, MANY), reader.one(0, players - 1), reader.one(0, 8)]
        turn += [reader.one(0, 9), reader.one(0, last), reader.one(0, SECTORS - 1)]
        visit = [reader.one(0, players - 1), reader.one(0, HOLDERS - 1), reader.one(0, SECTORS - 1)]
        visit += [reader.one(0, SECTORS * RESOURCES - 1), reader.one(0, REGIONS - 1), reader.one(0, players - 1)]
        face = reader.many(last + 1, NO_ICON, DONATION)
        if face[0] != NO_ICON or face[last] != NO_ICON:
            raise ValueError("an icon on the clock's first or last space")
        s = AtlandiceState(players, buf(face), buf(reader.many(TILES + 1, 1, MOST_SPACES)))
        s.actor = actor
        s.phase, s.round, s.first, s.visits, s.to_roll, s.hand, s.submarine = turn
        s.turn, s.holder, s.at, s.picked, s.reveal, s.donors = visit
        s.stock = buf(reader.many(HOLDERS * RESOURCES, 0, 12))
        s.points = buf(reader.many(HOLDERS, 0, MANY))
        s.taken = buf(reader.many(HOLDERS, 0, 3))
        s.gave = buf(reader.many(HOLDERS, 0, 1))
        s.tile_place = buf(reader.many(TILES, 0, TAKEN + HOLDERS - 1))
        s.top = buf(reader.many(REGIONS, USED_UP, FACE_DOWN))
        s.lying = buf(reader.many(SECTORS * RESOURCES, 0, 12))
        s.held = buf(reader.many(REGIONS, 0, 1))
        s.dice = buf(reader.many(SECTORS, 0, 9))
        reader.end()
        wrong = invariants.check(s)
        if wrong:
            raise ValueError(wrong[0])
        return s

    def draw(self, view: dict[str, object], language: str) -> str:
        return str(terminal.draw(view, language))

    def check(self, state: State) -> list[str]:
        return invariants.check(cast("AtlandiceState", state))


GAME: Final = Atlandice()
