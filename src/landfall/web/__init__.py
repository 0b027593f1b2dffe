"""HTTP and WebSockets: who you are, tables, live play. Thin: it carries what `tables` says."""
