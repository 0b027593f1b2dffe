"""What a host can see of a real server: its metrics, the files that use them, and its log, which names nobody."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml  # type: ignore[import-untyped]
from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families

from landfall.tables.request_id import assign_request_number, current_request_id
from landfall.web.log_redaction import RedactingFormatter
from landfall.web.metrics_exchange import merge_metric_texts
from tests.conftest import LONG, lacking
from tests.repository_files import REPO
from tests.server.real_server import Line, Player, ServerProcess

pytestmark = pytest.mark.once
ALERTS = REPO / "deploy" / "monitoring" / "alerts.yml"
DASHBOARD = REPO / "deploy" / "monitoring" / "grafana.json"
SERIES = re.compile(r"\b(?:landfall|process)_[a-z_]+")
LABELS = re.compile(r"by \(([a-z, ]+)\)|[{,](\w+)(?:=|!=|=~)\"")
TARGET_LABELS = {"instance", "job", "le"}  # Prometheus's own


@dataclass
class Evening:
    """What a server has shown and written while somebody played."""

    families: dict[str, Metric] = field(default_factory=dict)
    lines: list[dict[str, Any]] = field(default_factory=list)
    secrets: list[str] = field(default_factory=list)
    written: str = ""
    answered_id: str = ""  # the request id of an answer

    def value(self, sample: str, **labels: str) -> float:
        """The sum of the samples of that name with these labels."""
        found = [s for family in self.families.values() for s in family.samples if s.name == sample]
        return sum(s.value for s in found if labels.items() <= s.labels.items())

    def series(self) -> dict[str, set[str]]:
        """The labels of each series that can be exposed, whether or not there is a sample now."""
        endings = {"counter": ["_total"], "histogram": ["_bucket", "_count", "_sum"], "gauge": [""]}
        return {
            family.name + ending: {label for s in family.samples for label in s.labels}
            for family in self.families.values()
            for ending in endings[family.type]
        }


async def play_an_evening(server: ServerProcess, database: Path, evening: Evening) -> None:
    zoe = await Player(server.url, "Zoe Unlike").come()
    made = await zoe.post("/api/tables/quick", game="atlandice", players=2, seating="as_sat", bots=["random"])
    line = await Line(zoe, made["table"]).open()
    evening.secrets += ["Zoe", "a word of hers", "a-foreign-key", made["table"], zoe.cookie.partition("=")[2]]
    while not line.choices:
        await line.receive()
    action = line.choices[0]["action"]
    assert (await line.play(action))["t"] == "ack"
    assert (await line.ask(t="play", version=0, id="late", action=action))["t"] == "refused"
    await line.send(t="say", text="a word of hers")
    await line.until("chat")
    assert line.socket is not None
    await line.socket.send("no JSON")
    assert (await line.until("refused"))["code"] == "bad_message"
    await line.open()  # again, after what it knows
    with sqlite3.connect(database) as db:
        db.execute("drop table chat")
    db.close()
    assert (await line.ask(t="say", text="a word of hers"))["code"] == "store"
    missing = await zoe.http.get("/api/tables/a-foreign-key")
    assert missing.status_code == 404
    evening.answered_id = missing.headers["x-request-id"]
    text = ""
    async with asyncio.timeout(LONG):
        while 'landfall_job_seconds_count{job="warm_up"' not in text:  # the bot worker may still be starting
            text = (await zoe.http.get("/metrics")).text
    evening.families = {family.name: family for family in text_string_to_metric_families(text)}
    await line.close()
    await zoe.close()


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    folder, found = tmp_path_factory.mktemp("monitoring"), Evening()
    database, log = folder / "landfall.db", folder / "log"
    with ServerProcess(str(database), log=str(log), log_level="debug", log_format="json") as server:
        asyncio.run(play_an_evening(server, database, found))
        server.stop()
    found.written = log.read_text()
    found.lines = [json.loads(line) for line in found.written.splitlines()]
    return found


def test_commands_requests_and_jobs_are_counted_by_kind(evening: Evening) -> None:
    assert evening.value("landfall_command_seconds_count", command="play") == 2
    assert evening.value("landfall_command_seconds_count", command="say") == 2
    assert evening.value("landfall_refusals_total", command="play") == 1
    assert evening.value("landfall_refusals_total", command="say", reason="store") == 1
    assert evening.value("landfall_refusals_total", command="unknown", reason="bad_message") == 1
    assert evening.value("landfall_refusals_total", command="http", reason="no_table") == 1
    assert evening.value("landfall_socket_messages_received_total") == 5
    assert evening.value("landfall_socket_connects_total", kind="first") == 1
    assert evening.value("landfall_socket_connects_total", kind="again") == 1
    assert evening.value("landfall_connections_open") == 1
    assert evening.value("landfall_http_request_seconds_count", route="POST /api/tables/quick") == 1
    assert evening.value("landfall_http_request_seconds_count", route="GET /api/tables/{table}") == 1
    assert evening.value("landfall_http_requests_total", status="404") == 1
    assert evening.value("landfall_job_seconds_count", job="warm_up") == 1
    assert evening.value("landfall_job_wait_seconds_count", job="warm_up") == 1
    assert evening.value("landfall_job_workers", pool="bot") == 1
    assert evening.value("landfall_log_append_seconds_count") >= 2
    assert evening.value("landfall_command_queue_length") == 0


def test_no_metric_and_no_line_of_the_log_names_a_person_a_key_or_a_chat_line(evening: Evening) -> None:
    shown = str([family.samples for family in evening.families.values()])
    for secret in evening.secrets:
        assert secret not in evening.written
        assert secret not in shown


def test_each_line_of_a_command_or_request_has_its_id(evening: Evening) -> None:
    def ids(words: str) -> list[str]:
        return [line["request"] for line in evening.lines if words in line["message"]]

    assert len(ids("command play:")) == 2
    assert len(set(ids("command "))) == 5, "each command has its own, also for several lines"
    (failed,) = ids("a table could not be written")
    assert ids("command say refused: store") == [failed], "written by the table's own task"
    assert ids("command say:")[1] == failed
    assert ids("GET /api/tables/{table}: 404") == [evening.answered_id]
    assert not any("request" in line for line in evening.lines if "server process" in line["message"])


def expressions() -> Iterator[str]:
    for group in yaml.safe_load(ALERTS.read_text())["groups"]:
        yield from (rule["expr"] for rule in group["rules"])
    for panel in json.loads(DASHBOARD.read_text())["panels"]:
        yield from (target["expr"] for target in panel["targets"])


def test_alerts_and_dashboard_use_what_the_server_exposes_and_the_dashboard_all_of_it(evening: Evening) -> None:
    exposed = evening.series()
    used: set[str] = set()
    for expression in expressions():
        names = set(SERIES.findall(expression))
        assert names <= exposed.keys(), expression
        labels = {label.strip() for found in LABELS.findall(expression) for label in "".join(found).split(",")}
        known = {label for name in names for label in exposed[name]}
        assert labels <= known | TARGET_LABELS, expression
        used |= names
    own = {name for name in evening.families if name.startswith("landfall_")}
    assert {name for name in own if not any(series.startswith(name) for series in used)} == set()


@pytest.mark.proof
def test_promtool_accepts_the_alert_rules() -> None:
    tool = shutil.which("promtool") or lacking("promtool")
    done = subprocess.run([tool, "check", "rules", ALERTS], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.proof
def test_promtool_accepts_the_metrics(tmp_path: Path) -> None:
    tool = shutil.which("promtool") or lacking("promtool")
    with ServerProcess(str(tmp_path / "landfall.db"), bot_workers=0) as server:
        text = httpx.get(f"{server.url}/metrics", timeout=LONG).text
    done = subprocess.run([tool, "check", "metrics"], input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_samples_of_several_workers_follow_each_other_after_one_heading() -> None:
    one = b'# HELP a A\n# TYPE a gauge\na{w="1"} 1.0\n# HELP b_total B\n# TYPE b_total counter\nb_total{w="1"} 2.0\n'
    two = b'# HELP b_total B\n# TYPE b_total counter\nb_total{w="2"} 3.0\n# HELP a A\n# TYPE a gauge\na{w="2"} 4.0\n'
    merged = merge_metric_texts([one, b"", two]).decode()
    assert merged.splitlines() == [
        "# HELP a A", "# TYPE a gauge", 'a{w="1"} 1.0', 'a{w="2"} 4.0',
        "# HELP b_total B", "# TYPE b_total counter", 'b_total{w="1"} 2.0', 'b_total{w="2"} 3.0',
    ]  # fmt: skip


def test_every_line_of_an_exception_in_a_text_log_has_the_id() -> None:
    name = "".join(("Z", "oe"))  # a traceback shows this line

    async def fail() -> str:
        assign_request_number()
        try:
            raise ValueError(name)
        except ValueError as error:
            record = logging.makeLogRecord({"name": "landfall", "levelname": "ERROR", "msg": "failed"})
            record.exc_info = type(error), error, error.__traceback__
            lines = RedactingFormatter().format(record).splitlines()
        assert len(lines) > 2
        assert all(f"[{current_request_id()}] " in line for line in lines)
        return "\n".join(lines)

    assert name not in asyncio.run(fail())
    assert current_request_id() == "", "it ends with its task"


def test_a_request_id_does_not_tell_how_many_requests_there_were() -> None:
    async def make_ids() -> list[str]:
        found = []
        for _ in range(200):
            assign_request_number()
            found.append(current_request_id())
        return found

    ids = asyncio.run(make_ids())
    assert len(set(ids)) == len(ids)
    assert ids != sorted(ids)
    steps = {int(later, 16) - int(earlier, 16) for earlier, later in pairwise(ids)}
    assert len(steps) == len(ids) - 1, "ids that follow each other have nothing in common"
