"""The games for OpenSpiel: importing this registers `landfall_survive`, `landfall_atlantis`, `landfall_atlandice`.

Chance is explicit. Observations are the tensors of docs/observations.md. An information state is all that a seat has
seen, in order, and the position as the seat may know it. `resample_from_infostate` samples a position from a seat's
knowledge. Parameters are `players`, those of `SETTINGS` and the game's options:
`pyspiel.load_game("landfall_survive", {"players": 4, "dolphins": True})`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any, Final, NamedTuple
from urllib.parse import quote, unquote

import numpy as np
import pyspiel

from landfall.core import options as opt
from landfall.core.feature_layout import RowBuffer
from landfall.core.game import Game
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, SPECTATOR, State
from landfall.games import BUILT_IN_GAMES
from landfall.games import game as find_game
from landfall.games.observation_and_feature_layouts import tensor_layout
from landfall.lab.environments.env_match import reward_function, split_observation, view_as_bytes

NAME_PREFIX: Final = "landfall_"
# The most choices of all seats in a match. None met so many, with players that stall and in the longest variants; one
# that did would end as it stands, since OpenSpiel needs a true bound and chance could prolong a match without end.
MAX_CHOICES: Final = 4_000
# A small variant begins at a position, is cut after some choices, or deals one of a few worlds first.
SETTINGS: Final[dict[str, Any]] = {"reward": "win", "horizon": 0, "position": "", "worlds": 0}
HALF_RANGE: Final = {"win": 1.0, "rank": 1.0, "score": 1_000.0}  # the largest return; no score is beyond it

# The log in an information state's tensor: a row for each of the latest actions, and a digest of all before.
RECALLED_ACTIONS: Final = 64
NUMBER_BITS: Final = 15  # of an action or an outcome
DIGEST_BITS: Final = 64


class Logged(NamedTuple):
    """An action of the log and what was before it: copies of a state share it."""

    before: Logged | None
    actor: int
    number: int
    text: str
    masked: str
    secret: int  # 0, or the code for `State.can_read`


def position_parameter(state: State) -> str:
    """A position for the parameter `position`, without the characters that OpenSpiel reads in a game's name."""
    return quote(state.to_text(), safe="").replace("%", "-").replace("~", "-7E")


def parse_position_parameter(rules: Game, text: str) -> State:
    return rules.from_text(unquote(text.replace("-", "%")))


def make_game_type(name: str) -> pyspiel.GameType:
    """A game's entry in OpenSpiel's registry."""
    rules = find_game(name)
    simple = {option.name: option.default for option in rules.options if option.kind != opt.OBJECT}
    information = pyspiel.GameType.Information
    return pyspiel.GameType(
        short_name=NAME_PREFIX + name,
        long_name=f"Landfall: {name.capitalize()}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information.IMPERFECT_INFORMATION if rules.hides else information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=rules.player_counts[-1],
        min_num_players=rules.player_counts[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": rules.player_counts[0], **SETTINGS, **simple},
    )


class SpielGame(pyspiel.Game):
    """One table: a game, its players and options, and where and how it begins and ends."""

    name = ""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = dict(params or {})
        rules = self.rules = find_game(self.name)
        settings = {name: given.pop(name, usual) for name, usual in SETTINGS.items()}
        if settings["reward"] not in HALF_RANGE:
            raise ValueError(f"there is no reward {settings['reward']!r} here; there are {', '.join(HALF_RANGE)}")
        players = given.pop("players", rules.player_counts[0])
        self.rewards_of = reward_function(settings["reward"])
        self.max_choices = settings["horizon"] or MAX_CHOICES
        if settings["position"]:
            self.start = parse_position_parameter(rules, settings["position"])
            if self.start.players != players or self.start.option_values() != rules.new(players, given).option_values():
                raise ValueError(f"the position is of another table than {players} players with {given}")
        else:
            self.start = rules.new(players, given)
        self.worlds = [self.start.resample(None, Rng(seed)) for seed in range(1, settings["worlds"] + 1)]
        most = HALF_RANGE[settings["reward"]]
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.num_actions,
            max_chance_outcomes=max(rules.num_outcomes, len(self.worlds)),
            num_players=players,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=self.max_choices,
        )
        super().__init__(GAME_TYPES[self.name], info, params or {})

    def new_initial_state(self) -> SpielState:
        return SpielState(self, Held(self, self.start.copy(), None, 0, bool(self.worlds)))

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(self, kind)


