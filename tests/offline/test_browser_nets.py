"""Nets without numpy: the browser's layers say what numpy's do, of the same file, within 1e-5."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import landfall
from landfall.bots import levels, net_backend, value_net
from landfall.bots.net_bot import MAX_CHOICES as MOST_CHOICES
from landfall.bots.net_bot import NetBot, row_buffer_of
from landfall.bots.search.afterstate_rows import encode_row, write_afterstates
from landfall.bots.value_net import MissingNet
from landfall.core.feature_layout import RowBuffer
from landfall.core.rng import Rng
from landfall.game_checks.option_combinations import covering_combinations
from landfall.game_checks.position_checks import random_game_positions
from landfall.games import BUILT_IN_GAMES
from landfall.offline import browser_nets, offline_bot_pool
from landfall.tables.bots.bot_pool import BotRequest, choose_bot_action, seat_from_bot_request
from landfall.tables.bots.bot_pool import make_bot_request as asked_of
from landfall.tables.runtime_dependencies import Runtime
from tests.client.conftest import STATIC
from tests.conftest import lacking
from tests.repository_files import REPO

pytestmark = pytest.mark.once
MANIFEST = STATIC / "here" / "manifest.json"
NEAR = 1e-5
MOST, EVERY = 120, 7  # positions of a match, and of them those looked at
CHOICES = 40  # of a match


def rows_of(game: str) -> list[bytes]:
    """Positions of every number of players, with options, as each seat in turn knows them."""
    sheet = RowBuffer(value_net.layout_of(game), 1)
    tables = {combo[0]: combo for combo in covering_combinations(game)}
    return [
        encode_row(state, number % int(state.players), sheet)
        for combo in tables.values()
        for number, state in enumerate(random_game_positions(landfall.game(game).new(*combo), Rng(4), most=MOST))
        if number % EVERY == 0
    ]


def node() -> str:
    """Node's path."""
    return shutil.which("node", path=f"{REPO}/.node/bin:/usr/local/bin:/usr/bin") or lacking("Node")


def worth(question: BotRequest) -> dict[int, float]:
    """What the server's net makes of each choice."""
    seat, sheet = seat_from_bot_request(question, 2.0), row_buffer_of(question.game)
    sheet.restart_at_first_row()
    actions = write_afterstates(seat.sample(seat.rng), seat.number, sheet, MOST_CHOICES, seat.rng)
    values = value_net.load_packaged(question.game).win_and_mixed_values(
        sheet, len(actions), seat.players, NetBot().mix
    )[1]
    return dict(zip(actions, values, strict=True))


def browsers(game: str, rows: bytes, folder: Path) -> bytes:
    """What the browser's layers make of rows."""
    inputs, found = browser_nets.read_net_file(value_net.NETS_DIR / f"{game}.npz", game)
    stored = {
        name: [kind, columns, shape, base64.b64encode(data).decode()]
        for name, (kind, columns, shape, data) in found.items()
    }
    plan = json.loads(browser_nets.layout_plan_as_json(inputs))
    asked, answer = folder / "asked.json", folder / "answer"
    asked.write_text(json.dumps({"plan": plan, "stored": stored, "rows": base64.b64encode(rows).decode()}))
    command = [node(), str(REPO / "tests" / "offline" / "layers.mjs"), str(asked), str(answer)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return answer.read_bytes()


@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_a_browser_judges_as_numpy_does(game: str, tmp_path: Path) -> None:
    rows = rows_of(game)
    layout = value_net.layout_of(game)
    assert len(rows) > 30
    assert len({row[0] for row in rows}) >= 3  # players
    every = np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), layout.size)
    win, points = value_net.load_packaged(game).predict(every)
    told = np.frombuffer(browsers(game, b"".join(rows), tmp_path), np.float32).reshape(2, len(rows), layout.seats)
    assert np.abs(told[0] - win).max() < NEAR
    assert np.abs(told[1] - points).max() < NEAR


@pytest.mark.proof
@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_a_browser_chooses_as_a_server_does_by_the_same_net(game: str, tmp_path: Path) -> None:
    """The whole way: Python in a browser writes the rows, its layers judge, and the best is taken. A server asks other
    nets of Survive besides."""
    if not MANIFEST.is_file():
        lacking("what plays without a server is not built (make client)")
    asked, worths, env = [], [], Runtime(rng=Rng(5))
    for players in (2, 4):
        match = landfall.Match(game, players=players, seed=7)
        for _ in range(CHOICES):
            question = asked_of(match, match.actor, "net:second=0:lines=1", env)
            asked.append((game, "net:second=0:lines=1", question.world.hex(), question.seat, question.seed))
            worths.append(worth(question))
            match.play(choose_bot_action(question))
    (tmp_path / "asked.json").write_text(json.dumps(asked))
    command = [node(), str(REPO / "tests" / "offline" / "choices.mjs"), str(MANIFEST), str(tmp_path / "asked.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    for action, values in zip(map(int, done.stdout.split()), worths, strict=True):
        assert values[action] > max(values.values()) - 2 * NEAR  # what is worth the same may be taken instead


def test_the_upper_level_goes_by_the_net_where_a_device_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = f"mcts:ms={offline_bot_pool.MAX_BOT_MS}"
    assert [offline_bot_pool.offline_bot_code("kraken", game) for game in BUILT_IN_GAMES] == [plain] * 3
    assert [offline_bot_pool.offline_bot_code("leviathan", game) for game in BUILT_IN_GAMES] == [plain] * 3
    monkeypatch.setattr(net_backend, "OTHER_LOADERS", [*net_backend.OTHER_LOADERS])
    browser_nets.register_browser_net_loader(lambda plan, stored: pytest.fail("nothing is judged here"))
    assert {game: offline_bot_pool.offline_bot_code("kraken", game) for game in BUILT_IN_GAMES} == {
        "survive": "net",
        "atlantis": f"netsearch:ms={offline_bot_pool.MAX_BOT_MS}",
        "atlandice": plain,
    }
    assert offline_bot_pool.offline_bot_code("marlin", "survive") == levels.OFFLINE_CODES["marlin"]
    assert offline_bot_pool.offline_bot_code("sprat", "survive") == "sprat"


def test_a_net_of_other_features_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingNet, match="trained on other features"):
        browser_nets.read_net_file(value_net.NETS_DIR / "atlantis.npz", "survive")
    with pytest.raises(MissingNet, match="there is no net"):
        browser_nets.read_net_file(tmp_path / "none.npz", "survive")
