"""The full count of random games, for `python -m tests.proof atlandice.games`."""

from tests.atlandice.random_games import prove
from tests.proof import Part

GAMES = 10_000
CHUNK = 100


def do_games(name: str, job: int) -> dict[str, int]:
    """A hundred random games over all player counts and clocks, every property checked."""
    return prove(CHUNK, start=job * CHUNK)


PARTS = {"games": Part(lambda name: GAMES // CHUNK, do_games)}
