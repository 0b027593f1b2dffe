"""Nothing lies over anything, nothing is cut off, and what may be touched is large enough: a sample of all windows,
languages and positions (`make proof ARGS=overlaps` measures all), and the instrument itself against planted faults."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from landfall.core.text_catalogue import load_text_catalogue
from landfall.games import GAME_NAMES as GAMES
from landfall.tables.protocol import text_validation
from tests.client.conftest import STATIC
from tests.client.match_records import parametrize_mostly_in_proof
from tests.client.measured_positions import NAMES, load_positions, phase_names
from tests.client.overlap_measurement import (
    ALONE,
    LANGUAGES,
    LOOK,
    MOMENTS,
    NEVER,
    STRANGE,
    TONGUES,
    TOUCHED,
    WINDOWS,
    Bench,
    Found,
    do_nothing,
    sample_cases,
    send_hint,
    send_refusal,
    texts_of_other_languages,
)
from tests.conftest import lacking
from tests.server.real_server import ServerProcess

pytestmark = pytest.mark.once


@pytest.fixture(scope="session")
def bench(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """A server on which nothing happens by itself."""
    if not (STATIC / "index.html").is_file():
        lacking("the client is not built (make client)")
    database = tmp_path_factory.mktemp("overlap") / "tables.sqlite"
    with ServerProcess(str(database), static=str(STATIC), pace=NEVER, hold=NEVER) as server:
        yield Bench(browser, server)


@pytest.mark.parametrize("game", GAMES)
def test_every_phase_has_its_positions(game: str) -> None:
    kept = load_positions(game)
    assert {one.phase for one in kept} == set(phase_names(game))
    for phase in phase_names(game):
        wanted = {one.wanted for one in kept if one.phase == phase}
        asked = any(one.actor >= 0 for one in kept if one.phase == phase)
        assert wanted == ({"choices", "pieces", "names"} if asked else {"pieces", "names"}), phase


def test_the_longest_names_are_legal() -> None:
    letters, size = text_validation.NAME_LIMITS
    for name in NAMES:
        assert text_validation.require_displayable_name(name) == name
        assert len(name) == letters or len(name.encode()) > size - 4, f"{name} could be longer"


def test_the_sample_meets_every_window_in_every_language() -> None:
    cases = [(one, window, language) for one, _, windows, language in sample_cases() for window in windows]
    assert {(window, language) for _, window, language in cases} == {(w, a) for w in WINDOWS for a in LANGUAGES}
    assert {(one.game, window) for one, window, _ in cases} == {(game, w) for game in GAMES for w in WINDOWS}
    assert {(one.game, language) for one, _, language in cases} == {(game, a) for game in GAMES for a in LANGUAGES}
    assert {state for _, state, _, _ in sample_cases()} == set(MOMENTS) - ALONE
    assert len({one.name for one, _, _, _ in sample_cases()}) == len(sample_cases())


@pytest.mark.parametrize("language", parametrize_mostly_in_proof(LANGUAGES, "bg"))
def test_nothing_overlaps_and_nothing_is_cut(bench: Bench, language: str) -> None:
    bench.found = Found()
    for position, state, windows, spoken in sample_cases():
        if spoken == language:
            bench.measure_in_windows(position, state, windows, [language], [do_nothing])
    assert bench.found.summary_lines() == []


@pytest.mark.parametrize(("game", "language"), list(zip(GAMES, LANGUAGES[1:])))
def test_nothing_overlaps_at_the_end(bench: Bench, game: str, language: str) -> None:
    """The longest names, in every window; in the other languages, too, by `make proof`."""
    bench.found = Found()
    ended = [one for one in load_positions(game) if one.actor == -2 and one.wanted == "names"]
    assert len(ended) == 1
    for windows in (TOUCHED, [window for window in WINDOWS if window not in TOUCHED]):
        bench.measure_in_windows(ended[0], "over", list(windows), [language], [do_nothing])
    assert bench.found.summary_lines() == []


@pytest.mark.parametrize(
    ("name", "state"),
    [("atlandice-bonus-choices", "own"), ("atlandice-reveal-names", "replay"), ("atlantis-bridging-names", "own"),
     ("atlantis-hopping-choices", "guided")],
)  # fmt: skip
def test_nothing_overlaps_on_a_small_phone(bench: Bench, name: str, state: str) -> None:
    """Positions with the least room: a city under a recap, a replay's bar, a long name in a button, a lesson."""
    bench.found = Found()
    crowded = next(one for one in load_positions(name.split("-")[0]) if one.name == name)
    bench.measure_in_windows(crowded, state, ["360x640"], ["bg"], [do_nothing])
    assert bench.found.summary_lines() == []


@pytest.mark.parametrize(
    ("name", "window"),
    [("survive-creature-choices", "1280x720"), ("atlantis-paying-pieces", "1440x900"),
     ("atlandice-change_die-pieces", "1440x900")],
)  # fmt: skip
def test_the_board_stays_where_it_is(bench: Bench, name: str, window: str) -> None:
    """A refusal and a hint come and go beside it: in the other windows and positions, too, by `make proof`."""
    bench.found = Found()
    asked = next(one for one in load_positions(name.split("-")[0]) if one.name == name)
    bench.measure_in_windows(asked, "own", [window], ["pt"], [do_nothing, send_refusal, send_hint])
    assert bench.found.summary_lines() == []


