"""Win rates by player: `python examples/data/by_player.py games.parquet`, with polars and DuckDB (docs/data.md)."""

import sys

import duckdb
import polars as pl


def with_polars(path: str) -> list[tuple[str, float]]:
    seats = pl.scan_parquet(path).group_by("match", "seat", "player").agg(pl.col("win").first())
    return seats.group_by("player").agg(pl.col("win").mean()).sort("player").collect().rows()


def with_duckdb(path: str) -> list[tuple[str, float]]:
    seats = "select distinct match, seat, player, win from read_parquet(?)"
    return duckdb.execute(f"select player, avg(win) from ({seats}) group by player order by player", [path]).fetchall()


if __name__ == "__main__":
    for player, share in with_polars(sys.argv[1]):
        print(f"{player}: {share:.1%} of its seats won")
