"""Distillation: nets learn to predict the results of a search (`landfall.lab.training.search_teacher` plays).

`python -m landfall.lab.training.search_distillation survive --nets A.npz,B.npz --minutes 9 --out FOLDER` plays with the
mean of these nets and writes a student of each into the folder; needs torch. docs/nets.md describes its use.
"""

from __future__ import annotations

import argparse
import functools
import json
import multiprocessing as mp
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from landfall.bots.value_net import LAYERS, file_digest, layout_name, load_file
from landfall.games import GAME_NAMES
from landfall.lab.training.search_teacher import POINTS_WEIGHT, UNSEARCHED, TeacherConfig, run_teacher
from landfall.lab.training.train import TrainError
from landfall.optional_dependencies import require_extra

if TYPE_CHECKING:
    import torch
    from numpy.typing import NDArray

    from landfall.lab.training.torch_net import TorchNet

DIFFERENCE_SCALE = 200.0  # of squared differences, which are small


@dataclass(frozen=True)
class DistillationConfig:
    """How a student learns."""

    steps: int = 1800
    rate: float = 1e-3
    near: float = 0.3  # weight of the differences between choices by the nets' mean
    apart: float = 1.0  # and by rollouts
    seed: int = 1
    searched: int = 512  # searched groups per step
    plain: int = 256  # groups without search per step


class SearchedGroups:
    """The search's results: rows in groups, and the nets' mean for each row."""

    def __init__(self, folder: Path, game: str, nets: list[str], device: str) -> None:
        import torch

        parts = [np.load(path) for path in sorted(folder.glob("part-*.npz"))]
        of = {name: np.concatenate([part[name] for part in parts]) for name in ("rows", "found", "groups")}
        self.device = device
        self.rows = torch.from_numpy(of["rows"]).to(device)
        self.found = torch.from_numpy(of["found"]).mean(1).to(device)
        self.size = torch.from_numpy(of["groups"][:, 0].astype(np.int64)).to(device)
        self.first = torch.cumsum(self.size, 0) - self.size
        plain = torch.from_numpy(of["groups"][:, 1]).to(device) == UNSEARCHED
        self.searched, self.plain = (~plain).nonzero().squeeze(1), plain.nonzero().squeeze(1)
        loaded = [load_torch_net(file, game, device) for file in nets]
        win, points = [], []
        with torch.inference_mode():
            for rows in self.rows.split(16_384):
                each = [predict_win_and_points(net, rows, sureness, modesty) for net, sureness, modesty in loaded]
                win.append(torch.stack([w for w, _ in each]).mean(0).half())
                points.append(torch.stack([p for _, p in each]).mean(0).half())
        self.win, self.points = torch.cat(win), torch.cat(points)

    def sample_groups(
        self, course: DistillationConfig, chance: torch.Generator
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, int]:
        """Sample groups, the searched ones first: row numbers, group of each row, group sizes; number of
        searched rows."""
        import torch

        lots = ((self.searched, course.searched), (self.plain, course.plain))
        drawn = []
        for lot, many in lots:
            drawn.append(lot[torch.randint(len(lot), (many,), generator=chance, device=self.device)])
        groups = torch.cat(drawn)
        size = self.size[groups]
        at = torch.arange(int(size.max()), device=self.device)[None]
        there = at < size[:, None]
        whose = torch.arange(len(groups), device=self.device)[:, None].expand_as(there)[there]
        return (self.first[groups][:, None] + at)[there], whose, size, int(size[: len(drawn[0])].sum())


def load_torch_net(file: str, game: str, device: str) -> tuple[TorchNet, torch.Tensor, torch.Tensor]:
    """Load a torch net from its file, with its sureness and its modesty."""
    import torch

    from landfall.lab.training.torch_net import TorchNet

    known = load_file(Path(file), game)
    wide = [known.bias[name].shape[0] for name in ("piece", "pieces", "first", "second")]
    net = TorchNet(known.inputs, (wide[0], wide[1], wide[2], wide[3]))
    for name in LAYERS:
        layer = getattr(net, name)
        layer.weight.data.copy_(torch.from_numpy(known.weight[name].T.copy()))
        layer.bias.data.copy_(torch.from_numpy(known.bias[name]))
    return net.to(device), torch.tensor(known.sureness, device=device), torch.tensor(known.modesty, device=device)


