"""Migrations from an empty database, or an earlier release, to schema.py."""
