"""The interface between a game's rules and everything else: one class, `State`, for one position of a match.

A game subclasses `State`. The methods come in three groups: a game must write the required ones, may override the
optional ones, and inherits the provided ones.

A state is deterministic: it holds no random generator and no clock. Chance is an actor like a seat. Its outcomes are
ints above the actions, and the caller samples them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Final, cast

from mypy_extensions import i64, mypyc_attr

from landfall.core.errors import IllegalAction, UnknownSeat
from landfall.core.int_vectors import filled_vector, pack_numbers, to_list
from landfall.core.ranking import group_seats_by_rank
from landfall.core.rng import Rng

if TYPE_CHECKING:
    from landfall.core.feature_layout import RowBuffer
    from landfall.core.int_vectors import Buf
    from landfall.core.message_types import BasePreview, PrivateView, Rank, View

CHANCE: Final = -1
OVER: Final = -2
SPECTATOR: Final = -1  # as a seat: a spectator, who sees public information only

MILLIPOINTS_PER_POINT: Final = 1000  # scores are evaluated in thousandths of a point
MAX_ACTIONS: Final = 16384  # upper bound for every game

NOT_A_CHOICE: Final = "LF.1"
NOT_YOUR_TURN: Final = "LF.2"
CHANCE_DECIDES: Final = "LF.3"
MATCH_OVER: Final = "LF.4"


class ActionList:
    """A reusable buffer of action ints, which `State.fill_legal` fills without allocating."""

    def __init__(self) -> None:
        self.items: Buf = filled_vector(MAX_ACTIONS, 0)
        self.count: i64 = 0

    def add(self, action: i64) -> None:
        self.items[self.count] = action
        self.count += 1


SCRATCH_ACTIONS: Final = ActionList()  # shared by all calls; copy the actions out at once


class Event:
    """Something that happened. `public` is for everybody; `private` adds details for seats that can read `secret`."""

    def __init__(self, public: dict[str, object], private: dict[str, object], secret: int) -> None:
        self.public = public
        self.private = private
        self.secret = secret

    @property
    def kind(self) -> str:
        return str(self.public["kind"])

    def __reduce__(self) -> tuple[object, ...]:
        return Event, (self.public, self.private, self.secret)


@mypyc_attr(allow_interpreted_subclasses=True)  # games of other packages are not compiled
class State:
    """A position of a game. `actor` is a seat, CHANCE or OVER.

    >>> match.state.actor, match.state.players
    (0, 2)
    """

    def __init__(self, players: i64) -> None:
        self.players: i64 = players
        self.actor: i64 = CHANCE
        self.events: list[Event] | None = None  # None: events are not recorded

    # ==================================================================================================================
    # Required: a game must write these.
    # ==================================================================================================================

    # --- the rules ---------------------------------------------------------------------------------------------------

    def num_actions(self) -> int:
        """The number of action ints, constant for a game. Chance outcomes are numbered from here on.

        >>> state.num_actions()
        90
        """
        raise NotImplementedError

    def fill_legal(self, actions: ActionList) -> None:
        """Add every legal action of the actor, a seat, to `actions`, each once.

        >>> actions = landfall.core.state.ActionList()
        >>> state.fill_legal(actions)
        >>> actions.count
        8
        """
        raise NotImplementedError

    def forbidden_by(self, action: i64) -> str:
        """The id of the rule that forbids the actor this action, or "". It must not list all legal actions.

        >>> state.forbidden_by(state.parse("d3"))
        'AD.V1'
        """
        raise NotImplementedError

    def apply(self, action: i64) -> None:
        """Apply a legal action or a possible chance outcome. It checks nothing, for speed; `play` does.

        >>> state.apply(state.parse("d2"))
        """
        raise NotImplementedError

    def scores(self) -> list[int]:
        """Points by seat, as if the game ended now. They include hidden information.

        >>> state.scores()
        [0, 0]
        """
        raise NotImplementedError

    # --- copies and serialisation ------------------------------------------------------------------------------------

    def copy(self) -> State:
        """An independent copy. It carries no events and records none.

        >>> state.copy() == state
        True
        """
        raise NotImplementedError

    def scalars(self) -> list[int]:
        """All single numbers except players and actor, in the order in which `Game.from_bytes` reads them.

        >>> len(state.scalars())
        14
        """
        raise NotImplementedError

    def vectors(self) -> list[Buf]:
        """All vectors of the position, in the order in which `Game.from_bytes` reads them.

        >>> len(state.vectors())
        11
        """
        raise NotImplementedError

    def to_text(self, seat: int | None = None) -> str:
        """The position string, which `Game.from_text` parses. With a seat or SPECTATOR it masks hidden information.

        >>> landfall.game("atlandice").from_text(state.to_text()) == state
        True
        """
        raise NotImplementedError

    # --- hidden information ------------------------------------------------------------------------------------------

    def view(self, seat: int | None, previous: tuple[State, View] | None = None) -> View:
        """Everything `seat` (None: a spectator) may see, as JSON-able data. Hidden information is absent, not masked.

        `previous` is an earlier position of the match and its public view. It is given for spectators only. The result
        may share unchanged parts with it.

        >>> state.view(0)["ask"]
        'ask.die'
        """
        raise NotImplementedError

    def resample(self, seat: int | None, rng: Rng) -> State:
        """A copy with everything hidden from `seat` resampled, consistent with what the seat knows.

        >>> hidden = landfall.Match("atlantis", players=3, seed=1).state
        >>> sample = hidden.resample(0, landfall.Rng(5))
        >>> sample.view(0) == hidden.view(0), sample == hidden
        (True, False)
        """
        raise NotImplementedError

    # --- actions as data and as text ---------------------------------------------------------------------------------

    def action_to_dict(self, action: int) -> Mapping[str, object]:
        """One action or chance outcome as data: `verb` and its arguments (pieces, from, to).

        >>> state.action_to_dict(state.parse("d2"))
        {'verb': 'die', 'sector': 'library'}
        """
        raise NotImplementedError

    def notation(self, action: int, masked: bool = False) -> str:
        """The action or outcome as a short text, which `parse` reads in this position; masked, with `?` for secrets.

        >>> state.notation(1)
        'd2'
        """
        raise NotImplementedError

    def parse(self, text: str) -> int:
        """The action or chance outcome that a text names in this position, legal or not. Raises NotationError.

        >>> state.parse("d2")
        1
        """
        raise NotImplementedError

    # ==================================================================================================================
    # Optional: a game may override these where the default does not suit it.
    # ==================================================================================================================

    # --- the rules ---------------------------------------------------------------------------------------------------

    def chance_outcomes(self) -> list[tuple[int, int]]:
        """The possible chance outcomes with their weights; empty when a seat acts, or if the game has no chance.

        >>> landfall.new("atlandice").chance_outcomes()[:3]
        [(96, 1), (97, 1), (98, 1)]
        """
        return []

    def sample_chance(self, rng: Rng) -> i64:
        """One of `chance_outcomes()`, sampled by weight. A game may sample faster without listing them.

        >>> start = landfall.new("atlandice")
        >>> start.notation(start.sample_chance(landfall.Rng(1)))
        '1c'
        """
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
        """One of `legal_actions()`, sampled uniformly. A game may sample faster without listing them.

        >>> state.notation(state.random_action(landfall.Rng(1)))
        'n6'
        """
        SCRATCH_ACTIONS.count = 0
        self.fill_legal(SCRATCH_ACTIONS)
        return SCRATCH_ACTIONS.items[rng.randbelow(SCRATCH_ACTIONS.count)]

    def ranking(self) -> list[Rank]:
        """Groups of tied seats, best first, with tie-break keys and the key that decided. Default: points alone.

        >>> [group["seats"] for group in state.ranking()]
        [[0, 1]]
        """
        return group_seats_by_rank([[points] for points in self.scores()], ["points"])

    def is_setup(self) -> bool:
        """Whether the current choice belongs to the set-up, which players may undo or have placed automatically.

        Bots do not search a set-up. They take `opening_action`, or evaluate the position right after each choice.

        >>> landfall.Match("survive", seed=1).state.is_setup()
        True
        """
        return False

    def turn_key(self) -> i64:
        """A number that is constant during a player's turn and differs in the next one: for searches with a horizon.

        By default a turn lasts until another seat acts.

        >>> state.turn_key()
        16
        """
        return self.actor

    def step_key(self) -> i64:
        """A number that is constant during a step of a turn. By default a turn is one step.

        >>> state.step_key()
        16
        """
        return self.turn_key()

    def option_values(self) -> list[int]:
        """The table's options as numbers; two option sets have the same values only if they are equal.

        >>> sum(landfall.new("survive", dolphins=True).option_values())
        1
        """
        return []

    # --- hidden information ------------------------------------------------------------------------------------------

    def private_part_of_view(self, seat: int | None, public: View | None = None, reveal: bool = False) -> PrivateView:
        """The entries of `view(seat)` that may differ from a spectator's, so that one public view serves a whole table.

        `public` is the `view(None)` of this position; the result may share equal parts with it. `reveal` adds what
        belongs to the seat but is hidden from it for now: replays with open hands show it.

        >>> state.private_part_of_view(0)
        {'seat': 0}
        """
        return self.view(seat)

    def secret_code(self, action: int) -> int:
        """0 if everybody can read this action's notation, else a code of the game for `can_read`.

        >>> state.secret_code(state.parse("d2"))
        0
        """
        return 0

    def can_read(self, seat: int | None, secret: int) -> bool:
        """Whether `seat` can now read what carries this code. Checked when it is read, not when it was recorded.

        >>> state.can_read(1, 0)
        True
        """
        return secret == 0 or self.actor == OVER

    def needs_answer_delay(self) -> bool:
        """Whether a seat with a single answer is asked, too, so that asking reveals nothing; the answer is delayed.

        >>> state.needs_answer_delay()
        False
        """
        return False

    def is_single_choice_secret(self) -> bool:
        """Whether the actor may have a single choice because of hidden information, so that nobody may notice it.

        >>> state.is_single_choice_secret()
        False
        """
        return True

    # --- actions as data, and their consequences ---------------------------------------------------------------------

    def choice_groups(self, seat: int | None) -> list[tuple[str, list[str], list[list[object]]]]:
        """The choices of `seat` as data, grouped by verb: the verb, its keys, and one row of values per choice.

        A verb always has the same keys. `loses` and `hits` (see `immediate_losses`) come last, and only in groups whose
        choices have them. `list_choices_one_by_one` gives the choices one by one.

        >>> verb, keys, rows = state.choice_groups(0)[0]
        >>> verb, keys, rows[0]
        ('die', ['sector', 'action', 'text'], ['library', 1, 'd2'])
        """
        if seat is None or seat != self.actor:
            return []
        out: list[tuple[str, list[str], list[list[object]]]] = []
        found: dict[tuple[str, bool, bool], list[list[object]]] = {}
        for action in self.legal_actions():
            words = cast("dict[str, object]", self.action_to_dict(action))
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
        """The pieces that a legal action visibly removes at once: the actor's own, then those of others.

        >>> state.immediate_losses(state.parse("d2"))
        ([], [])
        """
        return [], []

    def move_of_piece_forbidden_by(self, piece: str, place: str) -> str | None:
        """The rule that forbids the actor, a seat, every move of `piece` to `place`; None if some move is legal.

        >>> state.move_of_piece_forbidden_by("die library", "inn")
        'LF.1'
        """
        return NOT_A_CHOICE

    def preview(self, seat: int) -> BasePreview:
        """Consequences of `seat`'s choices that `action_to_dict` does not show; empty if there are none.

        >>> state.preview(0)["clock"]["library"]
        {'to': 2, 'icon': 'gems', 'ends': False}
        """
        return {}

    def svg(self, seat: int | None = None) -> str:
        """What `seat` (None: a spectator) may see, as an SVG image drawn from its view alone.

        >>> state.svg(0)[:4]
        '<svg'
        """
        picture = self.view(seat).get("picture")
        if picture is None:
            raise NotImplementedError("this game draws no picture")
        return picture

    # --- bots and nets -----------------------------------------------------------------------------------------------

    def evaluate(self, seat: i64) -> i64:
        """A heuristic value of the position for `seat`. It uses the whole position, so bots call it on resampled
        states.

        Default: the seat's points minus those of the best opponent, in thousandths.

        >>> state.evaluate(0)
        0
        """
        points = self.scores()
        others = [points[other] for other in range(len(points)) if other != seat]
        return (points[seat] - max(others)) * MILLIPOINTS_PER_POINT

    def fill_expected_scores(self, out: Buf) -> None:
        """Fill `out` with each seat's expected final points, in thousandths. Default: the current points.

        >>> out = landfall.core.int_vectors.filled_vector(2, 0)
        >>> state.fill_expected_scores(out)
        >>> [int(points) for points in out]
        [0, 0]
        """
        points = self.scores()
        for seat in range(len(points)):
            out[seat] = points[seat] * MILLIPOINTS_PER_POINT

    def win_probability_score_scale(self) -> i64:
        """The lead in expected points that makes a seat e times as likely to win, in thousandths.

        >>> state.win_probability_score_scale()
        3700
        """
        return 3 * MILLIPOINTS_PER_POINT

    def opening_action(self) -> i64:
        """The recommended choice of the actor in a set-up, from the opening book; -1 if there is none.

        >>> state.opening_action()
        -1
        """
        return -1

    def write_features(self, seat: i64, buffer: RowBuffer) -> None:
        """Append a feature row to the buffer: what `seat` may know, in the layout of `features.py`. For nets.

        >>> from landfall.core.feature_layout import RowBuffer
        >>> from landfall.games.observation_and_feature_layouts import feature_layout
        >>> buffer = RowBuffer(feature_layout("atlandice"), 1)
        >>> state.write_features(0, buffer)
        """
        raise NotImplementedError("this game has no features: nets cannot judge it")

    def saved_pieces(self, seat: i64) -> list[int]:
        """Whether each piece is saved by now, in the order of the seat's feature rows; for nets that learn their fates.
        Empty in games that save none.

        >>> any(landfall.game("survive").new(2).saved_pieces(0))
        False
        """
        return []

    def write_observation(self, seat: i64, buffer: RowBuffer) -> None:
        """Append an observation row to the buffer: all that `seat` may know, as the tensors of `observation.py`.

        >>> from landfall.core.feature_layout import RowBuffer
        >>> from landfall.games.observation_and_feature_layouts import tensor_layout
        >>> buffer = RowBuffer(tensor_layout("atlandice"), 1)
        >>> state.write_observation(0, buffer)
        """
        raise NotImplementedError("this game has no observations: environments cannot show it")

    # ==================================================================================================================
    # Provided: every game inherits these.
    # ==================================================================================================================

    def legal_actions(self) -> list[int]:
        """Every legal action of the actor; empty when chance acts or the game is over.

        >>> state.legal_actions()
        [1, 7, 3, 9, 4, 10, 5, 11]
        """
        if self.actor < 0:
            return []
        SCRATCH_ACTIONS.count = 0
        self.fill_legal(SCRATCH_ACTIONS)
        return [int(SCRATCH_ACTIONS.items[i]) for i in range(SCRATCH_ACTIONS.count)]

    def why_illegal(self, action: int, seat: int | None = None) -> str | None:
        """The id of the rule that forbids `action` now (by `seat`, if given); None if it is legal.

        >>> state.why_illegal(state.parse("d3"))
        'AD.V1'
        """
        if self.actor == CHANCE and seat is None and action >= self.num_actions():
            return None if any(outcome == action for outcome, _ in self.chance_outcomes()) else NOT_A_CHOICE
        not_asked = why_seat_may_not_act(self, int(self.actor) if seat is None else seat)
        if not_asked:
            return not_asked
        if action < 0 or action >= self.num_actions():
            return NOT_A_CHOICE
        return self.forbidden_by(action) or None

    def why_cannot_move(self, seat: int, piece: str, place: str) -> str | None:
        """The id of the rule that forbids `seat` every move of `piece` to `place`; None if one is legal.

        >>> state.why_cannot_move(1, "die library", "inn")
        'LF.2'
        """
        return why_seat_may_not_act(self, seat) or self.move_of_piece_forbidden_by(piece, place)

    def play(self, action: int) -> None:
        """Apply an action or a chance outcome after a check; IllegalAction names the rule that forbids it.

        >>> state.play(state.parse("d3"))
        Traceback (most recent call last):
        ...
        landfall.core.errors.IllegalAction: d3: forbidden by AD.V1
        """
        rule = self.why_illegal(action)
        if rule is not None:
            known = self.actor >= 0 and 0 <= action < self.num_actions()
            raise IllegalAction(rule, self.notation(action) if known else f"action {action}")
        self.apply(action)

    def to_bytes(self) -> bytes:
        """The whole position, packed. `Game.from_bytes` reads it back.

        >>> landfall.game("atlandice").from_bytes(state.to_bytes()) == state
        True
        """
        numbers = [int(self.players), int(self.actor)]
        numbers.extend(self.scalars())
        for v in self.vectors():
            numbers.append(len(v))
            numbers.extend(to_list(v))
        return pack_numbers(numbers)

    def digest(self) -> str:
        """A short hash of the whole position, hidden information included: never show it to a player.

        >>> state.digest()
        'bb8da32d49435c7a9203a042'
        """
        return hashlib.blake2b(self.to_bytes(), digest_size=12).hexdigest()

    def record_event(self, public: Mapping[str, object], private: Mapping[str, object], secret: int) -> None:
        """Append an event if events are recorded. A game's `event_recording.py` calls this with typed messages.

        >>> state.record_event({"kind": "round", "round": 2, "seat": 0}, {}, 0)
        >>> state.events[-1].kind
        'round'
        """
        if self.events is not None:
            self.events.append(Event(cast("dict[str, object]", public), cast("dict[str, object]", private), secret))

    def __copy__(self) -> State:
        """`copy.copy`: a copy with its own list of events, which plays on independently."""
        twin = self.copy()
        if self.events is not None:
            twin.events = self.events[:]
        return twin

    def __deepcopy__(self, memo: dict[int, object]) -> State:
        """`copy.deepcopy`: the same, because events never change. `core/game.py` pickles states."""
        return self.__copy__()

    def __eq__(self, other: object) -> bool:
        """Whether both are the same position of the same game, hidden information included."""
        if self is other:
            return True
        return isinstance(other, State) and type(self) is type(other) and self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        """A hash of the position: a key in a dict must not be played on."""
        return hash(self.to_bytes())

    def __dir__(self) -> list[str]:
        """What every game's positions have. What else one is made of is the business of its game's modules."""
        return sorted({*dir(State), "players", "actor", "events"})

    def __repr__(self) -> str:
        """The class, the players, who is to choose, the scores and the position string, hidden information included."""
        return f"<{type(self).__name__}: {summarise_position(self)}>"

    def _repr_svg_(self) -> str:
        """The public view as a picture, for notebooks."""
        return self.svg()

    def _repr_html_(self) -> str:
        """The same above a line that says who is to choose, and the scores."""
        return f"<figure>{self.svg()}<figcaption>{escape(summarise_turn(self))}</figcaption></figure>"


def summarise_turn(state: State) -> str:
    """How many play, who is to choose, and the scores, as programmers read it."""
    actor = int(state.actor)
    asked = "over" if actor == OVER else "chance to come" if actor == CHANCE else f"seat {actor} to choose"
    return f"{int(state.players)} players, {asked}, scores {' '.join(map(str, state.scores()))}"


def summarise_position(state: State) -> str:
    """The same with the position string. In the middle of an action there may be none."""
    try:
        return f"{summarise_turn(state)}, {state.to_text()!r}"
    except Exception as error:
        return f"between two positions: {error!r}"


def require_seat(state: State, seat: int | None) -> None:
    """Raise UnknownSeat unless `seat` plays in this match, or is a spectator."""
    if seat is not None and (seat < SPECTATOR or seat >= state.players):
        raise UnknownSeat(seat, int(state.players))


def why_seat_may_not_act(state: State, seat: int) -> str:
    """The rule id that says why `seat` is not to choose now (over, chance acts, another seat acts); "" if it is."""
    if state.actor == OVER:
        return MATCH_OVER
    if state.actor == CHANCE:
        return CHANCE_DECIDES
    return "" if seat == state.actor else NOT_YOUR_TURN


def list_choices_one_by_one(state: State, seat: int | None) -> list[dict[str, object]]:
    """The choices of `State.choice_groups` one by one, in the order of `legal_actions`, with `loses` and `hits`.

    >>> [choice["text"] for choice in landfall.core.state.list_choices_one_by_one(state, 0)]
    ['d2', 'n2', 'd4', 'n4', 'd5', 'n5', 'd6', 'n6']
    """
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
    """Play uniformly random actions to the end of the game. Returns the number of decisions, chance excluded.

    >>> landfall.core.state.playout(state, landfall.Rng(1)) > 20, state.actor == landfall.OVER
    (True, True)
    """
    decisions: i64 = 0
    while state.actor != OVER:
        if state.actor == CHANCE:
            state.apply(state.sample_chance(rng))
        else:
            state.apply(state.random_action(rng))
            decisions += 1
    return decisions
