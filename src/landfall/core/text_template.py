# interpreted
"""Sentences with slots, in the syntax of ICU's messages; `client/src/lib/textTemplate.ts` reads them, too.

`{name}` is an argument, a number in the language's digits and marks. `{name:term}` is the text of the key
`term.<argument>`. `{n, plural, one {# point} other {# points}}` takes the form that the language's rules ask of a
number, or `=0 {…}` for exactly that one; `#` is the number. `{reason, select, left {…} other {…}}` takes the form of an
argument's word. Forms may contain slots. A slot whose argument is missing stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from landfall.core.languages import plural_category

SLOT_PATTERN: Final = re.compile(r"(\w+)(?::(\w+)|, (plural|select),(.*))?", re.DOTALL)


@dataclass(frozen=True)
class Slot:
    """What stands between two braces: an argument's name and kind, or the name and its forms."""

    name: str
    kind: str = ""
    choice: str = ""  # "plural", "select"
    forms: tuple[tuple[str, str], ...] = ()


def split_at_braces(text: str) -> list[str]:
    """The parts outside and inside the outermost braces, in turn.

    >>> split_at_braces("a {b} c {d {e}}")
    ['a ', 'b', ' c ', 'd {e}', '']
    """
    parts, depth = [""], 0
    for letter in text:
        outermost = depth == (0 if letter == "{" else 1)
        depth += (letter == "{") - (letter == "}")
        if letter in "{}" and outermost:
            parts.append("")
        else:
            parts[-1] += letter
    if depth or len(parts) % 2 == 0:
        raise ValueError(f"braces do not match: {text}")
    return parts


@cache
def parse_template(text: str) -> tuple[str | Slot, ...]:
    """A template's words and slots. ValueError: it is not one."""
    return tuple(parse_slot(part) if number % 2 else part for number, part in enumerate(split_at_braces(text)))


def parse_slot(inside: str) -> Slot:
    found = SLOT_PATTERN.fullmatch(inside)
    if found is None:
        raise ValueError(f"not a slot: {{{inside}}}")
    name, kind, choice, rest = found.groups()
    if not choice:
        return Slot(name, kind or "")
    parts = split_at_braces(rest)
    forms = tuple(zip((label.strip() for label in parts[::2]), parts[1::2]))
    if parts[-1].strip() or "other" not in dict(forms):
        raise ValueError(f"not forms, or none for other: {{{inside}}}")
    return Slot(name, "", choice, forms)


def list_slots(text: str) -> Iterator[Slot]:
    """All slots of a template, those inside forms too."""
    for part in parse_template(text):
        if isinstance(part, Slot):
            yield part
            for _, form in part.forms:
                yield from list_slots(form)


def template_argument_names(text: str) -> set[str]:
    """The arguments a template uses."""
    return {slot.name for slot in list_slots(text)}


def fill_template(
    text: str,
    language: str,
    arguments: Mapping[str, object],
    word_argument: Callable[[str, object], str],
    number: str = "#",
) -> str:
    """The sentence. `word_argument` words an argument of a kind; `number` stands for `#` in a form."""
    sentence = ""
    for part, source in zip(parse_template(text), split_at_braces(text)):
        if isinstance(part, str):
            sentence += part.replace("#", number)
        elif part.name not in arguments:
            sentence += f"{{{source}}}"
        elif not part.choice:
            sentence += word_argument(part.kind, arguments[part.name])
        else:
            value = arguments[part.name]
            shown = number if part.choice == "select" else word_argument("", value)
            sentence += fill_template(choose_form(part, language, value), language, arguments, word_argument, shown)
    return sentence


def choose_form(slot: Slot, language: str, value: object) -> str:
    """The form that a value asks for."""
    forms = dict(slot.forms)
    if slot.choice == "select" or not isinstance(value, int | float):
        return forms.get(str(value), forms["other"])
    wanted = f"={value}" if f"={value}" in forms else plural_category(language, value)
    return forms.get(wanted, forms["other"])
