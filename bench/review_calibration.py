"""Predicted and actual wins of match review, from the counts of `make proof ARGS=review-calibration`: text and a plot.

python -m bench.review_calibration          writes bench/results/review.txt and docs/pictures/review-calibration.svg
"""

import subprocess
from datetime import date
from pathlib import Path

from landfall.games import BUILT_IN_GAMES
from tests.generic.review_truth_checks import POINTS, summarise_by_tenths
from tests.proof import Store

REPO_ROOT = Path(__file__).parents[1]
PLOT_SIDE_PX, PLOT_GAP_PX, PLOT_EDGE_PX = 240, 50, 40


def draw_plot(games: dict[str, list[tuple[int, int, float, float, float]]]) -> str:
    """Predicted probability on the x axis, share won on the y axis, each with its interval; the band is the
    tolerance."""
    wide = PLOT_EDGE_PX + len(games) * (PLOT_SIDE_PX + PLOT_GAP_PX)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {PLOT_SIDE_PX + 90}" font-family="sans-serif"'
        ' font-size="12">',
        '<rect width="100%" height="100%" fill="#fff"/>',
    ]
    for i, (game, rows) in enumerate(games.items()):
        x0, y0, band = PLOT_EDGE_PX + i * (PLOT_SIDE_PX + PLOT_GAP_PX), 40 + PLOT_SIDE_PX, POINTS * PLOT_SIDE_PX
        out.append(f'<text x="{x0}" y="24" font-size="14">{game}</text>')
        out.append(
            f'<path d="M{x0} {y0 - band}L{x0 + PLOT_SIDE_PX - band} {y0 - PLOT_SIDE_PX}H{x0 + PLOT_SIDE_PX}'
            f"V{y0 - PLOT_SIDE_PX + band}L{x0 + band} {y0}"
            f'H{x0}Z" fill="#e8f3ee"/>'
        )
        out.append(
            f'<path d="M{x0} {y0}V{y0 - PLOT_SIDE_PX}M{x0} {y0}H{x0 + PLOT_SIDE_PX}" stroke="#888" fill="none"/>'
        )
        for percent in (0, 50, 100):
            at = PLOT_SIDE_PX * percent / 100
            out.append(f'<text x="{x0 + at}" y="{y0 + 16}" text-anchor="middle" fill="#555">{percent} %</text>')
            out.append(f'<text x="{x0 - 4}" y="{y0 - at + 4}" text-anchor="end" fill="#555">{percent}</text>')
        out.append(f'<text x="{x0 + PLOT_SIDE_PX / 2}" y="{y0 + 34}" text-anchor="middle">predicted</text>')
        for _, _, predicted, won, half in rows:
            x, y, e = x0 + PLOT_SIDE_PX * predicted, y0 - PLOT_SIDE_PX * won, PLOT_SIDE_PX * half
            out.append(f'<path d="M{x:.1f} {y - e:.1f}V{y + e:.1f}" stroke="#0f6670" stroke-width="1.5"/>')
            out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="#0f6670"/>')
    return "\n".join([*out, "</svg>", ""])


def main() -> None:
    """Report all games with counts."""
    found, lines = {}, []
    for game in BUILT_IN_GAMES:
        total = Store("review-calibration", game, False).total()
        if total["matches"]:
            found[game] = summarise_by_tenths(total)
            lines.append(f"{game}: {total['matches']:,} matches of greedy bots, one position from each tenth of each")
            lines.append("tenth       chances   pred    won    off   95 %")
            lines += [
                f"{tenth * 10:3d}-{tenth * 10 + 10:3d} %  {many:8,d}  {predicted:5.1%}  {won:5.1%}"
                f"  {100 * (won - predicted):+5.1f}  ±{100 * half:.1f}"
                for tenth, many, predicted, won, half in found[game]
            ]
            lines.append("")
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=REPO_ROOT, capture_output=True, text=True, check=True
    )
    head = [
        "command: make proof ARGS=review-calibration; python -m bench.review_calibration",
        f"commit: {commit.stdout.strip()}",
    ]
    lines = [*head, f"date: {date.today()}", "", *lines]
    (REPO_ROOT / "bench" / "results" / "review.txt").write_text("\n".join(lines))
    (REPO_ROOT / "docs" / "pictures" / "review-calibration.svg").write_text(draw_plot(found))
    print("\n".join(lines))


if __name__ == "__main__":
    main()
