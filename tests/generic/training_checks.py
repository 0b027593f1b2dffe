"""Training with torch, for `make proof`: the net that learns is the net that plays, it repeats, and it beats random."""

from __future__ import annotations

import io
import tempfile
from contextlib import redirect_stdout
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import landfall
from landfall.bots import value_net
from landfall.bots.registry import make_bots
from landfall.bots.search.afterstate_rows import encode_row
from landfall.bots.search.one_ply_search import best_action
from landfall.core.feature_layout import RowBuffer
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, State
from landfall.game_checks.option_combinations import covering_combinations
from landfall.game_checks.position_checks import random_game_positions
from landfall.lab.experiments.simulation import simulate
from landfall.lab.training.net_distillation import main as compress
from landfall.lab.training.search_distillation import load_torch_net
from landfall.lab.training.search_distillation import main as learn_from_search
from landfall.lab.training.train import main

HERE = find_spec("torch") is not None
TRAINED = "atlandice"  # the quickest to learn
LESSONS = 500  # games of each of two stretches
GAMES = 60  # against random, from each seat
FATED_STEPS = 600  # decisions of every match, for whole matches
KERNEL_STEPS = 500  # decisions of every match: most end, and begin anew
SMALL = "--players 2 --actors 1 --games 24 --rows 4000 --window 100000 --minutes 600 --device cpu"


def compare_torch_with_numpy(name: str, path: Path) -> int:
    """The file's net in torch and in numpy, on positions with every option; how many were compared."""
    import torch

    layout = value_net.layout_of(name)
    net, _, _ = load_torch_net(str(path), name, "cpu")
    aside, sheet, rows = Rng(1), RowBuffer(layout, 1), []
    for combo in covering_combinations(name):
        for position in random_game_positions(landfall.game(name).new(*combo), Rng(2)):
            if aside.randbelow(20) == 0:
                rows.append(encode_row(position, int(aside.randbelow(position.players)), sheet))
    given = np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), layout.size).copy()
    played = value_net.load_file(path, name)
    win, points = played.predict(given)
    with torch.no_grad():
        logits, told, _, _ = net(torch.from_numpy(given))
    logits = logits * torch.from_numpy(played.sureness[given[:, 0]])[:, None]
    logits[:, 0] -= torch.from_numpy(played.modesty[given[:, 0]])
    assert np.allclose(torch.softmax(logits, 1).numpy(), win, atol=1e-4)
    assert np.allclose(told.numpy(), points, atol=1e-3)
    return len(rows)


def train_for_games(out: Path, games: int, seed: int, more: str) -> None:
    """One stretch of so many games."""
    main([TRAINED, *SMALL.split(), *more.split(), "--stop-after", str(games), "--seed", str(seed), "--out", str(out)])


def check_training_repeats(folder: Path) -> None:
    """The same seed and the same number of games: the same weights."""
    for name in ("a", "b"):
        train_for_games(folder / f"{name}.npz", 60, 1, "--every 2000 --batch 256 --warm 20 --evaluation 0")
    with np.load(folder / "a.npz") as a, np.load(folder / "b.npz") as b:
        assert all((a[key] == b[key]).all() for key in a.files)


def check_training_beats_random(folder: Path) -> dict[str, int]:
    """Two stretches, the second from the first one's checkpoint; then games against random."""
    out = folder / "net.npz"
    for seed in (1, 2):
        train_for_games(out, LESSONS, seed, "--every 4000 --batch 512 --warm 200 --evaluation 10")
    lines = out.with_suffix(".csv").read_text().splitlines()
    assert len(lines) > 4, "there is no curve"
    learnt = int(lines[-1].split(",")[1])
    assert learnt >= 2 * LESSONS
    won = 0.0
    for table, seat in ((f"net:file={out},random", 0), (f"random,net:file={out}", 1)):
        won += simulate(TRAINED, 2, games=GAMES, seed=9, bots=make_bots(table)).wins[seat]
    assert won > 0.7 * 2 * GAMES, f"{won} of {2 * GAMES} won against random after {learnt} games"
    return {"games learnt from": learnt, "won against random": int(won), "of": 2 * GAMES}


def check_evaluation_alone(folder: Path) -> None:
    """A stretch of no time tells how true the chances are at the numbers it is given, and leaves all else alone."""
    out = folder / "net.npz"
    before = dict(np.load(out))
    before["sureness"][3] = 0.9
    np.savez_compressed(out, **before)
    more = ["--players", "2", "--actors", "1", "--games", "8", "--rows", "4000", "--window", "1000", "--device", "cpu"]
    main([TRAINED, *more, "--minutes", "0", "--evaluation", "4", "--alone", "20", "--seed", "3", "--out", str(out)])
    after = dict(np.load(out))
    assert all((after[key] == before[key]).all() for key in before if "." in key)
    assert after["sureness"][2] != before["sureness"][2]
    assert after["sureness"][3] == before["sureness"][3]


