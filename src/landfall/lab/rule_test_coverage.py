"""The rules' test coverage: the rule ids of docs/rules and the `@pytest.mark.rule(...)` marks of the tests.

It also lists the rules with a second implementation in tests/second_implementation, which is played beside the engine.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from landfall import paths, rulebook

RULE_IDS: Final = re.compile(r"\b[A-Z]{2}\.[A-Z]\d+")


@dataclass
class Coverage:
    """For each rule id the tests that name it (`file:line`), and the errors in marks."""

    tests: dict[str, list[str]]
    faults: list[str] = field(default_factory=list)
    second: set[str] = field(default_factory=set)  # rules with a second implementation

    @property
    def untested_rules(self) -> list[str]:
        """The rules that no test names."""
        return [rule for rule, tests in self.tests.items() if not tests]


def tests_dir() -> Path | None:
    """The folder of the tests; None in an installation, which has none."""
    folder = paths.PACKAGE.parents[1] / "tests"
    return folder if (folder / "conftest.py").is_file() else None


def find_rule_marks(source: str) -> Iterator[tuple[int, list[object]]]:
    """The line and the arguments of every `pytest.mark.rule(...)` in a source text; None for what is no literal."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "rule":
            continue
        owner = node.func.value
        if isinstance(owner, ast.Attribute) and owner.attr == "mark":
            yield node.lineno, [a.value if isinstance(a, ast.Constant) else None for a in node.args]


def find_rule_ids(source: str) -> set[str]:
    """The rule ids in a source text."""
    return set(RULE_IDS.findall(source))


def measure_coverage(games: list[str], folder: Path) -> Coverage:
    """Measure the coverage of these games' rules by the tests in a folder."""
    found = Coverage({rule.id: [] for game in games for rule in rulebook.load_rules(game)})
    for path in sorted(path for game in games for path in (folder / "second_implementation").glob(f"{game}*.py")):
        said = find_rule_ids(path.read_text(encoding="utf-8"))
        found.second |= said & found.tests.keys()
        unknown = sorted(said - found.tests.keys())
        found.faults.extend(f"second/{path.name}: there is no rule {rule}" for rule in unknown)
    prefixes = {rule.split(".")[0] for rule in found.tests}
    for path in sorted(folder.rglob("*.py")):
        for line, ids in find_rule_marks(path.read_text(encoding="utf-8")):
            place = f"{path.relative_to(folder).as_posix()}:{line}"
            if not ids or not all(isinstance(i, str) for i in ids):
                found.faults.append(f"{place}: rule ids must be given as plain strings")
            for rule in (i for i in ids if isinstance(i, str)):
                if rule in found.tests:
                    found.tests[rule].append(place)
                elif rule.split(".")[0] in prefixes:
                    found.faults.append(f"{place}: there is no rule {rule}")
    return found
