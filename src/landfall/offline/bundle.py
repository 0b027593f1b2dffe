"""What a browser downloads to play without a server, written beside the built client: Python as Pyodide brings it, its
largest file packed; the wheels it needs; an archive of the sources, texts and rules; and one of the nets, which change
less often. `python -m landfall.offline.bundle CLIENT FOLDER`."""

from __future__ import annotations

import ast
import gzip
import hashlib
import io
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import mypy_extensions

from landfall import paths

# Of the folders, those that play; of the store, what a log says.
PACKED_FOLDERS: Final = ("core", "games", "bots", "analysis", "tables", "api", "offline")
STORE_FILES: Final = ("store/__init__.py", "store/events.py", "store/event_codec.py", "store/row_types.py")
PACKED_SUFFIXES: Final = (".py", ".json")
# What nobody asks of a browser's Python: a host's work, this module, studies, environments, other players and games,
# types and tests.
LEFT_OUT: Final = (
    "bundle.py", "recompute.py", "seat_statistics.py", "players.py", "log_check.py",
    "environment_version.py", "matchmaking", "tournaments", "tournaments.py", "lobby", "home_page.py",
    "shared_log_writer.py", "sender.py", "message_text.py", "preferences.py", "holiday_allowance.py", "own_matches.py",
    "online_client.py", "remote_bots.py", "table_store.py", "declared_fields.py", "game_from_declared_fields.py",
    "game_types.py", "testing.py",
)  # fmt: skip
ROUTE_NAME: Final = "Route"  # what declares an endpoint: its types say how a request is decoded
SUMMARY_POSITION: Final = 2  # of its arguments: for documents alone
LOOK_FILES: Final = ("symbols.svg", "symbols.css")  # of the pictures of puzzles
COPIED_FILES: Final = ("pyodide.mjs", "pyodide.asm.mjs", "python_stdlib.zip")
COMPRESSED_FILE: Final = "pyodide.asm.wasm"
WHEELS: Final = ("msgspec",)  # packages with compiled code, of the versions and hashes that requirements.lock has
NO_WHEEL: Final = """The wheel of {package} for Pyodide ({platform}) is not here yet and could not be downloaded.
The files for playing offline need it once: build again where the package index can be reached."""
ZIP_DATE: Final = (1980, 1, 1, 0, 0, 0)  # the same sources make the same archive


def list_source_files() -> Iterator[tuple[str, Path]]:
    """Every file of the archive, and its path."""
    yield "mypy_extensions.py", Path(str(mypy_extensions.__file__))
    for name in (*sorted(path.name for path in paths.PACKAGE.glob("*.py")), *STORE_FILES):
        if name not in LEFT_OUT:
            yield f"landfall/{name}", paths.PACKAGE / name
    for folder in PACKED_FOLDERS:
        for path in sorted((paths.PACKAGE / folder).rglob("*")):
            if path.suffix in PACKED_SUFFIXES and not {path.name, path.parent.name} & {*LEFT_OUT}:
                yield f"landfall/{path.relative_to(paths.PACKAGE).as_posix()}", path
    for name in LOOK_FILES:
        yield f"landfall/look/{name}", paths.visual_asset_file(name)
    for path in sorted(paths.rules_dir().rglob("*.md")):
        yield f"landfall/rules/{path.relative_to(paths.rules_dir()).as_posix()}", path


def list_net_files() -> Iterator[tuple[str, Path]]:
    """Every net, and its path."""
    for path in sorted((paths.PACKAGE / "bots" / "nets").glob("*.npz")):
        yield f"landfall/bots/nets/{path.name}", path


def make_stripped_zip_archive(files: Iterable[tuple[str, Path]]) -> bytes:
    """A compressed archive of these files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as put:
        for name, path in files:
            shorten = SHORTEN.get(path.suffix)
            data = path.read_bytes() if shorten is None else shorten(path.read_text(encoding="utf-8"))
            put.writestr(zipfile.ZipInfo(name, ZIP_DATE), data, zipfile.ZIP_DEFLATED, 9)
    return out.getvalue()


def list_route_decorators(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.Call]:
    return [one for one in node.decorator_list if isinstance(one, ast.Call) and ast.unparse(one.func) == ROUTE_NAME]


def strip_for_download(text: str) -> str:
    """A module without comments, docstrings and what routes say for documents, and without its functions' types but for
    those of endpoints: a quarter smaller when compressed."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
            routes = list_route_decorators(node)
            for route in routes:
                route.args[SUMMARY_POSITION] = ast.Constant("")
                route.keywords = [one for one in route.keywords if one.arg != "result"]
            for argument in ast.walk(node.args) if not routes else ():
                if isinstance(argument, ast.arg):
                    argument.annotation = None
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if ast.get_docstring(node, clean=False) is not None:
                node.body[0:1] = [] if len(node.body) > 1 else [ast.Pass()]
    return ast.unparse(tree)


