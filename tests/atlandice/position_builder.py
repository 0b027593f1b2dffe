"""Positions set up by hand: tiles, dice and pieces as a test needs them, and lines of notation played on them."""

from __future__ import annotations

from typing import cast

import landfall
from landfall.core.int_vectors import to_vector
from landfall.core.state import CHANCE, OVER
from landfall.games.atlandice.rules import scoring
from landfall.games.atlandice.rules.board import Sector
from landfall.games.atlandice.state import AtlandiceState

LETTERS = "gbptw"
DICE = {2: "1234566", 3: "1234566", 4: "112345666"}


def new_game_with_tiles(
    tiles: str = "aaaaa", dice: str = "", players: int = 3, clock: dict[str, object] | None = None
) -> AtlandiceState:
    """A game whose first tiles and first gates are these; the first player is about to take a die."""
    s = cast("AtlandiceState", landfall.new("atlandice", players, **({"clock": clock} if clock else {})))
    s.events = []
    play_lines(s, *(f"*{n}{letter}" for n, letter in enumerate(tiles, 1)), *(f"*{d}" for d in dice or DICE[players]))
    return s


def play_lines(s: AtlandiceState, *lines: str) -> None:
    """Play lines of a record, chance marked with `*`; each must be legal."""
    for line in " ".join(lines).split():
        assert s.actor != OVER, f"{line} comes after the end"
        assert line.startswith("*") == (s.actor == CHANCE), f"{line} in phase {phase_name(s)}"
        action = s.parse(line.removeprefix("*"))
        assert s.why_illegal(action) is None, f"{line} is forbidden by {s.why_illegal(action)} in phase {phase_name(s)}"
        s.apply(action)


def rule_forbidding(s: AtlandiceState, line: str) -> str | None:
    """The rule that forbids a choice."""
    return s.why_illegal(s.parse(line))


def list_choices(s: AtlandiceState) -> list[str]:
    """All that the actor may choose, in notation."""
    return [s.notation(a) for a in s.legal_actions()]


def phase_name(s: AtlandiceState) -> str:
    return str(s.view(None)["phase"])


def count_pieces_by_kind(text: str) -> list[int]:
    return [text.count(letter) for letter in LETTERS]


def set_sector_pieces(s: AtlandiceState, sector: int, text: str) -> None:
    """Exactly these pieces lie in a sector (1 to 6); a region that gets any has held one."""
    for r, count in enumerate(count_pieces_by_kind(text)):
        s.lying[(sector - 1) * 5 + r] = count
    if text and sector < 6:
        s.held[sector - 1] = 1


def set_stocks(s: AtlandiceState, *stocks: str) -> None:
    """Exactly these pieces are held, by holder; the others hold none."""
    every = [count_pieces_by_kind(text) for text in (*stocks, "", "", "", "")][:4]
    s.stock = to_vector([count for stock in every for count in stock])


def set_seen_tiles(s: AtlandiceState, region: int, seen: str) -> None:
    """Of a region's stack (1 to 5) these tiles were seen, the last is on top; the others left the game."""
    for letter in "abc":
        place = 1 if letter == seen[-1] else 2 if letter in seen else 0
        s.tile_place[(region - 1) * 3 + "abc".index(letter)] = place
    s.top[region - 1] = "abc".index(seen[-1])


def use_up_stacks(s: AtlandiceState, *regions: int) -> None:
    """These stacks (1 to 5) are used up, all their tiles out of the game, and their pieces too."""
    for region in regions:
        for tile in range((region - 1) * 3, region * 3):
            s.tile_place[tile] = 2
        scoring.close_region_without_tiles(s, Sector(region - 1))


def set_dice(s: AtlandiceState, text: str) -> None:
    """Exactly these dice lie in the sectors."""
    s.dice = to_vector([text.count(n) for n in "123456"])


def sector_pieces(s: AtlandiceState, sector: int) -> str:
    """The pieces lying in a sector (1 to 6)."""
    return "".join(letter * s.lying[(sector - 1) * 5 + r] for r, letter in enumerate(LETTERS))


def stock_pieces(s: AtlandiceState, holder: int) -> str:
    """The pieces of a holder."""
    return "".join(letter * s.stock[holder * 5 + r] for r, letter in enumerate(LETTERS))


def sector_dice(s: AtlandiceState) -> str:
    """The dice lying in the sectors."""
    return "".join(n * s.dice[i] for i, n in enumerate("123456"))


def points_by_holder(s: AtlandiceState) -> list[int]:
    """Victory points by holder, tiles not counted."""
    return [int(x) for x in s.points]


def tile_location(s: AtlandiceState, tile: str) -> str:
    """Where a tile (`2a`) is: unseen, top, gone, or the holder's number."""
    place = int(s.tile_place[(int(tile[0]) - 1) * 3 + "abc".index(tile[1])])
    return ("unseen", "top", "gone", "0", "1", "2", "3")[place]


def events_of_kind(s: AtlandiceState, kind: str) -> list[dict[str, object]]:
    """The events of a kind so far."""
    found = [event.public for event in s.events or [] if event.kind == kind]
    return [{name: value for name, value in event.items() if name != "kind"} for event in found]


def set_up_last_visit(s: AtlandiceState, last_die: str, seat_dice: str) -> None:
    """The round's last visit is to come, by the last in turn order: one die to take and one that stays."""
    set_dice(s, last_die + seat_dice)
    per_seat = 3 if s.players == 2 else 2
    s.visits = per_seat * s.players - 1
    s.turn = s.holder = s.actor = (s.first + s.visits) % s.players
    if s.players == 2:
        s.gave = to_vector([1, 1, 0, 0])
        taken = [2, 2, 2, 0]
    else:
        taken = [2 if seat < s.players else 0 for seat in range(4)]
    taken[int(s.turn)] -= 1
    s.taken = to_vector(taken)
