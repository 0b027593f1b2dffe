"""The first five minutes in a shell, a notebook or an editor: what help, tab completion, repr and type checkers say."""

from __future__ import annotations

import copy
import doctest
import inspect
import json
import pickle
import re
import subprocess
import sys
import typing
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import landfall
from landfall.analysis.review import review_match
from landfall.core.errors import (
    IllegalAction,
    LandfallError,
    NotationError,
    NothingToUndo,
    OptionError,
    PositionError,
    RecordError,
    StateError,
    UnknownGame,
    UnknownSeat,
)
from landfall.core.state import SPECTATOR, State
from landfall.games import BUILT_IN_GAMES, GAME_NAMES
from landfall.lab.environments.gymnasium import SeatEnv
from landfall.lab.environments.pettingzoo import env
from landfall.lab.environments.vector import MatchVectorEnv
from landfall.lab.experiments.win_probability_accuracy import play_bot_match
from landfall.optional_dependencies import MissingExtra
from landfall.tables.protocol.errors import Refused
from landfall.web.codegen.python_reference import Entry, list_entries
from tests.conftest import lacking
from tests.repository_files import REPO
from tests.test_docs import blocks

ENTRIES = [pytest.param(entry, id=f"{entry.owner}.{entry.name}") for entry in list_entries(REPO / "src")]
TYPED_PAGES = ("tutorial.md", "README.md", "lab.md", "bots.md")
PYRIGHT = REPO / "client" / "node_modules" / "pyright" / "index.js"
USER_SCRIPT = """
from typing import assert_type

import landfall
from landfall import game_types
from landfall.lab.environments.pettingzoo import env

match = landfall.Match("survive", seed=1, dolphins=True)
hands = [seat["hand"] for seat in match.view(0)["seats"]]
for choice in match.choices():
    if choice["verb"] == "sink":
        assert_type(choice["to"], str)
    match.play(choice["action"])
assert_type(match.state, game_types.SurviveState)
assert_type(landfall.new("atlantis", 3).view(0)["seats"][0]["hand"] is None, bool)


def first_verb(any_match: landfall.Match) -> str:
    return any_match.choices()[0]["verb"]


first_verb(match)
first_verb(landfall.Match("atlandice", clock={"last": 9}))
turns = env("atlandice", players=2)
turns.reset(seed=1)
for agent in turns.agent_iter(max_iter=3):
    assert_type(agent, str)
    reward = turns.last()[1]
    assert_type(reward, float)
"""
WRONG_SCRIPT = """
import landfall

match = landfall.Match("survive", dolphins=True)
match.view(0)["whale"]
match.choices()[0]["squid"]
match.view("red")
"""


def object_of(entry: Entry) -> Any:
    """What an entry of docs/api.md is about, in the running engine."""
    owner: Any = import_module(entry.section.module)
    if entry.owner:
        return inspect.getattr_static(getattr(owner, entry.owner), entry.name)
    return getattr(owner, entry.name)


@pytest.mark.parametrize("entry", ENTRIES)
def test_every_public_name_has_its_docstring_and_signature_at_run_time(entry: Entry) -> None:
    found = object_of(entry)
    assert inspect.getdoc(found) == entry.docstring
    assert ">>> " in entry.docstring, "an example is missing"
    if callable(found):
        taken = [name for name in inspect.signature(found).parameters if name != "self"]
        named = [part.partition(":")[0].strip(" *") for part in entry.heading.partition("(")[2].split(", ")]
        assert taken == [] or taken[0] in named


def test_help_of_a_compiled_game_s_method_is_that_of_the_contract() -> None:
    assert str(inspect.getdoc(type(landfall.new("survive")).apply)).startswith("Apply a legal action")


@pytest.mark.parametrize("name", GAME_NAMES)
def test_tab_completion_lists_what_every_game_has(name: str) -> None:
    shown = {one for one in dir(landfall.new(name)) if not one.startswith("_")}
    contract = {one for one in vars(State) if not one.startswith("_")} | {"players", "actor", "events"}
    assert contract <= shown
    fields = {one.name for one in getattr(type(landfall.new(name)), "FIELDS", ())}
    assert shown - contract == fields


# --- one signature ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAME_NAMES)
def test_players_are_optional_everywhere(name: str) -> None:
    usual = landfall.Match(name).players
    assert usual in landfall.game(name).player_counts
    assert landfall.new(name).players == usual
    assert len(env(name).possible_agents) == usual
    assert SeatEnv(name, opponents="random").desk.players == usual
    assert MatchVectorEnv(name, 1).players == usual


def test_options_are_given_by_name_everywhere() -> None:
    assert landfall.Match("survive", 2, seed=1, dolphins=True).options == {"dolphins": True}
    for make in (landfall.Match, landfall.new, env, SeatEnv):
        with pytest.raises(OptionError, match="there is no option options"):
            make("survive", 2, options={"dolphins": True})


# --- what a shell shows -----------------------------------------------------------------------------------------------


