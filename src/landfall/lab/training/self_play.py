"""A self-play process without torch: it encodes the position after each choice, requests predictions from the learner
over shared memory, chooses, and sends finished games with their training targets."""

from __future__ import annotations

import traceback
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.shared_memory import SharedMemory
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from landfall.bots.search.afterstate_rows import encode_row, write_afterstates
from landfall.bots.search.one_ply_search import best_action
from landfall.bots.value_net import layout_of, rows_as_array
from landfall.core import options as opt
from landfall.core.feature_layout import RowBuffer
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, State
from landfall.games import game as find_game
from landfall.lab.experiments.simulation import winning_seats

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from landfall.core.game import Game as GameRules

    Floats = NDArray[np.float32]

NET_PLAYER: Final = 0
GREEDY_PLAYER: Final = 1
OPENING_TABLE_PLAYER: Final = 2  # greedy with the game's opening table, if there is one
SELF_PLAY: Final = "self"
MIXED_PLAY: Final = "mixed"
WARM_UP: Final = "warm"
TRAINING_EVALUATION: Final = "evaluation"  # for the curve, during training
FINAL_EVALUATION: Final = "final"  # after training, one net against greedy bots
OPTIONS_EVALUATION: Final = "varied"  # the same with options
CALIBRATION_PLAY: Final = "alone"  # the net at every seat without noise, to measure its calibration
MEASURED_SORTS: Final = (TRAINING_EVALUATION, FINAL_EVALUATION, OPTIONS_EVALUATION, CALIBRATION_PLAY)
SPARE_ROWS: Final = 2048  # reserve: no position has more choices that are evaluated
EVALUATION_PART: Final = 4  # an evaluation plays at most a quarter of the games at once
HALVES: Final = 2  # halves of an actor's games: one waits for predictions while the other plays


@dataclass(frozen=True)
class Recipe:
    """How games are played and what is learnt from them; `docs/nets.md` gives the reasons."""

    game: str
    players: tuple[int, ...]  # drawn for each game; a number listed twice is twice as likely
    varied: float = 0.5  # share of games with random options, if the game has any
    games: int = 96  # games at once in each half
    rows: int = 9_000  # row capacity of each half
    trust: float = 0.95  # lambda of the training targets: 1 is the game's result, 0 the next prediction
    mix: float = 0.6  # value of a lead of ten points, in wins
    noise: float = 0.01  # of a choice's value; doubled in the set-up
    most: int = 64  # choices evaluated; of more, a sample
    mixed: float = 0.15  # share of games in which some seats are greedy
    lone: float = 0.0  # share of games of one net among greedy bots with the opening table
    measured: float = 0.08  # share of games of one seat without noise against greedy bots, for the curve
    before: float = 0.1  # share of positions also learnt before the choice, for searches that end there
    warm: int = 0  # the first games of each actor are played by greedy bots
    warm_seconds: float = float("inf")  # but no longer than this
    seed: int = 1


@dataclass
class SelfPlayGame:
    """A game in progress with its training data."""

    state: State
    sort: str
    seats: list[int]  # the player at each seat
    noise: float
    slips: float = 0.0  # how often greedy seats play at random
    lone: int = -1  # the seat that is measured
    deal: int = -1
    chance: Rng | None = None  # an evaluation's dice, the same for all players
    log: list[tuple[int, bytes, Floats | None]] = field(default_factory=list)


Deal = tuple[str, int, int]  # of an evaluation: its kind, the players, its number
PredictionRow = tuple[int, int, "Floats", "Floats"]  # players, deal; a seat's predictions and results
NetRequest = tuple[SelfPlayGame, int, list[int], int]  # the game, its seat, the actions, the first row


def sample_options(rules: GameRules, players: int, random: np.random.Generator) -> dict[str, object]:
    """Draw options until they are compatible."""
    while True:
        given: dict[str, object] = {}
        for option in rules.options:
            if option.kind == opt.BOOL and random.random() < 0.25:
                given[option.name] = True
            elif option.kind == opt.CHOICE and random.random() < 0.4:
                given[option.name] = str(random.choice(option.choices))
        if not opt.find_option_problems(rules.options, rules.player_counts, players, given):
            return given


