# interpreted
"""The goals of this game's puzzles: what a choice reaches, as facts that a player can count on the table."""

from typing import Any, Final

from landfall.core.puzzle import ChoiceCase, Facts, Goal
from landfall.games.atlantis.content.hint_reasons import find_card_route
from landfall.games.atlantis.rules.board import parse_place

MOVES: Final = ("move", "move_pay", "hop")


def move_price(case: ChoiceCase) -> int:
    """What is paid for the gaps of a move."""
    return int(case.choice["bill"])


def count_spaces_advanced(case: ChoiceCase) -> int:
    """The number of spaces a figure advances."""
    return parse_place(str(case.choice["to"])) - parse_place(str(case.choice["from"]))


def previewed_tile_value(case: ChoiceCase) -> int:
    """The value of the tile that a move takes; 0 if none, or if the move goes on."""
    route = find_card_route(case) if case.verb in ("move", "move_pay") else None
    return int(route["takes"]["value"]) if route and route["takes"] and not route["occupied"] else 0


def mainland_reached_facts(case: ChoiceCase) -> Facts | None:
    return {"bill": move_price(case)} if case.verb in MOVES and case.choice["to"] == "mainland" else None


def mainland_reached_free_facts(case: ChoiceCase) -> Facts | None:
    return {} if mainland_reached_facts(case) == {"bill": 0} else None


def tile_taken_free_facts(case: ChoiceCase) -> Facts | None:
    return {"value": previewed_tile_value(case)} if previewed_tile_value(case) and not move_price(case) else None


def tile_taken_for_price_facts(case: ChoiceCase) -> Facts | None:
    return {"value": previewed_tile_value(case), "bill": move_price(case)} if previewed_tile_value(case) else None


def tile_taken_net_gain_facts(case: ChoiceCase) -> Facts | None:
    more = previewed_tile_value(case) - move_price(case) if previewed_tile_value(case) else 0
    return {"n": more} if more > 0 else None


def atlantis_left_facts(case: ChoiceCase) -> Facts | None:
    if case.verb not in MOVES or case.choice["from"] != "atlantis":
        return None
    return {"n": count_spaces_advanced(case)}


def spaces_advanced_facts(case: ChoiceCase) -> Facts | None:
    return {"n": count_spaces_advanced(case)} if case.verb in MOVES else None


def spaces_advanced_free_facts(case: ChoiceCase) -> Facts | None:
    return {"n": count_spaces_advanced(case)} if case.verb == "move" else None


def hop_onto_occupied_tile_facts(case: ChoiceCase) -> Facts | None:
    return {"n": count_spaces_advanced(case)} if case.verb == "hop" else None


def hindmost_figure_facts(case: ChoiceCase) -> Facts | None:
    return extreme_figure_facts(case, min)


def foremost_figure_facts(case: ChoiceCase) -> Facts | None:
    return extreme_figure_facts(case, max)


def extreme_figure_facts(case: ChoiceCase, pick: Any) -> Facts | None:
    """The advance of the seat's hindmost or foremost figure on the way."""
    if case.verb not in MOVES:
        return None
    places = [parse_place(place) for place in case.view["seats"][case.seat]["figures"].values() if place != "mainland"]
    origin = parse_place(str(case.choice["from"]))
    is_alone = len(places) > 1 and origin == pick(places) and places.count(origin) == 1
    return {"n": count_spaces_advanced(case)} if is_alone else None


def bridge_with_figures_behind_facts(case: ChoiceCase) -> Facts | None:
    """The price of the bridged gap, and how many of the seat's figures are before it."""
    if case.verb != "bridge":
        return None
    places = [parse_place(place) for place in case.view["seats"][case.seat]["figures"].values()]
    behind = sum(place < int(case.choice["at"]) for place in places)
    return {"price": int(case.choice["price"]), "n": behind} if behind else None


def bridge_price_facts(case: ChoiceCase) -> Facts | None:
    return {"price": int(case.choice["price"])} if case.verb == "bridge" else None


def cards_bought_facts(case: ChoiceCase) -> Facts | None:
    return {"cards": int(case.choice["cards"])} if case.verb == "buy" else None


def cards_bought_cheaply_facts(case: ChoiceCase) -> Facts | None:
    if case.verb != "buy":
        return None
    return {"cards": int(case.choice["cards"]), "value": int(case.choice["value"])}


def exact_payment_facts(case: ChoiceCase) -> Facts | None:
    if case.verb != "pay_tile" or case.choice["value"] != case.choice["left"]:
        return None
    return {"left": int(case.choice["left"])}


def single_tile_payment_facts(case: ChoiceCase) -> Facts | None:
    """One tile pays all that is owed."""
    if case.verb != "pay_tile" or int(case.choice["value"]) < int(case.choice["left"]):
        return None
    return {"left": int(case.choice["left"]), "value": int(case.choice["value"])}


def last_point_by_card_facts(case: ChoiceCase) -> Facts | None:
    """A card pays the last point that is owed."""
    return {} if case.verb == "pay_card" and int(case.choice["left"]) == 1 else None


def dearer_tiles_kept_facts(case: ChoiceCase) -> Facts | None:
    """Pay with a tile and keep all that are worth more."""
    return {"value": int(case.choice["value"])} if case.verb == "pay_tile" else None


GOALS: Final = [
    Goal("home_free", mainland_reached_free_facts),
    Goal("home", mainland_reached_facts, at_most=("bill",)),
    Goal("take_free", tile_taken_free_facts, at_least=("value",)),
    Goal("take", tile_taken_for_price_facts, at_least=("value",), at_most=("bill",)),
    Goal("take_net", tile_taken_net_gain_facts, at_least=("n",)),
    Goal("leave", atlantis_left_facts, at_least=("n",)),
    Goal("stone", hop_onto_occupied_tile_facts, at_least=("n",)),
    Goal("hindmost", hindmost_figure_facts, at_least=("n",)),
    Goal("foremost", foremost_figure_facts, at_least=("n",)),
    Goal("leap_free", spaces_advanced_free_facts, at_least=("n",)),
    Goal("leap", spaces_advanced_facts, at_least=("n",)),
    Goal("bridge", bridge_with_figures_behind_facts, at_least=("price", "n")),
    Goal("bridge_price", bridge_price_facts, at_least=("price",)),
    Goal("buy", cards_bought_facts, at_least=("cards",)),
    Goal("buy_cheaply", cards_bought_cheaply_facts, at_least=("cards",), at_most=("value",)),
    Goal("pay_exactly", exact_payment_facts),
    Goal("pay_at_once", single_tile_payment_facts, at_most=("value",)),
    Goal("pay_with_card", last_point_by_card_facts),
    Goal("keep_tiles", dearer_tiles_kept_facts, at_most=("value",)),
]
