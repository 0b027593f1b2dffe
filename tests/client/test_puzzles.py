"""A puzzle in a real browser: found by its theme, tried wrongly, hinted at, solved, kept; and a hint at a table."""

import re

from playwright.sync_api import expect

from landfall.core.texts import translate
from landfall.match import Match
from landfall.tables.teaching import puzzles
from tests.client.conftest import Sit

GAME = "atlandice"


def test_a_puzzle_is_solved_and_a_hint_says_why(sit: Sit) -> None:
    player = sit(phone=True).be()
    page = player.page
    visits = [one for one in puzzles.load_puzzles(GAME).values() if one.solution[0] == one.next_best[0] == "d"]
    one = next(one for one in visits if one.theme == "visit")
    solution, near = (puzzles.find_puzzle(GAME, one.id)[1].parse(text) for text in (one.solution, one.next_best))
    sectors = ["jeweller", "library", "inn", "workshop", "forge", "black_market"]

    def attempt(action: int) -> None:
        page.locator(f"button[data-space={sectors[action]}][data-choice]").first.click()
        page.locator(f".btn[data-choice='{action}']").click()
        page.get_by_test_id("try").click()

    player.go(f"/puzzles/{GAME}")
    page.get_by_role("combobox", name="Theme").select_option("visit")
    page.locator(f"a[href='/puzzle/{GAME}/{one.id}']").first.click()
    card = page.locator(".puzzle")
    expect(page.get_by_test_id("try")).to_be_disabled()
    attempt(near)
    expect(card).to_contain_text(translate("en", "puzzle.next", {"n": puzzles.to_percent(one.margin)}))
    expect(page.locator(f"button[data-space={sectors[solution]}][data-choice]").first).to_be_visible()  # taken back
    for step in ("Where to look", "Where it begins", "What it gains"):
        card.get_by_role("button", name=step).click()
    expect(card.locator(".told")).to_have_count(3)
    attempt(solution)
    expect(card).to_contain_text("Solved at try 2")
    expect(card.locator(".because li").last).to_contain_text("Chance to win")
    player.go(f"/puzzles/{GAME}")
    expect(page.locator(f"a[href='/puzzle/{GAME}/{one.id}']").last).to_contain_text("Solved at try 2")
    mine = page.get_by_test_id("rating")
    expect(mine).to_contain_text(re.compile(r"Your rating: (1\d|2[0-4]) ± 16"))  # below a newcomer's 25, and unsure

    bought = next(one for one in puzzles.load_puzzles("atlantis").values() if one.solution.startswith("buy "))
    player.go(f"/puzzle/atlantis/{bought.id}")  # its button gathers what was picked before it is a choice
    page.get_by_role("button", name="Buy cards").first.click()
    face = bought.solution.removeprefix("buy ")
    page.locator(f"button[data-tile='{face}']").first.click()
    page.locator(".acts .btn[data-choice]").last.click()
    page.get_by_test_id("try").click()
    expect(card).to_contain_text("Solved at the first try")
    expect(mine).to_contain_text(re.compile(r"Your rating: 2\d ± 15"))

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
