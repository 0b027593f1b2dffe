"""Bots that are programs: what they are told, what is made of their answers, and of none."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from landfall.bots.command_bot import CommandBot, Program, welcome_message
from landfall.bots.contract import BotError, Seat
from landfall.bots.registry import make_bot
from landfall.cli import app
from landfall.cli.common import EXIT_FAILED
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER
from landfall.games import BUILT_IN_GAMES
from landfall.games import game as find_game
from landfall.lab.environments.gymnasium import SeatEnv
from landfall.lab.experiments.simulation import SimulatedTable, simulate_in_parallel
from landfall.lab.worker_pool import InlinePool
from landfall.match import visible_events
from landfall.tables.bots.allowed_bots import require_allowed_bot_code
from landfall.tables.protocol import server_messages
from landfall.tables.protocol.errors import Refused
from landfall.web.codegen.message_schemas import build_socket_schema
from tests.conftest import lacking
from tests.repository_files import REPO

pytestmark = pytest.mark.once

EAGER = REPO / "examples" / "bots" / "eager.mjs"


@pytest.fixture(autouse=True)
def node(monkeypatch: pytest.MonkeyPatch) -> None:
    """Node, the machine's or that of the client's build."""
    monkeypatch.setenv("PATH", f"{REPO / '.node' / 'bin'}{os.pathsep}{os.environ['PATH']}")


def program(tmp_path: Path, text: str) -> str:
    """A program in Python's clothes that does whatever the test needs; its code."""
    path = tmp_path / "bot"
    path.write_text(f"#!{sys.executable} -S\nimport json, os, sys, time\n{text}\n")
    path.chmod(0o755)
    return f"cmd:{path}"


def seat_of(name: str) -> Seat:
    state = find_game(name).new(find_game(name).player_counts[0])
    rng = Rng(3)
    while state.actor == CHANCE:
        state.apply(state.sample_chance(rng))
    return Seat.from_state(state, name, rng)


@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_a_program_that_is_not_python_plays_every_game(name: str) -> None:
    if not shutil.which("node"):
        lacking("Node")
    players = find_game(name).player_counts[0]
    codes = (f"cmd:{EAGER}:ms=600000", *["random"] * (players - 1))
    one = simulate_in_parallel(SimulatedTable(name, players, 4, {}, codes), 1, InlinePool(), lambda _: None)
    assert one.decisions > 20
    if name == "atlandice":
        again = simulate_in_parallel(SimulatedTable(name, players, 4, {}, codes), 1, InlinePool(), lambda _: None)
        assert (one.decisions, one.totals) == (again.decisions, again.totals), "its seed is its match's"


@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_it_receives_what_a_client_receives_and_nothing_more(name: str) -> None:
    seat = seat_of(name)
    welcome = welcome_message(seat, 7, "cmd:x")
    for message, kind in ((welcome, server_messages.Welcome), (welcome["table"], server_messages.TableInfo)):
        assert set(message) <= set(kind.__annotations__)
        assert kind.__required_keys__ <= set(message)
    assert build_socket_schema()["$defs"]["Welcome"]
    assert welcome["view"] == seat.view
    rows = [dict(zip(g["keys"], row)) for g in welcome["choices"] for row in g["rows"]]
    assert [row["action"] for row in rows] != []
    assert {row["action"] for row in rows} == set(seat.legal_actions)
    assert json.loads(json.dumps(welcome)) == welcome


@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_two_worlds_that_a_seat_cannot_tell_apart_are_one_question(name: str) -> None:
    state, rng = find_game(name).new(3), Rng(8)
    state.events = []
    differed = asked = 0
    while state.actor != OVER and asked < 25:
        if state.actor != CHANCE and int(rng.randbelow(4)) == 0:
            seat = int(state.actor)
            worlds = [state.resample(seat, Rng(n)) for n in (1, 2)]
            differed += worlds[0].to_text() != worlds[1].to_text()
            events = visible_events(state, seat)
            seats = [Seat(seat, name, world, rng, 1.0, events) for world in worlds]
            assert welcome_message(seats[0], 1, "") == welcome_message(seats[1], 1, "")
            asked += 1
        state.apply(state.sample_chance(rng) if state.actor == CHANCE else state.random_action(rng))
    assert asked == 25
    assert differed or name == "atlandice", "there was something to hide"


