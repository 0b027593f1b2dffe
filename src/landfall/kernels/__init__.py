"""Kernels: the rules of a game as C, for every core and for GPUs (docs/kernels.md)."""