def strip_json(text: str) -> str:
    """The same without line breaks and indentation."""
    return json.dumps(json.loads(text), ensure_ascii=False, separators=(",", ":"))


SHORTEN: Final = {".py": strip_for_download, ".json": strip_json}


def write_archive_named_by_hash(folder: Path, name: str, packed: bytes) -> str:
    """Write an archive, named by its hash. Returns its name."""
    named = f"{name}-{hashlib.blake2b(packed, digest_size=5).hexdigest()}.zip"
    (folder / named).write_bytes(packed)
    return named


def find_locked_requirement(lock: str, package: str) -> str:
    """A package's version and hashes, as a lock file has them."""
    lines = iter(lock.splitlines())
    found = [next(line for line in lines if line.startswith(f"{package}=="))]
    while found[-1].endswith("\\"):
        found.append(next(lines))
    return "\n".join(found)


def download_wheel_once(package: str, requirement: str, info: dict[str, Any], folder: Path) -> Path:
    """A package's wheel for this Pyodide, downloaded once; its hash is checked."""
    python = "cp" + "".join(info["python"].split(".")[:2])
    platform = f"pyemscripten_{info['abi_version']}_{info['arch']}"
    version = requirement.partition("==")[2].split()[0]
    wheel = folder / f"{package}-{version}-{python}-{python}-{platform}.whl"
    if not wheel.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as wanted:
            wanted.write(requirement)
            wanted.flush()
            command = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps"]
            command += ["--require-hashes", "--only-binary=:all:", "--implementation=cp", f"--abi={python}"]
            command += [f"--python-version={python[2:]}", f"--platform={platform}", f"--dest={folder}"]
            done = subprocess.run([*command, "-r", wanted.name], check=False)
        if done.returncode or not wheel.is_file():
            sys.exit(NO_WHEEL.format(package=package, platform=platform))
    return wheel


def write_offline_bundle(client: Path, folder: Path) -> None:
    """Write everything to a folder, with a manifest."""
    pyodide = client / "node_modules" / "pyodide"
    lock = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    version = json.loads((pyodide / "package.json").read_text(encoding="utf-8"))["version"]
    shutil.rmtree(folder, ignore_errors=True)
    python = folder / version  # so that caches keep versions apart
    python.mkdir(parents=True)
    for name in COPIED_FILES:
        shutil.copyfile(pyodide / name, python / name)
    (python / f"{COMPRESSED_FILE}.gz").write_bytes(gzip.compress((pyodide / COMPRESSED_FILE).read_bytes(), 9, mtime=0))
    requirements = (client.parent / "requirements.lock").read_text(encoding="utf-8")
    wheels = [
        download_wheel_once(
            package, find_locked_requirement(requirements, package), lock["info"], client.parent / "build" / "wheels"
        )
        for package in WHEELS
    ]
    for wheel in wheels:
        shutil.copyfile(wheel, python / wheel.name)
    rules, nets = (
        write_archive_named_by_hash(folder, "landfall", make_stripped_zip_archive(list_source_files())),
        write_archive_named_by_hash(folder, "nets", make_stripped_zip_archive(list_net_files())),
    )
    packages = [f"{version}/{wheel.name}" for wheel in wheels]
    files = [*(f"{version}/{name}" for name in (*COPIED_FILES, f"{COMPRESSED_FILE}.gz")), *packages, rules, nets]
    manifest = {
        "version": "-".join([version, *(Path(name).stem.split("-")[1] for name in (*packages, rules, nets))]),
        "python": f"{version}/",
        "packages": packages,
        "rules": rules,
        "nets": nets,
        "files": [[name, (folder / name).stat().st_size] for name in files],
        "app": sum(size for _, size in json.loads((folder.parent / "app.json").read_text(encoding="utf-8"))),
        "lock": {**lock, "packages": {}},
    }
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    for name in COPIED_FILES:  # also uncompressed, for servers to choose
        if name.endswith(".mjs"):
            (python / f"{name}.gz").write_bytes(gzip.compress((python / name).read_bytes(), 9, mtime=0))


if __name__ == "__main__":
    write_offline_bundle(Path(sys.argv[1]), Path(sys.argv[2]))
