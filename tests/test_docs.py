"""What the documents say can be done, can be done: examples run, commands exist, links lead somewhere."""

from __future__ import annotations

import ast
import doctest
import importlib
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import gymnasium
import pytest
import typer

import landfall
from landfall.bots.registry import make_bots
from landfall.bots.search.one_ply_search import best_action
from landfall.cli import app
from landfall.core.errors import NotationError
from landfall.games import BUILT_IN_GAMES
from landfall.lab.environments.gymnasium import ENV_IDS
from landfall.lab.environments.vector import SELF_PLAY_IDS
from landfall.lab.experiments.simulation import simulate
from landfall.lab.training import train as training

ROOT: Final = Path(__file__).resolve().parents[1]
COMMANDS: Final = typer.main.get_command(app)
SOURCE: Final = ROOT / "src"
FOLDERS_WITH_PAGES: Final = ("docs", "examples", "bench", "research")
PAGES: Final = sorted(
    [*ROOT.glob("*.md"), *(page for name in FOLDERS_WITH_PAGES for page in ROOT.glob(f"{name}/**/*.md"))]
)
BLOCK: Final = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LINK: Final = re.compile(r"\]\(([^)\s]+)\)")
COMMAND: Final = re.compile(r"(?:^ *|`)(?:\.venv/bin/)?(landfall [^`\n|>]*)", re.MULTILINE)
NAMED_INSTALL: Final = re.compile(r"pip install\b[^\n`]*?landfall-games(?!\S* @ )[^\n`]*")
ENVIRONMENT: Final = re.compile(r"(?:landfall/)?\b[A-Z]\w+-v\d+\b")
WORKFLOW_PAGE: Final = re.compile(r"\.\./\.\./actions/workflows/([\w.]+)(?:/badge\.svg)?")
TARGET: Final = re.compile(r"(?:^|`)(?:LANDFALL_\w+=\S+ )?make ([a-z]+)", re.MULTILINE)


class Block(NamedTuple):
    """A piece of code on a page."""

    page: Path
    language: str
    text: str

    @property
    def name(self) -> str:
        return f"{self.page.name}: {self.text.strip().splitlines()[0]}"


def blocks(*languages: str) -> list[Block]:
    found = [Block(page, *one) for page in PAGES for one in BLOCK.findall(page.read_text(encoding="utf-8"))]
    return [one for one in found if one.language in languages]


def excerpt_of(block: Block) -> str | None:
    """The file of an example that has all lines of a block in this order; more may stand between them there."""
    wanted = [line for line in block.text.splitlines() if line.strip() not in ("", "...")]
    for path in sorted(ROOT.glob("examples/**/*")):
        if path.suffix in (".py", ".toml"):
            lines = iter(path.read_text(encoding="utf-8").splitlines())
            if all(line in lines for line in wanted):
                return str(path.relative_to(ROOT))
    return None


# --- code -------------------------------------------------------------------------------------------------------------


def docstrings() -> Iterator[tuple[str, str, str]]:
    """Every docstring with an example: its module, the name it belongs to, and itself."""
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if ">>> " not in text:
            continue
        module = ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef):
                words = ast.get_docstring(node) or ""
                if ">>> " in words:
                    yield module, getattr(node, "name", ""), words


@pytest.mark.parametrize(
    ("module", "name", "words"), [pytest.param(*one, id=".".join(one[:2])) for one in docstrings()]
)
def test_examples_in_docstrings(module: str, name: str, words: str) -> None:
    match = landfall.Match("atlandice", players=2, seed=3)  # as docs/api.md says
    known = vars(importlib.import_module(module)) | {"landfall": landfall, "match": match, "state": match.state}
    example = doctest.DocTestParser().get_doctest(words, known, f"{module}.{name}", module, 0)
    told: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    assert runner.run(example, out=told.append).failed == 0, "".join(told)


