"""What every program here does: it is told on its standard input what to play and for how many seconds, and answers
with a line of JSON, the decisions taken and the processor time they took. No landfall is needed."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from time import process_time

Work = Callable[[], int]  # plays for a short while; the number of decisions


def served(makers: Mapping[str, Callable[[], Work]]) -> None:
    """Answer until nobody asks; what is played for the first time is warmed up first."""
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
