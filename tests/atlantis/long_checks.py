"""Long checks, each a function of a count: small counts run as tests, large ones on demand.

`python -m tests.atlantis.long_checks 10000 1000 20000` plays so many random games, two-worlds games and small boards.
"""

from __future__ import annotations

import itertools
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator

import landfall
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, Event, list_choices_one_by_one
from landfall.games.atlantis.rules import invariants
from landfall.games.atlantis.rules.codes import CARD, NUM_ACTIONS, SHOW
from landfall.games.atlantis.rules.components import KINDS
from landfall.games.atlantis.state import AtlantisState

GAME = landfall.game("atlantis")


def new_state(players: int) -> AtlantisState:
    state = landfall.new("atlantis", players)
    assert isinstance(state, AtlantisState)
    return state


# --- random games -----------------------------------------------------------------------------------------------


def check_random_games(count: int, first: int = 0) -> Counter[str]:
    """Random games over 2, 3 and 4 players, every generic property along the way; what was met, counted."""
    met: Counter[str] = Counter()
    for seed in range(first, first + count):
        players = 2 + seed % 3
        check_random_game(players, seed, met)
        check_replay_and_undo(players, seed, met)
    return met


def check_random_game(players: int, seed: int, met: Counter[str]) -> None:
    """One game: conserved at every step; copies, bytes and both ways of judging at sampled ones."""
    state, rng, sampler = new_state(players), Rng(seed), random.Random(seed)
    while state.actor != OVER:
        faults = GAME.find_faults(state) + find_unseen_tile_faults(state)
        assert not faults, (seed, faults)
        action = int(state.sample_chance(rng) if state.actor == CHANCE else state.random_action(rng))
        met["steps"] += 1
        if sampler.random() < 0.05:
            check_copies(state, action)
            check_legality_functions_agree(state)
            met["sampled"] += 1
        assert state.parse(state.notation(action)) == action
        state.apply(action)
    assert not GAME.find_faults(state), seed
    assert not state.legal_actions()
    assert state.scores() == GAME.from_bytes(state.to_bytes()).scores()
    met["games"] += 1


def find_unseen_tile_faults(state: AtlantisState) -> list[str]:
    """In a game played from its start exactly the unseen tiles lie below others, or are still to be laid."""
    if state.phase == 0:
        return []
    backs = [
        back
        for back in (0, 1)
        if invariants.count_unseen_tiles(state, back) != invariants.count_lower_tiles(state, back)
    ]
    return [f"back {back}: unseen tiles are not those below others" for back in backs]


def check_copies(state: AtlantisState, action: int) -> None:
    """A copy and a reading from bytes are the same position, and acting on one leaves the others alone."""
    packed = state.to_bytes()
    copy, read = state.copy(), GAME.from_bytes(packed)
    assert isinstance(read, AtlantisState)
    assert copy.to_bytes() == read.to_bytes() == packed
    for name in ("worth", "faces", "occupant", "ahead", "first", "last"):
        mine, theirs = getattr(state, name), getattr(read, name)
        assert mine == theirs if isinstance(mine, int) else list(mine) == list(theirs), name
    for at in range(53):
        assert state.top[at] < 0 or state.toll[at + 1] == read.toll[at + 1]
    assert state.toll[0] == read.toll[0] == 0
    assert state.toll[54] == read.toll[54]
    copy.apply(action)
    assert state.to_bytes() == packed
    read.apply(action)
    assert copy.to_bytes() == read.to_bytes() != packed


def check_legality_functions_agree(state: AtlantisState) -> None:
    """legal() and why_not() agree over the whole action space, chances() and why_not() over all outcomes."""
    legal = state.legal_actions()
    assert len(legal) == len(set(legal))
    if state.actor == CHANCE:
        possible = {outcome for outcome, weight in state.chance_outcomes() if weight > 0}
        assert possible
        for outcome in range(NUM_ACTIONS + GAME.num_outcomes + 2):
            assert (state.why_illegal(outcome) is None) == (outcome in possible)
        return
    assert legal
    for action in range(-2, NUM_ACTIONS + GAME.num_outcomes + 2):
        assert (state.why_illegal(action) is None) == (action in legal), state.notation(action)


def check_replay_and_undo(players: int, seed: int, met: Counter[str]) -> None:
    """The same through a match: its record replays to the same position, and undo leads back to the root."""
    match, rng = landfall.Match("atlantis", players, seed=seed), Rng(seed + 1)
    while match.actor != OVER:
        match.play(int(match.state.random_action(rng)))
    text = match.record()
    again = landfall.Match.replay(text)
    assert again.state.digest() == match.state.digest()
    assert again.events() == match.events()
    assert again.record() == text
    met["record bytes"] += len(text)
    met["record lines"] += len(match.log)
    if seed % 50 == 0:
        choices = sum(1 for entry in match.log if entry.actor >= 0)
        for _ in range(choices):
            match.undo()
        assert not [entry for entry in match.log if entry.actor >= 0]
        met["undone"] += choices


