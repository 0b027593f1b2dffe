"""Landfall: three board games about a sinking Atlantis."""

from landfall.native import choose

__version__ = "0.1.0"

ENGINE = choose()  # before any module that may be compiled is imported
