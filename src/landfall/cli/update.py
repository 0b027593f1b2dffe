"""`landfall host update`: a wheel in place of the installed code, with a way back at every step.

This process runs the old code while the new lies in its place: all it needs is imported before.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import importlib.metadata
import io
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer
from platformdirs import user_data_path

import landfall
from landfall.cli import backups
from landfall.cli.database_access import exit_with_error, make_store_or_exit
from landfall.core.errors import LandfallError
from landfall.store import backup
from landfall.store.postgres_backup import restored_beside
from landfall.web.pid_file import default_pid_file_path, find_running_server_pid

if TYPE_CHECKING:
    from landfall.store.store import Store

DISTRIBUTION: Final = "landfall-games"
STEADY_S: Final = 3.0  # for which every answer must be the new release's: several workers answer in turn
POLL_S: Final = 0.3
CHECKED: Final = re.compile(r"(\d+) tables, (\d+) entries, (\d+) damaged")
NOT_PACKED: Final = ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json")  # pip writes them anew


class UpdateError(LandfallError):
    """A step failed, with the reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, "error.database", {"reason": reason})


@dataclass(frozen=True)
class Wheel:
    file: Path
    version: str


def update(
    file: Path, folder: Path | None, port: int, pid_file: Path | None, database: str | None, wait_s: float
) -> None:
    try:
        wheel = read_wheel(file)
        require_other_version(wheel)
        store = make_store_or_exit(database)
        copy = back_up(store, folder, wheel)
        with tempfile.TemporaryDirectory(prefix="landfall-update-") as kept:
            before = check_copy_with_installed_code(store, copy)
            old = pack_installed(Path(kept))
            with going_back(old, copy, port, pid_file, wait_s):
                install(wheel.file)
                require_installed(wheel)
                if check_copy_with_installed_code(store, copy) != before:
                    raise UpdateError("the new release reads the copied database differently")
                typer.echo(f"the new release reads the copy: {before}")
                reload_server(wheel.version, port, pid_file, wait_s)
    except LandfallError as error:
        exit_with_error(str(error))
    typer.echo(f"updated to {wheel.version}")


# --- check ---------------------------------------------------------------------------------------------------------


def read_wheel(file: Path) -> Wheel:
    try:
        with zipfile.ZipFile(file) as archive:
            if archive.testzip() is not None:
                raise UpdateError(f"{file} is damaged")
            [path] = [name for name in archive.namelist() if re.fullmatch(r"[^/]+\.dist-info/METADATA", name)]
            told = importlib.metadata.PathDistribution(zipfile.Path(archive, path.removesuffix("METADATA"))).metadata
            name, version = told["Name"], told["Version"]
    except (OSError, zipfile.BadZipFile, ValueError) as error:
        raise UpdateError(f"{file} is no wheel: {error}") from None
    if name != DISTRIBUTION:
        raise UpdateError(f"{file} holds {name}, not {DISTRIBUTION}")
    return Wheel(file, version)


def require_other_version(wheel: Wheel) -> None:
    """pip would do nothing, and say nothing, if a wheel had the version that is installed."""
    try:
        found = importlib.metadata.distribution(DISTRIBUTION)
    except importlib.metadata.PackageNotFoundError:
        raise UpdateError("this is not an installed release") from None
    direct = found.read_text("direct_url.json")
    if direct and json.loads(direct).get("dir_info", {}).get("editable"):
        raise UpdateError("this is a checkout: update it with git, then `make setup` and `landfall host reload`")
    if wheel.version == landfall.__version__:
        raise UpdateError(f"{wheel.version} is installed already")
    run_pip("--version")
    typer.echo(f"{landfall.__version__} -> {wheel.version}")


# --- back up -------------------------------------------------------------------------------------------------------


def back_up(store: Store, folder: Path | None, wheel: Wheel) -> Path:
    from landfall.store.sqlite import SqliteDatabase

    used = store.database
    is_file = isinstance(used, SqliteDatabase)
    if folder is None:
        folder = used.path.parent if isinstance(used, SqliteDatabase) else user_data_path("landfall", appauthor=False)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    moment = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    target = folder / f"landfall-before-{wheel.version}-{moment}{'.db' if is_file else '.dump'}"
    seen = backups.copy_to_file(store, target)
    backups.record_backup(store)
    typer.echo(f"backed up: {target}, {target.stat().st_size:,} bytes{seen}")
    return target


@contextmanager
def scratch_database(store: Store, copy: Path) -> Iterator[str]:
    """The address of a database restored from the copy, to be thrown away."""
    from landfall.store.sqlite import SqliteDatabase

    used = store.database
    if isinstance(used, SqliteDatabase):
        with tempfile.TemporaryDirectory(prefix="landfall-try-", dir=copy.parent) as folder:
            backup.copy_database(copy, Path(folder, "landfall.db"), in_use=False)
            yield str(Path(folder, "landfall.db"))
    else:
        from landfall.store.postgres import PostgresDatabase

        assert isinstance(used, PostgresDatabase)
        with restored_beside(used.url, copy) as name:
            yield used.url.set(database=name).render_as_string(hide_password=False)


