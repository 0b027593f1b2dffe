"""The city (AD.C1): five regions around the black market, numbered as the faces of a die from 0."""

# mypy: disable-error-code="assignment"
# Values of NewTypes are written as plain numbers, so that the compiler inlines them.

from __future__ import annotations

from typing import Final, NewType, get_args

from mypy_extensions import i64

from landfall.games.atlandice.rules import message_types

Sector = NewType("Sector", i64)  # also the value of a die, counted from 0

JEWELLER: Final[Sector] = 0
LIBRARY: Final[Sector] = 1
INN: Final[Sector] = 2
WORKSHOP: Final[Sector] = 3
FORGE: Final[Sector] = 4
BLACK_MARKET: Final[Sector] = 5

REGIONS: Final = 5
SECTORS: Final = 6
SECTOR_NAMES: Final[tuple[message_types.Sector, ...]] = get_args(message_types.Sector)
