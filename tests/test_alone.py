"""The rules, and tables without the web or a database, need nothing outside the standard library but mypy_extensions
and, compiled, librt."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from landfall.games import BUILT_IN_GAMES
from tests.repository_files import REPO

SOURCE = REPO / "src"
RULES = sorted([*(SOURCE / "landfall/core").rglob("*.py"), *(SOURCE / "landfall/games").rglob("*.py")])
TABLES = sorted((SOURCE / "landfall/tables").rglob("*.py"))
ALLOWED = {"mypy_extensions", "librt", "landfall"}
BLOCK = """
import sys
class Block:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        built = top.endswith("__mypyc") or top.startswith("_sysconfigdata")  # the latter is Python's own
        if top not in sys.stdlib_module_names and top not in {allowed} and not built:
            raise ModuleNotFoundError(f"{{name}} is blocked")
sys.meta_path.insert(0, Block())
"""
WORK = """
import importlib
for name in {names}:
    importlib.import_module(name)
from landfall.core.rng import Rng
from landfall.core.state import playout
from landfall.games import GAME_NAMES, game
for name in GAME_NAMES:
    state = game(name).new(2)
    print(name, playout(state, Rng(1)) > 10, bool(game(name).render_terminal(state.view(None), "en")))
"""

TABLE = """
import asyncio, collections, importlib, json
for name in {names}:
    importlib.import_module(name)
from landfall.core.rng import Rng
from landfall.tables.live.hub import Hub, TableConfig
from landfall.tables.live.subscriber import User
from landfall.tables.protocol import commands
from landfall.tables.runtime_dependencies import Runtime

class MemoryStore:
    is_shared = False
    missed_event_poll_interval_s = None
    def __init__(self):
        self.logs = collections.defaultdict(list)
        self.database = self.tables = self.chat = self
    def listen_for_notifications(self, on_notification): pass
    async def append_entries(self, entries, summary=None):
        self.logs[entries[0].table] += entries
        return True
    async def read_log_entries(self, table, after=0):
        return [entry for entry in self.logs[table] if entry.seq > after]
    async def read_chat_lines(self, table, after=0, limit=200):
        return []
    async def try_acquire_bot_lease(self, table):
        return True
    async def release_bot_lease(self, table): pass
    async def renew_open_tables(self, process, opened, closed, until): pass
    async def release_open_tables(self, process): pass
    async def list_table_ids_past_deadline(self, now):
        return []

async def play():
    runtime = Runtime(rng=Rng(1), bot_pace_ms=0, answer_hold_ms=0)
    hub, ana, sent = Hub(MemoryStore(), runtime=runtime), User("ana", "Ana"), []
    await hub.start_background_tasks()
    table = await hub.create_table_with_bots(ana, TableConfig("{game}", 2), ["random"])
    subscriber = await hub.subscribe_to_table(table, ana, lambda text: sent.append(json.loads(text)))
    live = subscriber.live
    for number in range(12):
        while live.table.actor != subscriber.seat:
            await asyncio.sleep(0.001)
        action = live.table.match.legal_actions()[0]
        command = commands.Play(live.table.version, str(number), action)
        await hub.command_handler.handle_command_and_wait(subscriber, command)
    await hub.shut_down()
    print(*(message["t"] for message in sent))

asyncio.run(play())
"""


def names(paths: list[Path]) -> list[str]:
    found = [".".join(path.relative_to(SOURCE).with_suffix("").parts) for path in paths]
    return [name.removesuffix(".__init__") for name in found]


def run(work: str) -> subprocess.CompletedProcess[str]:
    code = BLOCK.format(allowed=ALLOWED) + work
    env = {**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONWARNINGS": "ignore"}
    return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)


def test_every_module_of_the_rules_runs_with_nothing_else_installed() -> None:
    done = run(WORK.format(names=names(RULES)))
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.count("True True") >= 3


@pytest.mark.once
def test_a_match_is_played_at_a_table_with_nothing_else_installed() -> None:
    done = run(TABLE.format(names=names(TABLES), game=next(iter(BUILT_IN_GAMES))))
    assert done.returncode == 0, done.stderr[-2000:]
    told = done.stdout.split()
    assert told[0] == "welcome"
    assert told.count("ack") == 12
    assert told.count("update") >= 12


@pytest.mark.once
def test_the_block_would_be_felt() -> None:
    for blocked in ("rich", "msgspec", "numpy"):
        done = run(f"import {blocked}")
        assert done.returncode != 0
        assert f"{blocked} is blocked" in done.stderr


@pytest.mark.once
def test_every_module_of_the_rules_is_written_for_every_python_there_is() -> None:
    """As far as the grammar of the oldest tells; newer ones read all of it."""
    for path in RULES:
        ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 11))