def check_search_distillation(folder: Path) -> None:
    """Some seconds of games that are searched, a few steps: a student that is no longer the net it began as."""
    base = value_net.ENSEMBLE_DIR / "survive-1.npz"
    more = "--minutes 0.1 --actors 1 --worlds 2 --lines 4 --steps 3 --searched 32 --plain 16 --device cpu"
    learn_from_search(["survive", "--nets", str(base), *more.split(), "--out", str(folder)])
    student, known = (value_net.load_file(path, "survive") for path in (folder / base.name, base))
    apart = {name: np.abs(student.weight[name] - known.weight[name]).max() for name in ("piece", "first", "win")}
    assert all(0 < most < 0.1 for most in apart.values()), apart
    first = folder / base.name  # and a student's student
    learn_from_search(
        ["survive", "--nets", f"{first},{base}", "--start", str(first), *more.split(), "--out", str(folder / "2")]
    )
    twice = value_net.load_file(folder / "2" / base.name, "survive")
    apart = {name: np.abs(twice.weight[name] - student.weight[name]).max() for name in ("piece", "first", "win")}
    assert all(0 < most < 0.1 for most in apart.values()), apart


def check_net_compression(folder: Path) -> dict[str, int]:
    """Seconds of games by the search, a few hundred steps: a small net that predicts much of what the large one does,
    and fits the game."""
    said: list[str] = []
    base, out = str(value_net.NETS_DIR / f"{TRAINED}.npz"), folder / "small.npz"
    more = "--minutes 0.1 --actors 1 --steps 300 --batch 1024 --sizes 16,8,24,12 --device cpu"
    with redirect_stdout(io.StringIO()) as printed:
        compress([TRAINED, "--net", base, *more.split(), "--out", str(out), "--rows", str(folder / "rows")])
    said = printed.getvalue().splitlines()
    positions_kept = int(said[0].split()[0].replace(",", ""))
    first, last = (float(line.rpartition(" ")[2]) for line in (said[1], said[-1]))
    assert last < 0.7 * first, said
    small, large = value_net.load_file(out, TRAINED), value_net.load_file(Path(base), TRAINED)
    assert sum(w.size for w in small.weight.values()) < 0.5 * sum(w.size for w in large.weight.values())
    rows = np.concatenate([np.load(path) for path in (folder / "rows").glob("part-*.npy")])[:500]
    apart = np.abs(small.predict(rows)[0] - large.predict(rows)[0]).mean()
    assert apart < 0.15, f"win probabilities are {apart:.2f} apart"
    return {"positions compressed from": positions_kept}


def positions_with_saved_pieces(name: str) -> list[State]:
    """Of games by greedy players, with every option, the first positions with a saved piece: others save few."""
    found: list[State] = []
    for combo in covering_combinations(name) if value_net.layout_of(name).saved_pieces else []:
        state, rng = landfall.game(name).new(*combo), Rng(4)
        while state.actor != OVER and not (state.actor >= 0 and any(state.saved_pieces(0))):
            seat = int(state.actor)
            state.apply(state.sample_chance(rng) if seat == CHANCE else best_action(state, seat, rng))
        if state.actor != OVER:
            found.append(state)
    return found


def compare_kernel_with_states(name: str, folder: Path) -> dict[str, int]:
    """Matches of every option at every number of players, stepped by the kernel's debug build and as plain states."""
    from landfall.kernels.host import DEBUG
    from landfall.lab.training.kernel_matches import HostSelfPlay, KernelMatches
    from landfall.lab.training.states_in_step import StatesInStep
    from landfall.lab.training.step_comparison import find_difference

    rules = landfall.game(name)
    starts = [rules.new(*combo) for combo in covering_combinations(name)] + positions_with_saved_pieces(name)
    matches = 2 * len(starts)
    kernel = HostSelfPlay(rules, folder, DEBUG)
    batches = KernelMatches(kernel, starts, matches, 1), StatesInStep(name, starts, matches, 1)
    difference = find_difference(*batches, KERNEL_STEPS, most=40)
    assert not difference, difference
    assert bool(batches[0].saved.any()) == bool(batches[0].layout.saved_pieces)
    return {"decisions by kernel and as states": KERNEL_STEPS * matches}


