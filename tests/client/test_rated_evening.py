"""An evening of rated play by clicks: two and four browsers meet from the lobby, play to the end, see what openskill
makes of it, look at each other's pages, and play again."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from openskill.models import PlackettLuce
from playwright.sync_api import expect

from tests.client.atlandice_player import City
from tests.client.conftest import Sit
from tests.client.test_club import register
from tests.client.test_matchmaking import LONG_MS

pytestmark = [pytest.mark.once, pytest.mark.proof]
SIZES = ("2", "3", "4")
MOST_STEPS = 3_000


def expected_ratings(places: list[int]) -> list[int]:
    """Newcomers' ratings after a match, as shown: openskill's own numbers."""
    model = PlackettLuce()
    after = model.rate([[model.rating()] for _ in places], ranks=[float(place) for place in places])
    return [round(1000 + 20 * team[0].mu) for team in after]


@pytest.mark.parametrize("size", [2, 4])
def test_a_rated_evening(sit: Sit, size: int) -> None:
    pictures = os.environ.get("LANDFALL_PICTURES")
    players = [sit(phone=seat % 2 == 1) for seat in range(size)]
    names = [f"Evening {size} {letter}" for letter in "ABCD"[:size]]

    def take(what: str) -> None:
        for seat, one in enumerate(players):
            if pictures:
                one.page.screenshot(path=Path(pictures) / f"evening-{size}-{what}-{seat}.png")

    for one, name in zip(players, names, strict=True):
        register(one.page, name)
        one.go("/watch").page.get_by_role("link", name="Find an opponent").click()
        page = one.page
        page.wait_for_url(re.compile("/pair"))
        expect(page.get_by_test_id("pair")).to_be_visible(timeout=LONG_MS)
        for title in ("Atlandice", "Survive", "Atlantis"):
            page.get_by_role("checkbox", name=re.compile(f"^{title}")).set_checked(title == "Atlandice", force=True)
        for other in SIZES:
            page.get_by_label(other, exact=True).set_checked(other == str(size))
        page.get_by_role("radio", name=re.compile("^Rated")).check()
        page.get_by_role("switch", name=re.compile("^Bots sit down")).uncheck(force=True)
        take("pair")
        page.get_by_role("button", name="Find a table").click()
    for one in players:
        one.page.wait_for_url(re.compile("/t/"), timeout=LONG_MS)
    assert len({one.page.url for one in players}) == 1
    for one in players:
        expect(one.page.get_by_role("region", name="Turn")).to_be_visible()
    take("begun")
    table = players[0].page.url.rpartition("/")[2]
    cities = [City(one) for one in players]
    for _ in range(MOST_STEPS):
        if all(one.over() for one in players):
            break
        for one, city in zip(players, cities, strict=True):
            if one.asked() and not one.over():
                city.step()
        players[0].page.wait_for_timeout(20)
    assert all(one.over() for one in players)
    take("end")
    shown = players[0].page.request.get(f"/api/tables/{table}").json()["table"]
    assert {chair["name"] for chair in shown["chairs"]} == set(names)
    rows = shown["ratings"]
    expected = expected_ratings([row["place"] for row in rows])
    assert [row["after"]["rating"] for row in rows] == expected
    assert [row["before"]["rating"] for row in rows] == [1500] * size
    for one in players:
        said = one.page.get_by_test_id("ratings")
        for chair, rating in zip(shown["chairs"], expected, strict=True):
            line = said.locator("li").filter(has_text=chair["name"])
            expect(line).to_contain_text(re.compile(f"{rating:,}".replace(",", "[, \u202f]?")))
    first = players[0]
    first.page.get_by_role("button", name="Rematch").first.click()
    first.page.wait_for_url(lambda url: "/t/" in url and table not in url)
    for one in players[1:]:
        one.page.get_by_role("button", name="Join the rematch").first.click()
        one.page.wait_for_url(first.page.url)
    first.page.get_by_role("button", name="Start").click()
    for one in players:
        expect(one.page.get_by_role("region", name="Turn")).to_be_visible()
    take("rematch")
    for seat, one in enumerate(players):
        mine = names[seat]
        rating = next(e for chair, e in zip(shown["chairs"], expected, strict=True) if chair["name"] == mine)
        one.go(f"/player/{mine.replace(' ', '%20')}")
        expect(one.page.get_by_test_id("rated-match")).to_contain_text(names[(seat + 1) % size])
        expect(one.page.get_by_text("provisional").first).to_be_visible()
        expect(one.page.get_by_text(re.compile(f"{rating:,}".replace(",", "[, \u202f]?"))).first).to_be_visible()
    take("player")