def check_copy_with_installed_code(store: Store, copy: Path) -> str:
    """What `landfall host check` of the code installed now says of the copy, which it migrates."""
    with scratch_database(store, copy) as address:
        settings = {**os.environ, "LANDFALL_DATABASE": address}
        done = subprocess.run(
            [sys.executable, "-P", "-c", "from landfall.cli import main; main()", "host", "check"],
            env=settings, capture_output=True, text=True, cwd=copy.parent,
        )  # fmt: skip
    found = CHECKED.search(done.stdout)
    if found is None:
        raise UpdateError(f"the copy cannot be read: {last_line(done.stderr or done.stdout)}")
    return found[0]


def last_line(text: str) -> str:
    return next((line for line in reversed(text.splitlines()) if line.strip()), "no reason given")


# --- install -------------------------------------------------------------------------------------------------------


def run_pip(*words: str | Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", *map(str, words)],
        capture_output=True, text=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    if done.returncode:
        if "No module named pip" in done.stderr:
            raise UpdateError("there is no pip here; a container is replaced as a whole (docs/hosting.md)")
        raise UpdateError(f"pip: {last_line(done.stderr)}")


def install(wheel: Path) -> None:
    """The wheel itself, also over the same version; and what it needs, with the extras that are there."""
    extras = ",".join(installed_extras())
    run_pip("install", "-q", f"{wheel.resolve()}[{extras}]" if extras else wheel.resolve())
    run_pip("install", "-q", "--force-reinstall", "--no-deps", wheel.resolve())


def installed_extras() -> list[str]:
    """The extras of which all that they need is installed."""
    found = importlib.metadata.distribution(DISTRIBUTION)
    needs: dict[str, list[str]] = {}
    for line in found.requires or ():
        name, extra = re.match(r"[\w.-]+", line), re.search(r"""extra == ['"]([^'"]+)""", line)
        if name is not None and extra is not None:
            needs.setdefault(extra[1], []).append(name[0])
    return [extra for extra, names in needs.items() if all(is_installed(name) for name in names)]


def is_installed(name: str) -> bool:
    try:
        importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def require_installed(wheel: Wheel) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", "import landfall; print(landfall.__version__)"],
        capture_output=True,
        text=True,
        cwd="/",
    )
    if done.stdout.strip() != wheel.version:
        said = done.stdout.strip() or last_line(done.stderr)
        raise UpdateError(f"installed is {said}, not {wheel.version}")
    typer.echo(f"installed: {wheel.version}")


def pack_installed(folder: Path) -> Path:
    """The installed code as a wheel, to be installed again. RECORD lists every file with its digest."""
    found = importlib.metadata.distribution(DISTRIBUTION)
    tags = re.findall(r"^Tag: (.*)$", found.read_text("WHEEL") or "", re.MULTILINE)
    target = folder / f"{DISTRIBUTION.replace('-', '_')}-{found.version}-{tags[0] if tags else 'py3-none-any'}.whl"
    rows, info = [], ""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in found.files or ():
            name = path.as_posix()
            if name.startswith("..") or "__pycache__" in name or path.name in NOT_PACKED:
                continue  # scripts are made again
            info = info or (path.parts[0] if path.parts[0].endswith(".dist-info") else "")
            content = Path(str(path.locate())).read_bytes()
            archive.writestr(name, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            rows.append([name, f"sha256={digest}", len(content)])
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([*rows, [f"{info}/RECORD", "", ""]])
        archive.writestr(f"{info}/RECORD", out.getvalue())
    return target


@contextmanager
def going_back(old: Path, copy: Path, port: int, pid_file: Path | None, wait_s: float) -> Iterator[None]:
    """If the new release fails at a step, the old one is installed again, and the server runs it."""
    try:
        yield
    except BaseException as error:
        typer.echo(f"landfall: {error or type(error).__name__}: the old release is installed again", err=True)
        try:
            run_pip("install", "-q", "--force-reinstall", "--no-deps", old)
            reload_server(landfall.__version__, port, pid_file, wait_s)
        except LandfallError as again:
            kept = Path(copy.parent, old.name)
            kept.write_bytes(old.read_bytes())
            hint = f"stop the server, pip install --force-reinstall {kept}, `landfall host restore {copy}`, start it"
            raise UpdateError(f"{again}: {hint}") from None
        raise UpdateError(f"nothing is changed: {landfall.__version__} runs as before") from error


# --- reload and verify -----------------------------------------------------------------------------------------------


def reload_server(version: str, port: int, pid_file: Path | None, wait_s: float) -> None:
    """Let the running server replace its workers, and wait until all of them run this version."""
    running = find_running_server_pid(pid_file or default_pid_file_path(port))
    if running is None:
        typer.echo("no server runs here: nothing is reloaded")
        return
    os.kill(running, signal.SIGHUP)
    started = time.monotonic()
    steady_since: float | None = None
    seen = "no answer"
    while time.monotonic() - started < wait_s:
        status, seen = ask_readiness(port)
        now = time.monotonic()
        steady_since = (steady_since or now) if status == "ok" and seen == version else None
        if steady_since is not None and now - steady_since > STEADY_S:
            typer.echo(f"the server runs {version}, after {steady_since - started:.0f} s")
            return
        time.sleep(POLL_S)
    raise UpdateError(f"the server does not run {version} after {wait_s:.0f} s, but {seen}")


def ask_readiness(port: int) -> tuple[str, str]:
    """The status and version of whichever worker answers."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as answer:
            told = json.loads(answer.read())
            return told["status"], told["version"]
    except (OSError, ValueError, KeyError, urllib.error.URLError) as error:
        return "failing", f"no answer ({error})"
