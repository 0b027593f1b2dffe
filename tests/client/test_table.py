"""The table around every board: two browsers in step, cut connections, undo, reasons, chat, languages, replays."""

from __future__ import annotations

import json
import re
from typing import Any, cast

import pytest
from playwright.sync_api import Page, expect

import landfall
from landfall.core.state import list_choices_one_by_one
from landfall.games.survive.rules.message_types import View
from tests.client.conftest import Sit
from tests.client.match_records import random_match_record, record_before_choice
from tests.client.page_player import Player

pytestmark = pytest.mark.once


def ordered(page: Page, table: str, *commands: dict[str, object]) -> None:
    """Tell a table something as the page's person, besides what the page itself says."""
    page.evaluate(
        """async ([table, commands]) => {
            const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/ws/tables/${table}`)
            await new Promise((done) => (socket.onopen = done))
            for (const command of commands) {
                const answered = new Promise((done) => (socket.onmessage = (m) => {
                    const t = JSON.parse(m.data).t
                    if (t === 'done' || t === 'refused' || command.t === 'start') done()
                }))
                socket.send(JSON.stringify(command))
                await answered
            }
            socket.close()
        }""",
        [table, list(commands)],
    )


def made(player: Player, **body: object) -> str:
    answer = player.page.request.post(f"{player.url}/api/tables", data={"seating": "as_sat", **body})
    assert answer.ok, answer.text()
    return str(answer.json()["table"])


def together(ana: Player, iva: Player) -> str:
    """A Survive table of two people, begun; both look at it."""
    ana.set_name_by_request("Ana")
    iva.set_name_by_request("Iva")
    table = made(ana, game="survive", players=2)
    ana.go(f"/t/{table}")
    iva.go(f"/t/{table}")
    ordered(iva.page, table, {"t": "sit", "chair": 1})
    ordered(ana.page, table, {"t": "start"})
    expect(ana.page.locator("[data-mine=true]")).to_be_visible()
    return table


def lines(player: Player) -> int:
    return player.page.locator("[data-testid=log] li").count()


def placed(player: Player) -> list[str]:
    """The figures on the board, each with where it stands."""
    found = player.page.locator(".table [data-piece]").evaluate_all("all => all.map(one => one.dataset.piece)")
    return sorted(set(found))


def touch(player: Player) -> None:
    """One of the spaces that may be chosen; what is drawn over it lets the touch through."""
    spaces = player.page.locator(".table path[data-space][data-choice]")
    spaces.nth(player.rng.randrange(spaces.count())).click(force=True)


def choose(player: Player) -> None:
    """Put an explorer somewhere; the log has one line more then."""
    player.wait()
    count = lines(player)
    touch(player)
    expect(player.page.locator("[data-testid=log] li")).to_have_count(count + 1)


def test_two_browsers_stay_in_step_through_a_reload_and_a_cut(sit: Sit) -> None:
    ana, iva = sit(), sit()
    together(ana, iva)
    choose(ana)
    choose(iva)
    iva.page.reload()
    expect(iva.page.locator("[data-testid=log] li")).to_have_count(2)
    choose(ana)
    ana.page.context.set_offline(True)
    expect(ana.page.get_by_text("No connection.")).to_be_visible()
    choose(iva)  # meanwhile the other one plays on
    ana.page.context.set_offline(False)
    expect(ana.page.get_by_text("No connection.")).to_have_count(0)
    expect(ana.page.locator("[data-testid=log] li")).to_have_count(4)
    # A choice made without a connection arrives once, when there is one again.
    ana.wait()
    ana.page.context.set_offline(True)
    touch(ana)
    expect(ana.page.get_by_text("Your last choice is kept")).to_be_visible()
    ana.page.context.set_offline(False)
    expect(ana.page.locator("[data-testid=log] li")).to_have_count(5)
    expect(iva.page.locator("[data-testid=log] li")).to_have_count(5)
    # A second tab of the same person.
    tab = ana.page.context.new_page()
    tab.goto(ana.page.url)
    expect(tab.locator("[data-testid=log] li")).to_have_count(5)
    choose(iva)
    expect(tab.locator("[data-testid=log] li")).to_have_count(6)
    expect(ana.page.locator("[data-testid=log] li")).to_have_count(6)
    assert placed(ana) == placed(iva)


