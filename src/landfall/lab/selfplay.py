"""A process that plays many games at once for training, without torch: it lists what each choice leads to, asks the
learner for its judgement over shared memory, chooses, and sends finished games with what the net should have said."""

from __future__ import annotations

import traceback
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.shared_memory import SharedMemory
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from landfall.bots.judge import layout_of, written
from landfall.bots.search import best_action
from landfall.bots.search_after import afterstates, one_row
from landfall.core import options as opt
from landfall.core.layout import Sheet
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, State
from landfall.games import game as find_game
from landfall.games import part
from landfall.lab.sim import best_seats

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from landfall.core.game import Game as GameRules

    Floats = NDArray[np.float32]

NET: Final = 0
GREEDY: Final = 1
TABLED: Final = 2  # greedy that places by the game's table of openings, where there is one
SELF: Final = "self"
MIXED: Final = "mixed"
WARM: Final = "warm"
EVALUATION: Final = "evaluation"  # for the curve, along with training
FINAL: Final = "final"  # after it, one net against greedy ones
VARIED: Final = "varied"  # the same with options
ALONE: Final = "alone"  # the net at every seat without noise, to see whether its chances come true
MEASURED: Final = (EVALUATION, FINAL, VARIED, ALONE)
ROOM: Final = 2048  # rows kept free: no game has more choices that are looked at
BENCHES: Final = 2  # halves of an actor's games: one is judged while the other is played


@dataclass(frozen=True)
class Recipe:
    """How games are played and what is learnt from them; `docs/training.md` says why so."""

    game: str
    players: tuple[int, ...]  # drawn for each game; a number named twice is twice as likely
    varied: float = 0.5  # games with options drawn at random, where the game has any
    games: int = 96  # at once, on each bench
    rows: int = 9_000  # a bench's room for what is to be judged
    trust: float = 0.95  # lambda: how far a later position's worth is what came of it, not what was thought of it
    mix: float = 0.6  # what ten points more than the others count beside the chance to win
    noise: float = 0.01  # of a choice's value; twice that while the game is set up
    most: int = 64  # choices looked at, drawn from more
    mixed: float = 0.15  # games in which some seats are greedy
    lone: float = 0.0  # games of one net among greedy ones that place by the table
    measured: float = 0.08  # games of one seat without noise against greedy ones, for the curve
    before: float = 0.1  # positions also learnt as they are before the choice, for searches that end there
    warm: int = 0  # the first games of each actor are greedy ones, to begin with some sense
    seed: int = 1


@dataclass
class Game:
    """A game under way, and what is to be learnt from it."""

    state: State
    sort: str
    seats: list[int]  # who plays each
    noise: float
    slips: float = 0.0  # of greedy seats: how often they play anything
    lone: int = -1  # the seat measured
    deal: int = -1
    chance: Rng | None = None  # an evaluation's dice, the same whoever plays
    log: list[tuple[int, bytes, Floats | None]] = field(default_factory=list)


Deal = tuple[str, int, int]  # of the evaluation: its sort, the players, its number
Foretold = tuple[int, int, "Floats", "Floats"]  # players, deal; a seat's chances as it was told them, what came of it
Question = tuple[Game, int, list[int], int]  # whose choice, which seat's, among what, its first row


def some_options(rules: GameRules, players: int, random: np.random.Generator) -> dict[str, object]:
    """Options drawn until they go together."""
    while True:
        given: dict[str, object] = {}
        for option in rules.options:
            if option.kind == opt.BOOL and random.random() < 0.25:
                given[option.name] = True
            elif option.kind == opt.CHOICE and random.random() < 0.4:
                given[option.name] = str(random.choice(option.choices))
        if not opt.problems(rules.options, rules.counts, players, given):
            return given