# --- secrecy ----------------------------------------------------------------------------------------------------


def compare_two_world_games(count: int, first: int = 0) -> Counter[str]:
    """Games played in two worlds that differ only in what one seat cannot know: it is told the same in both."""
    met: Counter[str] = Counter()
    for seed in range(first, first + count):
        compare_two_world_game(2 + seed % 3, seed, met)
    return met


def compare_two_world_game(players: int, seed: int, met: Counter[str]) -> None:
    """One game. Others act alike in both worlds where both allow it; where they cannot, the second is drawn again."""
    state, rng = new_state(players), Rng(seed)
    seat = seed % (players + 1) if seed % (players + 1) < players else None
    world = resample_with_recording(state, seat, rng)
    while state.actor != OVER:
        check_seat_sees_same(state, world, seat)
        met["compared"] += 1
        met["worlds that differ"] += state.to_bytes() != world.to_bytes()
        pair = next_indistinguishable_actions(state, world, seat, rng)
        if pair is None:
            world = resample_with_recording(state, seat, rng)
            met["drawn again"] += 1
            continue
        state.apply(pair[0])
        world.apply(pair[1])
        if pair[0] == SHOW or state.actor == OVER:
            world = resample_with_recording(
                state, seat, rng
            )  # a hand was shown: worlds with another are no longer possible
    met["games"] += 1


def resample_with_recording(state: AtlantisState, seat: int | None, rng: Rng) -> AtlantisState:
    """Another world, both recording events from here on."""
    world = state.resample(seat, rng)
    assert isinstance(world, AtlantisState)
    faults = GAME.find_faults(world)
    assert not faults, faults
    state.events, world.events = [], []
    return world


def next_indistinguishable_actions(
    state: AtlantisState, world: AtlantisState, seat: int | None, rng: Rng
) -> tuple[int, int] | None:
    """What happens next in each world, looking alike to the seat; None if nothing can."""
    if state.actor == CHANCE:
        outcome = int(state.sample_chance(rng))
        if outcome >= CARD and state.seat != seat:
            return outcome, int(world.sample_chance(rng))
        return (outcome, outcome) if world.why_illegal(outcome) is None else None
    shared = [a for a in state.legal_actions() if world.why_illegal(a) is None]
    if SHOW in state.legal_actions() and state.actor != seat:
        state.apply(SHOW)
        return None
    if not shared:
        action = int(state.random_action(rng))
        state.apply(action)
        return None
    action = shared[int(rng.randbelow(len(shared)))]
    return action, action


def check_seat_sees_same(state: AtlantisState, world: AtlantisState, seat: int | None) -> None:
    """All that the seat is shown or may ask is the same in both worlds."""
    assert state.view(seat) == world.view(seat)
    assert list_choices_one_by_one(state, seat) == list_choices_one_by_one(world, seat)
    assert readable_events(state, seat) == readable_events(world, seat)
    if seat is None:
        return
    assert state.preview(seat) == world.preview(seat)
    for action in range(NUM_ACTIONS):
        assert state.why_illegal(action, seat) == world.why_illegal(action, seat)
    for piece, place in (("A", "30"), ("B", "mainland"), ("bridge", "27"), ("C", "5")):
        assert state.why_cannot_move(seat, piece, place) == world.why_cannot_move(seat, piece, place)
    if state.actor == seat:
        assert state.legal_actions() == world.legal_actions()


def readable_events(state: AtlantisState, seat: int | None) -> list[tuple[str, dict[str, object]]]:
    """The events as a seat may read them."""
    events: list[Event] = state.events or []
    return [
        (e.kind, {**e.public, **(e.private if e.secret and state.can_read(seat, e.secret) else {})}) for e in events
    ]


# --- being stuck, by brute force ---------------------------------------------------------------------------------