class SelfPlayActor:
    """The games of one process."""

    def __init__(self, number: int, pipe: Connection, names: list[tuple[str, str]], recipe: Recipe) -> None:
        self.pipe, self.recipe, self.number = pipe, recipe, number
        self.rules = find_game(recipe.game)
        self.layout = layout_of(recipe.game)
        self.random = np.random.default_rng([recipe.seed, number])
        self.rng = Rng(int(self.random.integers(1 << 60)))
        self.sheet = RowBuffer(self.layout, recipe.rows)
        self.scratch = RowBuffer(self.layout, 1)
        self.memory = [(SharedMemory(asked), SharedMemory(predicted)) for asked, predicted in names]
        wide = self.layout.size, 2 * self.layout.seats
        self.asked = [np.ndarray((recipe.rows, wide[0]), np.uint8, m.buf) for m, _ in self.memory]
        self.predicted = [np.ndarray((recipe.rows, wide[1]), np.float32, m.buf) for _, m in self.memory]
        self.written = rows_as_array(self.sheet)
        self.started = 0
        self.began = monotonic()
        self.finished = 0  # games, of the evaluation once it has begun
        self.results: list[tuple[str, int, float, float]] = []
        self.lessons: list[tuple[bytes, Floats, Floats, list[int]]] = []
        self.predictions: list[PredictionRow] = []
        self.deals: list[Deal] | None = None  # the evaluation's

    # --- games -----------------------------------------------------------------------------------------------------

    def new_game(self) -> SelfPlayGame | None:
        """Start a game; None when the evaluation has no more."""
        if self.deals is not None:
            return self.new_evaluation_game() if self.deals else None
        recipe, random = self.recipe, self.random
        players = int(recipe.players[int(random.integers(len(recipe.players)))])
        state = self.rules.new(
            players, sample_options(self.rules, players, random) if random.random() < recipe.varied else {}
        )
        self.started += 1
        noise = recipe.noise * float(random.choice([0.5, 1.0, 2.0]))
        if self.started <= recipe.warm and monotonic() - self.began < recipe.warm_seconds:
            return SelfPlayGame(
                state, WARM_UP, [GREEDY_PLAYER] * players, 0.0, slips=float(random.choice([0.0, 0.05, 0.15, 0.4]))
            )
        lot = random.random()
        if lot < recipe.measured:
            lone = int(random.integers(players))
            return SelfPlayGame(
                state,
                TRAINING_EVALUATION,
                [NET_PLAYER if s == lone else OPENING_TABLE_PLAYER for s in range(players)],
                0.0,
                lone=lone,
            )
        if lot < recipe.measured + recipe.mixed:
            return SelfPlayGame(
                state,
                MIXED_PLAY,
                [
                    int(random.choice([NET_PLAYER, NET_PLAYER, NET_PLAYER, GREEDY_PLAYER, OPENING_TABLE_PLAYER]))
                    for _ in range(players)
                ],
                noise,
            )
        if lot < recipe.measured + recipe.mixed + recipe.lone:
            lone = int(random.integers(players))
            return SelfPlayGame(
                state, MIXED_PLAY, [NET_PLAYER if s == lone else OPENING_TABLE_PLAYER for s in range(players)], noise
            )
        return SelfPlayGame(state, SELF_PLAY, [NET_PLAYER] * players, noise)

    def new_evaluation_game(self) -> SelfPlayGame:
        """Start the next deal of the evaluation; the lone seat rotates."""
        assert self.deals is not None
        sort, players, deal = self.deals.pop()
        lone = -1 if sort == CALIBRATION_PLAY else deal % players
        seats = [NET_PLAYER if sort == CALIBRATION_PLAY or s == lone else OPENING_TABLE_PLAYER for s in range(players)]
        number = (self.recipe.seed << 40) + (players << 32) + deal // players + (1 << 50)
        options = (
            sample_options(self.rules, players, np.random.default_rng(number)) if sort == OPTIONS_EVALUATION else {}
        )
        return SelfPlayGame(
            self.rules.new(players, options), sort, seats, 0.0, lone=lone, deal=deal, chance=Rng(number)
        )

    def advance_to_net_choice(self, game: SelfPlayGame) -> bool:
        """Play until a net seat must choose (True) or the game is over."""
        state = game.state
        chance = game.chance or self.rng
        while state.actor != OVER:
            if state.actor == CHANCE:
                state.apply(state.sample_chance(chance))
                continue
            seat = int(state.actor)
            who = game.seats[seat]
            if who == NET_PLAYER:
                return True
            if game.slips and self.random.random() < game.slips:
                state.apply(state.random_action(self.rng))
            else:
                world = state.resample(seat, self.rng)
                known = world.opening_action() if who == OPENING_TABLE_PLAYER else -1
                state.apply(known if known >= 0 else best_action(world, seat, self.rng))
            if game.sort == WARM_UP and self.random.random() < 0.5:
                game.log.append((seat, encode_row(state, seat, self.scratch), None))
        return False

    def record_finished_game(self, game: SelfPlayGame) -> None:
        """The result of a game, and the training target of every recorded position."""
        self.finished += 1
        state = game.state
        players, seats = int(state.players), self.layout.seats
        won, points = np.zeros(players, np.float32), np.array(state.scores()[:players], np.float32) / 10
        winners = winning_seats(state)
        won[winners] = 1 / len(winners)
        lone = game.lone
        margin = float(10 * (points[lone] - (points.sum() - points[lone]) / (players - 1))) if lone >= 0 else 0.0
        self.results.append((game.sort, players, float(won[lone]) if lone >= 0 else 0.0, margin))
        trust = self.recipe.trust
        for seat in range(players):
            kept = [(row, predicted) for who, row, predicted in game.log if who == seat]
            order = [(seat + r) % players for r in range(players)]
            win, gain = np.zeros(seats, np.float32), np.zeros(seats, np.float32)
            win[:players], gain[:players] = won[order], points[order]
            if game.sort == CALIBRATION_PLAY:
                self.predictions += [
                    (players, game.deal, predicted[:seats], win) for _, predicted in kept if predicted is not None
                ]
                continue
            fates = state.saved_pieces(seat)
            for row, predicted in reversed(kept):
                self.lessons.append((row, win, gain, fates))
                if predicted is not None:
                    win = trust * win + (1 - trust) * predicted[:seats]
                    gain = trust * gain + (1 - trust) * predicted[seats:]

    # --- requests --------------------------------------------------------------------------------------------------

    def advance_games_and_request_predictions(self, bench: int, games: list[SelfPlayGame]) -> list[NetRequest]:
        """Play every game of a bench to the net's next choice, and request predictions."""
        asked: list[NetRequest] = []
        kept: list[SelfPlayGame] = []
        self.sheet.restart_at_first_row()
        for i, game in enumerate(games):
            if self.sheet.used > self.recipe.rows - SPARE_ROWS:
                kept = games[i:] + kept  # these come first next time
                break
            found: SelfPlayGame | None = game
            while found is not None and not self.advance_to_net_choice(found):
                self.record_finished_game(found)
                found = self.new_game()
            if found is None:
                continue
            kept.append(found)
            seat = int(found.state.actor)
            if found.noise and self.random.random() < self.recipe.before:
                found.log.append((seat, encode_row(found.state, seat, self.scratch), None))
            first = int(self.sheet.used)
            most = self.recipe.most if found.noise else SPARE_ROWS
            asked.append((found, seat, write_afterstates(found.state, seat, self.sheet, most, self.rng), first))
        games[:] = kept
        rows = int(self.sheet.used)
        self.asked[bench][:rows] = self.written[:rows]
        self.pipe.send(("rows", bench, rows, *self.take_unsent_results()))
        return asked

    def take_unsent_results(self) -> tuple[Any, ...]:
        """Finished games that were not sent yet: results, rows, and training targets."""
        results, lessons, predictions = self.results, self.lessons, self.predictions
        self.results, self.lessons, self.predictions = [], [], []
        if not lessons:
            return results, None, None, None, None, predictions
        rows = np.frombuffer(b"".join(row for row, *_ in lessons), np.uint8).reshape(len(lessons), -1)
        win, points = np.array([w for _, w, _, _ in lessons]), np.array([p for _, _, p, _ in lessons])
        return results, rows, win, points, np.array([f for *_, f in lessons], np.uint8), predictions

    def play_choices(self, bench: int, asked: list[NetRequest]) -> None:
        """Choose by the predictions."""
        seats = self.layout.seats
        for game, seat, actions, first in asked:
            predicted = self.predicted[bench][first : first + len(actions)]
            players = int(game.state.players)
            value = predicted[:, 0] + self.recipe.mix * (
                predicted[:, seats] - predicted[:, seats + 1 : seats + players].mean(1)
            )
            if game.noise:
                wide = game.noise if not game.state.is_setup() else 2 * game.noise
                value = value + wide * self.random.gumbel(size=len(actions))
            best = int(value.argmax())
            if (game.sort not in MEASURED_SORTS or game.sort == CALIBRATION_PLAY) and len(actions) > 1:
                game.log.append((seat, self.asked[bench][first + best].tobytes(), predicted[best].copy()))
            game.state.apply(actions[best])

    def run_actor(self) -> None:
        """Play until the learner stops it, then play the evaluation's deals."""
        benches = [self.start_games(self.recipe.games) for _ in range(HALVES)]
        asked = [self.advance_games_and_request_predictions(bench, benches[bench]) for bench in range(HALVES)]
        while True:
            for bench in range(HALVES):
                deals = self.pipe.recv()
                if deals is not None:
                    self.pipe.recv()  # the other bench's predictions, no longer needed
                    return self.play_evaluation(deals)
                self.play_choices(bench, asked[bench])
                asked[bench] = self.advance_games_and_request_predictions(bench, benches[bench])

    def play_evaluation(self, deals: list[Deal]) -> None:
        """Play these deals to their end: one at first, and after each that ends one more at once, so that the first
        results come soon."""
        self.deals, self.results, self.lessons, self.finished = deals, [], [], 0
        most = -(-self.recipe.games // EVALUATION_PART)
        games = self.start_games(1)
        while games:
            asked = self.advance_games_and_request_predictions(0, games)
            self.pipe.recv()
            self.play_choices(0, asked)
            games += self.start_games(min(1 + self.finished, most) - len(games))
        self.pipe.send(("done", 0, 0, *self.take_unsent_results()))

    def start_games(self, count: int) -> list[SelfPlayGame]:
        """The first games of a bench."""
        made = [self.new_game() for _ in range(count)]
        return [game for game in made if game is not None]


def run_actor_process(number: int, pipe: Connection, names: list[tuple[str, str]], recipe: Recipe) -> None:
    """The process: play until stopped; errors are sent to the learner."""
    try:
        SelfPlayActor(number, pipe, names, recipe).run_actor()
    except (KeyboardInterrupt, ConnectionError, EOFError):
        pass  # the learner has exited
    except Exception:
        pipe.send(("error", 0, 0, traceback.format_exc(), None, None, None, None, None))