def predict_win_and_points(net: TorchNet, rows: Any, sureness: Any, modesty: Any) -> tuple[torch.Tensor, torch.Tensor]:
    """By seat: the win probability and the points, as `landfall.bots.value_net` computes them."""
    import torch

    win, points, _, _ = net(rows)
    players = rows[:, 0].long()
    win = win * sureness[players][:, None]
    win[:, 0] -= modesty[players]
    here = torch.arange(win.shape[1], device=rows.device) < players[:, None]
    return torch.softmax(win.masked_fill(~here, -30.0), 1), points


def own_win_and_lead_value(win: torch.Tensor, points: torch.Tensor, players: torch.Tensor) -> torch.Tensor:
    """The value to the seat: its win probability plus a little for points."""
    return win[:, 0] + POINTS_WEIGHT * (points[:, 0] - points[:, 1:].sum(1) / (players - 1))


def subtract_group_mean(value: torch.Tensor, whose: torch.Tensor, size: torch.Tensor) -> torch.Tensor:
    """Subtract the mean of its group from each value."""
    total = size.new_zeros(len(size), dtype=value.dtype).index_add(0, whose, value)
    return value - (total / size)[whose]


def train_student(
    groups: SearchedGroups, start: str, game: str, course: DistillationConfig, say: Callable[[str], None]
) -> TorchNet:
    """Train a student that starts from one of the nets; the result is the mean over its steps."""
    import torch
    import torch.nn.functional as F

    net, _, _ = load_torch_net(start, game, groups.device)
    mean, _, _ = load_torch_net(start, game, groups.device)
    chance = torch.Generator(groups.device).manual_seed(course.seed)
    adam = torch.optim.Adam(net.parameters(), lr=course.rate)
    for step in range(course.steps):
        for group in adam.param_groups:
            group["lr"] = (
                course.rate * min(1.0, 0.1 + step / 200) * max(0.02, min(1.0, (1 - step / course.steps) / 0.7))
            )
        at, whose, size, searched = groups.sample_groups(course, chance)
        rows, win, points = groups.rows[at], groups.win[at].float(), groups.points[at].float()
        players = rows[:, 0].float()
        logits, predicted, _, _ = net(rows)
        anchor = -(win * F.log_softmax(logits, 1)).sum(1).mean() + 2 * F.mse_loss(predicted, points)
        mine = subtract_group_mean(own_win_and_lead_value(torch.softmax(logits, 1), predicted, players), whose, size)
        near = (mine - subtract_group_mean(own_win_and_lead_value(win, points, players), whose, size)).square().mean()
        groups_searched = int(whose[searched - 1]) + 1
        gave = subtract_group_mean(groups.found[at[:searched]], whose[:searched], size[:groups_searched])
        apart = (mine[:searched] - gave).square().mean()
        loss = anchor + DIFFERENCE_SCALE * (course.near * near + course.apart * apart)
        adam.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        adam.step()
        left = min(0.998, (step + 1) / (step + 11))
        for kept, now in zip(mean.parameters(), net.parameters(), strict=True):
            kept.data.lerp_(now.data, 1 - left)
        if step % 200 == 0 or step + 1 == course.steps:
            say(f"{start} step {step + 1} anchor {anchor:.4f} near {near:.6f} apart {apart:.6f}")
    return mean


def save_difference(net: TorchNet, base: Path, out: Path, part: float) -> None:
    """Save a student as its difference from the net it started from, quantised in steps of a part of the difference's
    spread: a quarter of the size. `landfall.bots.value_net` adds it to the base, whose path relative to `out` must not
    change."""
    layout = net.inputs.layout
    known = load_file(base, layout.name)
    kept: dict[str, NDArray[Any] | str] = {
        "layout": layout_name(layout),
        "fields": net.inputs.declaration,
        "over": Path(os.path.relpath(base, out.parent)).as_posix(),
        "base": file_digest(base),
        "sureness": np.ones(layout.seats + 1, np.float32),
        "modesty": np.zeros(layout.seats + 1, np.float32),
    }
    for name in LAYERS:
        layer = getattr(net, name)
        for kind, now, was in (
            ("weight", layer.weight.detach().t(), known.weight[name]),
            ("bias", layer.bias.detach(), known.bias[name]),
        ):
            apart = now.cpu().numpy() - was
            least = np.abs(apart).max() / 127 + 1e-12
            step = np.float32(max(least, part * apart.std()) if kind == "weight" else least)
            kept[f"{name}.{kind}"], kept[f"{name}.{kind}.step"] = np.rint(apart / step).astype(np.int8), np.array(step)
    np.savez_compressed(out, **kept)  # type: ignore[arg-type]