class Held:
    """What a state holds. OpenSpiel clones a state by a deep copy of its attributes, so this copies what changes."""

    __slots__ = ("choices", "dealing", "game", "last", "position")

    def __init__(self, game: SpielGame, position: State, last: Logged | None, choices: int, dealing: bool) -> None:
        self.game = game
        self.position = position
        self.last = last  # of the log
        self.choices = choices
        self.dealing = dealing  # whether chance is about to choose one of the worlds

    def __deepcopy__(self, memo: object) -> Held:
        return Held(self.game, self.position.copy(), self.last, self.choices, self.dealing)

    def __reduce__(self) -> tuple[object, ...]:
        """For pickles: the game by its name and parameters, the log as a list."""
        log = [tuple(one)[1:] for one in logged_before(self.last)]
        return restore_held, (str(self.game), self.position, log, self.choices, self.dealing)


def logged_before(last: Logged | None) -> Iterator[Logged]:
    """A log, the latest first."""
    while last is not None:
        yield last
        last = last.before


def restore_held(game: str, position: State, log: list[Any], choices: int, dealing: bool) -> Held:
    last: Logged | None = None
    for one in reversed(log):
        last = Logged(last, *one)
    return Held(pyspiel.load_game(game), position, last, choices, dealing)


class SpielState(pyspiel.State):
    """A position with OpenSpiel's interface."""

    def __init__(self, game: SpielGame, held: Held) -> None:
        super().__init__(game)
        self.held = held

    @property
    def rules(self) -> Game:
        return self.held.game.rules

    @property
    def position(self) -> State:
        return self.held.position

    def current_player(self) -> int:
        held = self.held
        if held.dealing:
            return int(pyspiel.PlayerId.CHANCE)
        actor = int(held.position.actor)
        if actor == OVER or held.choices >= held.game.max_choices:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if actor == CHANCE else actor

    def to_engine_action(self, player: int, action: int) -> int:
        """The engine's number of an action; OpenSpiel numbers chance outcomes from 0, too."""
        return action + self.rules.num_actions if player == pyspiel.PlayerId.CHANCE else action

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.position.legal_actions())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        if self.held.dealing:
            count = len(self.held.game.worlds)
            return [(world, 1 / count) for world in range(count)]
        found = self.position.chance_outcomes()
        total = sum(weight for _, weight in found)
        return sorted((outcome - self.rules.num_actions, weight / total) for outcome, weight in found)

    def _apply_action(self, action: int) -> None:
        held = self.held
        if held.dealing:
            held.position, held.dealing = held.game.worlds[action].copy(), False
            return
        player, position = self.current_player(), held.position
        number = self.to_engine_action(player, action)
        secret = position.secret_code(number)
        text = position.notation(number)
        masked = position.notation(number, masked=True) if secret else text
        held.last = Logged(held.last, player, number, text, masked, secret)
        held.choices += player >= 0
        position.apply(number)

    def _action_to_string(self, player: int, action: int) -> str:
        if self.held.dealing:
            return f"world {action}"
        return self.position.notation(self.to_engine_action(player, action))

    def is_terminal(self) -> bool:
        return self.current_player() == int(pyspiel.PlayerId.TERMINAL)

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0] * int(self.position.players)
        return self.held.game.rewards_of(self.position)

    def backwards_log(self) -> Iterator[Logged]:
        """The log, the latest first."""
        return logged_before(self.held.last)

    def may_read(self, player: int, one: Logged) -> bool:
        """Whether a seat may read an action's full text now."""
        return one.secret == 0 or self.position.can_read(player, one.secret)

    def read_log(self, player: int) -> list[str]:
        """The log as a seat may read it now."""
        return [one.text if self.may_read(player, one) else one.masked for one in self.backwards_log()][::-1]

    def resample_from_infostate(self, player: int, sampler: Any) -> SpielState:
        """Sample a position that is consistent with the seat's knowledge, with the log as it reads it."""
        held = self.held
        position = held.position.resample(player, Rng(int(sampler() * 2**62)))
        last: Logged | None = None
        for one in [*self.backwards_log()][::-1]:
            read = self.may_read(player, one)
            text, number = (one.text, one.number) if read else (one.masked, -1)
            last = Logged(last, one.actor, number, text, text, 0)
        return SpielState(self.get_game(), Held(held.game, position, last, held.choices, held.dealing))

    def __str__(self) -> str:
        return self.position.to_text()


