"""The positions that are measured: of every phase of every game the one with most choices, with most pieces, and with
most people, whose names are as long as names may be. `python -m tests.client.measured_positions` looks for them
again."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import landfall
from landfall.game_checks.option_combinations import Combo, all_combinations
from landfall.games import game_module
from landfall.match import Match
from landfall.tables.teaching import puzzles

FOLDER: Final = Path(__file__).parent / "matches"
TRIES: Final = 600  # matches looked through for a game
NAMES: Final = (  # as long as a name may be: one word, wide letters, two words, marks, another script, pictures
    "Wwwwwwwwwwwwwwwwwwwwwwww",
    "Донаудампфшифффартскапит",
    "Maximiliana Featherstone",
    "Ǻḉệṝṩṳṻṿẍẏẑ Ǻḉệṝṩṳṻṿẍẏẑx",
    "亚特兰蒂斯岛上最后一位还没有逃走的探险家先生女",
    "🐋🐙🦈🌋⛵🐬🏝🌊🦑🗿🧭⚓🛟🎲🃏🏺🐚🦀",
)
PLAIN: Final = ("Ana", "Bo", "Cem", "Dana", "Eli", "Fay")


@dataclass(frozen=True)
class Position:
    """So many lines of a recorded match, and why they were kept."""

    game: str
    phase: str
    wanted: str  # choices, pieces or names
    record: str  # the name of its file
    lines: int
    actor: int  # whose choice it is; below 0 chance's, or nobody's any more

    @property
    def name(self) -> str:
        return f"{self.game}-{self.phase}-{self.wanted}"

    def text(self) -> str:
        """The whole match; its people have the long names where names are wanted."""
        names = (NAMES if self.wanted == "names" else PLAIN)[: self.players]
        seats = json.dumps(names, ensure_ascii=False)
        return (FOLDER / self.record).read_text().replace("seats: []", f"seats: {seats}", 1)

    @property
    def players(self) -> int:
        return int((FOLDER / self.record).read_text().split("players: ")[1].split("\n")[0])


@dataclass(frozen=True)
class Riddle:
    """A puzzle: the first of its theme."""

    game: str
    theme: str
    id: str
    wanted = "riddle"

    @property
    def name(self) -> str:
        return f"{self.game}-puzzle-{self.theme}"


@cache
def one_puzzle_per_theme(game: str) -> list[Riddle]:
    """One puzzle of each theme."""
    found = {one.theme: one.id for one in reversed(puzzles.load_puzzles_by_id(game).values())}
    return [Riddle(game, theme, found[theme]) for theme in sorted(found)]


def phase_names(game: str) -> list[str]:
    """The names of a game's phases, as its own module declares them."""
    module = game_module(game, "phases")
    return list(getattr(module, "PHASE_NAMES", None) or module.PHASES)


def count_survive_pieces(view: dict[str, Any]) -> int:
    folk: int = sum(at not in ("lost", "saved") for at in view["explorers"].values())
    return folk + len(view["ships"]) + len(view["creatures"])


def count_atlantis_pieces(view: dict[str, Any]) -> int:
    lying = sum(bool(spot["tile"]) + bool(spot["figure"]) for spot in view["path"])
    held: int = sum(seat["cards"] + len(seat["tiles"]) for seat in view["seats"])
    return lying + held


def count_atlandice_pieces(view: dict[str, Any]) -> int:
    found: int = sum(sum(one["pieces"].values()) + one["dice"] for one in view["sectors"])
    return found


PIECES: Final[dict[str, Callable[[dict[str, Any]], int]]] = {
    "survive": count_survive_pieces,
    "atlantis": count_atlantis_pieces,
    "atlandice": count_atlandice_pieces,
}


@cache
def load_positions(game: str) -> list[Position]:
    """All that were kept."""
    return [Position(game, *row) for row in json.loads((FOLDER / f"{game}.json").read_text())]


# --- looking for them -------------------------------------------------------------------------------------------------


def play_random_match(game: str, combo: Combo, seed: int) -> Match:
    """A whole match at random."""
    options: dict[str, Any] = combo[1]
    match = landfall.Match(game, players=combo[0], seed=seed, **options)
    rng = random.Random(seed)
    while match.actor >= 0:
        match.play(rng.choice(match.legal_actions()))
    return match


def replay_line_by_line(match: Match) -> Iterator[tuple[int, Match]]:
    """The same match again, line by line, chance's moments too."""
    again = Match.before_first_action(match.game, match.players, match.options, match.seats, match.rng)
    for lines, entry in enumerate(match.log, 1):
        again.apply_and_log(entry.action)
        yield lines, again


def rate_position(match: Match, game: str, most: int) -> dict[str, tuple[int, ...]]:
    """How good a position is for each of what is wanted; nothing where it is not."""
    view: dict[str, Any] = dict(match.view(match.actor if match.actor >= 0 else None))
    choices, pieces = len(match.legal_actions()) if match.actor >= 0 else 0, PIECES[game](view)
    found: dict[str, tuple[int, ...]] = {"pieces": (pieces, choices)}
    if match.actor >= 0:
        found["choices"] = (choices, pieces)
    if match.players == most:
        found["names"] = (choices, pieces)
    return found


def find_best_positions(game: str) -> tuple[list[Position], dict[str, Match]]:
    """The best of many matches over options and player counts, and the matches they are of."""
    every = all_combinations(game)
    most = max(players for players, _ in every)
    best: dict[tuple[str, str], tuple[tuple[int, ...], int, int, int]] = {}
    for seed in range(TRIES):
        match = play_random_match(game, every[seed * 7919 % len(every)], seed)
        for lines, now in replay_line_by_line(match):
            phase = str(now.view(None)["phase"])
            for wanted, value in rate_position(now, game, most).items():
                if value > best.get((phase, wanted), ((-1,),))[0]:
                    best[phase, wanted] = value, seed, lines, int(now.actor)
    kept, rows = {}, []
    for (phase, wanted), (_, seed, lines, actor) in sorted(
        best.items(), key=lambda one: (phase_names(game).index(one[0][0]), one[0][1])
    ):
        file = f"{game}-{seed}.landfall"
        kept[file] = play_random_match(game, every[seed * 7919 % len(every)], seed)
        rows.append(Position(game, phase, wanted, file, lines, actor))
    return rows, kept


def main() -> None:
    for game in PIECES:
        rows, kept = find_best_positions(game)
        for old in FOLDER.glob(f"{game}-*.landfall"):
            old.unlink()
        for file, match in kept.items():
            (FOLDER / file).write_text(match.record())
        lines = [json.dumps([one.phase, one.wanted, one.record, one.lines, one.actor]) for one in rows]
        (FOLDER / f"{game}.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")
        print(f"{game}: {len(rows)} positions of {len(kept)} matches")


if __name__ == "__main__":
    main()
