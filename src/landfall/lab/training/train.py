"""Training by self-play: actor processes feed one learner, which predicts for them and learns from their games.

Beside the net (FILE.npz) are its checkpoint (FILE.pt), from which the next call resumes, and the curve (FILE.csv).
A command takes the time it was given: the last part of it measures the net.
"""

from __future__ import annotations

import argparse
import csv
import functools
import multiprocessing as mp
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import landfall
from landfall.bots.net_inputs import NetInputs
from landfall.bots.value_net import layout_of, load_file
from landfall.core.errors import LandfallError
from landfall.games import GAME_NAMES, has_game_module
from landfall.games import game as find_game
from landfall.lab.command_progress import ProgressReport
from landfall.lab.experiments.simulation import wilson_interval
from landfall.lab.training.self_play import (
    CALIBRATION_PLAY,
    FINAL_EVALUATION,
    HALVES,
    OPTIONS_EVALUATION,
    TRAINING_EVALUATION,
    Deal,
    PredictionRow,
    Recipe,
    run_actor_process,
)
from landfall.optional_dependencies import require_extra

if TYPE_CHECKING:
    import numpy as np
    import torch

    from landfall.lab.training.net_calibration import Decile
    from landfall.lab.training.torch_net import TorchNet

CURVE_COLUMNS: Final = (
    "seconds",
    "games",
    "positions",
    "steps",
    "judged",
    "rate",
    "loss",
    "measured",
    "wins",
    "margin",
)


EVALUATION_SHARE: Final = 0.25  # of a run's time, to measure the net
MIN_EVALUATION_S: Final = 60.0  # but no more than half of a run
MAX_EVALUATION_S: Final = 180.0
WARM_UP_SHARE: Final = 0.2  # of a run's time, at most
REQUEST_WAIT_S: Final = 1.0  # so that time is looked at in between
# Sizes for a GPU are those of Recipe and Schedule; a CPU learns from fewer games at once, and more often.
WARM_GAMES: Final = 4000
CPU_SIZES: Final[dict[str, Any]] = {"games": 24, "window": 200_000, "batch": 512, "every": 4_000, "warm": 300}


def evaluation_duration_s(seconds: float) -> float:
    """How much of a run's time measures the net."""
    return min(max(EVALUATION_SHARE * seconds, MIN_EVALUATION_S), MAX_EVALUATION_S, seconds / 2)


class TrainError(LandfallError):
    """Training cannot continue, with the reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, "error.train", {"reason": reason})


@dataclass(frozen=True)
class Schedule:
    """The duration and the rate of learning."""

    seconds: float
    actors: int
    most_games: int = 0  # stop after that many; 0: only by time
    every: int = 100_000  # new positions between two rounds of learning
    fill: int = 0  # and before the first of a run: learning from few games would overfit
    reuse: float = 4.0  # how often a position is learnt from, on average
    window: int = 2_000_000  # positions in the replay window
    batch: int = 8192
    rate: float = 1e-3
    cool: float = 0.5  # last part of the run, in which the rate falls to zero
    average: float = 0.999  # decay of the weights' moving average, which makes the predictions
    sizes: tuple[int, int, int, int] = (96, 64, 256, 128)
    evaluation: int = 400  # games per number of players at the end
    alone: int = 0  # games of the net against itself, to fit its calibration
    device: str = ""  # "": a GPU if there is one


@dataclass
class Progress:
    """The progress over all runs."""

    seconds: float = 0.0
    games: int = 0
    positions: int = 0
    steps: int = 0
    judged: int = 0
    curve: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class EvaluationResult:
    """The evaluation's result for one number of players, with or without options."""

    sort: str
    players: int
    games: int
    share: float
    low: float
    high: float
    margin: float


