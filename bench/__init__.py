"""Measurements. `make bench` runs them; bench/README.md says what is measured, and how."""
