"""Every sentence of the client in four languages: none missing, unused, or with other arguments; types are fresh."""

import json
import re
from functools import cache
from pathlib import Path

import pytest

from landfall.core.languages import LANGUAGES
from landfall.core.text_template import list_slots, template_argument_names
from landfall.web.codegen.message_schemas import build_socket_schema
from landfall.web.codegen.typescript import types_to_typescript
from tests.repository_files import REPO

pytestmark = pytest.mark.once
SOURCE = REPO / "client" / "src"
LAZY = {folder.name: folder for folder in (SOURCE / "messages" / "lazy").iterdir()}
GAMES = {folder.parent.name: folder for folder in SOURCE.glob("games/*/messages")}
OWN = sorted({texts.parent for texts in (SOURCE / "messages").rglob("en.json")})
FOLDERS = [path for name in ("card", "messages", "lesson", "spoken") for path in SOURCE.glob(f"games/*/{name}")]
PARTS = sorted(str(folder.relative_to(SOURCE)) for folder in (*OWN, *FOLDERS))


@cache
def messages(part: str, language: str) -> dict[str, str]:
    path = SOURCE / part / f"{language}.json"
    found: dict[str, str] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found


def source_files() -> list[Path]:
    return [p for p in sorted(SOURCE.rglob("*")) if p.suffix in (".ts", ".svelte") and not p.name.endswith(".test.ts")]


@cache
def source() -> str:
    return "\n".join(p.read_text(encoding="utf-8") for p in source_files())


def said(text: str) -> set[str]:
    """The arguments that are said as they are; a number may only bend words, and some languages bend none."""
    return {slot.name for slot in list_slots(text) if not slot.choice or any("#" in form for _, form in slot.forms)}


def all_keys() -> set[str]:
    return {key for part in PARTS for key in messages(part, "en")}


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_has_the_keys_and_arguments_of_the_english_one(part: str, language: str) -> None:
    english, other = messages(part, "en"), messages(part, language)
    assert list(other) == [key for key in english if key in other], "other keys, or another order"
    assert [key for key, text in other.items() if not text.strip()] == []
    assert {key for key in other if said(english[key]) != said(other[key])} == set()
    assert {
        key for key in other if not template_argument_names(other[key]) <= template_argument_names(english[key])
    } == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_survive_asks_for_is_a_sentence(language: str) -> None:
    asked = ("placing", "shipsleft", "sinkwhat", "orpass", "ormove", "mini", "yourdefence", "points", "costs")
    texts = [messages("games/survive/messages", language)[f"survive.{key}"] for key in asked]
    assert [text for text in texts if text[0].islower() or text[-1] not in ".。"] == []


def test_no_key_is_in_two_parts() -> None:
    keys = [key for part in PARTS for key in messages(part, "en")]
    assert len(keys) == len(set(keys))


def test_every_part_is_loaded_in_every_language() -> None:
    for language in LANGUAGES:
        loaded = (SOURCE / "messages" / f"{language}.ts").read_text(encoding="utf-8")
        assert f"'./*/{language}.json'" in loaded
        assert f"'../games/*/card/{language}.json'" in loaded


IMPORT = re.compile(r"""(?:from\s*|import\s*\(?\s*)['"](\.[^'"?]+)['"]""")
GLOB = re.compile(r"""import\.meta\.glob(?:<[^(]*>)?\(\s*'(\.[^']+\.(?:ts|svelte))'""")
ROW = re.compile(r"""import\('([^']+)'\)((?:, '\w+')*)\]""")


def lazily_loaded(file: Path, parts: frozenset[str], seen: dict[Path, set[frozenset[str]]]) -> None:
    """Which lazy parts are loaded whenever a module is: those of its page, and of modules on the way to it."""
    text = file.read_text(encoding="utf-8")
    rows = {(file.parent / path).resolve(): parts | set(re.findall(r"\w+", rest)) for path, rest in ROW.findall(text)}
    parts |= set(re.findall(r"loadTextPart\('(\w+)'\)", text))
    if "loadGameMessages(game)" in text:
        parts = parts.union(GAMES)
    if any(before <= parts for before in seen.setdefault(file, set())):
        return
    seen[file].add(parts)
    for name in IMPORT.findall(text):
        path = (file.parent / name).resolve()
        for found in (path, Path(f"{path}.ts")):
            if found.is_file() and found.suffix in (".ts", ".svelte"):
                lazily_loaded(found, frozenset(rows.get(found, parts)), seen)
    for pattern in GLOB.findall(text):
        for found in file.parent.glob(pattern):
            lazily_loaded(found.resolve(), parts, seen)


