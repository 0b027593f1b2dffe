"""What strangers write: names that can be seen, chat that stays in its line, options that every database can keep."""

import unicodedata
from collections.abc import Callable

import pytest

from landfall.tables.protocol import text_validation
from landfall.tables.protocol.errors import Refused

pytestmark = pytest.mark.once
GOOD = [
    "Ana", "João", "Борис", "陈", "محمد", "می‌خواهم", "क्ष", "Łukasz 2", "👩‍👩‍👧‍👦", "🏳️‍🌈", "👍🏽", "O'Neil", "x_X_x",
    "Ḗ́", "山" * 24, "a" * 24,
]  # fmt: skip
BAD = {
    "nothing": "", "spaces": "  \u00a0\u2003", "too long": "a" * 25, "too many bytes": "😀" * 24,
    "NUL": "a\x00b", "a control": "a\x07", "a lone surrogate": "a\ud800", "an override": "\u202eAna",
    "an isolate": "A\u2066na", "a mark of direction": "Ana\u200f", "zero width": "\u200b\u200b",
    "joiners alone": "\u200d",
    "a joiner between Latin letters": "A\u200dna", "marks alone": "\u0301\u0302", "a heap of marks": "a" + "\u0336" * 6,
    "a Hangul filler": "\u3164", "a filler within": "Ana\u3164", "braille blank": "\u2800",
    "tags": "🏴\U000e0067\U000e007f",
    "private use": "\ue000", "a soft hyphen": "An\u00ada", "variation alone": "\ufe0f", "no character": "\ufdd0",
}  # fmt: skip


@pytest.mark.parametrize("name", GOOD)
def test_names_of_all_scripts_stay_as_they_are(name: str) -> None:
    assert text_validation.require_displayable_name(name) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize("fault", BAD)
def test_names_that_hide_something_are_refused(fault: str) -> None:
    with pytest.raises(Refused, match="Names"):
        text_validation.require_displayable_name(BAD[fault])


def test_what_looks_the_same_is_the_same() -> None:
    assert (
        text_validation.require_displayable_name("  João\t Silva\n")
        == text_validation.require_displayable_name("Joa\u0303o  Silva")
        == "João Silva"
    )


def test_chat_keeps_what_can_be_shown() -> None:
    assert text_validation.clean_chat_line("\u202e<b>hi</b>\x00\ud800 \u200b👩‍👧\n") == "<b>hi</b> 👩‍👧"
    assert text_validation.clean_chat_line("e" + "\u0301" * 50) == "é" + "\u0301" * text_validation.MAX_COMBINING_MARKS
    for empty in ("\x07", "\u3164", "\u200b \u2800"):
        with pytest.raises(Refused, match="message"):
            text_validation.clean_chat_line(empty)
    with pytest.raises(Refused, match="large"):
        text_validation.clean_chat_line("😀" * 400)


@pytest.mark.parametrize("value", ["\x00", {"a": ["\ud800"]}, {"a\x00": 1}, [[[{"x": {"y": "\x1b"}}]]]])
def test_values_are_looked_through_however_deep(value: object) -> None:
    with pytest.raises(Refused, match="characters"):
        text_validation.require_storable_json(value)
    text_validation.require_storable_json({"clock": {"steps": ["a", 1, None, True], "е": "👩‍👧"}})


def test_a_value_without_bottom_is_refused() -> None:
    deep: object = "x"
    for _ in range(text_validation.MAX_JSON_DEPTH + 1):
        deep = [deep]
    with pytest.raises(Refused):
        text_validation.require_storable_json(deep)


@pytest.mark.parametrize("key", ["", "a" * 65, "a b", "a\x00", "a\ud800", "ж", "a.b"])
def test_what_cannot_be_a_tables_key_is_no_table(key: str) -> None:
    with pytest.raises(Refused, match="no such table"):
        text_validation.require_table_id(key)
    assert text_validation.require_table_id("q3nN0m1cXlTtVbQp0Jx8Zg") == "q3nN0m1cXlTtVbQp0Jx8Zg"


@pytest.mark.parametrize(
    ("clean", "letter", "most"),
    [
        (text_validation.require_displayable_name, "a", 24),
        (text_validation.require_displayable_name, "山", 24),
        (text_validation.require_displayable_name, "😀", 18),  # 72 bytes
        (text_validation.require_displayable_seat_name, "a", 64),
        (text_validation.require_displayable_seat_name, "😀", 48),
        (text_validation.clean_chat_line, "a", 500),
        (text_validation.clean_chat_line, "山", 500),
        (text_validation.clean_chat_line, "😀", 375),
        (text_validation.require_table_id, "a", 64),
    ],
)
def test_a_text_has_so_many_letters_and_no_more(clean: Callable[[str], str], letter: str, most: int) -> None:
    assert clean(letter * most) == letter * most
    with pytest.raises(Refused):
        clean(letter * (most + 1))


def test_a_value_has_so_many_parts_and_levels_and_no_more() -> None:
    text_validation.require_storable_json([0] * 1000)
    text_validation.require_storable_json([[0] * 499, {str(n): n for n in range(499)}])
    for wide in ([0] * 1001, [[0] * 500, {str(n): n for n in range(499)}]):
        with pytest.raises(Refused, match="1000"):
            text_validation.require_storable_json(wide)
    deep: object = 0
    for _ in range(20):
        deep = [deep]
    text_validation.require_storable_json(deep)
    with pytest.raises(Refused):
        text_validation.require_storable_json([deep])


def test_four_marks_stand_on_a_letter_and_no_more() -> None:
    assert text_validation.clean_chat_line("x" + "\u0336" * 4) == "x" + "\u0336" * 4
    assert text_validation.clean_chat_line("x" + "\u0336" * 5) == "x" + "\u0336" * 4
