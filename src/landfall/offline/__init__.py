"""Tables on one device, without a server: in a browser's Python, behind the same messages that a server sends."""
