"""Measures what lies over what and what is cut, in a real browser: `python -m tests.client.overlap_measurement --help`.

A position of a recorded match is opened at a server whose bots wait for ever; the page is then led through all windows,
what comes and goes, and languages (as if they were set in another page), and looked at each time.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fnmatch import fnmatch
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, Page, WebSocketRoute, expect, sync_playwright

from landfall.core.text_catalogue import load_text_catalogue
from landfall.games import GAME_NAMES as GAMES
from tests.client.conftest import STATIC
from tests.client.measured_positions import NAMES, Position, Riddle, load_positions, one_puzzle_per_theme
from tests.client.page_player import SPOTS
from tests.conftest import LONG
from tests.repository_files import REPO
from tests.server.real_server import ServerProcess

LOOK: Final = Path(__file__).with_suffix(".js").read_text()
WINDOWS: Final = ("1440x900", "1280x720", "720x450", "390x844", "360x640", "844x390", "768x1024", "2560x1440")
TOUCHED: Final = ("390x844", "360x640", "844x390", "768x1024")  # by fingers
WIDE: Final = ("1440x900", "1280x720", "2560x1440")  # the whole board is in sight: choosing a piece leaves it there
# What comes and goes leaves the board where it is. Not where there is a sheet: there notices have a slot above it, the
# stage ends above the slot, and the camera goes along so that nothing that may be chosen is covered.
STEADY: Final = (*WIDE, "720x450", "844x390")
LANGUAGES: Final = ("en", "pt", "zh", "bg")
KEY: Final = "landfall.settings"
GO: Final = """async (path) => {
  document.querySelector('.table')?.setAttribute('data-old', '')
  for (const to of ['/nowhere', path]) {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
    await Promise.resolve()
  }
}"""
# How many answers are still on their way: words of another language are among them.
ASKING: Final = """
  window.asking = 0
  const ask = window.fetch
  window.fetch = async (...asked) => {
    window.asking++
    try {
      const answer = await ask(...asked)
      await answer.clone().arrayBuffer()
      return answer
    } finally {
      window.asking--
    }
  }
