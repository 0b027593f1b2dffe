"""The nets and their bot, and the part of training that needs no torch. What needs it is in `make proof`."""

import threading
from collections.abc import Iterator
from itertools import islice
from multiprocessing import Pipe
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import landfall
from landfall import optional_dependencies
from landfall.bots import net_backend, value_net
from landfall.bots.contract import Seat
from landfall.bots.net_bot import ENSEMBLE_CHOICES
from landfall.bots.registry import make_bot, make_bots
from landfall.bots.search.afterstate_rows import encode_row, write_afterstates
from landfall.bots.value_net import MissingNet
from landfall.core.feature_layout import RowBuffer
from landfall.core.rng import Rng
from landfall.core.state import State
from landfall.game_checks.option_combinations import LEARNED, covering_combinations
from landfall.game_checks.position_checks import random_game_positions
from landfall.lab.experiments.simulation import simulate
from landfall.lab.training.net_distillation import CollectionConfig, play_and_save_rows
from landfall.lab.training.search_teacher import LINE_ENDS, ON_THE_WAY, UNSEARCHED, SearchTeacher, TeacherConfig
from landfall.lab.training.self_play import (
    CALIBRATION_PLAY,
    FINAL_EVALUATION,
    HALVES,
    MEASURED_SORTS,
    NET_PLAYER,
    OPENING_TABLE_PLAYER,
    OPTIONS_EVALUATION,
    Deal,
    PredictionRow,
    Recipe,
    SelfPlayActor,
    run_actor_process,
)
from landfall.optional_dependencies import MissingExtra

COMPILED = landfall.ENGINE == "compiled"
MOST_BYTES = 1_000_000


@pytest.mark.parametrize("name", LEARNED)
def test_the_package_has_a_net_for_every_game_and_its_judgements_are_chances(name: str) -> None:
    weights = [value_net.NETS_DIR / f"{name}.npz", *value_net.ENSEMBLE_DIR.glob(f"{name}-*.npz")]
    assert sum(path.stat().st_size for path in weights) < MOST_BYTES
    net, layout = value_net.load_packaged(name), value_net.layout_of(name)
    sheet, rows, players = RowBuffer(layout, 1), [], []
    aside = Rng(3)
    for combo in covering_combinations(name):
        for state in random_game_positions(landfall.game(name).new(*combo), Rng(4)):
            if aside.randbelow(40 if COMPILED else 300) == 0:
                rows.append(encode_row(state, int(aside.randbelow(state.players)), sheet))
                players.append(int(state.players))
    win, points = net.predict(np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), layout.size))
    assert len(rows) > 3
    assert np.allclose(win.sum(1), 1, atol=1e-5)
    assert win.min() >= 0
    for i, n in enumerate(players):
        assert win[i, n:].max(initial=0) < 1e-9
        assert not points[i, n:].any()


