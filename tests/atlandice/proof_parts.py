"""The full count of random games, for `python -m tests.proof atlandice.games`."""

from tests.atlandice.random_games import play_checked_games
from tests.proof import Part

GAMES = 10_000
CHUNK = 100


def check_random_games(name: str, job: int) -> dict[str, int]:
    """A hundred random games over all player counts and clocks, every property checked."""
    return play_checked_games(CHUNK, start=job * CHUNK)


PARTS = {"games": Part(lambda name: GAMES // CHUNK, check_random_games)}
