"""Nothing outside a game's folders names a game: one more is one more folder, here or in a package of its own."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from landfall.games import BUILT_IN_GAMES
from landfall.web.codegen.python_types import OVERLOADS
from tests.import_layers import is_for_tests
from tests.repository_files import REPO

pytestmark = pytest.mark.once
NAMED = re.compile(rf"(?<![A-Za-z])(?:{'|'.join(BUILT_IN_GAMES)})(?![A-Za-z])")
SAID = re.compile(r"/\*.*?\*/|<!--.*?-->|(?<![:'\"`])//[^\n]*", re.DOTALL)  # comments of the client's languages


def own(path: Path, games: Path) -> bool:
    """Whether a file lies in a game's folder."""
    return path.is_relative_to(games) and path.relative_to(games).parts[0] in BUILT_IN_GAMES


def words(source: str) -> Iterator[tuple[int, str]]:
    """The names and texts of a module that do something: prose and examples do not."""
    tree = ast.parse(source)
    idle: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            idle.add(node.value)
        if isinstance(node, ast.keyword) and node.arg == "examples":
            idle.update(ast.walk(node.value))
    for node in ast.walk(tree):
        if node in idle:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, " ".join([node.module or "", *(name.name for name in node.names)])
        elif isinstance(node, ast.Import):
            yield node.lineno, " ".join(name.name for name in node.names)
        elif isinstance(node, ast.Name):
            yield node.lineno, node.id


def named_in_python(source: str) -> list[int]:
    return [line for line, word in words(source) if NAMED.search(word)]


def named_in_client(source: str) -> list[int]:
    code = SAID.sub(lambda found: "\n" * found.group().count("\n"), source)
    return [number for number, line in enumerate(code.splitlines(), 1) if NAMED.search(line)]


def test_no_module_names_a_game() -> None:
    package = REPO / "src" / "landfall"
    files = [path for path in sorted(package.rglob("*.py")) if not own(path, package / "games")]
    files.remove(package / "game_types.py")  # generated, and so are the overloads
    assert len(files) > 80
    found = {
        str(path.relative_to(REPO)): named_in_python(OVERLOADS.sub("\n", path.read_text(encoding="utf-8")))
        for path in files
    }
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_no_part_of_the_client_names_a_game() -> None:
    source = REPO / "client" / "src"
    kinds = (".ts", ".svelte", ".css", ".json")
    files = [path for path in sorted(source.rglob("*")) if path.suffix in kinds and not own(path, source / "games")]
    files = [path for path in files if not is_for_tests(path.name) and path.name != "wire.ts"]
    assert len(files) > 100
    found = {str(path.relative_to(REPO)): named_in_client(path.read_text(encoding="utf-8")) for path in files}
    assert {path: lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_a_name_would_be_found(name: str) -> None:
    assert named_in_python(f'"""About {name}."""\n# {name}\nx = Field(examples=["{name}"])\n') == []
    assert named_in_python(f'PLANS = {{\n    "{name}": 1,\n}}\n') == [2]
    assert named_in_python(f"from landfall.games.{name} import game_definition\n") == [1]
    assert named_in_client(f"// {name}\n/* {name} */ <!-- {name} --> http://x\n") == []
    assert named_in_client(f"const a = 1 // {name}\nif (game === '{name}') go(`/new/{name}`)\n") == [2]
    assert named_in_client(f"import view from '../games/{name}/view'\n") == [1]