def main(args: list[str]) -> None:
    """Play, then learn."""
    parser = argparse.ArgumentParser(
        "python -m landfall.lab.training.search_distillation", description="Nets that learn from a search."
    )
    add = parser.add_argument
    lesson, course = TeacherConfig("", (), 1, 0), DistillationConfig()
    add("game", metavar="GAME", choices=GAME_NAMES)
    add("--nets", required=True, help="files with commas: the first looks for lines, the mean of all judges")
    add("--start", default="", help="nets that become students; default: all of --nets")
    add("--out", type=Path, required=True, metavar="FOLDER", help="students, each under its net's name")
    add("--minutes", type=float, default=9, help="how long is played before learning")
    add("--actors", type=int, default=0, help="processes that play; default: one a core")
    add("--players", default="4", help="tables that are searched most, with commas")
    add("--options", type=json.loads, default={}, metavar="JSON", help="options of every second one of these games")
    add("--worlds", type=int, default=lesson.worlds)
    add("--lines", type=int, default=lesson.lines)
    add("--steps", type=int, default=course.steps)
    add("--rate", type=float, default=course.rate)
    add("--near", type=float, default=course.near)
    add("--apart", type=float, default=course.apart)
    add("--searched", type=int, default=course.searched, help="groups of a step")
    add("--plain", type=int, default=course.plain, help="... and so many that were only looked at")
    add("--part", type=float, default=0.3, help="a file's steps, as a part of the spread of what was learnt")
    add("--seed", type=int, default=course.seed)
    add("--device", default="", help="cuda, cpu; default: a GPU if there is one")
    given = parser.parse_args(args)
    require_extra("train", "torch")
    import torch

    say = functools.partial(print, flush=True)
    device = given.device or ("cuda" if torch.cuda.is_available() else "cpu")
    nets = given.nets.split(",")
    starts = given.start.split(",") if given.start else nets
    if any((given.out / Path(file).name).resolve() == Path(file).resolve() for file in starts):
        raise TrainError(f"a student in {str(given.out)!r} would take the place of the net it begins as")
    if given.worlds < 2:
        raise TrainError("lines are played on in two worlds at least")
    given.out.mkdir(parents=True, exist_ok=True)
    players = tuple(int(count) for count in given.players.split(","))
    shape = {"players": players, "worlds": given.worlds, "lines": given.lines, "options": given.options}
    lesson = TeacherConfig(given.game, tuple(nets), given.seed, 60 * given.minutes, **shape)
    course = DistillationConfig(
        given.steps, given.rate, given.near, given.apart, given.seed, given.searched, given.plain
    )
    actors = given.actors or (len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1)
    with tempfile.TemporaryDirectory() as folder:
        context = mp.get_context("spawn")
        processes = [context.Process(target=run_teacher, args=(lesson, n, Path(folder))) for n in range(actors)]
        for process in processes:
            process.start()
        for process in processes:
            process.join()
        if any(process.exitcode for process in processes):
            raise TrainError("a process that plays has failed; it says above why")
        if not any(Path(folder).iterdir()):
            raise TrainError("no game was played: give it more --minutes")
        groups = SearchedGroups(Path(folder), given.game, nets, device)
    if not len(groups.searched) or not len(groups.plain):
        raise TrainError("too few positions to learn from: give it more --minutes")
    say(f"{len(groups.searched):,} groups searched, {len(groups.plain):,} looked at, {len(groups.rows):,} positions")
    for file in starts:
        student = train_student(groups, file, given.game, course, say)
        save_difference(student, Path(file), given.out / Path(file).name, given.part)


if __name__ == "__main__":
    main(sys.argv[1:])
