# interpreted
"""The goals of this game's puzzles: what a choice reaches, as facts that a player can count on the table."""

from typing import Any, Final

from landfall.core.puzzle import ChoiceCase, Facts, Goal
from landfall.games.atlantis.content.hint_reasons import route_of
from landfall.games.atlantis.rules.board import read_place

MOVES: Final = ("move", "move_pay", "hop")


def move_bill(case: ChoiceCase) -> int:
    """What is paid for the gaps of a move."""
    return int(case.choice["bill"])


def spaces_advanced(case: ChoiceCase) -> int:
    """The number of spaces a figure advances."""
    return read_place(str(case.choice["to"])) - read_place(str(case.choice["from"]))


def taken_tile_value(case: ChoiceCase) -> int:
    """The value of the tile that a move takes; 0 if none, or if the move goes on."""
    route = route_of(case) if case.verb in ("move", "move_pay") else None
    return int(route["takes"]["value"]) if route and route["takes"] and not route["occupied"] else 0


def to_mainland(case: ChoiceCase) -> Facts | None:
    return {"bill": move_bill(case)} if case.verb in MOVES and case.choice["to"] == "mainland" else None


def to_mainland_free(case: ChoiceCase) -> Facts | None:
    return {} if to_mainland(case) == {"bill": 0} else None


def take_free(case: ChoiceCase) -> Facts | None:
    return {"value": taken_tile_value(case)} if taken_tile_value(case) and not move_bill(case) else None


def take_for(case: ChoiceCase) -> Facts | None:
    return {"value": taken_tile_value(case), "bill": move_bill(case)} if taken_tile_value(case) else None


def take_net(case: ChoiceCase) -> Facts | None:
    more = taken_tile_value(case) - move_bill(case) if taken_tile_value(case) else 0
    return {"n": more} if more > 0 else None


def leave_atlantis(case: ChoiceCase) -> Facts | None:
    if case.verb not in MOVES or case.choice["from"] != "atlantis":
        return None
    return {"n": spaces_advanced(case)}


def leap(case: ChoiceCase) -> Facts | None:
    return {"n": spaces_advanced(case)} if case.verb in MOVES else None


def leap_free(case: ChoiceCase) -> Facts | None:
    return {"n": spaces_advanced(case)} if case.verb == "move" else None


def stone(case: ChoiceCase) -> Facts | None:
    return {"n": spaces_advanced(case)} if case.verb == "hop" else None


def hindmost_figure(case: ChoiceCase) -> Facts | None:
    return figure_facts(case, min)


def foremost_figure(case: ChoiceCase) -> Facts | None:
    return figure_facts(case, max)


def figure_facts(case: ChoiceCase, pick: Any) -> Facts | None:
    """The advance of the seat's hindmost or foremost figure on the way."""
    if case.verb not in MOVES:
        return None
    places = [read_place(place) for place in case.view["seats"][case.seat]["figures"].values() if place != "mainland"]
    origin = read_place(str(case.choice["from"]))
    is_alone = len(places) > 1 and origin == pick(places) and places.count(origin) == 1
    return {"n": spaces_advanced(case)} if is_alone else None


def bridge(case: ChoiceCase) -> Facts | None:
    """The price of the bridged gap, and how many of the seat's figures are before it."""
    if case.verb != "bridge":
        return None
    places = [read_place(place) for place in case.view["seats"][case.seat]["figures"].values()]
    behind = sum(place < int(case.choice["at"]) for place in places)
    return {"price": int(case.choice["price"]), "n": behind} if behind else None


def bridge_price(case: ChoiceCase) -> Facts | None:
    return {"price": int(case.choice["price"])} if case.verb == "bridge" else None


def buy(case: ChoiceCase) -> Facts | None:
    return {"cards": int(case.choice["cards"])} if case.verb == "buy" else None


def buy_cheaply(case: ChoiceCase) -> Facts | None:
    if case.verb != "buy":
        return None
    return {"cards": int(case.choice["cards"]), "value": int(case.choice["value"])}


def pay_exactly(case: ChoiceCase) -> Facts | None:
    if case.verb != "pay_tile" or case.choice["value"] != case.choice["left"]:
        return None
    return {"left": int(case.choice["left"])}


def pay_at_once(case: ChoiceCase) -> Facts | None:
    """One tile pays all that is owed."""
    if case.verb != "pay_tile" or int(case.choice["value"]) < int(case.choice["left"]):
        return None
    return {"left": int(case.choice["left"]), "value": int(case.choice["value"])}


def pay_with_card(case: ChoiceCase) -> Facts | None:
    """A card pays the last point that is owed."""
    return {} if case.verb == "pay_card" and int(case.choice["left"]) == 1 else None


def keep_tiles(case: ChoiceCase) -> Facts | None:
    """Pay with a tile and keep all that are worth more."""
    return {"value": int(case.choice["value"])} if case.verb == "pay_tile" else None


GOALS: Final = [
    Goal("home_free", to_mainland_free),
    Goal("home", to_mainland, at_most=("bill",)),
    Goal("take_free", take_free, at_least=("value",)),
    Goal("take", take_for, at_least=("value",), at_most=("bill",)),
    Goal("take_net", take_net, at_least=("n",)),
    Goal("leave", leave_atlantis, at_least=("n",)),
    Goal("stone", stone, at_least=("n",)),
    Goal("hindmost", hindmost_figure, at_least=("n",)),
    Goal("foremost", foremost_figure, at_least=("n",)),
    Goal("leap_free", leap_free, at_least=("n",)),
    Goal("leap", leap, at_least=("n",)),
    Goal("bridge", bridge, at_least=("price", "n")),
    Goal("bridge_price", bridge_price, at_least=("price",)),
    Goal("buy", buy, at_least=("cards",)),
    Goal("buy_cheaply", buy_cheaply, at_least=("cards",), at_most=("value",)),
    Goal("pay_exactly", pay_exactly),
    Goal("pay_at_once", pay_at_once, at_most=("value",)),
    Goal("pay_with_card", pay_with_card),
    Goal("keep_tiles", keep_tiles, at_most=("value",)),
]
