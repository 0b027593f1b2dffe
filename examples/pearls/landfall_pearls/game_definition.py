"""Pearls: one rope for all, and whoever reaches the right depth brings up pearls. The ids name rules of rules/en.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from landfall.core.declared_fields import (
    NOBODY,
    OWNER,
    category_field,
    list_field,
    list_per_seat_field,
    number_field,
    number_per_seat_field,
    seat_reference_field,
)
from landfall.core.errors import NotationError
from landfall.core.game_from_declared_fields import DeclaredGame, DeclaredState
from landfall.core.options import Option
from landfall.core.ranking import group_seats_by_rank
from landfall.core.state import CHANCE, OVER, require_seat
from landfall.core.text_catalogue import translate
from landfall_pearls import picture

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf
    from landfall.core.message_types import Rank, View
    from landfall.core.rng import Rng
    from landfall.core.state import ActionList, State

COLOURS: Final = ("red", "yellow", "green", "blue")
VALUES: Final = 4  # cards are worth 1 to 4 fathoms (PL.S1)
CARDS_A_VALUE: Final = 6
NUM_CARDS: Final = VALUES * CARDS_A_VALUE
HAND: Final = 3  # cards dealt to each (PL.S2)
DEEPEST: Final = 9  # fathoms (PL.D2)
DRIFTS: Final = 3  # a storm leaves the rope at 0, 1 or 2 (PL.O1)

# Actions, then chance outcomes: the first of each kind, + value - 1 or + depth.
DIVE, SURFACE, DRAWN, DRIFT = 0, VALUES, 2 * VALUES, 3 * VALUES
VERBS: Final = ((DRIFT, "drift"), (DRAWN, "draw"), (SURFACE, "surface"), (DIVE, "dive"))
NOTATION: Final = [f"{sign}{n}" for sign in "du+" for n in range(1, VALUES + 1)] + [f"s{n}" for n in range(DRIFTS)]

DEALING, TURN, DRIFTING, DRAWING, DONE = range(5)  # phases


class Pearls(DeclaredState):
    """A position with its rules."""

    FIELDS = (
        category_field("storm", 0, 1),  # the option
        category_field("phase", DEALING, DONE),
        seat_reference_field("turn", 0),  # whose turn it is
        number_field("depth", 0, 0, DEEPEST),  # of the rope, in fathoms
        list_per_seat_field("hand", VALUES, 0, 0, CARDS_A_VALUE, OWNER, total_visible=True),  # by seat and value
        list_field("deck", VALUES, CARDS_A_VALUE, 0, CARDS_A_VALUE, NOBODY, total_visible=True),
        number_per_seat_field("pearls", 0, 0, NUM_CARDS * DEEPEST),
    )
    PHASES = ("dealing", "turn", "drifting", "drawing", "done")
    storm: int
    phase: int
    turn: int
    depth: int
    hand: list[int]
    deck: list[int]
    pearls: list[int]

    def held(self, seat: int) -> list[int]:
        """How many cards of each value a seat holds."""
        return self.hand[seat * VALUES : (seat + 1) * VALUES]

    # --- rules ---

    def num_actions(self) -> int:
        return DRAWN

    def fill_legal(self, actions: ActionList) -> None:
        for action in range(DRAWN):
            if not self.forbidden_by(action):
                actions.add(action)

    def forbidden_by(self, action: int) -> str:
        value = action % VALUES + 1
        if not self.held(self.turn)[value - 1]:
            return "PL.T1"  # only cards in hand
        if action < SURFACE and self.depth + value > DEEPEST:
            return "PL.D2"  # the rope has an end
        if action >= SURFACE and self.depth == 0:
            return "PL.U2"  # at the surface nobody can come up
        return ""

    def chance_outcomes(self) -> list[tuple[int, int]]:
        if self.actor != CHANCE:
            return []
        if self.phase == DRIFTING:
            return [(DRIFT + depth, 1) for depth in range(DRIFTS)]  # PL.O1
        return [(DRAWN + value, n) for value, n in enumerate(self.deck) if n]

    def apply(self, action: int) -> None:
        if action >= DRIFT:
            self.depth = action - DRIFT
            self.record_event({"kind": "drifted", "depth": self.depth}, {}, 0)
            self.begin_drawing()
        elif action >= DRAWN:
            self.draw(action - DRAWN)
        else:
            self.hand[self.turn * VALUES + action % VALUES] -= 1
            if action >= SURFACE:
                self.surface(action - SURFACE + 1)
            else:
                self.dive(action + 1)

    def dive(self, card: int) -> None:
        """PL.D1: the rope goes down by the card. PL.D3: the player takes the pearls there."""
        self.depth += card
        found = picture.pearls_at(self.depth)
        self.pearls[self.turn] += found
        words: dict[str, object] = {"seat": self.turn, "card": card, "depth": self.depth}
        self.record_event({"kind": "pearls", **words, "pearls": found} if found else {"kind": "dived", **words}, {}, 0)
        self.begin_drawing()

    def surface(self, card: int) -> None:
        """PL.U1: a card is discarded, the rope comes up. PL.O1: in a storm it drifts."""
        self.depth = 0
        self.record_event({"kind": "surfaced", "seat": self.turn, "card": card}, {}, 0)
        if self.storm:
            self.phase, self.actor = DRIFTING, CHANCE
        else:
            self.begin_drawing()

    def begin_drawing(self) -> None:
        """PL.T2: a turn ends with drawing a card, while there are any."""
        if any(self.deck):
            self.phase, self.actor = DRAWING, CHANCE
        else:
            self.begin_next_turn()

    def seat_that_draws(self) -> int:
        """In dealing each in turn (PL.S2), otherwise the one who has just played."""
        return sum(self.hand) % int(self.players) if self.phase == DEALING else self.turn

    def draw(self, value: int) -> None:
        seat = self.seat_that_draws()
        self.deck[value] -= 1
        self.hand[seat * VALUES + value] += 1
        self.record_event({"kind": "drew", "seat": seat}, {"card": value + 1}, seat + 1)
        if self.phase == DRAWING:
            self.begin_next_turn()
        elif sum(self.hand) == HAND * self.players:
            self.phase, self.actor = TURN, self.turn

    def begin_next_turn(self) -> None:
        """PL.E1: the next player with a card; if there is none, the game is over."""
        for step in range(1, int(self.players) + 1):
            seat = (self.turn + step) % int(self.players)
            if any(self.held(seat)):
                self.turn, self.phase, self.actor = seat, TURN, seat
                return
        self.phase, self.actor = DONE, OVER

    def scores(self) -> list[int]:
        return self.pearls[:]

    def ranking(self) -> list[Rank]:
        """PL.E2: most pearls wins; ties share the place."""
        return group_seats_by_rank([[points] for points in self.pearls], ["pearls"])

    # --- who may know what: hands are secret (PL.S3); the code of a secret is the seat that may read it, plus one ---

    def secret_code(self, action: int) -> int:
        return self.seat_that_draws() + 1 if DRAWN <= action < DRIFT else 0

    def can_read(self, seat: int | None, secret: int) -> bool:
        return self.actor == OVER or secret == 0 or (seat is not None and secret == seat + 1)

    def resample(self, seat: int | None, rng: Rng) -> Pearls:
        """Shuffle the deck and all other hands together, and deal as many cards again."""
        require_seat(self, seat)
        twin = self.copy()
        others = [other for other in range(int(self.players)) if other != seat and self.actor != OVER]
        for other in others:
            for value, n in enumerate(self.held(other)):
                twin.deck[value] += n
                twin.hand[other * VALUES + value] = 0
        for other in others:
            for _ in range(sum(self.held(other))):
                cards = [value for value, n in enumerate(twin.deck) for _ in range(n)]
                value = cards[int(rng.randbelow(len(cards)))]
                twin.deck[value] -= 1
                twin.hand[other * VALUES + value] += 1
        return twin

    def view(self, seat: int | None, previous: tuple[State, View] | None = None) -> View:
        return cast("View", picture.add_to_view(super().view(seat, previous), seat))

    # --- in words: d3 dives by 3, u1 comes up for a 1, +2 draws a 2, s0 drifts to 0 ---

    def action_to_dict(self, action: int) -> dict[str, object]:
        first, verb = next(kind for kind in VERBS if action >= kind[0])
        number = action - first
        return {"verb": verb, "depth": number} if verb == "drift" else {"verb": verb, "card": number + 1}

    def notation(self, action: int, masked: bool = False) -> str:
        return "+?" if masked and self.secret_code(action) else NOTATION[action]

    def parse(self, text: str) -> int:
        if text.strip().lower() not in NOTATION:
            raise NotationError(text, "d, u, + or s and a number, as d3")
        return NOTATION.index(text.strip().lower())

    # --- for bots ---

    def evaluate(self, seat: int) -> int:
        """Own pearls minus the best opponent's, minus what the next player may find from here."""
        others = [self.pearls[other] for other in range(int(self.players)) if other != seat]
        reach = [self.depth + value for value in range(1, VALUES + 1) if self.depth + value <= DEEPEST]
        return 1000 * (self.pearls[seat] - max(others)) - 1000 * sum(map(picture.pearls_at, reach)) // VALUES

    def fill_expected_scores(self, out: Buf) -> None:
        for seat in range(int(self.players)):
            out[seat] = 1000 * self.pearls[seat]

    def win_probability_score_scale(self) -> int:
        return 2000

    def turn_key(self) -> int:
        """The number of cards played or discarded."""
        return NUM_CARDS - sum(self.hand) - sum(self.deck)


