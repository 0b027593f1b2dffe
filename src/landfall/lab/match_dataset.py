"""Matches as a dataset: one Parquet file, one row per decision (docs/data.md). Needs pyarrow, the extra `lab`.

Only finished matches become rows: then nothing is secret, and a row holds the whole position.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from landfall.core import match_record as rec
from landfall.core.errors import LandfallError
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER
from landfall.games import game as find_game
from landfall.lab.experiments.simulation import (
    Part,
    SimulatedTable,
    play_with_bots,
    seat_rngs,
    seed_of_game,
    split_games,
    winning_seats,
)
from landfall.lab.worker_pool import WorkerPool
from landfall.match import Match
from landfall.optional_dependencies import require_extra

if TYPE_CHECKING:
    from landfall.core.state import State

COLUMNS_VERSION: Final = 1  # of the columns; incremented when one changes its meaning
ROWS_PER_GROUP: Final = 50_000  # rows of a row group, held in memory

# Each column's name, its pyarrow type, and its meaning; a test compares docs/data.md with this.
DATASET_COLUMNS: Final[dict[str, tuple[str, str]]] = {
    "game": ("string", "the game's name"),
    "rules": ("int32", "the version of its rules"),
    "source": ("string", "where the match is from: `sim` with its seed, or the record's file"),
    "match": ("int64", "its number there, from 0 on; `landfall sim` plays it from a seed of its own"),
    "players": ("int8", "how many play"),
    "options": ("string", "the options that were set, as JSON"),
    "decision": ("int32", "its number in the match, from 0 on"),
    "seat": ("int8", "who decides"),
    "player": ("string", "the bot's code, or the name in the record"),
    "chance": ("list<string>", "what chance brought since the last decision, in notation"),
    "line": ("string", "the whole position before the decision, in one line of text"),
    "choices": ("int32", "how many there were"),
    "action": ("int32", "the one taken, as its number"),
    "text": ("string", "the same in notation"),
    "verb": ("string", "what sort of choice it is"),
    "score": ("int32", "the seat's points at the end of the match"),
    "place": ("int8", "the seat's place in the ranking"),
    "win": ("float", "1 for the winner, a share of 1 for each of several, else 0"),
    "scores": ("list<int32>", "everybody's points at the end"),
}
Row = dict[str, Any]


class DataError(LandfallError):
    """What cannot be written or read, and why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, "error.data", {"reason": reason})


@dataclass(frozen=True)
class MatchInfo:
    """The columns that all rows of a match share, except its result."""

    game: str
    source: str
    match: int
    players: int
    options: dict[str, object]
    names: list[str]


def decision_rows(about: MatchInfo, log: Iterable[int]) -> list[Row]:
    """One row per decision of a match's log, with the chance outcomes that followed it."""
    rules = find_game(about.game)
    state = rules.new(about.players, about.options)
    common = {
        "game": about.game,
        "rules": rules.rules_version,
        "source": about.source,
        "match": about.match,
        "players": about.players,
        "options": json.dumps(about.options, sort_keys=True),
    }
    rows: list[Row] = []
    chance: list[str] = []
    for action in log:
        if state.actor == CHANCE:
            chance.append(state.notation(action))
        else:
            rows.append({**common, **decision_columns(state, action, len(rows), about.names), "chance": chance})
            chance = []
        state.apply(action)
    if state.actor != OVER:
        raise DataError("the match is not over: what is secret in it stays so")
    ending = result_columns(state)
    for row in rows:
        row.update(ending[row["seat"]])
    return rows


def decision_columns(state: State, action: int, number: int, names: list[str]) -> Row:
    """The columns of one decision."""
    seat = int(state.actor)
    return {
        "decision": number,
        "seat": seat,
        "player": names[seat] if seat < len(names) else "",
        "line": state.to_text(),
        "choices": len(state.legal_actions()),
        "action": action,
        "text": state.notation(action),
        "verb": str(state.action_to_dict(action)["verb"]),
    }


def result_columns(state: State) -> list[Row]:
    """The columns of the result, by seat."""
    scores = [int(points) for points in state.scores()[: int(state.players)]]
    winners = winning_seats(state)
    out: list[Row] = []
    for seat, points in enumerate(scores):
        place = next(int(group["place"]) for group in state.ranking() if seat in group["seats"])
        win = 1 / len(winners) if seat in winners else 0.0
        out.append({"score": points, "place": place, "win": win, "scores": scores})
    return out


