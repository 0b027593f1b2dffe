"""HTTP and WebSockets: identity, tables, live play. A thin layer over `tables`."""