# --- the instrument ---------------------------------------------------------------------------------------------------

TABLE = """<!doctype html><style>
  body {{ margin: 0; font: 16px sans-serif }} .table {{ position: fixed; inset: 0; overflow: hidden }}
  .stage {{ position: absolute; inset: 0 }}
  [data-lit] {{ position: absolute; left: 100px; top: 100px; width: 60px; height: 60px }}
  .card {{ position: absolute; left: 300px; top: 20px; width: 120px; height: 80px; background: white }}
  button {{ position: absolute; left: 320px; top: 200px; width: 90px; height: 48px }}
</style><div class=table><div class=stage data-zoomed=false><i data-lit></i></div>
<div class=card><p class=name style="margin: 0">A name</p></div><button>Go</button>{extra}</div>"""

PLANTS = {  # what is planted, and what is to be found
    "": [],
    "<div class=card style='left: 110px; top: 110px'></div>": ["covered", "over"],
    "<div class=card style='left: 155px; top: 100px; width: 60px'></div>": ["over"],
    "<div class=card style='left: 350px; top: 60px'></div>": ["overlap"],
    "<div class=card style='left: 410px; top: 180px'></div>": [],
    "<button style='left: 330px; top: 210px'>Stop</button>": ["covered", "overlap"],
    "<button style='left: 500px; width: 30px'>i</button>": ["small"],
    "<button style='left: 780px'>Far</button>": ["cut"],
    "<div class=card style='top: 260px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap'>"
    "A name that is longer</div>": ["clipped"],
    "<div class=card style='top: 260px; height: 20px'>Words that need more lines than this</div>": ["spills"],
    "<div class=card style='top: 260px; width: 30px; word-break: break-all'>Explorer</div>": ["broken"],
    "<div class=card style='top: 260px; overflow: auto'>Words that<br>need<br>more<br>lines<br>than this</div>": [],
    "<div class=card style='top: 260px; overflow: auto'>Words that<br>need<br>more<br>lines<br>"
    "<span style='white-space: nowrap'>than there are beside them</span></div>": ["clipped", "spills"],
    "<div class=card style='top: 260px; overflow-x: auto'><span style='white-space: nowrap'>One line that is long"
    "</span></div>": [],
    "<b style='position: absolute; left: 302px; top: 22px'>Other</b>": ["text over text"],
    "<i data-lit style='left: -90px'></i>": ["offstage"],
    "<svg style='position: absolute; left: 500px; top: 40px; width: 90px; height: 90px'><g class=dice>"
    "<rect class=die width=20 height=20 /><rect class=die x=17 y=17 width=20 height=20 /></g><g class=dice>"
    "<rect class=die x=23 width=20 height=14 /></g></svg>": [],
    "<svg style='position: absolute; left: 500px; top: 40px; width: 90px; height: 90px'><g class=dice>"
    "<rect class=die width=20 height=20 /><rect class=die x=17 y=17 width=20 height=20 /></g><g class=dice>"
    "<rect class=die x=16 width=20 height=14 /></g></svg>": ["overlap"],
    "<svg style='position: absolute; left: 500px; top: 40px; width: 90px; height: 90px'><g class=dice>"
    "<rect class=die width=20 height=20 /><rect class=die x=13 width=20 height=20 /></g></svg>": ["overlap"],
    "<span data-clock style='position: absolute; left: 290px; top: 30px; width: 40px; height: 20px'></span>": [
        "overlap"
    ],
}


@pytest.fixture(scope="module")
def plain(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 844, "height": 390})
    yield page
    page.close()


@pytest.mark.parametrize(("planted", "kinds"), PLANTS.items())
def test_planted_faults_are_found(plain: Page, planted: str, kinds: list[str]) -> None:
    plain.set_content(TABLE.format(extra=planted if "data-lit" not in planted else ""))
    if "data-lit" in planted:
        plain.evaluate("(html) => document.querySelector('.stage').insertAdjacentHTML('beforeend', html)", planted)
    found = plain.evaluate(LOOK, {"touch": True})
    assert sorted({kind for kind, *_ in found}) == sorted(kinds), found


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_that_still_speaks_another_language_is_found(plain: Page, language: str) -> None:
    """Each language's word for a district of Atlandice, on a page that says it is in Portuguese."""
    word = load_text_catalogue("atlandice", language)["term.library"]
    plain.set_content(TABLE.format(extra=f"<p>{word}</p>").replace("<style>", "<html lang=pt-BR><style>", 1))
    plain.evaluate(TONGUES, texts_of_other_languages())
    assert plain.evaluate(STRANGE, "pt") == ("" if language == "pt" else word)
    assert plain.evaluate(STRANGE, "bg") == ("pt-BR" if language == "bg" else word)
