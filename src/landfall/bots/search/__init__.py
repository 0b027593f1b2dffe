"""The inner loops of bots that search, compiled with the engine."""
