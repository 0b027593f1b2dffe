"""Puzzles as they are checked in: what each must be, that it tells nothing its seat does not know, and its words."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from openskill.models import PlackettLuce
from typer.testing import CliRunner

from landfall import paths
from landfall.cli import app
from landfall.core import puzzle as puzzles
from landfall.core.puzzle import DIFFICULTY_NAMES, MIN_CHOICES, ChoiceCase, Puzzle
from landfall.core.rng import Rng
from landfall.core.texts import LANGUAGES, load_catalogue
from landfall.games import BUILT_IN_GAMES, game_module
from landfall.games import game as find_game
from landfall.lab.experiments import puzzle_mining as lab
from landfall.match import Match
from landfall.tables.bots.bot_pool import BotRequest
from landfall.tables.protocol.errors import Refused
from landfall.tables.teaching import puzzle_difficulty
from landfall.tables.teaching import puzzles as desk
from landfall.tables.teaching.hints import EQUAL_CHANCE_MARGIN, MAX_ALTERNATIVES, find_alternatives, top_reasons
from tests.reasons import false_figures
from tests.tree import REPO

LEAST = 150  # puzzles a game
OF_A_THEME = 15
THEMES = 5
LONGEST_GOAL = 60
pytestmark = pytest.mark.once
EACH = pytest.mark.parametrize("game", BUILT_IN_GAMES)


def of(game: str) -> list[Puzzle]:
    return puzzles.load_puzzles(paths.puzzles_file(game))


@EACH
def test_there_are_enough_of_enough_themes_and_few_that_greedy_finds(game: str) -> None:
    found = of(game)
    assert len(found) >= LEAST
    assert len({one.id for one in found}) == len(found)
    assert sum(n >= OF_A_THEME for n in Counter(one.theme for one in found).values()) >= THEMES
    assert sum(one.greedy for one in found) <= 0.4 * len(found)
    assert max(Counter(one.match for one in found).values()) <= 2


@EACH
def test_each_is_clear_and_its_solution_may_be_chosen(game: str) -> None:
    themes = game_module(game, "puzzle_themes").THEMES
    for one in of(game):
        state = one.state(find_game(game))
        legal = state.legal_actions()
        assert int(state.actor) == one.seat, one.id
        assert len(legal) == one.choices >= MIN_CHOICES, one.id
        assert {state.parse(one.solution), state.parse(one.next_best)} <= set(legal), one.id
        assert one.margin >= max(lab.MIN_MARGIN, lab.MIN_STANDARD_ERRORS * one.error), one.id
        theme = puzzles.find_theme(themes, ChoiceCase(state, one.seat, state.parse(one.solution)))
        assert theme is not None, one.id
        assert theme.name == one.theme, one.id
        assert one.fish in DIFFICULTY_NAMES, one.id
        assert one.fish == lab.rate_difficulty(one.greedy, one.finds, one.margin), one.id


@EACH
def test_none_holds_more_than_its_seat_knows(game: str) -> None:
    """Its position is drawn from the line made for the seat alone: drawn again from it, it is the same."""
    for one in of(game):
        state = one.state(find_game(game))
        assert state.to_text(one.seat) == one.line
        assert puzzles.puzzle_id(one.line) == one.id
        assert puzzles.resample_for_puzzle(state, one.seat).to_bytes() == state.to_bytes(), one.id


def test_a_true_position_would_be_noticed() -> None:
    """What the check above rests on: a position as it really was is not what is drawn from the seat's line."""
    one = of("survive")[0]
    state = one.state(find_game("survive"))
    other = state.resample(one.seat, Rng(99))
    assert other.to_text(one.seat) == one.line
    assert puzzles.resample_for_puzzle(other, one.seat).to_bytes() == state.to_bytes() != other.to_bytes()


@EACH
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_theme_and_goal_has_its_words(game: str, language: str) -> None:
    words = load_catalogue(game, language)
    for theme in game_module(game, "puzzle_themes").THEMES:
        assert all(f"puzzle.{what}.{theme.name}" in words for what in ("theme", "goal", "look"))
        assert len(words[f"puzzle.goal.{theme.name}"]) <= LONGEST_GOAL, theme.name


@EACH
def test_reasons_are_at_most_two_true_and_the_same_in_every_world_the_seat_cannot_tell_apart(game: str) -> None:
    told, other = Counter[str](), Rng(5)
    for one in of(game)[::2]:
        state = one.state(find_game(game))
        second = state.resample(one.seat, other)
        for action in {state.parse(one.solution), state.parse(one.next_best), state.legal_actions()[-1]}:
            case = ChoiceCase(state, one.seat, action)
            found = top_reasons(game, case)
            assert len(found) <= 2
            assert false_figures(game, case, found) == [], one.id
            assert found == top_reasons(game, ChoiceCase(second, one.seat, action)), one.id
            assert all(why["key"] in load_catalogue(game, "en") for why in found)
            told.update(why["key"] for why in found)
    assert len(told) >= 5