@pytest.mark.parametrize("name", LEARNED)
def test_a_position_is_judged_alike_alone_and_among_others(name: str) -> None:
    layout = value_net.layout_of(name)
    sheet = RowBuffer(layout, 1)
    found = [encode_row(s, 0, sheet) for s in random_game_positions(landfall.game(name).new(2), Rng(4), most=150)][::3]
    rows = np.frombuffer(b"".join(found), np.uint8).reshape(len(found), layout.size)
    together = value_net.load_packaged(name).predict(np.concatenate([rows] * 4))
    for i in (0, len(rows) // 2, len(rows) - 1):
        alone = value_net.load_packaged(name).predict(rows[i : i + 1])
        assert all(np.allclose(a[0], b[i], atol=1e-5) for a, b in zip(alone, together))


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", LEARNED)
def test_net_beats_random(name: str) -> None:
    games = 8
    for table, seat in (("net,random", 0), ("random,net", 1)):
        assert simulate(name, 2, games=games, seed=11, bots=make_bots(table)).wins[seat] >= games - 1, table


@pytest.mark.parametrize("name", LEARNED)
def test_net_says_what_it_thinks_of_every_choice(name: str) -> None:
    state = next(s for s in random_game_positions(landfall.game(name).new(2), Rng(5)) if len(s.legal_actions()) > 3)
    player = make_bot("net")
    chosen = player.choose(Seat.from_state(state, name, Rng(1)))
    assert sorted(t.action for t in player.thoughts) == sorted(state.legal_actions())
    assert player.thoughts[0].action == chosen
    assert all(0 <= t.value <= 1 for t in player.thoughts)


def crowded(many: int) -> list[State]:
    """Positions of Survive with more choices than all nets are asked about."""
    every = (
        s.copy()
        for s in random_game_positions(landfall.game("survive").new(4), Rng(5))
        if len(s.legal_actions()) > ENSEMBLE_CHOICES + 5
    )
    return list(islice(every, 0, 6 * many, 6))


def test_what_looks_best_is_weighed_by_the_mean_of_all_nets(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is told of a choice stays the first net's chance."""
    nets, sheet = (
        [value_net.load_packaged("survive"), *value_net.load_other_ensemble_nets("survive")],
        RowBuffer(value_net.layout_of("survive"), 1),
    )
    changed: list[tuple[State, int]] = []
    assert len(nets) == 6
    for state in crowded(30 if COMPILED else 5):
        alone, all_of_them = make_bot("net:second=0"), make_bot("net")
        first, chosen = (player.choose(Seat.from_state(state, "survive", Rng(1))) for player in (alone, all_of_them))
        best = [thought.action for thought in alone.thoughts[:ENSEMBLE_CHOICES]]
        rows = []
        for action in best:
            after = state.copy()
            after.apply(action)
            rows.append(encode_row(after, state.actor, sheet))
        found = [net.predict(np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), -1)) for net in nets]
        mean = np.mean([win[:, 0] + 0.6 * (points[:, 0] - points[:, 1:4].mean(1)) for win, points in found], 0)
        assert mean[best.index(chosen)] > mean.max() - 1e-4
        thoughts, thoughts_alone = ({t.action: t.value for t in player.thoughts} for player in (all_of_them, alone))
        assert thoughts == thoughts_alone
        assert [t.action for t in all_of_them.thoughts[ENSEMBLE_CHOICES:]] == [
            t.action for t in alone.thoughts[ENSEMBLE_CHOICES:]
        ]
        if chosen != first:
            changed.append((state, first))
    assert changed
    monkeypatch.setattr(
        net_backend, "OTHER_LOADERS", [lambda path, game: value_net.load_file(path, game)]
    )  # a device: one net a game
    for state, first in changed:
        assert make_bot("net").choose(Seat.from_state(state, "survive", Rng(1))) == first


@pytest.mark.compiled_only
def test_of_too_many_choices_so_many_are_drawn_each_as_likely_and_in_their_order() -> None:
    state = next(
        s.copy()
        for s in random_game_positions(landfall.game("survive").new(4), Rng(5))
        if 20 <= len(s.legal_actions()) < 40
    )
    every, rng, sheet, most, rounds = (
        state.legal_actions(),
        Rng(3),
        RowBuffer(value_net.layout_of("survive"), 16),
        10,
        4000,
    )
    drawn = dict.fromkeys(every, 0)
    for _ in range(rounds):
        sheet.restart_at_first_row()
        found = write_afterstates(state, int(state.actor), sheet, most, rng)
        assert found == [action for action in every if action in set(found)]
        assert len(found) == most == int(sheet.used)
        for action in found:
            drawn[action] += 1
    share = most / len(every)
    assert max(abs(n - rounds * share) for n in drawn.values()) < 5 * (rounds * share * (1 - share)) ** 0.5


