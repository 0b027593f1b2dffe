"""Bots. Each bot sees only what its seat may know; docs/bots.md explains how to write one."""
