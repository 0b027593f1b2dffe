"""How a host sets up a server: options, environment, configuration file; who may register and make tables."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import httpx
import pytest
import typer
import yaml  # type: ignore[import-untyped]
from typer.testing import CliRunner, Result

from landfall.cli import app as commands
from landfall.cli.config_file import read_configuration_file
from landfall.web import serve
from landfall.web.app import create_app
from landfall.web.server_options import OPTIONS, ServerOptions, environment_variable_of
from landfall.web.settings import Settings
from tests.conftest import lacking
from tests.repository_files import REPO
from tests.server.server_process import WIDE

pytestmark = pytest.mark.once


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[ServerOptions]:
    """The options of servers that would be started; the environment is as before afterwards."""
    found: list[ServerOptions] = []
    monkeypatch.setattr(serve, "serve_under_supervisor", found.append)
    for name in [name for name in os.environ if name.startswith("LANDFALL_")]:
        monkeypatch.delenv(name)
    for option in OPTIONS:  # so that what a file sets is undone, too
        monkeypatch.setenv(environment_variable_of(option), "")
        monkeypatch.delenv(environment_variable_of(option))
    return found


def run_command(*words: str) -> Result:
    return CliRunner().invoke(commands, list(words))


def invoke(*words: str) -> tuple[int, str]:
    done = run_command(*words)
    return done.exit_code, done.output


def test_every_option_of_serve_is_also_a_variable_and_a_line_of_the_file() -> None:
    serve_command = typer.main.get_command(commands).commands["serve"]  # type: ignore[attr-defined]
    declared = {option.opts[0].removeprefix("--"): option.envvar for option in serve_command.params}
    assert declared == {name: environment_variable_of(name) for name in OPTIONS}


def test_the_command_line_wins_over_the_environment_and_that_over_the_file(
    started: list[ServerOptions], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "landfall.toml"
    file.write_text('port = 1111\nworkers = 2\nbot-workers = 3\ninvite-only = true\nhost = "0.0.0.0"\n')
    monkeypatch.setenv("LANDFALL_WORKERS", "4")
    monkeypatch.setenv("LANDFALL_CONFIG", str(file))
    assert invoke("serve", "--bot-workers", "5")[0] == 0
    (found,) = started
    assert (found.port, found.workers, found.bot_workers) == (1111, 4, 5)
    assert (found.invite_only, found.closed_registration, found.host) == (True, False, "0.0.0.0")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("prot = 1", "there is no option 'prot'"),
        ("port = [1]", "port is a text, a number, true or false"),
        ("port =", "is not TOML"),
        (None, "cannot be read"),
    ],
)
def test_a_wrong_file_gets_a_sentence(
    text: str | None, sentence: str, started: list[ServerOptions], tmp_path: Path
) -> None:
    file = tmp_path / "landfall.toml"
    if text is not None:
        file.write_text(text)
    code, said = invoke("--config", str(file), "serve")
    assert (code, started) == (2, [])
    assert sentence in " ".join(said.split())


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("https://example.org/games", "a host name of its own"),
        ("https://example.org/?a", "a host name of its own"),
        ("https://", "a host name is missing"),
        ("example.org", "write it with http:// or https://"),
    ],
)
def test_an_address_that_cannot_work_is_refused(url: str, sentence: str, started: list[ServerOptions]) -> None:
    code, said = invoke("serve", "--public-url", url)
    assert (code, started) == (2, [])
    assert sentence in " ".join(said.split())
    assert invoke("serve", "--public-url", "https://example.org/")[0] == 0


def test_a_closed_server_makes_accounts_by_its_host_alone_and_guests_need_a_link(tmp_path: Path) -> None:
    database = str(tmp_path / "landfall.db")

    async def story() -> None:
        settings = Settings(
            database=database, bot_workers=0, limits=WIDE, closed_registration=True, invite_only=True,
            public_url="http://landfall.test",
        )  # fmt: skip
        app = create_app(settings)
        transport, base = httpx.ASGITransport(app=app), "http://landfall.test"
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url=base) as ana,
            httpx.AsyncClient(transport=transport, base_url=base) as guest,
        ):
            refused = await ana.post("/api/account", json={"name": "Ana", "password": "a long password"})
            assert (refused.status_code, refused.json()["code"]) == (403, "no_registration")
            added = await asyncio.to_thread(run_command, "host", "add-account", "Ana", "--database", database)
            assert added.exit_code == 0
            password = added.stdout.strip()  # the server of this process may warn meanwhile, on the stream of errors
            entered = await ana.post("/api/login", json={"name": "Ana", "password": password})
            assert entered.status_code == 200
            body = {"game": "atlantis", "players": 2, "public": True}
            made = await ana.post("/api/tables", json=body)
            assert made.status_code == 201
            await guest.post("/api/me", json={"name": "Boris"})
            for path, more in (("", {}), ("/quick", {"bots": ["sprat"]})):
                refused = await guest.post(f"/api/tables{path}", json={**body, **more})
                assert (refused.status_code, refused.json()["code"]) == (403, "invite_only")
            assert (await guest.get("/api/tables")).json() == []
            assert len((await ana.get("/api/tables")).json()) == 1
            assert (await guest.get(f"/api/tables/{made.json()['table']}")).status_code == 200
            again = await asyncio.to_thread(run_command, "host", "add-account", "ana", "--database", database)
            assert again.exit_code == 1
            assert "exists already" in again.output

    asyncio.run(story())


def test_the_files_for_hosts_name_options_that_exist(tmp_path: Path) -> None:
    known = {environment_variable_of(option) for option in OPTIONS} | {"LANDFALL_CONFIG"}
    for name in ("Containerfile", "compose.yaml", "systemd/landfall.service", "systemd/landfall-backup.service"):
        named = set(re.findall(r"LANDFALL_[A-Z_]+", (REPO / "deploy" / name).read_text()))
        assert named
        assert named <= known, name
    file = tmp_path / "landfall.toml"
    lines = (REPO / "deploy" / "landfall.toml").read_text().splitlines()[1:]
    file.write_text("\n".join(line.removeprefix("# ") for line in lines))
    assert len(read_configuration_file(file)) == len(lines)


def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((REPO / "deploy" / "compose.yaml").read_text())
    return found


@pytest.mark.parametrize("service", ["landfall", "backup"])
def test_compose_passes_every_option_on(service: str) -> None:
    """All of .env, but for what compose itself must know; and of that each can be set in .env, too."""
    services = compose()["services"]
    assert services[service]["env_file"] == [".env"]
    fixed = {"LANDFALL_PUBLIC_URL", "LANDFALL_DATABASE", "LANDFALL_PROXIES"}
    for name, value in services[service]["environment"].items():
        assert name in fixed or value.startswith(f"${{{name}:-"), name
    assert services[service]["environment"]["LANDFALL_DATABASE"].endswith("@postgres/landfall")


def test_compose_keeps_what_matters_in_volumes() -> None:
    """A container that is made again loses all else; and no service of ours may write anywhere else."""
    found = compose()
    kept = {
        volume.split(":")[0] for one in found["services"].values() for volume in one["volumes"] if volume[0] not in "./"
    }
    assert kept == set(found["volumes"])
    for name in ("landfall", "backup"):
        assert found["services"][name]["read_only"]
        assert found["services"][name]["init"], "a signal must reach a program that waits"
    assert found["services"]["backup"]["command"][:3] == ["host", "backup", "/backups"]


def test_the_units_can_be_loaded(tmp_path: Path) -> None:
    """systemd itself reads them; only the program is not where it will be."""
    if not shutil.which("systemd-analyze"):
        lacking("systemd-analyze")
    units = [str(shutil.copy(file, tmp_path)) for file in (REPO / "deploy" / "systemd").iterdir()]
    for unit in units:
        text = Path(unit).read_text().replace("/opt/landfall/bin/landfall", "/bin/true")
        Path(unit).write_text(text)
    said = subprocess.run(["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True)
    ours = [line for line in said.stderr.splitlines() if "landfall" in line]
    assert ours == []
    due = subprocess.run(["systemd-analyze", "calendar", "*-*-* 04:15"], capture_output=True, text=True)
    assert "04:15:00" in due.stdout


def test_both_units_are_one_user_with_one_folder() -> None:
    """The backup reads the database's file; the user's name is the server unit's."""
    text = (REPO / "deploy" / "systemd" / "landfall-backup.service").read_text()
    assert "User=landfall\n" in text
    assert "DynamicUser=yes\n" in text
    assert "StateDirectory=landfall landfall-backups\n" in text
