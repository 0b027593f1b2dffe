"""How a database comes from nothing, or from an earlier release, to what schema.py describes."""
