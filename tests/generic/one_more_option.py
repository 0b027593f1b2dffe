"""Run as a program: what the six nets of Survive make of some positions; with an argument, Survive has one more option
of that name. It must be there before the game's other modules are imported."""

import hashlib
import sys
from typing import Any

from landfall.core.options import Option
from landfall.games.survive.rules.options import OPTIONS

if len(sys.argv) > 1:
    OPTIONS.append(Option(sys.argv[1], "SV.O1"))

import numpy as np

from landfall.bots.value_net import layout_of, load_other_ensemble_nets, load_packaged, rows_as_array
from landfall.core.feature_layout import RowBuffer
from landfall.core.rng import Rng
from landfall.games import game
from landfall.match import Match

TABLES: list[tuple[int, dict[str, Any]]] = [
    (2, {"two_colours": True, "dolphins": True}),
    (4, {"squid": "with_whales", "bounty": True}),
    (6, {"crowded": True, "all_equal": True}),
]


def fingerprint_net_outputs() -> str:
    """A fingerprint of all numbers that come out of the nets."""
    sheet, found = RowBuffer(layout_of("survive"), 100), hashlib.blake2b(digest_size=16)
    for players, options in TABLES:
        match, rng = Match("survive", players=players, seed=3, **options), Rng(5)
        for number in range(300):
            if match.actor < 0:
                break
            if number % 20 == 0:
                match.state.write_features(match.actor, sheet)
            legal = match.legal_actions()
            match.play(legal[int(rng.randbelow(len(legal)))])
    rows = rows_as_array(sheet)[: int(sheet.used)]
    for net in (load_packaged("survive"), *load_other_ensemble_nets("survive")):
        win, points = net.predict(np.array(rows))
        found.update(win.tobytes() + points.tobytes())
    return found.hexdigest()


if __name__ == "__main__":
    print(len(game("survive").options), fingerprint_net_outputs())
