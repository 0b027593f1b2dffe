"""Compression: a smaller net learns to predict what a larger one predicts in the positions of a tree search.

A search asks its net for thousands of positions, so a net of a quarter of the size finds more in the same time.
`python -m landfall.lab.training.net_distillation atlandice --net LARGE.npz --sizes 48,32,96,48 --out SMALL.npz` plays
games by the search, collects the positions that it asks for, and trains; needs torch (docs/training.md).
"""

from __future__ import annotations

import argparse
import functools
import math
import multiprocessing as mp
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np

from landfall.bots import value_net
from landfall.bots.contract import Seat
from landfall.bots.net_tree_bot import NetTreeBot
from landfall.bots.search.one_ply_search import best_action
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER
from landfall.games import GAME_NAMES
from landfall.games import game as find_game
from landfall.lab.training.search_distillation import load_torch_net, own_win_and_lead_value
from landfall.lab.training.train import TrainError
from landfall.optional_dependencies import require_extra

if TYPE_CHECKING:
    import torch

    from landfall.bots.quick_net import QuickNet
    from landfall.bots.search.net_tree import NetTree
    from landfall.bots.value_net import ValueNet
    from landfall.core.feature_layout import RowBuffer
    from landfall.lab.training.torch_net import TorchNet

GREEDY_SHARE, RANDOM_SHARE = 0.15, 0.08  # of seats that greedy plays; of choices that are random
WALKS = (30, 150)  # descents for a choice, from and to
VALUE_WEIGHT = 50.0  # of squared errors of the value by which the search compares, which are small


@dataclass(frozen=True)
class CollectionConfig:
    """How positions are collected."""

    game: str
    net: str  # the file of the large net
    seconds: float
    players: tuple[int, ...] = (2, 2, 3, 4)  # drawn for each game
    kept: float = 0.25  # share of the batches that are kept
    seed: int = 1


@dataclass(frozen=True)
class CompressionConfig:
    """How the small net learns."""

    steps: int = 12_000
    seconds: float = 0.0  # ends earlier after so long; 0: no limit
    batch: int = 16_384
    rate: float = 3e-3


class CollectingBot(NetTreeBot):
    """Keeps a share of the rows that its search asks for."""

    def __init__(self, file: str, iters: int, kept: float, chance: np.random.Generator) -> None:
        super().__init__(file=file, iters=iters)
        self.kept, self.chance = kept, chance
        self.rows: list[bytes] = []

    def predict_waiting_choices(
        self, search: NetTree, net: ValueNet | QuickNet, sheet: RowBuffer, players: int
    ) -> None:
        if self.chance.random() < self.kept:
            self.rows.append(value_net.rows_as_array(sheet)[: int(sheet.used)].tobytes())
        super().predict_waiting_choices(search, net, sheet, players)


def collect_rows(of: CollectionConfig, number: int, out: Path) -> None:
    """Play until time is up and write the rows to a file; an interrupted game counts as far as it went."""
    chance = np.random.default_rng([of.seed, number])
    rng, until = Rng(int(chance.integers(1 << 60))), monotonic() + of.seconds
    bot = CollectingBot(of.net, 1, of.kept, chance)
    while monotonic() < until:
        state = find_game(of.game).new(int(chance.choice(of.players)), {})
        greedy = chance.random(int(state.players)) < GREEDY_SHARE
        bot.iters = int(chance.integers(*WALKS))
        while state.actor != OVER and monotonic() < until:
            if state.actor == CHANCE:
                state.apply(state.sample_chance(rng))
                continue
            seat = Seat.from_state(state, of.game, rng)
            if chance.random() < RANDOM_SHARE:
                legal = seat.legal_actions
                state.apply(legal[int(rng.randbelow(len(legal)))])
            elif greedy[seat.number]:
                state.apply(best_action(seat.sample(rng), seat.number, rng))
            else:
                state.apply(bot.choose(seat))
    size = value_net.layout_of(of.game).size
    np.save(out / f"part-{number}.npy", np.frombuffer(b"".join(bot.rows), np.uint8).reshape(-1, size))


