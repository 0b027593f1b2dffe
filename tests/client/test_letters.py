"""Chinese and Bulgarian are drawn by fonts that have their letters, not as boxes."""

import subprocess
import unicodedata

import pytest

from tests.client.conftest import Sit
from tests.conftest import lacking

pytestmark = pytest.mark.once


def families(pattern: str) -> set[str]:
    """The names of this machine's fonts that a pattern fits."""
    found = subprocess.run(["fc-list", pattern, "family"], capture_output=True, text=True, check=False).stdout
    return {name.strip() for line in found.splitlines() for name in line.split(",")}


def covering(text: str) -> set[str]:
    """The names of this machine's fonts that have every letter of a text which is not Latin."""
    letters = {c for c in text if c.isalpha() and not unicodedata.name(c).startswith("LATIN")}
    assert letters, f"nothing in {text!r} needs a font of its own"
    return families(":charset=" + " ".join(f"{ord(c):x}" for c in sorted(letters)))


@pytest.mark.parametrize(("language", "text", "title"), [("zh", None, None), ("bg", "Carlito", "Vollkorn")])
def test_letters_are_drawn_by_a_font_that_has_them(
    sit: Sit, language: str, text: str | None, title: str | None
) -> None:
    """Bulgarian by the fonts that come with the client; Chinese by any of the machine's that has the letters."""
    if not families(f":lang={language}"):
        lacking(f"a font for {language} (make machine)")
    ana = sit(language=language).go("/")
    ana.page.wait_for_selector("h1")
    ana.page.evaluate("document.fonts.ready")
    session = ana.page.context.new_cdp_session(ana.page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    for selector, ours in (("main p", text), ("h1", title)):
        node = session.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
        found = session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
        most = max(found, key=lambda font: font["glyphCount"])
        if ours:
            assert most["familyName"] == ours
            assert most["isCustomFont"]
        else:
            assert most["familyName"] in covering(ana.page.locator(selector).first.inner_text())