def test_a_match_shows_its_game_who_is_to_choose_the_scores_and_the_position() -> None:
    match = landfall.Match("atlandice", players=2, seed=3)
    match.play_text("d2")
    position = match.state.to_text()
    assert (
        repr(match)
        == f"<Match atlandice: 1 choices made, 2 players, seat {match.actor} to choose, scores 0 0, {position!r}>"
    )


@pytest.mark.parametrize("name", GAME_NAMES)
def test_printing_a_match_draws_the_board(name: str) -> None:
    match = landfall.Match(name, seed=3)
    board = str(match)
    assert len(board.splitlines()) >= 3
    assert "\x1b" not in board
    assert board == match.draw(None)


def test_a_notebook_prints_a_match_as_a_shell_does(monkeypatch: pytest.MonkeyPatch) -> None:
    match = landfall.Match("atlandice", seed=3)
    board = str(match)
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    assert str(match) == board


def test_a_board_in_text_shows_a_seat_its_own_hand() -> None:
    match = landfall.Match("atlantis", players=2, seed=3)
    assert match.draw(0) != match.draw(1) != match.draw()


@pytest.mark.parametrize("name", GAME_NAMES)
def test_notebooks_get_a_picture_with_a_line_below(name: str) -> None:
    match = landfall.Match(name, seed=3)
    page = match._repr_html_()
    assert page == match.state._repr_html_()
    assert match._repr_svg_() in page
    assert "to choose, scores " in page.partition("<figcaption>")[2]


# --- equality ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAME_NAMES)
def test_positions_are_equal_by_content(name: str) -> None:
    one, two = (landfall.Match(name, seed=5) for _ in range(2))
    assert one == two
    assert one.state == two.state == one.state.copy()
    assert hash(one) == hash(two)
    assert len({one.state, two.state, one.state.copy()}) == 1
    two.play(two.legal_actions()[0])
    assert one != two
    assert one.state != two.state
    two.undo()
    assert one.state == two.state
    assert one.state != one.state.to_bytes()


def test_games_with_the_same_numbers_are_not_the_same_position() -> None:
    states = [landfall.new(name) for name in GAME_NAMES]
    assert [one == two for one in states for two in states if one is not two] == [False] * (
        len(states) * (len(states) - 1)
    )


# --- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAME_NAMES)
@pytest.mark.parametrize("seat", [9, -2])
def test_a_seat_that_is_not_at_the_table_is_refused(name: str, seat: int) -> None:
    match = landfall.Match(name, seed=1)
    last = match.players - 1
    for ask in (match.view, match.draw, lambda seat: match.state.resample(seat, landfall.Rng(1))):
        with pytest.raises(UnknownSeat, match=f"there is no seat {seat}: the seats are 0 to {last}"):
            ask(seat)
    match.state.resample(SPECTATOR, landfall.Rng(1))
    assert match.view(None)["actor"] == match.actor


def test_nothing_is_undone_before_the_first_choice() -> None:
    match = landfall.Match("atlandice", seed=1)
    before = match.record()
    with pytest.raises(NothingToUndo):
        match.undo()
    assert match.record() == before


@pytest.mark.parametrize("name", GAME_NAMES)
def test_the_checked_way_to_apply_refuses_what_the_rules_forbid(name: str) -> None:
    state = landfall.Match(name, seed=1).state
    before = state.copy()
    legal = set(state.legal_actions())
    for action in [-1, state.num_actions(), *range(state.num_actions())]:
        if action not in legal:
            with pytest.raises(IllegalAction):
                state.play(action)
    assert state == before
    state.play(min(legal))
    before.apply(min(legal))
    assert state == before


def test_the_checked_way_takes_chance_outcomes_that_can_happen() -> None:
    state = landfall.new("atlandice", 2)
    with pytest.raises(IllegalAction, match=r"action 0: forbidden by LF\.3"):
        state.play(0)
    state.play(state.chance_outcomes()[0][0])


@pytest.mark.parametrize("threads", [0, 1])
@pytest.mark.parametrize("actions", [5, [1], [[1, 2, 3]]])
def test_a_wrong_number_of_actions_is_counted(actions: Any, threads: int) -> None:
    matches = MatchVectorEnv("atlandice", 3, players=2, threads=threads)
    matches.reset(seed=1)
    with pytest.raises(ValueError, match="3 actions are needed, one a match"):
        matches.step(actions)
    matches.step(np.array(matches.random_actions))


def test_errors_are_told_in_every_language() -> None:
    from landfall.core.languages import LANGUAGES
    from landfall.core.text_catalogue import load_text_catalogue, translate

    for error in (UnknownSeat(9, 3), NothingToUndo()):
        assert isinstance(error, LandfallError)
        told = [language for language in LANGUAGES if error.key in load_text_catalogue("", language)]
        assert len(told) >= 4
        assert len({translate(language, error.key, error.arguments) for language in told}) == len(told)


