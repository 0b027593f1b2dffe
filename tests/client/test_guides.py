"""Guides in a real browser: begun, read, put away, found again, played to their end; never over the board."""

import re

import pytest
from playwright.sync_api import Route, expect

from landfall import guides
from landfall.core.languages import LANGUAGES
from landfall.games import BUILT_IN_GAMES
from tests.client.conftest import Sit
from tests.client.guide_player import COACH, Walk

ALL = [(game, guide["id"]) for game in BUILT_IN_GAMES for guide in guides.load_guide_book(game)["guides"]]


def test_a_guide_is_followed_put_away_and_found_again(sit: Sit) -> None:
    player = sit(phone=True)
    walk = Walk(player, "atlandice", "first")
    page, coach = walk.page, walk.page.locator(COACH)
    assert walk.lesson() == "goal"
    expect(coach.get_by_role("link")).to_have_attribute("href", "/learn/atlandice#AD.E2")
    coach.get_by_role("button", name="Got it").click()
    expect(coach).to_have_attribute("data-lesson", "gates")
    coach.get_by_role("button", name="Leave").click()
    expect(coach).to_contain_text("Your match is saved")
    coach.get_by_role("button", name="Stay").click()
    coach.get_by_role("button", name="Skip the guide").click()
    expect(coach).to_have_count(0)
    page.reload()  # the game is kept, and so is what was read
    page.get_by_role("button", name="1 of 14 lessons").click()
    expect(coach).to_have_attribute("data-lesson", "gates")
    coach.get_by_role("button", name="Got it").click()
    expect(coach).to_have_attribute("data-lesson", "visit")  # it waits for a die
    expect(coach.get_by_role("button", name="Got it")).to_have_count(0)
    player.press("button[data-space=library][data-choice]")
    player.press(".btn[data-choice]")
    expect(page.locator(f"{COACH}[data-lesson=effect]")).to_be_visible()
    walk.look("effect")
    assert walk.covered == {}


def test_who_leaves_before_a_guide_is_there_is_not_called_back(sit: Sit) -> None:
    ana = sit().go("/learn")
    page = ana.page
    waiting: list[Route] = []
    page.route("**/api/tables/guided", lambda route: waiting.append(route))
    with page.expect_request("**/api/tables/guided"):
        page.evaluate("history.pushState(null, '', '/first/atlandice'); dispatchEvent(new PopStateEvent('popstate'))")
    page.go_back()
    expect(page).to_have_url(re.compile("/learn$"))
    with page.expect_response("**/api/tables/guided"):
        waiting[0].continue_()
    ana.until(lambda: page.evaluate("localStorage.getItem('landfall.guides')?.includes('table')"))  # the game is kept
    expect(page).to_have_url(re.compile("/learn$"))


def test_a_rule_shows_a_position_that_says_why_not(sit: Sit) -> None:
    page = sit().go("/learn/atlandice#AD.V1").page
    figure = page.frame_locator("iframe[src*='AD.V1']")
    figure.locator("button[data-space=library]").click(force=True)  # no die lies there
    link = figure.get_by_role("status").get_by_role("link")
    expect(link).to_have_attribute("href", "/learn/atlandice#AD.V1")
    expect(link).to_have_attribute("target", "_top")


@pytest.mark.proof
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desk"])
@pytest.mark.parametrize(("game", "guide"), ALL, ids=[f"{game}-{guide}" for game, guide in ALL])
def test_every_guide_is_played_to_its_end(sit: Sit, game: str, guide: str, phone: bool, language: str) -> None:
    walk = Walk(sit(phone=phone, language=language), game, guide)
    assert walk.play_to_the_end()
    found = guides.find_guide(game, guide)
    assert found is not None
    needed = [lesson["id"] for lesson in found["lessons"] if not lesson.get("extra")]
    shown = walk.shown()
    assert [name for name in needed if name not in shown] == []
    missed = [name for name, covered in shown.items() if covered is None]
    assert len(missed) <= 3, missed  # what is seen is looked at; a bot's move may bring the next before that
    assert walk.covered == {name: covered for name, covered in shown.items() if covered} == {}
    said = guides.load_guide_texts(game, language)
    end = walk.page.locator("[data-testid=guide-end]")
    expect(end).to_contain_text(said[f"{guide}.sum"])
    for rule in found["rest"]:
        expect(end).to_contain_text(said[f"{guide}.rest.{rule}"])
