"""The base needs few packages: what an extra brings is imported at a module's top only where that extra is at home."""

from __future__ import annotations

import ast
import json
import re
import sys
import tomllib
from pathlib import Path

import pytest

from landfall.core.languages import LANGUAGES
from landfall.core.text_catalogue import translate
from landfall.optional_dependencies import EXTRAS, MissingExtra, install_command, require_extra
from tests.repository_files import REPO

pytestmark = pytest.mark.once

PACKAGE = REPO / "src" / "landfall"
BASE = {"landfall", "librt", "mypy_extensions", "rich", "typer"}
# Whatever lies under these is reached only by what has called `need`.
AT_HOME = {
    "api/": {"play"},
    "cli/update.py": {"play"},  # of a server
    "offline/": {"play"},  # a browser brings msgspec's wheel itself
    "web/": {"play"},
    "store/": {"play"},
    "store/postgres": {"play", "postgres"},
    "lab/environments/gymnasium.py": {"lab"},
    "lab/environments/pettingzoo.py": {"lab"},
    "lab/environments/vector.py": {"lab"},
    "lab/environments/kernel_batch.py": {"lab"},
    "lab/environments/segment_sampling.py": {"lab"},
    "lab/environments/trajectories.py": {"lab"},
    "lab/experiments/bradley_terry.py": {"lab"},
    "lab/environments/openspiel.py": {"openspiel"},
    "lab/training/search_teacher.py": {"train"},
    "lab/training/torch_net.py": {"train"},
    "lab/training/net_calibration.py": {"train"},
    "lab/training/self_play.py": {"train"},
    "lab/training/search_distillation.py": {"train"},
    "lab/training/net_distillation.py": {"train"},
    "lab/training/batched_self_play.py": {"train"},
    "lab/training/batched_train.py": {"train"},
    "lab/training/kernel_matches.py": {"train"},
    "lab/training/states_in_step.py": {"train"},
    "lab/training/step_comparison.py": {"train"},
}
BROUGHT = {"play": {"pydantic", "starlette"}}  # by the packages of an extra themselves


def imported(source: str) -> set[str]:
    """Third-party packages that a module imports whenever it is imported; not for types alone, not in functions."""
    found: set[str] = set()
    todo: list[ast.stmt] = list(ast.parse(source).body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").partition(".")[0])
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            todo.extend(node.orelse)
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            todo.extend(child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt))
    return found - set(sys.stdlib_module_names)


def allowed(path: Path) -> set[str]:
    name = path.relative_to(PACKAGE).as_posix()
    extras = {extra for room, home in AT_HOME.items() if name.startswith(room) for extra in home}
    return BASE.union(*({*EXTRAS[extra], *BROUGHT.get(extra, ())} for extra in extras))


def test_no_module_of_the_base_imports_an_extra() -> None:
    found = {path: imported(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py")}
    assert len(found) > 150
    assert set.union(*found.values()) > {"fastapi", "numpy", "rich"}
    assert {str(path): more for path, names in found.items() if (more := names - allowed(path))} == {}


def test_an_import_at_the_top_is_found() -> None:
    source = (
        "import os\nif TYPE_CHECKING:\n    import torch\nelse:\n    import ray.data\ntry:\n    from numpy import x\n"
    )
    assert imported(
        source
        + "finally: pass\nclass A:\n    import duckdb\n    def f(self): import polars\ndef f():\n    import pyarrow"
    ) == {"ray", "numpy", "duckdb"}


def test_extras_are_those_of_the_package() -> None:
    project = tomllib.loads((REPO / "pyproject.toml").read_text())["project"]
    extras: dict[str, list[str]] = project["optional-dependencies"]
    assert set(extras) == {*EXTRAS, "all"}
    called = {"argon2": "argon2-cffi", "PIL": "pillow", "nats": "nats-py", "pyspiel": "open-spiel"}
    for extra, modules in EXTRAS.items():
        names = {re.split(r"[\[>=<; ]", text)[0] for text in extras[extra]}
        assert {called.get(module, module).replace("_", "-") for module in modules} <= names, extra
    assert not {name for name in project["dependencies"] if name.startswith("numpy")}


@pytest.mark.parametrize(
    ("source", "command"),
    [
        ({"url": "file:///a%20b/landfall", "dir_info": {"editable": True}}, 'pip install -e "/a b/landfall[lab]"'),
        ({"url": "file:///landfall", "dir_info": {}}, 'pip install "landfall-games[lab] @ file:///landfall"'),
        ({"url": "https://a.example/b.whl"}, 'pip install "landfall-games[lab] @ https://a.example/b.whl"'),
        (
            {"url": "https://a.example/b.git", "vcs_info": {"vcs": "git", "commit_id": "c0ffee"}},
            'pip install "landfall-games[lab] @ git+https://a.example/b.git@c0ffee"',
        ),
        (None, 'pip install "landfall-games[lab]"'),  # from an index
    ],
)
def test_an_extra_comes_from_where_landfall_came_from(
    source: dict[str, object] | None, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = tmp_path / "landfall_games-9.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Name: landfall-games\nVersion: 9\n")
    if source:
        (installed / "direct_url.json").write_text(json.dumps(source))
    monkeypatch.syspath_prepend(tmp_path)
    assert install_command("lab") == command


def test_what_is_missing_is_said_with_what_to_install() -> None:
    require_extra("play", "json")
    with pytest.raises(MissingExtra, match=r'needs nothing_of_the_kind, .*: pip install -e ".*\[lab\]"') as caught:
        require_extra("lab", "json", "nothing_of_the_kind")
    for language in LANGUAGES:
        said = translate(language, caught.value.key, caught.value.arguments)
        assert "nothing_of_the_kind" in said
        assert install_command("lab") in said
