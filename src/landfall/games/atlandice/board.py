"""The city (AD.C1): five regions around the black market, numbered as the faces of a die from 0."""

from __future__ import annotations

from typing import Final, get_args

from landfall.games.atlandice.messages import Sector

JEWELLER: Final = 0
LIBRARY: Final = 1
INN: Final = 2
WORKSHOP: Final = 3
FORGE: Final = 4
BLACK_MARKET: Final = 5

REGIONS: Final = 5
SECTORS: Final = 6
SECTOR_NAMES: Final[tuple[Sector, ...]] = get_args(Sector)
