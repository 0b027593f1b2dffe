# interpreted
"""Reasons for a choice, with numbers that a player can count on the table: for hints and puzzles.

They use only what the seat sees: its view before and after the choice, and the preview of its cards.
"""

from typing import Any

from landfall.core.puzzle import ChoiceCase, Reason
from landfall.games.atlantis.rules import board


def list_reasons(case: ChoiceCase) -> list[Reason]:
    """All reasons for the choice."""
    choice = case.choice
    if case.verb in ("move", "move_pay", "hop"):
        return move_reasons(case)
    if case.verb == "bridge":
        return bridge_reasons(case)
    if case.verb == "buy":
        cards = case.view["seats"][case.seat]["cards"]
        return [
            Reason("buys", {"cards": choice["cards"], "value": choice["value"]}, 2.0),
            Reason("few", {"n": cards}, 1.5),
        ]
    if case.verb == "pay_tile":
        key = "exact" if choice["value"] == choice["left"] else "pays"
        return [Reason(key, {"value": choice["value"], "left": choice["left"]}, 2.0)]
    if case.verb == "pay_card":
        return [Reason("card", {"left": choice["left"]}, 2.0)]
    return []


def move_reasons(case: ChoiceCase) -> list[Reason]:
    choice = case.choice
    out = []
    route = find_card_route(case)
    bill = int(choice["bill"])
    if route and route["takes"] and not route["occupied"]:
        value = int(route["takes"]["value"])
        key = "takes_free" if bill == 0 else "takes"
        out.append(Reason(key, {"value": value, "bill": bill}, float(value - bill)))
    if choice["to"] == "mainland":
        home = case.view["seats"][case.seat]["mainland"] + 1
        out.append(Reason("home", {"n": home, "cards": 1 + home}, 4.0))
    way = count_spaces_advanced(case)
    if case.verb == "hop":
        out.append(Reason("hops", {"n": way}, 3.0))
    elif way >= 4:
        out.append(Reason("far", {"n": way}, way / 4))
    return out


def find_card_route(case: ChoiceCase) -> dict[str, Any] | None:
    """The card's route, from the seat's preview."""
    figures: dict[str, Any] = dict(case.state.preview(case.seat)).get("figures", {})  # type: ignore[assignment]
    routes: list[dict[str, Any]] = figures.get(str(case.choice["figure"]), [])
    return next((route for route in routes if route["card"] == case.choice["card"]), None)


def count_spaces_advanced(case: ChoiceCase) -> int:
    """The number of positions the figure advances."""
    return board.parse_place(str(case.choice["to"])) - board.parse_place(str(case.choice["from"]))


def bridge_reasons(case: ChoiceCase) -> list[Reason]:
    at = int(case.choice["at"])
    places = [board.parse_place(place) for place in case.view["seats"][case.seat]["figures"].values()]
    behind = sum(place < min(at - 1, board.POSITIONS) for place in places)
    return [Reason("bridges", {"price": case.choice["price"], "n": behind}, 3.0)]
