"""What positions and choices are worth, and a match looked back on; docs/analysis.md says how far it can be trusted."""
