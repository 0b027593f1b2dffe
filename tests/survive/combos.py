"""What the generic tests must know of Survive."""

REVEALS = {"tile_played"}  # SV.R8, SV.H4: a tile played shows its back, and with that which terrain side hid it
