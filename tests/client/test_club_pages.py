"""Every page of the club, filled and empty, in four windows and all languages: nothing lies over anything, nothing is
cut off, and axe has nothing serious to say (all by `make proof`; a page each in the default run).

`python -m tests.client.test_club_pages FOLDER --page home --window 390x844 --lang bg` takes pictures of some. What was
looked at before is not looked at again, unless its file with the findings is deleted.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from landfall.core.languages import LANGUAGES
from tests.client.club_server_data import NAMES, PASSWORD, Member, create_club_activity, write_accounts_in_thread
from tests.client.conftest import STATIC, chromium, record_page_errors
from tests.client.overlap_measurement import ASKING, KEY, LOOK, SPEAK, TOUCHED, Exemption, Finding, Found
from tests.client.test_axe import findings
from tests.conftest import LONG
from tests.server.real_server import ServerProcess

pytestmark = pytest.mark.once
WINDOWS: Final = ("1440x900", "390x844", "844x390", "768x1024")
EXEMPT: Final = [Exemption("clipped", "g text", "*", "a card's picture is larger than its frame")]
FEW_MATCHES: Final = 60
# Until the page speaks that language, nothing is on its way and nothing fades or glides.
REST: Final = """async (language) => {
  const picture = () => new Promise((done) => requestAnimationFrame(() => done()))
  for (let quiet = 0; quiet < 3; ) {
    for (const one of document.getAnimations()) {
      if (Number.isFinite(one.effect.getComputedTiming().endTime)) one.finish()
    }
    await picture()
    quiet = window.asking || !document.documentElement.lang.startsWith(language) ? 0 : quiet + 1
  }
  await document.fonts.ready
}"""


@dataclass(frozen=True)
class ClubPage:
    """A page, and how to see that it is there."""

    name: str
    path: str  # or the name of a tournament
    there: str
    who: str = "member"  # or a newcomer on an empty server, or nobody
    searching: bool = False


PAGES: Final = [
    ClubPage("home", "/", "[data-testid=returning]"),
    ClubPage("lobby", "/lobby", "[data-testid=lobby][aria-busy=false]"),
    ClubPage("tournaments", "/tournaments", "[data-testid=tournaments] li"),
    ClubPage("tournament-new", "/tournaments/new", "[data-testid=new-tournament]"),
    ClubPage("tournament-before", "before", "[data-status=open]"),
    ClubPage("tournament-during", "during", "[data-status=running] [data-testid=my-table]"),
    ClubPage("tournament-league", "league", "[data-status=running] [data-testid=divisions]"),
    ClubPage("tournament-after", "after", "[data-status=over]"),
    ClubPage("tournament-season", "season", "[data-status=over] [data-testid=divisions]"),
    ClubPage("tournament-season-new", "next season", "[data-testid=new-tournament]"),
    ClubPage("tournament-cancelled", "cancelled", "[data-status=cancelled]"),
    ClubPage("notifications", "/me/notifications", "[data-testid=notifications]"),
    ClubPage("me", "/me", "[data-testid=match]"),
    ClubPage("account", "/me/account", "form input"),
    ClubPage("bots", "/me/bots", "[data-testid=bots] li"),
    ClubPage("host", "/host", "[data-testid=host]"),
    ClubPage("player", f"/player/{NAMES[6]}", "[data-testid=rated-match]"),
    ClubPage("player-own", f"/player/{NAMES[0]}", "[data-testid=rated-match]"),
    ClubPage("leaders", "/leaders/atlandice/3", "[data-testid=leaders] tbody tr"),
    ClubPage("pair", "/pair", "[data-testid=pair]"),
    ClubPage("pair-waiting", "/pair", "[data-testid=searching]", searching=True),
    ClubPage("home-quiet", "/", "[data-testid=returning]", "newcomer"),
    ClubPage("lobby-empty", "/lobby", "[data-testid=lobby][aria-busy=false]", "newcomer"),
    ClubPage("tournaments-empty", "/tournaments", "[data-testid=tournaments] .none", "newcomer"),
    ClubPage("notifications-new", "/me/notifications", "[data-testid=notifications]", "newcomer"),
    ClubPage("me-new", "/me", "main .card", "newcomer"),
    ClubPage("bots-empty", "/me/bots", "[data-testid=bots]", "newcomer"),
    ClubPage("host-empty", "/host", "[data-testid=host]", "newcomer"),
    ClubPage("player-new", f"/player/{NAMES[0]}", "[data-testid=player]", "newcomer"),
    ClubPage("leaders-empty", "/leaders/survive/3", "[data-testid=leaders] [aria-busy=false]", "newcomer"),
    ClubPage("leaders-bots-empty", "/leaders/survive/3/bots", "[data-testid=leaders] [aria-busy=false]", "newcomer"),
    ClubPage("pair-waiting-alone", "/pair", "[data-testid=searching]", "newcomer", searching=True),
    ClubPage("lobby-nobody", "/lobby", "[data-testid=lobby][aria-busy=false]", "nobody"),
    ClubPage("tournaments-nobody", "/tournaments", "[data-testid=tournaments] li", "nobody"),
    ClubPage("tournament-nobody", "before", "[data-status=open]", "nobody"),
    ClubPage("account-nobody", "/me/account", "form input", "nobody"),
    ClubPage("notifications-nobody", "/me/notifications", "main .card", "nobody"),
    ClubPage("player-nobody", f"/player/{NAMES[6]}", "[data-testid=rated-match]", "nobody"),
    ClubPage("pair-nobody", "/pair", "[data-testid=pair]", "nobody"),
]


def overlaps(page: Page, touch: bool) -> list[Finding]:
    """What lies over what or is cut off, on the whole of a page that scrolls."""
    seen: set[Finding] = set()
    top, end = 0, False
    while not end:
        page.evaluate("(top) => scrollTo(0, top)", top)
        at, height, whole = page.evaluate("[scrollY, innerHeight, document.documentElement.scrollHeight]")
        found = page.evaluate(LOOK, {"touch": touch, "paged": True})
        seen |= {(kind, what, by, px) for kind, what, by, px in found}
        end = at + height >= whole - 1
        top = at + height * 3 // 4
    page.evaluate("scrollTo(0, 0)")
    return sorted(seen)


def groups(windows: Sequence[str]) -> list[list[str]]:
    """Those for a mouse, and those for fingers: one page is resized for each."""
    both = [[one for one in windows if (one in TOUCHED) == touch] for touch in (False, True)]
    return [one for one in both if one]


class Club:
    """Two servers, one full and one empty, and pages of three people before them."""

    def __init__(self, browser: Browser, full: ServerProcess, empty: ServerProcess, cups: dict[str, str]) -> None:
        self.browser, self.full, self.empty, self.cups = browser, full, empty, cups
        self.pages: dict[tuple[str, bool], Page] = {}
        self.errors: list[str] = []
        self.found = Found()
        self.shots: Path | None = None

    def page(self, who: str, touch: bool) -> Page:
        """The page of a member, a newcomer or nobody, for fingers or a mouse."""
        known = self.pages.get((who, touch))
        if known is not None:
            return known
        server = self.empty if who == "newcomer" else self.full
        context = self.browser.new_context(
            base_url=server.url, has_touch=touch, is_mobile=touch, reduced_motion="reduce", service_workers="block"
        )
        context.set_default_timeout(LONG * 1000)
        kept = json.dumps({"language": "en", "speed": "none", "sound": False, "theme": "light"})
        context.add_init_script(f"localStorage['{KEY}'] ??= {kept!r}; {ASKING}")
        page = self.pages[who, touch] = context.new_page()
        record_page_errors(page, self.errors)
        if who != "nobody":
            assert page.request.post("/api/login", data={"name": NAMES[0], "password": PASSWORD}).ok
        return page

    def look(self, one: ClubPage, windows: list[str], languages: list[str]) -> None:
        """A page in some windows, all for fingers or all for a mouse, and led through the languages in each.

        axe looks in each window once: names and colours are the same in every language.
        """
        touch = windows[0] in TOUCHED
        page = self.page(one.who, touch)
        self.resize(page, windows[0])
        if one.searching:
            body = {"games": ["survive"], "sizes": [4, 5], "rated": True}
            assert page.request.post("/api/search", data=body).ok
        page.goto(self.cups.get(one.path, one.path))
        page.locator(one.there).first.wait_for()
        for window in windows:
            self.resize(page, window)
            for language in languages:
                page.evaluate(SPEAK, language)
                page.evaluate(REST, language)
                self.note(f"{one.name} {window} {language}", page, touch, with_axe=language == languages[0])
        page.evaluate(SPEAK, "en")
        if one.searching:
            assert page.request.delete("/api/search").ok

    def resize(self, page: Page, window: str) -> None:
        width, height = map(int, window.split("x"))
        page.set_viewport_size({"width": width, "height": height})

    def note(self, name: str, page: Page, touch: bool, with_axe: bool) -> None:
        """What is found on a page as it is, looked at from its top to its end; a picture, if wanted."""
        told: list[Finding] = [("error", text, "page", 0) for text in self.errors]
        self.errors.clear()
        told += overlaps(page, touch)
        told += [("axe", text, "page", 0) for text in findings(page)] if with_axe else []
        told = [found for found in told if not any(spared.fits(found) for spared in EXEMPT)]
        self.found.add(name, told)
        if self.shots is not None:
            shot = self.shots / f"{name.replace(' ', '-')}.jpg"
            page.screenshot(path=shot, full_page=True, type="jpeg", quality=80)
            shot.with_suffix(".txt").write_text("".join(f"{one}\n" for one in told), encoding="utf-8")


@contextmanager
def open_club(browser: Browser) -> Iterator[Club]:
    with tempfile.TemporaryDirectory() as place, ExitStack() as stack:
        servers = []
        for name, matches in (("full", FEW_MATCHES), ("empty", 0)):
            write_accounts_in_thread(f"{place}/{name}.db", matches)
            server = ServerProcess(f"{place}/{name}.db", static=str(STATIC), pace=600.0, director_ms=200, no_show=10**8)
            servers.append(stack.enter_context(server))
        full, empty = servers
        newcomer = Member(empty.url, NAMES[0])
        table = newcomer.post("/api/tables/quick", game="atlandice", players=2, bots=["sprat"])["table"]
        newcomer.resign(table)
        newcomer.http.close()
        club = Club(browser, full, empty, stack.enter_context(create_club_activity(full)))
        yield club
        for page in club.pages.values():
            page.context.close()


@pytest.fixture(scope="module")
def club(browser: Browser) -> Iterator[Club]:
    with open_club(browser) as found:
        yield found


@pytest.mark.proof
def test_no_page_of_the_club_overlaps_or_shuts_anybody_out(club: Club) -> None:
    for one in PAGES:
        for windows in groups(WINDOWS):
            club.look(one, windows, list(LANGUAGES))
    assert club.found.looks == len(PAGES) * len(WINDOWS) * len(LANGUAGES)
    assert club.found.summary_lines() == []


@pytest.mark.proof
def test_the_latest_notifications_speak_the_language_of_the_page(club: Club) -> None:
    page = club.page("member", touch=False)
    page.goto("/me/notifications")
    expect(page.get_by_role("heading", name="Latest")).to_be_visible()
    expect(page.locator("a.item", has_text="invites you")).not_to_have_count(0)
    page.evaluate(SPEAK, "bg")
    expect(page.locator("a.item", has_text="Покана от")).not_to_have_count(0)
    expect(page.locator("a.item", has_text="invites you")).to_have_count(0)
    page.evaluate(SPEAK, "en")


@pytest.mark.proof
def test_a_league_shows_its_divisions_and_leads_to_its_next_season(club: Club) -> None:
    page = club.page("member", touch=False)
    page.goto(club.cups["season"])
    standings, divisions = page.get_by_test_id("standings"), page.get_by_test_id("divisions")
    for name, other, players in (("Kraken", "two go down to Leviathan", 8), ("Leviathan", "two rise to Kraken", 9)):
        divisions.get_by_role("button", name=name).click()
        expect(standings.get_by_role("heading")).to_have_text(f"{name} division")
        expect(standings.locator("tbody tr")).to_have_count(players + 1)
        rows = standings.locator("tbody tr").all_inner_texts()
        assert [n for n, row in enumerate(rows) if other in row] == [6 if name == "Kraken" else 2]
    page.get_by_role("link", name="Open the next season").click()
    form = page.get_by_test_id("new-tournament")
    expect(form).to_contain_text("Its divisions follow the final standings")
    form.get_by_role("button", name="Open it").click()
    page.get_by_role("link", name="The season before").click()
    expect(page).to_have_url(re.compile(club.cups["season"]))
    assert club.errors == []


# --- the instrument ---------------------------------------------------------------------------------------------------

PAGE = """<!doctype html><html lang=en><title>A page</title><style>
  body {{ margin: 0; font: 16px sans-serif; background: white; color: black }}
  header, .card {{ position: relative; width: 300px; height: 120px; margin: 0 auto 60px; background: #eee }}
  main {{ padding-bottom: 90px }} button {{ width: 120px; height: 48px }}
  .tabs {{ position: fixed; left: 0; right: 0; bottom: 0; height: 60px; background: #ddd }}
</style><header><button>Menu</button></header><main><h1>A page</h1>{cards}{extra}</main>
<nav class=tabs><button>Home</button></nav>"""
CARDS = "".join(f"<section class=card><h2>Card {n}</h2><button>Go {n}</button></section>" for n in range(9))
PLANTS = {  # what is planted, and the kinds that are found
    "": [],
    "<section class=card style='margin-top: -90px'>Over the last card</section>": ["overlap"],
    "<div style='width: 600px; height: 9px'></div>": ["wider"],
    "<style>header { margin-bottom: -40px }</style>": ["text under"],
    "<style>main { padding: 0 } .card:last-of-type { margin: 0 auto }</style>": ["covered", "overlap"],
    "<button></button>": ["axe button-name"],
    "<p style='color: #999'>Pale</p>": ["axe color-contrast"],
}


@pytest.mark.parametrize("extra", PLANTS)
def test_what_is_planted_is_found(browser: Browser, extra: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 500})
    page = context.new_page()
    page.set_content(PAGE.format(cards=CARDS, extra=extra))
    found = {kind for kind, _, _, _ in overlaps(page, touch=True)}
    found |= {f"axe {text.partition(':')[0]}" for text in findings(page)}
    context.close()
    assert sorted(found) == PLANTS[extra]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--page", nargs="+", choices=[one.name for one in PAGES], default=[one.name for one in PAGES])
    parser.add_argument("--window", nargs="+", default=list(WINDOWS))
    parser.add_argument("--lang", nargs="+", choices=LANGUAGES, default=list(LANGUAGES))
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium())
        with open_club(browser) as club:
            club.shots = args.folder
            for one in [page for page in PAGES if page.name in args.page]:
                for windows in groups(args.window):
                    known = [f"{one.name}-{window}-{language}.txt" for window in windows for language in args.lang]
                    if all((args.folder / name).exists() for name in known):
                        continue
                    before = len(club.found.seen)
                    club.look(one, windows, args.lang)
                    for (kind, what, by, px), name in club.found.seen[before:]:
                        print(f"{name}: {kind}: {what} / {by}: {px} px", flush=True)
            print(f"{club.found.looks} looks")
        browser.close()


if __name__ == "__main__":
    main()
