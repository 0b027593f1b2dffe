"""Puzzles as they are checked in: what each must be, that it tells nothing its seat does not know, and its words."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from openskill.models import PlackettLuce
from typer.testing import CliRunner

from landfall import paths
from landfall.bots.levels import PUZZLE_RATINGS
from landfall.cli import app
from landfall.core import puzzle as puzzles
from landfall.core.languages import LANGUAGES
from landfall.core.puzzle import MIN_CHOICES, ChoiceCase, Puzzle
from landfall.core.rng import Rng
from landfall.core.text_catalogue import load_text_catalogue, translate
from landfall.games import BUILT_IN_GAMES, game_module
from landfall.games import game as find_game
from landfall.games.survive.rules.board import BY_NAME
from landfall.lab.experiments import puzzle_mining as lab
from landfall.lab.experiments.puzzle_check import (
    CONFIRMED,
    EQUAL,
    NOT_CONFIRMED,
    CheckJob,
    check_puzzle,
    verdict_on_margin,
)
from landfall.match import Match
from landfall.tables.bots.bot_pool import BotRequest
from landfall.tables.protocol.errors import Refused
from landfall.tables.teaching import puzzle_difficulty
from landfall.tables.teaching import puzzles as desk
from landfall.tables.teaching.hints import EQUAL_CHANCE_MARGIN, MAX_ALTERNATIVES, find_alternatives, strongest_reasons
from tests.hint_reason_checks import find_false_reasons
from tests.puzzle_goal_checks import is_goal_reached
from tests.repository_files import REPO

LEAST = {"survive": 130, "atlantis": 150, "atlandice": 150}  # puzzles a game
OF_A_THEME = 15
THEMES = 5
LONGEST_GOAL = 60
SETS = 4
pytestmark = pytest.mark.once
EACH = pytest.mark.parametrize("game", BUILT_IN_GAMES)


def of(game: str) -> list[Puzzle]:
    return puzzles.load_puzzles(paths.puzzles_file(game))


@EACH
def test_there_are_enough_of_enough_themes_and_few_that_greedy_finds(game: str) -> None:
    found = of(game)
    assert len(found) >= LEAST[game]
    assert len({one.id for one in found}) == len(found)
    assert sum(n >= OF_A_THEME for n in Counter(one.theme for one in found).values()) >= THEMES
    assert sum(one.greedy for one in found) <= 0.4 * len(found)
    assert max(Counter(one.match for one in found).values()) <= 2


@EACH
def test_each_is_clear_and_its_solution_may_be_chosen(game: str) -> None:
    themes = game_module(game, "puzzle_themes").THEMES
    for one in of(game):
        state = one.to_state(find_game(game))
        legal = state.legal_actions()
        assert int(state.actor) == one.seat, one.id
        assert len(legal) == one.choices >= MIN_CHOICES, one.id
        assert {state.parse(one.solution), state.parse(one.next_best)} <= set(legal), one.id
        assert one.margin >= max(lab.MIN_MARGIN, lab.MIN_STANDARD_ERRORS * one.error), one.id
        theme = puzzles.find_first_fitting_theme(themes, ChoiceCase(state, one.seat, state.parse(one.solution)))
        assert theme is not None, one.id
        assert theme.name == one.theme, one.id
        assert one.fish in PUZZLE_RATINGS, one.id
        assert one.fish == lab.rate_difficulty(one.greedy, one.finds, one.margin), one.id


@EACH
def test_none_holds_more_than_its_seat_knows(game: str) -> None:
    """Its position is drawn from the line made for the seat alone: drawn again from it, it is the same."""
    for one in of(game):
        state = one.to_state(find_game(game))
        assert puzzles.puzzle_id_from_text(state.to_text(one.seat)) == one.id
        assert puzzles.resample_seeded_by_seat_text(state, one.seat).to_bytes() == state.to_bytes(), one.id


def test_a_true_position_would_be_noticed() -> None:
    """What the check above rests on: a position as it really was is not what is drawn from the seat's line."""
    one = of("survive")[0]
    state = one.to_state(find_game("survive"))
    other = state.resample(one.seat, Rng(99))
    assert puzzles.puzzle_id_from_text(other.to_text(one.seat)) == one.id
    assert puzzles.resample_seeded_by_seat_text(other, one.seat).to_bytes() == state.to_bytes() != other.to_bytes()


@EACH
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_theme_set_and_goal_has_its_words(game: str, language: str) -> None:
    words = load_text_catalogue(game, language)
    declared = game_module(game, "puzzle_themes")
    for theme in declared.THEMES:
        assert all(f"puzzle.{what}.{theme.name}" in words for what in ("theme", "look"))
    assert all(f"puzzle.set.{one.name}" in words for one in declared.SETS)
    for goal in game_module(game, "puzzle_goals").GOALS:
        assert f"puzzle.goal.{goal.name}" in words
    for one in of(game):
        said = translate(language, f"puzzle.goal.{one.goal}", one.facts, game)
        assert len(said) <= LONGEST_GOAL, said
        assert "{" not in said
        assert said != f"puzzle.goal.{one.goal}"


