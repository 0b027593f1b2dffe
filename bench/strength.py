"""The pairings behind docs/strength.md, each as `landfall ladder` plays it, resumable; and the page's tables.

python -m bench.strength --only b,e --cores 1     play what is missing of these groups
python -m bench.strength --page                   write the tables of all games played so far into the page
"""

import argparse
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from statistics import median
from time import process_time, thread_time

import landfall
from landfall.bots.contract import Seat
from landfall.bots.mcts_bot import MctsBot, MctsConfig
from landfall.bots.search.one_ply_search import best_action
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, State, playout
from landfall.lab import charts
from landfall.lab.experiments import ladder as lad
from landfall.lab.worker_pool import make_pool

PAGE = Path("docs/strength.md")
PLOT = Path("docs/strength.svg")
BEGIN, END = "<!-- tables: python -m bench.strength --page -->", "<!-- end of tables -->"
GAMES = ("survive", "atlantis", "atlandice")
# Iterations that take 200 ms of processor time on a quiet machine, by game and players (--calibrate), so that load does
# not falsify the result. At two in Survive half of them are played, to save time.
IN_200_MS = {
    ("survive", 2): 500,
    ("survive", 4): 380,
    ("survive", 6): 220,
    ("atlantis", 2): 5500,
    ("atlantis", 4): 4000,
    ("atlandice", 2): 18000,
    ("atlandice", 4): 13500,
}


@dataclass(frozen=True)
class Pairing:
    """One row of a table: `lone` at one seat, `field` at all others, and the number of games."""

    group: str
    game: str
    players: int
    lone: str
    field: str
    games: int

    def log(self, logs: Path) -> Path:
        """The file of its games."""
        return logs / f"{self.group}-{self.game}-{self.players}.jsonl"

    def setting(self) -> lad.LadderSetting:
        """The ladder's settings."""
        return lad.LadderSetting(self.game, self.players, {}, 1)

    def command(self) -> str:
        """The command line that plays it."""
        bots = f"--bots {self.lone},{self.field} --against {self.field}"
        return f"landfall ladder {self.game} --players {self.players} {bots} --games {self.games}"


TITLES = {
    "a": "Greedy over random",
    "b": "mcts with four times the iterations over itself",
    "c": "mcts at 200 ms over greedy, two players",
    "d": "mcts at 200 ms against a table of greedy",
    "e": "mcts shown the true position over mcts",
    "l": "The lower levels and a longer search, each over the one below",
}
TABLES = (("survive", 4), ("survive", 6), ("atlantis", 4), ("atlandice", 4))
BASE_ITERATIONS = {"atlandice": 50, "atlantis": 50, "survive": 30}  # compared with four times as many iterations
# iterations with and without perfect information
PEEKING_ROWS = (("atlantis", 100), ("atlantis", 800), ("survive", 60))
LEVELS = ("sprat", "mackerel", "marlin", "mcts:ms=650")  # the two strongest: bench.duels


def list_pairings() -> list[Pairing]:
    """All pairings, the fast ones first."""
    two = [(game, 2) for game in GAMES]
    rows = [Pairing("a", game, n, "greedy", "random", 1000) for game, n in (*two, *TABLES)]
    rows += [
        Pairing("b", game, 2, f"mcts:iters={4 * n}", f"mcts:iters={n}", 400) for game, n in BASE_ITERATIONS.items()
    ]
    rows += [Pairing("e", game, 2, f"peeking-mcts:iters={n}", f"mcts:iters={n}", 400) for game, n in PEEKING_ROWS]
    rows += [at_200_ms("c", game, 2) for game in reversed(GAMES)]
    rows += [at_200_ms("d", game, n) for game, n in reversed(TABLES)]
    for weak, strong in pairwise(LEVELS):
        games = 100 if strong == LEVELS[-1] else 200
        rows += [Pairing("l", game, 2, strong, weak, games) for game in reversed(GAMES)]
    return rows