"""
# Words of a game in a language that is not the one asked for: the page shows the last one until the new one is there.
STRANGE: Final = """(language) => {
  const known = window.tongues[language]
  const walker = document.createTreeWalker(document.querySelector('.table') ?? document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (known.has(node.data.trim())) return node.data.trim()
  }
  return document.documentElement.lang.startsWith(language) ? '' : document.documentElement.lang
}"""
# Until nothing on the page moves and it speaks that language: what fades or glides is led to its end, and the frame has
# been measured after the last change (it learns sizes when a picture is made, which a loaded machine does late).
# The page's clock stands still, but not its pictures: an observer's first word comes with the next one. Tells what
# it waits for if that never comes.
REST: Final = """async (language) => {
  const picture = () => new Promise((done) => {
    const watch = new ResizeObserver(() => (watch.disconnect(), done()))
    watch.observe(document.documentElement)
  })
  const shape = () => {
    const found = []
    for (const one of document.querySelectorAll('.table :not(svg *), [data-lit]')) {
      const { x, y, width, height } = one.getBoundingClientRect()
      found.push(Math.round(x), Math.round(y), Math.round(width), Math.round(height))
    }
    return found
  }
  let before = []
  let waits = ''
  for (let tries = 0, pictures = 0; tries < 60 && pictures < PICTURES; pictures++) {
    for (const one of document.getAnimations()) {
      if (Number.isFinite(one.effect.getComputedTiming().endTime)) one.finish()
    }
    await picture()
    const now = shape()
    waits = window.asking ? 'an answer' : measures.strange(language)
    const same = now.length === before.length && now.every((value, i) => value === before[i])
    if (!waits && same) return []
    if (!waits) tries++
    before = now
  }
  return [['restless', 'page', waits || 'moves', 0]]
}""".replace("PICTURES", str(LONG * 60))
# Where the board is and how large.
PLACE: Final = """() => {
  const at = document.querySelector('.stage svg')?.getScreenCTM()
  return at ? [at.e, at.f, at.a * 500].map(Math.round) : []
}"""
SPEAK: Final = f"""(language) => {{
  const kept = JSON.parse(localStorage['{KEY}'])
  if (kept.language === language) return
  localStorage['{KEY}'] = JSON.stringify({{ ...kept, language }})
  dispatchEvent(new StorageEvent('storage', {{ key: '{KEY}' }}))
}}"""
# All of it in one way there and back, by functions that stay on the page and so are fast from the second look on.
MEASURES: Final = f"rest: {REST}, strange: {STRANGE}, place: {PLACE}, speak: {SPEAK}, look: {LOOK}"
STAY: Final = f"() => {{ window.measures = {{ {MEASURES} }} }}"
SEE: Final = """async ({ touch, language }) => {
  measures.speak(language)
  const restless = await measures.rest(language)
  return { place: measures.place(), found: [...restless, ...measures.look({ touch })] }
}"""
TONGUES: Final = """(strange) => {
  window.tongues = Object.fromEntries(Object.entries(strange).map(([language, words]) => [language, new Set(words)]))
}"""
PIECE: Final = "[data-lit]"
# The table is the one at which that game's first guide is played, past its first lesson, or no more.
FIRST: Final = """([game, table, guided]) => localStorage['landfall.guides'] =
  JSON.stringify(guided ? { [`${game}/first`]: { table, met: ['goal'] } } : {})"""
ALONE: Final = {"look", "puzzle"}  # pages of their own, for the proof: a bot thinks long before the first can be seen
BACK: Final = ("over", "replay", "look")  # of a whole match
NEVER: Final = 10**9  # milliseconds a bot waits
BUSY_TRIES: Final = 3
GUIDED: Final = "survive"  # whose guide the sample looks at; the proof looks at all of them
SOON: Final = 400  # milliseconds of the page's own clock until a card is there
CALM: Final = 7000  # until it is gone

Finding = tuple[str, str, str, int]  # kind, what, by what, pixels
Seen = Position | Riddle
Case = tuple[Seen, str, list[str], str]  # position, state, windows of one kind, language


@dataclass(frozen=True)
class Exemption:
    """What may be as it is, and why."""

    kind: str
    what: str  # patterns, as of file names
    by: str
    why: str

    def fits(self, found: Finding) -> bool:
        return self.kind == found[0] and fnmatch(found[1], self.what) and fnmatch(found[2], self.by)


EXEMPT: Final = [
    Exemption(
        "small", "section.sheet* button.grab", "under 44", "a handle: chips and tabs beside it open the same by a touch"
    ),
]


@dataclass
class Found:
    """What was found and where, one by one; and how much was looked at."""

    seen: list[tuple[Finding, str]] = field(default_factory=list)
    looks: int = 0
    spared: Counter[Exemption] = field(default_factory=Counter)

    def add(self, name: str, findings: list[Finding]) -> None:
        self.looks += 1
        for one in findings:
            spared = next((exemption for exemption in EXEMPT if exemption.fits(one)), None)
            if spared is None:
                self.seen.append((one, name))
            else:
                self.spared[spared] += 1

    def merge(self, other: Found) -> None:
        self.seen += other.seen
        self.looks += other.looks
        self.spared += other.spared

    def summary_lines(self, places: int = 2) -> list[str]:
        """A line for each kind of finding, the most frequent first."""
        where: dict[tuple[str, str, str], list[tuple[int, str]]] = defaultdict(list)
        for (kind, what, by, px), name in self.seen:
            where[kind, what, by].append((px, name))
        return [
            f"{kind}: {what} / {by}: {len(all_)} times, up to {max(all_)[0]} px, "
            + "; ".join(name for _, name in all_[:places])
            for (kind, what, by), all_ in sorted(where.items(), key=lambda one: (one[0][0], -len(one[1])))
        ]


def fingerprint_measured_files() -> str:
    """A fingerprint of the built client, whose index names all its files by their contents, of what the server tells
    (texts, recorded matches, puzzles) and of the instrument."""
    here = Path(__file__).parent
    measured_files = [
        *sorted((REPO / "src" / "landfall").rglob("texts/*.json")),
        *sorted((here / "matches").rglob("*")),
    ]
    parts = [
        STATIC / "index.html",
        here / "overlap_measurement.py",
        here / "overlap_measurement.js",
        here / "measured_positions.py",
        *measured_files,
    ]
    return blake2b(b"".join(one.read_bytes() for one in parts if one.is_file()), digest_size=16).hexdigest()


def texts_of_other_languages() -> dict[str, list[str]]:
    """For each language the games' sentences, of those with nothing to fill in, that only others say so."""
    said = {
        language: {text for game in GAMES for text in load_text_catalogue(game, language).values() if "{" not in text}
        for language in LANGUAGES
    }
    every = {text for texts in said.values() for text in texts}
    return {language: sorted(every - said[language]) for language in LANGUAGES}


