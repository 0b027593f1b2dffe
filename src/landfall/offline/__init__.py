"""Tables on one device, without a server: in a browser's Python, with the same messages as a server."""
