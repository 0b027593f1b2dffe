"""The Python interface as a page: every public name with its signature, docstring and example, from the sources."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple


class Section(NamedTuple):
    """A part of the page: names of a module. `only` names the methods of a class that users call; None: all."""

    title: str
    module: str
    names: tuple[str, ...]
    only: tuple[str, ...] | None = None


SECTIONS: Final = (
    Section("A match", "landfall.match", ("Match", "LogEntry")),
    Section("A position", "landfall", ("new",)),
    Section("", "landfall.core.state", ("State", "list_choices_one_by_one", "playout")),
    Section("A game", "landfall.games", ("game",)),
    Section("", "landfall.core.game", ("Game",)),
    Section("Chance", "landfall.core.rng", ("Rng",)),
    Section("A bot", "landfall.bots.contract", ("Bot", "Seat", "Thought")),
    Section("", "landfall.bots.registry", ("make_bots",)),
    Section("Many matches", "landfall.lab.experiments.simulation", ("simulate", "Result")),
    Section("", "landfall.core.match_batch", ("MatchBatch",), ("step", "reset")),
    Section("Environments", "landfall.lab.environments.pettingzoo", ("env", "raw_env", "parallel_env")),
    Section("", "landfall.lab.environments.gymnasium", ("SeatEnv",), ()),
    Section(
        "",
        "landfall.lab.environments.vector",
        ("MatchVectorEnv", "SharedMatchVectorEnv"),
        ("step", "legal", "sample", "actor", "random_actions", "masks"),
    ),
    Section("", "landfall.lab.environments.vector", ("LegalActions",)),
    Section(
        "Errors",
        "landfall.core.errors",
        (
            "LandfallError",
            "UnknownGame",
            "OptionError",
            "IllegalAction",
            "UnknownSeat",
            "NothingToUndo",
            "NotationError",
            "RecordError",
            "StateError",
            "PositionError",
        ),
    ),
)


class Entry(NamedTuple):
    """A public name: where it is, how it is written, and its docstring."""

    section: Section
    name: str
    owner: str  # its class; "" for a class or a function of a module
    heading: str
    docstring: str


def module_path(source: Path, module: str) -> Path:
    """The file of a module under the folder of the sources."""
    path = source.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def is_decorated(node: ast.FunctionDef, *names: str) -> bool:
    return any(ast.unparse(one) in names for one in node.decorator_list)


def is_dataclass(node: ast.ClassDef) -> bool:
    return any(ast.unparse(one).startswith("dataclass") for one in node.decorator_list)


def signature_of(node: ast.FunctionDef, bound: bool) -> str:
    """How a function is called."""
    if is_decorated(node, "property", "cached_property"):
        return f"{node.name} -> {ast.unparse(node.returns)}" if node.returns else node.name
    taken = re.sub(r"(: [^,=]+)=", r"\1 = ", ast.unparse(node.args))
    if bound:
        taken = taken.partition(", ")[2]
    return f"{node.name}({taken})" + (f" -> {ast.unparse(node.returns)}" if node.returns else "")


def entries_of_class(section: Section, node: ast.ClassDef) -> Iterator[Entry]:
    """A class, and its public methods."""
    methods = [one for one in node.body if isinstance(one, ast.FunctionDef) and not is_decorated(one, "overload")]
    fields = [ast.unparse(one) for one in node.body if isinstance(one, ast.AnnAssign)]
    plain = f"__init__({', '.join(fields) if is_dataclass(node) else ''})"
    built = next((signature_of(one, True) for one in methods if one.name == "__init__"), plain)
    written = node.name + built.removesuffix(" -> None").removeprefix("__init__")
    yield Entry(section, node.name, "", f"class {written}", ast.get_docstring(node) or "")
    for one in methods:
        wanted = not one.name.startswith("_") if section.only is None else one.name in section.only
        if wanted:
            yield Entry(section, one.name, node.name, signature_of(one, True), ast.get_docstring(one) or "")


def list_entries(source: Path) -> list[Entry]:
    """Every public name in the order of the page."""
    found: list[Entry] = []
    for section in SECTIONS:
        body = ast.parse(module_path(source, section.module).read_text(encoding="utf-8")).body
        for name in section.names:
            node = next(one for one in reversed(body) if getattr(one, "name", None) == name)
            if isinstance(node, ast.ClassDef):
                found += entries_of_class(section, node)
            elif isinstance(node, ast.FunctionDef):
                found.append(Entry(section, name, "", signature_of(node, False), ast.get_docstring(node) or ""))
    return found


def render_docstring(docstring: str) -> str:
    """A docstring with its example as a block of code."""
    words, prompt, example = docstring.partition(">>> ")
    return words.strip() + (f"\n\n```pycon\n{textwrap.dedent(prompt + example).strip()}\n```" if prompt else "")


def render_python_reference(source: Path) -> str:
    """The generated part of docs/api.md."""
    out: list[str] = []
    for entry in list_entries(source):
        if entry.section.title and f"## {entry.section.title}\n" not in out:
            out.append(f"## {entry.section.title}\n")
        if not entry.owner:
            out.append(f"### `{entry.name}`\n\nIn `{entry.section.module}`.\n")
        out.append(f"**`{entry.heading}`**\n\n{render_docstring(entry.docstring)}\n")
    return "\n".join(out)
