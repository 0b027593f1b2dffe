"""`landfall host update` in an environment of its own, with a running server: it updates, or all is as before."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from landfall.cli.update import DISTRIBUTION, UpdateError, last_line, read_wheel
from tests.conftest import LONG
from tests.repository_files import REPO, list_repository_files
from tests.server.real_server import free_port
from tests.server.test_host import database_with

pytestmark = pytest.mark.once
EXTRA = "play"


def write_wheel(folder: Path, version: str, changes: dict[str, str] | None = None) -> Path:
    """The committed package as a wheel that is not compiled."""
    file = folder / f"landfall_games-{version}-py3-none-any.whl"
    info = f"landfall_games-{version}.dist-info"
    contents = {
        name.relative_to("src").as_posix(): (REPO / name).read_bytes()
        for name in list_repository_files()
        if name.parts[:2] == ("src", "landfall") and (REPO / name).is_file()
    }
    contents["landfall/_version.py"] = f'__version__ = "{version}"\n'.encode()
    contents["landfall/web/static/index.html"] = b"<!doctype html>"
    for name in ("rules/survive.md", "rules/atlantis.md", "rules/atlandice.md"):
        contents[f"landfall/{name}"] = (REPO / "docs" / name).read_bytes()
    contents |= {name: text.encode() for name, text in (changes or {}).items()}
    needs = "Provides-Extra: play\nRequires-Dist: uvicorn; extra == 'play'\n"
    contents[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: {DISTRIBUTION}\nVersion: {version}\n{needs}".encode()
    contents[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    contents[f"{info}/entry_points.txt"] = b"[console_scripts]\nlandfall = landfall.cli:main\n"
    contents[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in [*contents, f"{info}/RECORD"]).encode()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return file


def test_what_is_no_release_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.whl").write_text("text")
    with zipfile.ZipFile(tmp_path / "other.whl", "w") as archive:
        archive.writestr("other-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: other\nVersion: 1\n")
    for name, reason in (("none.whl", "is no wheel"), ("text.whl", "is no wheel"), ("other.whl", "holds other")):
        with pytest.raises(UpdateError, match=reason):
            read_wheel(tmp_path / name)


@dataclass
class Installation:
    """A virtual environment with a wheel, a database and a server of it."""

    folder: Path
    port: int

    @property
    def python(self) -> Path:
        return self.folder / "venv" / "bin" / "python"

    def landfall(self, *words: str, check: bool = False) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.folder / "venv" / "bin" / "landfall", *words],
            env=self.settings, capture_output=True, text=True, check=check, cwd=self.folder,
        )  # fmt: skip

    @property
    def settings(self) -> dict[str, str]:
        return {
            **{name: value for name, value in os.environ.items() if not name.startswith("LANDFALL_")},
            "LANDFALL_DATABASE": str(self.folder / "landfall.db"),
            "LANDFALL_PORT": str(self.port),
            "LANDFALL_PID_FILE": str(self.folder / "serve.pid"),
            "LANDFALL_BOT_WORKERS": "1",
        }

    def running_version(self) -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=5) as answer:
            return str(json.loads(answer.read())["version"])

    def wait_until_served(self) -> None:
        end = time.monotonic() + LONG
        while True:
            try:
                self.running_version()
            except OSError:
                assert time.monotonic() < end
                time.sleep(0.1)
            else:
                return


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    """Version 7.0.0, which serves."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    [packages] = (tmp_path / "venv" / "lib").glob("python*/site-packages")
    ours = Path(next(path for path in sys.path if path.endswith("site-packages")))
    lent = tmp_path / "lent"  # what the wheel needs, and pip, but for landfall itself
    lent.mkdir()
    for entry in ours.iterdir():
        if "landfall" not in entry.name:
            (lent / entry.name).symlink_to(entry)
    (packages / "lent.pth").write_text(f"{lent}\n")
    found = Installation(tmp_path, free_port())
    wheel = write_wheel(tmp_path, "7.0.0")
    pip = [str(found.python), "-m", "pip", "install", "-q", "--no-deps", "--no-index", str(wheel)]
    subprocess.run(pip, check=True, capture_output=True, cwd=tmp_path)
    database_with(tmp_path / "landfall.db", 3)
    with subprocess.Popen(
        [tmp_path / "venv" / "bin" / "landfall", "serve"], env=found.settings, cwd=tmp_path, stdin=subprocess.DEVNULL
    ) as server:
        try:
            found.wait_until_served()
            yield found
        finally:
            server.terminate()


@pytest.mark.proof
def test_an_update_is_installed_tried_and_served_and_a_bad_one_is_taken_back(installation: Installation) -> None:
    folder = installation.folder
    done = installation.landfall("host", "update", str(write_wheel(folder, "7.0.1")))
    assert done.returncode == 0, done.stdout + done.stderr
    for said in ("7.0.0 -> 7.0.1", "backed up: ", "3 tables, 3 entries, 0 damaged", "the server runs 7.0.1", "updated"):
        assert said in done.stdout
    assert installation.running_version() == "7.0.1"
    again = installation.landfall("host", "update", str(folder / "landfall_games-7.0.1-py3-none-any.whl"))
    assert (again.returncode, again.stderr) == (1, "landfall: 7.0.1 is installed already\n")

    bad = {
        "7.1.0": {"landfall/core/state.py": "this is no Python"},  # cannot be imported
        "7.2.0": {"landfall/store/migrations/versions/v9999_bad.py": BAD_MIGRATION},
        "7.3.0": {"landfall/_version.py": '__version__ = "6.0.0"\n'},  # says another version
        "7.4.0": {"landfall/web/app.py": "raise SystemExit('no server')\n"},  # reads the copy, but does not serve
    }
    for version, changes in bad.items():
        done = installation.landfall("host", "update", "--wait", "60", str(write_wheel(folder, version, changes)))
        assert done.returncode == 1, version
        assert "the old release is installed again" in done.stderr
        assert last_line(done.stderr) == "landfall: nothing is changed: 7.0.1 runs as before", version
        assert installation.running_version() == "7.0.1"
        assert "landfall 7.0.1," in installation.landfall("--version", check=True).stdout
    assert len(list(folder.glob("landfall-before-*.db"))) == 5
    assert installation.landfall("host", "check").stdout.endswith("3 tables, 3 entries, 0 damaged\n")


BAD_MIGRATION = """
revision = "9999"
down_revision = "0017"
def upgrade() -> None:
    raise RuntimeError("it does not work")
"""
