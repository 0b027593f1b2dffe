"""Others' turns at a pace one can follow, and what is told of them afterwards, in a real browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.client.atlandice_player import City
from tests.client.atlantis_player import Table
from tests.client.conftest import Sit
from tests.client.match_records import greedy_record_until_first_seat_asked, parametrize_mostly_in_proof
from tests.client.overlap_measurement import LOOK, Found, Wire, send_refusal
from tests.client.page_player import Player
from tests.client.survive_player import Decisions

pytestmark = pytest.mark.once
RECAP, PLAYBACK, PICTURES = "[data-testid=recap]", "[data-testid=playback]", "[data-testid=recap] .picture:not(.more)"
STEPS: dict[str, Callable[[Player], Callable[[], None]]] = {
    "survive": lambda player: Decisions(player).step,
    "atlantis": lambda player: Table(player).step,
    "atlandice": lambda player: City(player).step,
}


def seated(ana: Player, game: str) -> Callable[[], None]:
    """Ana at the beginning of her turn in the middle of a match of three; how she takes a step."""
    ana.opened(greedy_record_until_first_seat_asked(game, 3), 0)
    ana.wait()
    return STEPS[game](ana)


def labels_of(page: Page, place: str) -> list[str]:
    """What a place of Atlantis's path is called, with the figures on it."""
    return [one.get_attribute("aria-label") or "" for one in page.locator(f"[data-space={place}]").all()]


def until_others_play(ana: Player, step: Callable[[], None]) -> None:
    """Take one's turn, until another's actions are shown."""
    playback = ana.page.locator(PLAYBACK)
    for _ in range(80):
        if playback.count():
            return
        if ana.asked():
            step()
        else:
            ana.page.wait_for_timeout(100)
    raise AssertionError("nobody else ever played")


@pytest.mark.parametrize("game", parametrize_mostly_in_proof(["survive", "atlantis", "atlandice"], "atlantis"))
def test_what_others_did_is_shown_skipped_and_told(sit: Sit, game: str) -> None:
    ana = sit(speed="slow", recap=True, recapTables=[]).set_name_by_request()
    page, step = ana.page, seated(ana, game)
    until_others_play(ana, step)
    doing = page.locator("[data-testid=doing]")
    expect(page.locator(".dots .now")).to_have_count(1)
    said = doing.inner_text()
    assert said.strip()
    page.keyboard.press("Space")  # it stands still
    page.wait_for_timeout(2500)
    still = doing.inner_text()
    page.wait_for_timeout(2500)
    assert doing.inner_text() == still
    page.keyboard.press("s")
    ana.wait()
    expect(page.locator(PLAYBACK)).to_have_count(0)
    recap, pictures = page.locator(RECAP), page.locator(PICTURES)
    expect(recap).to_be_visible()
    assert pictures.count() > 0
    # A picture tells its own sentence and its place is ringed; all can be shown again, and skipped again.
    first = pictures.first
    first.click()
    expect(recap.get_by_role("status")).to_have_text(first.get_attribute("title") or "-")
    ana.wait()
    page.locator("[data-control=again]").click()
    page.wait_for_selector(PLAYBACK)
    page.keyboard.press("s")
    ana.wait()
    expect(recap).to_be_visible()
    # The first choice puts it away, a button brings it back.
    step()
    expect(recap).to_have_count(0)


def test_the_board_shows_the_numbers_and_letters_that_the_recap_names(sit: Sit) -> None:
    ana = sit(phone=True, recap=True, recapTables=[]).set_name_by_request()
    page = ana.page
    seated(ana, "atlantis")
    numbers, letters = page.locator("[data-testid=positions] text"), page.locator(".figures .letter")
    expect(page.locator(RECAP)).to_be_visible()
    expect(numbers).to_have_count(53)
    shown = letters.count()
    assert shown
    page.locator("[data-control=fold]").click()
    expect(numbers).to_have_count(0)
    expect(letters).to_have_count(0)
    page.locator(".grab").click()
    page.get_by_role("tab", name="Log").click()
    expect(page.get_by_test_id("log")).to_contain_text(re.compile("figure [ABC]"))
    expect(letters).not_to_have_count(0)


