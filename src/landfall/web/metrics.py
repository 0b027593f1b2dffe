"""What Prometheus is told. What is counted at every message is counted in plain numbers."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate
from typing import Final

import prometheus_client as prom
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric

from landfall.tables.hub import Hub

BOUNDS: Final = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)  # seconds


class Metrics:
    """Counters of one process."""

    def __init__(self, hub: Hub) -> None:
        self.registry = prom.CollectorRegistry()
        prom.ProcessCollector(registry=self.registry)
        self.sockets = prom.Gauge("landfall_sockets", "Open sockets", registry=self.registry)
        self.requests = prom.Counter("landfall_requests", "HTTP requests", ["status"], registry=self.registry)
        tables = prom.Gauge("landfall_tables", "Tables in memory", registry=self.registry)
        tables.set_function(lambda: len(hub.live_tables))
        self.received = 0  # socket messages
        self.appends = [0] * (len(BOUNDS) + 1)  # by how long they took
        self.seconds = 0.0
        self.registry.register(self)

    def written(self, seconds: float) -> None:
        """An entry got to disk, in so long."""
        self.appends[bisect_left(BOUNDS, seconds)] += 1
        self.seconds += seconds

    def collect(self) -> Iterator[Metric]:
        """For the registry."""
        yield CounterMetricFamily("landfall_messages_received", "Socket messages received", self.received)
        names = [*map(str, BOUNDS), "+Inf"]
        buckets = list(zip(names, map(float, accumulate(self.appends))))
        about = "From an entry to its being on disk"
        yield HistogramMetricFamily("landfall_append_seconds", about, buckets=buckets, sum_value=self.seconds)