def ends(state: State, mark: int, line: tuple[int, ...] = ()) -> Iterator[tuple[int, State]]:
    """Where a step of the turn can end, each with the choice that begins the way there; tried out one by one."""
    for action in state.legal_actions():
        after = state.copy()
        after.apply(action)
        if after.actor == state.actor and after.step_key() == mark and len(line) < 7:
            yield from ends(after, mark, (*line, action))
        else:
            yield (*line, action)[0], after


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", ["atlantis", "atlandice"])
def test_net_takes_what_begins_the_best_way_through_its_step(name: str) -> None:
    """All ways to the end of a step, judged one by one: with lines enough the best of them is found."""
    sheet, net, other = RowBuffer(value_net.layout_of(name), 1), value_net.load_packaged(name), 0
    many = [s.copy() for s in random_game_positions(landfall.game(name).new(3), Rng(5)) if len(s.legal_actions()) > 2]
    for state in many[::3][:30]:
        found = list(islice(ends(state, int(state.step_key())), 1001))
        if len(found) > 1000:
            continue
        rows = b"".join(encode_row(after, state.actor, sheet) for _, after in found)
        win, points = net.predict(np.frombuffer(rows, np.uint8).reshape(len(found), -1))
        value = win[:, 0] + 0.6 * (points[:, 0] - points[:, 1:3].mean(1))
        chosen, near = (
            make_bot(code).choose(Seat.from_state(state, name, Rng(1)))
            for code in ("net:lines=2000:mix=0.6", "net:lines=1")
        )
        assert value[[first == chosen for first, _ in found]].max() > value.max() - 1e-4
        other += chosen != near
    assert other > 2, "one choice ahead it takes something else here and there"


@pytest.mark.once
def test_how_far_net_looks_is_said_by_the_game() -> None:
    assert {name: landfall.game(name).lines for name in LEARNED} == {"survive": 1, "atlantis": 5, "atlandice": 5}
    state = next(s.copy() for s in random_game_positions(landfall.game("atlantis").new(2), Rng(7)) if differs(s))
    seat, said = Seat.from_state(state, "atlantis", Rng(1)), {}
    for code in ("net", "net:lines=5", "net:lines=1"):
        said[code] = make_bot(code).choose(seat)
    assert said["net"] == said["net:lines=5"] != said["net:lines=1"]


def differs(state: State) -> bool:
    """Whether looking to the end of the step changes the choice."""
    if len(state.legal_actions()) < 3:
        return False
    near, far = (
        make_bot(code).choose(Seat.from_state(state, "atlantis", Rng(1))) for code in ("net:lines=1", "net:lines=5")
    )
    return near != far


def test_a_net_of_other_features_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingNet, match="trained on other features"):
        value_net.load_file(value_net.NETS_DIR / "atlantis.npz", "survive")
    with pytest.raises(MissingNet, match="there is no net"):
        value_net.load_file(tmp_path / "none.npz", "survive")
    state = next(
        s for s in random_game_positions(landfall.game("survive").new(2), Rng(5)) if len(s.legal_actions()) > 3
    )
    with pytest.raises(MissingNet, match=r"none\.npz"):
        make_bot(f"net:file={tmp_path / 'none.npz'}").choose(Seat.from_state(state, "survive", Rng(1)))


def test_without_numpy_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(optional_dependencies, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match="needs numpy, which is not installed"):
        make_bot("net")


@pytest.mark.compiled_only
def test_a_search_keeps_what_its_lines_came_to(tmp_path: Path) -> None:
    """One game at four: groups of positions beside each other, those of the search with what playing on gave."""
    nets = (str(value_net.NETS_DIR / "survive.npz"), str(value_net.ENSEMBLE_DIR / "survive-1.npz"))
    teacher = SearchTeacher(
        TeacherConfig("survive", nets, seed=1, seconds=0, worlds=2, lines=3, plain=1.0), 0, tmp_path
    )
    teacher.until = float("inf")
    teacher.play_game()
    teacher.save_new_groups()
    with np.load(tmp_path / "part-0-0.npz") as found:
        rows, gave, groups = found["rows"], found["found"], found["groups"]
    assert groups[:, 0].sum() == len(rows) == len(gave)
    assert {*groups[:, 1]} == {LINE_ENDS, ON_THE_WAY, UNSEARCHED}
    searched = np.repeat(groups[:, 1] != UNSEARCHED, groups[:, 0])
    assert np.isfinite(gave[searched]).all()
    assert np.isnan(gave[~searched]).all()
    assert (rows[:, 0] == 4).all()
    first = groups[:, 0].astype(int).cumsum() - groups[:, 0]
    for at, (many, sort, _) in zip(first, groups):
        if sort == LINE_ENDS:
            assert 1 < many <= 3
            assert len({row.tobytes() for row in rows[at : at + many]}) == many


