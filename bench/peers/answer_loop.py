"""The loop of every program here: it reads from standard input what to play and for how many seconds, and prints a line
of JSON with the decisions and their processor time. Needs no landfall."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from time import process_time

Work = Callable[[], int]  # plays for a short time; returns the number of decisions


def answer_requests(makers: Mapping[str, Callable[[], Work]]) -> None:
    """Answer until the input ends, with a warm-up for each new request."""
    ready: dict[str, Work] = {}
    for line in sys.stdin:
        name, seconds = line.split()
        if name not in ready:
            ready[name] = makers[name]()
            ready[name]()
        decisions, began = 0, process_time()
        while (taken := process_time() - began) < float(seconds) or not decisions:
            decisions += ready[name]()
        print(json.dumps({"decisions": decisions, "seconds": taken}), flush=True)