def sample_cases() -> list[Case]:
    """Every game in every language: every language in every window, every game in every window, and as many states and
    reasons to be kept as so few cases can meet. A position is opened once and looked at in several windows."""
    mouse = [window for window in WINDOWS if window not in TOUCHED]
    kinds = (list(TOUCHED), mouse)
    met: set[tuple[str, str]] = set()
    cases: list[Case] = []
    for number, language in enumerate(LANGUAGES):
        whole, halved = kinds if number == len(GAMES) else kinds[::-1]
        alone = number % len(GAMES)  # this game gets all windows of one kind, the others halves of the other
        halves = [halved[:2], halved[2:]]
        for place, game in enumerate(GAMES):
            windows = whole if place == alone else halves[(place - alone) % len(GAMES) - 1]
            every: list[tuple[Seen, str]] = [
                (one, state)
                for one in load_positions(game)
                for state in list_position_states(one, game == GUIDED)
                if state not in ALONE
            ]
            first = (number * len(GAMES) + place) * 37 % len(every)
            turned = every[first:] + every[:first]
            fresh = [len({one.wanted, state} - {seen for of, seen in met if of == game}) for one, state in turned]
            position, state = turned[fresh.index(max(fresh))]
            met |= {(game, position.wanted), (game, state)}
            cases.append((position, state, windows, language))
    return [*cases, *crowded_cases()]


def crowded_cases() -> list[Case]:
    """Questions on a phone that leave the board little room beside the recap."""
    by_name = {one.name: one for one in load_positions("survive")}
    windows = {"survive-fetching-pieces": ["390x844", "360x640"], "survive-fetching-choices": ["360x640"]}
    return [(by_name[name], "own", sizes, "bg") for name, sizes in windows.items()]


class Wire:
    """The page's socket: all but moves goes to the server and back, so that a position stays as it is; people get
    other names on the way, and more can be sent."""

    def __init__(self, names: list[str] | None) -> None:
        self.names = names
        self.away = ""
        self.route: WebSocketRoute | None = None
        self.server: WebSocketRoute | None = None
        self.welcome: dict[str, Any] = {}
        self.events: list[dict[str, Any]] = []

    def join(self, route: WebSocketRoute) -> None:
        self.route = route
        self.server = server = route.connect_to_server()
        route.on_message(lambda text: None if json.loads(text)["t"] in ("play", "undo") else server.send(text))
        server.on_message(lambda text: route.send(json.dumps(self.response_to(json.loads(text)))))

    def response_to(self, news: dict[str, Any]) -> dict[str, Any]:
        if news["t"] == "welcome":
            self.welcome = news
            self.events = news.get("events") or []
            self.rename_people(news["table"])
        elif news["t"] == "events":
            self.events = news["events"]
        elif news["t"] == "table":
            self.rename_people(news)
        return news

    def rename_people(self, table: dict[str, Any]) -> None:
        """People of the longest names in place of bots, some of them away."""
        for chair, name in zip(table["chairs"], self.names or []):
            chair.update(name=name, bot=None, here=True)
            if self.away and chair.get("who") is None:
                chair["away"] = self.away

    def send_server_message(self, **news: Any) -> None:
        assert self.route is not None
        self.route.send(json.dumps(news))

    def again(self, count: int = 12) -> None:
        """Send the last events once more, as if they had been taken back and made again."""
        first = max(0, len(self.events) - count)
        kept = {key: self.welcome[key] for key in ("n", "version", "choices", "clock") if key in self.welcome}
        self.send_server_message(t="update", **kept, patch={}, first=first, events=self.events[first:])


Moment = Callable[[Page, Wire], None]