def test_words_are_marked_until_they_are_read_and_what_is_hidden_calls_nobody(sit: Sit) -> None:
    """Chat, which is never markup; emotes, sent, named in the reader's language; a quiet table; a placement undone."""
    ana, iva = sit(language="bg"), sit()
    together(ana, iva)
    choose(ana)
    ana.page.get_by_role("button", name="Върни").click()
    expect(ana.page.locator("[data-testid=log] li")).to_have_count(0)
    expect(ana.page.locator("[data-mine=true]")).to_be_visible()
    iva.page.get_by_role("button", name="Chat").click()
    iva.page.get_by_label("Message to everyone").fill("<b>hello</b>")
    iva.page.get_by_role("button", name="Send").click()
    chat = ana.page.get_by_role("button", name=re.compile("^Разговор"))
    expect(chat).to_contain_text("1")
    iva.page.get_by_role("button", name="Emotes").click()
    iva.page.get_by_role("button", name="Well played").click()
    expect(chat).to_contain_text("2")
    chat.click()
    said = ana.page.get_by_role("log")
    expect(said).to_contain_text("<b>hello</b>")
    expect(said.get_by_role("img", name="Добра игра")).to_be_visible()
    expect(chat).not_to_contain_text("2")
    ana.page.get_by_role("button", name="Какво стана").click()
    ana.page.get_by_role("button", name="Меню").click()
    ana.page.get_by_role("switch", name=re.compile("Тиха маса")).check(force=True)
    ana.page.keyboard.press("Escape")
    iva.page.get_by_role("button", name="Oh no").click()
    expect(iva.page.get_by_role("log").get_by_role("img", name="Oh no")).to_be_visible()
    expect(chat).not_to_contain_text("1")
    chat.click()
    expect(said).not_to_contain_text("<b>hello</b>")
    expect(said).to_contain_text("Масата е тиха")


def test_undo_takes_back_what_may_be_taken_back(sit: Sit) -> None:
    record, seat = record_before_choice("survive", 2, "walk")
    ana = sit().set_name_by_request()
    ana.opened(record, seat)
    ana.wait()
    page = ana.page
    current = page.locator("[aria-current=step]")
    expect(current).to_contain_text("Move")
    count = lines(ana)
    page.keyboard.press("e")
    expect(current).to_contain_text("Sink")
    page.keyboard.press("u")
    expect(current).to_contain_text("Move")
    expect(page.locator("[data-testid=log] li")).to_have_count(count)
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    page.keyboard.press("u")  # the key still asks the server, and that says why not
    expect(page.get_by_role("status").filter(has_text="Close").or_(page.locator(".card.toast"))).not_to_have_count(0)


def alone(record: str, seat: int, choice: dict[str, Any]) -> bool:
    """Whether the choice's explorer stands where no other does: a touch of the space means it."""
    where = cast("View", landfall.Match.replay(record).state.view(seat))["explorers"]
    return list(where.values()).count(choice["from"]) == 1


def test_a_costly_choice_is_asked_once(sit: Sit) -> None:
    record, seat = record_before_choice(
        "survive", 3, lambda choice: choice["verb"] == "enter_water" and bool(choice.get("loses"))
    )
    costly = [
        c
        for c in list_choices_one_by_one(landfall.Match.replay(record).state, seat)
        if c["verb"] == "enter_water" and c["loses"]
    ]
    one = next(choice for choice in costly if alone(record, seat, choice))
    ana = sit().set_name_by_request()
    ana.opened(record, seat)
    ana.wait()
    page = ana.page
    page.locator(f"[data-space={one['from']}]").click(force=True)
    count = lines(ana)
    target = page.locator(f"[data-choice='{one['action']}']").first
    target.click(force=True)
    question = page.get_by_role("alert")
    expect(question).to_be_visible()
    expect(page.locator(".btn.primary:visible")).to_have_count(1)
    question.get_by_role("button", name="Cancel").click()
    expect(question).to_have_count(0)
    assert lines(ana) == count
    if target.count() == 0:
        page.locator(f"[data-space={one['from']}]").click(force=True)
    target.click(force=True)
    question.get_by_role("button", name="Do it").click()
    expect(page.locator("[data-testid=log] li")).not_to_have_count(count)
    expect(page.locator(f"[data-piece={one['piece']}]")).to_have_count(0)


def test_why_not_names_the_rule_and_leads_to_it(sit: Sit) -> None:
    record, seat = record_before_choice("survive", 2, "walk")
    walks = [c for c in list_choices_one_by_one(landfall.Match.replay(record).state, seat) if c["verb"] == "walk"]
    walk = next(choice for choice in walks if alone(record, seat, choice))
    ana = sit().set_name_by_request()
    ana.opened(record, seat)
    ana.wait()
    page = ana.page
    page.locator(f"[data-space={walk['from']}]").click(force=True)
    page.locator("[data-space=L5]").click(force=True)
    notice = page.locator(".card.toast")
    expect(notice).to_contain_text("Why not?")
    expect(notice.get_by_role("link")).to_have_attribute("href", re.compile(r"^/learn/survive#SV\."))
    page.keyboard.press("Escape")
    expect(notice).to_have_count(0)


