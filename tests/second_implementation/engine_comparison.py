"""The engine and a second reading side by side: what may be chosen, what chance may bring, what came of it.

Both are told the same answers in notation. After each the table as the engine shows it must be the table as the
reading has it; before each the answers must be the same. `python -m tests.second_implementation.engine_comparison GAME
SEED [COUNT]` plays.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, State
from landfall.game_checks.option_combinations import Combo, all_combinations, combination_label
from landfall.games import BUILT_IN_GAMES
from landfall.games import game as find_game
from tests.second_implementation import atlandice, atlantis, survive
from tests.second_implementation.game_as_questions import GameOver, Question, Reading

READINGS: dict[str, Callable[[int, dict[str, object]], Reading]] = {
    "survive": survive.Survive,
    "atlantis": atlantis.Atlantis,
    "atlandice": atlandice.Atlandice,
}
MOST_STEPS = 4000
STYLES = ("plain", "fierce", "flock", "thrifty")


class Differ(AssertionError):
    """The engine and the reading are of two minds."""


# --- the table as the engine shows it ---------------------------------------------------------------------------


def survive_view_in_reading_terms(s: State) -> dict[str, object]:
    """Survive's view in the terms of the reading."""
    v: Any = s.view(None)
    own: Any = [s.view(seat) for seat in range(s.players)]
    at = {c: place for c, _, place in v["creatures"]}
    return {
        "tiles": v["tiles"],
        "explorers": v["explorers"],
        "aboard": {place: sorted(crew) for place, crew in v["aboard"].items()},
        "creatures": sorted((kind, place) for _, kind, place in v["creatures"]),
        "wards": sorted((at[int(c)], ward) for c, ward in v["wards"].items()),
        "supply": v["supply"],
        "hands": [sorted((t["tile"], t["terrain"]) for t in view["hand"]) for view in own],
        "values": [view.get("values", {}) for view in (v, *own)],
        "turns": [seat["turns"] for seat in v["seats"]],
        "saved": [seat["saved"] for seat in v["seats"]],
        "in_play": [seat["in_play"] for seat in v["seats"]],
        "bounty": [seat["bounty"] for seat in v["seats"] if "bounty" in seat],
        "to_put": [seat["ships_to_put"] for seat in v["seats"]],
        "turn": v["turn"],
        "points": v["points"],
    }


def atlantis_view_in_reading_terms(s: State) -> dict[str, object]:
    """Atlantis's view in the terms of the reading."""
    v: Any = s.view(None)
    places = {"atlantis": atlantis.ATLANTIS, "mainland": atlantis.MAINLAND}
    views: list[Any] = [s.view(seat) for seat in range(s.players)]
    own = [view["seats"] for view in views]
    path = {p["at"]: (f"{p['tile']['kind']}{p['tile']['value']}", p["below"]) for p in v["path"] if p["tile"]}
    if v["phase"] in ("laying", "uncovering"):  # what the gaps are is not settled yet
        return {"path": path}
    return {
        "path": path,
        "water": [p["at"] for p in v["path"] if p["water"]],
        "gaps": [(g["at"], g["to"], g["price"], g["bridge"]) for g in v["gaps"]],
        "figures": [
            {f: places[at] if at in places else int(at) for f, at in seat["figures"].items()} for seat in v["seats"]
        ],
        "hands": [own[seat][seat]["hand"] for seat in range(s.players)],
        "tiles": [sorted(f"{t['kind']}{t['value']}" for t in seat["tiles"]) for seat in v["seats"]],
        "bridges": [seat["bridge"] for seat in v["seats"]],
        "seen": [[seat["hand"] is not None for seat in who] for who in (v["seats"], *own)],
        "deck": v["deck"],
        "discard": v["discard"],
        "out": v["out"],
    }