class Actor:
    """The games of one process."""

    def __init__(self, number: int, pipe: Connection, names: list[tuple[str, str]], recipe: Recipe) -> None:
        self.pipe, self.recipe, self.number = pipe, recipe, number
        self.rules = find_game(recipe.game)
        self.layout = layout_of(recipe.game)
        self.fates = getattr(part(recipe.game, "features"), "fates", None)
        self.random = np.random.default_rng([recipe.seed, number])
        self.rng = Rng(int(self.random.integers(1 << 60)))
        self.sheet = Sheet(self.layout, recipe.rows)
        self.scratch = Sheet(self.layout, 1)
        self.memory = [(SharedMemory(asked), SharedMemory(told)) for asked, told in names]
        wide = self.layout.size, 2 * self.layout.seats
        self.asked = [np.ndarray((recipe.rows, wide[0]), np.uint8, m.buf) for m, _ in self.memory]
        self.told = [np.ndarray((recipe.rows, wide[1]), np.float32, m.buf) for _, m in self.memory]
        self.written = written(self.sheet)
        self.started = 0
        self.results: list[tuple[str, int, float, float]] = []
        self.lessons: list[tuple[bytes, Floats, Floats, list[int]]] = []
        self.foretold: list[Foretold] = []
        self.deals: list[Deal] | None = None  # the evaluation's

    # --- games -----------------------------------------------------------------------------------------------------

    def new_game(self) -> Game | None:
        """One more game to play; None when the evaluation has no more."""
        if self.deals is not None:
            return self.new_evaluation() if self.deals else None
        recipe, random = self.recipe, self.random
        players = int(recipe.players[int(random.integers(len(recipe.players)))])
        state = self.rules.new(
            players, some_options(self.rules, players, random) if random.random() < recipe.varied else {}
        )
        self.started += 1
        noise = recipe.noise * float(random.choice([0.5, 1.0, 2.0]))
        if self.started <= recipe.warm:
            return Game(state, WARM, [GREEDY] * players, 0.0, slips=float(random.choice([0.0, 0.05, 0.15, 0.4])))
        lot = random.random()
        if lot < recipe.measured:
            lone = int(random.integers(players))
            return Game(state, EVALUATION, [NET if s == lone else TABLED for s in range(players)], 0.0, lone=lone)
        if lot < recipe.measured + recipe.mixed:
            return Game(
                state, MIXED, [int(random.choice([NET, NET, NET, GREEDY, TABLED])) for _ in range(players)], noise
            )
        if lot < recipe.measured + recipe.mixed + recipe.lone:
            lone = int(random.integers(players))
            return Game(state, MIXED, [NET if s == lone else TABLED for s in range(players)], noise)
        return Game(state, SELF, [NET] * players, noise)

    def new_evaluation(self) -> Game:
        """The next deal of the evaluation, the lone seat another each time."""
        assert self.deals is not None
        sort, players, deal = self.deals.pop()
        lone = -1 if sort == ALONE else deal % players
        seats = [NET if sort == ALONE or s == lone else TABLED for s in range(players)]
        number = (self.recipe.seed << 40) + (players << 32) + deal // players + (1 << 50)
        options = some_options(self.rules, players, np.random.default_rng(number)) if sort == VARIED else {}
        return Game(self.rules.new(players, options), sort, seats, 0.0, lone=lone, deal=deal, chance=Rng(number))

    def advance(self, game: Game) -> bool:
        """Play on until the net is asked (True) or the game is over."""
        state = game.state
        chance = game.chance or self.rng
        while state.actor != OVER:
            if state.actor == CHANCE:
                state.apply(state.draw(chance))
                continue
            seat = int(state.actor)
            who = game.seats[seat]
            if who == NET:
                return True
            if game.slips and self.random.random() < game.slips:
                state.apply(state.random_action(self.rng))
            else:
                world = state.resample(seat, self.rng)
                known = world.opening() if who == TABLED else -1
                state.apply(known if known >= 0 else best_action(world, seat, self.rng))
            if game.sort == WARM and self.random.random() < 0.5:
                game.log.append((seat, one_row(state, seat, self.scratch), None))
        return False

    def finish(self, game: Game) -> None:
        """What came of a game, and for every position kept what the net should have said of it."""
        state = game.state
        players, seats = int(state.players), self.layout.seats
        won, points = np.zeros(players, np.float32), np.array(state.scores()[:players], np.float32) / 10
        winners = best_seats(state)
        won[winners] = 1 / len(winners)
        lone = game.lone
        margin = float(10 * (points[lone] - (points.sum() - points[lone]) / (players - 1))) if lone >= 0 else 0.0
        self.results.append((game.sort, players, float(won[lone]) if lone >= 0 else 0.0, margin))
        trust = self.recipe.trust
        for seat in range(players):
            kept = [(row, told) for who, row, told in game.log if who == seat]
            order = [(seat + r) % players for r in range(players)]
            win, gain = np.zeros(seats, np.float32), np.zeros(seats, np.float32)
            win[:players], gain[:players] = won[order], points[order]
            if game.sort == ALONE:
                self.foretold += [(players, game.deal, told[:seats], win) for _, told in kept if told is not None]
                continue
            fates = self.fates(state, seat) if self.fates else []
            for row, told in reversed(kept):
                self.lessons.append((row, win, gain, fates))
                if told is not None:
                    win = trust * win + (1 - trust) * told[:seats]
                    gain = trust * gain + (1 - trust) * told[seats:]

    # --- asking ----------------------------------------------------------------------------------------------------

    def ask(self, bench: int, games: list[Game]) -> list[Question]:
        """Play every game of a bench on to the net's next choice, and ask for its judgement."""
        asked: list[Question] = []
        kept: list[Game] = []
        self.sheet.clear()
        for i, game in enumerate(games):
            if self.sheet.used > self.recipe.rows - ROOM:
                kept = games[i:] + kept  # these come first next time
                break
            found: Game | None = game
            while found is not None and not self.advance(found):
                self.finish(found)
                found = self.new_game()
            if found is None:
                continue
            kept.append(found)
            seat = int(found.state.actor)
            if found.noise and self.random.random() < self.recipe.before:
                found.log.append((seat, one_row(found.state, seat, self.scratch), None))
            first = int(self.sheet.used)
            most = self.recipe.most if found.noise else ROOM
            asked.append((found, seat, afterstates(found.state, seat, self.sheet, most, self.rng), first))
        games[:] = kept
        rows = int(self.sheet.used)
        self.asked[bench][:rows] = self.written[:rows]
        self.pipe.send(("rows", bench, rows, *self.harvest()))
        return asked

    def harvest(self) -> tuple[Any, ...]:
        """What is finished and not yet sent: results, rows, and what should have been said of them."""
        results, lessons, foretold = self.results, self.lessons, self.foretold
        self.results, self.lessons, self.foretold = [], [], []
        if not lessons:
            return results, None, None, None, None, foretold
        rows = np.frombuffer(b"".join(row for row, *_ in lessons), np.uint8).reshape(len(lessons), -1)
        win, points = np.array([w for _, w, _, _ in lessons]), np.array([p for _, _, p, _ in lessons])
        return results, rows, win, points, np.array([f for *_, f in lessons], np.uint8), foretold

    def answer(self, bench: int, asked: list[Question]) -> None:
        """Choose by what was told."""
        seats = self.layout.seats
        for game, seat, actions, first in asked:
            told = self.told[bench][first : first + len(actions)]
            players = int(game.state.players)
            value = told[:, 0] + self.recipe.mix * (told[:, seats] - told[:, seats + 1 : seats + players].mean(1))
            if game.noise:
                wide = game.noise if not game.state.setting_up() else 2 * game.noise
                value = value + wide * self.random.gumbel(size=len(actions))
            best = int(value.argmax())
            if (game.sort not in MEASURED or game.sort == ALONE) and len(actions) > 1:
                game.log.append((seat, self.asked[bench][first + best].tobytes(), told[best].copy()))
            game.state.apply(actions[best])

    def run(self) -> None:
        """Until the learner says it is enough; then the deals of the evaluation it hands out."""
        benches = [self.first_games() for _ in range(BENCHES)]
        asked = [self.ask(bench, benches[bench]) for bench in range(BENCHES)]
        while True:
            for bench in range(BENCHES):
                deals = self.pipe.recv()
                if deals is not None:
                    self.pipe.recv()  # the other bench's judgement, no longer needed
                    return self.evaluate(deals)
                self.answer(bench, asked[bench])
                asked[bench] = self.ask(bench, benches[bench])

    def evaluate(self, deals: list[Deal]) -> None:
        """Play these deals to their end."""
        self.deals, self.results, self.lessons = deals, [], []
        games = self.first_games()
        while games:
            asked = self.ask(0, games)
            self.pipe.recv()
            self.answer(0, asked)
        self.pipe.send(("done", 0, 0, *self.harvest()))

    def first_games(self) -> list[Game]:
        """A bench's games at the beginning."""
        made = [self.new_game() for _ in range(self.recipe.games)]
        return [game for game in made if game is not None]


def act(number: int, pipe: Connection, names: list[tuple[str, str]], recipe: Recipe) -> None:
    """The process: play until told to stop; what goes wrong is told before it ends."""
    try:
        Actor(number, pipe, names, recipe).run()
    except (KeyboardInterrupt, ConnectionError, EOFError):
        pass  # the learner has gone
    except Exception:
        pipe.send(("error", 0, 0, traceback.format_exc(), None, None, None, None, None))
