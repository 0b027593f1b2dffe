"""Tools for a checkout: nothing here is part of the package."""
