"""Survive's board fills its stage; one tap boards a ship, and a second token leads into the water; the log is prose."""

from __future__ import annotations

import re
from typing import Any, cast

import pytest
from playwright.sync_api import Page, expect

import landfall
from landfall.core.state import list_choices_one_by_one
from landfall.games.survive.rules.phases import HAND
from landfall.games.survive.state import SurviveState
from tests.client.conftest import Sit
from tests.client.match_records import random_match_until, record_before_choice
from tests.client.page_player import Player

pytestmark = pytest.mark.once
WIDTH = "() => document.querySelector('.cells [data-space=G6]').getBoundingClientRect().width"
# Where what the selector finds covers a space or an isle, by more than a hair.
COVERED = """(selector) => {
  const box = (one) => one.getBoundingClientRect()
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2
  const panels = [...document.querySelectorAll(selector)].map(box).filter((one) => one.width > 4)
  return [...document.querySelectorAll('.cells [data-space]')]
    .filter((cell) => panels.some((panel) => over(box(cell), panel))).map((cell) => cell.dataset.space)
}"""
PANELS = ".banner, .logo, .acts .btn, .dice, .key, .column > *"
# The rows of players: their heights, and how many lines each one's parts stand on.
ROWS = """() => [...document.querySelectorAll('[data-area=players] [data-seat]')].map((row) => {
  const middles = [...row.querySelectorAll('.badge, .name, .line')].map((one) => one.getBoundingClientRect())
    .map((box) => box.top + box.height / 2)
  return [row.offsetHeight, Math.max(...middles) - Math.min(...middles), row.querySelector('.name').textContent]
})"""


def both_ways(match: landfall.Match) -> list[dict[str, Any]]:
    """Choices to board a ship where the same explorer may go into the water instead."""
    choices = list_choices_one_by_one(match.state, match.actor)
    water = {(one["piece"], one["to"]) for one in choices if one["verb"] == "enter_water"}
    return [dict(one) for one in choices if one["verb"] == "embark" and (one["piece"], one["to"]) in water]


def at_a_ship(player: Player) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """A table where somebody may board, with the explorer selected; the choices to board and to swim."""
    match = random_match_until("survive", 4, lambda match: bool(both_ways(match)))
    board = both_ways(match)[0]
    swim = next(
        dict(one)
        for one in list_choices_one_by_one(match.state, match.actor)
        if one["verb"] == "enter_water" and (one["piece"], one["to"]) == (board["piece"], board["to"])
    )
    table = player.opened(match.record(), match.actor)
    player.wait()
    return table, board, swim


def select(player: Player, piece: str) -> None:
    """By a touch of the figure; on a phone the first touch may only bring it nearer."""
    for _ in range(3):
        player.page.wait_for_timeout(500)
        if player.page.locator(".arrow.bobs").count():
            return
        box = player.page.locator(f".piece[data-piece='{piece}']").last.bounding_box()
        assert box
        point(player, box["x"], box["y"] - 9)
        if player.page.locator(f"[role=menu] [data-piece='{piece}']").count():
            player.page.locator(f"[role=menu] [data-piece='{piece}']").click()


def point(player: Player, x: float, y: float) -> None:
    if player.phone:
        player.page.touchscreen.tap(x, y)
    else:
        player.page.mouse.click(x, y)


def played(player: Player, table: str, lines: int, choice: dict[str, Any]) -> None:
    """The choice is in the record, and nothing was asked on the way."""
    expect(player.page.locator("[role=menu]")).to_have_count(0)
    if choice.get("loses"):
        player.page.locator(".ask[role=alert] .btn.primary").click()
    player.until(lambda: any(str(choice["text"]) in line for line in player.log(table)[lines:]))


@pytest.mark.parametrize(
    ("size", "least", "language"),
    [
        ((1440, 900), 72, "en"),
        ((1440, 900), 72, "bg"),
        ((1366, 768), 60, "en"),
        ((1366, 768), 60, "pt"),
        ((1280, 720), 56, "zh"),
        ((1920, 1080), 84, "en"),
    ],
)
def test_the_board_fills_the_stage(sit: Sit, size: tuple[int, int], least: float, language: str) -> None:
    ana = sit(language=language).set_name_by_request()
    page = ana.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    _, board, _ = at_a_ship(ana)
    page.wait_for_timeout(600)
    still = page.locator(".world").get_attribute("style")
    assert page.evaluate(WIDTH) >= least
    select(ana, board["piece"])
    page.wait_for_timeout(600)
    assert page.evaluate(COVERED, PANELS) == []
    assert page.locator(".world").get_attribute("style") == still, "the board moves when a piece is selected"


