# interpreted
"""What a study records about each seat: tiles taken, gaps crossed, figures ashore."""

from __future__ import annotations

from typing import Final

from landfall.core.seat_statistics import Event, SeatStatistics

ROUND_EVENT: Final = ("turn", "turns")  # the event that starts a round, and the name of rounds


def derive_seat_statistics(events: list[Event], players: int) -> list[SeatStatistics]:
    """The tiles taken, the payments, and how each figure came ashore."""
    seats = [SeatStatistics() for _ in range(players)]
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
                seats[e["seat"]].add_points("tiles given for crossings", -e["value"])
        elif kind == "moved" and e["to"] == "mainland":
            ashore[e["seat"]] += 1
        elif kind == "scored":
            seats[e["seat"]].add_points("tiles kept", e["tiles"])
            seats[e["seat"]].add_points("cards kept", e["cards"])
            seats[e["seat"]].add_points("paid for the last crossing", -e["paid"])
    for seat, count in enumerate(ashore):
        seats[seat].marks.add(f"ashore before the end: {count} of 3")
    return seats
