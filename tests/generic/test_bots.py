"""The bots: the same choices for the same seed, and none that depends on what their seat cannot know."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import landfall
from landfall.bots.contract import Bot, BotError, Seat
from landfall.bots.registry import make_bot, make_bots
from landfall.core.errors import LandfallError
from landfall.core.rng import Rng
from landfall.game_checks.option_combinations import LEARNED, covering_combinations
from landfall.game_checks.position_checks import random_game_positions, sampling_interval
from landfall.games import BUILT_IN_GAMES, GAME_NAMES
from landfall.lab.experiments.simulation import simulate

COMPILED = landfall.ENGINE == "compiled"
CODES = ("random", "greedy", "sprat", "mcts:iters=24", "marlin:iters=20", "net")
# Interpreted, searching the largest game and playing lines on take minutes.
LONG = [pytest.param("mcts:iters=24", "survive", marks=pytest.mark.compiled_only)]
PAIRS = [(c, n) for c in CODES for n in GAME_NAMES if (c != "net" or n in LEARNED) and (c, n) != LONG[0].values]
SEARCHED = [pytest.param("netsearch:worlds=2:lines=3", n, marks=pytest.mark.compiled_only) for n in LEARNED]
SEARCHED += [pytest.param("nettree:iters=20", n, marks=pytest.mark.compiled_only) for n in LEARNED]


@pytest.mark.parametrize(("code", "name"), [*PAIRS, *LONG, *SEARCHED])
def test_a_choice_depends_only_on_what_the_seat_knows(name: str, code: str) -> None:
    aside, looked = Rng(4), 0
    slow = name == "survive" and ("iters" in code or "worlds" in code)  # a search in the largest game takes its time
    rare = 200 if slow else sampling_interval(name, 12 if COMPILED else 30)
    for combo in covering_combinations(name):
        for state in random_game_positions(landfall.game(name).new(*combo), Rng(5)):
            if state.actor < 0 or aside.randbelow(rare):
                continue
            looked += 1
            other = state.resample(int(state.actor), aside)
            seed = int(aside.randbelow(1 << 30))
            choices = {make_bot(code).choose(Seat.from_state(s, name, Rng(seed))) for s in (state, state, other)}
            assert len(choices) == 1, f"{code} chose {choices}: resample or evaluate goes by what the seat cannot know"
            assert choices <= set(state.legal_actions()), f"{code} chose {choices}, which fill_legal does not list"
    assert looked > (5 if name in BUILT_IN_GAMES else 0), "no decision was looked at"


@pytest.mark.parametrize("name", GAME_NAMES)
def test_simulations_repeat_for_a_seed_and_greedy_beats_random(name: str) -> None:
    players = landfall.game(name).player_counts[-1]
    table = ["greedy", *["random"] * (players - 1)]
    games = 30 if COMPILED else 2

    def once(seed: int) -> tuple[int, list[float], list[float]]:
        got = simulate(name, players, games=games, seed=seed, bots=make_bots(",".join(table)))
        assert got.games == games
        assert sum(got.wins) == pytest.approx(games)
        return got.decisions, got.wins, got.mean_scores

    first = once(1)
    assert first == once(1)
    assert first != once(2) or name not in BUILT_IN_GAMES  # all games of an outside game may be alike
    if COMPILED:
        assert first[1][0] > 1.5 * games / players, "greedy is hardly better than chance: look at `evaluate`"


@pytest.mark.parametrize("name", GAME_NAMES)
def test_all_random_seats_play_the_compiled_loop_and_every_seed_another_game(name: str) -> None:
    players = landfall.game(name).player_counts[0]
    one = simulate(name, players, games=6, seed=1)
    assert (
        one.decisions
        == simulate(name, players, games=6, seed=1, bots=make_bots(",".join(["random"] * players))).decisions
    )
    fewer = [simulate(name, players, games=n, seed=1).decisions for n in range(1, 7)]
    assert fewer == sorted(set(fewer)), "more games of a seed are the same games and then some"
    assert fewer[-1] == one.decisions
    others = [simulate(name, players, games=6, seed=s) for s in range(4)]
    assert len({(other.decisions, *other.mean_scores) for other in others}) > 1


def walk(thing: object, deep: int = 4) -> Iterator[object]:
    """Everything that can be reached by attributes, a few steps deep, closures and bound methods included."""
    for name in dir(thing):
        if name not in ("view", "__class__", "__doc__", "__globals__"):
            found = getattr(thing, name, None)
            yield found
            if (deep and type(found).__module__ != "builtins") or name in ("__self__", "__closure__"):
                yield from walk(found, deep - 1)


@pytest.mark.parametrize("name", GAME_NAMES)
def test_a_seat_leads_to_no_true_position(name: str) -> None:
    looked = 0
    for state in random_game_positions(landfall.game(name).new(landfall.game(name).player_counts[0]), Rng(6)):
        if state.actor < 0:
            continue
        seat = Seat.from_state(state, name, Rng(1))
        assert all(thing is not state for thing in walk(seat))
        assert seat.view == state.view(seat.number)
        assert seat.legal_actions == state.legal_actions()
        seat.sample(seat.rng).apply(seat.legal_actions[0])
        assert seat.legal_actions == state.legal_actions(), "a sample is the bot's own: playing it on changes nothing"
        looked += 1
        if looked == 40:
            return
    assert looked > 0


@pytest.mark.once
@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (
            "deepthought",
            "there is no bot called 'deepthought'; there are random, greedy, mcts, net, netsearch, nettree, ",
        ),
        ("", "there is no bot called ''"),
        ("greedy:depth=3", "there is no parameter 'depth'; it has none"),
        ("greedy:fast", "'fast' is no parameter; write key=value"),
        ("nowhere.py:MyBot", "there is no file 'nowhere.py'"),
        ("nowhere.py", "say which class of the file, as in nowhere.py:MyBot"),
    ],
)
def test_wrong_codes_are_refused_with_the_reason(code: str, reason: str) -> None:
    with pytest.raises(BotError) as refused:
        make_bot(code)
    assert reason in str(refused.value)


MINE = """
from landfall.bots.contract import Bot, Seat

