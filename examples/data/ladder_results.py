"""How often each bot of a ladder wins, from what `landfall ladder --log` kept, as docs/data.md shows it.

python ladder_results.py ladder.jsonl
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


def with_polars(path: str) -> list[tuple[Any, ...]]:
    import polars as pl

    games = pl.read_ndjson(path, infer_schema_length=None).drop_nulls("lone")
    return games.group_by("lone", "field").agg(pl.col("share").mean()).rows()


def with_duckdb(path: str) -> list[tuple[Any, ...]]:
    import duckdb

    games = duckdb.read_json(path).filter("lone is not null")
    return games.aggregate("lone, field, avg(share)").fetchall()


def with_pandas(path: str) -> list[tuple[Any, ...]]:
    import pandas as pd

    games = pd.read_json(path, lines=True).dropna(subset=["lone"])
    return [(*pair, share) for pair, share in games.groupby(["lone", "field"]).share.mean().items()]


READERS: dict[str, Callable[[str], list[tuple[Any, ...]]]] = {
    "polars": with_polars,
    "duckdb": with_duckdb,
    "pandas": with_pandas,
}

if __name__ == "__main__":
    for name, read in READERS.items():
        print(name, read(sys.argv[1]))
