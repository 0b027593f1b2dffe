"""Faults from outside: servers, PostgreSQL and NATS, each in a network namespace of its own."""
