"""Chinese and Bulgarian are drawn by fonts that have their letters, not as boxes."""

import subprocess

import pytest

from tests.client.conftest import Sit
from tests.conftest import lacking

pytestmark = pytest.mark.once


@pytest.mark.parametrize(
    ("language", "text", "title"), [("zh", "Noto Sans CJK SC", "Noto S"), ("bg", "Carlito", "Vollkorn")]
)
def test_letters_are_drawn_by_a_font_that_has_them(sit: Sit, language: str, text: str, title: str) -> None:
    if not subprocess.run(["fc-list", f":lang={language}"], capture_output=True, text=True, check=False).stdout:
        lacking(f"a font for {language} (make machine)")
    ana = sit(language=language).go("/")
    ana.page.wait_for_selector("h1")
    ana.page.evaluate("document.fonts.ready")
    session = ana.page.context.new_cdp_session(ana.page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]

    def fonts(selector: str) -> list[str]:
        node = session.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
        found = session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
        return [font["familyName"] for font in sorted(found, key=lambda font: -font["glyphCount"])]

    assert fonts("main p")[0] == text
    assert fonts("h1")[0].startswith(title)
