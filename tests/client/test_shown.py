"""What is known is shown, and nothing else: the log, replays, giving up, the lobby, reports, the header."""

import re

from playwright.sync_api import expect

from landfall.core.rng import Rng
from landfall.match import Match
from tests.client.conftest import Sit
from tests.client.match_records import record_before_choice
from tests.client.test_table import ordered, together


def survive() -> Match:
    """A random match of two, played to its end."""
    match, rng = Match("survive", 2, seed=5), Rng(6)
    while match.actor >= 0:
        match.play(int(match.state.random_action(rng)))
    return match


def last_of_set_up(match: Match) -> int:
    """How many lines there are before the first seat's last choice in set-up."""
    first = next(
        n for n in range(len(match.log)) if match.copy_rewound_to(n).view(None).get("step") not in (None, "setup")
    )
    return max(n for n in range(first) if match.log[n].actor == 0)


def test_ones_own_values_leave_the_log_when_play_begins(sit: Sit) -> None:
    ana, match = sit().set_name_by_request(), survive()
    ana.opened(match.record(), 0, last_of_set_up(match))
    ana.wait()
    log = ana.page.get_by_test_id("log")
    expect(log).to_contain_text("only you can see this")
    ana.page.locator(".table [data-space][data-choice]").first.click(force=True)
    expect(ana.page.locator(".steps .now, [aria-current=step]").first).not_to_contain_text("Ships")
    expect(log).not_to_contain_text("only you can see this")
    expect(log).to_contain_text("places an explorer")


def test_open_eyes_see_the_values_and_a_replay_begins_with_the_deal(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    with ana.http() as http:
        table = http.post("/api/tables/open", json={"record": survive().record()}).json()["table"]
    ana.go(f"/replay/{table}")
    expect(ana.page.get_by_text(re.compile("moment 0 of"))).to_be_visible()
    tiles = ana.page.locator(".table [data-space]")
    expect(tiles.first).to_be_attached()
    assert "effect." not in ana.page.locator("body").inner_text()
    ana.page.keyboard.press("End")
    for _ in range(3):
        ana.page.keyboard.press("PageUp")
    expect(ana.page.locator(".table [data-piece] use[href='#value'], .table use[href='#value']").first).to_be_attached()


def test_one_gives_up_and_the_other_reads_that_they_have_won(sit: Sit) -> None:
    ana, iva = sit(), sit()
    table = together(ana, iva)
    iva.page.route("**/assets/EndOverlay-*.js", lambda route: route.abort())
    ordered(ana.page, table, {"t": "resign"})
    expect(iva.page.get_by_role("alert")).to_contain_text("reload the page")
    iva.page.unroute("**/assets/EndOverlay-*.js")
    iva.page.get_by_role("button", name="Try again").click()
    expect(iva.page.get_by_test_id("end")).to_contain_text("You win")
    expect(iva.page.get_by_test_id("end")).to_contain_text("Ana resigned.")
    expect(ana.page.get_by_test_id("end")).to_contain_text("Iva wins")
    expect(iva.page.get_by_test_id("points").locator("li")).to_have_count(2)


def test_filling_with_bots_starts_and_greets_with_no_fault(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    with ana.http() as http:
        table = http.post("/api/tables", json={"game": "survive", "players": 4, "seating": "as_sat"}).json()["table"]
    ana.go(f"/t/{table}")
    expect(ana.page.get_by_role("note")).to_contain_text("This address opens only on this computer")
    ana.page.get_by_role("button", name="Fill with bots and start").click()
    ana.wait()
    expect(ana.page.get_by_text("That did not work")).to_have_count(0)
    with ana.http() as http:
        chairs = http.get(f"/api/tables/{table}").json()["table"]["chairs"]
    assert len({chair["colour"] for chair in chairs}) == 4


def test_a_refusal_offers_a_report_and_the_cookie_alone_says_who_one_is(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    ana.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    record, seat = record_before_choice("atlandice", 4, lambda choice: choice["verb"] == "take")
    ana.opened(record, seat)
    ana.wait()
    ana.page.locator("button[data-space]:not([data-choice])").first.click()
    ana.page.get_by_role("button", name="Something wrong?").click()
    expect(ana.page.get_by_text("Report copied")).to_be_visible()
    report = ana.page.evaluate("navigator.clipboard.readText()")
    assert re.search(r"^rule: AD\.\w+$", report, re.M), report
    with ana.http() as http:
        table = ana.page.url.rpartition("/")[2]
        line = http.get(f"/api/tables/{table}/position?seat={seat}").json()["line"]
    assert f"position: {line}" in report.splitlines()
    assert re.search(r"^window: \d+ x \d+, ", report, re.M)
    ana.page.evaluate("localStorage.clear()")
    ana.go("/new")
    expect(ana.page.get_by_role("link", name="Ana")).to_be_visible()