def lazy_keys_used(text: str) -> set[tuple[str, str]]:
    """The lazy parts that a module uses, each with one of its keys."""
    whole = set(re.findall(r"""['"`]([a-z]+\.[a-z_A-Z0-9.]+)['"`]""", text))
    prefixes = tuple(re.findall(r"`([a-z]+(?:\.[a-z_A-Z0-9]+)*\.)\$\{", text))
    return {
        (part, key)
        for part, folder in (LAZY | GAMES).items()
        for key in messages(str(folder.relative_to(SOURCE)), "en")
        if key in whole or (prefixes and key.startswith(prefixes))
    }


def test_lazy_texts_are_loaded_wherever_they_are_used() -> None:
    seen: dict[Path, set[frozenset[str]]] = {}
    lazily_loaded((SOURCE / "main.ts").resolve(), frozenset(), seen)
    wrong = {
        (file.name, part)
        for file, ways in seen.items()
        for part, _ in lazy_keys_used(file.read_text(encoding="utf-8"))
        if not all(part in parts for parts in ways)
    }
    assert wrong == set()
    elsewhere = [p for p in source_files() if p.resolve() not in seen]
    assert [p for p in elsewhere if lazy_keys_used(p.read_text(encoding="utf-8"))] == []


def test_every_message_is_used_and_every_used_one_is_there() -> None:
    text, keys = source(), all_keys()
    literal = set(re.findall(r"""['"`]([a-z]+\.[a-z_A-Z0-9.]+)['"`]""", text))
    prefixes = set(re.findall(r"`([a-z]+(?:\.[a-z_A-Z0-9]+)*\.)\$\{", text))
    forms = {base + form for base in literal & keys for form in re.findall(r"'(\.(?:you|both))'", text)}
    used = literal | forms
    unused = {key for key in keys if key not in used and not any(key.startswith(prefix) for prefix in prefixes)}
    assert unused == set()
    asked = set(re.findall(r"""\bt\(\s*['"]([a-z]+\.[a-z_A-Z0-9.]+)['"]""", text))
    assert asked - keys == set()


def calls(text: str) -> list[tuple[str, set[str]]]:
    """Each use of a sentence by its key, and the arguments it is given, where both can be read there."""
    found: list[tuple[str, set[str]]] = []
    for call in re.finditer(r"""\bt\(\s*'([^'\n]*)'""", text):
        inside = argument_text(text, call.start() + 1)
        given = re.search(r",\s*\{(.*)\}[\s,]*$", inside, re.DOTALL)
        if given is not None and "..." not in given.group(1):
            found.append((call.group(1), names_in(given.group(1))))
        elif "," not in inside:
            found.append((call.group(1), set()))
    return found


def argument_text(text: str, opening: int) -> str:
    """What stands between a bracket and the one that closes it."""
    depth = 0
    for at in range(opening, len(text)):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth == 0:
            return text[opening + 1 : at]
    return text[opening + 1 :]


def names_in(inside: str) -> set[str]:
    """The keys of an object as it is written."""
    depth, parts = 0, [""]
    for letter in inside:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return {found.group(1) for part in parts if (found := re.match(r"\s*(\w+)\s*(?::|$)", part))}


def not_given(text: str, language: str) -> list[str]:
    """Placeholders that a sentence has, and whoever says it gives nothing for."""
    words = {key: value for part in PARTS for key, value in messages(part, language).items()}
    wrong = []
    for key, given in calls(text):
        if key in words and not template_argument_names(words[key]) <= given:
            wrong.append(f"{key}: {template_argument_names(words[key]) - given} is not given")
    return wrong


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_placeholder_is_given_where_the_sentence_is_said(language: str) -> None:
    assert sum(bool(given) for _, given in calls(source())) > 100, "hardly any use was found"
    assert not_given(source(), language) == []


def test_a_placeholder_that_is_not_given_is_found() -> None:
    fine = "t('survive.end.saved', { n: row.saved.length, turns: turns(a, { b: 1 }) })"
    assert not_given(fine, "en") == []
    assert len(not_given(fine.replace("turns:", "rounds:"), "en")) == 1
    assert len(not_given("t('survive.end.saved')", "en")) == 1


def joined_in_code(text: str) -> list[str]:
    """Lists and sentences that the code joins with marks of one language."""
    return re.findall(r"""\.join\((?:', '|'; '|'\. '|' and ')\)""", text)


def test_lists_and_sentences_are_joined_by_the_languages_own_marks() -> None:
    assert joined_in_code("names.join(', ')")
    assert joined_in_code(source()) == []


def test_types_are_made_from_the_servers_messages() -> None:
    committed = Path(SOURCE / "lib" / "wire.ts").read_text(encoding="utf-8")
    assert committed == types_to_typescript(build_socket_schema()), (
        "run: landfall types --typescript > client/src/lib/wire.ts"
    )
