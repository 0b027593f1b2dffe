"""Training by matches in step on one device: rounds of play and learning, a league of past nets, and a curve.

`python -m landfall.lab.training.batched_train GAME`. Beside the net (FILE.npz) are its checkpoint (FILE.pt), from which
the next call resumes, and the curve (FILE.csv).
"""

from __future__ import annotations

import argparse
import csv
import functools
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch
from torch import Tensor

from landfall.bots.net_inputs import NetInputs
from landfall.bots.value_net import LAYERS, ValueNet, load_file, load_packaged
from landfall.games import BUILT_IN_GAMES
from landfall.games import game as find_game
from landfall.lab.experiments.simulation import wilson_interval
from landfall.lab.training.batched_self_play import BatchedSelfPlay, BatchLearner, BatchRecipe, MatchesInStep
from landfall.lab.training.kernel_matches import DeviceSelfPlay, HostSelfPlay, KernelMatches, SelfPlayKernel
from landfall.lab.training.self_play import sample_options
from landfall.lab.training.step_comparison import find_difference
from landfall.lab.training.torch_net import TorchNet

if TYPE_CHECKING:
    from landfall.core.game import Game
    from landfall.core.state import State

MEASURED_SEED: Final = 7_777
COMPARED_MATCHES: Final = 512
COMPARED_STEPS: Final = 150
MAX_LEAGUE: Final = 12  # past nets; of more, the older ones are thinned out
MAX_DECISIONS: Final = 4_000  # of a measured match
CURVE_COLUMNS: Final = ("seconds", "decisions", "games", "rows", "steps", "losses", "shares")

MakeMatches = Callable[[int, int, int], MatchesInStep]  # from numbers of players and matches, and a seed


@dataclass(frozen=True)
class BatchSchedule:
    """How long, and how often the net is measured."""

    seconds: float
    measure_every: float = 60.0  # seconds between two measurements
    league_every: float = 20.0  # seconds between two nets of the league
    players: tuple[int, ...] = (2,)
    matches: int = 16_384  # for each number of players
    measured: int = 8_192  # of a measurement
    sizes: tuple[int, int, int, int] = (96, 64, 256, 128)


@dataclass
class BatchProgress:
    """The progress over all runs."""

    seconds: float = 0.0
    decisions: int = 0
    games: int = 0
    rows: int = 0
    steps: int = 0
    curve: list[dict[str, Any]] = field(default_factory=list)


def torch_net_of(net: ValueNet, sizes: tuple[int, int, int, int]) -> TorchNet:
    """A net of a file, to train on or to play against."""
    found = TorchNet(net.inputs, sizes)
    with torch.no_grad():
        for name in LAYERS:
            layer = getattr(found, name)
            layer.weight.copy_(torch.from_numpy(net.weight[name]).t())
            layer.bias.copy_(torch.from_numpy(net.bias[name]))
    return found


def sizes_of(net: ValueNet) -> tuple[int, int, int, int]:
    """The widths of a net's four layers."""
    one, summed, wide, narrow = (net.weight[name].shape[1] for name in ("piece", "pieces", "first", "second"))
    return one, summed, wide, narrow


def measure_share(
    batch: MatchesInStep, net: TorchNet, opponent: TorchNet, recipe: BatchRecipe
) -> tuple[float, float, float]:
    """The share of wins of one seat of the net against opponents at all others, without noise, with its interval."""
    play = BatchedSelfPlay(batch, net, replace(recipe, noise=0.0, before=0.0, mixed=0.0))
    play.opponent = opponent
    n = batch.matches
    lone = torch.arange(n, device=batch.device) % batch.players
    play.theirs = torch.arange(play.seats, device=batch.device)[None] != lone[:, None]
    won = torch.zeros(n, device=batch.device)
    open_matches = torch.ones(n, dtype=torch.bool, device=batch.device)
    seats = play.theirs.clone()
    for _ in range(MAX_DECISIONS):
        step = play.play_step()
        play.theirs = seats
        now = step.ended & open_matches
        won = torch.where(now, step.result.gather(1, lone[:, None]).squeeze(1), won)
        open_matches &= ~step.ended
        if not bool(open_matches.any()):
            break
    done = ~open_matches
    share, count = float(won[done].mean()), int(done.sum())
    return share, *wilson_interval(share, count)


