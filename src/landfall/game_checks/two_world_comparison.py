"""Two worlds: A is the true match, B differs from it only in what one seat cannot know. That seat must not notice.

Both are played on with actions that look the same to the seat; where B has none such, or where the rules have just
shown what the worlds differ in, a new B is drawn from A.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from typing import Any, cast

from landfall.bots.contract import Seat
from landfall.bots.greedy_bot import GreedyBot
from landfall.bots.search.afterstate_rows import encode_row
from landfall.bots.value_net import layout_of
from landfall.core.feature_layout import RowBuffer
from landfall.core.game import Game
from landfall.core.match_batch import MatchBatch
from landfall.core.message_types import GameEvent
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, State, list_choices_one_by_one
from landfall.game_checks.option_combinations import Combo, revealing_event_kinds
from landfall.game_checks.position_checks import MOST_DECISIONS, next_random_action
from landfall.games import game as find_game
from landfall.games.observation_and_feature_layouts import has_layout, tensor_layout
from landfall.match import visible_events


def encode_json(value: object) -> bytes:
    """What would be sent for a value."""
    return json.dumps(value, ensure_ascii=False).encode()


DRAWN = 12  # one look in so many compares pictures, too: they are made from views alone, and slowly


def draw_picture_or_nothing(state: State, seat: int | None) -> str:
    """What is drawn for a seat; nothing where a game draws no pictures."""
    try:
        return state.svg(seat)
    except NotImplementedError:
        return ""


@dataclass
class World:
    """A position and the part of its log that the comparison is about."""

    state: State
    log: list[tuple[str, str, int]] = field(default_factory=list)  # text, masked, secret
    first_event: int = 0

    @classmethod
    def of(cls, state: State) -> World:
        """From here on, recording."""
        if state.events is None:
            state.events = []
        return cls(state, [], len(state.events))

    def play(self, action: int) -> None:
        """Write an action down as it reads now, and carry it out."""
        state = self.state
        self.log.append((state.notation(action), state.notation(action, masked=True), state.secret_code(action)))
        state.apply(action)

    def lines(self, seat: int | None, since: int = 0) -> list[str]:
        """The log as the seat may read it now."""
        return [t if not code or self.state.can_read(seat, code) else m for t, m, code in self.log[since:]]

    def events(self, seat: int | None, since: int = 0) -> list[GameEvent]:
        """What happened since the comparison began, as the seat may know it now, counted from 0."""
        return [{**e, "n": i} for i, e in enumerate(visible_events(self.state, seat, self.first_event + since), since)]

    def length(self) -> int:
        """How many events these are."""
        return len(self.state.events or []) - self.first_event


@dataclass
class Comparison:
    """One seat (None: a spectator) of one match under the two-worlds test."""

    game: Game
    seat: int | None
    rng: Rng
    compared: int = 0
    worlds: int = 0
    words: list[str] = field(default_factory=lambda: ["", "nothing"])  # pieces and places met so far, for touches

    def look(self, a: World, b: World) -> None:
        """Everything the seat can see or ask is the same in both worlds."""
        seat = self.seat
        self.same("view", a.state.view(seat), b.state.view(seat))
        if self.compared % DRAWN == 3:
            self.same("picture", draw_picture_or_nothing(a.state, seat), draw_picture_or_nothing(b.state, seat))
        self.same("choices", list_choices_one_by_one(a.state, seat), list_choices_one_by_one(b.state, seat))
        self.same("events", a.events(seat), b.events(seat))
        self.same("log", a.lines(seat), b.lines(seat))
        if seat is not None:
            self.ask(a.state, b.state, seat)
        self.compared += 1

    def ask(self, a: State, b: State, seat: int) -> None:
        """The answers to a seat's questions are the same in both worlds."""
        if a.actor == seat:
            self.same("legal", a.legal_actions(), b.legal_actions())
            space = range(self.game.num_actions)
            self.same("why_not", [a.why_illegal(x, seat) for x in space], [b.why_illegal(x, seat) for x in space])
            self.learn(a, seat)
        else:
            other = int(self.rng.randbelow(self.game.num_actions))
            self.same("why_not", a.why_illegal(other, seat), b.why_illegal(other, seat))
        self.same("preview", a.preview(seat), b.preview(seat))
        if has_layout(self.game.name, "features"):
            self.same("features", features_by_name(self.game.name, a, seat), features_by_name(self.game.name, b, seat))
        if has_layout(self.game.name, "observation"):
            self.same("observation", *(observation_bytes(self.game.name, one, seat).hex() for one in (a, b)))
        for _ in range(4):
            piece, place = (self.words[int(self.rng.randbelow(len(self.words)))] for _ in range(2))
            self.same("explain", a.why_cannot_move(seat, piece, place), b.why_cannot_move(seat, piece, place))

    def learn(self, state: State, seat: int) -> None:
        """Remember the pieces and places of the choices, to ask about them later."""
        for words in list_choices_one_by_one(state, seat)[:8]:
            self.words.extend(v for v in words.values() if isinstance(v, str) and v not in self.words)

    def same(self, what: str, a: object, b: object) -> None:
        """Byte for byte."""
        assert encode_json(a) == encode_json(b), (
            f"{what} of seat {self.seat} tells two worlds apart: {first_difference(a, b)}. The seat cannot know this, "
            "or it was just revealed: then record an event that shows it, and name its kind in REVEALS "
            "(docs/new-game.md)"
        )

    def reading(self, state: State, action: int) -> str:
        """An action as the seat reads it when it is played."""
        code = state.secret_code(action)
        return state.notation(action, masked=bool(code) and not state.can_read(self.seat, code))

    def find_counterpart_action(self, a: World, b: World, action: int) -> int | None:
        """An action of B's that looks to the seat like this one of A's; None if there is none."""
        if a.state.actor == self.seat:
            return action
        text = self.reading(a.state, action)
        if b.state.actor == CHANCE:
            ways = [(o, w) for o, w in b.state.chance_outcomes() if self.reading(b.state, o) == text]
        else:
            ways = [(x, 1) for x in b.state.legal_actions() if self.reading(b.state, x) == text]
        left = int(self.rng.randbelow(sum(w for _, w in ways))) if ways else 0
        for x, weight in ways:
            left -= weight
            if left < 0:
                return x
        return None

    def was_something_revealed(self, a: World, b: World, since: int) -> bool:
        """Whether what just happened showed, by the rules, something hidden in which the worlds differ."""
        new = a.events(self.seat, since)
        return any(e["kind"] in revealing_event_kinds(self.game.name) for e in new) and encode_json(new) != encode_json(
            b.events(self.seat, since)
        )

    def read(self, a: World, b: World, since: int) -> None:
        """Events and log are the same in both worlds, those from before event number `since` too."""
        self.same("events", a.events(self.seat), b.events(self.seat))
        self.same("log", a.lines(self.seat), b.lines(self.seat))

    def resample_second_world(self, a: World) -> World:
        """A new world B for the seat, compared from here on."""
        self.worlds += 1
        a.log, a.first_event = [], len(a.state.events or [])
        return World.of(a.state.resample(self.seat, self.rng))