def test_an_answer_may_name_the_action_or_its_text(tmp_path: Path) -> None:
    by_text = """
for line in sys.stdin:
    asked = json.loads(line)
    group = asked["choices"][-1]
    print(json.dumps({"t": "play", "text": group["rows"][-1][group["keys"].index("text")]}), flush=True)
"""
    seat = seat_of("atlantis")
    made = make_bot(program(tmp_path, by_text))
    assert made.choose(seat) in seat.legal_actions
    assert made.choose(seat) == made.choose(seat)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("sys.stdin.readline(); sys.exit('no idea')", "it ended (exit code 1) without an answer; it said: no idea"),
        ("os.kill(os.getpid(), 9)", "it ended (SIGKILL) without an answer"),
        ("sys.stdin.readline(); print('e4', flush=True); time.sleep(99)", "it answered 'e4', which is no JSON"),
        ("sys.stdin.readline(); print('[]', flush=True)", "it answered '[]', not {\"t\":\"play\",...}"),
        ("print('{\"t\":\"play\",\"text\":\"e4\"}', flush=True)", "which names none of the choices"),
        ("print('{\"t\":\"play\",\"version\":9,\"action\":1}', flush=True)", "it answered version 9, not 1"),
    ],
)  # fmt: skip
def test_an_invalid_answer_is_reported(tmp_path: Path, text: str, reason: str) -> None:
    made = make_bot(program(tmp_path, text))
    with pytest.raises(BotError) as error:
        made.choose(seat_of("atlantis"))
    assert reason in str(error.value)


def test_a_late_program_is_reported_and_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("landfall.bots.command_bot.STARTUP_TIMEOUT_S", 0.0)
    monkeypatch.setattr("landfall.bots.command_bot.EXIT_TIMEOUT_S", 0.05)
    made = make_bot(program(tmp_path, "time.sleep(3600)") + ":ms=50")
    assert isinstance(made, CommandBot)
    with pytest.raises(BotError, match=r"gave no answer within 0\.05 s"):
        made.choose(seat_of("atlandice"))
    running = made.program
    assert isinstance(running, Program)
    assert running.process.poll() is None
    del made
    assert running.process.poll() is not None, "it ended with its bot"


def test_who_does_not_read_is_late_however_long_the_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("landfall.bots.command_bot.STARTUP_TIMEOUT_S", 0.0)
    seat = seat_of("atlantis")
    seat.events = [{"kind": "told", "words": "x" * 300_000}]  # type: ignore[typeddict-unknown-key]  # more than a pipe holds
    made = make_bot(program(tmp_path, "time.sleep(600)") + ":ms=50:events=true")
    assert isinstance(made, CommandBot)
    with pytest.raises(BotError, match=r"no answer within 0\.05 s"):
        made.choose(seat)
    running = made.program
    assert isinstance(running, Program)
    del made
    assert running.process.poll() is not None, "it ended with its bot"


def test_the_command_line_ends_with_a_sentence_and_keeps_what_was_played(tmp_path: Path) -> None:
    died = program(tmp_path, "sys.exit(3)")
    got = CliRunner().invoke(app, ["sim", "atlandice", "--players", "2", "--games", "1", "--bots", f"{died},random"])
    assert got.exit_code == EXIT_FAILED
    assert "it ended (exit code 3) without an answer" in got.output
    illegal = program(tmp_path, """for _ in sys.stdin: print('{"t":"play","action":999999}', flush=True)""")
    got = CliRunner().invoke(
        app, ["ladder", "atlandice", "--games", "1", "--cores", "1", "--bots", f"random,{illegal}"]
    )
    assert got.exit_code == EXIT_FAILED
    assert "which names none of the choices" in " ".join(got.output.split())


def test_a_program_is_an_environments_opponent(tmp_path: Path) -> None:
    first = """
for line in sys.stdin:
    group = json.loads(line)["choices"][0]
    print(json.dumps({"t": "play", "action": group["rows"][0][group["keys"].index("action")]}), flush=True)
"""
    env = SeatEnv("atlandice", players=2, opponents=program(tmp_path, first))
    (seen, _), over, steps = env.reset(seed=5), False, 0
    while not over:
        seen, _, over, _, info = env.step(int(seen["action_mask"].argmax()))
        steps += 1
        assert not info
    env.close()
    assert steps > 10


def test_no_guest_of_a_table_can_name_a_program() -> None:
    for code in ("cmd:./mybot", "cmd:ls", "cmd", "cmd:ms=100"):
        with pytest.raises(Refused):
            require_allowed_bot_code(code)
    with pytest.raises(BotError, match="say which command"):
        make_bot("cmd:ms=100")
    with pytest.raises(BotError, match="cannot be started"):
        make_bot("cmd:./there-is-none").choose(seat_of("atlandice"))