# --- where matches come from ----------------------------------------------------------------------------------------


def simulate_rows(table: SimulatedTable, part: Part) -> list[Row]:
    """The rows of some simulated games: the same games as `landfall sim` plays with that seed."""
    first, games = part
    names = list(table.bots) or ["random"] * table.players
    rows: list[Row] = []
    for number in range(first, first + games):
        seed = seed_of_game(table.seed, number)
        state = find_game(table.game).new(table.players, table.options)
        log: list[int] = []
        if table.is_random:
            play_random_match(state, Rng(seed), log)
        else:
            rngs = seat_rngs(seed, table.players)
            play_with_bots(state, table.game, Rng(seed), table.make_bots(), rngs, options=table.options, log=log)
        about = MatchInfo(table.game, f"sim seed {table.seed}", number, table.players, table.options, names)
        rows += decision_rows(about, log)
    return rows


def play_random_match(state: State, rng: Rng, log: list[int]) -> None:
    """Play a random match as `playout` does, and record it."""
    while state.actor != OVER:
        log.append(int(state.sample_chance(rng) if state.actor == CHANCE else state.random_action(rng)))
        state.apply(log[-1])


def rows_from_record_file(job: tuple[int, str]) -> tuple[list[Row], str]:
    """The rows of a record, or the reason why there are none."""
    number, path = job
    try:
        match = Match.replay(Path(path).read_text(encoding="utf-8"))
        about = MatchInfo(match.game.name, path, number, match.players, match.options, match.seats)
        return decision_rows(about, [entry.action for entry in match.log]), ""
    except (LandfallError, OSError, UnicodeDecodeError) as error:
        return [], f"{path}: {error}"


def find_record_files(paths: Iterable[Path]) -> list[str]:
    """The files named, and the records in the folders named."""
    found: list[str] = []
    for path in paths:
        inside = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
        found += [str(p) for p in inside if not path.is_dir() or is_record_file(p)]
    return found


def is_record_file(path: Path) -> bool:
    with path.open("rb") as file:
        return file.readline(100).decode(errors="replace").lstrip("\ufeff").rstrip() == rec.FORMAT_LINE


# --- the file -------------------------------------------------------------------------------------------------------


def import_pyarrow_modules() -> tuple[Any, Any]:
    """pyarrow and its Parquet module; MissingExtra without them."""
    require_extra("lab", "pyarrow")
    return import_module("pyarrow"), import_module("pyarrow.parquet")


def build_arrow_schema() -> Any:
    """The columns as a pyarrow schema with descriptions."""
    arrow, _ = import_pyarrow_modules()
    simple = {"string": arrow.string(), "float": arrow.float32()}
    simple |= {name: getattr(arrow, name)() for name in ("int8", "int32", "int64")}

    def kind(name: str) -> Any:
        inner = name.removeprefix("list<").removesuffix(">")
        return simple[name] if inner == name else arrow.list_(simple[inner])

    fields = [arrow.field(name, kind(sort), metadata={"what": what}) for name, (sort, what) in DATASET_COLUMNS.items()]
    return arrow.schema(fields, metadata={"landfall.data": str(COLUMNS_VERSION)})


def write_parquet_file(path: Path, batches: Iterable[list[Row]]) -> int:
    """Write rows as a stream of row groups and return their number. An incomplete file is removed."""
    arrow, files = import_pyarrow_modules()
    columns = build_arrow_schema()
    total = 0
    waiting: list[Row] = []
    unfinished = path.with_name(path.name + ".part")
    try:
        with files.ParquetWriter(unfinished, columns, compression="zstd") as file:
            for batch in batches:
                waiting += batch
                if len(waiting) >= ROWS_PER_GROUP:
                    total += write_row_group(arrow, file, waiting, columns)
            total += write_row_group(arrow, file, waiting, columns)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return total


def write_row_group(arrow: Any, file: Any, waiting: list[Row], columns: Any) -> int:
    """Write one row group and return its number of rows."""
    count = len(waiting)
    if waiting:
        file.write_table(arrow.Table.from_pylist(waiting, schema=columns))
        waiting.clear()
    return count


def iterate_simulated_rows(table: SimulatedTable, games: int, pool: WorkerPool) -> Iterator[list[Row]]:
    """The rows of simulated games in game order, for any number of workers."""
    yield from pool.in_order(partial(simulate_rows, table), split_games(games, 10))
