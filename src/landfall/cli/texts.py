"""landfall texts: what a language lacks, and what is wrong in it. For translators: docs/translating.md."""

from __future__ import annotations

import json
from collections.abc import Iterator
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
        wrong = [(key, "is not in the English file") for key in texts.keys() - english.keys()]
        wrong += [
            (key, fault)
            for key, text in texts.items()
            if key in english
            for fault in find_text_faults(language, english[key], text)
        ]
        for key, fault in wrong:
            out.print(f"{name} {key}: {fault}", markup=False, highlight=False)
        lacking = {key: text for key, text in english.items() if key not in texts}
        if lacking:
            out.print(f"{name} lacks {len(lacking)} of {len(english)} texts", markup=False, highlight=False)
        for key, text in lacking.items() if missing else ():
            out.print(f"  {key}: {text}", markup=False, highlight=False)
        there, total, faults = there + len(english) - len(lacking), total + len(english), faults + len(wrong)
    out.print(f"{language}: {there} of {total} texts ({100 * there // total} %), {faults} wrong")
    if faults:
        raise typer.Exit(EXIT_FAILED)


@app.callback()
def group() -> None:
    """Keeps `check` a command of its own."""
