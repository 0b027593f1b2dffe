"""What must hold in every position of every game, each as a function that raises AssertionError with the reason."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Final

from landfall.core.game import Game
from landfall.core.json_patch import apply_patch
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, State, list_choices_one_by_one
from landfall.game_checks.option_combinations import Combo
from landfall.games import game as find_game
from landfall.tables.protocol.projections import PublicView, project_public_view, project_view_patch

if TYPE_CHECKING:
    from landfall.core.message_types import PrivateView

MOST_DECISIONS: Final = 20_000  # of a random game, chance included


class NeverEnds(AssertionError):
    """A random game that goes on and on: whatever plays whole games would, too."""


def next_random_action(state: State, rng: Rng) -> int:
    """The next action of a random game."""
    return int(state.sample_chance(rng) if state.actor == CHANCE else state.random_action(rng))


def random_game_positions(state: State, rng: Rng, most: int | None = None) -> Iterator[State]:
    """A random game, position by position, the last one included; so many actions of it, or all: then it must end."""
    for _ in range(MOST_DECISIONS if most is None else most):
        yield state
        if state.actor == OVER:
            return
        state.apply(next_random_action(state, rng))
    if most is None:
        raise NeverEnds(f"a random game did not end within {MOST_DECISIONS} actions")
    yield state


@cache
def random_game_length(name: str) -> int:
    """How many actions a random game has, for the fewest players."""
    return sum(1 for _ in random_game_positions(find_game(name).new(find_game(name).player_counts[0]), Rng(1)))


def sampling_interval(name: str, usual: int) -> int:
    """One position in so many: the usual share, more of a short game."""
    return max(1, min(usual, random_game_length(name) // 12))


def check_invariants(game: Game, state: State) -> None:
    """The invariants hold, and what may happen next is well formed."""
    broken = game.find_faults(state)
    assert broken == [], f"find_faults says of a position that came about by the rules: {broken}"
    legal, chances = state.legal_actions(), state.chance_outcomes()
    if state.actor >= 0:
        assert state.actor < state.players, f"seat {state.actor} is to choose, and there are {state.players} seats"
        assert legal, "a seat must choose and has no choice"
        assert len(set(legal)) == len(legal), "a choice is listed twice"
        assert all(0 <= a < game.num_actions for a in legal), "a choice is out of range"
        assert chances == [], "chance_outcomes() is not empty though a seat chooses: it is empty unless actor is CHANCE"
        return
    assert legal == []
    if state.actor == CHANCE:
        last = game.num_actions + game.num_outcomes
        assert chances, "chance must act and has no outcome"
        assert len({outcome for outcome, _ in chances}) == len(chances), "an outcome is listed twice"
        assert all(game.num_actions <= outcome < last for outcome, _ in chances), "an outcome is out of range"
        assert all(weight > 0 for _, weight in chances), "an outcome without weight"
    else:
        assert state.actor == OVER, f"actor is {state.actor}: it is a seat, CHANCE or OVER"
        assert chances == [], "chance_outcomes() is not empty though the game is over"
        assert sorted(s for g in state.ranking() for s in g["seats"]) == list(range(state.players)), (
            "the ranking holds every seat once"
        )
        assert len(state.scores()) == state.players, "scores() has one entry for each seat"


def check_copies_independent(state: State, rng: Rng) -> None:
    """A copy and its original do not touch each other, and a copy records no events."""
    if state.actor == OVER:
        return
    before = state.to_bytes()
    twin, other = state.copy(), state.copy()
    assert twin.events is None, "copy() copies no events"
    assert twin.to_bytes() == before, "copy() leaves something out"
    action = next_random_action(twin, rng)
    twin.apply(action)
    assert state.to_bytes() == before, "playing on a copy changed the original"
    after = twin.to_bytes()
    for s in random_game_positions(other, rng, most=12):
        assert s is other
    assert twin.to_bytes() == after, "playing on one copy changed another"
    mine = state.copy()
    kept = mine.copy()
    mine.apply(action)
    assert mine.to_bytes() == after, "the same action led to another position"
    assert kept.to_bytes() == before, "playing on the original changed its copy"


def check_bytes_round_trip(game: Game, state: State) -> None:
    """Written as bytes and read back, a position is the same."""
    data = state.to_bytes()
    again = game.from_bytes(data)
    assert again.to_bytes() == data, "read_state reads other numbers than scalars and vectors write"
    assert again.digest() == state.digest()
    assert again.actor == state.actor
    assert again.legal_actions() == state.legal_actions()
    assert again.chance_outcomes() == state.chance_outcomes()
    assert again.scores() == state.scores()
    for seat in (None, *range(int(state.players))):
        assert again.view(seat) == state.view(seat)


def check_legality_matches_list(game: Game, state: State) -> None:
    """`legal()` and `why_not()` agree over the whole action space."""
    allowed = {a for a in range(-1, game.num_actions + game.num_outcomes + 1) if state.why_illegal(a) is None}
    listed = set(state.legal_actions()) if state.actor >= 0 else {outcome for outcome, _ in state.chance_outcomes()}
    assert allowed == listed, describe_disagreement(state, allowed, listed)
    if state.actor >= 0:
        other = (int(state.actor) + 1) % int(state.players)
        assert all(state.why_illegal(a, other) == "LF.2" for a in listed), "why_illegal lets another seat choose"
        assert all(state.why_illegal(a, int(state.actor)) is None for a in listed)


def describe_disagreement(state: State, allowed: set[int], listed: set[int]) -> str:
    """Which actions are judged otherwise than they are listed."""
    odd = sorted(allowed ^ listed)[:5]
    words = [f"{a} {state.notation(a)!r} why_not={state.why_illegal(a)} listed={a in listed}" for a in odd]
    return f"{len(allowed ^ listed)} actions: " + "; ".join(words)


def check_samples_are_listed(state: State, rng: Rng) -> None:
    """`random_action` and `draw` give what `legal` and `chances` list."""
    if state.actor == CHANCE:
        assert int(state.sample_chance(rng)) in {outcome for outcome, _ in state.chance_outcomes()}
    elif state.actor >= 0:
        assert int(state.random_action(rng)) in state.legal_actions()


def check_notation_and_words(state: State) -> None:
    """Every choice and outcome has a notation that reads back, and words that are JSON."""
    actions = state.legal_actions() if state.actor >= 0 else [outcome for outcome, _ in state.chance_outcomes()]
    texts = {state.notation(a) for a in actions}
    assert len(texts) == len(actions), "two choices are written alike"
    for action in actions:
        text = state.notation(action)
        assert text == text.strip(), text
        assert text, action
        assert "?" not in text, f"{text!r} looks masked"
        assert not text.startswith("*"), f"{text!r} looks like chance"
        assert "\n" not in text
        assert state.parse(text) == action, f"parse({text!r}) is {state.parse(text)}, not {action}, as notation has it"
        words = state.action_to_dict(action)
        assert isinstance(words["verb"], str)
        assert json.loads(json.dumps(words)) == words, words
        if state.secret_code(action):
            assert "?" in state.notation(action, masked=True), (
                f"{text!r} is secret and its masked form {state.notation(action, masked=True)!r} is not"
            )
    if state.actor >= 0:
        choices = list_choices_one_by_one(state, int(state.actor))
        assert [c["action"] for c in choices] == actions
        assert json.loads(json.dumps(choices)) == choices


def check_views(state: State) -> None:
    """A view is JSON and names what every client needs."""
    for seat in (None, *range(int(state.players))):
        view = state.view(seat)
        assert json.loads(json.dumps(view)) == view, "a view changes when sent as JSON"
        missing = {"game", "players", "actor", "phase", "ask"} - set(view)
        assert not missing, f"every view has {missing}"
        assert view["actor"] == state.actor
        assert view["players"] == state.players


class Telling:
    """A game as a table tells it, position after position: what is not made anew is what would have been."""

    def __init__(self, players: int) -> None:
        self.seats: list[int | None] = [None, *range(players)]
        self.public: PublicView | None = None
        self.own: dict[int | None, PrivateView] = {}
        self.text = ""

    def tell(self, state: State) -> None:
        """One position: the shared views and patches make what a newcomer would see, and leave those before alone."""
        state = state.copy()
        before, mine = self.public, self.own
        self.public = public = project_public_view(state, before)
        assert json.dumps(public.view) == json.dumps(state.view(None)), "a part of an old view is not as it is now"
        self.own = {seat: state.private_part_of_view(seat, public.view) for seat in self.seats}
        for seat, own in self.own.items():
            assert json.dumps(own) == json.dumps(state.private_part_of_view(seat)), f"seat {seat} is shown a lie"
            if before is not None:
                patch = project_view_patch(public, own, before, mine[seat])
                shown = apply_patch({**before.view, **mine[seat]}, patch)
                assert shown == {**public.view, **own}, f"seat {seat} is told another change"
        if before is not None:
            assert json.dumps(before.view) == self.text, "a view that was told has been changed"
        self.text = json.dumps(public.view)


def check_whole_random_game(name: str, combo: Combo, seed: int, thoroughness: int) -> int:
    """One random game with all of the above; the number of actions.

    `check_invariants` is asked in every position, the costly ones in one of `thoroughness`.
    """
    game = find_game(name)
    rng, pick = Rng(seed), Rng(seed + 1)
    costly: list[Callable[[State], None]] = [
        lambda s: check_copies_independent(s, pick),
        lambda s: check_bytes_round_trip(game, s),
        lambda s: check_legality_matches_list(game, s),
        lambda s: check_samples_are_listed(s, pick),
        check_notation_and_words,
        check_views,
    ]
    actions, telling, told = -1, Telling(combo[0]), False
    for state in random_game_positions(game.new(*combo), rng):
        check_invariants(game, state)
        actions += 1
        due = state.actor == OVER or pick.randbelow(thoroughness) == 0
        if due or told:  # two in a row: near and far
            telling.tell(state)
        told = due
        for check in costly:
            if state.actor == OVER or pick.randbelow(thoroughness) == 0:
                check(state)
    return actions