@EACH
def test_every_goal_is_true_of_the_solution_alone(game: str) -> None:
    """Whoever reaches it is done. Of every third puzzle all choices are judged, by a replay that counts in another
    way; of the others those that the check compared."""
    goals = {goal.name: goal for goal in game_module(game, "puzzle_goals").GOALS}
    for number, one in enumerate(of(game)):
        assert is_goal_reached(game, one, one.solution), (one.id, one.goal, one.facts)
        assert not is_goal_reached(game, one, one.next_best), (one.id, one.goal, one.facts)
        state = one.to_state(find_game(game))
        reached: list[str] = []
        for action in state.legal_actions():
            found = goals[one.goal].is_reached_by(ChoiceCase(state, one.seat, action), one.facts)
            if number % 3 == 0:
                assert found == is_goal_reached(game, one, state.notation(action)), (
                    one.id,
                    one.goal,
                    state.notation(action),
                )
            reached += [state.notation(action)] * found
        assert reached == [one.solution], (one.id, one.goal, one.facts)


def test_nobody_is_out_of_reach_of_creatures_that_dice_move_anywhere() -> None:
    """Dive dice (SV.N2) and squids reach further than the numbers on the board."""
    escape = next(goal for goal in game_module("survive", "puzzle_goals").GOALS if goal.name == "escape")

    def escapes(one: Puzzle) -> bool:
        state = one.to_state(find_game("survive"))
        return any(escape.facts(ChoiceCase(state, one.seat, action)) for action in state.legal_actions())

    far = [one for one in of("survive") if " dolphins" in one.world or " squid" in one.world]
    assert far
    assert not any(escapes(one) for one in far[::4])
    assert any(escapes(one) for one in of("survive") if one not in far)


def test_a_hint_at_a_lead_is_what_the_goal_says() -> None:
    """A visit may bring one more of what the seat has most of, and a lead of which it had none."""
    keys = {"lead": "hint.leads", "level": "hint.level"}
    told = []
    for one in of("atlandice"):
        key = desk.get_puzzle_hint("atlandice", one.id, 3)["key"]
        if one.goal in keys and key in keys.values():
            told.append((one.number, one.goal, key))
    assert len(told) > 3
    assert [row for row in told if keys[row[1]] != row[2]] == []


def test_a_goal_that_another_choice_reaches_too_is_none() -> None:
    one = of("atlantis")[0]
    state = one.to_state(find_game("atlantis"))
    solution, other = state.parse(one.solution), state.parse(one.next_best)
    shared = puzzles.Goal("shared", lambda case: {} if case.action in (solution, other) else None)
    own = puzzles.Goal("own", lambda case: {"n": 3} if case.action == solution else None)
    missed = puzzles.Goal("missed", lambda case: None)
    assert puzzles.find_goal_only_solution_reaches([missed, shared], state, one.seat, solution) is None
    assert puzzles.find_goal_only_solution_reaches([shared, own], state, one.seat, solution) == puzzles.PuzzleGoal(
        "own", {"n": 3}
    )


@EACH
def test_numbers_are_unique_and_sets_are_full(game: str) -> None:
    found = of(game)
    assert len({one.number for one in found}) == len(found)
    assert min(one.number for one in found) >= 1
    sizes = Counter(name for one in found for name in one.sets)
    assert set(sizes) <= {one.name for one in game_module(game, "puzzle_themes").SETS}
    assert set(sizes.values()) == {puzzles.PUZZLES_PER_SET}
    assert len(sizes) >= SETS


@EACH
def test_every_hint_points_at_something_that_is_there(game: str) -> None:
    for one in of(game):
        view = desk.describe_puzzle_setup(game, one.id)["view"]
        shown = json.dumps(view)
        for step in (1, 2, 3):
            hint = desk.get_puzzle_hint(game, one.id, step)
            assert hint["places"], (one.id, step)
            for place in hint["places"]:
                assert is_shown(game, view, place), (one.id, step, place)
            assert hint["key"] in {**load_text_catalogue(game, "en"), **load_text_catalogue("", "en")}
        assert one.solution not in shown or len(one.solution) < 4


def is_shown(game: str, view: Any, place: str) -> bool:
    """Whether a page of the game has something by that name to point at."""
    if game == "survive":
        return place in BY_NAME
    if game == "atlandice":
        return place in [sector["sector"] for sector in view["sectors"]]
    kind, _, name = place.partition(" ")
    seat = view["seats"][view["actor"]]
    if kind == "tile":
        return name in [f"{tile['kind']}{tile['value']}" for tile in seat["tiles"]]
    if kind == "card":
        return bool(seat["hand"][name])
    return place in ("atlantis", "mainland") or 1 <= int(place) <= len(view["path"])