def train_small_net(
    rows: Any, large: TorchNet, small: TorchNet, course: CompressionConfig, say: Callable[[str], None]
) -> None:
    """Train the small net to predict what the large one does, until steps or time run out."""
    import torch
    import torch.nn.functional as F

    device = rows.device
    with torch.inference_mode():
        outputs = [large(part)[:2] for part in rows.split(32_768)]
    win, points = (torch.cat([part[i] for part in outputs]).float().clone() for i in (0, 1))
    win = torch.softmax(win, 1)
    chance = torch.Generator(device).manual_seed(1)
    adam = torch.optim.Adam(small.parameters(), lr=course.rate)
    began, step, done = monotonic(), 0, 0.0
    while done < 1:
        for group in adam.param_groups:
            group["lr"] = course.rate * min(1.0, (step + 1) / 200) * (0.5 + 0.5 * math.cos(math.pi * done))
        at = torch.randint(len(rows), (course.batch,), generator=chance, device=device)
        asked, wins, tens = rows[at], win[at], points[at]
        players = asked[:, 0].float()
        logits, predicted, _, _ = small(asked)
        order = -(wins * F.log_softmax(logits, 1)).sum(1).mean() + 2 * F.mse_loss(predicted, tens)
        mine = own_win_and_lead_value(torch.softmax(logits, 1), predicted, players)
        value = F.mse_loss(mine, own_win_and_lead_value(wins, tens, players))
        adam.zero_grad(set_to_none=True)
        (order + VALUE_WEIGHT * value).backward()
        torch.nn.utils.clip_grad_norm_(small.parameters(), 1.0)
        adam.step()
        step += 1
        done = max(step / course.steps, (monotonic() - began) / course.seconds if course.seconds else 0.0)
        if step % 1000 == 1 or done >= 1:
            say(f"step {step} loss {order.item():.4f} value off by {math.sqrt(value.item()):.4f}")


def load_rows(folder: Path, device: str) -> torch.Tensor:
    """All rows of a folder's files."""
    import torch

    parts = [np.load(path) for path in sorted(folder.glob("part-*.npy"))]
    if not sum(len(part) for part in parts):
        raise TrainError("no positions were collected: give it more --minutes")
    return torch.from_numpy(np.concatenate(parts)).to(device)


def collect_rows_in_parallel(of: CollectionConfig, actors: int, folder: Path) -> None:
    """Collect with several processes."""
    context = mp.get_context("spawn")
    processes = [context.Process(target=collect_rows, args=(of, n, folder)) for n in range(actors)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    if any(process.exitcode for process in processes):
        raise TrainError("a process that plays has failed; it says above why")


def main(args: list[str]) -> None:
    """Play, then learn."""
    parser = argparse.ArgumentParser(
        "python -m landfall.lab.training.net_distillation", description="A small net that learns from a large one."
    )
    add = parser.add_argument
    add("game", metavar="GAME", choices=GAME_NAMES)
    add("--net", default="", help="the large net; default: the game's own")
    add("--sizes", default="48,32,96,48", help="of the small net's layers: two for a piece, two for the table")
    add("--out", type=Path, required=True)
    add("--minutes", type=float, default=0.75, help="how long is played before learning")
    add("--kept", type=float, default=CollectionConfig.kept, help="share of the positions that are kept")
    add("--actors", type=int, default=0, help="processes that play; default: one a core")
    add("--rows", type=Path, help="a folder of collected positions: kept there, and used again if it has any")
    add("--steps", type=int, default=CompressionConfig.steps)
    add("--seconds", type=float, default=CompressionConfig.seconds, help="learn no longer; 0: no limit")
    add("--batch", type=int, default=CompressionConfig.batch)
    add("--rate", type=float, default=CompressionConfig.rate)
    add("--seed", type=int, default=1)
    add("--device", default="", help="cuda, cpu; default: a GPU if there is one")
    given = parser.parse_args(args)
    require_extra("train", "torch")
    import torch

    from landfall.lab.training.torch_net import TorchNet

    say = functools.partial(print, flush=True)
    device = given.device or ("cuda" if torch.cuda.is_available() else "cpu")
    net = given.net or str(value_net.NETS_DIR / f"{given.game}.npz")
    actors = given.actors or (len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1)
    one, summed, wide, narrow = map(int, given.sizes.split(","))
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.rows or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        if not any(folder.iterdir()):
            collect_rows_in_parallel(
                CollectionConfig(given.game, net, 60 * given.minutes, kept=given.kept, seed=given.seed), actors, folder
            )
        rows = load_rows(folder, device)
    say(f"{len(rows):,} positions")
    large, sureness, modesty = load_torch_net(net, given.game, device)
    torch.manual_seed(given.seed)
    small = TorchNet(large.inputs, (one, summed, wide, narrow)).to(device)
    train_small_net(rows, large, small, CompressionConfig(given.steps, given.seconds, given.batch, given.rate), say)
    small.save(given.out, sureness.tolist(), modesty.tolist())


if __name__ == "__main__":
    main(sys.argv[1:])
