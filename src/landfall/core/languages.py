# interpreted
"""The languages there are (`languages.json`), and how each counts, writes numbers and lists.

A language has a name, a tag, and perhaps `asks`: the tags of readers who are asked, in their own script, before they
get it.

`cldr.json` has the rules of the Common Locale Data Repository; `python -m tests.cldr` writes it. Browsers have the same
rules in `Intl`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parent
LANGUAGE_TABLE: Final[dict[str, dict[str, Any]]] = json.loads((FOLDER / "languages.json").read_text(encoding="utf-8"))
LANGUAGES: Final = tuple(LANGUAGE_TABLE)
SOURCE_LANGUAGE: Final = "en"  # every game has its texts in it
FRACTION_DIGITS: Final = 3  # what browsers show of a number
RELATION_PATTERN: Final = re.compile(r"([nivwfte])(?: mod (\d+))? (not )?in (\S+)")


def choose_language(tags: Iterable[str]) -> str:
    """The first of ours that a reader prefers; none that first asks them, as Simplified Chinese does in Taiwan.

    >>> choose_language(["zh-TW", "pt-PT", "en"]), choose_language(["zh-CN"])
    ('pt', 'zh')
    """
    for tag in tags:
        language = tag.strip()[:2].lower()
        asks = LANGUAGE_TABLE.get(language, {}).get("asks", [])
        if language in LANGUAGE_TABLE and not any(tag.strip().lower().startswith(one.lower()) for one in asks):
            return language
    return SOURCE_LANGUAGE


@cache
def load_cldr_rules() -> dict[str, dict[str, Any]]:
    """By language: `plural` (a condition for each form but `other`), `decimal`, `group`, `list` (CLDR's patterns)."""
    loaded: dict[str, dict[str, Any]] = json.loads((FOLDER / "cldr.json").read_text(encoding="utf-8"))
    return loaded


def format_decimal_digits(number: float) -> tuple[str, str]:
    """The digits before and after the decimal point."""
    whole, _, fraction = f"{abs(number):.{FRACTION_DIGITS}f}".partition(".")
    return whole, fraction.rstrip("0")


def format_number(language: str, number: float) -> str:
    """A number as the language writes it.

    >>> format_number("en", 1234.5), format_number("pt", 1234.5)
    ('1,234.5', '1.234,5')
    """
    rules, (whole, fraction) = load_cldr_rules()[language], format_decimal_digits(number)
    grouped = f"{int(whole):,}".replace(",", rules["group"])
    return ("-" if number < 0 else "") + grouped + (rules["decimal"] + fraction if fraction else "")


def plural_category(language: str, number: float) -> str:
    """The form that a number asks of the words beside it: zero, one, two, few, many or other.

    >>> [plural_category("en", number) for number in (0, 1, 1.5, 2)]
    ['other', 'one', 'other', 'other']
    """
    whole, fraction = format_decimal_digits(number)
    digits, visible = int(fraction or 0), len(fraction)  # trailing zeros are never shown: w = v and t = f
    operands: dict[str, float] = {
        "n": abs(number) if fraction else int(whole),
        "i": int(whole),
        "e": 0,
        "v": visible,
        "w": visible,
        "f": digits,
        "t": digits,
    }
    for category, condition in load_cldr_rules()[language]["plural"].items():
        if any(
            all(holds_relation(relation, operands) for relation in alternative.split(" and "))
            for alternative in condition.split(" or ")
        ):
            return str(category)
    return "other"


def holds_relation(relation: str, operands: dict[str, float]) -> bool:
    """Whether a relation of a plural rule is true, as `i mod 10 in 2..4`."""
    found = RELATION_PATTERN.fullmatch(relation)
    assert found is not None, relation
    name, modulus, negated, ranges = found.groups()
    value = operands[name] % int(modulus) if modulus else operands[name]
    among = any(
        value in range(int(first), int(last or first) + 1)
        for first, _, last in (part.partition("..") for part in ranges.split(","))
    )
    return among != bool(negated)


def join_names(language: str, names: Sequence[str]) -> str:
    """Names as a part of a sentence.

    >>> join_names("en", ["Ana", "Bo", "Cy"]), join_names("zh", ["红方", "蓝方"])
    ('Ana, Bo and Cy', '红方和蓝方')
    """
    start, middle, end, pair = load_cldr_rules()[language]["list"]
    if len(names) < 3:
        return pair.format(*names) if len(names) == 2 else "".join(names)
    joined = end.format(*names[-2:])
    for name in reversed(names[1:-2]):
        joined = middle.format(name, joined)
    return str(start.format(names[0], joined))
