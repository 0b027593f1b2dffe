"""Puzzles in a real browser: the list and its states; one tried wrongly, hinted at, solved, kept; a hint at a table."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from landfall.core.puzzle import Puzzle
from landfall.core.text_catalogue import translate
from landfall.match import Match
from landfall.tables.teaching import puzzles
from tests.client.conftest import Sit
from tests.client.match_records import parametrize_mostly_in_proof
from tests.client.test_axe import findings

GAME = "atlandice"
SECTORS = ["jeweller", "library", "inn", "workshop", "forge", "black_market"]


def keep(page: Page, kept: dict[str, Any]) -> None:
    """What the device remembers of puzzles."""
    page.evaluate("kept => localStorage['landfall.puzzles'] = kept", json.dumps(kept))


def goal_of(game: str, one: Puzzle) -> str:
    return translate("en", f"puzzle.goal.{one.goal}", one.facts, game)


@pytest.mark.parametrize("phone", parametrize_mostly_in_proof([False, True], False))
def test_the_list_shows_every_state_and_filters(sit: Sit, phone: bool) -> None:
    player = sit(phone=phone).set_name_by_request()
    page = player.page
    every = list(puzzles.load_puzzles_by_id("survive").values())
    first, solved, tried = every[:3]
    player.go("/puzzles/survive")
    keep(page, {"solved": {first.id: 1, solved.id: 3, tried.id: 0}, "tried": {first.id: 1, solved.id: 3, tried.id: 2}})
    page.reload()
    today = page.locator(".today")
    expect(today.locator("img")).to_be_visible()
    expect(today.get_by_role("link")).to_have_text("Solve it")
    expect(page.locator(".mine")).to_contain_text("Solve today’s puzzle to start a streak.")
    expect(page.locator(".count")).to_contain_text(f"2 of {len(every)}")
    assert findings(page) == []
    cards = page.locator("ul a.card")
    expect(cards).to_have_count(24)
    numbers = cards.locator(".no").all_inner_texts()
    assert len(set(numbers)) == 24
    page.locator(".filters").get_by_role("combobox", name="Theme").select_option(tried.theme)
    card = page.locator(f"a.card[href='/puzzle/survive/{tried.id}']")
    expect(card).to_have_attribute("data-state", "tried")
    expect(card).to_contain_text(goal_of("survive", tried))
    card.scroll_into_view_if_needed()  # its picture comes with it
    expect(card.locator("img")).to_be_visible()
    page.locator(".filters").get_by_role("combobox", name="Theme").select_option("")
    page.get_by_role("button", name="Not solved").click()
    expect(page.locator("a.card[data-state=first], a.card[data-state=solved]")).to_have_count(0)
    sets = page.locator(".sets button")
    expect(sets).to_have_count(len({name for one in every for name in one.sets}))
    sets.first.click()
    expect(sets.first).to_have_attribute("aria-pressed", "true")
    shown = cards.count()
    assert 0 < shown <= 10


def test_todays_puzzle_is_shown_as_solved_and_a_row_is_counted(sit: Sit) -> None:
    player = sit().set_name_by_request()
    page = player.page
    player.go("/puzzles/survive")
    days = page.evaluate(
        """() => [0, 1].map(back => { const now = new Date(Date.now() - back * 86400000)
        return new Date(now - now.getTimezoneOffset() * 60000).toISOString().slice(0, 10) })"""
    )
    href = page.locator(".today").get_by_role("link").get_attribute("href")
    assert href is not None
    keep(page, {"solved": {href.rpartition("/")[2]: 1}, "tried": {}, "days": days})
    page.reload()
    expect(page.locator(".today")).to_contain_text("Solved today")
    expect(page.locator(".today").get_by_role("link")).to_have_text("Look at it again")
    expect(page.locator(".mine")).to_contain_text("2 days in a row")
    expect(page.locator(".week .did")).to_have_count(2)


@pytest.mark.parametrize("phone", parametrize_mostly_in_proof([False, True], True))
def test_every_hint_points_and_a_wrong_try_is_answered_on_the_board(sit: Sit, phone: bool) -> None:
    player = sit(phone=phone).set_name_by_request()
    page = player.page
    one = next(one for one in puzzles.load_puzzles_by_id("survive").values() if one.goal == "arrive")
    player.go(f"/puzzle/survive/{one.id}")
    expect(page.get_by_test_id("try")).to_be_disabled()
    expect(page.locator(".banner .goal")).to_have_text(goal_of("survive", one))
    expect(page.locator(".puzzle .said")).to_have_text("One choice does it.")
    for kind in ("where", "which", "to"):
        page.keyboard.press("h")
        expect(page.locator(f"[data-testid=spot][data-kind={kind}]")).to_be_visible()
        expect(page.locator(".bubble p")).not_to_be_empty()
        assert findings(page) == []
    if not phone:
        page.get_by_role("button", name="Show again: Which piece").click()
        expect(page.locator("[data-testid=spot][data-kind=which]")).to_be_visible()
    page.keyboard.press("u")
    expect(page.locator(".bubble")).to_have_count(0)
    bought = next(one for one in puzzles.load_puzzles_by_id("atlantis").values() if one.solution.startswith("buy "))
    player.go(f"/puzzle/atlantis/{bought.id}")  # its tiles are in the sheet, on a phone out of sight
    expect(page.get_by_test_id("try")).to_be_disabled()
    for kind in ("where", "which", "to"):
        page.keyboard.press("h")
        expect(page.locator(f"[data-testid=spot][data-kind={kind}]")).to_be_visible()


def test_a_puzzle_is_solved_and_a_hint_says_why(sit: Sit) -> None:
    player = sit(phone=True).set_name_by_request()
    page = player.page
    visits = [one for one in puzzles.load_puzzles_by_id(GAME).values() if one.solution[0] == one.next_best[0] == "d"]
    one = next(one for one in visits if one.theme == "visit")
    solution, near = (
        puzzles.get_puzzle_and_position(GAME, one.id)[1].parse(text) for text in (one.solution, one.next_best)
    )

    def attempt(action: int) -> None:
        page.locator(f"button[data-space={SECTORS[action]}][data-choice]").first.click()
        page.locator(f".btn[data-choice='{action}']").click()
        page.get_by_test_id("try").click()

    player.go(f"/puzzle/{GAME}/{one.id}")
    expect(page.get_by_test_id("try")).to_be_disabled()
    attempt(near)
    expect(page.locator(".bubble")).to_contain_text("Not yet")
    expect(page.locator(".bubble")).to_contain_text(translate("en", "puzzle.less"))
    expect(page.locator("[data-testid=spot][data-kind=wrong]")).to_be_visible()
    expect(page.locator(f"button[data-space={SECTORS[solution]}][data-choice]").first).to_be_visible()  # taken back
    for kind in ("where", "which", "to"):
        page.get_by_role("button", name="Hint", exact=True).click()
        expect(page.locator(f"[data-testid=spot][data-kind={kind}]")).to_be_visible()
    attempt(solution)
    end = page.get_by_test_id("solved")
    expect(end).to_contain_text("Solved with 3 hints")
    expect(end.locator("li").last).to_contain_text("Next best")
    assert findings(page) == []
    player.go(f"/puzzles/{GAME}")
    page.locator(".filters").get_by_role("combobox", name="Theme").select_option("visit")
    expect(page.locator(f"a.card[href='/puzzle/{GAME}/{one.id}']")).to_have_attribute("data-state", "solved")
    mine = page.get_by_test_id("rating")
    expect(mine).to_contain_text(re.compile(r"^(1\d|2[0-4])$"))  # below a newcomer's 25

    bought = next(one for one in puzzles.load_puzzles_by_id("atlantis").values() if one.solution.startswith("buy "))
    player.go(f"/puzzle/atlantis/{bought.id}")  # its button gathers what was picked before it is a choice
    face = bought.solution.removeprefix("buy ")
    page.locator(".sheet .grab").click()  # the tiles are in the pulled-up sheet
    page.locator(f".cts button.ct[data-tile='{face}']").first.click()
    expect(page.locator(".acts .btn")).to_have_text(["Hint", "Undo", "Try it"])  # the game asks by the same button
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_test_id("try")).to_have_text("Choose a figure")
    page.locator(f".cts button.ct[data-tile='{face}']").first.click()
    page.get_by_test_id("try").click()
    expect(end).to_contain_text("Solved on the first try")
    expect(end.locator(".gains")).to_contain_text(re.compile(r"Rating \+\d"))

    match = Match(GAME, players=3, seed=5)  # its first visit has several that are about as good
    player.opened(match.record(), match.actor)
    player.wait()
    page.get_by_role("button", name="Hint", exact=True).click()
    hint = page.locator("section.hint")
    expect(hint.locator("p")).not_to_be_empty()
    expect(hint.get_by_role("button", name="Do it")).to_be_visible()
    named = hint.locator("b").inner_text()
    hint.get_by_role("button", name="Other ideas").click()
    expect(hint.locator("b")).not_to_have_text(named)
    for _ in range(3):
        if "worth a thought" in hint.locator("p").inner_text():
            break
        hint.get_by_role("button", name="Other ideas").click()
    expect(hint.locator("p")).to_contain_text("worth a thought")
    expect(hint.locator("b")).to_have_text(named)
