"""How much a browser must fetch for home and for a table of each game."""

import gzip
import re
from pathlib import Path

import pytest

from tests.client.conftest import STATIC, Sit

pytestmark = pytest.mark.once
LIMIT, FONTS = 200_000, 250_000


@pytest.mark.parametrize(
    ("language", "game"), [("en", "survive"), ("bg", "survive"), ("bg", "atlantis"), ("bg", "atlandice")]
)
def test_home_and_a_table_are_light(sit: Sit, game: str, language: str) -> None:
    ana = sit(language=language).be()
    fetched: set[str] = set()
    ana.page.on("response", lambda answer: fetched.add(answer.url))
    ana.go("/").page.wait_for_load_state("networkidle")
    ana.quick(game, 2)
    ana.page.wait_for_load_state("networkidle")
    assert all(url.startswith(ana.url) for url in fetched), "something came from another host"
    files = {STATIC / re.sub(r"^https?://[^/]+/", "", url).partition("?")[0] for url in fetched if "/assets/" in url}
    assert len(files) > 4

    def weight(kinds: tuple[str, ...], size: object) -> int:
        return sum(size(path) for path in files if path.suffix in kinds)  # type: ignore[operator]

    assert weight((".js", ".css", ".svg"), packed) < LIMIT
    assert weight((".woff2",), lambda path: path.stat().st_size) < FONTS


def packed(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 9))
