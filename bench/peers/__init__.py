"""Our speed beside other engines', each in an environment of its own: `python -m bench.peers`."""