class MyBot(Bot):
    name = "mine"

    def __init__(self, depth: int = 1, speed: float = 1.0, bold: bool = False, style: str = "calm") -> None:
        self.values = (depth, speed, bold, style)

    def choose(self, seat: Seat) -> int:
        return seat.legal_actions[-1]

class NoBot:
    pass
"""


@pytest.mark.once
def test_a_bot_from_a_file_gets_its_parameters(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    assert vars(make_bot(f"{path}:MyBot"))["values"] == (1, 1.0, False, "calm")
    made = make_bot(f"{path}:MyBot:depth=3:speed=2.5:bold=yes:style=wild")
    assert vars(made)["values"] == (3, 2.5, True, "wild")
    for bad, reason in {
        "MyBot:depth=three": "'depth' must be a whole number, not 'three'",
        "MyBot:speed=fast": "'speed' must be a number, not 'fast'",
        "MyBot:bold=maybe": "'bold' must be true or false, not 'maybe'",
        "MyBot:depth=1:depth=2": "'depth' is given twice",
        "MyBot:width=1": "there is no parameter 'width'; it has depth, speed, bold, style",
        "NoBot": "is no landfall.bots.contract.Bot",
        "Nobody": "has no class 'Nobody'",
        "depth=3": "say which class of the file",
    }.items():
        with pytest.raises(BotError) as refused:
            make_bot(f"{path}:{bad}")
        assert reason in str(refused.value)
    path.write_text("1 / 0\n")
    with pytest.raises(BotError, match="cannot be loaded: ZeroDivisionError"):
        make_bot(f"{path}:MyBot")


@pytest.mark.parametrize("name", GAME_NAMES)
def test_a_bot_that_asks_for_events_gets_them(name: str) -> None:
    class Reader(Bot):
        """Plays at random and remembers how many events it was told."""

        name = "reader"
        uses_events = True

        def __init__(self) -> None:
            self.counts: list[int] = []

        def choose(self, seat: Seat) -> int:
            self.counts.append(len(seat.events))
            assert [e["n"] for e in seat.events] == list(range(len(seat.events)))
            return seat.legal_actions[int(seat.rng.randbelow(len(seat.legal_actions)))]

    players = landfall.game(name).player_counts[0]
    table: list[Bot] = [Reader(), *(make_bot("random") for _ in range(players - 1))]
    simulate(name, players, games=1, seed=3, bots=table)
    reader = table[0]
    assert isinstance(reader, Reader)
    assert reader.counts == sorted(reader.counts)
    assert reader.counts[-1] > (10 if name in BUILT_IN_GAMES else 0), "no event: `apply` calls record_event"


@pytest.mark.parametrize("name", GAME_NAMES)
def test_a_choice_that_is_none_ends_the_simulation_with_a_sentence(name: str) -> None:
    class Cheat(Bot):
        """Chooses what is no action."""

        name = "cheat"

        def choose(self, seat: Seat) -> int:
            return -5

    players = landfall.game(name).player_counts[0]
    with pytest.raises(LandfallError, match=r"the bot 'cheat' chose -5, forbidden by LF\.1"):
        simulate(name, players, games=1, seed=3, bots=[Cheat() for _ in range(players)])