@EACH
def test_a_picture_shows_a_part_of_the_seats_view_and_nothing_hidden(game: str) -> None:
    for one in of(game)[::10]:
        state = one.to_state(find_game(game))
        small, large = (
            desk.draw_puzzle_picture(game, one.id)["svg"],
            desk.draw_puzzle_picture(game, one.id, large=True)["svg"],
        )
        for svg, size in ((small, desk.CARD_SIZE), (large, desk.LARGE_SIZE)):
            root = ElementTree.fromstring(svg)
            assert [int(n) for n in root.attrib["viewBox"].split()][2:] == list(size)
        other = state.resample(one.seat, Rng(4))
        places = ["14"] if game == "atlantis" else ["inn"] if game == "atlandice" else ["G6"]
        detail = game_module(game, "picture").render_crop_around_places
        drawn = [detail(world.view(one.seat), places, desk.CARD_SIZE, (0.0, 0.0)) for world in (state, other)]
        assert drawn[0] == drawn[1]


@EACH
def test_a_wrong_try_says_what_it_lacks(game: str) -> None:
    counts = Counter[str]()
    for one in of(game)[::4]:
        state = one.to_state(find_game(game))
        for action in state.legal_actions():
            tried = desk.try_puzzle_choice(game, one.id, action)
            counts[tried["key"]] += 1
            assert tried["right"] == (state.notation(action) == one.solution) == (tried["key"] == "puzzle.right")
            assert len(tried["why"]) <= 1
    assert counts["puzzle.less"] > counts["puzzle.right"]


@EACH
def test_reasons_are_at_most_two_true_and_the_same_in_every_world_the_seat_cannot_tell_apart(game: str) -> None:
    counts, other = Counter[str](), Rng(5)
    for one in of(game)[::2]:
        state = one.to_state(find_game(game))
        second = state.resample(one.seat, other)
        for action in {state.parse(one.solution), state.parse(one.next_best), state.legal_actions()[-1]}:
            case = ChoiceCase(state, one.seat, action)
            found = strongest_reasons(game, case)
            assert len(found) <= 2
            assert find_false_reasons(game, case, found) == [], one.id
            assert found == strongest_reasons(game, ChoiceCase(second, one.seat, action)), one.id
            assert all(why["key"] in load_text_catalogue(game, "en") for why in found)
            counts.update(why["key"] for why in found)
    assert len(counts) >= 5


@EACH
def test_other_ideas_are_worth_a_thought_have_their_own_reasons_and_know_no_more_than_the_seat(game: str) -> None:
    counts = 0
    for one in of(game)[::25]:
        state, best = one.to_state(find_game(game)), one.solution
        worlds = [state, state.resample(one.seat, Rng(7))]
        asked = [BotRequest(game, world.to_bytes(), one.seat, "marlin", 3, 1.0) for world in worlds]
        found, alike, plan = find_alternatives(asked[0], state.parse(best))
        assert (found, alike, plan) == find_alternatives(asked[1], state.parse(best)), one.id
        assert len(found) <= MAX_ALTERNATIVES
        assert len({state.parse(best), *(idea["action"] for idea in found)}) == len(found) + 1
        assert not alike or one.margin < 3 * EQUAL_CHANCE_MARGIN or not one.tree  # one choice is clearly the best
        for idea in found:
            assert state.parse(idea["text"]) == idea["action"]
            assert idea["action"] in state.legal_actions()
            assert find_false_reasons(game, ChoiceCase(state, one.seat, idea["action"]), idea["why"]) == [], one.id
        counts += len(found)
    assert counts


def test_equally_good_choices_are_marked_so() -> None:
    """At the first choice of this match of Atlantis three are about as good, and the others are not."""
    match = Match("atlantis", 2, seed=1)
    question = BotRequest("atlantis", match.state.to_bytes(), match.actor, "marlin", 3, 1.0)
    assert sum(find_alternatives(question, action)[1] for action in match.state.legal_actions()) == 3


EQUAL_PUZZLE = REPO / "tests/generic/equal_puzzle.json"
OWN = json.loads((REPO / "client/src/lib/rating.cases.json").read_text(encoding="utf-8"))


def test_the_page_rates_its_solver_as_openskill_does() -> None:
    model = PlackettLuce()
    for case in OWN:
        puzzle = [PUZZLE_RATINGS[case["fish"]], puzzle_difficulty.NEWCOMER_RATING[1] / 2]
        teams = [[model.create_rating(case["me"])], [model.create_rating(puzzle)]]
        after = model.rate(teams, ranks=[0, 1] if case["found"] else [1, 0])[0][0]
        assert [after.mu, after.sigma] == pytest.approx(case["after"], abs=1e-6)
    assert {case["fish"] for case in OWN} == set(PUZZLE_RATINGS)


