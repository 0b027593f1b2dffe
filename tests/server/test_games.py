"""A real server process, real sockets: games of every rulebook at every player count, and small messages."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from landfall.games import BUILT_IN_GAMES
from landfall.games import game as find_game
from tests.server import whole_games
from tests.server.real_server import ServerProcess

pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder: Path = tmp_path_factory.mktemp("server")
    with ServerProcess(str(folder / "landfall.db"), alone=True) as running:
        yield running


@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_whole_games_at_every_player_count_replay_to_the_same_digest(name: str, server: ServerProcess) -> None:
    async def story() -> None:
        sizes = []
        for players in find_game(name).player_counts:
            people = min(2, players)
            table, record, got = await whole_games.play_whole_game(server.url, name, players, people, seed=players)
            await whole_games.check_log_matches_record(server.settings["database"], table, record)
            sizes += got
        assert whole_games.median_size(sizes) < 2000, "bytes an update, the median over all viewers"

    asyncio.run(story())