class ReplayWindow:
    """The replay window: the newest positions, in one tensor on the device."""

    def __init__(self, room: int, size: int, seats: int, pieces: int, device: str) -> None:
        import torch

        self.room, self.used, self.next = room, 0, 0
        self.rows = torch.zeros(room, size, dtype=torch.uint8, device=device)
        self.win = torch.zeros(room, seats, device=device)
        self.points = torch.zeros(room, seats, device=device)
        self.fates = torch.zeros(room, pieces, dtype=torch.uint8, device=device)

    def add(self, rows: np.ndarray, win: np.ndarray, points: np.ndarray, fates: np.ndarray) -> None:
        """Overwrite the oldest positions with new ones."""
        import torch

        at = (torch.arange(len(rows)) + self.next) % self.room
        at = at.to(self.rows.device)
        for mine, given in ((self.rows, rows), (self.win, win), (self.points, points), (self.fates, fates)):
            if given.shape[1]:
                mine[at] = torch.from_numpy(given).to(mine.device)
        self.next = (self.next + len(rows)) % self.room
        self.used = min(self.room, self.used + len(rows))

    def sample_positions(self, many: int, chance: torch.Generator) -> list[torch.Tensor]:
        """Sample that many positions."""
        import torch

        at = torch.randint(self.used, (many,), generator=chance, device=self.rows.device)
        return [self.rows[at], self.win[at], self.points[at], self.fates[at].float()]


