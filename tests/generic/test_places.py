"""Pictures have everything where the client has it; the client's half is places.test.ts in each game's folder."""

import json

import pytest

from landfall.games import BUILT_IN_GAMES
from tests.places import file_of, places


@pytest.mark.once
@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_pictures_have_everything_where_the_client_has_it(name: str) -> None:
    told = json.loads(file_of(name).read_text(encoding="utf-8"))
    ours = places(name)
    assert list(ours) == list(told), "python -m tests.places writes the file"
    assert {at: spot for at, spot in ours.items() if spot != pytest.approx(told[at], abs=0.06)} == {}
