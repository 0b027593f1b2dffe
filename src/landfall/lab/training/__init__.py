"""Training of nets: self-play, learning from a search, and whether predictions come true."""