class Bench:
    """A browser before a server, ready to look at positions in one kind of window after the other."""

    def __init__(self, browser: Browser, server: ServerProcess) -> None:
        self.browser = browser
        self.server = server
        self.contexts: dict[bool, BrowserContext] = {}
        self.tables: dict[tuple[str, int | None], str] = {}
        self.pages: dict[bool, tuple[Page, list[Wire]]] = {}
        self.shots: Path | None = None
        self.moments: list[Moment] | None = None  # all that a state has, or only these
        self.found = Found()
        self.faults: list[Finding] = []  # met since the last look

    # --- pages ------------------------------------------------------------------------------------------------

    def page(self, touch: bool) -> tuple[Page, list[Wire]]:
        """One page for fingers or a mouse; both of one person."""
        known = self.pages.get(touch)
        if known is not None:
            return known
        context = self.browser.new_context(
            has_touch=touch,
            is_mobile=touch,
            locale="en-GB",
            base_url=self.server.url,
            reduced_motion="reduce",
            storage_state=self.cookie() if self.contexts else None,
        )
        context.set_default_timeout(LONG * 1000)
        kept = json.dumps({"language": "en", "speed": "none", "sound": False, "theme": "light"})
        context.add_init_script(f"localStorage['{KEY}'] = {kept!r}; {ASKING}")
        page = context.new_page()
        page.on("pageerror", lambda error: self.faults.append(("error", str(error), "page", 0)))
        page.clock.install()
        if not self.contexts:
            assert page.request.post("/api/me", data={"name": "Ana"}).ok
        self.contexts[touch] = context
        page.goto("/nowhere")
        page.evaluate(STAY)
        page.evaluate(TONGUES, texts_of_other_languages())
        self.learn(page)
        if self.shots is None:  # what need not be painted is measured sooner
            page.evaluate("document.documentElement.style.opacity = 0")
        wires: list[Wire] = [Wire(None)]
        page.route_web_socket("**/ws/tables/**", lambda route: wires[0].join(route))
        self.pages[touch] = page, wires
        return self.pages[touch]

    def learn(self, page: Page) -> None:
        """Let a page load its own sentences in all languages."""
        for language in (*LANGUAGES[1:], LANGUAGES[0]):
            before = page.inner_text("main")
            page.evaluate("(language) => measures.speak(language)", language)
            expect(page.locator("main")).not_to_have_text(before, use_inner_text=True)

    def cookie(self) -> Any:
        return next(iter(self.contexts.values())).storage_state()

    def table(self, position: Position, seat: int | None) -> str:
        """A table at a position, or of the whole match to be looked at again; each is made once."""
        key = position.name, seat
        if key not in self.tables:
            body: dict[str, Any] = {"record": position.text()}
            if seat is not None:
                body |= {"lines": position.lines, "seat": seat, "bots": "sprat"}
            request = next(iter(self.contexts.values())).request
            answer = request.post("/api/tables/open", data=body)
            for _ in range(BUSY_TRIES):  # on a busy machine a whole match takes longer to read than a server waits
                if answer.status == 503:
                    answer = request.post("/api/tables/open", data=body)
            assert answer.ok, answer.text()
            self.tables[key] = str(answer.json()["table"])
        return self.tables[key]

    # --- looking ----------------------------------------------------------------------------------------------

    def look(self, page: Page, name: str, window: str, rest: list[int] | None = None) -> list[int]:
        """Where the board is once the page is at rest; what is wrong on it, and has been since the last look."""
        seen: dict[str, Any] = page.evaluate(SEE, {"touch": window in TOUCHED, "language": name.split()[-1]})
        found = [(kind, what, by, px) for kind, what, by, px in seen["found"]] + self.faults
        place: list[int] = seen["place"]
        moved = max((abs(a - b) for a, b in zip(place, rest or place)), default=0)
        if moved > 2:
            found.append(("jumps", "board", name.split()[2], moved))
        self.faults.clear()
        self.found.add(name, found)
        if self.shots is not None and found:
            page.screenshot(path=self.shots / f"{name.replace(' ', '-')}.png")
        return place

    def measure(self, position: Seen, windows: list[str], languages: list[str]) -> None:
        """A position in these windows and languages, in each of the states it has."""
        for touch in (False, True):
            chosen = [window for window in windows if (window in TOUCHED) == touch]
            for state in list_position_states(position) if chosen else []:
                self.measure_in_windows(position, state, chosen, languages, self.moments)

    def keep(self, file: Path | None, position: Seen, windows: list[str], languages: list[str]) -> None:
        """The same, written down; or what is written there of this client already."""
        what = [fingerprint_measured_files(), position.name, languages, windows, self.moments is None]
        lines = file.read_text().splitlines() if file is not None and file.is_file() else []
        known = next((one for one in map(json.loads, lines) if one["what"] == what), None)
        if known is not None:
            seen = [((kind, what, by, px), name) for (kind, what, by, px), name in known["seen"]]
            spared = Counter({one: count for one, count in zip(EXEMPT, known["spared"]) if count})
            self.found.merge(Found(seen, known["looks"], spared))
            return
        before, self.found = self.found, Found()
        self.measure(position, windows, languages)
        if file is not None:
            found = self.found
            counts = [found.spared[one] for one in EXEMPT]  # the instrument's fingerprint is that of the list, too
            with file.open("a") as out:
                kept = {"what": what, "looks": found.looks, "seen": found.seen, "spared": counts}
                out.write(json.dumps(kept) + "\n")
        before.merge(self.found)
        self.found = before

    def measure_in_windows(
        self, position: Seen, state: str, windows: list[str], languages: list[str], moments: list[Moment] | None = None
    ) -> None:
        """One state of a position in windows of one kind, with what comes and goes."""
        page, wires = self.page(windows[0] in TOUCHED)
        wire = wires[0] = Wire(list(NAMES) if position.wanted == "names" else None)
        self.resize(page, windows[0])
        self.come(page, position, state)
        for window in windows:
            self.resize(page, window)
            if window != windows[0] and len(moments or MOMENTS[state]) > 1:  # what the last window met is put away
                page.keyboard.press("Escape")
                page.keyboard.press("Escape")
            page.clock.fast_forward(CALM)
            rests: dict[str, list[int]] = {}
            for moment in moments or MOMENTS[state]:
                moment(page, wire)
                page.clock.run_for(SOON)
                moment_name = "" if moment is do_nothing else f" {moment.__name__}"
                steady = window in (WIDE if moment is select_piece else STEADY)
                for language in languages:
                    name = f"{position.name} {state}{moment_name} {window} {language}"
                    rest = rests.get(language, [])
                    place = self.look(page, name, window, rest if steady else [])
                    rests[language] = rest if rest and steady else place  # small windows come closer to what is chosen

    def way(self, page: Page, position: Seen, state: str) -> tuple[str, str]:
        """The address of a position, and what is to be seen there."""
        if isinstance(position, Riddle):
            return f"/puzzle/{position.game}/{position.id}", " .puzzle"
        if state in BACK:
            table = self.table(position, None)
            return {
                "over": (f"/t/{table}", " [data-testid=end]"),
                "replay": (f"/replay/{table}?at={position.lines}", ""),
                "look": (f"/replay/{table}/look?at={position.lines // 2}", " [data-testid=look][data-state=kept]"),
            }[state]
        table = self.table(position, (position.actor + (state == "other")) % position.players)
        page.evaluate(FIRST, [position.game, table, state == "guided"])
        return f"/t/{table}", f"[data-mine={'false' if state == 'other' else 'true'}]"

    def resize(self, page: Page, window: str) -> None:
        width, height = map(int, window.split("x"))
        page.set_viewport_size({"width": width, "height": height})

    def come(self, page: Page, position: Seen, state: str) -> None:
        """The page before that position; it is not loaded again, which costs more than all else."""
        page.clock.resume()
        path, there = self.way(page, position, state)
        page.evaluate(GO, path)
        found = page.wait_for_selector(f".table:not([data-old]){there}, main .alert")
        if found is not None and found.evaluate("(one) => one.matches('.alert')"):  # the server was too busy
            page.evaluate(GO, path)
            page.wait_for_selector(f".table:not([data-old]){there}")
        page.evaluate("document.fonts.ready")
        page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)


