"""What games declare that they tell: it is what they tell, all of it is told, and every text fits it."""

import json
from functools import cache
from typing import Any, Final

import pytest

import landfall
from landfall.core.languages import LANGUAGES
from landfall.core.text_catalogue import load_text_catalogue
from landfall.core.text_template import list_slots, template_argument_names
from landfall.game_checks.option_combinations import client_made_words, covering_combinations
from landfall.games import BUILT_IN_GAMES, GAME_NAMES, has_game_module
from landfall.web.codegen import generated_files
from landfall.web.codegen.schema_from_types import build_common_definitions, build_game_schema
from tests.generic.schema_conformance import Witness
from tests.repository_files import REPO

DECLARED: Final = [name for name in GAME_NAMES if has_game_module(name, "message_types")]  # an outside game need not

# Moments that random games hardly ever come to: a position, and what is done in it.
RARE: Final[dict[str, tuple[str, list[str]]]] = {
    "atlandice": (
        "1a: 8g 9w 2d; 2a: 9b d; 3a: 9p d; 4a: 9t d sub; 5b: g d; 6: 3g 3b 3p 3t 3w 3d; Red:; Blue:; Green:; Yellow:; "
        "clock: 0; now: die round=1",
        ["d5", "+5g"],
    ),
    "atlantis": (
        "blue4 = pink2 ~ grey3 brown3(Blue A); turn: Blue; Blue: pink; White: A@mainland",
        ["B pink"],
    ),
}

MOST_GAMES: Final = 60  # of each option, before something declared counts as never sent

# Declared, and not told by a game itself.
ELSEWHERE: Final = {
    "View.own": "a replay with open eyes puts it in",
    "View.picture": "only a game that the client has no drawings for",
    "View.drawing": "only a game that the client has no drawings for",
    "View.spots": "only a game that the client has no drawings for",
    "View.pieces": "only a game that the client has no drawings for",
    "PictureSpot.text": "only a game that the client has no drawings for",
    "PictureSpot.box": "only a game that the client has no drawings for",
    "PicturePiece.id": "only a game that the client has no drawings for",
    "PicturePiece.picture": "only a game that the client has no drawings for",
    "PicturePiece.box": "only a game that the client has no drawings for",
}


@cache
def witness(name: str) -> Witness:
    """One that has seen some random games of each option."""
    seen = Witness(name)
    compiled = landfall.ENGINE == "compiled"
    for combo in covering_combinations(name):
        for seed in range(5 if compiled else 1):
            seen.play(combo, seed, look_every=60)
    if name in RARE:
        seen.follow(*RARE[name])
    for seed in range(5, MOST_GAMES if compiled else 0):  # a game whose random matches seldom come to something
        if seen.never() <= ELSEWHERE.keys():
            break
        for combo in covering_combinations(name):
            seen.play(combo, seed, look_every=60)
    return seen


@pytest.mark.once
def test_generated_files_are_those_the_declarations_make() -> None:
    stale = [
        str(path)
        for path, text in generated_files.render_generated_files(REPO).items()
        if path.read_text("utf-8") != text
    ]
    assert stale == [], "run: landfall types --write"


@pytest.mark.parametrize("name", DECLARED)
def test_all_that_is_sent_is_declared(name: str) -> None:
    assert len(witness(name).met) > 3 * len(witness(name).never())


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", DECLARED)
def test_all_that_is_declared_is_sent(name: str) -> None:
    never = witness(name).never() - ELSEWHERE.keys()
    if never and name not in BUILT_IN_GAMES:  # it may be rare in random games, and we know no better ones
        pytest.skip(f"{name}: not sent in {MOST_GAMES} random games of each option: {', '.join(sorted(never))}")
    assert never == set()


def test_every_game_of_ours_declares_what_it_sends() -> None:
    assert set(BUILT_IN_GAMES) <= set(DECLARED)


def fields(name: str, root: str, by: str) -> dict[str, dict[str, Any]]:
    """The declared records of a union, by each word that tells them apart."""
    defs = build_game_schema(name)["$defs"]
    union = defs[root].get("anyOf", [{"$ref": f"#/$defs/{root}"}])
    records = [defs[part["$ref"].rpartition("/")[2]] for part in union]
    found: dict[str, dict[str, Any]] = {}
    for record in records:
        tag = record["properties"][by]
        found |= dict.fromkeys(tag.get("enum", [tag.get("const")]), record)
    return found


