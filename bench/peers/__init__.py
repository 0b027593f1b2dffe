"""Our speed beside other engines', each in its own environment: `python -m bench.peers`."""
