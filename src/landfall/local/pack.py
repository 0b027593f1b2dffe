"""What a browser downloads to play without a server, written beside the built client: Python as Pyodide brings it, its
largest file packed; an archive of the sources, texts and rules; and one of the nets, which change less often.
`python -m landfall.local.pack CLIENT FOLDER`."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import shutil
import sys
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import mypy_extensions

from landfall import paths

# Of the folders, those that play; of the store, what a log says.
FOLDERS: Final = ("core", "games", "bots", "tables", "local")
STORE: Final = ("store/__init__.py", "store/facts.py", "store/rows.py")
KINDS: Final = (".py", ".json")
AS_IT_IS: Final = ("pyodide.mjs", "pyodide.asm.mjs", "python_stdlib.zip")
PACKED: Final = "pyodide.asm.wasm"
LONG_AGO: Final = (1980, 1, 1, 0, 0, 0)  # the same sources make the same archive


def sources() -> Iterator[tuple[str, Path]]:
    """Every file of the archive, and where it is."""
    yield "mypy_extensions.py", Path(str(mypy_extensions.__file__))
    for name in (*sorted(path.name for path in paths.PACKAGE.glob("*.py")), *STORE):
        yield f"landfall/{name}", paths.PACKAGE / name
    for folder in FOLDERS:
        for path in sorted((paths.PACKAGE / folder).rglob("*")):
            if path.suffix in KINDS:
                yield f"landfall/{path.relative_to(paths.PACKAGE).as_posix()}", path
    for path in sorted(paths.rules_dir().rglob("*.md")):
        yield f"landfall/rules/{path.relative_to(paths.rules_dir()).as_posix()}", path


def nets() -> Iterator[tuple[str, Path]]:
    """Every net, and where it is."""
    for path in sorted((paths.PACKAGE / "bots" / "nets").glob("*.npz")):
        yield f"landfall/bots/nets/{path.name}", path


def archive(files: Iterable[tuple[str, Path]]) -> bytes:
    """These files, packed."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as put:
        for name, path in files:
            put.writestr(zipfile.ZipInfo(name, LONG_AGO), path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    return out.getvalue()


def put(folder: Path, name: str, packed: bytes) -> str:
    """An archive into the folder, named by what is in it; its name."""
    named = f"{name}-{hashlib.blake2b(packed, digest_size=5).hexdigest()}.zip"
    (folder / named).write_bytes(packed)
    return named


def write(client: Path, folder: Path) -> None:
    """Everything into a folder, with a manifest of it."""
    pyodide = client / "node_modules" / "pyodide"
    lock = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    version = json.loads((pyodide / "package.json").read_text(encoding="utf-8"))["version"]
    shutil.rmtree(folder, ignore_errors=True)
    python = folder / version  # one of another version is kept apart wherever files are kept by their names
    python.mkdir(parents=True)
    for name in AS_IT_IS:
        shutil.copyfile(pyodide / name, python / name)
    (python / f"{PACKED}.gz").write_bytes(gzip.compress((pyodide / PACKED).read_bytes(), 9, mtime=0))
    rules, judges = put(folder, "landfall", archive(sources())), put(folder, "nets", archive(nets()))
    files = [*(f"{version}/{name}" for name in (*AS_IT_IS, f"{PACKED}.gz")), rules, judges]
    manifest = {
        "version": "-".join([version, *(Path(name).stem.split("-")[1] for name in (rules, judges))]),
        "python": f"{version}/",
        "rules": rules,
        "nets": judges,
        "files": [[name, (folder / name).stat().st_size] for name in files],
        "app": sum(size for _, size in json.loads((folder.parent / "app.json").read_text(encoding="utf-8"))),
        "lock": {**lock, "packages": {}},
    }
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    for name in AS_IT_IS:  # beside it, for servers to choose
        if name.endswith(".mjs"):
            (python / f"{name}.gz").write_bytes(gzip.compress((python / name).read_bytes(), 9, mtime=0))


if __name__ == "__main__":
    write(Path(sys.argv[1]), Path(sys.argv[2]))
