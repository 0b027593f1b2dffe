"""Atlantis, by Leo Colovini: three figures per player flee along a path of tiles that sinks behind them."""

DISPLAY_ORDER = 2  # position in lists of games
