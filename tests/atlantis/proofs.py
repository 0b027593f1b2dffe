"""The full counts of Atlantis's own checks, for `python -m tests.proof atlantis.games atlantis.boards`."""

from tests.atlantis.proof import random_games, small_boards
from tests.proof import Part

GAMES = 10_000
BOARDS = 20_000
CHUNK = 100


def do_games(name: str, job: int) -> dict[str, int]:
    """A hundred random games, every property along the way."""
    return random_games(CHUNK, job * CHUNK)


def do_boards(name: str, job: int) -> dict[str, int]:
    """A hundred made-up small boards, judged by brute force."""
    return small_boards(CHUNK, job * CHUNK)


PARTS = {
    "games": Part(lambda name: GAMES // CHUNK, do_games),
    "boards": Part(lambda name: BOARDS // CHUNK, do_boards),
}