def at_200_ms(group: str, game: str, players: int) -> Pairing:
    return Pairing(group, game, players, f"mcts:iters={IN_200_MS[game, players]}", "greedy", 200)


def play_pairing(row: Pairing, logs: Path, cores: int, games: int) -> None:
    """Play the missing games."""
    wanted = min(games, row.games) if games else row.games
    codes = [row.lone, row.field]
    with make_pool(cores) as workers:
        lad.run_ladder(row.setting(), codes, wanted, row.log(logs), workers, lambda _: None, row.field)
    print(format_row(row, logs), flush=True)


def load_pairing(row: Pairing, logs: Path) -> list[lad.GameResult]:
    """Its games so far."""
    return [p for p in lad.load_results(row.log(logs), row.setting()) if (p.lone, p.field) == (row.lone, row.field)]


def format_row(row: Pairing, logs: Path) -> str:
    """Format a row of a table, as far as it has been played."""
    games = load_pairing(row, logs)
    names = f"| {row.game} | {row.players} | `{row.lone}` | `{row.field}` |"
    if not games:
        return f"{names} none of {row.games:,} | | | |"
    found = lad.summarise_pairings(games, row.players)[0]
    count = f"{found.games:,}" if found.games >= row.games else f"{found.games:,} of {row.games:,}"
    return f"{names} {count} | {found.share:.1%} | {found.low:.1%} – {found.high:.1%} | {found.ms:.2f} |"


def render_page(logs: Path) -> None:
    """The page with new tables."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    tables = "".join(render_table(group, logs) for group in TITLES) + render_ratings(logs)
    PLOT.write_text(draw_plot(logs), encoding="utf-8")
    PAGE.write_text(f"{before}{BEGIN}\n{tables}\n{END}{after}", encoding="utf-8")


def render_table(group: str, logs: Path) -> str:
    """Render all rows of a group."""
    rows = [row for row in list_pairings() if row.group == group]
    head = "| game | players | bot | against | games | wins | 95 % interval | ms a choice |"
    lines = [f"\n## {TITLES[group]}\n", head, "|---|---:|---|---|---:|---:|---:|---:|"]
    lines += [format_row(row, logs) for row in rows]
    return "\n".join([*lines, "", f"For instance `{rows[0].command()}`.", ""])


def render_ratings(logs: Path) -> str:
    """Render the levels' ratings, game by game."""
    out = ["\n## Their ratings\n", "openskill, Plackett-Luce, from the games of the table above.\n"]
    out += [f"| game | {' | '.join(f'`{level}`' for level in LEVELS)} |", "|---|---:|---:|---:|---:|"]
    for game in GAMES:
        rows = [row for row in list_pairings() if (row.group, row.game) == ("l", game)]
        games = sorted((p for row in rows for p in load_pairing(row, logs)), key=lambda p: p.number)
        rated = {r.code: f"{r.mu:.1f} ± {r.sigma:.1f}" for r in lad.rate_bots(games, list(LEVELS))}
        out.append(f"| {game} | {' | '.join(rated[level] for level in LEVELS)} |")
    return "\n".join([*out, ""])


def draw_plot(logs: Path) -> str:
    """Draw all rows except those of the levels."""
    lines = []
    for row in list_pairings():
        games = load_pairing(row, logs)
        if row.group != "l" and games:
            found = lad.summarise_pairings(games, row.players)[0]
            lone, field = (code.replace(":iters=", " ") for code in (found.lone, found.field))
            lines.append(replace(found, lone=f"{row.game}, {row.players}: {lone}", field=field))
    return charts.draw_ladder("Shares of wins with 95 % intervals; the dashed line is par", lines)


# --- time ---------------------------------------------------------------------------------------------------------


