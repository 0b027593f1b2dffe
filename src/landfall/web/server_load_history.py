"""The load of a process over the last day, for the host's page. In memory: a restart clears it."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from landfall.store.database_errors import DATABASE_ERRORS
from landfall.store.store import Store
from landfall.web.metrics import BUCKET_BOUNDS_S

SAMPLE_INTERVAL_S: Final = 600
MAX_SAMPLES: Final = 24 * 3600 // SAMPLE_INTERVAL_S


@dataclass(frozen=True)
class LoadSample:
    """The load at one time. `answer_ms` is of the requests since the sample before."""

    at: int
    here: int
    tables: int
    answer_ms: int
    processor: int


def duration_quantile_ms(counts: Sequence[int], share: float) -> int:
    """The bound of the bucket in which this share of all durations lies."""
    total = sum(counts)
    seen = 0
    for count, bound in zip(counts, (*BUCKET_BOUNDS_S, BUCKET_BOUNDS_S[-1]), strict=False):
        seen += count
        if total and seen >= share * total:
            return int(bound * 1000)
    return 0


def processor_load_percent() -> int:
    """Of all cores, over a minute; what waits for one does not count."""
    return min(100, int(100 * os.getloadavg()[0] / (os.cpu_count() or 1))) if hasattr(os, "getloadavg") else 0


class LoadHistory:
    """Samples of the last 24 hours. `measure` counts the people who are here, and all requests until now by bucket."""

    def __init__(
        self, store: Store, now: Callable[[], int], measure: Callable[[], Awaitable[tuple[int, list[int]]]]
    ) -> None:
        self.store, self.now, self.measure = store, now, measure
        self.samples: deque[LoadSample] = deque(maxlen=MAX_SAMPLES)
        self.counts: list[int] = []  # of all requests until the last sample

    async def take_samples_forever(self) -> None:
        while True:
            with suppress(*DATABASE_ERRORS):
                await self.take_load_sample()
            await asyncio.sleep(SAMPLE_INTERVAL_S)

    async def take_load_sample(self) -> None:
        tables = sum((await self.store.tables.count_unfinished_tables()).values())
        people, counts = await self.measure()
        before, self.counts = self.counts or [0] * len(counts), counts
        since = [max(0, count - earlier) for count, earlier in zip(counts, before, strict=False)]  # a worker may go
        self.samples.append(
            LoadSample(self.now(), people, tables, duration_quantile_ms(since, 0.5), processor_load_percent())
        )