class PearlsGame(DeclaredGame):
    """Two to four players, one option."""

    state_class = Pearls

    def __init__(self) -> None:
        options = [Option("storm", "PL.O1")]
        super().__init__("pearls", 1, (2, 3, 4), COLOURS, DRAWN, VALUES + DRIFTS, options, "PL")

    def render_terminal(self, view: View, language: str) -> str:
        """The rope from the surface down, then each seat."""
        shown: Any = view
        lines = [f"{'~' * 22}  {translate(language, 'draw.deck', {'cards': shown['deck_total']}, 'pearls')}"]
        for depth in range(DEEPEST + 1):
            sign = "[bold]O[/bold]" if depth == shown["depth"] else "|" if depth < shown["depth"] else " "
            lines.append(f"{depth:3}  {sign}  [cyan]{'o' * picture.pearls_at(depth)}[/cyan]".rstrip())
        for seat, colour in enumerate(COLOURS[: view["players"]]):
            turn = "[bold]>[/bold]" if seat == shown["turn"] and view["actor"] != OVER else " "
            name = translate(language, f"colour.{colour}", game="pearls")
            cards = translate(language, "draw.cards", {"cards": shown["hand_total"][seat]}, "pearls")
            lines.append(f"{turn} [{colour}]{name}[/]: {shown['pearls'][seat]} o, {cards}")
        if shown["cards"]:
            lines.append(translate(language, "draw.hand", {"cards": shown["cards"]}, "pearls"))
        return "\n".join(lines)

    def find_faults(self, state: State) -> list[str]:
        """What cannot be, besides the bounds: invalid bytes and position strings are refused."""
        assert isinstance(state, Pearls)
        hands = [sum(state.held(seat)) for seat in range(int(state.players))]
        dealt, phase = sum(hands), state.phase
        counts = [state.deck[value] + sum(state.hand[value::VALUES]) for value in range(VALUES)]
        dealing = [(dealt + int(state.players) - 1 - seat) // int(state.players) for seat in range(len(hands))]
        rules = {
            "there are too many cards of a value": max(counts) > CARDS_A_VALUE,
            "the actor does not go with the phase": state.actor != {TURN: state.turn, DONE: OVER}.get(phase, CHANCE),
            "a hand is too large": max(hands) > HAND,
            "nobody has the turn": state.turn < 0,
            "cards are not dealt in turn": phase == DEALING
            and (
                hands != dealing
                or dealt >= HAND * len(hands)
                or state.turn_key()
                or state.turn
                or state.depth
                or any(state.pearls)
            ),
            "who is to choose has no card": phase == TURN and not hands[state.turn],
            "there is nothing to draw": phase == DRAWING and not any(state.deck),
            "there is no storm": phase == DRIFTING and (not state.storm or state.depth > 0),
            "it is over while there are cards": phase == DONE and (dealt > 0 or any(state.deck)),
        }
        return [*super().find_faults(state), *(sentence for sentence, broken in rules.items() if broken)]


GAME = PearlsGame()
