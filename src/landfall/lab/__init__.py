"""Many games at once: simulation, measurements, and which tests prove which rules."""
