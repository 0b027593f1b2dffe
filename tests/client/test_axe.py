"""Pages looked over by axe: a third of them in one language and theme, by `make proof` all in every one. No serious or
critical finding."""

import json
from typing import Any

import pytest

from landfall.core.languages import LANGUAGES
from landfall.tables.teaching import puzzles
from tests.client.conftest import Sit
from tests.client.match_records import greedy_match_record, greedy_record_until_first_seat_asked, random_match_record
from tests.client.page_player import Player
from tests.repository_files import REPO

pytestmark = pytest.mark.once
AXE = REPO / "client" / "node_modules" / "axe-core" / "axe.min.js"
PAGES = [
    "/", "/new/survive", "/new/atlantis", "/new/atlandice", "/learn/survive", "/learn/atlantis", "/learn/atlandice",
    "/lobby", "/me", "/first/survive", "/nowhere",
]  # fmt: skip
THEMES = ["light", "dark"]
SOME = [("bg", "dark")]
EVERY = [
    pytest.param(language, theme, marks=[] if (language, theme) in SOME else pytest.mark.proof)
    for language in LANGUAGES
    for theme in THEMES
]
SEEN = "{exclude: [['#app > svg']]}"  # all but the sheet the symbols are drawn from, which nobody sees
TABLES = [("survive", 4), ("atlantis", 3), ("atlandice", 2)]


def findings(page: Any) -> list[str]:
    """What axe has to say that weighs."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate(f"axe.run({SEEN}, {{resultTypes: ['violations'], preload: false}})")["violations"]
    heavy = [one for one in found if one["impact"] in ("serious", "critical")]
    return [f"{one['id']}: {json.dumps([node['html'][:160] for node in one['nodes'][:3]])}" for one in heavy]


def thought_about(ana: Player, looked: bool) -> list[tuple[str, str]]:
    """Puzzles, and in the proof a match that is looked back on (a bot thinks about it first): where they are, and what
    is to be seen there."""
    puzzle = next(iter(puzzles.load_puzzles_by_id("atlandice")))
    pages = [("/puzzles/atlantis", "a[href^='/puzzle/']"), (f"/puzzle/atlandice/{puzzle}", ".table .puzzle")]
    if looked:
        table = ana.opened(greedy_match_record("atlandice", 2), seat=0)
        pages.append((f"/replay/{table}/look", "[data-testid=look][data-state=kept]"))
    return pages


@pytest.mark.parametrize(("language", "theme"), EVERY)
def test_no_page_shuts_anybody_out(sit: Sit, language: str, theme: str) -> None:
    few = (language, theme) in SOME
    ana = sit(language=language, theme=theme, recap=True).set_name_by_request()
    found: dict[str, list[str]] = {}
    for path in PAGES[::3] if few else PAGES:
        found[path] = findings(ana.settled(path))
    for game, players in TABLES[-1:] if few else TABLES:
        ana.open_quick_table(game, players)
        ana.wait()
        found[f"{game} table"] = findings(ana.page)
        ana.opened(greedy_record_until_first_seat_asked(game, 3), 0)
        ana.page.wait_for_selector("[data-testid=recap]")
        found[f"{game} recap"] = findings(ana.page)
    for path, there in thought_about(ana, looked=not few):
        ana.go(path).page.wait_for_selector(there)
        found[path] = findings(ana.page)
    assert {path: heavy for path, heavy in found.items() if heavy} == {}


@pytest.mark.parametrize("game", ["survive", "atlantis", "atlandice"])
def test_no_end_of_a_match_shuts_anybody_out(sit: Sit, game: str) -> None:
    ana = sit().set_name_by_request()
    ana.opened(random_match_record(game, 2), 0)
    ana.page.wait_for_selector("[data-testid=end]")
    assert findings(ana.page) == []
