"""Plans: a bot's next choices in one sentence, beginning with its choice, and nothing that its seat cannot know."""

import pytest

import landfall
from landfall.bots.contract import Seat
from landfall.bots.plan_sentence import notation_of_foreseeable_choices, notation_of_line, plan_sentence
from landfall.bots.registry import make_bot
from landfall.core.declared_fields import NOBODY, list_field, number_field
from landfall.core.game_from_declared_fields import DeclaredGame, DeclaredState
from landfall.core.languages import LANGUAGES
from landfall.core.rng import Rng
from landfall.core.state import State
from landfall.game_checks.option_combinations import LEARNED
from landfall.game_checks.position_checks import random_game_positions
from landfall.tables.bots.bot_pool import BotRequest
from landfall.tables.teaching.hints import find_plan_reason

pytestmark = pytest.mark.compiled_only
CODES = ("mcts:iters=300", "marlin", "net", "netsearch:worlds=1", "nettree:iters=60", "kraken:ms=20")
STEPS = [(0, "a"), (0, "b"), (1, "c"), (2, "d"), (0, "e"), (1, "f")]
COLOURS = ("red", "blue", "green")


def decisions(name: str, count: int) -> list[State]:
    """Some decisions with several choices, after the set-up."""
    found = [
        s.copy()
        for s in random_game_positions(landfall.game(name).new(2), Rng(5))
        if s.actor >= 0 and len(s.legal_actions()) > 2 and not s.is_setup()
    ]
    return found[:: max(1, len(found) // count)][:count]


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("name", LEARNED)
def test_a_plan_begins_with_the_choice_and_is_legal(name: str, code: str) -> None:
    longer = 0
    for state in decisions(name, 8):
        seat, player = int(state.actor), make_bot(code)
        chosen = player.choose(Seat.from_state(state, name, Rng(1)))
        line = player.expected_line(seat)
        assert not line or line[0] == (seat, chosen)
        steps = notation_of_line(state, line)
        assert not steps or steps[0] == (seat, state.notation(chosen))
        sentence = plan_sentence("en", seat, steps, landfall.game(name).colours)
        assert (len(steps) > 1) == bool(sentence)
        longer += len(steps) > 1
        assert state.notation(chosen) in sentence or not sentence
    assert longer > 0 or (name, code) in {("survive", "net"), ("survive", "nettree:iters=60"), ("atlandice", "net")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_plan_is_one_sentence_in_every_language(language: str) -> None:
    assert plan_sentence(language, 0, STEPS[:1], COLOURS) == ""
    sentences = [plan_sentence(language, 0, STEPS[:n], COLOURS) for n in (2, 4, 6)]
    for sentence in sentences:
        assert sentence[-1] in ".。"
        assert sum(sentence.count(stop) for stop in ".。") == 1
        assert "{" not in sentence
    assert all(word in sentences[2] for word in ("a", "b", "c", "d", "e"))
    assert " f" not in sentences[2]


@pytest.mark.parametrize("name", LEARNED)
def test_the_plan_of_a_hint_names_nothing_that_the_seat_cannot_know(name: str) -> None:
    rng, planned = Rng(3), 0
    for state in decisions(name, 25):
        seat = int(state.actor)
        other = state.resample(seat, rng)
        for action in state.legal_actions()[:2]:
            plans = [
                find_plan_reason(BotRequest(name, s.to_bytes(), seat, "marlin", 7, 0.1), action) for s in (state, other)
            ]
            assert plans[0] == plans[1]
            planned += bool(plans[0])
    assert planned > 0


class Flips(DeclaredState):
    """A deck of two secret cards; a player turns over one after the other."""

    FIELDS = (list_field("deck", 2, 3, 0, 9, NOBODY), number_field("open", 0, 0, 9), number_field("count", 0, 0, 2))
    deck: list[int]
    open: int
    count: int

    def num_actions(self) -> int:
        return 2

    def forbidden_by(self, action: int) -> str:
        return "" if self.count < 2 else "FL.1"

    def apply(self, action: int) -> None:
        self.open, self.count = self.deck[self.count], self.count + 1

    def notation(self, action: int, masked: bool = False) -> str:
        return "flip"

    def resample(self, seat: int | None, rng: Rng) -> "Flips":
        twin = self.copy()
        twin.deck = [9 - n for n in self.deck]
        return twin


class FlipGame(DeclaredGame):
    state_class = Flips

    def __init__(self) -> None:
        super().__init__("flips", 1, (2,), ("red", "blue"), 2, 0, [], "FL")


def test_a_plan_ends_where_something_is_turned_over() -> None:
    state = FlipGame().new(2)
    state.actor = 0
    assert notation_of_foreseeable_choices(state, 0, [0, 0]) == ["flip"]  # what comes after it is not known before
    assert isinstance(state, Flips)
    state.deck = [4, 4]
    state.resample = lambda seat, rng: state.copy()  # type: ignore[method-assign]
    assert notation_of_foreseeable_choices(state, 0, [0, 0]) == ["flip", "flip"]
    assert notation_of_foreseeable_choices(state, 1, [0]) == []
