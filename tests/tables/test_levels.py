"""The bots a table offers: five fish, codes within reason, and no files."""

import json
import re
from collections.abc import Collection

import pytest

from landfall.bots.levels import LEVELS as BOTS
from landfall.core.languages import LANGUAGES
from landfall.tables.bots.allowed_bots import LEVELS, STAND_IN, make_bot, require_allowed_bot_code
from landfall.tables.protocol.errors import Refused
from tests.repository_files import REPO


def test_the_levels_are_offered_from_kind_to_merciless() -> None:
    assert list(LEVELS) == ["sprat", "mackerel", "marlin", "leviathan", "kraken"]
    for level, code in LEVELS.items():
        assert type(make_bot(require_allowed_bot_code(code))) is BOTS[level]


def missing_parts(levels: Collection[str]) -> set[str]:
    """What these levels lack, besides being declared: names and manners in every language, pictures."""
    client = REPO / "client" / "src"
    found = {"a picture": set(re.findall(r'<symbol id="fish-(\w+)"', (client / "look/symbols.svg").read_text("utf-8")))}
    for language in LANGUAGES:
        texts = json.loads((client / f"messages/pages/{language}.json").read_text("utf-8"))
        for part in ("bot", "nature"):
            said = {key.removeprefix(f"pages.{part}."): text for key, text in texts.items() if f"pages.{part}." in key}
            assert len(set(said.values())) == len(said), language
            found[f"pages.{part} in {language}"] = set(said)
    return {f"{level}: {part}" for part, known in found.items() for level in levels if level not in known}


def test_each_level_has_a_name_and_a_manner_in_every_language_and_a_picture() -> None:
    assert missing_parts(LEVELS) == set()
    assert len(missing_parts(["herring"])) == 2 * len(LANGUAGES) + 1


def test_codes_within_reason_are_bots_of_a_table() -> None:
    for code in (STAND_IN, "random", "mcts:ms=300", "mcts:iters=200", "leviathan:ms=2000", "kraken:ms=2000"):
        assert require_allowed_bot_code(code) == code
        make_bot(code)


@pytest.mark.parametrize(
    "code",
    [
        "mine.py:MyBot",
        "mcts:cores=2",
        "mcts:ms=2001",
        "mcts:iters=2001",
        "deepthought",
        "netsearch:ms=2001",
        "netsearch:worlds=33",
        "net:lines=13",
        "nettree:ms=2001",
        "nettree:iters=2001",
        "kraken:ms=2001",
        "leviathan:ms=2001",
        "leviathan:worlds=33",
        "leviathan:iters=2001",
        "greedy:depth=2",
        "mcts:ms=" + "1" * 60,
    ],
)
def test_files_and_codes_that_would_keep_the_house_waiting_are_refused(code: str) -> None:
    with pytest.raises(Refused):
        require_allowed_bot_code(code)