class Trainer:
    """The learner: one net, its actors, and their games."""

    def __init__(
        self, out: Path, recipe: Recipe, schedule: Schedule, say: Callable[[str], None], began: float | None = None
    ) -> None:
        require_extra("train", "torch")
        import torch

        from landfall.lab.training.torch_net import TorchNet

        self.torch, self.out, self.recipe, self.schedule, self.say = torch, out, recipe, schedule, say
        self.device = schedule.device or ("cuda" if torch.cuda.is_available() else "cpu")
        torch.manual_seed(recipe.seed)
        torch.backends.cuda.matmul.allow_tf32 = True
        self.layout = layout = layout_of(recipe.game)
        inputs = NetInputs(layout)
        self.net: TorchNet = TorchNet(inputs, schedule.sizes).to(self.device)
        self.average: TorchNet = TorchNet(inputs, schedule.sizes).to(self.device)  # predicts, and is saved
        self.average.load_state_dict(self.net.state_dict())
        # Calibration by number of players: the exponent of the win probabilities, and the correction of the seat's own.
        self.sureness, self.modesty = [1.0] * (layout.seats + 1), [0.0] * (layout.seats + 1)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=schedule.rate)
        self.progress = Progress()
        if out.with_suffix(".pt").exists():
            self.resume()
        self.chance = torch.Generator(self.device).manual_seed(recipe.seed + self.progress.steps)
        self.window = ReplayWindow(
            schedule.window, layout.size, layout.seats, layout.seats * layout.pieces, self.device
        )
        self.fresh = 0  # positions not yet learnt from
        self.pending: list[tuple[np.ndarray, ...]] = []  # the same as arrays
        self.results: list[tuple[str, int, float, float]] = []
        self.predictions: list[PredictionRow] = []
        self.last = monotonic()
        self.began = self.last if began is None else began
        self.learn_until = (
            self.began + schedule.seconds - (evaluation_duration_s(schedule.seconds) if schedule.evaluation else 0)
        )
        self.stop_at = self.began + schedule.seconds if schedule.seconds else float("inf")
        self.first_games = self.progress.games
        self.state = "the first games"  # for the progress report

    # --- checkpoints -----------------------------------------------------------------------------------------------

    def resume(self) -> None:
        """Resume from the checkpoint."""
        path = self.out.with_suffix(".pt")
        found = self.torch.load(path, map_location=self.device, weights_only=True)
        if found["layout"] != self.layout.digest() or tuple(found["sizes"]) != self.schedule.sizes:
            raise TrainError(f"{str(path)!r} is a net of other features or sizes; name another --out")
        self.net.load_state_dict(found["net"])
        self.average.load_state_dict(found.get("average", found["net"]))
        self.optimizer.load_state_dict(found["optimizer"])
        self.progress = Progress(**found["progress"])
        if not self.schedule.seconds and self.out.with_suffix(".npz").exists():
            known = load_file(self.out.with_suffix(".npz"), self.recipe.game)
            self.sureness, self.modesty = known.sureness.tolist(), known.modesty.tolist()
        self.say(f"goes on after {self.progress.games:,} games, {self.progress.seconds:.0f} s")

    def save(self) -> None:
        """Save checkpoint, net and curve atomically."""
        self.progress.seconds += monotonic() - self.last
        self.last = monotonic()
        self.out.parent.mkdir(parents=True, exist_ok=True)
        kept = {
            "layout": self.layout.digest(),
            "sizes": list(self.schedule.sizes),
            "net": self.net.state_dict(),
            "average": self.average.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "progress": asdict(self.progress),
        }
        aside = self.out.with_suffix(".new.npz")
        self.torch.save(kept, aside)
        aside.replace(self.out.with_suffix(".pt"))
        self.average.save(aside, self.sureness, self.modesty)
        aside.replace(self.out.with_suffix(".npz"))
        with self.out.with_suffix(".csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, CURVE_COLUMNS)
            writer.writeheader()
            writer.writerows(self.progress.curve)

    # --- learning --------------------------------------------------------------------------------------------------

    def elapsed_share(self) -> float:
        """The elapsed share of this run; a run of no time only evaluates."""
        if not self.schedule.seconds:
            return 1.0
        parts = [(monotonic() - self.began) / (self.learn_until - self.began)]
        if self.schedule.most_games:
            parts.append((self.progress.games - self.first_games) / self.schedule.most_games)
        return max(parts)

    def learn(self) -> None:
        """Take as many steps as the new positions allow."""
        import numpy as np

        from landfall.lab.training.torch_net import compute_losses

        schedule = self.schedule
        self.state = "learning" if self.state == "the first games" else self.state
        self.window.add(*(np.concatenate([lot[i] for lot in self.pending]) for i in range(4)))
        self.pending = []
        rate = schedule.rate * min(1.0, max(0.02, (1 - self.elapsed_share()) / schedule.cool if schedule.cool else 1.0))
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        steps = max(1, int(self.fresh * schedule.reuse / schedule.batch))
        for step in range(steps):
            if step and monotonic() > self.learn_until:
                break
            found = compute_losses(self.net, *self.window.sample_positions(schedule.batch, self.chance))
            self.optimizer.zero_grad(set_to_none=True)
            self.torch.stack(found).sum().backward()
            self.torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
            self.optimizer.step()
            self.progress.steps += 1
            self.update_average()
            self.show_progress()
        self.fresh = 0
        self.record_curve_row(rate, [float(x.detach()) for x in found])

    def update_average(self) -> None:
        """Move the average towards the current weights: faster at first."""
        steps = self.progress.steps
        left = min(self.schedule.average, steps / (steps + 10))
        for mean, now in zip(self.average.parameters(), self.net.parameters(), strict=True):
            mean.data.lerp_(now.data, 1 - left)

    def record_curve_row(self, rate: float, losses: list[float]) -> None:
        """Add a line to the curve, and say where training is."""
        played = [r for r in self.results if r[0] == TRAINING_EVALUATION]
        self.results = []
        by_players = Counter(players for _, players, _, _ in played)
        shares = " ".join(
            f"{n}:{100 * sum(w for _, p, w, _ in played if p == n) / by_players[n]:.0f}%" for n in sorted(by_players)
        )
        done = self.progress
        row = {
            "seconds": round(done.seconds + monotonic() - self.last, 1),
            "games": done.games,
            "positions": done.positions,
            "steps": done.steps,
            "judged": done.judged,
            "rate": f"{rate:.2g}",
            "loss": "/".join(f"{x:.3f}" for x in losses),
            "measured": len(played),
            "wins": shares,
            "margin": round(sum(m for *_, m in played) / len(played), 2) if played else "",
        }
        done.curve.append(row)
        self.state = f"learning, loss {sum(losses):.3f}" + (f", won against greedy {shares}" if shares else "")

    def show_progress(self) -> None:
        """Show the time that has passed, and what was done in it."""
        done, now = self.progress, min(monotonic() - self.began, self.bar.total)
        self.bar.update(now, f"{done.games:,} games, {done.positions:,} positions, {done.steps:,} steps; {self.state}")

    # --- predictions -----------------------------------------------------------------------------------------------

    def predict(self, asked: list[np.ndarray]) -> np.ndarray:
        """Predict win probabilities and points of all these rows."""
        torch = self.torch
        with torch.inference_mode():
            rows = torch.cat([torch.from_numpy(rows).to(self.device) for rows in asked])
            predicted = []
            for part in rows.split(32_768):
                win, points, _, _ = self.average(part)
                predicted.append(torch.cat([torch.softmax(win, 1), points], 1))
            return torch.cat(predicted).cpu().numpy()  # type: ignore[no-any-return]

    def receive_games(self, harvest: list[Any]) -> None:
        """Receive an actor's finished games."""
        results, rows, win, points, fates, predictions = harvest
        self.results += results
        self.predictions += predictions
        self.progress.games += sum(
            1 for r in results if r[0] not in (FINAL_EVALUATION, OPTIONS_EVALUATION, CALIBRATION_PLAY)
        )
        if rows is not None:
            self.pending.append((rows, win, points, fates))
            self.fresh += len(rows)
            self.progress.positions += len(rows)

    def run(self) -> list[EvaluationResult]:
        """Train for the given time, save, evaluate."""
        title, seconds = self.recipe.game, self.schedule.seconds
        with ProgressReport(title, seconds, timed=True) as self.bar, self.start_actors() as crew:
            saved = monotonic()
            while self.elapsed_share() < 1:
                self.serve_actors(crew)
                if self.fresh >= max(self.schedule.every, 0 if self.window.used else self.schedule.fill):
                    self.learn()
                if monotonic() - saved > 60:
                    self.save()
                    saved = monotonic()
            if self.fresh:
                self.learn()
            self.save()
            self.average.round_weights()
            found = self.evaluate(crew)
            self.fit_calibration()
            self.save()
            return found

    def start_actors(self) -> ActorPool:
        return ActorPool(self.recipe, self.schedule.actors)

    def serve_actors(self, crew: ActorPool, deals: dict[int, list[Deal]] | None = None) -> None:
        """Predict for all waiting actors; with `deals` they play those instead."""
        asked = list(crew.wait_for_requests())
        self.show_progress()
        for _, _, _, harvest in asked:
            self.receive_games(harvest)
        orders = [deals.pop(actor, None) if deals else None for actor, _, _, _ in asked]
        wanted = [(a, b, n) for (a, b, n, _), order in zip(asked, orders) if n and order is None]
        if wanted:
            predicted = self.predict([crew.asked[a][b][:n] for a, b, n in wanted])
            first = 0
            for actor, bench, rows in wanted:
                crew.predicted[actor][bench][:rows] = predicted[first : first + rows]
                first += rows
            self.progress.judged += first
        for (actor, _, _, _), order in zip(asked, orders):
            if actor not in crew.done:
                crew.pipes[actor].send(order)

    def evaluate(self, crew: ActorPool) -> list[EvaluationResult]:
        """Play games of one net against greedy bots with the opening table, at each number of players, while there is
        time."""
        counts = sorted(set(self.recipe.players))
        sorts = {FINAL_EVALUATION: self.schedule.evaluation, CALIBRATION_PLAY: self.schedule.alone}
        if self.recipe.varied and find_game(self.recipe.game).options:
            sorts[OPTIONS_EVALUATION] = self.schedule.evaluation
        every = [(sort, n, deal) for sort, games in sorts.items() for deal in range(games) for n in counts]
        every.reverse()  # an actor takes the last first
        deals = {actor: every[actor :: len(crew.pipes)] for actor in range(len(crew.pipes))}
        while len(crew.done) < len(crew.pipes) and monotonic() < self.stop_at:
            self.state = f"{sum(r[0] in sorts for r in self.results):,} of {len(every):,} games measure the net"
            self.serve_actors(crew, deals)
        found = []
        for sort, n in sorted({(r[0], r[1]) for r in self.results if r[0] in (FINAL_EVALUATION, OPTIONS_EVALUATION)}):
            games = [r for r in self.results if r[0] == sort and r[1] == n]
            wins = sum(w for _, _, w, _ in games)
            low, high = wilson_interval(wins / len(games), len(games))
            margin = sum(m for *_, m in games) / len(games)
            found.append(EvaluationResult(sort, n, len(games), wins / len(games), low, high, margin))
        return found

    def fit_calibration(self) -> None:
        """Fit sureness and modesty to half of the net's games against itself, and measure them on the others."""
        import numpy as np

        from landfall.lab.training import net_calibration

        for players in sorted({row[0] for row in self.predictions}):
            mine = [row for row in self.predictions if row[0] == players]
            deal = np.array([row[1] for row in mine])
            predicted, won = (np.array([row[i] for row in mine], np.float32) for i in (2, 3))
            first = deal % 2 == 0
            self.sureness[players] = sureness = net_calibration.fit_sharpening_exponent(predicted[first], won[first])
            predicted = net_calibration.sharpen_rows(predicted, sureness)
            self.modesty[players] = modesty = net_calibration.fit_own_logit_shift(predicted[first, 0], won[first, 0])
            rest = ~first
            chance = net_calibration.shift_own_logit_down(predicted[rest, 0], modesty)
            rows: list[Decile] = net_calibration.group_by_decile(chance, won[rest, 0], deal[rest])
            self.say(f"{players} players, {len(set(deal[rest]))} games, sureness {sureness}, modesty {modesty}")
            self.say(net_calibration.format_deciles(rows))


class ActorPool:
    """The actor processes, their pipes, and the shared memory."""

    def __init__(self, recipe: Recipe, actors: int) -> None:
        import numpy as np

        layout = layout_of(recipe.game)
        context = mp.get_context("spawn")
        sizes = recipe.rows * layout.size, recipe.rows * 2 * layout.seats * 4
        self.memory: list[SharedMemory] = []
        self.pipes: list[Connection] = []
        self.processes: list[Any] = []
        self.asked: list[list[np.ndarray]] = []
        self.predicted: list[list[np.ndarray]] = []
        self.done: set[int] = set()
        for number in range(actors):
            pairs = [tuple(SharedMemory(create=True, size=size) for size in sizes) for _ in range(HALVES)]
            self.memory += [m for pair in pairs for m in pair]
            self.asked.append([np.ndarray((recipe.rows, layout.size), np.uint8, a.buf) for a, _ in pairs])
            self.predicted.append([np.ndarray((recipe.rows, 2 * layout.seats), np.float32, t.buf) for _, t in pairs])
            here, there = context.Pipe()
            names = [(a.name, t.name) for a, t in pairs]
            process = context.Process(target=run_actor_process, args=(number, there, names, recipe), daemon=True)
            process.start()
            there.close()
            self.pipes.append(here)
            self.processes.append(process)

    def wait_for_requests(self) -> Iterator[tuple[int, int, int, list[Any]]]:
        """Wait for requests: the actor, its bench, the number of rows, and its finished games."""
        number = {id(pipe): i for i, pipe in enumerate(self.pipes)}
        open_pipes = [pipe for i, pipe in enumerate(self.pipes) if i not in self.done]
        for pipe in wait(open_pipes, timeout=REQUEST_WAIT_S):
            assert isinstance(pipe, Connection)
            actor = number[id(pipe)]
            try:
                sort, bench, rows, *harvest = pipe.recv()
            except EOFError:
                raise TrainError(f"actor {actor} ended without a word") from None
            if sort == "error":
                raise TrainError(f"actor {actor}: {harvest[0]}")
            if sort == "done":
                self.done.add(actor)
            yield actor, bench, rows, harvest

    def __enter__(self) -> ActorPool:
        return self

    def __exit__(self, *_: object) -> None:
        for pipe in self.pipes:
            pipe.close()
        for process in self.processes:
            process.terminate()
            process.join()
        self.asked, self.predicted = [], []
        for memory in self.memory:
            memory.close()
            memory.unlink()


# --- the command -------------------------------------------------------------------------------------------------


def build_parser() -> argparse.ArgumentParser:
    """The arguments of `landfall train`."""
    found = argparse.ArgumentParser("landfall train", description="Train a game's net by self-play; needs torch.")
    add = found.add_argument
    recipe, schedule = Recipe("", ()), Schedule(0, 0)
    add("game", metavar="GAME", choices=GAME_NAMES, help=f"one of {', '.join(GAME_NAMES)}")
    add("--players", default="", help="numbers of players, with commas; default: the fewest, with a GPU all")
    add("--minutes", type=float, default=20, help="how long it takes in all; the next call goes on; 0: evaluation only")
    add("--out", type=Path, metavar="FILE", help="the net, FILE.npz; FILE.pt and FILE.csv beside it; default: GAME.npz")
    add("--seed", type=int, default=recipe.seed)
    add("--actors", type=int, default=0, help="processes that play; default: one a core")
    add("--stop-after", type=int, default=0, metavar="GAMES", help="or when so many games are played")
    add("--evaluation", type=int, default=schedule.evaluation, help="games a number of players at the end, if in time")
    add("--device", default="", help="cuda, cpu; default: a GPU if there is one")
    for name in ("rows", "trust", "mix", "noise", "most", "mixed", "lone", "measured", "before", "varied"):
        value = getattr(recipe, name)
        add(f"--{name}", type=type(value), default=value)
    add("--alone", type=int, default=schedule.alone, help="games of the net with itself: do its chances come true?")
    for name in ("fill", "reuse", "rate", "cool", "average"):
        value = getattr(schedule, name)
        add(f"--{name}", type=type(value), default=value)
    for name, value in workload_sizes_for_device(True).items():
        add(f"--{name}", type=int, help=f"{value:,} with a GPU, {CPU_SIZES[name]:,} without")
    add("--sizes", default=",".join(str(n) for n in schedule.sizes), help="of the net's four layers")
    return found


def workload_sizes_for_device(gpu: bool) -> dict[str, int]:
    """The sizes that depend on the machine."""
    recipe, schedule = Recipe("", ()), Schedule(0, 0)
    full = {"games": recipe.games, "window": schedule.window, "batch": schedule.batch, "every": schedule.every}
    return full | {"warm": WARM_GAMES} if gpu else dict(CPU_SIZES)


def parse_settings(given: argparse.Namespace, gpu: bool) -> tuple[Recipe, Schedule]:
    """Parse the arguments into settings."""
    rules = find_game(given.game)
    usual = rules.player_counts if gpu else rules.player_counts[:1]
    players = tuple(int(n) for n in given.players.split(",")) if given.players else usual
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    actors = given.actors or cores
    sizes = {
        name: value if (own := getattr(given, name)) is None else own
        for name, value in workload_sizes_for_device(gpu).items()
    }
    names = ("rows", "trust", "mix", "noise", "most", "mixed", "lone", "before", "measured", "varied")
    recipe = Recipe(
        given.game,
        players,
        seed=given.seed,
        games=sizes["games"],
        warm=0 if given.out.with_suffix(".pt").exists() else -(-sizes["warm"] // actors),
        warm_seconds=WARM_UP_SHARE * given.minutes * 60,
        **{name: getattr(given, name) for name in names},
    )
    one, summed, wide, narrow = (int(n) for n in given.sizes.split(","))
    schedule = Schedule(
        given.minutes * 60,
        actors,
        most_games=given.stop_after,
        every=sizes["every"],
        fill=given.fill,
        reuse=given.reuse,
        window=sizes["window"],
        batch=sizes["batch"],
        rate=given.rate,
        cool=given.cool,
        average=given.average,
        sizes=(one, summed, wide, narrow),
        evaluation=given.evaluation,
        alone=given.alone,
        device=given.device,
    )
    return recipe, schedule


def main(args: list[str]) -> None:
    """`landfall train`, and `python -m landfall.lab.training.train` without the command line."""
    began = monotonic()
    given = build_parser().parse_args(args)
    given.out = given.out or Path(f"{given.game}.npz")
    say = functools.partial(print, flush=True)
    for n in given.players.split(",") if given.players else ():
        if not n.strip().isdigit() or int(n) not in find_game(given.game).player_counts:
            raise TrainError(f"{given.game} is not played by {n}")
    minutes = "1 minute" if given.minutes == 1 else f"{given.minutes:g} minutes"
    say(f"{given.game}: {minutes} into {given.out}; torch is loading")
    if landfall.ENGINE != "compiled":
        say(f"engine {landfall.ENGINE}: games take some twenty times as long as compiled ones, so give it more time")
    require_extra("train", "torch")
    import torch

    gpu = given.device != "cpu" and torch.cuda.is_available()
    recipe, schedule = parse_settings(given, gpu)
    counts = ", ".join(str(n) for n in sorted(set(recipe.players)))
    say(
        f"{counts} players; {schedule.actors} processes play {2 * recipe.games} games each at once; "
        f"the net learns on {'the GPU' if gpu else 'the CPU'}, {schedule.batch:,} positions a step"
    )
    measured = Trainer(given.out, recipe, schedule, say, began).run()
    rival = "greedy placing by the table" if has_game_module(given.game, "opening_book") else "greedy"
    for m in measured:
        with_options = ", options" if m.sort == OPTIONS_EVALUATION else ""
        say(
            f"{m.players} players{with_options}, against {rival}: {m.share:.1%} of {m.games:,} won "
            f"({m.low:.1%} - {m.high:.1%}, par {1 / m.players:.1%}), {m.margin:+.1f} points"
        )
    if not measured:
        bots = f"net:file={given.out},greedy --against greedy"
        say(f"no game that measures it ended in time: landfall ladder {given.game} --bots {bots} --games 100")
    say(f"written: {given.out.with_suffix('.npz')}, and beside it the checkpoint (.pt) and the learning curve (.csv)")
    say(f"to play: landfall play --text {given.game} --players {recipe.players[0]} --bots net:file={given.out}")


if __name__ == "__main__":
    main(sys.argv[1:])
