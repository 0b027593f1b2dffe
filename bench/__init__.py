"""Benchmarks. `make bench` runs them; bench/README.md describes the measurements."""
