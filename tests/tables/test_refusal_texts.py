"""A refusal says why, and then what to do: in English, and in every language that has it."""

import re
from typing import Final

import pytest

from landfall.core.languages import LANGUAGES
from landfall.core.text_catalogue import load_text_catalogue

pytestmark = pytest.mark.once

REFUSAL: Final = "table."
SENTENCE: Final = re.compile(r"[.:;!?](?=\s|$)|[。：；！？]|，请|，")  # a clause of Chinese is set off by a comma

# One sentence, which names what is needed, or a reason that comes with it.
SAYS_WHAT_IS_NEEDED: Final = {
    "one_way", "seating", "quick", "empty", "kept", "name", "password", "name_mixed", "not_recent", "not_alone",
    "tournament_age", "tournament_not_yet", "tournament_season", "tournament_early", "not_shown", "same_author",
}  # fmt: skip
REASON_FOLLOWS: Final = {"nobody_such", "illegal", "notation", "bot", "bad_message", "banned"}
# Nothing can be done, and nothing needs to be.
NOTHING_TO_DO: Final = {
    "undo_nothing", "report_self", "no_figure", "tournament_table", "bots_only", "already_invited", "zone",
}  # fmt: skip
WITHOUT_A_WAY_OUT: Final = SAYS_WHAT_IS_NEEDED | REASON_FOLLOWS | NOTHING_TO_DO


def sentences(text: str) -> int:
    return len(SENTENCE.findall(text))


def refusals(language: str) -> dict[str, str]:
    found = load_text_catalogue("", language)
    return {key.removeprefix(REFUSAL): text for key, text in found.items() if key.startswith(REFUSAL)}


def too_short(language: str, texts: dict[str, str]) -> list[str]:
    return [f"{language} {key}: {text}" for key, text in texts.items()
            if key not in WITHOUT_A_WAY_OUT and sentences(text) < 2]  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_names_a_way_out(language: str) -> None:
    assert len(refusals(language)) > 130
    assert too_short(language, refusals(language)) == []
    assert too_short(language, {"taken": "Someone is sitting there already."}) != []


def test_those_without_one_exist_and_are_short_indeed() -> None:
    english = refusals("en")
    assert {key for key in WITHOUT_A_WAY_OUT if sentences(english[key]) > 1 and key not in REASON_FOLLOWS} == set()