class Observer:
    """What a seat sees: the tensors of docs/observations.md and the position string; with perfect recall the log, too.

    With public or private information alone there is a string, and no tensor.
    """

    def __init__(self, game: SpielGame, kind: Any) -> None:
        self.recall = bool(kind.perfect_recall)
        self.public = bool(kind.public_info)
        self.private = kind.private_info != pyspiel.PrivateInfoType.NONE
        self.tensor: np.ndarray[Any, np.dtype[np.float32]] | None = None
        self.dict: dict[str, Any] = {}
        if not (self.public and self.private):
            return
        layout, players = tensor_layout(game.name), int(game.start.players)
        self.sheet = RowBuffer(layout, 1)
        self.row = view_as_bytes(self.sheet.words)
        self.columns = players + 2 + NUMBER_BITS + DIGEST_BITS
        log = RECALLED_ACTIONS * self.columns + DIGEST_BITS if self.recall else 0
        self.tensor = np.zeros(layout.size + log, np.float32)
        self.seen = self.tensor[: layout.size]
        self.dict = split_observation(game.name, self.seen)
        if self.recall:
            latest, earlier = self.tensor[layout.size : -DIGEST_BITS], self.tensor[-DIGEST_BITS:]
            self.dict |= {"latest": latest.reshape(RECALLED_ACTIONS, self.columns), "earlier": earlier}

    def set_from(self, state: SpielState, player: int) -> None:
        if self.tensor is None:
            return
        self.sheet.restart_at_first_row()
        state.position.write_observation(player, self.sheet)
        self.seen[:] = self.row
        if self.recall:
            self.write_log(state, player)

    def write_log(self, state: SpielState, player: int) -> None:
        """The latest actions, the last one first, and a digest of the others."""
        latest, earlier = self.dict["latest"], self.dict["earlier"]
        latest[:] = 0
        players = int(state.position.players)
        older: list[str] = []
        for index, one in enumerate(state.backwards_log()):
            read = state.may_read(player, one) and one.number >= 0
            if index >= RECALLED_ACTIONS:
                older.append(f"{one.actor} {one.text if read else one.masked}")
                continue
            row = latest[index]
            row[one.actor if one.actor >= 0 else players] = 1
            if read:
                row[players + 2 : players + 2 + NUMBER_BITS] = bits_of(one.number, NUMBER_BITS)
            else:
                row[players + 1] = 1
                row[players + 2 + NUMBER_BITS :] = digest_bits(one.masked)
        earlier[:] = digest_bits("\n".join(older)) if older else 0

    def string_from(self, state: SpielState, player: int) -> str:
        common, own = state.position.to_text(SPECTATOR), state.position.to_text(player)
        if not self.private:
            lines = [common]
        elif not self.public:  # where nothing is ever hidden, nothing is private
            lines = [f"seat {player}: {own if own != common else 'nothing hidden yet'}"] if state.rules.hides else []
        else:
            lines = [f"seat {player}: {own}"]
        return "\n".join([*state.read_log(player), *lines] if self.recall and lines else lines)


def bits_of(number: int, count: int) -> list[int]:
    return [number >> i & 1 for i in range(count)]


def digest_bits(text: str) -> list[int]:
    """A text as numbers that no other text of a game has."""
    digest = hashlib.blake2b(text.encode(), digest_size=DIGEST_BITS // 8).digest()
    return bits_of(int.from_bytes(digest, "little"), DIGEST_BITS)


GAME_TYPES: Final[dict[str, pyspiel.GameType]] = {}


def register(name: str) -> str:
    """Register a game, which may be one of your own, and return its name for `pyspiel.load_game`."""
    if name not in GAME_TYPES:
        GAME_TYPES[name] = make_game_type(name)
        pyspiel.register_game(GAME_TYPES[name], type(f"Spiel{name.capitalize()}", (SpielGame,), {"name": name}))
    return NAME_PREFIX + name


for name in BUILT_IN_GAMES:
    register(name)
