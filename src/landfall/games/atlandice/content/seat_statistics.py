# interpreted
"""What a study records about each seat: tiles won and used, and what scored."""

from __future__ import annotations

from typing import Final

from landfall.core.seat_statistics import Event, SeatStatistics, humanize_identifier

ROUND_EVENT: Final = ("round", "rounds")  # the event that starts a round, and the name of rounds
HALF_CLOCK: Final = {"last": 9, "icons": {"2": "gems", "3": "donation", "5": "books", "6": "stock", "8": "provisions"}}
# Values of options that cannot be enumerated: a name for each.
VALUES: Final[dict[str, dict[str, object]]] = {
    "clock: half as long": {"clock": HALF_CLOCK},
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
}  # fmt: skip


def derive_seat_statistics(events: list[Event], players: int) -> list[SeatStatistics]:
    """Which tiles were won and used, and what scored."""
    seats = [SeatStatistics() for _ in range(players)]
    for e in events:
        kind, seat = e["kind"], e.get("seat")
        if kind == "tile":
            seats[e["seat"]].marks.add(f"wins: {humanize_identifier(e['tile'])}")
            seats[e["seat"]].add_points("tiles won", e["points"])
        elif kind == "points":
            reason = e["reason"]
            named = {"region": "majority in an emptied region", "inventory": "inventory", "donation": "donation"}
            seats[e["seat"]].add_points(named.get(reason, "majorities at the end"), e["points"])
            seats[e["seat"]].marks.add(f"scores: {named.get(reason, f'most {reason} at the end')}")
        elif kind == "roll":
            seats[e["seat"]].marks.add(f"rolls for: {humanize_identifier(e['tile'])}")
        elif kind == "clock_inn":
            seats[e["seat"]].marks.add("turns the clock at the inn")
        elif kind == "give":
            seats[e["seat"]].marks.add("gives in a donation")
        elif kind in ("second_visit", "submarine", "swap", "move", "die_moved") and seat is not None:
            named = {"second_visit": "visits twice in a turn", "submarine": "moves the submarine"}
            named |= {"swap": "swaps pieces", "move": "moves a piece", "die_moved": "moves a die"}
            seats[seat].marks.add(named[kind])
    return seats
