"""Rated play in the browser: shown in advance, no hints, ratings at the end, pages of players and leaders."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.client.conftest import Sit

pytestmark = pytest.mark.once
PASSWORD = "a long password"
# Makes the first choice whenever asked, until the match is over; one of the two resigns after some choices.
PLAY = """
([table, resigns]) => new Promise((done) => {
  const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/ws/tables/${table}`)
  let version = 0, choices = [], made = 0, seats = []
  const act = () => {
    if (made >= 8 && resigns) socket.send(JSON.stringify({ t: 'resign' }))
    else if (choices.length) {
      const { keys, rows } = choices[0]
      socket.send(JSON.stringify({ t: 'play', version, id: `x${made++}`, action: rows[0][keys.indexOf('action')] }))
      choices = []
    }
  }
  socket.onmessage = (event) => {
    const news = JSON.parse(event.data)
    if (news.t === 'welcome' || news.t === 'update') { version = news.version; choices = news.choices ?? []; act() }
    const table = news.t === 'welcome' ? news.table : news
    if (table.t === 'table' && table.status === 'over') { socket.close(); done(table.ended) }
  }
})
"""


def register(page: Page, name: str) -> None:
    """An account on this browser."""
    answer = page.request.post("/api/account", data={"name": name, "password": PASSWORD})
    assert answer.ok, answer.text()


def test_two_browsers_play_a_rated_match(sit: Sit) -> None:
    ana, boris = sit(), sit()
    ana.go("/new/atlandice")
    counts = ana.page.get_by_test_id("counts").first
    expect(counts).to_contain_text("Needs an account")
    register(ana.page, "Ana Club")
    register(boris.page, "Boris Club")
    body = {"game": "atlandice", "players": 2, "rated": True, "clock": {"mode": "live", "turn": 60, "bank": 600}}
    ana.go("/new/atlandice")
    expect(counts).to_contain_text("Needs a clock")
    table = ana.page.request.post("/api/tables", data={**body, "public": True}).json()["table"]
    boris.go("/watch")
    expect(boris.page.get_by_text("Rated").first).to_be_visible()
    ana.go(f"/t/{table}")
    boris.go(f"/t/{table}")
    for page in (ana.page, boris.page):
        expect(page.get_by_test_id("counts")).to_have_text("Rated")
    boris.page.get_by_role("button", name="Sit here").first.click()
    ana.page.get_by_role("button", name="Start", exact=False).last.click()
    for page in (ana.page, boris.page):
        expect(page.get_by_test_id("counts")).to_have_count(0)
        expect(page.locator("[data-control=hint]")).to_have_count(0)
    boris.page.evaluate(f"void ({PLAY})(['{table}', false])")
    assert ana.page.evaluate(PLAY, [table, True]) == "resigned"
    for page in (ana.page, boris.page):
        ratings = page.get_by_test_id("ratings")
        expect(ratings).to_contain_text("Boris Club")
        expect(ratings).to_contain_text("±")
    expect(ana.page.get_by_test_id("ratings").locator("li").last).to_contain_text("Ana Club")
    ana.go("/player/Ana%20Club")
    expect(ana.page.get_by_test_id("rated-match")).to_contain_text("with Boris Club")
    expect(ana.page.get_by_text("provisional")).to_be_visible()
    expect(ana.page.get_by_role("link", name="Review")).to_be_visible()


def test_your_matches_say_who_played_as_the_table_does(sit: Sit) -> None:
    ana = sit()
    ana.page.request.post("/api/me", data={"name": "Guest Ana"})
    body = {"game": "atlandice", "players": 3, "seating": "drawn", "bots": ["sprat", "marlin"]}
    for _ in range(3):  # whoever begins is drawn
        table = ana.page.request.post("/api/tables/quick", data=body).json()["table"]
        chairs = ana.page.request.get(f"/api/tables/{table}").json()["table"]["chairs"]
        ana.go("/me")
        row = ana.page.get_by_test_id("match").first
        expect(row.locator("li").first).to_have_text("You")
        names = {"sprat": "Sprat", "marlin": "Marlin"}
        for chair in chairs:
            name = names.get(chair.get("bot"), "You")
            item = row.locator("li").filter(has_text=name)
            expect(item.locator(f".p-{chair['colour']}, [class*={chair['colour']}]").first).to_be_attached()


def test_a_players_page_and_the_leaderboard_of_a_newcomer(sit: Sit) -> None:
    ana = sit()
    register(ana.page, "Newcomer Ana")
    ana.go("/me")
    ana.page.get_by_role("link", name="Your player page").click()
    expect(ana.page.get_by_role("heading", name="Newcomer Ana")).to_be_visible()
    expect(ana.page.get_by_text("No rated match yet.")).to_be_visible()
    ana.page.get_by_role("link", name="Leaderboard").first.click()
    expect(ana.page.get_by_text("Sorted by rating minus uncertainty")).to_be_visible()
    expect(ana.page.get_by_text(re.compile("10 more rated matches"))).to_be_visible()
    ana.go("/player/Nobody%20Here")
    expect(ana.page.get_by_role("alert")).to_contain_text("There is no player of that name.")
