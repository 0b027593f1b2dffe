"""The levels' ratings in the leaderboards of bots: those of the recorded ladders, and none from too few matches."""

from __future__ import annotations

import pytest

from bench.levels import TABLES, render_ratings
from landfall.api.players import list_level_ratings
from landfall.games import GAME_NAMES
from landfall.paths import level_ratings_file
from landfall.tables.ratings.bot_level_ratings import MIN_LEVEL_MATCHES, load_level_ratings
from landfall.tables.ratings.rating_model import table_size_class
from tests.repository_files import REPO

pytestmark = pytest.mark.once


@pytest.mark.parametrize("game", GAME_NAMES)
def test_they_are_what_the_recorded_matches_give(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPO)
    written = level_ratings_file(game).read_text(encoding="utf-8")
    assert written == render_ratings(game), "python -m bench.levels --ratings"


def test_levels_are_listed_by_rating_minus_uncertainty_and_only_from_enough_matches() -> None:
    for pool in {(table.game, table_size_class(table.players)) for table in TABLES}:
        shown = list_level_ratings(pool)
        assert {one.level for one in shown} == set(load_level_ratings(*pool)) != set()
        low_ends = [one.rating - one.uncertainty for one in shown]
        assert low_ends == sorted(low_ends, reverse=True)
        assert all(one.matches >= MIN_LEVEL_MATCHES for one in shown)
    assert list_level_ratings(("survive", 4)) == []
