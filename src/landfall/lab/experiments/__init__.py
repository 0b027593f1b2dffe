"""Experiments with bots: simulation, ladders, studies, puzzles and the engine's speed."""
