# interpreted
"""The version of the game's research environments. It rises with the tensors of `observation.py` or the rules."""

ENVIRONMENT_VERSION = 2
