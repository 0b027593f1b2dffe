"""Every name in docs/glossary.md is defined where the glossary says."""

import ast
import re

import pytest

from tests.repository_files import REPO

pytestmark = pytest.mark.once
ROW = re.compile(r"^\| (.+?) \| .+ \| `([\w/]+\.py)` `([\w.]+)` \|$", re.MULTILINE)
ROWS = ROW.findall((REPO / "docs/glossary.md").read_text(encoding="utf-8"))


def defined_names(source: str) -> set[str]:
    """Module-level names, and members of classes as Class.member."""
    found: set[str] = set()

    def add(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found.add(prefix + node.name)
                if isinstance(node, ast.ClassDef):
                    add(node.body, f"{node.name}.")
            elif isinstance(node, ast.Assign):
                found.update(prefix + target.id for target in node.targets if isinstance(target, ast.Name))
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                found.add(prefix + node.target.id)

    add(ast.parse(source).body, "")
    return found


def test_the_glossary_has_enough_terms_and_each_once() -> None:
    terms = [term for term, _, _ in ROWS]
    assert len(terms) >= 40
    assert len(set(terms)) == len(terms)


@pytest.mark.parametrize(("term", "path", "name"), ROWS, ids=[row[0] for row in ROWS])
def test_every_name_is_where_the_glossary_says(term: str, path: str, name: str) -> None:
    source = (REPO / "src/landfall" / path).read_text(encoding="utf-8")
    assert name in defined_names(source), f"{term}: {path} defines no {name}"


def test_a_name_that_is_gone_is_noticed() -> None:
    assert defined_names("X = 1\nclass A:\n    y: int\n    def f(self): ...\n") == {"X", "A", "A.y", "A.f"}