def atlandice_view_in_reading_terms(s: State) -> dict[str, object]:
    """Atlandice's view in the terms of the reading."""
    v: Any = s.view(None)
    letters = {name: letter for letter, name in atlandice.NAMES.items()}
    number = {sector["sector"]: sector["number"] for sector in v["sectors"]}

    def tile(name: str) -> str:
        stack, _, letter = name.partition("_")
        return f"{number[stack]}{letter}"

    views = [{**s.view(seat), "seat": None} for seat in range(s.players)]
    return {
        "public": all(view == v for view in views),
        "lying": {x["number"]: {letters[r]: n for r, n in x["pieces"].items() if n} for x in v["sectors"]},
        "dice": {x["number"]: x["dice"] for x in v["sectors"] if x["dice"]},
        "tops": {x["number"]: tile(x["tile"])[1] for x in v["sectors"] if x["tile"]},
        "submarine": number[v["submarine"]],
        "hand": v["clock"]["hand"],
        "stocks": [{letters[r]: n for r, n in h["stock"].items() if n} for h in v["holders"]],
        "points": [h["points"] for h in v["holders"]],
        "tiles": [sorted(tile(t) for t in h["tiles"]) for h in v["holders"]],
        "gone": sorted(tile(t) for t in v["gone"]),
        "first": v["first"],
        "round": v["round"],
    }


SHOWN: dict[str, Callable[[State], dict[str, object]]] = {
    "survive": survive_view_in_reading_terms,
    "atlantis": atlantis_view_in_reading_terms,
    "atlandice": atlandice_view_in_reading_terms,
}


def notation_without_dolphin_numbers(s: State, text: str) -> str:
    """A notation without the numbers by which the engine tells alike dolphins apart: by its ward instead."""
    if not text.startswith("dolphin ") or " " not in text[8:]:
        return text
    v: Any = s.view(None)
    _, which, to = text.split()
    space, _, nth = which.partition("/")
    there = sorted(c for c, kind, at in v["creatures"] if kind == "dolphin" and at == space)
    return f"dolphin {space}({v['wards'].get(str(there[int(nth or 1) - 1]), '')}) {to}"


# --- side by side -----------------------------------------------------------------------------------------------


def actions_by_notation(s: State) -> dict[str, tuple[int, int]]:
    """What may happen next, by notation: the action and its weight."""
    weighed = s.chance_outcomes() if s.actor == CHANCE else [(action, 1) for action in s.legal_actions()]
    return {notation_without_dolphin_numbers(s, s.notation(action)): (action, weight) for action, weight in weighed}


def have_same_odds(weights: dict[str, int], others: dict[str, int]) -> bool:
    """Whether two tables of weights give the same odds."""
    a, b = sum(weights.values()), sum(others.values())
    return weights.keys() == others.keys() and all(weights[n] * b == others[n] * a for n in weights)


def compare_answers(s: State, question: Question | None, found: dict[str, tuple[int, int]]) -> None:
    """The same one is asked the same."""
    if question is None:
        if s.actor != OVER:
            raise Differ("it is over in the second reading, and not in the engine")
        return
    if s.actor != question.actor:
        raise Differ(f"the engine asks {s.actor} ({sorted(found)[:9]}), the second reading {question}"[:600])
    weights = {name: weight for name, (_, weight) in found.items()}
    if not have_same_odds(weights, question.answers):
        more = sorted(found.keys() - question.answers.keys())
        less = sorted(question.answers.keys() - found.keys())
        odds = f"; weights {weights}, {question.answers}" if s.actor == CHANCE else ""
        raise Differ(f"only the engine allows {more[:12]}, only the second reading {less[:12]}{odds}")


def compare_tables(game: str, s: State, reading: Reading) -> None:
    """The same lies on the table."""
    ours, theirs = SHOWN[game](s), reading.seen()
    for what, mine in ours.items():
        if mine != theirs[what]:
            raise Differ(f"{what}: in the engine {mine}, in the second reading {theirs[what]}"[:1500])


def compare_results(s: State, reading: Reading) -> None:
    """The same scores and places."""
    result = reading.result()
    ours: list[Any] = s.ranking()
    places = [group["seats"] for group in ours]
    if s.scores() != result["scores"] or places != result["places"]:
        raise Differ(f"the engine ends with {s.scores()}, {places}; the second reading with {result}")


def notation_shape(text: str) -> str:
    """What sort of choice it is: the words without their places."""
    return " ".join("#" if any(c.isdigit() for c in word) else word for word in text.split())


def answers_of_style(style: str, s: State, reading: Reading, found: dict[str, tuple[int, int]]) -> list[str]:
    """The answers a style likes, so that what random games seldom come to is met too; all if it likes none.

    The fierce cost pieces, of anybody, and defend. The thrifty pay with cards alone, so that Atlantis runs out of them.
    Flocks gather on one tile of the island, and sink it.
    """
    names = list(found)
    if style == "fierce":
        names = [name for name in names if name == "defend" or any(s.immediate_losses(found[name][0]))]
    elif style == "thrifty":
        names = [name for name in names if notation_shape(name).startswith("pay ") and notation_shape(name) != "pay #"]
    elif style == "flock" and isinstance(reading, survive.Survive):
        company = {name: reading.company(name) for name in names}
        names = [name for name in names if company[name] and company[name] == max(company.values())]
    return names or list(found)


