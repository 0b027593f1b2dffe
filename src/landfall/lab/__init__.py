"""Batch play: simulation, environments, training, measurements, and the rules' test coverage."""
