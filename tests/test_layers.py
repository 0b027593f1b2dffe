"""Imports keep to the order that ARCHITECTURE.md states, and go round in no circle; in Python and in the client."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.import_layers import (
    Graph,
    client_import_graph,
    find_files_without_room,
    find_import_cycles,
    find_upward_imports,
    parse_layer_table,
    python_import_graph,
)
from tests.repository_files import REPO

pytestmark = pytest.mark.once

ARCHITECTURE = (REPO / "ARCHITECTURE.md").read_text(encoding="utf-8")
Plant = Callable[[str, str], None]
HALVES = {"src/": python_import_graph, "client/": client_import_graph}


@pytest.fixture(scope="module", params=HALVES)
def half(request: pytest.FixtureRequest) -> tuple[str, Graph]:
    return request.param, HALVES[request.param](REPO)


def test_every_file_has_its_place_in_the_order(half: tuple[str, Graph]) -> None:
    top, graph = half
    known = parse_layer_table(ARCHITECTURE, top)
    assert len(graph) > 150
    assert sum(map(len, graph.values())) > 600, "hardly any import was found"
    assert len(known) >= 9
    assert find_files_without_room(graph, known) == []


def test_no_import_goes_up(half: tuple[str, Graph]) -> None:
    top, graph = half
    assert find_upward_imports(graph, parse_layer_table(ARCHITECTURE, top)) == []


def test_no_import_goes_round(half: tuple[str, Graph]) -> None:
    _, graph = half
    assert find_import_cycles(graph) == []


# --- the checks can fail ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole_copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree."""
    top = tmp_path_factory.mktemp("tree")
    for part in ("src/landfall", "client/src"):
        for path in (REPO / part).rglob("*"):
            if path.suffix in (".py", ".ts", ".svelte"):
                to = top / path.relative_to(REPO)
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, to)
    return top


@pytest.fixture
def plant(whole_copy: Path) -> Iterator[Callable[[str, str], None]]:
    """Writes a line at the end of a file of the copy; afterwards all is as it was."""
    before: dict[Path, str | None] = {}

    def write(file: str, line: str) -> None:
        path = whole_copy / file
        before[path] = path.read_text(encoding="utf-8") if path.is_file() else None
        path.write_text(f"{before[path] or ''}\n{line}\n", encoding="utf-8")

    yield write
    for path, text in before.items():
        if text is None:
            path.unlink()
        else:
            path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "line", "told"),
    [
        ("core/rng.py", "import landfall.match", "core/rng.py imports src/landfall/match.py"),
        (
            "core/rng.py",
            "from landfall.games.atlantis.rules import turn",
            "imports src/landfall/games/atlantis/rules/turn.py",
        ),
        (
            "core/hex_grid.py",
            "from landfall.games import game",
            "core/hex_grid.py imports src/landfall/games/__init__.py",
        ),
        (
            "bots/greedy_bot.py",
            "def f():\n    from landfall.lab.experiments import simulation",
            "greedy_bot.py imports src/landfall/lab/experiments/simulation.py",
        ),
        (
            "games/atlantis/rules/board.py",
            "if TYPE_CHECKING:\n    from landfall.games.survive.rules import board",
            "survive/rules/board",
        ),
    ],
)
def test_an_import_upwards_is_found(plant: Plant, whole_copy: Path, file: str, line: str, told: str) -> None:
    plant(f"src/landfall/{file}", line)
    found = find_upward_imports(python_import_graph(whole_copy), parse_layer_table(ARCHITECTURE, "src/"))
    assert len(found) == 1
    assert told in found[0]


@pytest.mark.parametrize(
    ("file", "line", "told"),
    [
        ("lib/http.ts", "import Home from '../pages/Home.svelte'", "lib/http.ts imports client/src/pages/Home.svelte"),
        ("lib/http.ts", "const later = () => import('../table/Log.svelte')", "imports client/src/table/Log.svelte"),
        (
            "parts/Icon.svelte",
            "<script module>import type { X } from '../table/TableMenu.svelte'</script>",
            "Icon.svelte",
        ),
        (
            "games/atlantis/animations.ts",
            "import '../survive/animations'",
            "imports client/src/games/survive/animations.ts",
        ),
    ],
)
def test_an_import_upwards_in_the_client_is_found(
    plant: Plant, whole_copy: Path, file: str, line: str, told: str
) -> None:
    known = parse_layer_table(ARCHITECTURE, "client/")
    before = set(find_upward_imports(client_import_graph(whole_copy), known))
    plant(f"client/src/{file}", line)
    found = set(find_upward_imports(client_import_graph(whole_copy), known)) - before
    assert len(found) == 1
    assert told in found.pop()


def test_a_circle_is_found(plant: Plant, whole_copy: Path) -> None:
    before = find_import_cycles(python_import_graph(whole_copy)) + find_import_cycles(client_import_graph(whole_copy))
    types = "if TYPE_CHECKING:\n    from landfall.games.atlantis.rules.position import AtlantisPosition"
    plant("src/landfall/games/atlantis/rules/board.py", types)
    plant("client/src/lib/patch.ts", "import { x } from './scene.svelte'")
    plant("client/src/lib/scene.svelte.ts", "export * from './patch'")
    found = [
        c
        for c in find_import_cycles(python_import_graph(whole_copy))
        + find_import_cycles(client_import_graph(whole_copy))
        if c not in before
    ]
    assert len(found) == 2
    assert {"src/landfall/games/atlantis/rules/board.py", "src/landfall/games/atlantis/rules/position.py"} <= set(
        found[0]
    )
    assert {"client/src/lib/patch.ts", "client/src/lib/scene.svelte.ts"} <= set(found[1])


def test_a_file_without_a_place_is_found(plant: Plant, whole_copy: Path) -> None:
    plant("src/landfall/stray.py", "")
    assert find_files_without_room(python_import_graph(whole_copy), parse_layer_table(ARCHITECTURE, "src/")) == [
        "src/landfall/stray.py"
    ]
