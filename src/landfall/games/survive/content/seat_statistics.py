# interpreted
"""What a study records about each seat: the fate of explorers, and the tiles revealed and played."""

from __future__ import annotations

from typing import Final

from landfall.core.seat_statistics import Event, SeatStatistics, humanize_identifier

ROUND_EVENT: Final = ("turn", "turns")  # the event that starts a round, and the name of rounds


def derive_seat_statistics(events: list[Event], players: int) -> list[SeatStatistics]:
    """Who was saved, who was lost to what, which tiles were revealed and played."""
    seats = [SeatStatistics() for _ in range(players)]
    owner: dict[str, int] = {}
    value: dict[str, int] = {}
    waiting: set[str] = set()  # neither saved nor lost
    turn = 0
    for e in events:
        kind = e["kind"]
        if kind == "placed":
            owner[e["piece"]], value[e["piece"]] = e["seat"], e["value"]
            waiting.add(e["piece"])
        elif kind == "sunk":
            turn = e["seat"]
        elif kind == "revealed":
            seats[turn].marks.add(f"uncovers: {humanize_identifier(e['back'])}")
        elif kind == "landed":
            seats[owner[e["piece"]]].marks.add(f"home: a {value[e['piece']]}")
            seats[owner[e["piece"]]].add_points(f"explorers worth {value[e['piece']]}", value[e["piece"]])
            waiting.discard(e["piece"])
        elif kind == "removed":
            seats[owner[e["piece"]]].marks.add(f"loses one to: {humanize_identifier(e['by'])}")
            waiting.discard(e["piece"])
        elif kind == "tile_played":
            seats[e["seat"]].marks.add(f"plays: {humanize_identifier(e['tile'])}")
        elif kind == "defended":
            seats[e["seat"]].marks.add(f"defends against: {e['creature']}")
        elif kind == "ship_moved" and len({owner[piece] for piece in e["crew"]}) > 1:
            for piece in e["crew"]:
                seats[owner[piece]].marks.add("sails with a rival aboard")
    for piece in waiting:
        seats[owner[piece]].marks.add("has explorers out when it ends")
    return seats
