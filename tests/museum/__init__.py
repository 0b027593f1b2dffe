"""Databases and records written by an earlier release, which every later one must open. `README.md` tells of them."""
