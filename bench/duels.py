"""The pairings of the nets and of kraken, each by a sequential test; an interrupted run resumes.

python -m bench.duels                               list all with their state
python -m bench.duels net-survive-2                 play until it is decided
python -m bench.duels net-survive-2 --cores 8 --seconds 600
"""

import argparse
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from time import monotonic

from bench.levels import ALL_EXPANSIONS
from bench.levels import CODES as QUARTER
from landfall.lab.experiments import ladder as lad
from landfall.lab.experiments.sequential_test import SequentialTest
from landfall.lab.worker_pool import make_pool

LOGS = Path(".ladder/duels")
SEED = 601  # deals used neither in training nor in selecting a net
OPENING_BOT = "bench/opening_table_bot.py:OpeningTableBot"
# Above par or not; and the win rates the levels should reach, from five percentage points below to five above.
RULE_FOR_TWO, RULE_FOR_FOUR = SequentialTest(0.50, 0.57, 1000), SequentialTest(0.25, 0.32, 1000)


@dataclass(frozen=True)
class Duel:
    """One bot against one or a table of another."""

    game: str
    players: int
    lone: str
    field: str
    rule: SequentialTest
    full: bool = False  # with all expansions

    def setting(self) -> lad.LadderSetting:
        """The ladder's settings."""
        return lad.LadderSetting(self.game, self.players, ALL_EXPANSIONS if self.full else {}, SEED)

    def log(self, name: str) -> Path:
        """The file of its games."""
        return LOGS / f"{name}.jsonl"


def level_duels(lone: str, field: str, title: str) -> dict[str, Duel]:
    """One of a level among bots of the level below at every table. Decides between par and half as much again, with two
    players 65 %."""
    tables = [("survive", players, full) for players in (2, 3, 4, 5, 6) for full in (False, True)]
    tables += [(game, players, False) for game in ("atlantis", "atlandice") for players in (2, 3, 4)]
    high = {2: 0.65}
    return {
        f"{title}-{game}-{players}{'-all' if full else ''}": Duel(
            game, players, lone, field, SequentialTest(1 / players, high.get(players, 1.5 / players), 300), full
        )
        for game, players, full in tables
    }


DUELS = {
    **level_duels("leviathan", "marlin", "leviathan"),
    **level_duels("kraken", "leviathan", "kraken"),
    # kraken with a quarter of its time
    **level_duels(QUARTER["kraken"], "leviathan", "kraken-quarter"),
    "net-survive-2": Duel(
        "survive", 2, "net:second=0", "mcts:iters=1000", RULE_FOR_TWO
    ),  # decided before it used other nets
    "net-survive-4": Duel("survive", 4, "net", "mcts:iters=380", RULE_FOR_FOUR),
    "net-survive-4-tabled": Duel("survive", 4, "net", OPENING_BOT, SequentialTest(0.55, 0.65, 1000)),
    "net-atlantis-2": Duel("atlantis", 2, "net", "mcts:iters=5500", RULE_FOR_TWO),
    "net-atlantis-4": Duel("atlantis", 4, "net", "mcts:iters=4000", RULE_FOR_FOUR),
    "net-atlandice-2": Duel("atlandice", 2, "net", "mcts:iters=18000", RULE_FOR_TWO),
    "net-atlandice-4": Duel("atlandice", 4, "net", "mcts:iters=13500", RULE_FOR_FOUR),
    # A search of about ten milliseconds
    "net-short-atlandice-2": Duel("atlandice", 2, "net", "mcts:iters=2250", RULE_FOR_TWO),
    "net-short-atlandice-4": Duel("atlandice", 4, "net", "mcts:iters=2250", RULE_FOR_FOUR),
    # Decided before it searched lines
    "one-atlantis-2": Duel("atlantis", 2, "net:lines=1", "mcts:iters=5500", RULE_FOR_TWO),
    "one-atlantis-4": Duel("atlantis", 4, "net:lines=1", "mcts:iters=4000", RULE_FOR_FOUR),
    "one-atlandice-2": Duel("atlandice", 2, "net:lines=1", "mcts:iters=18000", RULE_FOR_TWO),
    "one-atlandice-4": Duel("atlandice", 4, "net:lines=1", "mcts:iters=13500", RULE_FOR_FOUR),
    # Rollouts of a few lines, also in five milliseconds
    "lines-atlandice-2": Duel("atlandice", 2, "netsearch", "mcts:iters=18000", RULE_FOR_TWO),
    "lines-atlandice-4": Duel("atlandice", 4, "netsearch", "mcts:iters=13500", RULE_FOR_FOUR),
    # A tree with net evaluation, in half of the opponent's time
    "tree-atlandice-2": Duel("atlandice", 2, "nettree:iters=400", "mcts:iters=18000", RULE_FOR_TWO),
}


def play_duel(name: str, duel: Duel, cores: int, seconds: float) -> None:
    """Play until it is decided or time is up. Games count in the order of their deals, not of their completion."""
    setting = duel.setting()
    log = lad.open_result_log(duel.log(name), setting)
    shares = [lad.GameResult(**row).share for row in log.rows]
    until = monotonic() + seconds
    tasks = [lad.GameTask(duel.lone, duel.field, number) for number in range(len(shares), duel.rule.cap)]
    log.rewrite_file()
    with make_pool(cores) as workers:
        for one in workers.in_order(partial(lad.play_task, setting), tasks):
            if duel.rule.verdict(shares, duel.players) or monotonic() > until:
                break
            log.add(asdict(one))
            shares.append(one.share)
    print(format_duel(name, duel), flush=True)


def format_duel(name: str, duel: Duel) -> str:
    """Format its state as a line."""
    games = lad.load_results(duel.log(name), duel.setting())
    rule = duel.rule
    names = f"{name:22s} {duel.game} {duel.players}: {duel.lone} against {duel.field}"
    if not games:
        return f"{names}: {rule.low:.0%} or {rule.high:.0%}, not begun"
    verdict, number = rule.verdict_and_games([one.share for one in games], duel.players)
    games = games[:number]
    line = lad.summarise_pairings(games, duel.players)[0]
    longest = max(one.lone_time[2] for one in games[2:] or games)
    theirs = sum(one.field_time[1] for one in games) / sum(one.field_time[0] for one in games)
    return (
        f"{names}: {verdict or 'undecided'} ({rule.low:.0%} or {rule.high:.0%}) after {number} games, "
        f"{line.share:.1%} ({line.low:.1%} - {line.high:.1%}), {line.ms:.2f} ms a choice "
        f"(longest {1000 * longest:.1f}), the other {1000 * theirs:.2f}"
    )


def main() -> None:
    """Play those named, or list all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[*DUELS, []], metavar="NAME")
    parser.add_argument("--cores", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1e9, help="wait for no more games after so long")
    given = parser.parse_args()
    for name in given.names:
        play_duel(name, DUELS[name], given.cores, given.seconds)
    if not given.names:
        for name, duel in DUELS.items():
            print(format_duel(name, duel))


if __name__ == "__main__":
    main()
