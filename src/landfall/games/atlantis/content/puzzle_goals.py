# interpreted
"""The goals of this game's puzzles: what a choice reaches, as facts that a player can count on the table."""

from typing import Any, Final

from landfall.core.puzzle import ChoiceCase, Facts, Goal
from landfall.games.atlantis.content.hint_reasons import count_spaces_advanced, find_card_route
from landfall.games.atlantis.rules.board import parse_place

MOVES: Final = ("move", "move_pay", "hop")


def move_price(case: ChoiceCase) -> int:
    """What is paid for the gaps of a move."""
    return int(case.choice["bill"])


def previewed_tile_value(case: ChoiceCase) -> int:
    """The value of the tile that a move takes; 0 if none, or if the move goes on."""
    route = find_card_route(case) if case.verb in ("move", "move_pay") else None
    return int(route["takes"]["value"]) if route and route["takes"] and not route["occupied"] else 0


def facts_if_mainland_reached(case: ChoiceCase) -> Facts | None:
    return {"bill": move_price(case)} if case.verb in MOVES and case.choice["to"] == "mainland" else None


def facts_if_mainland_reached_free(case: ChoiceCase) -> Facts | None:
    return {} if facts_if_mainland_reached(case) == {"bill": 0} else None


def facts_if_tile_taken_free(case: ChoiceCase) -> Facts | None:
    return {"value": previewed_tile_value(case)} if previewed_tile_value(case) and not move_price(case) else None


def facts_if_tile_taken(case: ChoiceCase) -> Facts | None:
    return {"value": previewed_tile_value(case), "bill": move_price(case)} if previewed_tile_value(case) else None


def facts_if_tile_worth_more_than_price(case: ChoiceCase) -> Facts | None:
    more = previewed_tile_value(case) - move_price(case) if previewed_tile_value(case) else 0
    return {"n": more} if more > 0 else None


def facts_if_atlantis_left(case: ChoiceCase) -> Facts | None:
    if case.verb not in MOVES or case.choice["from"] != "atlantis":
        return None
    return {"n": count_spaces_advanced(case)}


def facts_if_figure_advances(case: ChoiceCase) -> Facts | None:
    return {"n": count_spaces_advanced(case)} if case.verb in MOVES else None


def facts_if_move_without_price_or_hop(case: ChoiceCase) -> Facts | None:
    return {"n": count_spaces_advanced(case)} if case.verb == "move" else None


def facts_if_hop_onto_occupied_tile(case: ChoiceCase) -> Facts | None:
    return {"n": count_spaces_advanced(case)} if case.verb == "hop" else None


def facts_if_hindmost_figure_moves(case: ChoiceCase) -> Facts | None:
    return facts_if_extreme_figure_moves(case, min)


def facts_if_foremost_figure_moves(case: ChoiceCase) -> Facts | None:
    return facts_if_extreme_figure_moves(case, max)


def facts_if_extreme_figure_moves(case: ChoiceCase, pick: Any) -> Facts | None:
    """The advance of the seat's hindmost or foremost figure on the way."""
    if case.verb not in MOVES:
        return None
    places = [parse_place(place) for place in case.view["seats"][case.seat]["figures"].values() if place != "mainland"]
    origin = parse_place(str(case.choice["from"]))
    is_alone = len(places) > 1 and origin == pick(places) and places.count(origin) == 1
    return {"n": count_spaces_advanced(case)} if is_alone else None


def facts_if_bridge_with_own_figures_behind(case: ChoiceCase) -> Facts | None:
    """The price of the bridged gap, and how many of the seat's figures are before it."""
    if case.verb != "bridge":
        return None
    places = [parse_place(place) for place in case.view["seats"][case.seat]["figures"].values()]
    behind = sum(place < int(case.choice["at"]) for place in places)
    return {"price": int(case.choice["price"]), "n": behind} if behind else None


def facts_if_bridge_laid(case: ChoiceCase) -> Facts | None:
    return {"price": int(case.choice["price"])} if case.verb == "bridge" else None


def facts_if_cards_bought(case: ChoiceCase) -> Facts | None:
    return {"cards": int(case.choice["cards"])} if case.verb == "buy" else None


def facts_if_cards_bought_with_tile_value(case: ChoiceCase) -> Facts | None:
    if case.verb != "buy":
        return None
    return {"cards": int(case.choice["cards"]), "value": int(case.choice["value"])}


def facts_if_exact_tile_payment(case: ChoiceCase) -> Facts | None:
    if case.verb != "pay_tile" or case.choice["value"] != case.choice["left"]:
        return None
    return {"left": int(case.choice["left"])}


def facts_if_one_tile_pays_rest(case: ChoiceCase) -> Facts | None:
    """One tile pays all that is owed."""
    if case.verb != "pay_tile" or int(case.choice["value"]) < int(case.choice["left"]):
        return None
    return {"left": int(case.choice["left"]), "value": int(case.choice["value"])}


def facts_if_card_pays_last_point(case: ChoiceCase) -> Facts | None:
    """A card pays the last point that is owed."""
    return {} if case.verb == "pay_card" and int(case.choice["left"]) == 1 else None


def facts_if_paid_with_tile(case: ChoiceCase) -> Facts | None:
    """The value of the tile paid with; all that are worth more are kept."""
    return {"value": int(case.choice["value"])} if case.verb == "pay_tile" else None


GOALS: Final = [
    Goal("home_free", facts_if_mainland_reached_free),
    Goal("home", facts_if_mainland_reached, at_most=("bill",)),
    Goal("take_free", facts_if_tile_taken_free, at_least=("value",)),
    Goal("take", facts_if_tile_taken, at_least=("value",), at_most=("bill",)),
    Goal("take_net", facts_if_tile_worth_more_than_price, at_least=("n",)),
    Goal("leave", facts_if_atlantis_left, at_least=("n",)),
    Goal("stone", facts_if_hop_onto_occupied_tile, at_least=("n",)),
    Goal("hindmost", facts_if_hindmost_figure_moves, at_least=("n",)),
    Goal("foremost", facts_if_foremost_figure_moves, at_least=("n",)),
    Goal("leap_free", facts_if_move_without_price_or_hop, at_least=("n",)),
    Goal("leap", facts_if_figure_advances, at_least=("n",)),
    Goal("bridge", facts_if_bridge_with_own_figures_behind, at_least=("price", "n")),
    Goal("bridge_price", facts_if_bridge_laid, at_least=("price",)),
    Goal("buy", facts_if_cards_bought, at_least=("cards",)),
    Goal("buy_cheaply", facts_if_cards_bought_with_tile_value, at_least=("cards",), at_most=("value",)),
    Goal("pay_exactly", facts_if_exact_tile_payment),
    Goal("pay_at_once", facts_if_one_tile_pays_rest, at_most=("value",)),
    Goal("pay_with_card", facts_if_card_pays_last_point),
    Goal("keep_tiles", facts_if_paid_with_tile, at_most=("value",)),
]