def test_a_net_may_be_kept_as_what_it_differs_in(tmp_path: Path) -> None:
    base = value_net.load_packaged("survive")
    with np.load(value_net.NETS_DIR / "survive.npz") as known:
        apart: dict[str, Any] = {name: np.zeros(known[name].shape, np.int8) for name in known.files if "." in name}
        saved: dict[str, Any] = {"layout": known["layout"], "sureness": known["sureness"], "modesty": known["modesty"]}
    apart["win.bias"][0] = 3
    steps: dict[str, Any] = {f"{name}.step": np.float32(0.5) for name in apart}
    over, mark = str(value_net.NETS_DIR / "survive.npz"), value_net.file_digest(value_net.NETS_DIR / "survive.npz")
    np.savez(tmp_path / "more.npz", over=over, base=mark, **saved, **apart, **steps)
    more = value_net.load_file(tmp_path / "more.npz", "survive")
    assert more.bias["win"][0] == base.bias["win"][0] + 1.5
    assert all((more.weight[name] == base.weight[name]).all() for name in value_net.LAYERS)
    np.savez(
        tmp_path / "most.npz",
        over="more.npz",
        base=value_net.file_digest(tmp_path / "more.npz"),
        **saved,
        **apart,
        **steps,
    )
    assert value_net.load_file(tmp_path / "most.npz", "survive").bias["win"][0] == base.bias["win"][0] + 3
    np.savez(tmp_path / "more.npz", over="more.npz", base=mark, **saved, **apart, **steps)  # another in its place
    for name in ("most.npz", "more.npz"):
        with pytest.raises(value_net.MissingNet, match="another net"):
            value_net.load_file(tmp_path / name, "survive")


class Learner:
    """The learner's side of an actor, with the package's net in place of one that learns."""

    def __init__(self, recipe: Recipe) -> None:
        self.layout = value_net.layout_of(recipe.game)
        self.net = value_net.load_packaged(recipe.game)
        self.rows = recipe.rows
        sizes = recipe.rows * self.layout.size, recipe.rows * 2 * self.layout.seats * 4
        self.memory = [tuple(SharedMemory(create=True, size=size) for size in sizes) for _ in range(HALVES)]
        self.pipe, there = Pipe()
        names = [(asked.name, saved.name) for asked, saved in self.memory]
        self.actor = threading.Thread(target=run_actor_process, args=(0, there, names, recipe))
        self.actor.start()

    def messages(self) -> Iterator[tuple[str, Any]]:
        """What the actor says, its rows judged, until it is done; the caller sends what is to be answered."""
        while True:
            sort, bench, rows, *harvest = self.pipe.recv()
            asked, saved = self.memory[bench]
            if rows:
                found = np.ndarray((rows, self.layout.size), np.uint8, bytes(asked.buf[: rows * self.layout.size]))
                win, points = self.net.predict(found)
                np.ndarray((rows, 2 * self.layout.seats), np.float32, saved.buf)[:] = np.concatenate([win, points], 1)
            yield sort, harvest

    def close(self) -> None:
        self.pipe.close()
        self.actor.join()
        for pair in self.memory:
            for memory in pair:
                memory.close()
                memory.unlink()


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", LEARNED)
def test_an_actor_plays_by_the_net_and_tells_what_it_should_have_said(name: str) -> None:
    layout = value_net.layout_of(name)
    teacher = Learner(Recipe(name, (2, 3), games=4, rows=4_000, most=12, warm=3, measured=0.0, seed=3))
    results: list[tuple[str, int, float, float]] = []
    lots: list[list[Any]] = []
    deals: list[Deal] | None = [
        (FINAL_EVALUATION, 2, 0),
        (OPTIONS_EVALUATION, 2, 1),
        (CALIBRATION_PLAY, 2, 0),
        (FINAL_EVALUATION, 3, 0),
    ]
    foretold: list[PredictionRow] = []
    for sort, (finished, *lot, saved) in teacher.messages():
        results += finished
        foretold += saved
        if lot[0] is not None:
            lots.append(lot)
        if sort == "done":
            break
        assert sort == "rows", finished
        ready = sum(1 for r in results if r[0] not in (FINAL_EVALUATION, OPTIONS_EVALUATION, CALIBRATION_PLAY)) >= 9
        teacher.pipe.send(deals if ready else None)
        deals = None if ready else deals
    teacher.close()
    measured = sorted(r[:2] for r in results if r[0] in (FINAL_EVALUATION, OPTIONS_EVALUATION, CALIBRATION_PLAY))
    assert measured == [(CALIBRATION_PLAY, 2), (FINAL_EVALUATION, 2), (FINAL_EVALUATION, 3), (OPTIONS_EVALUATION, 2)]
    assert {r[0] for r in results} >= {"warm", "self", FINAL_EVALUATION}
    assert len(foretold) > 20
    assert all(
        np.isclose(saved[:2].sum(), 1, atol=1e-4) and set(won[:2]) <= {0, 0.5, 1} for _, _, saved, won in foretold
    )
    rows, win, points, fates = (np.concatenate([lot[i] for lot in lots]) for i in range(4))
    assert len(rows) == len(win) == len(points) > 100
    assert rows.shape[1] == layout.size
    assert np.allclose(win.sum(1), 1, atol=1e-4)
    assert win[rows[:, 0] == 2, 2:].max() < 1e-6
    assert np.isfinite(points).all()
    if layout.worths:
        assert set(np.unique(fates)) == {0, 1}


