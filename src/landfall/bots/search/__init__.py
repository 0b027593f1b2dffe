"""The inner loops of search bots, compiled with the engine."""