def test_another_language_rewords_the_table_in_place(sit: Sit) -> None:
    record, seat = record_before_choice("survive", 2, "walk")
    ana = sit().set_name_by_request()
    ana.opened(record, seat)
    ana.wait()
    page = ana.page
    page.evaluate("window.stayed = true")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Settings").click()
    page.locator("dialog select").select_option("bg")
    cyrillic = re.compile("[а-я]{3}")
    expect(page.locator("[data-testid=log] li").nth(0)).to_have_text(cyrillic)
    expect(page.locator(".banner")).to_have_text(cyrillic)
    page.keyboard.press("Escape")
    assert page.evaluate("window.stayed") is True
    assert page.evaluate("document.documentElement.lang") == "bg"
    expect(page.locator("[data-mine=true]")).to_have_count(1)


DEAL = 40  # lines in which Survive lays its island: a replay shows them as one moment


def test_a_replay_is_scrubbed_stepped_played_and_shared(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    page = ana.page
    answer = page.request.post(f"{ana.url}/api/tables/open", data={"record": random_match_record("survive", 3)})
    table = answer.json()["table"]
    ana.go(f"/replay/{table}?at=70&seat=1")
    slider = page.get_by_role("slider")
    expect(slider).to_have_attribute("aria-valuenow", str(70 - DEAL))
    expect(page.get_by_role("group", name="See as").locator("[aria-pressed=true]")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuenow", str(71 - DEAL))
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_attribute("aria-valuenow", str(70 - DEAL))
    page.keyboard.press("0")
    expect(page.get_by_role("button", name="Everything")).to_have_attribute("aria-pressed", "true")
    page.wait_for_url(re.compile(r"at=70$"))
    page.keyboard.press("Space")
    expect(slider).to_have_attribute("aria-valuenow", re.compile("^3[2-9]$"))
    page.keyboard.press("Space")
    box = slider.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] - 12)
    last = int(slider.get_attribute("aria-valuemax") or 0)
    now = int(slider.get_attribute("aria-valuenow") or 0)
    assert abs(now - last / 2) < last / 20
    page.wait_for_url(re.compile(rf"at={now + DEAL}$"))
    words = page.locator("[data-testid=log] li").nth(0).inner_text()
    other = sit()  # the link shows anybody the same moment
    other.go(page.url)
    expect(other.page.locator("[data-testid=log] li").nth(0)).to_have_text(words)
    page.keyboard.press("End")
    expect(slider).to_have_attribute("aria-valuenow", str(last))


def test_a_record_is_opened_from_a_file_and_played_on(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    ana.go("/replay")
    file = {"name": "match.landfall", "mimeType": "text/plain", "buffer": random_match_record("survive", 2).encode()}
    ana.page.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    slider = ana.page.get_by_role("slider")
    expect(slider).to_have_attribute("aria-valuenow", "0")
    for _ in range(7):
        ana.page.keyboard.press("PageDown")
    expect(slider).to_have_attribute("aria-valuenow", "70")
    expect(ana.page.locator("[data-testid=log]")).to_contain_text(re.compile("Red|Yellow"))  # nobody had a name
    expect(ana.page.locator("body")).not_to_contain_text(re.compile(r"\((Red|Yellow)\)"))
    ana.page.get_by_role("button", name="Play on from here").click()
    ana.page.wait_for_url(re.compile("/t/"))
    ana.wait()


def test_at_a_hot_seat_a_curtain_hides_each_from_the_other(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    page = ana.page
    table = made(ana, game="survive", players=2, hot_seat=True)
    ana.go(f"/t/{table}")
    ordered(page, table, {"t": "sit", "chair": 1, "name": "Boris"}, {"t": "start"})
    for name in ("Ana", "Boris", "Ana"):
        expect(page.get_by_role("dialog")).to_contain_text(name)
        page.get_by_role("button", name=f"I am {name}").click()
        expect(page.get_by_role("dialog")).to_have_count(0)
        ana.wait()
        touch(ana)
    expect(page.get_by_role("dialog")).to_contain_text("Boris")


def test_a_title_calls_from_a_tab_that_is_not_looked_at(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    ana.open_quick_table("survive", 2)
    ana.wait()
    hide = """value => {
        Object.defineProperty(document, 'hidden', { value, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
    }"""
    ana.page.evaluate(hide, True)
    expect(ana.page).to_have_title(re.compile("Your turn"))
    ana.page.evaluate(hide, False)
    expect(ana.page).to_have_title(re.compile("^Survive"))


def test_after_the_end_there_is_a_rematch(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    record = random_match_record("survive", 2)
    total = len(landfall.Match.replay(record).log)
    # The last line decides: from just before it on, the match is played to its end.
    ana.opened(record, 0, lines=total - 1)
    for _ in range(40):
        if ana.over():
            break
        ana.wait()
        if not ana.over():
            ana.press("[data-choice]")
    expect(ana.page.get_by_test_id("end")).to_be_visible()
    old = ana.page.url
    ana.page.get_by_role("button", name="Rematch").click()
    ana.page.wait_for_url(lambda url: "/t/" in url and url != old)
    assert json.loads(ana.page.evaluate("localStorage['landfall.settings']"))["language"] == "en"