@pytest.mark.compiled_only
def test_the_first_results_of_a_measurement_come_soon() -> None:
    """Games begin one after the other, not all at once: whoever has little time is told of some."""
    teacher = Learner(Recipe("atlandice", (2,), games=48, rows=30_000, seed=3))
    deals: list[Deal] | None = [(FINAL_EVALUATION, 2, deal) for deal in range(12)]
    requests, at = 0, []
    for sort, (finished, *_) in teacher.messages():
        ended = sum(r[0] == FINAL_EVALUATION for r in finished)
        at += [requests] * ended
        if sort == "done":
            break
        teacher.pipe.send(deals)
        requests += 1
        deals = None
    teacher.close()
    assert len(at) == 12
    assert at[0] < requests / 3, at
    assert at[-1] - at[0] > 2 * at[0]


@pytest.mark.compiled_only
def test_the_same_seed_gives_the_same_lessons() -> None:
    def first_lessons() -> list[bytes]:
        teacher = Learner(Recipe("atlandice", (2,), games=3, rows=3_000, seed=5))
        found: list[bytes] = []
        for _, (_, *lot, _) in teacher.messages():
            if lot[0] is not None:
                found += [lot[0].tobytes(), lot[1].tobytes()]
            if len(found) >= 4:
                break
            teacher.pipe.send(None)
        teacher.close()
        return found

    assert first_lessons() == first_lessons()


def test_games_of_one_net_among_greedy_ones_are_learnt_from() -> None:
    here, there = Pipe()
    actor = SelfPlayActor(0, there, [], Recipe("atlandice", (2, 3), mixed=0.0, measured=0.0, lone=1.0, seed=6))
    made = [actor.new_game() for _ in range(20)]
    here.close()
    seats = set()
    for game in made:
        assert game is not None
        assert game.sort not in MEASURED_SORTS
        assert game.noise > 0
        assert sorted(game.seats) == [NET_PLAYER] + [OPENING_TABLE_PLAYER] * (len(game.seats) - 1)
        seats.add(game.seats.index(NET_PLAYER))
    assert seats == {0, 1, 2}


@pytest.mark.compiled_only
def test_compression_keeps_the_positions_that_a_search_asks_for(tmp_path: Path) -> None:
    """A small net learns from these; `make proof` lets it learn."""
    net = str(value_net.NETS_DIR / "atlandice.npz")
    play_and_save_rows(CollectionConfig("atlandice", net, 0.5, players=(3,), kept=1.0), 4, tmp_path)
    rows, layout = np.load(tmp_path / "part-4.npy"), value_net.layout_of("atlandice")
    assert len(rows) > 20
    most = np.zeros(layout.size, np.uint8)
    most[list(layout.fields_by_offset())] = [field.most for field in layout.fields_by_offset().values()]
    assert (rows <= most).all()
    assert (rows[:, 0] == 3).all()
    assert len(np.unique(rows, axis=0)) > len(rows) // 4
    win, _ = value_net.load_file(Path(net), "atlandice").predict(rows[:50])
    assert np.allclose(win.sum(1), 1, atol=1e-5)