@pytest.mark.once
@pytest.mark.parametrize("block", blocks("python", "toml"), ids=lambda block: block.name)
def test_code_on_pages_runs_or_stands_in_an_example(
    block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if excerpt_of(block) is not None:
        return
    assert block.language == "python", "no example has this"
    monkeypatch.chdir(tmp_path)
    if ">>> " in block.text:
        example = doctest.DocTestParser().get_doctest(block.text, {}, block.name, block.page.name, 0)
        told: list[str] = []
        assert doctest.DocTestRunner(verbose=False).run(example, out=told.append).failed == 0, "".join(told)
    else:
        exec(compile(block.text, block.page.name, "exec"), {"__name__": "page"})


def test_an_excerpt_that_is_no_longer_true_is_found() -> None:
    block = next(one for one in blocks("python") if "PL." in one.text and excerpt_of(one) is not None)
    assert excerpt_of(block._replace(text=block.text.replace("PL.", "PX."))) is None


@pytest.mark.once
@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_the_bot_of_the_page_plays_every_game(name: str, tmp_path: Path) -> None:
    example = next(one for one in blocks("python") if one.page.name == "bots.md")
    assert len([line for line in example.text.splitlines() if line.strip()]) <= 22
    path = tmp_path / "mine.py"
    path.write_text(example.text, encoding="utf-8")
    players = landfall.game(name).player_counts[0]
    table = make_bots(",".join([f"{path}:Rollouts:games=1", *["random"] * (players - 1)]))
    got = simulate(name, players, games=1, seed=1, bots=table)
    assert got.decisions > 0
    assert sum(got.wins) == pytest.approx(1)


@pytest.mark.once
def test_the_game_in_one_file_of_the_page_is_played() -> None:
    example = next(one for one in blocks("python") if "class Nim(" in one.text)
    found: dict[str, Any] = {}
    exec(compile(example.text, example.page.name, "exec"), found)
    rng = landfall.Rng(1)
    for number in range(20):
        state = found["GAME"].new(2)
        while state.actor != landfall.OVER:
            greedy = state.actor == number % 2
            state.apply(best_action(state, state.actor, rng) if greedy else state.random_action(rng))
        assert state.stones == 0
        assert sum(state.scores()) == 1
        assert state.scores()[0] == 1 or number % 2, "seven stones are won by who begins, and greedy sees that"
    assert state.forbidden_by(0) == "NI.1"
    for text in ("three", "3", ""):
        with pytest.raises(NotationError):
            state.parse(text)
    assert found["GAME"].new(2).to_text() == "players=2 actor=0 stones=7 winner=-1"
    assert found["GAME"].from_text(state.to_text()).to_bytes() == state.to_bytes()
    assert [part.name for part in found["GAME"].observation_layout.parts] == [
        "players",
        "actor",
        "observer",
        "stones",
        "winner",
    ]


# --- commands ---------------------------------------------------------------------------------------------------------


def unknown(line: str) -> str | None:
    """What of a `landfall ...` does not exist: a command or an option."""
    words = shlex.split(line.replace("[", "").replace("]", ""), comments=True)[1:]
    command = COMMANDS
    while words and not words[0].startswith("-") and (commands := getattr(command, "commands", None)):
        name = words.pop(0)
        if name not in commands:
            return name
        command = commands[name]
    options = {"--help", *(name for one in command.params for name in (*one.opts, *one.secondary_opts))}
    if command.name == "train":  # reads its arguments itself
        options |= set(training.build_parser()._option_string_actions)
    return next((word for word in words if word.startswith("--") and word.partition("=")[0] not in options), None)


@pytest.mark.once
def test_commands_exist() -> None:
    lines = {line for page in PAGES for line in COMMAND.findall(page.read_text(encoding="utf-8"))}
    assert len(lines) > 20
    assert {line: wrong for line in sorted(lines) if (wrong := unknown(line))} == {}
    assert unknown("landfall host sweep") == "sweep"
    assert unknown("landfall sim survive --gamess 3") == "--gamess"


@pytest.mark.once
def test_no_page_installs_what_an_index_has_under_our_name() -> None:
    """Nothing is published there by us. A wheel's file, a checkout, or an address say what is meant."""
    client = [*ROOT.glob("client/src/**/*.svelte"), *ROOT.glob("client/src/**/*.json"), *SOURCE.rglob("*.json")]
    pages = [*PAGES, *ROOT.glob("deploy/**/*"), *ROOT.glob("examples/**/*.ipynb"), *client]
    assert {
        page.name: found
        for page in pages
        if page.is_file() and (found := NAMED_INSTALL.findall(page.read_text("utf-8")))
    } == {}


def test_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = {name for page in PAGES for name in TARGET.findall(page.read_text(encoding="utf-8"))}
    assert {"play", "test", "proof"} <= named
    assert sorted(name for name in named if not re.search(rf"^{name}:", makefile, re.MULTILINE)) == []


@pytest.mark.once
def test_ids_of_environments_are_registered() -> None:
    named = {name for page in PAGES for name in ENVIRONMENT.findall(page.read_text(encoding="utf-8"))}
    assert named == {*ENV_IDS.values(), *SELF_PLAY_IDS.values()}
    assert named <= set(gymnasium.registry)


# --- links ------------------------------------------------------------------------------------------------------------


def anchors(page: Path) -> set[str]:
    """What headings of a page are called in a link."""
    heads = re.findall(r"^#+ +(.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", re.sub(r"\]\([^)]*\)", "", head)) for head in heads)
    return {head.strip().lower().replace(" ", "-") for head in plain}


def astray(page: Path, link: str) -> bool:
    """Whether a link leads nowhere within the project; what lies outside is not asked."""
    if re.match(r"[a-z]+:", link):
        return False
    if workflow := WORKFLOW_PAGE.fullmatch(link):
        return not (ROOT / ".github" / "workflows" / workflow[1]).exists()
    path, _, anchor = link.partition("#")
    to = (page.parent / path).resolve() if path else page
    return not to.exists() or bool(anchor and to.suffix == ".md" and anchor not in anchors(to))


@pytest.mark.once
def test_links_lead_somewhere(tmp_path: Path) -> None:
    found = [(page, link) for page in PAGES for link in LINK.findall(page.read_text(encoding="utf-8"))]
    assert len(found) > 40
    assert [(str(page.relative_to(ROOT)), link) for page, link in found if astray(page, link)] == []
    page = tmp_path / "page.md"
    page.write_text("# One thing\n", encoding="utf-8")
    assert [astray(page, link) for link in ("#one-thing", "#another", "page.md", "gone.md")] == [
        False,
        True,
        False,
        True,
    ]
    assert not astray(page, "../../actions/workflows/ci.yml/badge.svg")
    assert astray(page, "../../actions/workflows/gone.yml")


@pytest.mark.once
def test_every_page_is_in_the_sites_contents_and_linked_from_its_start() -> None:
    docs = ROOT / "docs"
    contents = [one.text for one in blocks("{toctree}") if one.page == docs / "index.md"]
    patterns = {line for text in contents for line in text.splitlines() if not line.startswith(":")}
    found = [page for pattern in patterns for page in docs.glob(f"{pattern}.md")]
    listed = {page.relative_to(docs).with_suffix("").as_posix() for page in found}
    pages = {page.relative_to(docs).with_suffix("").as_posix() for page in docs.glob("**/*.md")}
    assert {page for page in pages if not re.match(r"rules/[a-z]{2}/", page)} - {"index"} == listed
    linked = {link.removesuffix(".md") for link in LINK.findall((docs / "index.md").read_text(encoding="utf-8"))}
    assert {page for page in listed - linked if not page.startswith("terms/")} == set()
