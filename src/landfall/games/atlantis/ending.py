"""Chapter E: what each seat's figures still owe, and the score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.games.atlantis.board import MAINLAND
from landfall.games.atlantis.components import FIGURES, HELD, NUM_KINDS, NUM_TILES, TILE_VALUE
from landfall.games.atlantis.events import tell

if TYPE_CHECKING:
    from landfall.games.atlantis.state import AtlantisState


def last_bill(s: AtlantisState, seat: i64) -> i64:
    """What a seat's figures pay together for all gaps still ahead of them (AT.E2)."""
    bill: i64 = 0
    for figure in range(FIGURES):
        at = s.figure_at[seat * FIGURES + figure]
        bill += s.toll[MAINLAND + 1] - s.toll[at + 1]
    return bill


def hand_size(s: AtlantisState, seat: i64) -> i64:
    """How many cards a seat holds."""
    n: i64 = 0
    for i in range(seat * NUM_KINDS, (seat + 1) * NUM_KINDS):
        n += s.hand[i]
    return n


def payment(s: AtlantisState, seat: i64, bill: i64) -> int:
    """The smallest sum of a seat's tiles and cards that is at least the bill; the bill itself if there is none."""
    cards = int(hand_size(s, seat))
    worth = int(s.worth[seat]) + cards
    due = int(bill)
    if worth < due:
        return due
    sums = 1  # bit n: tiles can be chosen that are worth n
    for tile in range(NUM_TILES):
        if s.tile_at[tile] == HELD + seat:
            sums |= sums << int(TILE_VALUE[tile])
    for paid in range(due, worth + 1):
        for with_cards in range(min(cards, paid) + 1):
            if sums >> (paid - with_cards) & 1:
                return paid
    return due


def score(s: AtlantisState, seat: i64) -> int:
    """Tiles and cards, less the end crossing (AT.E2, AT.E3)."""
    worth = int(s.worth[seat] + hand_size(s, seat))
    return worth - payment(s, seat, last_bill(s, seat))


def tell_end(s: AtlantisState) -> None:
    """The events of the end: what each pays and scores."""
    for seat in range(s.players):
        bill = last_bill(s, seat)
        tell(
            s,
            {
                "kind": "scored",
                "seat": int(seat),
                "tiles": int(s.worth[seat]),
                "cards": int(hand_size(s, seat)),
                "bill": int(bill),
                "paid": payment(s, seat, bill),
                "score": score(s, seat),
            },
        )
    tell(s, {"kind": "over"})