def list_position_states(position: Seen, guided: bool = True) -> list[str]:
    """How a position can come before somebody."""
    if isinstance(position, Riddle):
        return ["puzzle"]
    if position.actor == -2:
        return ["over", "replay", "look"]
    if position.actor < 0:
        return ["replay"]
    own = ["own", "guided"] if guided else ["own"]
    return {"choices": own, "pieces": ["own", "replay"], "names": ["own", "other"]}[position.wanted]


# --- what comes and goes ----------------------------------------------------------------------------------------------


def do_nothing(page: Page, wire: Wire) -> None:
    """Nothing happens."""


def send_last_events_again(page: Page, wire: Wire) -> None:
    """What happened last is shown again: the tile that turned up, the dice."""
    wire.again()


def send_refusal(page: Page, wire: Wire) -> None:
    """A rule forbids what was touched."""
    wire.send_server_message(t="refused", code="owner_only", key="table.owner_only", args={})


def select_piece(page: Page, wire: Wire) -> None:
    """A piece is chosen: where it may go lights up. (Where a touch was already the answer, that is taken back.)"""
    spots = page.evaluate(SPOTS, PIECE)
    if spots:
        page.mouse.click(*spots[len(spots) // 2])
        page.clock.run_for(SOON)
        if not page.locator("[data-mine=true]").count():
            wire.again(0)


def send_hint(page: Page, wire: Wire) -> None:
    """A hint points at the first choice, for the two reasons that take most words; there is another one."""
    choices = wire.welcome.get("choices", [])
    actions = [row[group["keys"].index("action")] for group in choices for row in group["rows"]]
    if actions:
        known = load_text_catalogue(wire.welcome["table"]["game"], "en").items()
        long = sorted((key for key, _ in known if key.startswith("hint.")), key=lambda key: -len(dict(known)[key]))
        why = [{"key": key, "args": {"n": 3}} for key in long[:2]]
        others = [{"action": action, "text": "", "why": why} for action in actions[1:2]]
        kept = {"version": wire.welcome["version"], "bot": "marlin", "text": "", "alike": False}
        wire.send_server_message(t="hint", **kept, action=actions[0], why=why, others=others)


def send_everybody_timed_out(page: Page, wire: Wire) -> None:
    """Everybody else is out of time, and their stand-ins play."""
    table = json.loads(json.dumps(wire.welcome["table"]))
    for chair in table["chairs"]:
        chair["away"] = "time"
    wire.send_server_message(**{**table, "t": "table"})


def go_offline(page: Page, wire: Wire) -> None:
    """The connection is lost."""
    page.evaluate("dispatchEvent(new Event('offline'))")


MOMENTS: Final = {
    "own": [do_nothing, select_piece, send_last_events_again, send_refusal, send_hint],
    "guided": [do_nothing],
    "other": [do_nothing, send_last_events_again, send_everybody_timed_out, go_offline],
    "replay": [do_nothing],
    "over": [do_nothing],
    "look": [do_nothing],
    "puzzle": [do_nothing, select_piece],
}


@contextmanager
def open_bench() -> Iterator[Bench]:
    """Everything that is needed, for a while."""
    found = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with (
        tempfile.TemporaryDirectory() as folder,
        ServerProcess(str(Path(folder, "tables.sqlite")), static=str(STATIC), pace=NEVER, hold=NEVER) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=found)
        yield Bench(browser, server)
        browser.close()


def list_wanted_positions(games: list[str], phase: list[str] | None, wanted: list[str] | None) -> list[Seen]:
    """The positions and puzzles of these games, or those of some kinds."""
    every: list[Seen] = []
    for game in games:
        every += [*load_positions(game), *one_puzzle_per_theme(game)]
    if wanted:
        every = [one for one in every if one.wanted in wanted]
    return [one for one in every if not phase or (isinstance(one, Position) and one.phase in phase)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", nargs="+", choices=GAMES, default=list(GAMES))
    parser.add_argument("--window", nargs="+", default=list(WINDOWS), metavar="WIDTHxHEIGHT")
    parser.add_argument("--lang", nargs="+", choices=LANGUAGES, default=["en"])
    parser.add_argument("--phase", nargs="+", help="default: all")
    parser.add_argument("--wanted", nargs="+", choices=("choices", "pieces", "names", "riddle"), help="default: all")
    parser.add_argument("--sample", action="store_true", help="what `make test` measures, and nothing else")
    parser.add_argument("--rest", action="store_true", help="every state at rest only, not what comes and goes")
    parser.add_argument("--kept", type=Path, metavar="FILE", help="a line for each position; go on there")
    parser.add_argument("--shots", type=Path, metavar="FOLDER", help="a picture of every page with a finding")
    args = parser.parse_args()
    begun = time.monotonic()
    with open_bench() as at:
        at.shots = args.shots
        at.moments = [do_nothing] if args.rest else None
        if args.shots:
            args.shots.mkdir(parents=True, exist_ok=True)
        for position, state, windows, language in sample_cases() if args.sample else []:
            at.measure_in_windows(position, state, windows, [language], [do_nothing])
        for position in [] if args.sample else list_wanted_positions(args.game, args.phase, args.wanted):
            at.keep(args.kept, position, args.window, args.lang)
        summary = at.found.summary_lines()
        print(*summary, sep="\n")
        for exemption in EXEMPT:
            if not at.found.spared[exemption]:
                print(f"not met here: {exemption}")
        print(f"{at.found.looks} looks, {len(summary)} findings, {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
