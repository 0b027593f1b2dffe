"""The positions that the client's unit tests mount are what the engine sends today, and show every phase."""

import json
from collections import defaultdict

import pytest

from landfall.games import BUILT_IN_GAMES
from tests.client.measured_positions import phase_names
from tests.client_positions import recorded_positions, written_positions

pytestmark = pytest.mark.once


@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_the_positions_of_the_clients_tests_are_what_is_sent_today(game: str) -> None:
    written = written_positions(game)
    lines = defaultdict(set)
    for name in written:
        record, number = name.split(":")
        lines[record].add(int(number))
    sent = {one.message["from"]: one.text for record in lines for one in recorded_positions(record, lines[record])}
    assert written == sent
    assert {json.loads(text)["view"]["phase"] for text in sent.values()} == set(phase_names(game))