@pytest.mark.parametrize("phone", [False, True], ids=["mouse", "touch"])
@pytest.mark.parametrize("swims", [False, True], ids=["aboard", "water"])
def test_one_tap_boards_and_the_second_token_swims(sit: Sit, phone: bool, swims: bool) -> None:
    ana = sit(phone=phone).set_name_by_request()
    table, board, swim = at_a_ship(ana)
    lines = len(ana.log(table))
    select(ana, board["piece"])
    ana.page.wait_for_timeout(500)
    choice = swim if swims else board
    token = ana.page.locator(f".token[data-choice='{choice['action']}']")
    expect(token).to_have_count(1)
    assert (token.get_attribute("data-small") is not None) == swims
    box = (token if swims else ana.page.locator(f".cells [data-space='{board['to']}']")).bounding_box()
    assert box
    point(ana, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    played(ana, table, lines, choice)


@pytest.mark.parametrize("swims", [False, True], ids=["Enter", "Shift+Enter"])
def test_keys_board_and_swim(sit: Sit, swims: bool) -> None:
    ana = sit().set_name_by_request()
    table, board, swim = at_a_ship(ana)
    lines = len(ana.log(table))
    select(ana, board["piece"])
    space = ana.page.locator(f".cells [data-space='{board['to']}']")
    ana.until(lambda: "Shift Enter: Into the water" in str(space.get_attribute("aria-label")))
    space.focus()
    ana.page.keyboard.press("Shift+Enter" if swims else "Enter")
    played(ana, table, lines, swim if swims else board)
    ana.until(lambda: "Shift Enter: Into the water" not in str(space.get_attribute("aria-label")))  # it is drawn
    ana.wait()
    expect(ana.page.locator("[data-control=undo]")).to_be_enabled()
    ana.page.keyboard.press("u")
    ana.until(lambda: not any(str((swim if swims else board)["text"]) in line for line in ana.log(table)[lines:]))


def at_a_full_ship(match: landfall.Match) -> list[dict[str, Any]]:
    """Choices to swim to the space of a ship on which nobody else has room."""
    view: dict[str, Any] = dict(match.view(match.actor))
    full = {at for _, at in view["ships"] if len(view["aboard"].get(at, [])) == 3}
    choices = list_choices_one_by_one(match.state, match.actor)
    return [dict(one) for one in choices if one["verb"] == "enter_water" and one["to"] in full]


def test_a_full_ship_says_why_it_cannot_be_boarded(sit: Sit) -> None:
    match = random_match_until("survive", 4, lambda match: bool(at_a_full_ship(match)))
    choice = at_a_full_ship(match)[0]
    ana = sit().set_name_by_request()
    table = ana.opened(match.record(), match.actor)
    ana.wait()
    lines = len(ana.log(table))
    select(ana, choice["piece"])
    space = f"[data-space='{choice['to']}']"
    expect(ana.page.locator(f".token{space}[data-choice='{choice['action']}']")).to_have_attribute("data-token", "swim")
    ana.page.locator(f".token{space}[data-token=why]").click(force=True)
    expect(ana.page.get_by_text("Why not?")).to_be_visible()
    expect(ana.page.get_by_text("SV.S1").first).to_be_visible()
    assert len(ana.log(table)) == lines


@pytest.mark.parametrize("language", ["en", "pt", "zh", "bg"])
@pytest.mark.parametrize("size", [(1440, 900), (1366, 768)])
def test_rows_of_players_are_one_line(sit: Sit, language: str, size: tuple[int, int]) -> None:
    ana = sit(language=language).set_name_by_request("Bartolomeu")
    ana.page.set_viewport_size({"width": size[0], "height": size[1]})
    ana.opened(*record_before_choice("survive", 4, "walk"), level="leviathan")
    ana.wait()
    ana.page.wait_for_timeout(300)
    rows = ana.page.evaluate(ROWS)
    assert len(rows) == 4
    for height, apart, name in rows:
        assert height == (44 if size[1] >= 800 else 40), name
        assert apart < 6, f"{name} and the counts stand on two lines"
    assert {"en": "You", "pt": "Você", "zh": "你", "bg": "Ти"}[language] in [name for _, _, name in rows]


def log_lines(page: Page) -> list[str]:
    return [" ".join(one.split()) for one in page.locator("[data-testid=log] li button").all_inner_texts()]


def test_the_log_tells_places_in_words_and_shows_them(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    ana.opened(*record_before_choice("survive", 4, "sink"))
    ana.wait()
    page = ana.page
    line = page.locator("[data-testid=log] li", has=page.locator(".place")).first
    assert not re.search(r"\b[A-M]\d", line.inner_text()), "names of spaces are shown only on pointing"
    line.locator("button").hover()
    spaces = line.locator(".at").inner_text().split(" → ")
    assert spaces
    expect(page.locator(".mark.pointed")).to_have_count(len(spaces))
    assert any(one.startswith("You ") for one in log_lines(page))


def alone_on_land(match: landfall.Match) -> list[str]:
    """Own explorers on tiles of their own, of whoever is asked for a tile that has nothing to do with them."""
    if cast("SurviveState", match.state).phase != HAND:
        return []
    view: Any = match.view(match.actor)
    meant = {one.get("piece") for one in list_choices_one_by_one(match.state, match.actor)}
    letter = view["seats"][match.actor]["colours"][0][0]
    places = [*view["explorers"].values(), *(one[2] for one in view["creatures"])]
    return [
        one
        for one, place in view["explorers"].items()
        if one[0] == letter and one not in meant and place in view["tiles"] and places.count(place) == 1
    ]


@pytest.mark.parametrize("phone", [False, True])
def test_touching_an_explorer_plays_no_tile_and_moves_it(sit: Sit, phone: bool) -> None:
    """Who is asked for a tile and touches whom to move has answered; it can be undone."""
    match = random_match_until("survive", 3, lambda match: bool(alone_on_land(match)))
    explorer = alone_on_land(match)[0]
    ana = sit(phone=phone).set_name_by_request()
    ana.opened(match.record(), match.actor)
    ana.wait()
    page = ana.page
    now = page.locator(".steps [aria-current=step]")
    expect(now).to_contain_text("Play a tile")
    box = page.locator(f".piece[data-piece='{explorer}']").bounding_box()
    assert box is not None
    point(ana, box["x"], box["y"] - 9)
    expect(now).to_contain_text("Move")
    expect(page.locator(".arrow.bobs")).to_be_visible()
    page.locator("[data-control=undo]").click()
    expect(now).to_contain_text("Play a tile")
