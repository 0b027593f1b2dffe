"""The table of docs/baselines.md: each bot against random and against greedy, from seeds given; resumable.

python -m bench.baselines --games 20            play what is missing, then write the page's table
"""

from __future__ import annotations

import argparse
from pathlib import Path

from landfall.games import BUILT_IN_GAMES
from landfall.lab.experiments import ladder as lad
from landfall.lab.worker_pool import make_pool

BOTS = ("random", "sprat", "mackerel", "greedy", "net", "marlin")  # all are deterministic for a given seed
YARDSTICKS = ("random", "greedy")
SEED = 17
LOGS = Path(".ladder/baselines")
PAGE = Path("docs/baselines.md")
MARK = "<!-- table: python -m bench.baselines -->"


def format_cell(line: lad.PairingResult | None) -> str:
    return f"{line.share:.1%} ({line.low:.1%} – {line.high:.1%})" if line else "–"


def measure_rows(game: str, games: int, cores: int) -> list[str]:
    """One row per bot: its share of wins against each baseline."""
    setting = lad.LadderSetting(game, 2, {}, SEED)
    found: dict[tuple[str, str], lad.PairingResult] = {}
    for field in YARDSTICKS:
        codes = [*(code for code in BOTS if code != field), field]
        with make_pool(cores) as workers:
            played = lad.run_ladder(
                setting, codes, games, LOGS / f"{game}-{field}.jsonl", workers, lambda _: None, field
            )
        found |= {(line.lone, line.field): line for line in lad.summarise(played, 2)}
    out = []
    for code in BOTS:
        cells = [format_cell(found.get((code, field))) for field in YARDSTICKS]
        ms = [line.ms for (lone, _), line in found.items() if lone == code]
        out.append(f"| {game} | `{code}` | {cells[0]} | {cells[1]} | {max(ms):.2f} |")
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20, help="a pairing; even: every deal from both seats")
    parser.add_argument("--cores", type=int, default=1)
    given = parser.parse_args()
    head = ["| game | bot | wins against `random` | wins against `greedy` | ms a choice |", "|---|---|---:|---:|---:|"]
    table = [*head, *(row for game in BUILT_IN_GAMES for row in measure_rows(game, given.games, given.cores))]
    before, _, after = PAGE.read_text(encoding="utf-8").partition(MARK)
    rest = after.partition("\n\n## ")[2]
    text = f"{before}{MARK}\n" + "\n".join(table) + f"\n\n## {rest}"
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
