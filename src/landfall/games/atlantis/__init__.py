"""Atlantis, by Leo Colovini: three figures each flee along a path of tiles that sinks behind them."""

DISPLAY_ORDER = 2  # its place where games are listed
