"""Stores logs: SQLite by default, PostgreSQL by one setting. What was acknowledged is on disk."""