@EACH
def test_other_ideas_are_worth_a_thought_have_their_own_reasons_and_know_no_more_than_the_seat(game: str) -> None:
    told = 0
    for one in of(game)[::25]:
        state, best = one.state(find_game(game)), one.solution
        worlds = [state, state.resample(one.seat, Rng(7))]
        asked = [BotRequest(game, world.to_bytes(), one.seat, "marlin", 3, 1.0) for world in worlds]
        found, alike = find_alternatives(asked[0], state.parse(best))
        assert (found, alike) == find_alternatives(asked[1], state.parse(best)), one.id
        assert len(found) <= MAX_ALTERNATIVES
        assert len({state.parse(best), *(idea["action"] for idea in found)}) == len(found) + 1
        assert not alike or one.margin < 3 * EQUAL_CHANCE_MARGIN or not one.tree  # one choice is clearly the best
        for idea in found:
            assert state.parse(idea["text"]) == idea["action"]
            assert idea["action"] in state.legal_actions()
            assert false_figures(game, ChoiceCase(state, one.seat, idea["action"]), idea["why"]) == [], one.id
        told += len(found)
    assert told


def test_equally_good_choices_are_marked_so() -> None:
    """At the first choice of this match of Atlantis three are about as good, and the others are not."""
    match = Match("atlantis", 2, seed=1)
    question = BotRequest("atlantis", match.state.to_bytes(), match.actor, "marlin", 3, 1.0)
    assert sum(find_alternatives(question, action)[1] for action in match.state.legal_actions()) == 3


OWN = json.loads((REPO / "client/src/lib/rating.cases.json").read_text(encoding="utf-8"))


def test_the_page_rates_its_solver_as_openskill_does() -> None:
    model = PlackettLuce()
    for case in OWN:
        puzzle = [puzzle_difficulty.INITIAL_MU[case["fish"]], puzzle_difficulty.NEWCOMER_RATING[1] / 2]
        teams = [[model.create_rating(case["me"])], [model.create_rating(puzzle)]]
        after = model.rate(teams, ranks=[0, 1] if case["found"] else [1, 0])[0][0]
        assert [after.mu, after.sigma] == pytest.approx(case["after"], abs=1e-6)
    assert {case["fish"] for case in OWN} == set(puzzle_difficulty.INITIAL_MU)


def test_it_is_solved_step_by_step() -> None:
    game = "atlantis"
    one = next(iter(desk.load_puzzles(game).values()))
    laid = desk.set_up_puzzle(game, one.id)
    assert "solution" not in laid
    assert laid["view"]["actor"] == one.seat
    rows = [(row, group["keys"]) for group in laid["choices"] for row in group["rows"]]
    texts = {row[keys.index("text")]: row[keys.index("action")] for row, keys in rows}
    assert len(rows) == one.choices
    right, near = (desk.try_choice(game, one.id, texts[text]) for text in (one.solution, one.next_best))
    assert right["right"]
    assert not near["right"]
    assert near["key"] == "puzzle.next"
    assert near["args"] == {"n": desk.to_percent(one.margin)}
    hints = [desk.give_hint(game, one.id, step) for step in (1, 2, 3)]
    assert all(hint["key"] in {**load_catalogue(game, "en"), **load_catalogue("", "en")} for hint in hints)
    assert desk.show_solution(game, one.id)["action"] == texts[one.solution]
    with pytest.raises(Refused):
        desk.try_choice(game, one.id, 0 if 0 not in texts.values() else 180)
    with pytest.raises(Refused):
        desk.set_up_puzzle(game, "nothing")


@pytest.mark.compiled_only
def test_the_commands_look_for_puzzles_go_on_from_what_was_found_and_look_again(tmp_path: Path) -> None:
    def run(*words: str) -> str:
        result = CliRunner().invoke(app, ["puzzles", *words, "--cores", "1"])
        assert result.exit_code == 0, result.output
        return result.output

    file, log = tmp_path / "puzzles.json", tmp_path / "log.jsonl"
    asked = ("make", "atlandice", "--count", "1", "--seed", "5", "--out", str(file), "--log", str(log))
    run(*asked)
    (one,) = puzzles.load_puzzles(file)
    assert one.match.startswith("5.")
    assert one.margin >= max(lab.MIN_MARGIN, lab.MIN_STANDARD_ERRORS * one.error)
    assert one.choices >= MIN_CHOICES
    before = log.read_text(encoding="utf-8")
    run(*asked)
    assert log.read_text(encoding="utf-8") == before  # no match was played again
    assert puzzles.load_puzzles(file) == [one]
    assert "0 of 1 change" in run("check", "atlandice", "--count", "1", "--effort", "1")


def test_a_puzzle_is_rated_by_who_finds_it() -> None:
    easy = hard = puzzle_difficulty.initial_rating("marlin")
    for _ in range(40):
        easy, hard = (
            puzzle_difficulty.update_rating(*easy, found=True),
            puzzle_difficulty.update_rating(*hard, found=False),
        )
    assert easy[0] < puzzle_difficulty.initial_rating("marlin")[0] - 2
    assert hard[0] > puzzle_difficulty.initial_rating("marlin")[0] + 2
    assert easy[1] < puzzle_difficulty.NEWCOMER_RATING[1]