@cache
def feature_names_by_offset(name: str) -> dict[int, str]:
    """The names of a game's features, by the byte they stand in."""
    return {at: field.name for at, field in layout_of(name).fields_by_offset().items()}


def features_by_name(name: str, state: State, seat: int) -> dict[str, int]:
    """A seat's features by their names."""
    row = encode_row(state, seat, RowBuffer(layout_of(name), 1))
    return {what: row[at] for at, what in feature_names_by_offset(name).items()}


def observation_bytes(name: str, state: State, seat: int) -> bytes:
    """All that a seat may know, as its game's tensors."""
    sheet = make_observation_buffer(name)
    sheet.restart_at_first_row()
    state.write_observation(seat, sheet)
    return bytes(memoryview(cast("bytes", sheet.words)))


@cache
def make_observation_buffer(name: str) -> RowBuffer:
    """Room for one observation of a game, written from nought each time."""
    return RowBuffer(tensor_layout(name), 1)


def check_batch_rows_overwrite(name: str, combo: Combo, seed: int, steps: int) -> int:
    """A batch writes its rows over earlier ones of the same matches: they are as if written anew; how many.

    One match goes by chance, in the other all play well: some things come about in one of them alone.
    """
    batch, rng = MatchBatch(find_game(name).new(*combo), tensor_layout(name), 2, seed), Rng(seed)
    for number in range(steps):
        batch.step([int(batch.drawn[0]), GreedyBot().choose(Seat.from_state(batch.states[1], name, rng))])
        for i, state in enumerate(batch.states):
            anew = observation_bytes(name, state, int(state.actor))
            rows = memoryview(cast("bytes", batch.sheet.words)).cast("B")
            assert rows[i * len(anew) : (i + 1) * len(anew)] == anew, f"match {i}, step {number}: {state.to_text()}"
    return steps * len(batch.states)


