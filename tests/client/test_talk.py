"""What people say to each other: bubbles, emotes, proposals on a phone, the way to a seat, and a menu that offers
somebody alone nothing for company."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.client.conftest import Sit
from tests.client.match_records import random_match_record
from tests.client.overlap_measurement import Wire
from tests.client.test_table import made, ordered, together

pytestmark = pytest.mark.once
CORAL = "button.primary:visible, a.primary:visible"
# Letters that a system draws as pictures, in what is shown and in what is read out.
EMOJI = """() => [...document.querySelectorAll('body, body *')].flatMap((one) =>
  [one.getAttribute('aria-label'), one.title,
   ...[...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data)])
  .filter((text) => /\\p{Emoji_Presentation}/u.test(text ?? ''))"""

# Say something as another client of the page's person would.
SAY = """([table, text]) => new Promise((done) => {
  const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/ws/tables/${table}`)
  socket.onopen = () => socket.send(JSON.stringify({ t: 'say', text }))
  socket.onmessage = (message) => {
    if (JSON.parse(message.data).t !== 'chat') return
    socket.close()
    done()
  }
})"""


def open_chat(page: Page) -> None:
    """The chat in a phone's sheet."""
    page.get_by_role("button", name="Pull the panel up").click()
    page.get_by_role("tab", name="Chat").click()


def test_what_somebody_says_stands_at_their_chip(sit: Sit) -> None:
    ana, iva = sit(phone=True), sit(phone=True)
    together(ana, iva)  # Ana is to choose
    open_chat(ana.page)
    ana.page.get_by_label("Message to everyone").fill("Good luck, both of you!")
    ana.page.get_by_role("button", name="Send").click()
    bubble = iva.page.get_by_test_id("bubble")
    expect(bubble).to_contain_text("Good luck, both of you!")
    box, chip = bubble.bounding_box(), iva.page.locator("[data-seat='0']").first.bounding_box()
    assert box is not None
    assert chip is not None
    assert box["y"] + box["height"] <= chip["y"] + 1, "it stands above the chip"
    assert box["x"] <= chip["x"] + chip["width"] / 2 <= box["x"] + box["width"], "and points at it"
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390

    ana.page.get_by_role("button", name="Emotes").click()
    ana.page.get_by_role("button", name="Land ahoy").click()
    expect(bubble.locator("use[href='#emote-ahoy']")).to_have_count(1)
    number = iva.page.locator("[data-seat='0']").get_by_test_id("unread")
    expect(number).to_have_text("2")
    expect(bubble).to_have_count(0)  # after some seconds
    expect(number).to_have_text("2")
    open_chat(iva.page)
    expect(number).to_have_count(0)
    expect(iva.page.get_by_role("log").get_by_role("img", name="Land ahoy")).to_be_visible()
    assert iva.page.evaluate(EMOJI) == []

    iva.page.get_by_label("Message to everyone").fill("Thanks")
    iva.page.get_by_role("button", name="Send").click()
    expect(ana.page.get_by_role("log")).to_contain_text("Thanks")
    ana.page.get_by_role("button", name="Pull the panel down").click()
    expect(ana.page.get_by_role("log")).to_have_count(0)
    iva.page.get_by_label("Message to everyone").fill("Your turn")
    iva.page.get_by_role("button", name="Send").click()
    expect(ana.page.locator("[data-seat='1']").get_by_test_id("unread")).to_have_text("1")
    expect(ana.page.get_by_test_id("bubble")).to_have_count(0)  # she has to choose


def test_there_are_twelve_emotes_three_at_a_time_and_old_marks_are_shown_as_the_nearest(sit: Sit) -> None:
    ana, iva = sit(), sit()
    table = together(ana, iva)
    for text in (":well:", "😱", "🐙"):
        ana.page.evaluate(SAY, [table, text])
    iva.page.get_by_role("button", name=re.compile("^Chat")).click()
    said = iva.page.get_by_role("log")
    for name in ("Well played", "Oh no"):
        expect(said.get_by_role("img", name=name)).to_be_visible()
    expect(said).to_contain_text("🐙")
    iva.page.get_by_role("button", name="Emotes").click()
    tray = iva.page.get_by_role("group", name="Emotes")
    expect(tray.get_by_role("button")).to_have_count(12)
    for _ in range(4):
        tray.get_by_role("button", name="Ha ha").click()
    expect(said.get_by_role("img", name="Ha ha")).to_have_count(3)
    expect(iva.page.get_by_role("alert")).to_be_visible()
    expect(tray).to_be_visible()


@pytest.mark.parametrize("language", ["en", "bg"])
def test_a_proposal_fits_a_phone(sit: Sit, language: str) -> None:
    ana, iva = sit(), sit(phone=True, language=language)
    table = together(ana, iva)
    ordered(ana.page, table, {"t": "propose", "what": "pause"})
    card = iva.page.get_by_test_id("proposal")
    expect(card.get_by_role("button")).to_have_count(2)
    outer = card.bounding_box()
    no, yes = (one.bounding_box() for one in card.get_by_role("button").all())
    assert outer is not None
    assert no is not None
    assert yes is not None
    assert abs(no["y"] - yes["y"]) < 1, "both answers stand in one row"
    assert outer["x"] >= 0
    assert outer["x"] + outer["width"] <= 390
    assert yes["x"] + yes["width"] <= outer["x"] + outer["width"]
    assert outer["height"] <= 112


@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desk"])
def test_after_a_match_one_button_is_coral(sit: Sit, phone: bool) -> None:
    ana, wire = sit(phone=phone).set_name_by_request("Ana"), Wire(None)
    page, coral = ana.page, ana.page.locator(CORAL)
    page.route_web_socket("**/ws/tables/**", wire.join)
    ana.opened(random_match_record("atlantis", 2), 0)
    expect(coral).to_have_text("Rematch")
    page.get_by_role("button", name="See the board").click()
    expect(coral).to_have_text("See the result")
    # The other one wants a rematch; Ana had run out of time.
    table = wire.welcome["table"]
    table["chairs"][0]["away"] = "time"
    wire.send_server_message(**{**table, "t": "table", "successor": "next", "successor_by": 1})
    expect(coral).to_have_text("Join the rematch")
    page.get_by_role("button", name="See the result").click()
    expect(coral).to_have_text("Join the rematch")


def test_sitting_down_is_what_an_invited_player_is_asked_for(sit: Sit) -> None:
    ana, iva = sit().set_name_by_request("Ana"), sit(phone=True)
    table = made(ana, game="survive", players=4)
    page = iva.go(f"/t/{table}").page
    seats = page.get_by_role("button", name="Sit here")
    expect(seats).to_have_count(3)
    expect(page.locator(CORAL)).to_have_count(1)
    expect(page.locator(CORAL)).to_have_text("Sit here")
    expect(page.get_by_role("button", name="Invite")).to_have_count(0)
    host = ana.go(f"/t/{table}").page
    local = host.get_by_role("note")
    expect(local).to_contain_text("opens only on this computer")
    expect(local).not_to_contain_text("landfall serve")


def test_alone_with_bots_the_menu_needs_nobody(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    ana.open_quick_table("atlandice", 2)
    ana.wait()
    ana.page.get_by_role("button", name="Menu").click()
    menu = ana.page.get_by_role("dialog")
    expect(menu.get_by_role("button", name=re.compile("Resign"))).to_be_visible()
    for name in ("takeback", "pause", "Propose", "Leave the table", "Close the table", "Copy", "Quiet"):
        expect(menu.get_by_role("button", name=re.compile(name, re.IGNORECASE))).to_have_count(0)
    expect(menu.get_by_role("img")).to_have_count(0)  # no code to be scanned
    ana.page.keyboard.press("Escape")


def test_in_company_the_menu_has_it_all(sit: Sit) -> None:
    ana, iva = sit(), sit()
    together(ana, iva)
    ana.page.get_by_role("button", name="Menu").click()
    menu = ana.page.get_by_role("dialog")
    for name in ("takeback", "Propose a pause", "Leave the table", "Close the table"):
        expect(menu.get_by_role("button", name=re.compile(name))).to_be_visible()
    expect(menu.get_by_role("switch", name=re.compile("Quiet table"))).to_be_attached()
