"""The leaderboard: results of deterministic bots in a file that others extend, each game repeatable from its seed.

A line is one pairing as JSON: the setting, the two bots with their versions, and the result of every game. Anybody can
play any of the games again and compare.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any, Final

from landfall.core import options as opt
from landfall.core.errors import LandfallError
from landfall.games import game as find_game
from landfall.lab.experiments import ladder as lad
from landfall.lab.experiments.peeking_bot import make_lab_bot
from landfall.lab.experiments.simulation import wilson_interval
from landfall.lab.worker_pool import WorkerPool

LOST: Final = "0"


class LeaderboardError(LandfallError):
    """A line that is no result, or a result that cannot be repeated."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"{where}: {reason}", "error.leaderboard", {"where": where, "reason": reason})


@dataclass(frozen=True)
class LeaderboardRow:
    """One pairing: `bot` at one seat in turn, `against` at all others."""

    game: str
    rules: int  # the version of the rules
    players: int
    options: dict[str, object]
    bot: str  # its code
    version: str
    against: str
    against_version: str
    seed: int
    results: str  # of each game in order: 0 lost, 1 won, 2 to 6 a win shared by so many

    @property
    def games(self) -> int:
        """How many games were played."""
        return len(self.results)

    @property
    def share(self) -> float:
        """The bot's share of the wins; a shared win counts in part."""
        return sum(1 / int(one) for one in self.results if one != LOST) / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the share."""
        return wilson_interval(self.share, self.games)

    @property
    def title(self) -> str:
        """The pairing in words."""
        return f"{self.game}, {self.players} players: {self.bot} against {self.against}"

    def setting(self) -> lad.LadderSetting:
        """The setting of its games."""
        return lad.LadderSetting(self.game, self.players, self.options, self.seed)

    def pairing_key(self) -> tuple[lad.LadderSetting, str, str]:
        """What stands once in a leaderboard."""
        return self.setting(), self.bot, self.against

    def to_line(self) -> str:
        """The row as it is stored."""
        return json.dumps(asdict(self))


def read_leaderboard(path: Path) -> list[LeaderboardRow]:
    """All rows of a file; LeaderboardError names the first line that is wrong."""
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        rows.append(parse_row(f"{path}, line {number}", line))
    keys = [row.pairing_key() for row in rows]
    twice = next((row.title for row, key in zip(rows, keys, strict=True) if keys.count(key) > 1), "")
    if twice:
        raise LeaderboardError(str(path), f"a pairing stands twice: {twice}")
    return rows


def parse_row(where: str, line: str) -> LeaderboardRow:
    """One line, checked."""
    try:
        found: dict[str, Any] = json.loads(line)
    except ValueError as error:
        raise LeaderboardError(where, f"no JSON: {error}") from None
    wanted = {one.name: one.type for one in fields(LeaderboardRow)}
    if not isinstance(found, dict) or set(found) != set(wanted):
        raise LeaderboardError(where, f"the entries are {', '.join(wanted)}")
    types = {"int": int, "str": str, "dict[str, object]": dict}
    wrong = next((name for name, kind in wanted.items() if type(found[name]) is not types[str(kind)]), "")
    if wrong:
        raise LeaderboardError(where, f"{wrong} cannot be {found[wrong]!r}")
    row = LeaderboardRow(**found)
    if not row.results or set(row.results) - set("0123456"[: row.players + 1]):
        raise LeaderboardError(where, "results are 0, 1, or the number that shared a win, one a game")
    if row.games % row.players:
        raise LeaderboardError(where, f"{row.games} games are no whole deals: each is played from every seat")
    rules = find_game(row.game)
    opt.validate_and_fill_defaults(rules.options, rules.player_counts, row.players, row.options)
    return row


def result_code(share: float) -> str:
    """The result of a game: 0, or by how many the win was shared."""
    return str(round(1 / share)) if share else LOST


def play_repeatable_pairing(
    setting: lad.LadderSetting, bot: str, against: str, games: int, pool: WorkerPool, after: Callable[[int], None]
) -> LeaderboardRow:
    """Play a pairing. LeaderboardError if the first deal ends otherwise when it is played again."""
    if games % setting.players:
        reason = f"{games} games are no whole deals of {setting.players} players"
        raise LeaderboardError(bot, reason)
    tasks = [lad.GameTask(bot, against, number) for number in [*range(games), *range(setting.players)]]
    found = []
    for one in pool.in_order(partial(lad.play_task, setting), tasks):
        found.append(one)
        after(len(found))
    # The same places and as many choices: a bot that chooses otherwise hardly ever gets both.
    ends = [(one.places, one.lone_time[0], one.field_time[0]) for one in found]
    if ends[games:] != ends[: setting.players]:
        raise LeaderboardError(bot, "the same deals ended otherwise: only bots that choose alike each time are listed")
    results = "".join(result_code(one.share) for one in found[:games])
    versions = make_lab_bot(bot).version, make_lab_bot(against).version
    rules = find_game(setting.game).rules_version
    return LeaderboardRow(
        setting.game,
        rules,
        setting.players,
        setting.options,
        bot,
        versions[0],
        against,
        versions[1],
        setting.seed,
        results,
    )


def add_or_replace_row(path: Path, row: LeaderboardRow) -> None:
    """Add a row, or put it in the place of the same pairing."""
    rows = read_leaderboard(path) if path.exists() else []
    same = [
        i
        for i, one in enumerate(rows)
        if (one.setting(), one.bot, one.against) == (row.setting(), row.bot, row.against)
    ]
    if same:
        rows[same[0]] = row
    else:
        rows.append(row)
    path.write_text("".join(f"{one.to_line()}\n" for one in rows), encoding="utf-8")


def why_not_repeatable(row: LeaderboardRow) -> str:
    """Why a row cannot be repeated with this release; empty if it can."""
    rules = find_game(row.game).rules_version
    if row.rules != rules:
        return f"played by version {row.rules} of the rules, here is {rules}"
    for code, version in ((row.bot, row.version), (row.against, row.against_version)):
        here = make_lab_bot(code).version
        if here != version:
            return f"played by version {version} of {code}, here is {here}"
    return ""


def find_games_that_end_otherwise(
    row: LeaderboardRow, numbers: list[int], pool: WorkerPool, after: Callable[[int], None]
) -> list[int]:
    """Play these games of a row again: the numbers of those that ended otherwise."""
    tasks = [lad.GameTask(row.bot, row.against, number) for number in numbers]
    wrong = []
    for done, one in enumerate(pool.in_order(partial(lad.play_task, row.setting()), tasks), 1):
        if result_code(one.share) != row.results[one.number]:
            wrong.append(one.number)
        after(done)
    return wrong
