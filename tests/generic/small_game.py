"""Showdown, the smallest game with secrets that turns them over: `test_small_game.py` makes a package of it."""

from __future__ import annotations

from typing import ClassVar, Final

from landfall.core.declared_fields import (
    NOBODY,
    OWNER,
    DeclaredField,
    list_field,
    list_per_seat_field,
    number_field,
    number_per_seat_field,
)
from landfall.core.errors import NotationError
from landfall.core.game_from_declared_fields import DeclaredGame, DeclaredState
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, ActionList

CARDS: Final = 6  # of each number from 1 on there is one
ROUNDS: Final = 3
STAY: Final = 0
FOLD: Final = 1
DEALT: Final = 2  # and one more for each card
VERBS: Final = ("stay", "fold")


class Showdown(DeclaredState):
    """Each round everybody gets a secret card, stays or folds; then all cards are turned over and the best scores."""

    FIELDS: ClassVar[tuple[DeclaredField, ...]] = (
        number_field("round", 0, 0, ROUNDS),
        list_field("deck", CARDS, 1, 0, 1, NOBODY, total_visible=True),
        list_per_seat_field("card", 1, 0, 0, CARDS, OWNER),
        number_per_seat_field("stayed", 0, 0, 1),
        number_per_seat_field("shown", 0, 0, CARDS),
        number_per_seat_field("points", 0, -ROUNDS, ROUNDS),
    )
    round: int
    deck: list[int]
    card: list[int]
    stayed: list[int]
    shown: list[int]
    points: list[int]

    def num_actions(self) -> int:
        return len(VERBS)

    def fill_legal(self, actions: ActionList) -> None:
        actions.add(STAY)
        actions.add(FOLD)

    def forbidden_by(self, action: int) -> str:
        return ""

    def chance_outcomes(self) -> list[tuple[int, int]]:
        return [(DEALT + card, 1) for card, left in enumerate(self.deck) if left] if self.actor == CHANCE else []

    def apply(self, action: int) -> None:
        seat = int(self.actor)
        if action >= DEALT:
            seat = self.card.index(0)
            self.deck[action - DEALT] = 0
            self.card[seat] = action - DEALT + 1
            self.record_event({"kind": "dealt", "seat": seat}, {"card": self.card[seat]}, seat + 1)
            self.actor = CHANCE if 0 in self.card else 0
            return
        self.stayed[seat] = int(action == STAY)
        self.record_event({"kind": VERBS[action], "seat": seat}, {}, 0)
        self.actor = seat + 1
        if self.actor == self.players:
            self.turn_over()

    def turn_over(self) -> None:
        """All cards are turned over, and the next round begins: the reveal."""
        self.shown = self.card[:]
        self.record_event({"kind": "shown", "cards": self.shown[:]}, {}, 0)
        best = max(range(int(self.players)), key=lambda seat: self.card[seat])
        for seat in range(int(self.players)):
            self.points[seat] += self.stayed[seat] * (1 if seat == best else -1)
        self.round += 1
        self.deck, self.card, self.stayed = [1] * CARDS, [0] * int(self.players), [0] * int(self.players)
        self.actor = OVER if self.round == ROUNDS else CHANCE

    def scores(self) -> list[int]:
        return self.points[:]

    def secret_code(self, action: int) -> int:
        return self.card.index(0) + 1 if action >= DEALT and 0 in self.card else 0

    def can_read(self, seat: int | None, secret: int) -> bool:
        return self.actor == OVER or secret == 0 or (seat is not None and secret == seat + 1)

    def resample(self, seat: int | None, rng: Rng) -> Showdown:
        twin = self.copy()
        others = [other for other in range(int(self.players)) if other != seat and self.card[other]]
        for other in others:
            twin.deck[self.card[other] - 1] = 1
        for other in others:
            left = [card for card in range(CARDS) if twin.deck[card]]
            twin.card[other] = left[int(rng.randbelow(len(left)))] + 1
            twin.deck[twin.card[other] - 1] = 0
        return twin

    def action_to_dict(self, action: int) -> dict[str, object]:
        return {"verb": "deal", "card": action - DEALT + 1} if action >= DEALT else {"verb": VERBS[action]}

    def notation(self, action: int, masked: bool = False) -> str:
        if action >= DEALT:
            return "+?" if masked and self.secret_code(action) else f"+{action - DEALT + 1}"
        return VERBS[action]

    def parse(self, text: str) -> int:
        found = {self.notation(action): action for action in range(DEALT + CARDS)}
        if text not in found:
            raise NotationError(text, "stay or fold")
        return found[text]

    def evaluate(self, seat: int) -> int:
        mine = self.card[seat] if self.stayed[seat] else 0
        return 1000 * self.points[seat] + (mine - 3) * 100 * self.stayed[seat]


class ShowdownGame(DeclaredGame):
    state_class = Showdown

    def __init__(self) -> None:
        super().__init__("showdown", 1, (2, 3), ("red", "blue", "green"), len(VERBS), CARDS, [], "SH")


GAME = ShowdownGame()