def sample_decisions(game: str, players: int, every: int) -> list[State]:
    """Positions of a game of greedy bots in which there is a choice."""
    state, rng, found, number = landfall.game(game).new(players), Rng(5), [], 0
    while state.actor != OVER:
        if state.actor == CHANCE:
            state.apply(state.sample_chance(rng))
            continue
        number += 1
        if number % every == 0 and len(state.legal_actions()) > 1:
            found.append(state.copy())
        state.apply(best_action(state, state.actor, rng))
    return found


def calibrate(only: str) -> None:
    """The number of iterations that take 200 ms of processor time, where the bot searches."""
    for game, players in IN_200_MS:
        if only not in ("", game):
            continue
        rates = []
        for state in sample_decisions(game, players, 7):
            if state.is_setup():
                continue
            seat = Seat.from_state(state, game, Rng(1))
            player = MctsBot(MctsConfig(iters=400))
            began = thread_time()
            player.choose(seat)
            # With rollouts of lines, the tree may end early, but the rollouts, which take the time, do not.
            rates.append(
                (thread_time() - began)
                / (400 if player.config.search_settings_for(game).rollout_rounds else player.iterations)
            )
        mean = sum(rates) / len(rates)
        print(f"{game} {players}: {0.2 / mean:,.0f} by the mean, {0.2 / median(rates):,.0f} by the median")


def measure_budget(ms: int) -> None:
    """The share of choices within their budget, in processor time."""
    for game in GAMES:
        taken = []
        for players in (2, 4):
            for state in sample_decisions(game, players, 2):
                seat = Seat.from_state(state, game, Rng(1))
                began = process_time()
                MctsBot(MctsConfig(ms=ms)).choose(seat)
                taken.append(1000 * (process_time() - began))
        taken.sort()
        kept = sum(t <= 1.1 * ms for t in taken)
        print(f"{game}: {kept} of {len(taken)} choices within {ms} ms + 10 %, the longest {taken[-1]:.1f} ms")


def measure_playouts() -> None:
    """Random rollouts per second from the first turn, by processor time."""
    for game in GAMES:
        for players in (2, 4):
            start, rng = play_to_first_turn(game, players), Rng(1)
            best = 0.0
            for _ in range(5):
                began = process_time()
                for _ in range(1000):
                    playout(start.copy(), rng)
                best = max(best, 1000 / (process_time() - began))
            print(f"{game} {players}: {best:,.0f} random playouts a second from the first turn")


def play_to_first_turn(game: str, players: int) -> State:
    """Set up at random, and return the first decision."""
    state, rng = landfall.game(game).new(players), Rng(3)
    while state.actor == CHANCE or state.view(None)["phase"] in ("laying", "placing", "ships"):
        state.apply(state.sample_chance(rng) if state.actor == CHANCE else state.random_action(rng))
    return state


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--logs", type=Path, default=Path(".ladder"), help="where games are kept")
    parser.add_argument("--only", default="", help=f"groups, with commas: {', '.join(TITLES)}")
    parser.add_argument("--game", default="", help="of this game only")
    parser.add_argument("--players", type=int, default=0, help="at tables of so many only")
    parser.add_argument("--games", type=int, default=0, help="not more than so many games a pairing")
    parser.add_argument("--cores", type=int, default=1)
    parser.add_argument("--page", action="store_true", help="write the tables")
    parser.add_argument("--calibrate", action="store_true")
    parser.add_argument("--playouts", action="store_true")
    parser.add_argument("--in-time", type=int, default=0, metavar="MS")
    args = parser.parse_args()
    for row in list_pairings():
        chosen = row.group in args.only.split(",")
        if chosen and args.game in ("", row.game) and args.players in (0, row.players):
            play_pairing(row, args.logs, args.cores, args.games)
    if args.calibrate:
        calibrate(args.game)
    if args.playouts:
        measure_playouts()
    if args.in_time:
        measure_budget(args.in_time)
    if args.page:
        render_page(args.logs)


if __name__ == "__main__":
    main()