def check_fates_taught(folder: Path) -> dict[str, int]:
    """What positions of Survive teach of explorers: what became of them at the match's end; in a match that has not
    ended, what had become of those that were gone at the seat's last choice, and what the net expects of the others."""
    import torch

    from landfall.bots.net_inputs import NetInputs
    from landfall.lab.training.batched_self_play import BatchedSelfPlay, BatchRecipe, Step
    from landfall.lab.training.kernel_matches import HostSelfPlay, KernelMatches
    from landfall.lab.training.torch_net import TorchNet

    rules = landfall.game("survive")
    starts = positions_with_saved_pieces("survive")
    batch = KernelMatches(HostSelfPlay(rules, folder), starts, len(starts), 3)
    torch.manual_seed(1)
    recipe = BatchRecipe(steps=FATED_STEPS, trust=1.0, before=0.0, mixed=0.0, noise=1.0, most=4)
    play = BatchedSelfPlay(batch, TorchNet(NetInputs(batch.layout), (8, 8, 8, 8)), recipe)
    steps = play.play_steps()
    rows, _, _, fates = play.lessons_of(steps)
    last: dict[tuple[int, int], tuple[bool, Step]] = {}  # by match and seat: what its positions teach, going backwards
    at = taught = gone = rescued = 0
    for step in reversed(steps):
        for i in range(batch.matches):
            if step.ended[i]:
                last |= {(i, seat): (True, step) for seat in range(batch.layout.seats)}
        for i in (int(n) for n in step.learnt.nonzero()):
            seat = int(step.actor[i])
            if (i, seat) in last:
                ended, then = last[i, seat]
                assert (rows[at] == step.rows[i]).all()
                known = torch.ones(batch.layout.saved_pieces, dtype=torch.bool)
                if not ended:
                    known = then.rows[i, batch.layout.piece_at :: batch.layout.piece_wide] == 0
                    gone += int(known.sum())
                assert (fates[at][known] == then.saved[i, seat][known]).all(), (i, seat)
                assert ((fates[at][~known] > 0) & (fates[at][~known] < 1)).all()
                taught += ended
                rescued += int(fates[at].sum()) if ended else 0
                at += 1
            elif step.learnt[i]:
                last[i, seat] = (False, step)
    assert at == len(rows)
    assert rescued > taught > FATED_STEPS
    assert gone > 0
    return {"positions that teach fates": taught, "rescues taught": rescued}


def check_training_in_step(folder: Path) -> dict[str, int]:
    """Two stretches of a net from nothing, by plain states: it repeats, resumes, and its targets are results."""
    import torch

    from landfall.lab.training.batched_self_play import BatchRecipe
    from landfall.lab.training.batched_train import BatchSchedule, BatchTrainer
    from landfall.lab.training.states_in_step import StatesInStep

    rules, recipe = landfall.game(TRAINED), BatchRecipe(batch=256, trust=1.0, before=0.0, mixed=0.0)

    def train(out: Path) -> BatchTrainer:
        schedule = BatchSchedule(0.0, players=(2,), sizes=(16, 8, 24, 12))
        trainer = BatchTrainer(
            lambda players, matches, seed: StatesInStep(TRAINED, [rules.new(players)], 32, seed),
            out, recipe, schedule, None, lambda said: None,
        )  # fmt: skip
        trainer.run()
        return trainer

    a, b = (train(folder / name) for name in ("step-a", "step-b"))
    pairs = zip(a.average.state_dict().values(), b.average.state_dict().values(), strict=True)
    assert all(torch.equal(x, y) for x, y in pairs), "the same seed gave other weights"
    first = a.progress.decisions
    again = train(folder / "step-a")
    assert again.progress.decisions == 2 * first, "the second stretch did not go on"
    play = again.plays[0]
    steps = [step for _ in range(8) for step in play.play_steps()]
    _, win, _ = play.lessons_of(steps)
    decided = (win == 0.0) | (win == 0.5) | (win == 1.0)  # with a trust of 1 a finished match teaches its result
    assert float(decided.all(1).float().mean()) > 0.5
    return {"decisions in step": again.progress.decisions}


def check_training_of_game(name: str) -> dict[str, int]:
    """The package's nets in torch and numpy; of the quickest game a training that repeats, and one that learns."""
    weights = [value_net.NETS_DIR / f"{name}.npz", *sorted(value_net.ENSEMBLE_DIR.glob(f"{name}-*.npz"))]
    counts = {"judgements compared": sum(compare_torch_with_numpy(name, path) for path in weights)}
    if name == TRAINED:
        with tempfile.TemporaryDirectory() as folder:
            check_training_repeats(Path(folder))
            counts |= check_training_beats_random(Path(folder))
            check_evaluation_alone(Path(folder))
            counts |= check_net_compression(Path(folder))
            counts |= check_training_in_step(Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        counts |= compare_kernel_with_states(name, Path(folder))
        if name == "survive":
            counts |= check_fates_taught(Path(folder))
            check_search_distillation(Path(folder))
    return counts
