"""Stones: take one, two or three; who takes the last stone wins. The ids name the rules below."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, cast

from landfall.core.declared_fields import DeclaredField, number_field, number_per_seat_field
from landfall.core.errors import NotationError
from landfall.core.game_from_declared_fields import DeclaredGame, DeclaredState
from landfall.core.state import OVER

if TYPE_CHECKING:
    from landfall.core.message_types import View
    from landfall.core.state import ActionList, State

STONES: Final = 21
MOST: Final = 3  # stones to take at once (ST.T1)

RULES: Final = """
# Stones

## A turn
- **ST.T1** Take one, two or three stones.
- **ST.T2** Take no more stones than there are.

## The end
- **ST.E1** Who takes the last stone wins.
"""

TEXTS: Final = {
    "en": {
        "game.title": "Stones",
        "game.by": "you",
        "game.about": "Take one, two or three stones. Who takes the last one wins.",
        "ask.turn": "Take stones.",
        "wait.turn": "{who:seat} takes stones.",
        "ask.over": "The game is over.",
        "act.take": "Take {stones, plural, one {# stone} other {# stones}}",
        "event.took": "{seat:seat} takes {stones, plural, one {# stone} other {# stones}}.",
        "why.ST.T2": "There are not so many stones.",
        "term.points": "points",
    }
}


class StonesState(DeclaredState):
    """A position with its rules. Actions are numbers from 0 on: here, to take one stone, two or three."""

    FIELDS: ClassVar[tuple[DeclaredField, ...]] = (
        number_field("stones", STONES, 0, STONES),
        number_per_seat_field("points", 0, 0, 1),
    )
    stones: int
    points: list[int]

    def __init__(self, players: int) -> None:
        super().__init__(players)
        self.actor = 0  # who begins; CHANCE, where chance decides first

    # --- rules ---

    def num_actions(self) -> int:
        return MOST

    def fill_legal(self, actions: ActionList) -> None:
        for action in range(MOST):
            if not self.forbidden_by(action):
                actions.add(action)

    def forbidden_by(self, action: int) -> str:
        return "ST.T2" if action >= self.stones else ""

    def apply(self, action: int) -> None:
        self.stones -= action + 1
        self.record_event({"kind": "took", "seat": int(self.actor), "stones": action + 1}, {}, 0)
        if self.stones:
            self.actor = (int(self.actor) + 1) % int(self.players)
        else:
            self.points[int(self.actor)] = 1  # ST.E1
            self.actor = OVER

    def scores(self) -> list[int]:
        return self.points[:]

    # --- in words: 1, 2 or 3 ---

    def action_to_dict(self, action: int) -> dict[str, object]:
        return {"verb": "take", "stones": action + 1}

    def notation(self, action: int, masked: bool = False) -> str:
        return str(action + 1)

    def parse(self, text: str) -> int:
        if text.strip() not in ("1", "2", "3"):
            raise NotationError(text, "1, 2 or 3")
        return int(text) - 1

    # --- what players see besides the fields ---

    def view(self, seat: int | None, previous: tuple[State, View] | None = None) -> View:
        shown = super().view(seat, previous)
        shown["scores"] = self.points[:]
        shown["picture"] = draw(self.stones)
        return shown

    # --- for bots ---

    def evaluate(self, seat: int) -> int:
        """Right after a choice: who leaves a multiple of four wins against one opponent."""
        return 1000 * self.points[seat] + int(self.stones % (MOST + 1) == 0)


def draw(stones: int) -> str:
    """The stones as an SVG image, seven in a row."""
    circles = "".join(
        f'<circle cx="{60 + 80 * (i % 7)}" cy="{60 + 80 * (i // 7)}" r="30" fill="#8fa3ad"/>' for i in range(stones)
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 280">{circles}</svg>'


class StonesGame(DeclaredGame):
    """Two to four players, no options."""

    state_class = StonesState

    def __init__(self) -> None:
        super().__init__("stones", 1, (2, 3, 4), ("red", "blue", "green", "yellow"), MOST, 0, [], "ST")
        self.hides = False  # every seat sees everything

    def find_faults(self, state: State) -> list[str]:
        """What cannot be, besides the bounds: invalid bytes and position strings are refused."""
        stones = cast("StonesState", state)
        over = state.actor == OVER
        wrong = "the game is over while there are stones" if over == bool(stones.stones) else ""
        wrong = wrong or ("there is not one winner" if sum(stones.points) != over else "")
        return [*super().find_faults(state), *([wrong] if wrong else [])]


GAME = StonesGame()
