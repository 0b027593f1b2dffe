"""Position and choice evaluation, and match review; docs/analysis.md gives the measured accuracy."""