class SmallBoard:
    """A made-up board of a few tiles, both as a line for the engine and as plain lists for the search."""

    def __init__(self, chance: random.Random) -> None:
        faces = [(kind, value) for kind in KINDS[: chance.randint(2, 7)] for value in range(1, 6)]
        chance.shuffle(faces)
        self.cells: list[tuple[str, int] | str] = []
        for face in faces[: chance.randint(2, 8)]:
            self.cells += ["~"] * chance.choice((0, 0, 0, 1, 2)) if self.cells else []
            self.cells.append(face)
        if chance.random() < 0.3 and "~" in self.cells:
            self.cells[self.cells.index("~")] = "="
        places = [i for i, cell in enumerate(self.cells) if isinstance(cell, tuple)]
        chance.shuffle(places)
        self.mine = [chance.choice((-1, len(self.cells), places.pop() if places else -1)) for _ in range(3)]
        self.theirs = [places.pop() for _ in range(min(len(places), chance.randint(0, 5)))]
        if all(at == len(self.cells) for at in self.mine):
            self.mine[0] = -1
        kinds = [chance.choice(KINDS[:4] if chance.random() < 0.8 else KINDS) for _ in range(chance.randint(0, 5))]
        self.cards: list[tuple[str, bool]] = [(kind, False) for kind in kinds]
        for i in range(chance.choice((0, 0, min(len(kinds), 3)))):
            self.cards[i] = (kinds[i], True)  # bought this turn
        self.tiles = chance.sample(["pink6", "brown6", "white7", "green6"], chance.choice((0, 0, 0, 1, 2)))
        spare = [face for face in faces[8:] if face[1] <= 3]
        self.tiles += [f"{kind}{value}" for kind, value in spare[: chance.choice((0, 1, 2))]]

    def line(self) -> str:
        """The position, Blue to move."""
        names = ["Black A", "Black B", "Black C", "White A", "White B"]
        on = {at: f"(Blue {'ABC'[f]})" for f, at in enumerate(self.mine)}
        on |= {at: f"({names[i]})" for i, at in enumerate(self.theirs)}
        cells = [c if isinstance(c, str) else f"{c[0]}{c[1]}{on.get(i, '')}" for i, c in enumerate(self.cells)]
        home = [f"{'ABC'[f]}@mainland" for f, at in enumerate(self.mine) if at == len(self.cells)]
        blue = " ".join([*(kind for kind, _ in self.cards), *self.tiles, *home])
        fresh = [kind for kind, bought in self.cards if bought]
        now = f"; now: start bought={len(fresh)} fresh={','.join(fresh)}" if fresh else ""
        return f"{' '.join(cells)}; Blue: {blue}; players: 3{now}"

    def first_cards(self) -> set[str]:
        """Every first card with its figure that some order of cards and some payment make a legal move of."""
        found = set()
        for figure, at in enumerate(self.mine):
            if at == len(self.cells):
                continue
            for route in self.routes(at, self.cards, figure):
                if self.payable(at, route):
                    found.add(f"{'ABC'[figure]} {route[0][0]}")
        return found

    def routes(self, at: int, cards: list[tuple[str, bool]], figure: int) -> Iterator[list[tuple[str, bool]]]:
        """Every order of cards, as objects, that ends on a free tile or the mainland; bought before equal ones."""
        for i, card in enumerate(cards):
            if not card[1] and (card[0], True) in cards:
                continue
            ahead = [p for p in range(at + 1, len(self.cells)) if self.cells[p] != "~" and self.cells[p][0] == card[0]]
            target = ahead[0] if ahead else len(self.cells)
            rest = cards[:i] + cards[i + 1 :]
            if target in self.theirs or any(o == target for f, o in enumerate(self.mine) if f != figure and ahead):
                for route in self.routes(target, rest, figure):
                    yield [card, *route]
            else:
                yield [card]

    def payable(self, origin: int, route: list[tuple[str, bool]]) -> bool:
        """Whether some pieces held before this turn and not played pay for the way."""
        at = origin
        for kind, _ in route:
            ahead = [p for p in range(at + 1, len(self.cells)) if self.cells[p][0] == kind]
            at = ahead[0] if ahead else len(self.cells)
        left = self.cards[:]
        for card in route:
            left.remove(card)
        pieces = [1 for _, bought in left if not bought] + [int(tile[-1]) for tile in self.tiles]
        price = self.price(origin, at)
        return any(
            sum(v for bit, v in enumerate(pieces) if chosen >> bit & 1) >= price for chosen in range(1 << len(pieces))
        )

    def price(self, origin: int, target: int) -> int:
        """The gaps between, each at the lower value of its ends."""
        total = 0
        tiles = [i for i, cell in enumerate(self.cells) if isinstance(cell, tuple)]
        for left, right in itertools.pairwise(tiles):
            between = self.cells[left + 1 : right]
            if between and "=" not in between and left >= origin and right <= target:
                total += self.lower(left, right)
        return total

    def lower(self, left: int, right: int) -> int:
        values = [cell[1] for cell in (self.cells[left], self.cells[right]) if isinstance(cell, tuple)]
        return min(values)


def check_small_boards(count: int, first: int = 0) -> Counter[str]:
    """On made-up small boards the engine offers exactly the cards that brute force finds, else to show the hand."""
    met: Counter[str] = Counter()
    for seed in range(first, first + count):
        board = SmallBoard(random.Random(seed))
        state = GAME.from_text(board.line())
        assert isinstance(state, AtlantisState)
        found = board.first_cards()
        offered = {state.notation(action) for action in state.legal_actions()}
        assert {text for text in offered if text[1] == " "} == found, board.line()
        assert ("show" in offered) == (not found), board.line()
        check_legality_functions_agree(state)
        met["stuck" if not found else "free to move"] += 1
    return met


def main(games: int, worlds: int, boards: int) -> None:
    for name, run, count in (
        ("games", check_random_games, games),
        ("worlds", compare_two_world_games, worlds),
        ("boards", check_small_boards, boards),
    ):
        start = time.perf_counter()
        met = run(count)
        print(f"{name}: {dict(met)} in {time.perf_counter() - start:.0f} s", flush=True)


if __name__ == "__main__":
    print(landfall.ENGINE)
    main(*(int(n) for n in sys.argv[1:4]))