# --- type checkers ----------------------------------------------------------------------------------------------------


def plain_code(text: str) -> str:
    """A block of a page without prompts and what they print."""
    if ">>> " not in text:
        return text
    return "".join(example.source for example in doctest.DocTestParser().get_examples(text) if not example.exc_msg)


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts of a user, and the code of the pages, each in a file."""
    folder = tmp_path_factory.mktemp("scripts")
    (folder / "user.py").write_text(USER_SCRIPT, encoding="utf-8")
    pages = [one for one in blocks("python") if one.page.name in TYPED_PAGES and "import " in one.text]
    assert len(pages) >= 10
    for number, one in enumerate(pages):
        name = f"{one.page.stem.lower()}_{number}.py"
        (folder / name).write_text(plain_code(one.text), encoding="utf-8")
    wrong = folder / "wrong"
    wrong.mkdir()
    (wrong / "wrong.py").write_text(WRONG_SCRIPT, encoding="utf-8")
    return folder


def run_mypy(folder: Path) -> str:
    (folder / "mypy.ini").write_text("[mypy]\nstrict = true\nscripts_are_modules = true\n", encoding="utf-8")
    paths = [path.name for path in sorted(folder.glob("*.py"))]
    command = [sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "--cache-dir", str(folder / "cache"), *paths]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout


def run_pyright(folder: Path) -> dict[str, Any]:
    if not PYRIGHT.exists():
        lacking("pyright (npm ci in client/)")
    settings = {"include": ["*.py"], "typeCheckingMode": "strict", "reportMissingTypeStubs": False}
    settings |= {"reportUnusedExpression": False, "reportUnusedImport": False}  # what pages show
    (folder / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    command = ["node", str(PYRIGHT), "--outputjson", "--pythonpath", sys.executable]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.once
def test_mypy_finds_nothing_in_a_user_s_scripts(scripts: Path) -> None:
    assert run_mypy(scripts).startswith("Success: no issues found")


@pytest.mark.once
def test_mypy_finds_what_no_view_and_no_choice_has(scripts: Path) -> None:
    said = run_mypy(scripts / "wrong")
    assert sorted({int(line.split(":")[1]) for line in said.splitlines() if ": error:" in line}) == [5, 6, 7]


@pytest.mark.once
def test_pyright_finds_nothing_in_a_user_s_scripts(scripts: Path) -> None:
    found = run_pyright(scripts)
    said = [f"{Path(one['file']).name}: {one['message']}" for one in found["generalDiagnostics"]]
    assert said == []
    assert found["summary"]["filesAnalyzed"] == len(list(scripts.glob("*.py")))


@pytest.mark.once
def test_pyright_finds_what_no_view_and_no_choice_has(scripts: Path) -> None:
    found = run_pyright(scripts / "wrong")["generalDiagnostics"]
    assert sorted({one["range"]["start"]["line"] + 1 for one in found if one["severity"] == "error"}) == [5, 6, 7]


def test_every_game_of_ours_has_types() -> None:
    from landfall import game_types

    for name in BUILT_IN_GAMES:
        title = name.capitalize()
        options = getattr(game_types, f"{title}Options").__annotations__
        assert set(options) == {option.name for option in landfall.game(name).options}
        assert getattr(game_types, f"{title}State") is type(landfall.new(name))


def test_the_types_can_be_read_by_a_program() -> None:
    from landfall import game_types

    assert typing.get_type_hints(game_types.Choice)["verb"] is str
    for name in game_types.__all__:
        if isinstance(kind := getattr(game_types, name), type):
            typing.get_type_hints(kind)


ERRORS = [
    UnknownGame("chess", ["survive"]), UnknownSeat(9, 2), NothingToUndo(), IllegalAction("SV.U3", "yD4=1"),
    NotationError("z9", "d3"), RecordError(3, "no line"), StateError("too short"), PositionError("x", "no part"),
    OptionError([("whales", "option.unknown", {"option": "whales"}, "there are no whales")]),
    MissingExtra("cupy", "lab"),
    Refused("too_large", most=5),
]  # fmt: skip


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_errors_reach_other_processes_as_they_are(error: LandfallError) -> None:
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert vars(again) == vars(error)


# --- reviews ----------------------------------------------------------------------------------------------------------


@pytest.mark.compiled_only
def test_a_review_shows_its_curves_in_a_notebook() -> None:
    review = review_match(play_bot_match("atlandice", 2, "random", seed=1, number=0).record())
    picture = review._repr_svg_()  # type: ignore[attr-defined]
    curves = re.findall(r'<polyline points="([^"]*)"', picture)
    assert [len(curve.split()) for curve in curves] == [len(review["moments"])] * 2
    assert picture.count("stroke-dasharray") == len(review["mattered"])
    ends = [float(curve.split()[-1].partition(",")[2]) for curve in curves]
    assert ends == [240 * (1 - chance) for chance in review["moments"][-1]["chances"]]
