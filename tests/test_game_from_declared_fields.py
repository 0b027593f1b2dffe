"""Games of declared fields: what is derived from them is complete, tells no secret, and is refused if it is wrong."""

import json
from collections.abc import Iterator
from typing import Any, ClassVar

import pytest

from landfall.bots.search.afterstate_rows import encode_row
from landfall.core.declared_fields import (
    NOBODY,
    OWNER,
    DeclaredField,
    category_field,
    digit_maxima,
    list_field,
    list_per_seat_field,
    number_field,
    number_per_seat_field,
    seat_reference_field,
)
from landfall.core.errors import PositionError, StateError
from landfall.core.feature_layout import RowBuffer
from landfall.core.game_from_declared_fields import DeclaredGame, DeclaredState
from landfall.core.match_batch import MatchBatch
from landfall.core.options import Option
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, SPECTATOR, ActionList
from landfall.match import Match

CARDS = 5


class Cards(DeclaredState):
    """Everybody draws two of five cards and plays them; the higher sum wins. A drawn card is its owner's secret."""

    FIELDS: ClassVar[tuple[DeclaredField, ...]] = (
        category_field("bold", 0, 1),
        seat_reference_field("last"),
        number_field("bank", 300, 0, 20_000),
        list_field("deck", CARDS, 1, 0, 1, NOBODY, total_visible=True),
        list_per_seat_field("hand", CARDS, 0, 0, 1, OWNER, total_visible=True),
        number_per_seat_field("points", 0, -9, 9),
    )
    bold: int
    last: int
    bank: int
    deck: list[int]
    hand: list[int]
    points: list[int]

    def num_actions(self) -> int:
        return CARDS

    def held(self, seat: int) -> list[int]:
        return self.hand[seat * CARDS : (seat + 1) * CARDS]

    def fill_legal(self, actions: ActionList) -> None:
        for card, n in enumerate(self.held(int(self.actor))):
            if n:
                actions.add(card)

    def forbidden_by(self, action: int) -> str:
        return "" if self.held(int(self.actor))[action] else "CA.1"

    def chance_outcomes(self) -> list[tuple[int, int]]:
        return [(CARDS + card, 1) for card, n in enumerate(self.deck) if n] if self.actor == CHANCE else []

    def apply(self, action: int) -> None:
        if action >= CARDS:
            seat = sum(self.hand) % int(self.players)
            self.deck[action - CARDS] -= 1
            self.hand[seat * CARDS + action - CARDS] += 1
            self.actor = 0 if sum(self.hand) == 2 * self.players else CHANCE
            return
        seat = int(self.actor)
        self.hand[seat * CARDS + action] -= 1
        self.points[seat] += action
        self.last, self.bank = seat, self.bank + 130
        self.actor = (seat + 1) % int(self.players) if any(self.hand) else OVER

    def scores(self) -> list[int]:
        return self.points[:]

    def resample(self, seat: int | None, rng: Rng) -> "Cards":
        """Shuffle the deck and the other hands together."""
        twin = self.copy()
        if self.actor == OVER:
            return twin
        for other in (other for other in range(int(self.players)) if other != seat):
            for card, n in enumerate(twin.held(other)):
                twin.deck[card] += n
                twin.hand[other * CARDS + card] = 0
        for other in (other for other in range(int(self.players)) if other != seat):
            free = [card for card, n in enumerate(twin.deck) if n]
            for card in sorted(free, key=lambda _: int(rng.randbelow(1000)))[: sum(self.held(other))]:
                twin.deck[card] -= 1
                twin.hand[other * CARDS + card] = 1
        return twin


class CardGame(DeclaredGame):
    state_class = Cards

    def __init__(self) -> None:
        super().__init__("cards", 3, (2,), ("red", "blue"), CARDS, CARDS, [Option("bold", "CA.2")], "CA")


GAME = CardGame()


def some_match(seed: int, **options: object) -> Iterator[Cards]:
    """The positions of a random match."""
    rng, state = Rng(seed), GAME.new(2, options)
    while True:
        assert isinstance(state, Cards)
        yield state
        if state.actor == OVER:
            return
        state.apply(state.sample_chance(rng) if state.actor == CHANCE else state.random_action(rng))


