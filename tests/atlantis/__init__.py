"""Tests of Atlantis, chapter by chapter."""
