"""What players read: notation, words for choices, previews, explanations, texts in four languages."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

import landfall
from landfall.core.errors import NotationError
from landfall.core.languages import LANGUAGES
from landfall.core.rng import Rng
from landfall.core.state import list_choices_one_by_one
from landfall.core.text_catalogue import load_text_catalogue, translate
from landfall.games.atlantis.game_definition import GAME
from landfall.games.atlantis.rules.codes import NUM_ACTIONS, NUM_OUTCOMES

from .long_checks import new_state
from .position_builder import state_from_text

ROOM = Path(landfall.__file__).parent / "games" / "atlantis"


def test_every_action_and_outcome_is_read_back_from_its_notation() -> None:
    state = state_from_text("blue1(Blue A) pink2 white3; Blue: pink")
    texts = [state.notation(action) for action in range(NUM_ACTIONS + NUM_OUTCOMES)]
    assert len(set(texts)) == len(texts)
    assert [state.parse(text) for text in texts] == list(range(NUM_ACTIONS + NUM_OUTCOMES))
    assert max(map(len, texts)) <= 11


@pytest.mark.parametrize(
    "text", ["", "D pink", "A purple", "pay", "pay pink9", "buy pink", "bridge x", "bridge 54", "?", "no"]
)
def test_a_text_that_is_no_action_is_quoted(text: str) -> None:
    state = state_from_text("blue1(Blue A) pink2 white3; Blue: pink")
    with pytest.raises(NotationError) as error:
        state.parse(text)
    assert repr(text) in str(error.value)


def test_a_preview_tells_hops_bill_and_tile_for_each_card_of_each_figure() -> None:
    line = "grey1(Blue A) blue5 ~ white3(White A) ~ grey2 brown1(Blue B); Blue: white grey green4 C@mainland"
    preview = state_from_text(line).preview(0)
    figures = preview["figures"]
    assert isinstance(figures, dict)
    assert list(figures) == ["A", "B"]
    grey, white = figures["A"]
    assert grey == {
        "card": "grey",
        "to": "33",
        "occupied": False,
        "bill": 3 + 2,
        "takes": {"at": 29, "kind": "blue", "value": 5},
        "pay": {"tiles": [{"kind": "green", "value": 4}], "cards": {"white": 1}, "sum": 5},
        "rule": None,
    }
    assert (white["to"], white["occupied"], white["bill"], white["takes"]) == ("31", True, 3, None)
    assert white["rule"] == "AT.G4"  # 5 to pay, and only green4 left
    assert white["then"] == []
    richer = state_from_text(line.replace("green4", "green5")).preview(0)["figures"]
    assert isinstance(richer, dict)
    assert richer["A"][1]["rule"] is None
    assert [(r["card"], r["to"], r["bill"]) for r in richer["A"][1]["then"]] == [("grey", "33", 5)]
    assert state_from_text(line).preview(1) == {}


@pytest.mark.parametrize(
    ("held", "tiles", "cards", "paid"),
    [
        ("grey5 white2 blue1", "grey5", {}, 5),  # exactly, with one tile
        ("grey7 white2 blue3", "blue3 white2", {}, 5),
        ("grey7 white2", "white2", {"green": 2, "pink": 1}, 5),  # cards rather than more than the price
        ("grey4 blue1 brown2 white3", "blue1 grey4", {}, 5),  # of equal ways the one that leaves most to buy with
        ("grey6", "", {"green": 3, "pink": 2}, 5),
        ("", "", {"green": 3, "pink": 2}, 5),
    ],
)
def test_the_cheapest_way_to_pay_is_suggested(held: str, tiles: str, cards: dict[str, int], paid: int) -> None:
    line = f"grey1(Blue A) blue5 ~ white5 brown1; Blue: white 3green 2pink {held}"
    state = state_from_text(line)
    preview = state.preview(0)["figures"]
    assert isinstance(preview, dict)
    (white,) = [route for route in preview["A"] if route["card"] == "white"]
    said = white["pay"]
    assert said is not None
    faces = sorted(f"{tile['kind']}{tile['value']}" for tile in said["tiles"])
    assert (" ".join(faces), said["cards"], said["sum"]) == (tiles, cards, paid)
    state.apply(state.parse("A white"))
    assert state.preview(0) == {"pay": white["pay"]}
    for tile in said["tiles"]:
        state.apply(state.parse(f"pay {tile['kind']}{tile['value']}"))
    for kind, number in said["cards"].items():
        for _ in range(number):
            state.apply(state.parse(f"pay {kind}"))
    assert state.view(0)["phase"] != "paying"


def test_cards_bought_this_turn_are_not_suggested() -> None:
    state = state_from_text("grey1(Blue A) ~ white5 blue1; Blue: white pink green2")
    state.apply(state.parse("buy green2"))
    state.apply(state.parse("pink"))
    state.apply(state.parse("A white"))
    assert state.preview(0) == {"pay": {"tiles": [], "cards": {"pink": 1}, "sum": 1}}


def test_the_end_crossing_is_described_figure_by_figure() -> None:
    path = "grey4(Blue A) ~ brown2 = white5 ~ pink3(Blue B)"
    white = "White: A@mainland B@mainland C@mainland"
    view = state_from_text(f"{path}; turn: White; Blue: 7grey pink4; {white}; now: done figure=A from=30").view(0)
    crossing = view["crossing"]
    assert isinstance(crossing, list)
    assert crossing[0]["bill"] == 10
    assert crossing[0]["gives"] == {"tiles": [{"kind": "pink", "value": 4}], "cards": {"grey": 6}, "sum": 10}
    assert [(f["figure"], f["bill"]) for f in crossing[0]["figures"]] == [("A", 5), ("B", 0), ("C", 5)]
    assert crossing[1] == {"figures": [], "bill": 0, "gives": {"tiles": [], "cards": {}, "sum": 0}}
    assert view["ranking"][0]["seats"] == [0]


def test_a_touch_that_is_no_action_is_explained() -> None:
    state = state_from_text("blue1(Blue A) pink2(White A) ~ white3 ~ grey4; Blue: white grey B@mainland")
    assert state.why_cannot_move(1, "A", "31") == "LF.2"
    assert state.why_cannot_move(0, "B", "31") == "AT.T5"
    assert state.why_cannot_move(0, "A", "29") == "AT.T3"
    assert state.why_cannot_move(0, "A", "31") == "AT.G4"
    assert state.why_cannot_move(0, "bridge", "30") == "AT.G5"
    assert state.why_cannot_move(0, "bridge", "x") == "LF.1"
    assert state_from_text("blue1(Blue A) pink2; Blue: pink").why_cannot_move(0, "A", "29") is None
    assert state_from_text("blue1(Blue A) ~ ~ pink2; Blue: grey bridge").why_cannot_move(0, "bridge", "30") is None


def test_a_choice_says_what_it_costs() -> None:
    state = state_from_text("blue1(Blue A) pink2 white3; Blue: pink grey4")
    costs = {choice["text"]: choice["loses"] for choice in list_choices_one_by_one(state, 0)}
    assert costs["buy grey4"] == ["grey4"]
    assert costs["A pink"] == []


def test_every_rule_that_forbids_has_a_sentence() -> None:
    found = set()
    for source in ROOM.rglob("*.py"):
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.fullmatch(r"AT\.\w+", node.value):
                found.add(node.value)
    assert found >= {"AT.T1", "AT.T2", "AT.T3", "AT.T5", "AT.T6", "AT.G3", "AT.G4", "AT.G5"}
    for rule in found:
        assert f"why.{rule}" in load_text_catalogue("atlantis", "en"), rule


@pytest.mark.parametrize("language", LANGUAGES)
def test_events_choices_and_questions_are_said_in_full(language: str) -> None:
    names = ["P1", "P2", "P3", "P4"]
    for seed in range(3):
        match, rng = landfall.Match("atlantis", 2 + seed, seed=seed), Rng(seed)
        while match.actor != landfall.OVER:
            view = match.view(match.actor)
            assert f"{view['ask']}" in load_text_catalogue("atlantis", language)
            for choice in list_choices_one_by_one(match.state, match.actor):
                said = translate(language, f"act.{choice['verb']}", choice, "atlantis", names)
                assert "{" not in said, said
                assert "act." not in said
            match.play(int(match.state.random_action(rng)))
        for reader in (0, None):
            for event in match.events(0, reader):
                said = translate(language, f"event.{event['kind']}", event, "atlantis", names)
                assert "{" not in said, said
                assert "event." not in said
                json.dumps(event)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_board_is_drawn_for_a_terminal(language: str) -> None:
    line = (
        "blue1(Blue A) pink2(White A) ~ white3+ = grey4; Blue: white pink grey5 bridge; White: pink! 2grey C@mainland"
    )
    text = GAME.render_terminal(state_from_text(line).view(0), language)
    for part in ("blue1", "whit3+", "~~~", "===", "grey5", " A ", "1×pink", "2×?"):
        assert part in text, part
    assert translate(language, "term.mainland", game="atlantis") in text
    state, rng = new_state(3), Rng(4)
    while state.actor != landfall.OVER:
        state.apply(state.sample_chance(rng) if state.actor < 0 else state.random_action(rng))
        assert GAME.render_terminal(state.view(None), language)
