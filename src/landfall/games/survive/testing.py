# interpreted
"""What checks of every game must know of this one."""

REVEALS = {"tile_played"}  # SV.R8, SV.H4: a tile played shows its back, and with that which terrain side hid it

# What the client says of an event in words of its own (logText.ts), and the fields it can make each of; whose ship
# moved is whose turn it is.
MADE = {
    "name": {"seat", "piece", "crew"},
    "land": {"terrain"},
    "on": {"at"},
    "where": {"to", "at"},
    "deeds": {"how", "isle"},
    "swims": {"creature"},
    "comes": {"creature"},
    "n": {"path"},
}
