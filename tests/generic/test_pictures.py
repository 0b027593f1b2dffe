"""Pictures of every game: files that need nothing else, of what a seat may see, and safe whatever names are in them."""

import json
import re
import xml.etree.ElementTree as ET
from typing import Final

import pytest

import landfall
from landfall.core import svg_drawing as look
from landfall.core.rng import Rng
from landfall.core.state import OVER, State
from landfall.game_checks.option_combinations import Combo, combination_label, covering_combinations
from landfall.game_checks.position_checks import random_game_positions
from landfall.games import BUILT_IN_GAMES, GAME_NAMES
from landfall.lab import pictures
from landfall.match import Match

pytestmark = pytest.mark.once

EACH: Final = [
    pytest.param(name, combo, id=f"{name}-{combination_label(combo)}")
    for name in GAME_NAMES
    for combo in covering_combinations(name)[:2]
]
SVG: Final = "{http://www.w3.org/2000/svg}"
HOSTILE: Final = [
    '</text><script>alert(1)</script>"',
    "'&amp;<img src=x onerror=alert(1)>",
    "\x00\x1b\u202e]]>",
    "x" * 5000,
]
SHAPES: Final = {"svg", "defs", "g", "use", "path", "rect", "circle", "ellipse", "text", "style"}
ALLOWED: Final = SHAPES | {"linearGradient", "radialGradient", "stop"}


def parsed(text: str) -> ET.Element:
    """The file as a program reads it: well formed, nothing but shapes, and nothing it points at is missing."""
    root = ET.fromstring(text)
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert tags <= ALLOWED, tags - ALLOWED
    assert not [name for element in root.iter() for name in element.attrib if name.lower().startswith("on")]
    idents = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    assert len(idents) == len(set(idents)), "two parts with one name"
    linked = set(re.findall(r'(?:href="#|url\(#)([^")]+)', text))
    assert linked <= set(idents), linked - set(idents)
    assert "var(" not in text
    assert "http" not in text.replace("http://www.w3.org/2000/svg", ""), "it fetches something"
    return root


def some(name: str, combo: Combo) -> list[State]:
    """Positions over a whole random match, each in another phase."""
    found: dict[str, State] = {}
    every = 7 if name in BUILT_IN_GAMES else 1  # another game may be short
    for n, state in enumerate(random_game_positions(landfall.game(name).new(*combo), Rng(4))):
        phase = state.view(None)["phase"] if n % every == 0 or state.actor == OVER else ""
        if phase and phase not in found:
            found[phase] = state.copy()
    return list(found.values())


@pytest.mark.parametrize(("name", "combo"), EACH)
def test_many_phases_are_drawn_for_everybody_from_views_alone(name: str, combo: Combo) -> None:
    drawn = set()
    there = some(name, combo)
    ours = name in BUILT_IN_GAMES
    if not ours and "picture" not in there[0].view(None):
        pytest.skip(f"{name} draws no picture: its view has no `picture` (docs/new-game.md, step 4)")
    assert len(there) > (3 if ours else 1)
    for state in there:
        for seat in (None, 0):
            text = state.svg(seat)
            parsed(text)
            assert text == pictures.render_svg(state.view(seat)), "it is a view that is drawn"
            drawn.add(text + json.dumps(state.view(seat).get("pieces")))
    assert there[-1]._repr_svg_() == there[-1].svg(None)
    assert len(drawn) >= (len(there) if ours else 2), "different positions look different"


@pytest.mark.parametrize("name", ["survive", "atlantis"])
def test_own_secrets_are_drawn_for_their_owner_alone(name: str) -> None:
    state = next(
        state for state in random_game_positions(landfall.game(name).new(3), Rng(6)) if state.svg(0) != state.svg(None)
    )
    assert state.svg(1) != state.svg(0)


@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_names_are_only_text(name: str) -> None:
    match = Match(name, 2, seed=1, seats=HOSTILE[:2])
    for names in (HOSTILE[:2], HOSTILE[2:]):
        root = parsed(pictures.render_svg(match.view(None), names))
        shown = [element.text or "" for element in root.iter(f"{SVG}text")]
        assert [text[:5] for text in shown] == [
            "".join(c if c.isprintable() else " " for c in who)[:5] for who in names
        ]
        assert all(len(text) <= look.MAX_NAME_LENGTH for text in shown)
        parsed(pictures.render_film([match.view(None)] * 2, names))


@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_a_film_shows_every_choice_and_draws_what_stays_once(name: str) -> None:
    match = Match(name, 2, seed=2)
    for _ in range(12):
        match.play(match.legal_actions()[0])
    shown = list(pictures.iterate_views_after_choices(match, None))
    assert len(shown) == 13
    assert shown[-1] == match.view(None)
    text = pictures.render_film(shown, ["ana", "ben"])
    root = parsed(text)
    assert len([element for element in root if element.attrib.get("class") == "f"]) == 13
    assert len(text) < 4 * len(pictures.render_svg(shown[-1], ["ana", "ben"]))


@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_pixels(name: str) -> None:
    view = landfall.game(name).new(3).view(None)
    pixels = pictures.render_rgb(view, 240)
    assert pixels.shape[1:] == (240, 3)
    assert pixels.dtype == "uint8"
    assert len({tuple(pixel) for row in pixels[::8] for pixel in row[::8]}) > 50, "it is empty"
    assert pictures.render_png(view, 240).startswith(b"\x89PNG")


def test_every_symbol_of_the_sheet_can_be_drawn_in_every_class() -> None:
    for around in ("", *look.load_class_colours()):
        sheet = look.SymbolSet()
        drawn = [
            sheet.draw_symbol(symbol, around=around)
            for symbol in look.load_symbol_definitions()
            if not symbol.startswith(("g-", "pat-"))
        ]
        root = parsed(look.Drawing(sheet, 10, 10, drawn).to_svg())
        assert len(drawn) > 100
        assert len(list(root.iter(f"{SVG}g"))) > 100
