"""Mutation testing: `python -m tests.mutants [PACKAGE ...] [--count N] [--seed N] [--since COMMIT]`.

Cosmic Ray draws the mutants, in its own environment (`make .bench/mutants/.done`). Each runs in a process forked from
one that has imported pytest and the libraries but nothing of ours: the mutant replaces its module at import, and no
file changes. Where a package is compiled, the engine is interpreted. A mutant is noticed if a test fails, or if the
tests do not end. Processes that tests start do not have it. With `--since`, mutants are drawn from the files changed
since a commit.
survivors.md judges what survived.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final

from tests.mutants.packages import PACKAGES

REPO: Final = Path(__file__).resolve().parents[2]
DRAW: Final = REPO / "bench" / "mutants" / "draw.py"
DRAWER: Final = REPO / ".bench" / "mutants" / "bin" / "python"
SLOWER: Final = 5  # times as long as the tests need without a mutant, until they are taken to hang
LIBRARIES: Final = (
    "pytest", "hypothesis", "numpy", "msgspec", "sqlalchemy.ext.asyncio", "aiosqlite", "asyncpg", "fastapi", "httpx",
    "typer.testing", "rich.console", "uvicorn", "argon2", "webauthn", "openskill.models",
)  # fmt: skip


class MutantLoader(SourceFileLoader):
    """Executes another source than the file's."""

    def __init__(self, name: str, path: str, source: str) -> None:
        super().__init__(name, path)
        self.source = source

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.source, self.path, "exec", dont_inherit=True)


class MutantFinder(MetaPathFinder):
    """Finds one module: the mutant."""

    def __init__(self, path: Path, source: str) -> None:
        self.path, self.source = path, source
        parts = path.relative_to(REPO / "src").with_suffix("").parts
        self.name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def find_spec(self, fullname: str, path: object = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if fullname != self.name:
            return None
        inside = [str(self.path.parent)] if self.path.name == "__init__.py" else None
        loader = MutantLoader(fullname, str(self.path), self.source)
        return spec_from_file_location(fullname, self.path, loader=loader, submodule_search_locations=inside)


def run_tests_in_fork(tests: list[str], mutant: dict[str, Any] | None, seconds: float) -> str:
    """`noticed`, `survived` or `hangs`."""
    child = os.fork()
    if child == 0:
        os.setsid()
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        if mutant is not None:
            sys.meta_path.insert(0, MutantFinder(REPO / mutant["path"], mutant["source"]))
        status = import_module("pytest").main(
            ["-xqp", "no:cacheprovider", "-W", "ignore:Module already imported", *tests]
        )
        os._exit(int(status))
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return "survived" if status == 0 else "noticed"
        time.sleep(0.05)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "hangs"


def draw_mutants(files: list[Path], count: int, seed: int) -> list[dict[str, Any]]:
    words = [str(DRAWER), str(DRAW), str(count), str(seed), *(str(file.relative_to(REPO)) for file in files)]
    drawn: list[dict[str, Any]] = json.loads(subprocess.run(words, cwd=REPO, capture_output=True, check=True).stdout)
    return drawn


def list_files_changed_since(commit: str) -> set[Path]:
    words = ["git", "diff", "--name-only", "--diff-filter=AM", f"{commit}...HEAD", "--", "src/landfall"]
    said = subprocess.run(words, cwd=REPO, capture_output=True, text=True, check=True).stdout
    return {REPO / name for name in said.split()}


def run_mutants_of_package(name: str, count: int, seed: int, only: set[Path] | None) -> dict[str, int]:
    """Counts of what became of the mutants of a package; survivors are printed."""
    package = PACKAGES[name]
    files = sorted({file for pattern in package.files for file in (REPO / "src" / "landfall").glob(pattern)})
    files = [file for file in files if only is None or file in only]
    counts = {"mutants": 0, "noticed": 0, "seconds": 0}
    if not files:
        return counts
    os.environ["LANDFALL_PURE"] = str(int(package.is_compiled))
    begun = time.monotonic()
    if run_tests_in_fork(package.tests, None, 3600) != "survived":
        sys.exit(f"{name}: its tests fail without a mutant: {' '.join(package.tests)}")
    limit = SLOWER * (time.monotonic() - begun) + 10
    for mutant in draw_mutants(files, count, seed):
        outcome = run_tests_in_fork(package.tests, mutant, limit)
        counts["mutants"] += 1
        counts["noticed"] += outcome != "survived"
        if outcome == "survived":
            print(f"{mutant['path']}:{mutant['line']}\n  - {mutant['was']}\n  + {mutant['now']}", flush=True)
    counts["seconds"] = round(time.monotonic() - begun)
    return counts


def main() -> None:
    """Run what was asked for; the last line of each package is its counts as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=f"default: all of {', '.join(PACKAGES)}")
    parser.add_argument("--count", type=int, default=40, help="mutants of each package")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--since", metavar="COMMIT", help="only of files changed since it")
    args = parser.parse_args()
    os.chdir(REPO)
    sys.path[:0] = [str(REPO), str(REPO / "src")]
    for library in LIBRARIES:
        import_module(library)
    only = list_files_changed_since(args.since) if args.since else None
    for name in args.packages or PACKAGES:
        counts = run_mutants_of_package(name, args.count, args.seed, only)
        if counts["mutants"]:
            print(name, json.dumps(counts), flush=True)


if __name__ == "__main__":
    main()
