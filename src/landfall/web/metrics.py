"""Prometheus metrics. Counters on the hot path are plain numbers."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate
from typing import Final

import prometheus_client as prom
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric

from landfall.tables.live.hub import Hub

BUCKET_BOUNDS_S: Final = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)  # seconds


class Metrics:
    """Counters of one process."""

    def __init__(self, hub: Hub) -> None:
        self.registry = prom.CollectorRegistry()
        prom.ProcessCollector(registry=self.registry)
        self.sockets = prom.Gauge("landfall_connections_open", "Open sockets", registry=self.registry)
        self.requests = prom.Counter("landfall_http_requests", "HTTP requests", ["status"], registry=self.registry)
        tables = prom.Gauge("landfall_live_tables", "Tables in memory", registry=self.registry)
        tables.set_function(lambda: len(hub.live_tables))
        self.messages_received = 0  # socket messages
        self.appends = [0] * (len(BUCKET_BOUNDS_S) + 1)  # by duration
        self.append_seconds = 0.0
        self.registry.register(self)

    def record_append(self, seconds: float) -> None:
        """Count an append by its duration."""
        self.appends[bisect_left(BUCKET_BOUNDS_S, seconds)] += 1
        self.append_seconds += seconds

    def collect(self) -> Iterator[Metric]:
        """For the registry."""
        yield CounterMetricFamily(
            "landfall_socket_messages_received", "Socket messages received", self.messages_received
        )
        names = [*map(str, BUCKET_BOUNDS_S), "+Inf"]
        buckets = list(zip(names, map(float, accumulate(self.appends))))
        about = "From an entry to its being on disk"
        yield HistogramMetricFamily(
            "landfall_log_append_seconds", about, buckets=buckets, sum_value=self.append_seconds
        )