def test_a_figure_that_the_log_names_keeps_its_letter(sit: Sit) -> None:
    """Beside a log that is always in sight the letters stay; those on Atlantis were never named."""
    ana = sit(recap=True, recapTables=[]).set_name_by_request()
    page = ana.page
    seated(ana, "atlantis")
    letters = page.locator(".figures .letter")
    expect(letters).to_have_count(9)
    page.locator("[data-control=fold]").click()
    expect(page.locator(RECAP)).to_have_count(0)
    expect(page.locator("[data-testid=positions] text")).to_have_count(0)
    expect(page.get_by_test_id("log")).to_contain_text(re.compile("figure [ABC]"))
    waiting = sum(len(re.findall("figure [ABC]", label)) for label in labels_of(page, "atlantis"))
    expect(letters).to_have_count(9 - waiting)


@pytest.mark.parametrize(
    ("game", "players", "after"), [("survive", 4, 175), ("atlantis", 4, 110), ("atlandice", 3, 230)]
)
def test_recap_and_log_share_the_column(sit: Sit, game: str, players: int, after: int) -> None:
    # Much has happened: four sentences for Ana in the one match, a district that was emptied in the other.
    ana = sit(recap=True, recapTables=[]).set_name_by_request()
    page = ana.page
    ana.opened(greedy_record_until_first_seat_asked(game, players, 7, after), 0)
    ana.wait()
    recap, log, scoring = page.locator(RECAP), page.locator(".talk .scroll"), page.locator("[data-testid=scoring]")
    expect(recap).to_be_visible()
    expect(scoring).to_have_count(0)
    rows = recap.locator(".rows")
    assert rows.evaluate("rows => rows.scrollHeight - rows.clientHeight") <= 14, "everybody's pictures are in sight"
    for _ in range(2):
        above, below = recap.bounding_box(), log.bounding_box()
        assert above
        assert below
        assert above["y"] + above["height"] <= below["y"]
        assert below["y"] + below["height"] <= 900
        assert below["height"] >= 2 * 28
        rest = recap.locator(".rest")
        if not rest.count():
            break
        rest.click()
        expect(rest).to_have_count(0)
        box = recap.get_by_role("status")
        assert box.evaluate("box => box.scrollHeight - box.clientHeight") <= 1
    page.get_by_role("button", name="Chat").click()
    expect(page.get_by_role("textbox")).to_be_in_viewport(ratio=1)
    expect(recap).to_have_count(0)
    page.locator(".talk [data-control=recap]").click()
    expect(recap).to_be_visible()
    expect(log).to_be_visible()
    if game == "atlandice":
        page.locator("[data-control=fold]").click()
        expect(scoring).to_have_count(1)


@pytest.mark.parametrize(("game", "after"), [("survive", 175), ("atlantis", 110), ("atlandice", 230)])
def test_a_phone_shows_the_pictures_of_all_at_once(sit: Sit, game: str, after: int) -> None:
    ana, wire = sit(phone=True, recap=True, recapTables=[]).set_name_by_request(), Wire(None)
    page = ana.page
    page.route_web_socket("**/ws/tables/**", wire.join)
    ana.opened(greedy_record_until_first_seat_asked(game, 4, 7, after), 0)
    ana.wait()
    recap, notice = page.locator(RECAP), page.locator(".card.toast")
    for told in (False, True):
        if told:
            send_refusal(page, wire)
            expect(notice).to_be_visible()
        expect(recap.locator(".turn")).to_have_count(3)
        expect(recap.locator(".more")).to_have_count(0)
        for picture in page.locator(PICTURES).all():
            expect(picture).to_be_in_viewport(ratio=1)
        page.wait_for_timeout(500)  # the camera comes to rest
        found = Found()
        found.add(game, page.evaluate(LOOK, {"touch": True}))
        assert found.seen == []
        sheet = page.locator(".sheet").bounding_box()
        assert sheet
        assert sheet["height"] <= 0.34 * 844


def test_it_opens_by_itself_at_three_tables_and_then_stays_as_it_was_left(sit: Sit) -> None:
    ana = sit(recap=True, recapTables=[]).set_name_by_request()
    page = ana.page
    for table in range(5):
        seated(ana, "atlantis")
        expect(page.locator(RECAP)).to_have_count(0 if table == 3 else 1)
        kept = json.loads(page.evaluate("localStorage['landfall.settings']"))
        assert len(kept["recapTables"]) == min(table + 1, 3)
        if table in (0, 2):  # closed by hand: at the first tables it opens again
            page.locator("[data-control=fold]").click()
            expect(page.locator(RECAP)).to_have_count(0)
        elif table == 3:
            page.locator("[data-control=recap]").click()
            expect(page.locator(RECAP)).to_have_count(1)
