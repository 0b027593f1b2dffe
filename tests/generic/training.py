"""Training with torch, for `make proof`: the net that learns is the net that plays, and minutes of it beat random."""

from __future__ import annotations

import tempfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import landfall
from landfall.bots import judge
from landfall.bots.registry import bots
from landfall.bots.search_after import one_row
from landfall.core.layout import Sheet
from landfall.core.rng import Rng
from landfall.lab.sim import simulate
from landfall.lab.train import main
from tests.generic.combos import covering
from tests.generic.properties import positions

HERE = find_spec("torch") is not None
MINUTES = 1.5  # of each of two stretches
GAMES = 60  # against random, from each seat
SMALL = (
    "--players 2 --actors 1 --games 24 --rows 4000 --every 4000 --batch 512 --window 100000 --warm 200 --evaluation 10"
)


def same_judgements(name: str, path: Path) -> int:
    """The file's net in torch and in numpy, on positions with every option; how many were compared."""
    import torch

    from landfall.lab.learner import Net

    layout = judge.layout_of(name)
    net = Net(layout, (96, 64, 256, 128))
    with np.load(path) as found:
        state = {key: torch.from_numpy(found[key].astype(np.float32)) for key in found.files if key != "layout"}
    net.load_state_dict({key: value.t() if key.endswith("weight") else value for key, value in state.items()})
    aside, sheet, rows = Rng(1), Sheet(layout, 1), []
    for combo in covering(name):
        for position in positions(landfall.game(name).new(*combo), Rng(2)):
            if aside.below(20) == 0:
                rows.append(one_row(position, int(aside.below(position.players)), sheet))
    given = np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), layout.size).copy()
    win, points = judge.load(path, name).judge(given)
    with torch.no_grad():
        logits, told, _, _ = net(torch.from_numpy(given))
    assert np.allclose(torch.softmax(logits, 1).numpy(), win, atol=1e-4)
    assert np.allclose(told.numpy(), points, atol=1e-3)
    return len(rows)


def trains(name: str) -> dict[str, int]:
    """Two stretches, the second from the first one's checkpoint; then games against random."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "net.npz"
        for seed in (1, 2):
            main([name, *SMALL.split(), "--minutes", str(MINUTES), "--seed", str(seed), "--out", str(out)])
        lines = out.with_suffix(".csv").read_text().splitlines()
        assert len(lines) > 4, "there is no curve"
        learnt = int(lines[-1].split(",")[1])
        compared = same_judgements(name, out)
        won = 0.0
        for table, seat in ((f"net:file={out},random", 0), (f"random,net:file={out}", 1)):
            won += simulate(name, 2, GAMES, seed=9, bots=bots(table)).wins[seat]
    assert won > 0.8 * 2 * GAMES, f"{won} of {2 * GAMES} won against random after {learnt} games"
    return {"games learnt from": learnt, "judgements compared": compared, "won": int(won), "of": 2 * GAMES}
