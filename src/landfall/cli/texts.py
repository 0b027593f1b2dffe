"""landfall texts: what a language lacks, and what is wrong in it. For translators: docs/translating.md."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from landfall import paths
from landfall.cli.common import EXIT_FAILED, exit_with_error, out
from landfall.core.languages import LANGUAGES, SOURCE_LANGUAGE, plural_category
from landfall.core.text_template import Slot, list_slots

COUNTED = 200  # no text counts further: forms for millions are not asked for

app = typer.Typer(help="The texts in a language.", no_args_is_help=True)


def list_english_catalogues() -> Iterator[Path]:
    """The English file of each catalogue: the games', and in a checkout the client's."""
    client = paths.PACKAGE.parents[1] / "client" / "src"
    for folder in (paths.PACKAGE / "core" / "texts", paths.PACKAGE / "games", client / "messages", client / "games"):
        yield from sorted(path for path in folder.rglob("*en.json") if path.name in ("en.json", "guides.en.json"))


def load_texts(path: Path) -> dict[str, str]:
    if not path.is_file():
        return {}
    loaded: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def shown_arguments(slots: list[Slot]) -> set[str]:
    """The arguments that readers see; others only choose a form."""
    return {slot.name for slot in slots if not slot.choice or any("#" in form for _, form in slot.forms)}


def find_text_faults(language: str, english: str, text: str) -> list[str]:
    """What is wrong with a translation."""
    try:
        theirs = list(list_slots(text))
    except ValueError as error:
        return [str(error)]
    ours, faults = list(list_slots(english)), []
    missing, unknown = (
        shown_arguments(ours) - shown_arguments(theirs),
        {s.name for s in theirs} - {s.name for s in ours},
    )
    faults += [f"{{{name}}} is missing" for name in sorted(missing)]
    faults += [f"{{{name}}} is not in the English text" for name in sorted(unknown)]
    needed = {plural_category(language, number) for number in range(COUNTED)} | {"other"}
    for slot in theirs:
        if slot.choice == "plural":
            faults += [f"{{{slot.name}}} has no form for {form}" for form in sorted(needed - dict(slot.forms).keys())]
    return faults if text.strip() else ["is empty"]


def word_list_kinds(texts: dict[str, str]) -> set[str]:
    """The kinds of a catalogue's slots: `{tile:from}` words an argument by the list of keys that begin with `from.`."""
    kinds = set()
    for text in texts.values():
        with suppress(ValueError):  # named by find_text_faults
            kinds |= {slot.kind for slot in list_slots(text)}
    return kinds - {"", "seat"}


def find_catalogue_faults(language: str, english: dict[str, str], texts: dict[str, str]) -> list[tuple[str, str]]:
    """The faults of a file, with their keys. A language may have word lists of its own, as its grammar needs."""
    ours, theirs = word_list_kinds(english), word_list_kinds(texts)
    words = {key.partition(".")[2] for key in english if key.partition(".")[0] in ours}
    lists = {key.partition(".")[0] for key in texts}
    faults = []
    for key, text in texts.items():
        kind, _, word = key.partition(".")
        if key in english:
            faults += [(key, fault) for fault in find_text_faults(language, english[key], text)]
            unknown = word_list_kinds({key: text}) - ours - lists
            faults += [(key, f"no key begins with {one}.") for one in sorted(unknown)]
        elif kind not in theirs or word not in words:
            faults.append((key, "is not in the English file"))
    return faults


def print_line(text: str) -> None:
    out.print(text, markup=False, highlight=False, soft_wrap=True)


@app.command("check")
def check_texts(
    language: Annotated[str, typer.Argument(help=f"One of {', '.join(LANGUAGES)}.")],
    missing: Annotated[bool, typer.Option("--missing", help="Name each missing text, with the English one.")] = False,
) -> None:
    """What a language lacks, which is shown in English, and what is wrong in it. Fails if anything is wrong."""
    if language not in LANGUAGES:
        exit_with_error(f"there is no language {language!r} in core/languages.json; there are {', '.join(LANGUAGES)}")
    there = total = faults = 0
    for path in list_english_catalogues():
        translated = path.with_name(path.name.replace(f"{SOURCE_LANGUAGE}.json", f"{language}.json"))
        english, texts = load_texts(path), load_texts(translated)
        name = translated.relative_to(paths.PACKAGE.parents[1])
        wrong = find_catalogue_faults(language, english, texts)
        for key, fault in wrong:
            print_line(f"{name} {key}: {fault}")
        lacking = {key: text for key, text in english.items() if key not in texts}
        if lacking:
            print_line(f"{name} lacks {len(lacking)} of {len(english)} texts")
        for key, text in lacking.items() if missing else ():
            print_line(f"  {key}: {text}")
        there, total, faults = there + len(english) - len(lacking), total + len(english), faults + len(wrong)
    out.print(f"{language}: {there} of {total} texts ({100 * there // total} %), {faults} wrong")
    if faults:
        raise typer.Exit(EXIT_FAILED)


@app.callback()
def group() -> None:
    """Keeps `check` a command of its own."""