def observe(state: DeclaredState, seat: int) -> bytes:
    sheet = RowBuffer(GAME.observation_layout, 1)
    state.write_observation(seat, sheet)
    return sheet.copy_row_bytes(0)


def test_copies_bytes_and_strings_are_the_same_position() -> None:
    for bold in (False, True):
        for state in some_match(1, bold=bold):
            twins = [state.copy(), GAME.from_bytes(state.to_bytes()), GAME.from_text(state.to_text())]
            assert state.bold == int(bold)
            assert [twin.to_bytes() for twin in twins] == [state.to_bytes()] * 3
            before = state.to_text()
            assert isinstance(twins[0], Cards)
            twins[0].points[0] += 1
            assert state.to_text() == before


def test_a_string_for_a_seat_masks_what_it_may_not_see() -> None:
    state = GAME.from_text(
        "players=2 actor=1 bold=0 last=0 bank=300 deck=0,0,0,0,1 hand=1,0,0,0,0/0,1,1,0,0 points=3,0"
    )
    told = state.to_text(1)
    assert told == "players=2 actor=1 bold=0 last=0 bank=300 deck=?1 hand=?1/0,1,1,0,0 points=3,0"
    assert state.to_text(SPECTATOR).endswith("deck=?1 hand=?1/?2 points=3,0")
    view: Any = state.view(1)
    assert (view["hand"], view["hand_total"], view["deck_total"]) == ([None, [0, 1, 1, 0, 0]], [1, 2], 1)
    assert "deck" not in view
    assert view["points"] == [3, 0]


def test_two_worlds_that_a_seat_cannot_tell_apart_are_observed_alike_and_others_are_not() -> None:
    sheet, rng, differ = RowBuffer(GAME.feature_layout, 1), Rng(5), 0
    known: dict[bytes, str] = {}
    for seed in range(20):
        for state in some_match(seed):
            for seat in (0, 1):
                other = state.resample(seat, rng)
                differ += other.to_bytes() != state.to_bytes()
                assert observe(state, seat) == observe(other, seat)
                assert encode_row(state, seat, sheet) == encode_row(other, seat, sheet)
                assert state.to_text(seat) == other.to_text(seat)
                view = json.dumps(state.view(seat))
                assert known.setdefault(observe(state, seat), view) == view
    assert differ > 50
    assert len(known) > 50


def test_a_view_names_the_phase() -> None:
    asked = [state.view(None)["ask"] for state in some_match(1)]
    assert (asked[0], asked[4], asked[-1]) == ("ask.chance", "ask.turn", "ask.over")

    class Phased(Cards):
        FIELDS = (*Cards.FIELDS, category_field("phase", 1, 1))
        PHASES = ("dealing", "bidding")

    class PhasedGame(CardGame):
        state_class = Phased

    view = PhasedGame().new(2).view(0)
    assert (view["phase"], view["ask"]) == ("bidding", "ask.bidding")


def test_a_match_from_a_position_has_its_options() -> None:
    bold = GAME.new(2, {"bold": True}).to_text()
    assert Match.before_first_action(GAME, 2, {"bold": True}, [], Rng(1), bold).state.to_text() == bold
    with pytest.raises(PositionError, match="its options"):
        Match.before_first_action(GAME, 2, {}, [], Rng(1), bold)


def test_a_seat_sees_itself_first() -> None:
    state = GAME.from_text(
        "players=2 actor=1 bold=0 last=1 bank=300 deck=0,0,0,0,1 hand=1,0,0,0,0/0,1,1,0,0 points=3,-2"
    )
    assert isinstance(state, Cards)
    tensors, row_ = GAME.observation_layout, observe(state, 1)
    parts = {p.name: list(row_[tensors.first[p.name] : tensors.first[p.name] + p.length]) for p in tensors.parts}
    assert (parts["actor"], parts["last"], parts["observer"]) == ([0], [1], [1])
    assert parts["hand"] == [1, 2, 2, 1, 1, 0, 0, 0, 0, 0]  # 0: hidden; else one more than there are
    assert (parts["hand_total"], parts["points"]) == ([2, 1], [7, 12])
    assert parts["bank"][0] + 128 * parts["bank_digit1"][0] == 300
    fields = {field.name: at for at, field in GAME.feature_layout.fields_by_offset().items()}
    features = encode_row(state, 1, RowBuffer(GAME.feature_layout, 1))
    assert features[fields["players"]] == 2
    assert features[fields["seat0_points"]] == 7
    assert features[fields["seat1_points"]] == 12
    assert features[fields["seat0_hand_1"]] == 2


