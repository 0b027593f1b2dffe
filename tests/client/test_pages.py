"""The pages around the table: home, setting a table, the lobby, learn, watch, one's own page, settings."""

import re

import pytest
from playwright.sync_api import Route, expect

from landfall.core.languages import LANGUAGES
from landfall.games import BUILT_IN_GAMES
from landfall.games import game as find_game
from tests.client.conftest import Sit
from tests.client.match_records import (
    greedy_record_until_first_seat_asked,
    parametrize_mostly_in_proof,
    random_match_record,
)
from tests.repository_files import REPO

pytestmark = pytest.mark.once
TABLE = re.compile(r"/t/[\w-]+$")

# Something above the rules takes so much more room.
CUT_TABS = """() => [...document.querySelectorAll('nav.card a, .tabs [role=tab]')].filter((tab) => {
  const words = document.createRange()
  words.selectNode([...tab.childNodes].find((one) => one.nodeType === 3 && one.data.trim()))
  const [line, ...more] = words.getClientRects()
  const box = tab.getBoundingClientRect()
  const left = Math.max(box.left, tab.parentElement.getBoundingClientRect().left)
  const right = Math.min(box.right, tab.parentElement.getBoundingClientRect().right)
  return more.length || line.left < left || line.right > right
}).map((tab) => tab.textContent)"""
LATE = "(more) => { document.querySelector('.body > *').style.marginBottom = `${more}px` }"


def test_home_leads_into_a_game_by_one_click_and_back_into_it(sit: Sit) -> None:
    ana = sit()
    page = ana.go("/").page
    for game in ("Survive", "Atlantis", "Atlandice"):
        expect(page.get_by_role("heading", name=game, exact=True)).to_be_visible()
    page.get_by_role("button", name="Play now: Atlandice").click()
    expect(page).to_have_url(TABLE)
    ana.wait()
    table = page.url
    ana.go("/")
    expect(page.get_by_test_id("continue")).to_contain_text("Atlandice")
    page.get_by_role("link", name=re.compile("^Go back: ")).click()
    expect(page).to_have_url(table)


def test_how_many_and_how_strong_bots_is_remembered(sit: Sit) -> None:
    ana = sit()
    page = ana.page
    waiting: list[Route] = []
    page.route("**/api/home", lambda route: waiting.append(route))  # so nobody is known to have come back
    ana.go("/")
    card = page.get_by_role("article").filter(has=page.get_by_role("heading", name="Atlantis", exact=True))
    card.get_by_role("button", name=re.compile("against")).click()
    chosen = page.get_by_role("dialog")
    chosen.get_by_role("button", name="One fewer").click()
    chosen.get_by_role("radio", name=re.compile("Sprat")).check(force=True)
    chosen.get_by_role("button", name="Play now").click()
    expect(page).to_have_url(TABLE)
    # What comes later about this user's tables does not take the page away from under the hand.
    with page.expect_request("**/api/home"):
        ana.go("/")
    card.get_by_role("button", name=re.compile("against 1 bot")).click()
    with page.expect_response("**/api/home"):
        waiting[-1].continue_()
    page.wait_for_timeout(500)
    expect(chosen.get_by_role("radio", name=re.compile("Sprat"))).to_be_checked()
    page.unroute_all()
    ana.go("/")
    expect(page.get_by_role("heading", name="Your tables")).to_be_visible()


