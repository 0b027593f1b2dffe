"""Every way a game can be set up: player counts times legal combinations of options, and small samples of them.

In its module `testing` a game may add values for its OBJECT options, `EXTRA = {"clock": [...]}`, and name the kinds of
events that show by the rules what was hidden, `REVEALS = {"shown"}`.
"""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

from landfall.core import options as opt
from landfall.core.options import Option
from landfall.core.rng import Rng
from landfall.games import GAME_NAMES, game_module, has_game_module
from landfall.games import game as find_game
from landfall.games.observation_and_feature_layouts import has_layout

Combo = tuple[int, dict[str, Any]]


LEARNED = [name for name in GAME_NAMES if has_game_module(name, "features")]  # those that nets are made for
FEATURED = [name for name in GAME_NAMES if has_layout(name, "features")]  # those that a net could be made for
OBSERVED = [name for name in GAME_NAMES if has_layout(name, "observation")]  # those that environments show


def list_option_values(option: Option, extra: dict[str, list[object]]) -> list[object]:
    """All values an option can take; an object's default and what its game's tests offer."""
    if option.kind == opt.BOOL:
        return [False, True]
    if option.kind == opt.CHOICE:
        return list(option.choices)
    return [option.default, *extra.get(option.name, [])]


def setting_of_game_tests(game: str, name: str) -> Any:
    """What the game's module `testing` says under that name; None if nothing."""
    return getattr(game_module(game, "testing"), name, None) if has_game_module(game, "testing") else None


@cache
def revealing_event_kinds(game: str) -> frozenset[str]:
    """The kinds of events that show by the rules what was hidden until then."""
    return frozenset(setting_of_game_tests(game, "REVEALS") or ())


def client_made_words(game: str) -> dict[str, set[str]]:
    """Words that the client's own sentences about events make from fields, and the fields any of which will do."""
    found: dict[str, set[str]] = setting_of_game_tests(game, "MADE") or {}
    return found


def is_option_value_open(option: Option, value: object, players: int) -> bool:
    """Whether that many players may choose this: asked first, for it is most of what is not legal."""
    return not option.players or players in option.players or not option.is_not_default(value)


@cache
def all_combinations(game: str) -> list[Combo]:
    """Every player count with every legal combination of options, only what differs from the defaults named."""
    rules = find_game(game)
    extra: dict[str, list[object]] = setting_of_game_tests(game, "EXTRA") or {}
    out: list[Combo] = []
    for players in rules.player_counts:
        open_to = [
            [v for v in list_option_values(o, extra) if is_option_value_open(o, v, players)] for o in rules.options
        ]
        for chosen in itertools.product(*open_to):
            given = {o.name: v for o, v in zip(rules.options, chosen) if v != o.default}
            if not opt.find_option_problems(rules.options, rules.player_counts, players, given):
                out.append((players, given))
    return out


def facts_of_combination(combo: Combo) -> set[str]:
    """What a combination lets a test see: its player count, and every value switched on with that many players."""
    players, given = combo
    return {str(players), *(f"{players} {name}={value}" for name, value in given.items())}


@cache
def covering_combinations(game: str) -> list[Combo]:
    """Few combinations that meet every value of every option at every player count, the plain game first."""
    every = [(combo, facts_of_combination(combo)) for combo in all_combinations(game)]
    chosen = [next(combo for combo, _ in every if not combo[1])]
    missing = set().union(*(shown for _, shown in every)) - facts_of_combination(chosen[0])
    while missing:
        combo, shown = max(every, key=lambda one: (len(one[1] & missing), -len(one[0][1])))
        chosen.append(combo)
        missing -= shown
    return chosen


def sample_combinations(game: str, count: int, seed: int = 1) -> list[Combo]:
    """So many combinations: the covering ones first, then others at random, all fixed by the seed."""
    chosen = covering_combinations(game)[:count]
    rng = Rng(seed)
    every = all_combinations(game)
    while len(chosen) < count:
        chosen = [*chosen, every[int(rng.randbelow(len(every)))]]
    return chosen


def combination_label(combo: Combo) -> str:
    """A combination as a short name."""
    players, given = combo
    return "+".join([f"{players}p", *(n if v is True else f"{n}={v}"[:40] for n, v in given.items())])
