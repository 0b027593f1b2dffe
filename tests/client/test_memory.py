"""Two worlds in a real browser: what a page keeps after a played match is what one keeps who has just come."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

import landfall
from landfall.games.survive.rules.message_types import View
from tests.client.atlandice_player import City
from tests.client.conftest import Sit
from tests.client.match_records import random_match_until
from tests.client.page_player import Player
from tests.client.page_state_comparison import find_differences, find_lasting_differences, new_browser_of_same_person
from tests.client.survive_player import Decisions

pytestmark = pytest.mark.once
TOUCHES = 14
BETWEEN, MOMENTS = 8, 6  # touches between two moments of a match that are compared, and how many at most
PLAYERS: dict[str, Callable[[Player], Callable[[], None]]] = {
    "survive": lambda player: Decisions(player).step,
    "atlandice": lambda player: City(player).step,
}
SETTINGS = "localStorage['landfall.settings']"
# A client that does not listen when something is told again: it keeps for ever what it was told once.
DEAF = """
const Plain = WebSocket
window.WebSocket = class extends Plain {
  addEventListener(kind, hear) {
    if (kind !== 'message') return super.addEventListener(kind, hear)
    super.addEventListener(kind, ({ data }) => {
      const { again, ...news } = JSON.parse(data)
      hear(new MessageEvent('message', { data: JSON.stringify(news) }))
    })
  }
  set onmessage(hear) { this.addEventListener('message', hear) }
}
"""


def last_to_place(match: landfall.Match) -> bool:
    """Whether somebody puts their last explorer on the island, after which nobody reads its value any more."""
    if match.actor < 0 or not match.state.is_setup():
        return False
    left = cast("View", match.state.view(match.actor)).get("to_place") or {}
    return any(len(values) == 1 for values in left.values())


def at_rest(player: Player) -> Page:
    """Its page, when nothing moves, nothing is chosen and no card is shown for a while only."""
    player.wait()
    for _ in range(2):
        player.page.keyboard.press("Escape")
    player.until(lambda: player.page.locator("[data-area=reveal] > *").count() == 0)
    return player.page


def come(context: BrowserContext, player: Player, table: str) -> Player:
    """The same person at the same table, in a browser that has never been there."""
    fresh = Player(context.new_page(), player.errors, player.url, phone=False)
    fresh.go(f"/t/{table}")
    at_rest(fresh)
    return fresh


@pytest.mark.proof
def test_a_page_keeps_what_a_newcomer_receives_and_nothing_else(browser: Browser, sit: Sit) -> None:
    """SV.U5: values placed, tiles kept in hand; and a page that does not forget is found, by all that it keeps."""
    match = random_match_until("survive", 2, last_to_place)
    ana = sit(speed="fast").set_name_by_request()
    table = ana.opened(match.record(), match.actor)
    deaf = Player(ana.page.context.new_page(), ana.errors, ana.url, phone=False)
    deaf.page.add_init_script(DEAF)
    deaf.go(f"/t/{table}")
    deaf.wait()
    assert not ana.play(Decisions(ana).step, TOUCHES)
    page = at_rest(ana)
    with new_browser_of_same_person(browser, ana, page.evaluate(SETTINGS)) as context:
        fresh = come(context, ana, table)
        assert find_lasting_differences(page, fresh.page) == []
        found = find_differences(at_rest(deaf), fresh.page)
        assert any(one.startswith("shown: ") and {"you", "can", "see"} <= set(one.split()) for one in found)
        assert any(one.startswith("remembered: ") and '"value"' in one for one in found)
        page.evaluate("localStorage['landfall.diary'] = '4'")
        assert any(one.startswith("stored: ") for one in find_differences(page, fresh.page))


@pytest.mark.proof
@pytest.mark.parametrize("game", sorted(PLAYERS))
def test_so_it_is_at_every_moment_of_a_match(browser: Browser, sit: Sit, game: str) -> None:
    ana = sit(speed="fast").set_name_by_request()
    table = ana.open_quick_table(game, 3)
    step, compared = PLAYERS[game](ana), 0
    while not ana.play(step, BETWEEN) and compared < MOMENTS:
        page = at_rest(ana)
        if ana.over():
            break
        with new_browser_of_same_person(browser, ana, page.evaluate(SETTINGS)) as context:
            assert find_lasting_differences(page, come(context, ana, table).page) == [], f"moment {compared} of {game}"
        compared += 1
    assert compared > 2
