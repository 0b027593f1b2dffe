"""Atlandice, by Scott Huntington and Shaun Graham: the rules of docs/rules/atlandice.md."""
