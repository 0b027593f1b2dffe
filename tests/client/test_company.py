"""People at one table: a pause by consent, an owner who mutes and sends away, clocks, sounds."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.client.conftest import Sit
from tests.client.test_table import choose, made, ordered, together, touch

pytestmark = pytest.mark.once

# Counts what is sounded; the sounds themselves are made as ever.
EARS = """
window.landfallSounds = 0
for (const kind of ['createOscillator', 'createBufferSource']) {
  const make = AudioContext.prototype[kind]
  AudioContext.prototype[kind] = function () { window.landfallSounds += 1; return make.call(this) }
}
"""


def test_a_match_rests_when_all_agree_and_anybody_goes_on(sit: Sit) -> None:
    ana, iva = sit(), sit()
    together(ana, iva)
    ana.page.get_by_role("button", name="Menu").click()
    ana.page.get_by_role("button", name="Propose a pause").click()
    iva.page.get_by_role("button", name="Agree").click()
    for one in (ana, iva):
        expect(one.page.get_by_text("The match is paused by agreement.")).to_be_visible()
    iva.page.get_by_role("button", name="Resume").click()
    expect(ana.page.get_by_text("The match is paused by agreement.")).to_have_count(0)
    choose(ana)


def test_the_owner_mutes_and_sends_away_and_a_bot_stands_in(sit: Sit) -> None:
    ana, iva = sit(), sit()
    together(ana, iva)
    choose(ana)
    ana.page.get_by_role("button", name="Menu").click()
    ana.page.get_by_role("button", name="Mute").click()
    expect(ana.page.get_by_role("button", name="Unmute")).to_be_visible()
    iva.page.get_by_role("button", name="Chat").click()
    expect(iva.page.get_by_text("You may not chat at this table.")).to_be_visible()
    ana.page.get_by_role("button", name="Remove").click()
    ana.page.get_by_role("button", name="Are you sure? Tap again").click()
    expect(ana.page.get_by_role("dialog")).to_have_count(0)
    ana.wait()  # the one who is gone was to choose: a bot did
    touch(ana)
    expect(ana.page.locator("[data-testid=log] li").nth(3)).to_be_visible()  # and does so from now on
    expect(iva.page.locator("[data-mine=true]")).to_have_count(0)
    expect(iva.page.get_by_text("The host removed you from this table.")).to_be_visible()


def test_a_rematch_asks_and_who_says_yes_sits_down(sit: Sit) -> None:
    ana, iva = sit(), sit()
    together(ana, iva)
    ana.page.get_by_role("button", name="Menu").click()
    ana.page.get_by_role("button", name="Propose to end it").click()
    iva.page.get_by_role("button", name="Agree").click()
    old = ana.page.url
    ana.page.get_by_role("button", name="Rematch").first.click()
    ana.page.wait_for_url(lambda url: "/t/" in url and url != old)
    expect(ana.page.get_by_role("group", name="A kept seat")).to_be_visible()
    expect(iva.page.get_by_text("Ana wants to play again.").first).to_be_visible()
    iva.page.get_by_role("button", name="Join the rematch").first.click()
    iva.page.wait_for_url(ana.page.url)
    expect(ana.page.get_by_role("group", name="A kept seat")).to_have_count(0)
    ana.page.get_by_role("button", name="Start").click()
    for one in (ana, iva):
        expect(one.page.locator("[data-testid=log]")).to_be_attached()


@pytest.mark.parametrize(
    ("clock", "shown"),
    [({"mode": "days", "days": 3}, r"^2 d 23 h$"), ({"mode": "live", "turn": 90, "bank": 600}, r"^11:")],
)
def test_a_clock_shows_what_is_left(sit: Sit, clock: dict[str, object], shown: str) -> None:
    ana, iva = sit().set_name_by_request("Ana"), sit().set_name_by_request("Iva")
    table = made(ana, game="atlantis", players=2, clock=clock)
    ana.go(f"/t/{table}")
    iva.go(f"/t/{table}")
    ordered(iva.page, table, {"t": "sit", "chair": 1})
    ordered(ana.page, table, {"t": "start"})
    expect(ana.page.get_by_role("timer").first).to_have_text(re.compile(shown))
    expect(iva.page.get_by_role("timer").first).to_have_text(re.compile(shown))


@pytest.mark.parametrize("sound", [True, False])
def test_what_happens_is_heard_if_one_likes(sit: Sit, sound: bool) -> None:
    ana = sit(speed="fast", sound=sound).set_name_by_request()
    ana.page.add_init_script(EARS)
    ana.open_quick_table("survive", 2)
    ana.wait()
    assert ana.page.evaluate("window.landfallSounds") == 0, "nothing sounds before the first touch"
    touch(ana)
    if sound:
        ana.until(lambda: ana.page.evaluate("window.landfallSounds > 0"))
    else:
        expect(ana.page.locator("[data-testid=log] li").nth(1)).to_be_visible()
        assert ana.page.evaluate("window.landfallSounds") == 0