def first_difference(a: Any, b: Any, path: str = "") -> str:
    """Where two values part, in one line."""
    if isinstance(a, dict) and isinstance(b, dict) and list(a) == list(b):
        return next(
            (first_difference(a[k], b[k], f"{path}.{k}") for k in a if encode_json(a[k]) != encode_json(b[k])), path
        )
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        parts = (
            first_difference(x, y, f"{path}[{i}]")
            for i, (x, y) in enumerate(zip(a, b))
            if encode_json(x) != encode_json(y)
        )
        return next(parts, path)
    return f"{path or 'it'} is {str(a)[:200]!r} in one and {str(b)[:200]!r} in the other"


def check_samples_hide_truth(state: State, seat: int, rng: Rng) -> None:
    """What a seat can imagine depends on what it knows, not on what is true: equal draws give equal samples."""
    other = state.resample(seat, rng)
    seed = int(rng.randbelow(1 << 30))
    assert state.resample(seat, Rng(seed)).to_bytes() == other.resample(seat, Rng(seed)).to_bytes(), (
        f"the samples of seat {seat} depend on what it cannot know"
    )


def check_log_tells_no_more(game: Game, state: State, seat: int | None, actions: tuple[int, int], rng: Rng) -> bool:
    """Two actions that the seat reads differently in the log are told apart by its samples, too; whether it does."""
    reader = Comparison(game, seat, rng)
    texts = [reader.reading(state, action) for action in actions]
    after = [state.copy(), state.copy()]
    for one, action in zip(after, actions, strict=True):
        one.apply(action)
    if state.actor == seat or texts[0] == texts[1] or after[0].to_bytes() == after[1].to_bytes():
        return False
    seed = int(rng.randbelow(1 << 30))
    samples = [one.resample(seat, Rng(seed)).to_bytes() for one in after]
    assert samples[0] != samples[1], (
        f"the log shows seat {seat} whether it was {texts[0]!r} or {texts[1]!r}, but resample draws that again: "
        "either it is secret and its secret_code is 0, or resample forgets it"
    )
    return True


class OfTensors(Comparison):
    """Looks at the tensors alone, and reads each event and line once: quick enough to look at every position."""

    def look(self, a: World, b: World) -> None:
        assert self.seat is not None
        ours, theirs = (observation_bytes(self.game.name, one.state, self.seat) for one in (a, b))
        if ours != theirs:
            self.same("observation", list(ours), list(theirs))
        self.compared += 1

    def read(self, a: World, b: World, since: int) -> None:
        self.same("events", a.events(self.seat, since), b.events(self.seat, since))
        self.same("log", a.lines(self.seat, len(a.log) - 1), b.lines(self.seat, len(b.log) - 1))


def compare_two_worlds(
    name: str, combo: Combo, seed: int, seat: int | None, look_every: int = 1, kind: type[Comparison] = Comparison
) -> Comparison:
    """A whole random game in two worlds; a new B now and then, and whenever B cannot follow.

    After each action, with a chance of one in `look_every`, all is compared; the log and the events always are.
    """
    game = find_game(name)
    comparison = kind(game, seat, Rng(seed + 1))
    rng = Rng(seed)
    a = World.of(game.new(*combo))
    b = comparison.resample_second_world(a)
    for _ in range(2 * MOST_DECISIONS):
        if comparison.rng.randbelow(look_every) == 0:
            comparison.look(a, b)
        if comparison.rng.randbelow(40) == 0:
            b = comparison.resample_second_world(a)
            comparison.look(a, b)
        action = next_random_action(a.state, rng)
        twin = comparison.find_counterpart_action(a, b, action)
        events = a.length()
        a.play(action)
        if a.state.actor == OVER:
            if twin is not None:
                b.play(twin)
                assert b.state.actor == OVER, f"seat {seat} can tell two worlds apart by the end of the match"
            return comparison  # at the end all is open, and the worlds may differ
        if twin is None:
            b = comparison.resample_second_world(a)
            continue
        b.play(twin)
        if comparison.was_something_revealed(a, b, events):
            b = comparison.resample_second_world(a)
            continue
        assert b.state.actor == a.state.actor, f"seat {seat} can tell two worlds apart by whose turn it is"
        comparison.read(a, b, events)
    raise AssertionError("the game did not end")
