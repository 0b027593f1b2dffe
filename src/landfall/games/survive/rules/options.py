"""The options of a table: requirements, exclusions, and their values as the rules read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.core.feature_layout import pack_bytes_into_words
from landfall.core.options import CHOICE, Option
from landfall.core.position_field_declarations import declare_given_vector

if TYPE_CHECKING:
    from landfall.core.game import SerializedStateReader

SQUID_CHOICES: Final = ("off", "with_whales", "instead_of_whales")
NO_SQUID: Final[i64] = 0
INSTEAD_OF_WHALES: Final[i64] = 2

# SV.O7. The bytes of a position hold the option values in this order.
OPTIONS: Final = [
    Option("two_colours", "SV.V1", players=(2,)),
    Option("ships_per_colour", "SV.V2", requires=("two_colours",)),
    Option("overpopulated", "SV.O1"),
    Option("to_the_last", "SV.O2"),
    Option("all_equal", "SV.O3"),
    Option("submerged", "SV.O4"),
    Option("crowded", "SV.O5", players=(5, 6), excludes=("overpopulated",)),
    Option("dolphins", "SV.N1"),
    Option("squid", "SV.Q1", kind=CHOICE, default="off", choices=SQUID_CHOICES),
    Option("squid_spares_on_arrival", "SV.Q9", requires=("squid",)),
    Option("bounty", "SV.E1"),
    Option("isle_hopper", "SV.E2"),
    Option("open_values", "SV.U5"),
]
OPTION_WORDS: Final = (len(OPTIONS) + 7) // 8  # words of eight options


class TableRules:
    """The options of a table, shared by all its positions."""

    def __init__(self, players: i64, options: dict[str, object]) -> None:
        self.players = players
        self.numbers = [option.to_number(options[option.name]) for option in OPTIONS]
        # the same as packed bytes
        self.packed = declare_given_vector(pack_bytes_into_words(self.numbers), OPTION_WORDS, 0, 1 << 60)
        # fields: options, by `python -m tests.fields`
        self.two_colours = options["two_colours"] is True
        self.ships_per_colour = options["ships_per_colour"] is True
        self.overpopulated = options["overpopulated"] is True
        self.to_the_last = options["to_the_last"] is True
        self.all_equal = options["all_equal"] is True
        self.submerged = options["submerged"] is True
        self.crowded = options["crowded"] is True
        self.dolphins = options["dolphins"] is True
        self.squid: i64 = SQUID_CHOICES.index(str(options["squid"]))
        self.squid_spares_on_arrival = options["squid_spares_on_arrival"] is True
        self.bounty = options["bounty"] is True
        self.isle_hopper = options["isle_hopper"] is True
        self.open_values = options["open_values"] is True
        # end of fields


def read_table_rules(players: int, reader: SerializedStateReader) -> TableRules:
    """Read the options from the bytes of a position."""
    return TableRules(
        players,
        {
            option.name: option.from_number(reader.read_next_in_range(0, option.max_value_number()))
            for option in OPTIONS
        },
    )
