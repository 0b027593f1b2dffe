"""How much a browser must fetch for home and for a table of each game, and what it must draw."""

import gzip
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from landfall.core.languages import LANGUAGES
from tests.client.conftest import STATIC, Sit
from tests.conftest import lacking

pytestmark = pytest.mark.once
# 8,000 of it are the navigation of people who have a name; most is needed in Bulgarian at a table of Survive
LIMIT, FONTS = 200_000, 250_000
CARD = """() => {
  const context = document.createElement('canvas').getContext('webgl')
  const told = context?.getExtension('WEBGL_debug_renderer_info')
  return told ? context.getParameter(told.UNMASKED_RENDERER_WEBGL) : null
}"""
ENDLESS = """() => document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().iterations === Infinity && one.playState === 'running')
  .map((one) => `${one.animationName} of ${one.effect.target.getAttribute('class')}`)"""


@pytest.mark.parametrize(
    ("language", "game"),
    [*((language, "survive") for language in LANGUAGES), ("bg", "atlantis"), ("bg", "atlandice")],
)
def test_home_and_a_table_are_light(sit: Sit, game: str, language: str) -> None:
    ana = sit(language=language).set_name_by_request()
    fetched: set[str] = set()
    ana.page.on("response", lambda answer: fetched.add(answer.url))
    ana.go("/").page.wait_for_load_state("networkidle")
    ana.open_quick_table(game, 2)
    ana.page.wait_for_load_state("networkidle")
    assert all(url.startswith(ana.url) for url in fetched), "something came from another host"
    files = {STATIC / re.sub(r"^https?://[^/]+/", "", url).partition("?")[0] for url in fetched if "/assets/" in url}
    assert len(files) > 4

    def weight(kinds: tuple[str, ...], size: object) -> int:
        return sum(size(path) for path in files if path.suffix in kinds)  # type: ignore[operator]

    assert weight((".js", ".css", ".svg"), packed) < LIMIT
    assert weight((".woff2",), lambda path: path.stat().st_size) < FONTS


def test_every_text_is_packed_when_the_client_is_built() -> None:
    texts = [path for path in STATIC.rglob("*") if path.suffix in (".js", ".css", ".svg", ".html", ".txt")]
    large = [path for path in texts if path.stat().st_size >= 1000]
    assert len(large) > 20
    for path in large:
        assert gzip.decompress(Path(f"{path}.gz").read_bytes()) == path.read_bytes()
        assert Path(f"{path}.br").stat().st_size < Path(f"{path}.gz").stat().st_size


def test_beside_every_font_that_is_built_stands_its_licence() -> None:
    fonts = {path.name.partition("-")[0] for path in STATIC.rglob("*.woff2")}
    assert len(fonts) == 2
    for font in fonts:
        text = (STATIC / "licences" / f"{font}.txt").read_text()
        assert "SIL OPEN FONT LICENSE Version 1.1" in text
        assert f"The {font.capitalize()} Project Authors" in text


def test_the_licence_of_every_font_comes_with_it_and_can_be_read(sit: Sit) -> None:
    used = json.loads((STATIC.parents[3] / "client" / "package.json").read_text())["devDependencies"]
    fonts = [name.removeprefix("@fontsource/") for name in used if name.startswith("@fontsource/")]
    assert len(fonts) == 2
    ana = sit().go("/me/account")
    for font in fonts:
        with ana.page.expect_popup() as opened:
            ana.page.get_by_role("link", name=font.capitalize()).click()
        text = opened.value.text_content("body") or ""
        assert "SIL Open Font License" in text
        assert f"The {font.capitalize()} Project Authors" in text
        opened.value.close()


@pytest.mark.parametrize("game", ["survive", "atlantis", "atlandice"])
def test_nothing_moves_all_the_time_where_no_graphics_card_draws_it(sit: Sit, game: str) -> None:
    ana = sit(speed="normal").set_name_by_request()
    ana.open_quick_table(game, 2)
    expect(ana.page.locator(".table[data-busy=false]")).to_be_visible()
    name = ana.page.evaluate(CARD)
    if name is not None and not re.search("SwiftShader|llvmpipe", name):
        lacking(f"a browser without a graphics card (this one has {name})")
    assert ana.page.evaluate(ENDLESS) == []


def packed(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 9))
