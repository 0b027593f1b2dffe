# interpreted
"""The version of the game's research environments: rises with the tensors of `observation.py` or with the rules."""

VERSION = 0
