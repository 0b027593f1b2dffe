"""Survive's board in the browser: whole matches by clicks, keys and touch; dragging, several meanings, why not."""

from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import expect

import landfall
from landfall.core.state import list_choices_one_by_one
from landfall.games.survive.rules.board import APART, BY_NAME, NEXT, SPACES
from landfall.games.survive.state import SurviveState
from tests.client.conftest import Sit
from tests.client.match_records import WHOLE_OR_ENDING, random_match_until, record_before_choice
from tests.client.page_player import Player
from tests.client.survive_player import Decisions

pytestmark = pytest.mark.once

STOPS = "() => document.querySelectorAll('.cells [data-choice], .piece.pick').length"
MIDDLES = """(selector) => [...document.querySelectorAll(selector)].map(e => [e, e.getBoundingClientRect()])
  .map(([e, b]) => [e.closest('[data-piece], [data-space]').dataset, b.x + b.width / 2, b.y + b.height * 0.6])
  .map(([data, x, y]) => [data.piece ?? data.space, x, y])"""


def ended(player: Player) -> None:
    expect(player.page.get_by_test_id("end")).to_be_visible()


def test_from_the_home_page_to_placements_of_ones_own(sit: Sit) -> None:
    decisions = Decisions(sit().play_now_from_home("Survive"))
    while decisions.done["place"] <= 4:
        assert not decisions.player.play(decisions.step, 1), f"over already: {decisions.done}"
    decisions.player.wait()
    assert decisions.player.asked()


@pytest.mark.proof
def test_from_the_home_page_to_the_score(sit: Sit) -> None:
    decisions = Decisions(sit().play_now_from_home("Survive"))
    decisions.game()
    ended(decisions.player)
    assert decisions.done["place"] > 20


@WHOLE_OR_ENDING
def test_a_match_by_touch(sit: Sit, after: float) -> None:
    ana = sit(phone=True).set_name_by_request()
    ana.begin("survive", 4, after)
    Decisions(ana).game(600)
    ended(ana)


@WHOLE_OR_ENDING
def test_a_match_by_keyboard(sit: Sit, after: float) -> None:
    ana = sit().set_name_by_request()
    ana.begin("survive", 4, after)
    page = ana.page
    for _ in range(600):
        ana.wait()
        if ana.over():
            break
        if page.locator("[role=menu]").count():
            page.keyboard.press("Enter")
        elif page.locator(".ask[role=alert]").count():
            page.locator(".ask[role=alert] .btn.primary").first.focus()
            page.keyboard.press("Enter")
        elif page.evaluate(STOPS) and ana.rng.random() < 0.85:
            page.locator(".cells [tabindex='0']").focus()
            for _ in range(ana.rng.randint(1, 4)):
                page.keyboard.press("n")
            page.keyboard.press("Enter")
        else:
            offered = page.locator(".acts [data-choice], [data-area=hand] [data-choice]:not([disabled])")
            if offered.count():
                offered.nth(ana.rng.randrange(offered.count())).focus()
                page.keyboard.press("Enter")
        page.wait_for_timeout(15)
    ended(ana)


def test_arrows_walk_over_the_spaces(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    ana.open_quick_table("survive", 3)
    ana.wait()
    page = ana.page
    page.locator(".cells [data-space=G6]").focus()
    ways = {"ArrowRight": "G7", "q": "F7", "a": "F6", "x": "G6", "ArrowUp": "F6", "ArrowDown": "G6"}
    for key, space in ways.items():
        page.keyboard.press(key)
        expect(page.locator(f".cells [data-space={space}]")).to_be_focused()
    name = page.locator(".cells [data-space=G6]").get_attribute("aria-label") or ""
    assert "G6" in name
    assert "serpent" in name


def version_of(player: Player, table: str) -> int:
    """How far a table's match has come."""
    with player.http() as http:
        return int(http.get(f"/api/tables/{table}").json()["version"])


def test_a_piece_is_dragged_and_a_far_place_says_why(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    record, seat = record_before_choice("survive", 3, "walk")
    table = ana.opened(record, seat)
    ana.wait()
    page = ana.page
    pieces = [one for one in page.evaluate(MIDDLES, ".piece.pick[data-piece] use") if " " not in one[0]]
    piece, x, y = pieces[0]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 14, y + 8, steps=3)
    targets = page.evaluate(MIDDLES, ".cells [data-choice]")
    assert targets, f"{piece} may go nowhere"
    before_it = version_of(ana, table)
    page.mouse.move(targets[0][1], targets[0][2], steps=4)
    page.mouse.up()
    ana.until(lambda: page.locator(".ask[role=alert]").count() or version_of(ana, table) > before_it)
    if page.locator(".ask[role=alert]").count():
        page.locator(".ask[role=alert] .btn.primary").click()
    ana.until(lambda: version_of(ana, table) > before_it)
    ana.wait()
    piece, x, y = next(one for one in page.evaluate(MIDDLES, ".piece.pick[data-piece] use") if " " not in one[0])
    page.mouse.click(x, y)
    if not page.locator(".arrow").count():  # it was chosen already, and is let go by the touch
        page.mouse.click(x, y)
    far = page.evaluate(MIDDLES, ".cells [data-space=M1], .cells [data-space=A7]")
    page.mouse.click(far[0][1], far[0][2])
    expect(page.get_by_text("Why not?")).to_be_visible()


def miles(state: SurviveState, start: int) -> dict[int, int]:
    """By sea space: how far it is by sea."""
    far = {start: 0}
    for at in (line := [start]):
        for side in range(6):
            beside = int(NEXT[at * 6 + side])
            if beside >= 0 and state.tile[beside] < 0 and beside not in far:
                far[beside] = far[at] + 1
                line.append(beside)
    return far


def detours(match: landfall.Match) -> list[tuple[str, str, int]]:
    """The creature moves that lead round a corner of the island: from, to, how far."""
    assert isinstance(match.state, SurviveState)
    found = []
    for choice in list_choices_one_by_one(match.state, match.actor):
        if choice["verb"] == "move":
            a, b = BY_NAME[str(choice["from"])], BY_NAME[str(choice["to"])]
            steps = miles(match.state, a)[b]
            if steps > APART[a * SPACES + b]:
                found.append((str(choice["from"]), str(choice["to"]), steps))
    return found


def test_a_creatures_way_is_shown_before_it_goes_round_the_island(sit: Sit) -> None:
    match = random_match_until("survive", 3, lambda match: bool(detours(match)))
    start, end, steps = detours(match)[0]
    ana = sit().set_name_by_request()
    ana.opened(match.record(), match.actor)
    ana.wait()
    page = ana.page
    if not page.locator(f".cells [data-choice][data-space={end}]").count():  # several may be moved
        page.locator(f".cells [data-space={start}]").focus()
        page.keyboard.press("Enter")
    expect(page.locator(f".token[data-space={end}] text")).to_have_text(str(steps))
    ((_, x, y),) = page.evaluate(MIDDLES, f".cells [data-space={end}]")
    page.mouse.move(x, y)
    way = (page.locator("[data-route]").get_attribute("data-route") or "").split()
    assert way[0] == start
    assert way[-1] == end
    assert len(way) == steps + 1
    assert isinstance(match.state, SurviveState)
    sea = miles(match.state, BY_NAME[start])
    assert all(BY_NAME[one] in sea for one in way), "creatures keep to the sea"
    assert all(APART[BY_NAME[a] * SPACES + BY_NAME[b]] == 1 for a, b in pairwise(way))
