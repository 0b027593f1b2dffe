"""Training of nets: self-play, distillation from a search, and calibration."""