def test_a_first_visit_is_offered_the_guided_game_once(sit: Sit) -> None:
    page = sit().go("/").page
    expect(page.get_by_role("link", name="Show me")).to_have_attribute("href", "/first/survive")
    page.get_by_role("button", name="Not now").click()
    expect(page.get_by_role("link", name="Show me")).to_have_count(0)
    page.reload()
    expect(page.get_by_role("heading", name="Survive", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Show me")).to_have_count(0)


def test_what_cannot_be_combined_is_disabled_and_says_why(sit: Sit) -> None:
    page = sit().go("/new/survive").page
    line = page.locator("[data-option=crowded]")
    crowded = line.get_by_role("switch")
    expect(crowded).to_be_disabled()
    expect(line).to_contain_text("Crowded is for 5, 6 players, not 4")
    page.get_by_role("button", name="One more").click()
    expect(crowded).to_be_enabled()
    crowded.check(force=True)
    other = page.locator("[data-option=overpopulated]")
    expect(other.get_by_role("switch")).to_be_disabled()
    expect(other).to_contain_text("does not go with Crowded")
    page.get_by_role("button", name="One fewer").click()
    expect(crowded).not_to_be_checked()
    spares = page.locator("[data-option=squid_spares_on_arrival]").get_by_role("switch")
    expect(spares).to_be_disabled()
    page.locator("[data-option=squid]").get_by_role("switch").check(force=True)
    expect(spares).to_be_enabled()
    page.get_by_role("radio", name="Instead of whales").check(force=True)
    page.get_by_role("button", name="Base game").click()
    expect(spares).to_be_disabled()


def test_reasons_are_worded_in_the_readers_language(sit: Sit) -> None:
    page = sit(language="bg").go("/new/survive").page
    expect(page.locator("[data-option=crowded]")).to_contain_text("Тъпканица е за 5, 6 играчи, а не за 4")


def test_a_clock_of_ones_own_is_checked_by_the_server(sit: Sit) -> None:
    page = sit().go("/new/atlandice").page
    page.get_by_role("radio", name=re.compile("^Your own")).check(force=True)
    page.get_by_text("The hands on the tiles", exact=True).click()
    page.get_by_label("jeweller A", exact=True).fill("4")
    start = page.get_by_role("button", name="Create table")
    expect(start).to_be_disabled()
    page.get_by_label("jeweller B", exact=True).fill("2")
    page.get_by_label("jeweller C", exact=True).fill("1")
    expect(start).to_be_enabled()


def test_friends_come_by_the_link_and_the_rest_is_filled_with_bots(sit: Sit) -> None:
    ana, iva = sit(), sit(phone=True, language="bg")
    page = ana.go("/new/survive").page
    page.get_by_label("Your name").fill("Ana")
    page.get_by_label("Who sits in seat 3").select_option("sprat")
    page.get_by_role("button", name="Create table").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Waiting for 2 more")
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_disabled()
    expect(page.get_by_role("img", name="QR code of the table’s link")).to_be_visible()

    guest = iva.go(page.url).page
    guest.get_by_role("button", name="Седни тук").first.tap()
    asked = guest.get_by_role("dialog")
    asked.get_by_label("Твоето име").fill("Ива")
    asked.get_by_role("button", name="Седни тук").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Waiting for 1 more")
    expect(page.get_by_role("group", name="Ива")).to_contain_text("ready")
    guest.get_by_role("button", name="Избери цвят: Ива").tap()
    guest.get_by_role("radio", name="Бял").tap()
    page.get_by_role("button", name="Choose a colour: Ana").click()
    expect(page.get_by_role("radio", name="White")).to_be_disabled()
    page.get_by_role("button", name="Fill with bots and start").click()
    for one in (page, guest):
        expect(one.locator("[data-mine]")).to_be_visible()


def test_several_at_one_device_begin_at_once(sit: Sit) -> None:
    page = sit().go("/new/atlantis").page
    page.get_by_role("button", name="One fewer").click()
    page.get_by_label("Your name").fill("Ana")
    page.get_by_label("Who sits in seat 2").select_option("here")
    page.get_by_label("Name of player 2").fill("Tomé")
    page.get_by_role("button", name="Start the game").click()
    expect(page).to_have_url(TABLE)
    expect(page.locator("body")).to_contain_text("Tomé")


def test_rules_are_found_by_words_and_by_number(sit: Sit) -> None:
    page = sit().go("/learn/survive#SV.M9").page
    rule = page.locator("[id='SV.M9']")
    expect(rule).to_be_in_viewport()
    expect(rule).to_contain_text("A swimmer acts once a turn")
    # Pictures that come late move it in browsers that do not hold on to what is in sight.
    page.evaluate("document.documentElement.style.overflowAnchor = 'none'")
    page.evaluate(LATE, 3000)
    expect(rule).to_be_in_viewport()
    page.mouse.wheel(0, -2000)
    expect(rule).not_to_be_in_viewport()
    page.evaluate(LATE, 6000)
    page.wait_for_timeout(100)
    expect(rule).not_to_be_in_viewport()  # whoever went elsewhere stays there
    rule.get_by_role("link", name="M7").first.click()
    expect(page).to_have_url(re.compile(r"#SV\.M7$"))
    expect(page.locator("[id='SV.M7']")).to_be_in_viewport()
    page.get_by_label("Find a rule").fill("whirlpool")
    expect(page.get_by_role("status")).to_contain_text("rules found")
    expect(page.locator("[id='SV.R6']")).to_be_visible()
    expect(rule).to_have_count(0)
    page.get_by_role("link", name="Two players").click()  # none of what was found: it is looked up all the same
    expect(page.get_by_label("Find a rule")).to_have_value("")
    expect(page.get_by_role("heading", name="Two players")).to_be_in_viewport()
    expect(page.get_by_role("heading", name="The aim")).to_be_visible()


def test_settings_work_at_once_and_stay(sit: Sit) -> None:
    page = sit().go("/").page
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("dialog").get_by_label("Language").select_option("pt")
    expect(page.get_by_role("heading", level=1)).to_have_text("Atlântida está afundando. Leve-os à terra firme.")
    page.get_by_role("switch", name=re.compile("Padrões")).check(force=True)
    page.get_by_role("radio", name="Escuro").check(force=True)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.reload()
    html = page.locator("html")
    expect(html).to_have_attribute("lang", "pt-BR")
    expect(html).to_have_attribute("data-theme", "dark")
    expect(html).to_have_attribute("data-patterns", "on")
    page.get_by_role("button", name="Mudar para o tema claro").click()
    expect(html).to_have_attribute("data-theme", "light")


def test_an_account_carries_ones_matches_to_another_device(sit: Sit) -> None:
    ana, again = sit(), sit(language="pt")
    page = ana.go("/me").page
    page.get_by_role("radio", name=re.compile("Create an account")).check(force=True)
    page.get_by_label("Your name").fill("Ana Carried")
    page.locator("input[type=password]").fill("eight letters")
    page.get_by_role("button", name="Create an account").click()
    expect(page.get_by_test_id("codes").locator("li")).to_have_count(10)
    page.get_by_role("checkbox", name="I have kept them somewhere else.").check()
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ana Carried")
    ana.open_quick_table("atlandice", 2)
    ana.wait()

    there = again.go("/me").page
    there.get_by_role("radio", name=re.compile("Entrar")).check(force=True)
    there.get_by_label("Seu nome").fill("Ana Carried")
    there.locator("input[type=password]").fill("quite another")
    there.get_by_role("button", name="Entrar", exact=True).click()
    expect(there.get_by_role("alert")).to_contain_text("senha")
    there.locator("input[type=password]").fill("eight letters")
    there.get_by_role("button", name="Entrar", exact=True).click()
    expect(there.get_by_role("heading", level=1)).to_have_text("Ana Carried")
    expect(there.get_by_role("link", name="Continuar", exact=True)).to_be_visible()

    there.get_by_role("link", name="Conta, aparelhos e ajustes").click()
    devices = there.get_by_role("list", name="Onde sua conta está aberta").get_by_role("listitem")
    expect(devices).to_have_count(2)
    expect(devices.filter(has_text="este aparelho")).to_have_count(1)
    there.get_by_role("button", name=re.compile("Desconectar: Chrome")).click()
    expect(devices).to_have_count(1)
    there.get_by_role("button", name="Trocar a senha").click()
    asked = there.get_by_role("dialog")
    asked.get_by_label("Senha atual").fill("eight letters")
    asked.get_by_label("Nova senha").fill("nine letters")
    asked.get_by_role("button", name="Trocar a senha").click()
    expect(there.get_by_text("A senha foi trocada.")).to_be_visible()
    ana.go("/me")
    expect(page.get_by_role("heading", level=1)).to_have_text("Welcome")

    there.get_by_role("button", name="Apagar meus dados").click()
    sure = there.get_by_role("dialog").get_by_role("button", name="Apagar meus dados")
    expect(sure).to_be_disabled()
    there.get_by_label("Digite seu nome para continuar").fill("Ana Carried")
    sure.click()
    expect(there.get_by_role("heading", level=1)).to_have_text("Boas-vindas")


def test_a_record_file_is_opened(sit: Sit) -> None:
    page = sit().go("/me/account").page
    record = {"name": "a.landfall", "mimeType": "text/plain", "buffer": random_match_record("atlandice", 2).encode()}
    page.locator("input[type=file]").set_input_files(record)  # type: ignore[arg-type]
    expect(page).to_have_url(re.compile("/replay/"))


def test_public_tables_can_be_watched(sit: Sit) -> None:
    ana, boris = sit().set_name_by_request("Ana Public"), sit()
    body = {"game": "atlantis", "players": 2, "public": True, "bots": ["sprat"]}
    assert ana.page.request.post(f"{ana.url}/api/tables/quick", data=body).ok
    page = boris.go("/lobby?game=atlantis").page
    page.get_by_test_id("to-watch").filter(has_text="Ana Public").first.get_by_role("link").click()
    expect(page.locator("[data-mine=false]")).to_be_visible()


def test_an_address_that_leads_nowhere_says_so(sit: Sit) -> None:
    page = sit().go("/nowhere/at-all").page
    expect(page.get_by_role("heading", level=1)).to_have_text("Nothing but sea here")
    page.get_by_role("main").get_by_role("link", name="Home").click()
    expect(page.get_by_role("heading", name="Survive", exact=True)).to_be_visible()


def test_what_cannot_be_reached_just_now_says_so(sit: Sit) -> None:
    ana = sit(phone=True).go("/new")
    page = ana.page
    page.route("**/api/tables", lambda route: route.abort())
    page.get_by_role("button", name="Create table").tap()
    expect(page.get_by_role("alert")).to_be_in_viewport()
    page.route("**/assets/Lobby-*.js", lambda route: route.abort())
    ana.go("/").page.locator("a[href='/lobby']").last.tap()
    expect(page.get_by_role("alert")).to_contain_text("reload the page")
    page.unroute("**/assets/Lobby-*.js")
    page.get_by_role("button", name="Try again").tap()
    expect(page.get_by_role("heading", name="Lobby")).to_be_visible()


@pytest.mark.parametrize("language", parametrize_mostly_in_proof(LANGUAGES, "bg"))
def test_nothing_is_wider_than_a_small_phone(sit: Sit, language: str) -> None:
    ana = sit(phone=True, language=language)
    ana.page.set_viewport_size({"width": 360, "height": 740})
    for path in ("/", "/new/survive", "/new/atlandice", "/learn/atlandice", "/lobby", "/me", "/nowhere"):
        ana.settled(path)
        assert ana.page.evaluate("document.documentElement.scrollWidth") <= 360, path
        words = ana.page.locator("body").inner_text()
        assert re.findall(r"\b(?:home|pages|learn|settings|game)\.[a-z_]+\b", words) == [], path


@pytest.mark.parametrize("language", LANGUAGES)
def test_tabs_stand_in_one_line_of_a_small_phone(sit: Sit, language: str) -> None:
    ana = sit(phone=True, language=language)
    page, tabs = ana.page, ana.page.locator("nav.card a, .tabs [role=tab]")
    page.set_viewport_size({"width": 360, "height": 640})
    for name in ("", "Ana"):
        if name:
            ana.set_name_by_request(name)
        ana.settled("/")
        expect(tabs).to_have_count(5)
        assert page.evaluate(CUT_TABS) == []
    for game, count in (("survive", 4), ("atlantis", 4), ("atlandice", 5)):
        ana.opened(greedy_record_until_first_seat_asked(game, 3), 0)
        ana.wait()
        page.locator(".grab").click()
        expect(tabs).to_have_count(count)
        assert page.evaluate(CUT_TABS) == []


@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_a_card_knows_the_players_before_the_server_answers(game: str) -> None:
    text = (REPO / "client" / "src" / "games" / game / "about.ts").read_text(encoding="utf-8")
    found = re.search(r"range: \[(\d), (\d)\]", text)
    assert found is not None
    counts = find_game(game).player_counts
    assert (int(found[1]), int(found[2])) == (counts[0], counts[-1])