def test_it_is_solved_step_by_step() -> None:
    game = "atlantis"
    one = next(iter(desk.load_puzzles_by_id(game).values()))
    laid = desk.describe_puzzle_setup(game, one.id)
    assert "solution" not in laid
    assert laid["view"]["actor"] == one.seat
    rows = [(row, group["keys"]) for group in laid["choices"] for row in group["rows"]]
    texts = {row[keys.index("text")]: row[keys.index("action")] for row, keys in rows}
    assert len(rows) == one.choices
    right, near = (desk.try_puzzle_choice(game, one.id, texts[text]) for text in (one.solution, one.next_best))
    assert right["right"]
    assert right["places"]
    assert not near["right"]
    assert near["key"] == "puzzle.less"
    assert desk.get_puzzle_solution(game, one.id)["action"] == texts[one.solution]
    with pytest.raises(Refused):
        desk.try_puzzle_choice(game, one.id, 0 if 0 not in texts.values() else 180)
    with pytest.raises(Refused):
        desk.describe_puzzle_setup(game, "nothing")


@pytest.mark.compiled_only
def test_the_commands_look_for_puzzles_go_on_from_what_was_found_and_select_what_was_confirmed(tmp_path: Path) -> None:
    def run(*words: str) -> str:
        result = CliRunner().invoke(app, ["puzzles", *words])
        assert result.exit_code == 0, result.output
        return result.output

    file, log = tmp_path / "puzzles.json", tmp_path / "log.jsonl"
    asked = ("make", "atlandice", "--count", "1", "--seed", "5", "--out", str(file), "--log", str(log), "--cores", "1")
    run(*asked)
    (one,) = puzzles.load_puzzles(file)
    assert one.match.startswith("5.")
    assert one.margin >= max(lab.MIN_MARGIN, lab.MIN_STANDARD_ERRORS * one.error)
    assert one.choices >= MIN_CHOICES
    before = log.read_text(encoding="utf-8")
    run(*asked)
    assert log.read_text(encoding="utf-8") == before  # no match was played again
    assert puzzles.load_puzzles(file) == [one]
    checked = check_puzzle(CheckJob("atlandice", one, worlds=16))
    assert checked.id == one.id
    assert checked.low <= checked.margin <= checked.high
    rows = [{"id": one.id, "verdict": CONFIRMED}, {"id": of("atlandice")[0].id, "verdict": "equal"}]
    (tmp_path / "atlandice.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    run("select", "atlandice", "--checked", str(tmp_path), "--found", str(log), "--out", str(file))
    (kept,) = puzzles.load_puzzles(file)
    assert kept.id == one.id
    assert kept.number > max(each.number for each in of("atlandice"))


def test_a_puzzle_is_rated_by_who_finds_it() -> None:
    easy = hard = puzzle_difficulty.initial_puzzle_rating("marlin")
    for _ in range(40):
        easy, hard = (
            puzzle_difficulty.puzzle_rating_after_try(*easy, found=True),
            puzzle_difficulty.puzzle_rating_after_try(*hard, found=False),
        )
    assert easy[0] < puzzle_difficulty.initial_puzzle_rating("marlin")[0] - 2
    assert hard[0] > puzzle_difficulty.initial_puzzle_rating("marlin")[0] + 2
    assert easy[1] < puzzle_difficulty.NEWCOMER_RATING[1]


def test_a_verdict_needs_a_margin_that_matters_and_an_interval_that_shows_it() -> None:
    assert verdict_on_margin(0.08, 0.02, 0.14, same_end=False) == CONFIRMED
    assert verdict_on_margin(0.08, -0.01, 0.17, same_end=False) == NOT_CONFIRMED  # too uncertain
    assert verdict_on_margin(0.02, 0.01, 0.03, same_end=False) == NOT_CONFIRMED  # too small to matter
    assert verdict_on_margin(0.01, -0.01, 0.02, same_end=False) == EQUAL
    assert verdict_on_margin(-0.1, -0.15, -0.05, same_end=False) == NOT_CONFIRMED
    assert verdict_on_margin(0.08, 0.02, 0.14, same_end=True) == EQUAL


@pytest.mark.proof
@pytest.mark.compiled_only
def test_two_ways_to_the_same_position_are_equal() -> None:
    """Two orders of a ship's steps lead to one position: no choice of them is the only best."""
    line = EQUAL_PUZZLE.read_text(encoding="utf-8")
    assert check_puzzle(CheckJob("survive", puzzles.parse_stored_puzzle(json.loads(line)), worlds=16)).verdict == EQUAL
