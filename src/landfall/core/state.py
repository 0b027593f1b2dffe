"""The contract of a position: whose turn it is, what may be done, what happens, who may know what.

A game subclasses State, whose methods stand in three groups: those a game must write, may write and gets.
States hold no generator and no clock; chance is an actor whose outcomes are actions like any other, in a range of ints
of their own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, cast

from mypy_extensions import i64, mypyc_attr

from landfall.core.int_vectors import full, pack, to_list
from landfall.core.ranking import rank
from landfall.core.rng import Rng

if TYPE_CHECKING:
    from landfall.core.feature_layout import RowBuffer
    from landfall.core.int_vectors import Buf
    from landfall.core.messages import BasePreview, PrivateView, Rank, View

CHANCE: Final = -1
OVER: Final = -2
SPECTATOR: Final = -1  # as a seat: a spectator, who may know only what all may

MILLIPOINTS_PER_POINT: Final = 1000  # points are judged in thousandths
MAX_ACTIONS: Final = 16384  # no game has more actions

NOT_A_CHOICE: Final = "LF.1"
NOT_YOUR_TURN: Final = "LF.2"
CHANCE_DECIDES: Final = "LF.3"
MATCH_OVER: Final = "LF.4"


class ActionList:
    """A list of action ints that costs nothing to refill; what `State.fill_legal` writes into."""

    def __init__(self) -> None:
        self.items: Buf = full(MAX_ACTIONS, 0)
        self.count: i64 = 0

    def add(self, action: i64) -> None:
        self.items[self.count] = action
        self.count += 1


SCRATCH_ACTIONS: Final = ActionList()  # the one that is refilled again and again


class Event:
    """Something that happened. All may read `public`; `private` adds to it for those who may read `secret_code`."""

    def __init__(self, public: dict[str, object], private: dict[str, object], secret: int) -> None:
        self.public = public
        self.private = private
        self.secret = secret

    @property
    def kind(self) -> str:
        return str(self.public["kind"])


@mypyc_attr(allow_interpreted_subclasses=True)  # games of other packages are not compiled
class State:
    """A position of some game. `actor` is a seat, CHANCE or OVER."""

    def __init__(self, players: i64) -> None:
        self.players: i64 = players
        self.actor: i64 = CHANCE
        self.events: list[Event] | None = None  # None: nobody asked for them

    # ==================================================================================================================
    # Required: a game must write these.
    # ==================================================================================================================

    # --- the rules --------------------------------------------------------------------------------------------------

    def num_actions(self) -> int:
        """How many action ints the game has: one constant a game. Chance outcomes are counted from here on."""
        raise NotImplementedError

    def fill_legal(self, actions: ActionList) -> None:
        """Add every choice of the actor, a seat, to `moves`, each once."""
        raise NotImplementedError

    def forbidden_by(self, action: i64) -> str:
        """The id of the rule that forbids the actor this action, or "" if none does. Judges; never lists."""
        raise NotImplementedError

    def apply(self, action: i64) -> None:
        """Carry out a legal action or a possible outcome. Fast and trusting: Match.play is the checked door."""
        raise NotImplementedError

    def scores(self) -> list[int]:
        """Points by seat, as they would count if the game ended now. Looks at hidden things."""
        raise NotImplementedError

    # --- the position, copied and written down ----------------------------------------------------------------------

    def copy(self) -> State:
        """An independent copy, without recorded events and not recording."""
        raise NotImplementedError

    def scalars(self) -> list[int]:
        """All single numbers of the position but players and actor, in the order `Game.from_bytes` reads them."""
        raise NotImplementedError

    def vectors(self) -> list[Buf]:
        """All vectors of the position, in the order `Game.from_bytes` reads them."""
        raise NotImplementedError

    def to_text(self, seat: int | None = None) -> str:
        """The position string; for a seat, or SPECTATOR, only what it may know. `Game.from_text` reads it."""
        raise NotImplementedError

    # --- what a seat may know ---------------------------------------------------------------------------------------

    def view(self, seat: int | None, previous: tuple[State, View] | None = None) -> View:
        """All that `seat` (None: a spectator) may see, JSON-able. What is not put in is not there.

        `previous`, given for spectators only, is an earlier position of the match and its public view: parts that did
        not change may be shared with it.
        """
        raise NotImplementedError

    def resample(self, seat: int | None, rng: Rng) -> State:
        """A copy in which all that `seat` cannot know is drawn anew, consistent with what it knows."""
        raise NotImplementedError

    # --- actions in words -------------------------------------------------------------------------------------------

    def describe(self, action: int) -> Mapping[str, object]:
        """One action or outcome in structured words: `verb` and what it needs (pieces, from, to)."""
        raise NotImplementedError

    def notation(self, action: int, masked: bool = False) -> str:
        """The action or outcome as a short text that `parse` reads back here; masked, `?` stands for what is secret."""
        raise NotImplementedError

    def parse(self, text: str) -> int:
        """The action or outcome a text names here; NotationError says what is wrong with it. Judges no rule."""
        raise NotImplementedError

    # ==================================================================================================================
    # Optional: a game may write these, where the answer given here does not suit it.
    # ==================================================================================================================

    # --- the rules --------------------------------------------------------------------------------------------------

    def chance_outcomes(self) -> list[tuple[int, int]]:
        """The outcomes chance may bring now, each with its weight; empty when a seat acts, or with no chance at all."""
        return []

    def sample_chance(self, rng: Rng) -> i64:
        """One of `chance_outcomes()`, by weight. Games may do this without listing."""
        chances = self.chance_outcomes()
        total = 0
        for _, weight in chances:
            total += weight
        left: i64 = rng.randbelow(total)
        for outcome, weight in chances:
            left -= weight
            if left < 0:
                return outcome
        raise AssertionError("chance_outcomes() was empty")

    def random_action(self, rng: Rng) -> i64:
        """One of `legal_actions()`, each equally likely. Games may do this without listing."""
        SCRATCH_ACTIONS.count = 0
        self.fill_legal(SCRATCH_ACTIONS)
        return SCRATCH_ACTIONS.items[rng.randbelow(SCRATCH_ACTIONS.count)]

    def ranking(self) -> list[Rank]:
        """Groups of seats, best first, with the keys and the key that decided; by points alone, if nothing is said."""
        return rank([[points] for points in self.scores()], ["points"])

    def is_setup(self) -> bool:
        """Whether what is chosen now is part of the set-up: it may be done for one, and taken back.

        Bots do not search a set-up: they take `opening_action`, or go by how it looks right after a choice.
        """
        return False

    def turn_id(self) -> i64:
        """A number that stays the same through a player's turn and is another in the next: for bots that look ahead.

        Where a game says nothing else, a turn is whatever one seat does until another acts.
        """
        return self.actor

    def step_id(self) -> i64:
        """The same for a step of a turn; where a turn has no steps, the turn's."""
        return self.turn_id()

    def option_values(self) -> list[int]:
        """The options of its table as numbers: the same ones, if and only if these are."""
        return []

    # --- what a seat may know ---------------------------------------------------------------------------------------

    def private_view(self, seat: int | None, public: View | None = None, reveal: bool = False) -> PrivateView:
        """The entries of `view(seat)` that may differ from a spectator's: one public view serves a whole table.

        Parts that are the same in `public`, this position's `view(None)`, may be shared with it. `reveal` adds what
        belongs to the seat but may not be looked at now: for replays with open hands.
        """
        return self.view(seat)

    def secret_code(self, action: int) -> int:
        """0 if all may read this action's notation, else a code of the game's for `can_read`."""
        return 0

    def can_read(self, seat: int | None, secret: int) -> bool:
        """Whether `seat` may now read what bears this code. Judged when it is read, not when it was written."""
        return secret == 0 or self.actor == OVER

    def needs_answer_delay(self) -> bool:
        """Whether the question now asked is asked only so that asking tells nothing: hold its answer for a while."""
        return False

    def is_single_choice_secret(self) -> bool:
        """Whether that the actor has but one choice may follow from what it alone knows, so that nobody may notice."""
        return True

    # --- actions in words, and what they lead to --------------------------------------------------------------------

    def choice_groups(self, seat: int | None) -> list[tuple[str, list[str], list[list[object]]]]:
        """What `seat` may choose from now, in words: for each verb its keys once, then a row of values for each choice.

        A verb's keys are always the same ones; `loses` and `hits` (see `immediate_losses`) come last, and only where
        there is such a piece. `list_choices` gives them one by one.
        """
        if seat is None or seat != self.actor:
            return []
        out: list[tuple[str, list[str], list[list[object]]]] = []
        found: dict[tuple[str, bool, bool], list[list[object]]] = {}
        for action in self.legal_actions():
            words = cast("dict[str, object]", self.describe(action))
            words["action"] = action
            words["text"] = self.notation(action)
            verb = str(words["verb"])
            loses, hits = self.immediate_losses(action)
            kind = (verb, len(loses) > 0, len(hits) > 0)
            if kind[1]:
                words["loses"] = loses
            if kind[2]:
                words["hits"] = hits
            row = list(words.values())
            row.pop(0)
            if kind in found:
                found[kind].append(row)
            else:
                found[kind] = [row]
                out.append((verb, list(words)[1:], found[kind]))
        return out

    def immediate_losses(self, action: int) -> tuple[list[str], list[str]]:
        """The pieces that a legal action removes at once, as all can see: the actor's own, and those of others."""
        return [], []

    def touch_forbidden_by(self, piece: str, place: str) -> str | None:
        """The rule that forbids the actor, a seat, to bring `piece` to `place` in any way; None if one is allowed."""
        return NOT_A_CHOICE

    def preview(self, seat: int) -> BasePreview:
        """What `seat`'s choices would lead to, where words alone do not tell; empty if they do."""
        return {}

    def svg(self, seat: int | None = None) -> str:
        """What `seat` (None: a spectator) may see as an SVG image, made from its view alone."""
        picture = self.view(seat).get("picture")
        if picture is None:
            raise NotImplementedError("this game draws no picture")
        return picture

    # --- for bots and nets ------------------------------------------------------------------------------------------

    def evaluate(self, seat: i64) -> i64:
        """How good the position looks for `seat`, from what the position holds: for bots, on resampled states.

        Where a game says nothing better: its points, less those of the best of the others, in thousandths.
        """
        points = self.scores()
        others = [points[other] for other in range(len(points)) if other != seat]
        return (points[seat] - max(others)) * MILLIPOINTS_PER_POINT

    def expected_scores(self, out: Buf) -> None:
        """Fill in by seat the points each may expect at the end, in thousandths; else the points as they stand."""
        points = self.scores()
        for seat in range(len(points)):
            out[seat] = points[seat] * MILLIPOINTS_PER_POINT

    def score_scale(self) -> i64:
        """How far such expectations of two seats must lie apart for one to be e times as likely to win."""
        return 3 * MILLIPOINTS_PER_POINT

    def opening_action(self) -> i64:
        """The choice that experience recommends to the actor in a set-up; -1: no experience."""
        return -1

    def write_features(self, seat: i64, buffer: RowBuffer) -> None:
        """Add a row to the sheet: what `seat` may know, in the layout of the game's `features.py`. For nets."""
        raise NotImplementedError("this game has no features: nets cannot judge it")

    def write_observation(self, seat: i64, buffer: RowBuffer) -> None:
        """Add a row to the sheet: all that `seat` may know, in the tensors of the game's `observation.py`."""
        raise NotImplementedError("this game has no observations: environments cannot show it")

    # ==================================================================================================================
    # Provided: every game gets these.
    # ==================================================================================================================

    def legal_actions(self) -> list[int]:
        """Every choice the actor has, as ints; empty when chance acts or the game is over."""
        if self.actor < 0:
            return []
        SCRATCH_ACTIONS.count = 0
        self.fill_legal(SCRATCH_ACTIONS)
        return [int(SCRATCH_ACTIONS.items[i]) for i in range(SCRATCH_ACTIONS.count)]

    def why_illegal(self, action: int, seat: int | None = None) -> str | None:
        """None if `action` may be played now (by `seat`, if given), else the id of the rule that forbids it."""
        if self.actor == CHANCE and seat is None and action >= self.num_actions():
            return None if any(outcome == action for outcome, _ in self.chance_outcomes()) else NOT_A_CHOICE
        not_asked = why_not_asked(self, int(self.actor) if seat is None else seat)
        if not_asked:
            return not_asked
        if action < 0 or action >= self.num_actions():
            return NOT_A_CHOICE
        return self.forbidden_by(action) or None

    def why_cannot_move(self, seat: int, piece: str, place: str) -> str | None:
        """Why `piece` cannot go to `place` now: a rule id for a touch that is no action; None if it can."""
        return why_not_asked(self, seat) or self.touch_forbidden_by(piece, place)

    def to_bytes(self) -> bytes:
        """The whole position, packed narrow. `Game.from_bytes` reads it back."""
        numbers = [int(self.players), int(self.actor)]
        numbers.extend(self.scalars())
        for v in self.vectors():
            numbers.append(len(v))
            numbers.extend(to_list(v))
        return pack(numbers)

    def digest(self) -> str:
        """A short fingerprint: equal for equal positions. Looks at hidden things: never show it to a player."""
        return hashlib.blake2b(self.to_bytes(), digest_size=12).hexdigest()

    def record_event(self, public: Mapping[str, object], private: Mapping[str, object], secret: int) -> None:
        """Keep an event. A game's `events.py` does this, for events as its `messages.py` declares them."""
        if self.events is not None:
            self.events.append(Event(cast("dict[str, object]", public), cast("dict[str, object]", private), secret))

    def __repr__(self) -> str:
        """What a person at a debugger wants to see: the line; in the middle of an action there may be none."""
        try:
            text = self.to_text()
        except Exception as error:
            text = f"between two positions: {error!r}"
        return f"{type(self).__name__}({text!r})"

    def _repr_svg_(self) -> str:
        """What a notebook shows: what all may see."""
        return self.svg()


def why_not_asked(state: State, seat: int) -> str:
    """Why `seat` has nothing to choose now, whatever it is: over, chance's turn, another's; "" if it has."""
    if state.actor == OVER:
        return MATCH_OVER
    if state.actor == CHANCE:
        return CHANCE_DECIDES
    return "" if seat == state.actor else NOT_YOUR_TURN


def list_choices(state: State, seat: int | None) -> list[dict[str, object]]:
    """The choices of `State.choice_groups` one by one, in the order of `legal_actions`, with `loses` and `hits`."""
    found: dict[object, dict[str, object]] = {}
    for verb, keys, rows in state.choice_groups(seat):
        for row in rows:
            words: dict[str, object] = {"verb": verb}
            words.update(zip(keys, row))
            words.setdefault("loses", [])
            words.setdefault("hits", [])
            found[words["action"]] = words
    return [found[action] for action in state.legal_actions()] if found else []


def playout(state: State, rng: Rng) -> i64:
    """Play random choices to the end of the game; the number of decisions taken, chance not counted."""
    decisions: i64 = 0
    while state.actor != OVER:
        if state.actor == CHANCE:
            state.apply(state.sample_chance(rng))
        else:
            state.apply(state.random_action(rng))
            decisions += 1
    return decisions
