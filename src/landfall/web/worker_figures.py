"""The figures of all workers of one server together, from their metrics."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from prometheus_client.parser import text_string_to_metric_families

from landfall.web.metrics import BUCKET_NAMES, WORKER_LABEL

REQUESTS = "landfall_http_request_seconds_bucket"


@dataclass
class QueueFigures:
    """Jobs of one kind."""

    waiting: int = 0
    busy: int = 0
    workers: int = 0
    age_s: float = 0.0


@dataclass
class WorkerFigures:
    """Sums over the workers; of ages the greatest."""

    workers: int = 0
    requests: list[int] = field(default_factory=lambda: [0] * len(BUCKET_NAMES))  # by bucket of their duration
    queues: defaultdict[str, QueueFigures] = field(default_factory=lambda: defaultdict(QueueFigures))
    reviews: int = 0


def sum_worker_figures(text: bytes) -> WorkerFigures:
    """From the metrics of all workers, in Prometheus's text format."""
    found, cumulated, seen = WorkerFigures(), [0] * len(BUCKET_NAMES), set()
    for family in text_string_to_metric_families(text.decode()):
        for name, labels, value, *_ in family.samples:
            seen.add(labels.get(WORKER_LABEL))
            queue = found.queues[labels["pool"]] if "pool" in labels else QueueFigures()
            if name == REQUESTS:
                cumulated[BUCKET_NAMES.index(labels["le"])] += int(value)
            elif name == "landfall_job_queue_length":
                queue.waiting += int(value)
            elif name == "landfall_job_workers_busy":
                queue.busy += int(value)
            elif name == "landfall_job_workers":
                queue.workers += int(value)
            elif name == "landfall_job_queue_age_seconds":
                queue.age_s = max(queue.age_s, value)
            elif name == "landfall_reviews_queued":
                found.reviews += int(value)
    found.workers = len(seen)
    found.requests = [after - before for before, after in zip([0, *cumulated], cumulated, strict=False)]
    return found
