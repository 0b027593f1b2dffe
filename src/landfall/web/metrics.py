"""Prometheus metrics of one process: latency, traffic, errors and saturation, by kind of command, request and job.

Counters are plain numbers. They are turned into samples only when somebody asks. Every sample names its process.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final

import prometheus_client as prom
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from landfall.core.errors import LandfallError
from landfall.tables.live.hub import Hub
from landfall.tables.protocol.errors import Refused

if TYPE_CHECKING:
    from landfall.tables.jobs.reviews import Reviews

BUCKET_BOUNDS_S: Final = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)  # seconds
BUCKET_NAMES: Final = [*map(str, BUCKET_BOUNDS_S), "+Inf"]
LOOP_CHECK_S: Final = 1.0  # between measurements of the event loop's delay
WORKER_LABEL: Final = "worker"
UNKNOWN_KIND: Final = "unknown"  # of a message that could not be read
HTTP_KIND: Final = "http"  # of a refused request
log = logging.getLogger("landfall")


class Histogram:
    """Durations by bucket."""

    __slots__ = ("counts", "total")

    def __init__(self) -> None:
        self.counts = [0] * len(BUCKET_NAMES)
        self.total = 0.0

    def observe_duration(self, seconds: float) -> None:
        self.counts[bisect_left(BUCKET_BOUNDS_S, seconds)] += 1
        self.total += seconds


class Metrics(Collector):
    """Counters of one process."""

    def __init__(self, hub: Hub, reviews: Reviews) -> None:
        self.hub = hub
        self.reviews = reviews
        self.process = prom.ProcessCollector(registry=None)
        self.sockets = 0  # open
        self.connects: Counter[str] = Counter()  # sockets opened: first, or again
        self.messages_received = 0  # socket messages
        self.commands: defaultdict[type, Histogram] = defaultdict(Histogram)
        self.refusals: Counter[tuple[str, str]] = Counter()  # by kind and reason
        self.requests: Counter[str] = Counter()  # HTTP requests by status
        self.routes: defaultdict[str, Histogram] = defaultdict(Histogram)
        self.appends = Histogram()
        self.job_waits: defaultdict[str, Histogram] = defaultdict(Histogram)
        self.jobs: defaultdict[str, Histogram] = defaultdict(Histogram)
        self.failed_jobs: Counter[str] = Counter()
        self.loop_delays = Histogram()
        self.last_backup_ms: int | None = None  # as far as it is known here
        self.logs_each = False  # whether each command and request gets a line in the log
        runtime = hub.runtime
        runtime.on_append = self.appends.observe_duration
        runtime.on_command = self.record_command
        runtime.on_refusal = self.record_refusal
        for pool in hub.bot_pool.worker_pools_by_name().values():
            pool.on_job = self.record_job

    async def measure_event_loop_lag(self) -> None:
        """Measure how late the event loop is."""
        self.logs_each = log.isEnabledFor(logging.DEBUG)
        while True:
            due = time.perf_counter() + LOOP_CHECK_S
            await asyncio.sleep(LOOP_CHECK_S)
            self.loop_delays.observe_duration(max(0.0, time.perf_counter() - due))

    # --- recording --------------------------------------------------------------------------------------------

    def record_command(self, command: object, seconds: float) -> None:
        """A socket command is done or refused."""
        self.commands[type(command)].observe_duration(seconds)
        if self.logs_each:
            log.debug("command %s: %.1f ms", command_kind(command), seconds * 1000)

    def record_refusal(self, command: object, error: LandfallError) -> None:
        """A command, or None for a message that could not be read, was refused."""
        reason = refusal_reason(error)
        self.refusals[command_kind(command), reason] += 1
        if self.logs_each:
            log.debug("command %s refused: %s", command_kind(command), reason)

    def record_request(self, route: str, status: int, seconds: float) -> None:
        """An HTTP request is answered. `route` is as declared: the real path contains keys."""
        self.requests[str(status)] += 1
        self.routes[route].observe_duration(seconds)
        if self.logs_each:
            log.debug("request %s: %d in %.1f ms", route, status, seconds * 1000)

    def record_job(self, kind: str, waited_s: float, ran_s: float | None, failed: bool) -> None:
        """A job of the bot workers is done; None: nobody waited until it began."""
        self.job_waits[kind].observe_duration(waited_s)
        if ran_s is not None:
            self.jobs[kind].observe_duration(ran_s)
        self.failed_jobs[kind] += failed

    # --- reporting --------------------------------------------------------------------------------------------

    def render_prometheus_text(self) -> bytes:
        """Everything, in Prometheus's text format."""
        return prom.generate_latest(self)

    def collect(self) -> Iterator[Metric]:
        """All metrics of this process, labelled with its number."""
        worker = {WORKER_LABEL: str(os.getpid())}
        for family in (*self.process.collect(), *self.metric_families()):
            family.samples = [s._replace(labels={**s.labels, **worker}) for s in family.samples]
            yield family

    def metric_families(self) -> Iterator[Metric]:
        hub, now = self.hub, time.perf_counter()
        yield make_gauge_family("landfall_connections_open", "Open sockets", {(): self.sockets})
        yield make_gauge_family("landfall_live_tables", "Tables in memory", {(): len(hub.live_tables)})
        yield make_counter_family("landfall_http_requests", "HTTP requests", self.requests, "status")
        yield make_histogram_family(
            "landfall_http_request_seconds", "From a request to its answer", self.routes, "route"
        )
        yield make_counter_family(
            "landfall_socket_connects", "Sockets opened for the first time, or again", self.connects, "kind"
        )
        yield make_counter_family("landfall_socket_messages_received", "Socket messages", {(): self.messages_received})
        commands = {kind.__name__.lower(): found for kind, found in self.commands.items()}
        yield make_histogram_family("landfall_command_seconds", "From a command to its answer", commands, "command")
        yield make_counter_family(
            "landfall_refusals", "Refused commands and requests", self.refusals, "command", "reason"
        )
        writers = [live.writer for live in hub.live_tables.values() if not live.writer.is_idle]
        waiting = sum(writer.count_pending_operations() for writer in writers)
        age = max((writer.oldest_operation_age_s(now) for writer in writers), default=0.0)
        yield make_gauge_family("landfall_command_queue_length", "Commands not yet on disk", {(): waiting})
        yield make_gauge_family("landfall_command_queue_age_seconds", "Age of the oldest of them", {(): age})
        yield make_histogram_family(
            "landfall_log_append_seconds", "From an entry to its being on disk", {(): self.appends}
        )
        yield make_counter_family(
            "landfall_log_conflicts", "Appends that another process forestalled", {(): hub.log_conflicts}
        )
        pools = hub.bot_pool.worker_pools_by_name()
        jobs = {name: len(pool.waiting) for name, pool in pools.items()}
        yield make_gauge_family("landfall_job_queue_length", "Jobs that wait for a worker", jobs, "pool")
        ages = {name: pool.longest_wait_s(now) for name, pool in pools.items()}
        yield make_gauge_family("landfall_job_queue_age_seconds", "Age of the oldest of them", ages, "pool")
        yield make_gauge_family(
            "landfall_job_workers", "Workers allowed", {name: p.size for name, p in pools.items()}, "pool"
        )
        busy = {name: len(pool.jobs) for name, pool in pools.items()}
        yield make_gauge_family("landfall_job_workers_busy", "Workers with a job", busy, "pool")
        lost = {name: pool.total_losses for name, pool in pools.items()}
        yield make_counter_family("landfall_job_workers_lost", "Workers that died or were killed", lost, "pool")
        yield make_histogram_family("landfall_job_wait_seconds", "From a job to a worker for it", self.job_waits, "job")
        yield make_histogram_family("landfall_job_seconds", "From a job's begin to its end", self.jobs, "job")
        yield make_counter_family("landfall_jobs_failed", "Jobs that failed or were given up", self.failed_jobs, "job")
        yield make_gauge_family(
            "landfall_reviews_queued", "Matches that wait for a review", {(): len(self.reviews.jobs)}
        )
        if self.last_backup_ms is not None:
            made = {(): self.last_backup_ms / 1000}
            yield make_gauge_family("landfall_last_backup_timestamp_seconds", "When it was made; 0: never", made)
        about = "How late the event loop is, sampled"
        yield make_histogram_family("landfall_event_loop_delay_seconds", about, {(): self.loop_delays})


def command_kind(command: object) -> str:
    return type(command).__name__.lower() if command is not None else UNKNOWN_KIND


def refusal_reason(error: LandfallError) -> str:
    return error.code if isinstance(error, Refused) else "illegal"


def label_values_of_key(key: str | tuple[str, ...]) -> list[str]:
    return [key] if isinstance(key, str) else list(key)


def make_counter_family(name: str, about: str, values: Mapping[Any, int], *labels: str) -> Metric:
    family = CounterMetricFamily(name, about, labels=labels)
    for key, value in values.items():
        family.add_metric(label_values_of_key(key), value)
    return family


def make_gauge_family(name: str, about: str, values: Mapping[Any, float], *labels: str) -> Metric:
    family = GaugeMetricFamily(name, about, labels=labels)
    for key, value in values.items():
        family.add_metric(label_values_of_key(key), value)
    return family


def make_histogram_family(name: str, about: str, values: Mapping[Any, Histogram], *labels: str) -> Metric:
    family = HistogramMetricFamily(name, about, labels=labels)
    for key, found in values.items():
        buckets = list(zip(BUCKET_NAMES, map(float, accumulate(found.counts)), strict=True))
        family.add_metric(label_values_of_key(key), buckets, found.total)
    return family
