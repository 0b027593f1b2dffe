"""The load that the host's page draws: a day of samples, no more, with the answers since the sample before."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from landfall.store.store import make_store_for_setting
from landfall.web.metrics import Histogram
from landfall.web.server_load_history import MAX_SAMPLES, SAMPLE_INTERVAL_S, LoadHistory
from tests.ratings.simulated_matches import SimulatedPlayer, add_accounts

pytestmark = pytest.mark.once


def test_a_day_of_samples_is_kept_and_each_is_of_its_own_time(tmp_path: Path) -> None:
    async def live() -> None:
        store = make_store_for_setting(str(tmp_path / "landfall.db"))
        await store.database.open_and_migrate()
        try:
            await add_accounts(store, [SimulatedPlayer("ana", "Ana", 25)])
            now, requests = 0, [Histogram(), Histogram()]

            async def measure() -> tuple[int, list[int]]:
                return 3, [sum(column) for column in zip(*(one.counts for one in requests), strict=True)]

            history = LoadHistory(store, lambda: now, measure)
            for number in range(MAX_SAMPLES + 5):
                now = number * SAMPLE_INTERVAL_S * 1000
                requests[number % 2].observe_duration(0.004 if number < MAX_SAMPLES else 2.0)
                await history.take_load_sample()
            samples = list(history.samples)
            assert len(samples) == MAX_SAMPLES
            assert samples[-1].at - samples[0].at < 24 * 3600 * 1000
            assert (samples[0].here, samples[0].tables) == (3, 0)
            assert samples[0].answer_ms <= 10
            assert samples[-1].answer_ms >= 2000, "not the mean of all time"
        finally:
            await store.database.close()

    asyncio.run(live())


def test_a_sample_of_a_process_that_has_answered_nothing(tmp_path: Path) -> None:
    async def live() -> None:
        store = make_store_for_setting(str(tmp_path / "landfall.db"))
        await store.database.open_and_migrate()
        try:

            async def measure() -> tuple[int, list[int]]:
                return 0, []

            history = LoadHistory(store, lambda: 1, measure)
            await history.take_load_sample()
            assert [sample.answer_ms for sample in history.samples] == [0]
        finally:
            await store.database.close()

    asyncio.run(live())
