"""A process that plays games by a search with nets and records its results: the lines of each step, each with its value
after a round of rollouts. No torch; `landfall.lab.training.search_distillation` learns from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final

import numpy as np

from landfall.bots.net_search_bot import BUFFER_ROWS, MAX_CHOICES, MAX_LINE_CHOICES, NetSearchBot
from landfall.bots.search.afterstate_rows import encode_row, write_afterstates
from landfall.bots.search.one_ply_search import best_action
from landfall.bots.search.rollout_contest import LowDiscrepancyRng, roll_out_greedily
from landfall.bots.value_net import ValueNet, layout_of, load_file, rows_as_array
from landfall.core.feature_layout import RowBuffer
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, State
from landfall.games import game as find_game
from landfall.lab.training.self_play import sample_options

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

LINE_ENDS: Final = 0  # a group of final positions of a step's lines, with their rollout values
ON_THE_WAY: Final = 1  # the alternatives along the best line, each with the value of the best line through it
UNSEARCHED: Final = 2  # choices evaluated without search
PRIOR_ROLLOUTS: Final = 6  # weight of the net's estimate of a line, in rollouts
POINTS_WEIGHT: Final = 0.6  # value of a lead of ten points, in wins
MAX_BEST_CHOICES, MAX_OTHER_CHOICES = 10, 6  # of a group without search: the best ones, and some of the rest
MAX_FILE_ROWS: Final = 20_000


@dataclass(frozen=True)
class TeacherConfig:
    """How these games are played."""

    game: str
    nets: tuple[str, ...]  # files: the first net finds lines, the mean of all evaluates them
    seed: int
    seconds: float
    players: tuple[int, ...] = (4,)
    worlds: int = 4
    lines: int = 8
    plain: float = 0.75  # share of searched games at `players`, most without other options; the others vary
    options: Mapping[str, object] = field(default_factory=dict)  # of every second one of those


@dataclass
class TeacherLine:
    """A line of a step: its actions, the position they lead to, the row after each, and the first estimate."""

    state: State
    actions: list[int] = field(default_factory=list)
    rows: list[bytes] = field(default_factory=list)
    value: float = 0.0


class SearchTeacher:
    """Plays the games of one process and writes files into a folder."""

    def __init__(self, lesson: TeacherConfig, number: int, out: Path) -> None:
        self.lesson, self.number, self.out, self.files = lesson, number, out, 0
        self.rules, self.layout = find_game(lesson.game), layout_of(lesson.game)
        self.nets: list[ValueNet] = [load_file(Path(file), lesson.game) for file in lesson.nets]
        self.random = np.random.default_rng([lesson.seed, number])
        self.rng = Rng(int(self.random.integers(1 << 60)))
        self.sheet, self.ends, self.one = (
            RowBuffer(self.layout, BUFFER_ROWS),
            RowBuffer(self.layout, BUFFER_ROWS),
            RowBuffer(self.layout, 1),
        )
        self.over = NetSearchBot(mix=POINTS_WEIGHT).final_value
        self.rows: list[bytes] = []
        self.found: list[list[float]] = []  # by row: the means over even and odd worlds
        self.groups: list[tuple[int, int, int]] = []  # number of rows, kind of group, number of players
        self.until = 0.0

    def run(self) -> None:
        """Play until time is up; an interrupted game counts as far as it went."""
        self.until = monotonic() + self.lesson.seconds
        while monotonic() < self.until:
            self.play_game()
            if len(self.rows) > MAX_FILE_ROWS:
                self.save_new_groups()
        self.save_new_groups()

    def save_new_groups(self) -> None:
        """Save the groups found since the last call."""
        if not self.groups:
            return
        rows = np.frombuffer(b"".join(self.rows), np.uint8).reshape(-1, self.layout.size)
        path = self.out / f"part-{self.number}-{self.files}.npz"
        np.savez(path, rows=rows, found=np.array(self.found, np.float32), groups=np.array(self.groups, np.uint8))
        self.files += 1
        self.rows, self.found, self.groups = [], [], []

    def add_group(self, rows: list[bytes], found: list[list[float]], sort: int, players: int) -> None:
        """Add a group."""
        self.rows += rows
        self.found += found
        self.groups.append((len(rows), sort, players))

    # --- games -----------------------------------------------------------------------------------------------------

    def play_game(self) -> None:
        """Play one game: a searching seat among greedy ones with the opening table, or a mix of players."""
        lesson, random = self.lesson, self.random
        plain = random.random() < lesson.plain
        counts = lesson.players if plain or random.random() < 0.3 else self.rules.player_counts
        players = int(random.choice(counts))
        if plain and lesson.options and random.random() < 0.5:
            given = dict(lesson.options)
        else:
            given = sample_options(self.rules, players, random) if random.random() < (0.1 if plain else 0.5) else {}
        state = self.rules.new(players, given)
        own = "search" if plain or random.random() < 0.1 else "net"
        others = ["greedy"] if random.random() < 0.6 else [own, "net", "net", "greedy"]
        me = int(random.integers(players))
        seats = [own if seat == me else str(random.choice(others)) for seat in range(players)]
        while state.actor != OVER and monotonic() < self.until:
            if state.actor == CHANCE:
                state.apply(state.sample_chance(self.rng))
            elif seats[int(state.actor)] == "greedy":
                world = state.resample(int(state.actor), self.rng)
                known = world.opening_action()
                state.apply(known if known >= 0 else best_action(world, state.actor, self.rng))
            elif seats[int(state.actor)] == "net" or state.is_setup():
                self.play_choice_by_net(state)
            else:
                self.play_line(state, self.search_step_and_record_lines(state))

    def play_choice_by_net(self, state: State) -> None:
        """Choose by the first net with a little noise; record some of the choices."""
        actions, value = self.evaluate_and_record_choices(state)
        noise = 0.006 * self.random.gumbel(size=len(actions))
        state.apply(actions[int((value + noise).argmax())])

    def evaluate_and_record_choices(self, state: State) -> tuple[list[int], Floats]:
        """Evaluate all choices by the first net and record a group of them."""
        seat, players = int(state.actor), int(state.players)
        self.sheet.restart_at_first_row()
        actions = write_afterstates(state.resample(seat, self.rng), seat, self.sheet, MAX_CHOICES, self.rng)
        if len(actions) == 1:
            return actions, np.zeros(1, np.float32)
        rows = rows_as_array(self.sheet)[: len(actions)]
        value = self.nets[0].score_rows(rows, players, POINTS_WEIGHT)[1]
        order = np.argsort(-value)
        rest = order[MAX_BEST_CHOICES:]
        drawn = self.random.choice(rest, min(MAX_OTHER_CHOICES, len(rest)), replace=False) if len(rest) else rest
        kept = [rows[i].tobytes() for i in (*order[:MAX_BEST_CHOICES], *drawn)]
        self.add_group(kept, [[np.nan, np.nan]] * len(kept), UNSEARCHED, players)
        return actions, value

    def play_line(self, state: State, line: TeacherLine) -> None:
        """Play a line while the positions are as expected."""
        seat = int(state.actor)
        for i, action in enumerate(line.actions):
            if i > 0:
                if state.actor != seat or action not in state.legal_actions():
                    return
                self.evaluate_and_record_choices(state)
            state.apply(action)
            if encode_row(state, seat, self.one) != line.rows[i]:
                return

    # --- searching -------------------------------------------------------------------------------------------------

    def search_step_and_record_lines(self, state: State) -> TeacherLine:
        """The line of this step to play: the best, or sometimes another, to explore. All lines are recorded."""
        seat, players, worlds = int(state.actor), int(state.players), self.lesson.worlds
        world = state.resample(seat, self.rng)
        lines = self.find_best_lines(world, seat)
        if len(lines) == 1:
            return lines[0]
        gave = self.roll_out_lines(world, seat, lines)
        self.add_group([line.rows[-1] for line in lines], means_of_even_and_odd_worlds(gave), LINE_ENDS, players)
        estimates, mean = np.array([line.value for line in lines]), gave.mean(1)
        worth = (PRIOR_ROLLOUTS * (estimates - estimates.mean()) + worlds * (mean - mean.mean())) / (
            PRIOR_ROLLOUTS + worlds
        )
        best = lines[int(worth.argmax())]
        if any(len(line.actions) > 1 for line in lines):
            self.add_groups_along_best_line(lines, best, (worth + mean.mean()).tolist(), players)
        return lines[int(self.random.integers(len(lines)))] if self.random.random() < 0.1 else best

    def add_groups_along_best_line(
        self, lines: list[TeacherLine], best: TeacherLine, worth: list[float], players: int
    ) -> None:
        """At each position along the best line: the choices there, and the best value that each leads to."""
        for deep in range(len(best.actions)):
            rows: dict[int, bytes] = {}
            most: dict[int, float] = {}
            for line, value in zip(lines, worth, strict=True):
                if line.actions[:deep] == best.actions[:deep] and len(line.actions) > deep:
                    action = line.actions[deep]
                    rows.setdefault(action, line.rows[deep])
                    most[action] = max(value, most.get(action, value))
            if len(rows) > 1:
                self.add_group(list(rows.values()), [[value, value] for value in most.values()], ON_THE_WAY, players)

    def find_best_lines(self, world: State, seat: int) -> list[TeacherLine]:
        """The best lines of this step by the mean of all nets, as in `landfall.bots.net_search_bot`."""
        mark = world.step_key()
        going, done = [TeacherLine(world)], []
        for _ in range(MAX_LINE_CHOICES):
            found = self.extend_lines(going, seat)
            going = [line for line in found if line.state.actor == seat and line.state.step_key() == mark]
            done += [line for line in found if line not in going]
            if not going:
                break
        different = {line.rows[-1]: line for line in sorted(done + going, key=lambda line: line.value)}
        return sorted(different.values(), key=lambda line: -line.value)[: self.lesson.lines]

    def extend_lines(self, lines: list[TeacherLine], seat: int) -> list[TeacherLine]:
        """The best extensions of these lines by one choice, without duplicates."""
        self.sheet.restart_at_first_row()
        tried: list[tuple[TeacherLine, int]] = []
        for line in lines:
            if int(self.sheet.used) + MAX_CHOICES <= BUFFER_ROWS:
                tried += [(line, a) for a in write_afterstates(line.state, seat, self.sheet, MAX_CHOICES, self.rng)]
        rows, players = rows_as_array(self.sheet)[: len(tried)], int(lines[0].state.players)
        value = self.nets[0].score_rows(rows, players, POINTS_WEIGHT)[1]
        order = np.argsort(-value)[: 3 * self.lesson.lines]
        value[order] = self.predict_mean_of_nets(np.ascontiguousarray(rows[order]), players)
        found: dict[bytes, TeacherLine] = {}
        for i in sorted(order, key=lambda i: -value[i]):
            row, (line, action) = rows[i].tobytes(), tried[i]
            if row not in found and len(found) < self.lesson.lines:
                after = line.state.copy()
                after.apply(action)
                found[row] = TeacherLine(after, [*line.actions, action], [*line.rows, row], float(value[i]))
        return list(found.values())

    def roll_out_lines(self, world: State, seat: int, lines: list[TeacherLine]) -> Floats:
        """The nets' values a round later, by line and world; each world and its dice are the same for all lines."""
        players, chance = int(world.players), LowDiscrepancyRng(int(self.rng.randbelow(1 << 30)))
        gave = np.zeros((len(lines), self.lesson.worlds), np.float32)
        judged: list[tuple[int, int]] = []
        self.ends.restart_at_first_row()
        for number in range(self.lesson.worlds):
            other, seed = world.resample(seat, self.rng), int(self.rng.randbelow(1 << 30))
            for i, line in enumerate(lines):
                end = other.copy()
                mark = end.turn_key()
                chance.begin_round(number)
                for action in line.actions:
                    end.apply(action)
                roll_out_greedily(end, players, mark, chance, Rng(seed))
                if end.actor == OVER:
                    gave[i, number] = self.over(end, seat)
                else:
                    end.write_features(seat, self.ends)
                    judged.append((i, number))
        if judged:
            predicted = self.predict_mean_of_nets(rows_as_array(self.ends)[: len(judged)], players)
            for at, value in zip(judged, predicted, strict=True):
                gave[at] = value
        return gave

    def predict_mean_of_nets(self, rows: NDArray[np.uint8], players: int) -> Floats:
        """The mean of the nets' values."""
        mean: Floats = np.mean([net.score_rows(rows, players, POINTS_WEIGHT)[1] for net in self.nets], 0)
        return mean


def means_of_even_and_odd_worlds(gave: Floats) -> list[list[float]]:
    """By line: the mean over the even worlds, and over the odd ones."""
    found: list[list[float]] = np.stack([gave[:, 0::2].mean(1), gave[:, 1::2].mean(1)], 1).tolist()
    return found


def run_teacher(lesson: TeacherConfig, number: int, out: Path) -> None:
    """Run a teacher process."""
    SearchTeacher(lesson, number, out).run()
