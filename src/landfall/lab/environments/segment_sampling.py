"""Samples one item per segment of a ragged array, for policies that score legal actions. A few numpy calls in all."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
NO_ITEM: Final = -1


def sample_segments(
    offsets: Array, logits: Array, temperature: float, random: np.random.Generator
) -> tuple[Array, Array]:
    """Sample one index per segment, with probability proportional to exp(logit / temperature).

    Segment i is `logits[offsets[i]:offsets[i + 1]]`. At temperature 0 the largest logit is taken, the first of equal
    ones. Returns the indices and the logarithms of their probabilities. An empty segment gives NO_ITEM and 0.
    ValueError names a segment whose logits cannot be compared.
    """
    counts = offsets[1:] - offsets[:-1]
    if not counts.all():
        full = np.flatnonzero(counts)
        chosen, log_probs = np.full(len(counts), NO_ITEM), np.zeros(len(counts))
        some = np.append(offsets[full], offsets[-1])
        chosen[full], log_probs[full] = sample_segments(some, logits, temperature, random)
        return chosen, log_probs
    first, last = offsets[:-1], offsets[1:] - 1
    largest = np.maximum.reduceat(logits, first)
    if not np.isfinite(largest).all():
        wrong = int(np.isfinite(largest).argmin())
        raise ValueError(f"match {wrong}: its largest logit is {largest[wrong]}")
    if temperature <= 0:
        best = np.flatnonzero(logits == largest.repeat(counts))
        return best[best.searchsorted(first)], np.zeros(len(counts))
    weights = np.exp((logits - largest.repeat(counts)) / temperature)
    sums = weights.cumsum(dtype=np.float64)
    end = sums[last]
    before = np.append(0.0, end[:-1])
    # Rounding of the sums may reach over an edge, hence the bounds.
    drawn = sums.searchsorted(before + (end - before) * random.random(len(counts)), "right")
    chosen = drawn.clip(first, last)
    return chosen, (logits[chosen] - largest) / temperature - np.log(end - before)