def choose_answer(names: list[str], rng: Rng) -> str:
    """One at random; half the time by its sort first, so that rare sorts come up."""
    if rng.randbelow(2) and len(names) > 1:
        sorts = sorted({notation_shape(name) for name in names} - {"end", "pass"})
        if sorts:
            wanted = sorts[int(rng.randbelow(len(sorts)))]
            names = [name for name in names if notation_shape(name) == wanted]
    return names[int(rng.randbelow(len(names)))]


def sample_by_weight(found: dict[str, tuple[int, int]], rng: Rng) -> str:
    """What chance brings."""
    names = [name for name, (_, weight) in found.items() for _ in range(weight)]
    return names[int(rng.randbelow(len(names)))]


def compare_random_game(game: str, combo: Combo, seed: int) -> Counter[str]:
    """One random game in both; what was compared. Differ tells where they part."""
    players, options = combo
    s = find_game(game).new(players, options)
    reading = READINGS[game](players, options)
    telling = reading.tell()
    rng, style = Rng(seed), STYLES[seed % len(STYLES)]
    done: Counter[str] = Counter(games=1)
    told: list[str] = []
    answer: str | None = None
    try:
        for _ in range(MOST_STEPS):
            question = next_question(telling, answer)
            reading.over = question is None
            found = actions_by_notation(s)
            compare_tables(game, s, reading)
            compare_answers(s, question, found)
            done.update(positions=1, choices=len(found))
            if question is None:
                compare_results(s, reading)
                return done
            if s.actor == CHANCE:
                answer = sample_by_weight(found, rng)
            else:
                answer = choose_answer(
                    answers_of_style(style, s, reading, found) if rng.randbelow(4) else list(found), rng
                )
            told.append(answer)
            s.apply(found[answer][0])
    except (AssertionError, StopIteration, KeyError, ValueError) as error:
        where = f"{game} {combination_label(combo)} seed {seed}, after {len(told)} answers, the last {told[-6:]}"
        raise Differ(f"{where}: {type(error).__name__} {error}") from error
    return done


def next_question(telling: Any, answer: str | None) -> Question | None:
    """The reading's next question, None when its game is over."""
    try:
        question: Question = next(telling) if answer is None else telling.send(answer)
        return question
    except (StopIteration, GameOver):
        return None


def random_combination(game: str, seed: int) -> Combo:
    """A set-up for a seed, out of all there are; every other game of Atlandice has a clock of its own."""
    rng, every = Rng(seed), all_combinations(game)
    players, options = every[int(rng.randbelow(len(every)))]
    return players, {**options, "clock": random_clock(rng)} if game == "atlandice" and seed % 2 else options


def random_clock(rng: Rng) -> dict[str, object]:
    """A made-up clock, from a short one to one on which stacks are used up (AD.C4)."""
    last = 4 + int(rng.randbelow(60))
    names = ("donation", "stock", *atlandice.NAMES.values())
    icons = {str(space): names[int(rng.randbelow(7))] for space in range(1, last) if rng.randbelow(2)}
    stacks = ("jeweller", "library", "inn", "workshop", "forge")
    hands: dict[str, object] = {stack: [1 + int(rng.randbelow(3)) for _ in "abc"] for stack in stacks}
    return {"last": last, "icons": icons, "hands": {**hands, "black_market": 1 + int(rng.randbelow(3))}}


def main() -> None:
    """One game, or so many from a seed on."""
    game, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1
    assert game in BUILT_IN_GAMES, f"there are {', '.join(BUILT_IN_GAMES)}"
    done: Counter[str] = Counter()
    for number in range(seed, seed + count):
        try:
            done += compare_random_game(game, random_combination(game, number), number)
        except Differ as found:
            print(f"found in game {number - seed + 1}: {found}")
            sys.exit(1)
    print(f"of one mind: {', '.join(f'{value:,} {what}' for what, value in done.items())}")


if __name__ == "__main__":
    main()
