"""A configuration file for hosts: each line is an option of `landfall serve`, and stands for its environment variable.

The command line wins over the environment, and the environment over the file.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

from landfall.core.errors import LandfallError
from landfall.web.server_options import OPTIONS, environment_variable_of


class ConfigurationError(LandfallError):
    """The configuration file cannot be used, with the reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, "error.database", {"reason": reason})


def read_configuration_file(file: Path) -> dict[str, str]:
    """The options of a file, by environment variable."""
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{file} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"{file} is not TOML: {error}") from None
    found = {}
    for name, value in values.items():
        if name not in OPTIONS:
            raise ConfigurationError(f"{file}: there is no option {name!r}; there are {', '.join(OPTIONS)}")
        if not isinstance(value, str | int | bool):
            raise ConfigurationError(f"{file}: {name} is a text, a number, true or false")
        found[environment_variable_of(name)] = str(value).lower() if isinstance(value, bool) else str(value)
    return found


def set_missing_environment_from_file(file: Path) -> None:
    """Set the environment variables of a file's options, except those that are set."""
    for name, value in read_configuration_file(file).items():
        os.environ.setdefault(name, value)