def test_at_the_end_all_is_open() -> None:
    *_, state = some_match(3)
    assert "?" not in state.to_text(SPECTATOR)
    ranking = state.view(None)["ranking"]
    assert ranking[0]["place"] == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("players=2", "the fields are players, actor, bold"),
        ("players=2 players=2", "once"),
        ("players=3 actor=0 bold=0 last=0 bank=0 deck=0,0,0,0,0 hand=0 points=0", "the players are 2"),
        ("players=2 actor=0 bold=0 last=0 bank=0 deck=0,0,0,0 hand=0 points=0", "5 numbers"),
        ("players=2 actor=0 bold=0 last=0 bank=x deck=0,0,0,0,0 hand=0 points=0", "1 numbers"),
        ("players=2 actor=5 bold=0 last=0 bank=0 deck=0,0,0,0,0 hand=0,0,0,0,0/0,0,0,0,0 points=0,0", "5 is no seat"),
        ("players=2 actor=0 bold=0 last=2 bank=0 deck=0,0,0,0,0 hand=0,0,0,0,0/0,0,0,0,0 points=0,0", "last is 2"),
        ("players=2 actor=0 bold=0 last=0 bank=0 deck=0,0,0,0,7 hand=0,0,0,0,0/0,0,0,0,0 points=0,0", "deck is 7"),
    ],
)
def test_a_wrong_string_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(PositionError, match=reason):
        GAME.from_text(text)


def test_wrong_bytes_are_refused() -> None:
    state = GAME.new(2)
    assert isinstance(state, Cards)
    state.bank = 20_001
    with pytest.raises(StateError, match="20001"):
        GAME.from_bytes(state.to_bytes())


def test_many_matches_at_once_are_observed() -> None:
    batch = MatchBatch(GAME.new(2), GAME.observation_layout, 3, 1)
    for _ in range(40):
        assert all(
            batch.sheet.copy_row_bytes(i) == observe(one, int(batch.actor[i]))
            for i, one in enumerate(batch.states)
            if isinstance(one, Cards)
        )
        batch.step([int(batch.drawn[i]) for i in range(3)])


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: number_field("x", 4, 0, 3),
        lambda: number_field("x", 0, 0, 0),
        lambda: list_field("x", 0, 0, 0, 1),
        lambda: list_field("x", 1, 0, 0, 1, OWNER),
        lambda: list_field("x", 1, 0, 0, 1, "friends"),
    ],
)
def test_a_wrong_declaration_is_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match="x: "):
        wrong()


def test_a_name_is_given_once() -> None:
    class Doubled(DeclaredState):
        FIELDS: ClassVar[tuple[DeclaredField, ...]] = (number_field("actor", 0, 0, 1),)

    class Twice(DeclaredGame):
        state_class = Doubled

        def __init__(self) -> None:
            super().__init__("twice", 1, (2,), ("red", "blue"), 1, 0, [], "TW")

    with pytest.raises(ValueError, match="same name"):
        _ = Twice().input_parts


def test_large_numbers_have_digits() -> None:
    assert digit_maxima(1) == [1]
    assert digit_maxima(127) == [127]
    assert digit_maxima(128) == [127, 1]
    assert digit_maxima(20_000) == [127, 127, 1]


def test_a_game_that_hides_something_must_say_how_it_is_resampled() -> None:
    class Careless(Cards):
        resample = DeclaredState.resample

    with pytest.raises(NotImplementedError, match="resample"):
        Careless(2).resample(0, Rng(1))
