"""A second reading of the rules: each game told again from docs/rules, plainly, and played beside the engine."""
