"""Writes the download for offline play beside the built client: Pyodide with its largest file compressed, an archive of
sources, texts and rules, and one of the nets, which change less often. `python -m landfall.offline.bundle CLIENT
FOLDER`.
"""

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

# The folders needed for play; of the store only the log events.
PACKED_FOLDERS: Final = ("core", "games", "bots", "tables", "offline")
STORE_FILES: Final = ("store/__init__.py", "store/events.py", "store/rows.py")
PACKED_SUFFIXES: Final = (".py", ".json")
COPIED_FILES: Final = ("pyodide.mjs", "pyodide.asm.mjs", "python_stdlib.zip")
COMPRESSED_FILE: Final = "pyodide.asm.wasm"
ZIP_DATE: Final = (1980, 1, 1, 0, 0, 0)  # reproducible: the same sources make the same archive


def source_files() -> Iterator[tuple[str, Path]]:
    """Every file of the archive, and its path."""
    yield "mypy_extensions.py", Path(str(mypy_extensions.__file__))
    for name in (*sorted(path.name for path in paths.PACKAGE.glob("*.py")), *STORE_FILES):
        yield f"landfall/{name}", paths.PACKAGE / name
    for folder in PACKED_FOLDERS:
        for path in sorted((paths.PACKAGE / folder).rglob("*")):
            if path.suffix in PACKED_SUFFIXES:
                yield f"landfall/{path.relative_to(paths.PACKAGE).as_posix()}", path
    for path in sorted(paths.rules_dir().rglob("*.md")):
        yield f"landfall/rules/{path.relative_to(paths.rules_dir()).as_posix()}", path


def net_files() -> Iterator[tuple[str, Path]]:
    """Every net, and its path."""
    for path in sorted((paths.PACKAGE / "bots" / "nets").glob("*.npz")):
        yield f"landfall/bots/nets/{path.name}", path


def make_archive(files: Iterable[tuple[str, Path]]) -> bytes:
    """A compressed archive of these files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as put:
        for name, path in files:
            put.writestr(zipfile.ZipInfo(name, ZIP_DATE), path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    return out.getvalue()


def write_archive(folder: Path, name: str, packed: bytes) -> str:
    """Write an archive, named by its hash. Returns its name."""
    named = f"{name}-{hashlib.blake2b(packed, digest_size=5).hexdigest()}.zip"
    (folder / named).write_bytes(packed)
    return named


def write_bundle(client: Path, folder: Path) -> None:
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
    rules, nets = (
        write_archive(folder, "landfall", make_archive(source_files())),
        write_archive(folder, "nets", make_archive(net_files())),
    )
    files = [*(f"{version}/{name}" for name in (*COPIED_FILES, f"{COMPRESSED_FILE}.gz")), rules, nets]
    manifest = {
        "version": "-".join([version, *(Path(name).stem.split("-")[1] for name in (rules, nets))]),
        "python": f"{version}/",
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
    write_bundle(Path(sys.argv[1]), Path(sys.argv[2]))
