"""The museum's copies, for all tests here."""

from tests.museum.database_copies import museum, postgres, shown

__all__ = ["museum", "postgres", "shown"]