def misfits(name: str, language: str) -> list[str]:
    """Texts of events and choices that name what their event or choice has not, or has not always."""
    events, words = fields(name, "Event", "kind"), fields(name, "Choice", "verb") | fields(name, "Outcome", "verb")
    wrong = []
    for key, text in load_text_catalogue(name, language).items():
        room, _, rest = key.partition(".")
        if room not in ("event", "act"):
            continue
        known = rest.removesuffix(".known")
        record = (events if room == "event" else words).get(known)
        if record is None:
            wrong.append(f"{key}: nothing of that name is declared")
            continue
        given = record["properties"] if known != rest else {k: record["properties"][k] for k in record["required"]}
        for slot in list_slots(text):
            if slot.name not in given:
                wrong.append(f"{key}: {slot.name} names no field of it")
            elif slot.kind == "seat" and slot.name not in ("seat", "seats"):
                wrong.append(f"{key}: {slot.name} is no seat")
    return wrong


@pytest.mark.once
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", DECLARED)
def test_every_placeholder_names_a_field_of_its_event_or_choice(name: str, language: str) -> None:
    assert misfits(name, language) == []


def client_messages(name: str, language: str) -> dict[str, str]:
    """What the client's folder for a game says besides the game's own catalogue."""
    path = REPO / "client" / "src" / "games" / name / "messages" / f"{language}.json"
    found: dict[str, str] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found


def told_wrong(name: str, texts: dict[str, str]) -> list[str]:
    """Sentences of the client about events (`<game>.log.<kind>`, or `<game>.log.<kind>.<kind>` for two in one sentence;
    with `.you` to the reader) that ask for what their event has not."""
    events, wrong = fields(name, "Event", "kind"), []
    for key, text in texts.items():
        kind, _, form = key.removeprefix(f"{name}.log.").removesuffix(".you").partition(".")
        if not key.startswith(f"{name}.log."):
            continue
        if kind not in events:
            wrong.append(f"{key}: no such event is declared")
            continue
        properties, required = dict(events[kind]["properties"]), list(events[kind]["required"])
        second, _, rest = form.partition(".")
        if second in events:
            properties |= events[second]["properties"]
            required += events[second]["required"]
            form = rest
        words = load_text_catalogue(name, "en")
        if form not in ("", "known", "open") and not any(f"{field}.{form}" in words for field in properties):
            wrong.append(f"{key}: {form} is no word of a field of it")
        given = properties if form in ("known", "open") else {k: properties[k] for k in required}
        for argument in sorted(template_argument_names(text)):
            if client_made_words(name).get(argument, {argument}).isdisjoint(given):
                wrong.append(f"{key}: {argument} is made from no field of it")
    return wrong


@pytest.mark.once
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", DECLARED)
def test_every_placeholder_of_the_clients_own_sentences_is_made_from_its_event(name: str, language: str) -> None:
    assert told_wrong(name, client_messages(name, language)) == []


@pytest.mark.once
def test_a_client_sentence_that_does_not_fit_its_event_is_found() -> None:
    texts = client_messages("survive", "en")
    assert sum(key.startswith("survive.log.") for key in texts) > 30
    for key, text in (
        ("sunk", "{tile}."),
        ("sank", "gone"),
        ("moved.flown", "up"),
        ("placed", "worth {value}"),
        ("sunk.you", "{tile}."),
        ("sunk.kept", "{back}."),
        ("sunk.burnt", "gone"),
    ):
        assert len(told_wrong("survive", {**texts, f"survive.log.{key}": text})) == 1


@pytest.mark.once
@pytest.mark.parametrize("name", DECLARED)
def test_every_event_and_choice_has_a_text(name: str) -> None:
    texts = load_text_catalogue(name, "en")
    verbs = [*fields(name, "Choice", "verb"), *fields(name, "Outcome", "verb")]
    assert [kind for kind in fields(name, "Event", "kind") if f"event.{kind}" not in texts] == []
    assert [verb for verb in verbs if f"act.{verb}" not in texts] == []


@pytest.mark.once
@pytest.mark.parametrize("name", DECLARED)
def test_what_a_game_tells_is_what_all_games_have_and_more(name: str) -> None:
    view = build_game_schema(name)["$defs"]["View"]
    for field, shape in build_common_definitions()["View"]["properties"].items():
        assert view["properties"][field] == shape
        assert (field in view["required"]) == (field in build_common_definitions()["View"]["required"])


@pytest.mark.once
def test_a_fault_would_be_found() -> None:
    seen = Witness("atlantis")
    turn = {"kind": "turn", "seat": 1}
    assert seen.fault(turn, "Event") == ""
    assert "not declared" in seen.fault({**turn, "colour": "blue"}, "Event")
    assert "lacks" in seen.fault({"kind": "turn"}, "Event")
    assert "no integer" in seen.fault({"kind": "turn", "seat": True}, "Event")
    assert seen.fault({"kind": "turned", "seat": 1}, "Event")
    assert "Took.at" in seen.never()
    assert "TurnBegan.kind=turn" not in seen.never()