class BatchTrainer:
    """One net, its league, and the matches it plays."""

    def __init__(
        self,
        make_matches: MakeMatches,
        out: Path,
        recipe: BatchRecipe,
        schedule: BatchSchedule,
        rival: ValueNet | None,
        say: Callable[[str], None],
    ) -> None:
        self.out, self.recipe, self.schedule, self.say = out, recipe, schedule, say
        self.make_matches = make_matches
        batches = [make_matches(n, schedule.matches, recipe.seed + n) for n in schedule.players]
        self.layout, self.device = batches[0].layout, batches[0].device
        torch.manual_seed(recipe.seed)
        self.inputs = NetInputs(self.layout)
        self.net = self.new_net()
        self.average = self.new_net()
        self.average.load_state_dict(self.net.state_dict())
        self.rival: TorchNet | None = torch_net_of(rival, sizes_of(rival)).to(self.device) if rival else None
        self.learner = BatchLearner(self.net, self.average, recipe)
        self.progress = BatchProgress()
        self.league: list[dict[str, Tensor]] = []
        if out.with_suffix(".pt").exists():
            self.resume()
        self.chance = torch.Generator(self.device).manual_seed(recipe.seed + self.progress.steps)
        self.plays = [
            BatchedSelfPlay(batch, self.average, replace(recipe, seed=recipe.seed + self.progress.steps + i))
            for i, batch in enumerate(batches)
        ]
        self.member = self.new_net()

    def new_net(self) -> TorchNet:
        net: TorchNet = TorchNet(self.inputs, self.schedule.sizes).to(self.device)
        return net

    def resume(self) -> None:
        """Resume from the checkpoint."""
        found = torch.load(self.out.with_suffix(".pt"), map_location=self.device, weights_only=True)
        self.net.load_state_dict(found["net"])
        self.average.load_state_dict(found["average"])
        self.learner.optimizer.load_state_dict(found["optimizer"])
        self.league = found["league"]
        self.progress = BatchProgress(**found["progress"])
        self.learner.steps = self.progress.steps
        self.say(f"goes on after {self.progress.games:,} games, {self.progress.seconds:.0f} s")

    def begin_from(self, net: ValueNet) -> None:
        """Begin with the weights of another net of the same sizes."""
        known = torch_net_of(net, self.schedule.sizes).to(self.device).state_dict()
        self.net.load_state_dict(known)
        self.average.load_state_dict(known)

    def save(self) -> None:
        """Save checkpoint, net and curve."""
        self.out.parent.mkdir(parents=True, exist_ok=True)
        torch.save(
            {
                "net": self.net.state_dict(),
                "average": self.average.state_dict(),
                "optimizer": self.learner.optimizer.state_dict(),
                "league": self.league,
                "progress": asdict(self.progress),
            },
            self.out.with_suffix(".pt"),
        )
        seats = self.layout.seats + 1
        self.average.save(self.out.with_suffix(".npz"), [1.0] * seats, [0.0] * seats)
        with self.out.with_suffix(".csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, CURVE_COLUMNS)
            writer.writeheader()
            writer.writerows(self.progress.curve)

    def join_league(self) -> None:
        """Add the present net to the league; when it is full, every second of the older half leaves."""
        self.league.append({name: weights.clone() for name, weights in self.average.state_dict().items()})
        if len(self.league) > MAX_LEAGUE:
            half = len(self.league) // 2
            self.league = self.league[:half:2] + self.league[half:]

    def draw_opponent(self) -> TorchNet | None:
        """The net at the foreign seats for the next round: one of the league, or the rival."""
        lot = int(torch.randint(len(self.league) + 1, (1,), generator=self.chance, device=self.device))
        if lot == len(self.league):
            return self.rival
        self.member.load_state_dict(self.league[lot])
        return self.member

    def play_round(self) -> list[Tensor]:
        """Play all tables for one round. Returns the lessons."""
        opponent, lessons, progress = self.draw_opponent(), [], self.progress
        for play in self.plays:
            play.opponent = opponent
            lessons.append(play.lessons_of(play.play_steps()))
            progress.decisions += play.decisions
            progress.games += play.games
            progress.rows += play.rows
            play.decisions = play.games = play.rows = 0
        return [torch.cat(parts) for parts in zip(*lessons, strict=True)]

    def run(self) -> None:
        """Train for the given time, at least one round, and save."""
        began = last = monotonic()
        measured, joined = -inf, -inf if self.schedule.league_every < inf else began
        first = self.progress.seconds
        losses: list[float] = []
        while True:
            share = (monotonic() - began) / self.schedule.seconds if self.schedule.seconds else 1.0
            if monotonic() - joined > self.schedule.league_every:
                self.join_league()
                joined = monotonic()
            losses = self.learner.learn(self.play_round(), share, self.chance)
            progress = self.progress
            progress.steps = self.learner.steps
            progress.seconds = first + monotonic() - began
            last = monotonic()
            if last - measured > self.schedule.measure_every or last - began > self.schedule.seconds:
                self.measure(losses)
                self.save()
                measured = monotonic()
            if last - began > self.schedule.seconds:
                return

    def measure(self, losses: list[float]) -> None:
        """Add a row to the curve, and say where training is."""
        shares = {}
        for n in self.schedule.players:
            if self.rival is not None:
                batch = self.make_matches(n, self.schedule.measured, MEASURED_SEED + n)
                share, low, high = measure_share(batch, self.average, self.rival, self.recipe)
                shares[n] = f"{share:.3f} ({low:.3f}-{high:.3f})"
        p = self.progress
        row = {
            "seconds": round(p.seconds, 1),
            "decisions": p.decisions,
            "games": p.games,
            "rows": p.rows,
            "steps": p.steps,
            "losses": " ".join(f"{x:.4f}" for x in losses),
            "shares": "; ".join(f"{n}: {text}" for n, text in shares.items()),
        }
        p.curve.append(row)
        self.say(" ".join(f"{key} {value}" for key, value in row.items()))


def first_positions(rules: Game, players: int, tables: int, seed: int) -> list[State]:
    """The first positions of so many tables: of every second one the options are drawn."""
    random = np.random.default_rng([seed, players])
    number = tables if rules.options else 1
    return [rules.new(players, sample_options(rules, players, random) if i % 2 else {}) for i in range(number)]


# --- the command -------------------------------------------------------------------------------------------------


def build_parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    found = argparse.ArgumentParser("batched_train", description="Train a game's net by matches in step on one device.")
    add = found.add_argument
    add("game", choices=BUILT_IN_GAMES, help=f"one of {', '.join(BUILT_IN_GAMES)}")
    add("--players", default="", help="numbers of players, with commas; default: all")
    add("--minutes", type=float, default=5.0)
    add("--matches", type=int, default=BatchSchedule.matches, help="for each number of players")
    add("--measured", type=int, default=BatchSchedule.measured, help="matches of a measurement, likewise")
    add("--tables", type=int, default=64, help="tables for each number of players; of every second, options are drawn")
    add("--out", type=Path, metavar="FILE", help="the net, FILE.npz; default: GAME.npz")
    add("--begin", type=Path, metavar="FILE", help="a net to begin with; default: the packaged one")
    add(
        "--against",
        type=Path,
        metavar="FILE",
        help="learn against this net alone, at all other seats: its best response",
    )
    add("--seed", type=int, default=1)
    add("--rate", type=float, default=BatchRecipe.rate)
    add("--device", choices=["cuda", "cpu"], default="cuda" if torch.cuda.is_available() else "cpu")
    return found


def main(args: list[str]) -> None:
    given = build_parser().parse_args(args)
    rules = find_game(given.game)
    players = tuple(int(n) for n in given.players.split(",")) if given.players else rules.player_counts
    rival = load_file(given.against, given.game) if given.against else load_packaged(given.game)
    begin = load_file(given.begin, given.game) if given.begin else load_packaged(given.game)
    recipe = BatchRecipe(seed=given.seed, rate=given.rate)
    seconds = 60 * given.minutes
    schedule = BatchSchedule(
        seconds,
        measure_every=seconds / 5,
        league_every=seconds / 15,
        players=players,
        matches=given.matches,
        measured=given.measured,
    )
    if given.against:
        recipe = replace(recipe, mixed=1.0, lone=True)
        schedule = replace(schedule, league_every=float("inf"))
    torch.backends.cuda.matmul.allow_tf32 = True
    say = functools.partial(print, flush=True)
    with TemporaryDirectory() as folder:
        say(f"{given.game}: {given.minutes:g} minutes on {given.device}; its kernel is being compiled")
        kernel: SelfPlayKernel = HostSelfPlay(rules, Path(folder))
        if given.device == "cuda":
            processor, kernel = kernel, DeviceSelfPlay(rules)
            starts = [start for n in rules.player_counts for start in first_positions(rules, n, 8, given.seed)]
            there, here = (KernelMatches(each, starts, COMPARED_MATCHES, given.seed) for each in (kernel, processor))
            difference = find_difference(there, here, COMPARED_STEPS, recipe.most)
            if difference:
                sys.exit(f"nothing is learnt, for the device does not play as the processor: {difference}")
            say(f"{COMPARED_MATCHES} matches compared with the processor for {COMPARED_STEPS} steps: equal")

        def make_matches(count: int, matches: int, seed: int) -> MatchesInStep:
            return KernelMatches(kernel, first_positions(rules, count, given.tables, seed), matches, seed)

        out = given.out or Path(f"{given.game}.npz")
        trainer = BatchTrainer(make_matches, out, recipe, replace(schedule, sizes=sizes_of(begin)), rival, say)
        if not trainer.progress.steps:
            trainer.begin_from(begin)
        trainer.run()


if __name__ == "__main__":
    main(sys.argv[1:])
