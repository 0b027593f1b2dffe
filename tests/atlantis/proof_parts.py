"""The full counts of Atlantis's own checks, for `python -m tests.proof atlantis.games atlantis.boards`."""

from tests.atlantis.long_checks import check_random_games, check_small_boards
from tests.atlantis.rare_deals import compare_rare_deals
from tests.proof import Part

GAMES = 10_000
BOARDS = 20_000
DEALS = 10_000
CHUNK = 100


def check_random_games_of_job(name: str, job: int) -> dict[str, int]:
    """A hundred random games, every property along the way."""
    return check_random_games(CHUNK, job * CHUNK)


def check_small_boards_of_job(name: str, job: int) -> dict[str, int]:
    """A hundred made-up small boards, judged by brute force."""
    return check_small_boards(CHUNK, job * CHUNK)


def compare_rare_deals_of_job(name: str, job: int) -> dict[str, int]:
    """A tenth of the rare positions, one deal in each against an enumeration of all."""
    count = DEALS // 10
    found = compare_rare_deals(count, first=job * count)
    assert found.largest_gap() < 2.0 / count**0.5, found.largest_gap()  # 0.07 % by chance
    return {"positions": found.positions, "true hands": found.true_hands}


PARTS = {
    "games": Part(lambda name: GAMES // CHUNK, check_random_games_of_job),
    "boards": Part(lambda name: BOARDS // CHUNK, check_small_boards_of_job),
    "deals": Part(lambda name: 10, compare_rare_deals_of_job),
}
