"""What a study notes of each seat of a match, from its events: what it did, what befell it, where its points are from.

A mark is something that a seat has or has not by the end; a part is a number of points. Everything is open: the match
is over.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

Event = dict[str, Any]


@dataclass
class Noted:
    """What is noted of one seat."""

    marks: set[str] = field(default_factory=set)
    parts: dict[str, float] = field(default_factory=dict)

    def add(self, part: str, points: float) -> None:
        """Points from there."""
        self.parts[part] = self.parts.get(part, 0) + points


def survive(events: list[Event], players: int) -> list[Noted]:
    """Who came home, who was lost to what, which tiles were uncovered and played."""
    seats = [Noted() for _ in range(players)]
    owner: dict[str, int] = {}
    value: dict[str, int] = {}
    waiting: set[str] = set()  # neither home nor lost
    turn = 0
    for e in events:
        kind = e["kind"]
        if kind == "placed":
            owner[e["piece"]], value[e["piece"]] = e["seat"], e["value"]
            waiting.add(e["piece"])
        elif kind == "sunk":
            turn = e["seat"]
        elif kind == "revealed":
            seats[turn].marks.add(f"uncovers: {words(e['back'])}")
        elif kind == "landed":
            seats[owner[e["piece"]]].marks.add(f"home: a {value[e['piece']]}")
            seats[owner[e["piece"]]].add(f"explorers worth {value[e['piece']]}", value[e["piece"]])
            waiting.discard(e["piece"])
        elif kind == "removed":
            seats[owner[e["piece"]]].marks.add(f"loses one to: {words(e['by'])}")
            waiting.discard(e["piece"])
        elif kind == "tile_played":
            seats[e["seat"]].marks.add(f"plays: {words(e['tile'])}")
        elif kind == "defended":
            seats[e["seat"]].marks.add(f"defends against: {e['creature']}")
        elif kind == "ship_moved" and len({owner[piece] for piece in e["crew"]}) > 1:
            for piece in e["crew"]:
                seats[owner[piece]].marks.add("sails with a rival aboard")
    for piece in waiting:
        seats[owner[piece]].marks.add("has explorers out when it ends")
    return seats


def atlantis(events: list[Event], players: int) -> list[Noted]:
    """Which tiles were taken, what was paid, and how each came ashore."""
    seats = [Noted() for _ in range(players)]
    ashore = [0] * players
    for e in events:
        kind = e["kind"]
        if kind == "took":
            seats[e["seat"]].marks.add(f"takes: a tile worth {e['value']}")
        elif kind == "bridge":
            seats[e["seat"]].marks.add("lays its bridge")
        elif kind == "bought":
            seats[e["seat"]].marks.add("buys cards")
        elif kind == "hopped":
            seats[e["seat"]].marks.add("hops over a figure")
        elif kind == "took_nothing":
            seats[e["seat"]].marks.add("comes away without a tile")
        elif kind == "shown":
            seats[e["seat"]].marks.add("cannot move and shows its hand")
        elif kind in ("paid_tile", "paid_card"):
            seats[e["seat"]].marks.add("pays to cross water")
            if kind == "paid_tile":
                seats[e["seat"]].add("tiles given for crossings", -e["value"])
        elif kind == "moved" and e["to"] == "mainland":
            ashore[e["seat"]] += 1
        elif kind == "scored":
            seats[e["seat"]].add("tiles kept", e["tiles"])
            seats[e["seat"]].add("cards kept", e["cards"])
            seats[e["seat"]].add("paid for the last crossing", -e["paid"])
    for seat, count in enumerate(ashore):
        seats[seat].marks.add(f"ashore before the end: {count} of 3")
    return seats


def atlandice(events: list[Event], players: int) -> list[Noted]:
    """Which tiles were won and used, and what scored."""
    seats = [Noted() for _ in range(players)]
    for e in events:
        kind, seat = e["kind"], e.get("seat")
        if kind == "tile":
            seats[e["seat"]].marks.add(f"wins: {words(e['tile'])}")
            seats[e["seat"]].add("tiles won", e["points"])
        elif kind == "points":
            reason = e["reason"]
            named = {"region": "majority in an emptied region", "inventory": "inventory", "donation": "donation"}
            seats[e["seat"]].add(named.get(reason, "majorities at the end"), e["points"])
            seats[e["seat"]].marks.add(f"scores: {named.get(reason, f'most {reason} at the end')}")
        elif kind == "roll":
            seats[e["seat"]].marks.add(f"rolls for: {words(e['tile'])}")
        elif kind == "clock_inn":
            seats[e["seat"]].marks.add("turns the clock at the inn")
        elif kind == "give":
            seats[e["seat"]].marks.add("gives in a donation")
        elif kind in ("second_visit", "submarine", "swap", "move", "die_moved") and seat is not None:
            named = {"second_visit": "visits twice in a turn", "submarine": "moves the submarine"}
            named |= {"swap": "swaps pieces", "move": "moves a piece", "die_moved": "moves a die"}
            seats[seat].marks.add(named[kind])
    return seats


def words(name: str) -> str:
    """A word of the messages as people write it."""
    return name.replace("_", " ")


def plain(events: list[Event], players: int) -> list[Noted]:
    """Of a game that is not ours: which kinds of event are its doing."""
    seats = [Noted() for _ in range(players)]
    for e in events:
        if isinstance(e.get("seat"), int) and 0 <= e["seat"] < players:
            seats[e["seat"]].marks.add(f"event: {words(e['kind'])}")
    return seats


MARKS: Final[dict[str, Callable[[list[Event], int], list[Noted]]]] = {
    "survive": survive,
    "atlantis": atlantis,
    "atlandice": atlandice,
}
ROUNDS: Final = {"survive": ("turn", "turns"), "atlantis": ("turn", "turns"), "atlandice": ("round", "rounds")}
# Values of options that cannot be listed: their names here, and what they are.
HALF: Final = {"last": 9, "icons": {"2": "gems", "3": "donation", "5": "books", "6": "stock", "8": "provisions"}}
OBJECTS: Final[dict[str, dict[str, object]]] = {
    "atlandice": {
        "clock: half as long": {"clock": HALF},
        "clock: hands of 1 everywhere": {
            "clock": {
                "hands": {
                    **{region: [1, 1, 1] for region in ("jeweller", "library", "inn", "workshop", "forge")},
                    "black_market": 1,
                }
            }
        },
        "clock: no donations": {
            "clock": {
                "last": 18,
                "icons": {
                    "2": "gems", "5": "books", "6": "stock", "8": "provisions",
                    "11": "tools", "12": "stock", "14": "weapons",
                },
            }
        },
    }
}  # fmt: skip
