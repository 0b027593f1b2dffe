"""Chapter E: the final bills of each seat's figures, the cheapest payment, and the score."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from landfall.core.int_vectors import filled_vector
from landfall.games.atlantis.rules import board, card_drawing, components, gaps, message_types
from landfall.games.atlantis.rules.event_recording import record_event
from landfall.games.atlantis.rules.position import AtlantisPosition

# A set of sums, as bits of several numbers: more than all tiles and cards are worth.
SUM_BITS: Final = 60
SUM_WORDS: Final = 12
SUM_MASK: Final[i64] = 0xFFFFFFFFFFFFFFF
SUMS: Final = filled_vector(SUM_WORDS, 0)  # refilled at each call: bit n of number i stands for 60 * i + n


def final_bill(s: AtlantisPosition, seat: i64) -> i64:
    """The total price of all gaps still ahead of a seat's figures (AT.E2)."""
    bill: i64 = 0
    for figure in range(components.FIGURES):
        at = s.figure_at[seat * components.FIGURES + figure]
        bill += s.toll[board.MAINLAND + 1] - s.toll[at + 1]
    return bill


def find_sums_of_tiles(s: AtlantisPosition, seat: i64) -> None:
    """Fill SUMS with the total values that some of a seat's tiles have."""
    sums = SUMS
    sums[0] = 1
    for i in range(1, SUM_WORDS):
        sums[i] = 0
    for tile in range(components.NUM_TILES):
        if s.tile_at[tile] == components.HELD + seat:
            value = components.TILE_VALUE[tile]
            for i in range(SUM_WORDS - 1, 0, -1):
                sums[i] |= ((sums[i] << value) | (sums[i - 1] >> (SUM_BITS - value))) & SUM_MASK
            sums[0] |= (sums[0] << value) & SUM_MASK


def smallest_payment_sum(s: AtlantisPosition, seat: i64, due: i64) -> i64:
    """The smallest sum of a seat's tiles and cards that covers the bill; the bill itself if none does."""
    cards = card_drawing.count_cards_in_hand(s, seat)
    worth = s.worth[seat] + cards
    if worth < due:
        return due
    find_sums_of_tiles(s, seat)
    for paid in range(due, worth + 1):
        for of_tiles in range(max(paid - cards, 0), paid + 1):
            if (SUMS[of_tiles // SUM_BITS] >> (of_tiles % SUM_BITS)) & 1:
                return paid
    return due


def final_score(s: AtlantisPosition, seat: i64) -> i64:
    """Tiles and cards minus the end crossing (AT.E2, AT.E3)."""
    worth = s.worth[seat] + card_drawing.count_cards_in_hand(s, seat)
    return worth - smallest_payment_sum(s, seat, final_bill(s, seat))


def cheapest_payment(s: AtlantisPosition, seat: i64, due: int, cards: list[int]) -> message_types.Payment | None:
    """The smallest payment of a seat's tiles and these cards that is at least `due`; None if they do not suffice.

    Ties are broken by fewest cards, then by tiles that would have bought the fewest cards (AT.T2). Cards are taken from
    the most frequent kinds.
    """
    found: dict[int, tuple[int, list[int]]] = {0: (0, [])}  # by sum of tiles: the cards they would buy, and their faces
    for tile in range(components.NUM_TILES):
        if s.tile_at[tile] != components.HELD + seat:
            continue
        face = int(components.TILE_FACE[tile])
        value = int(components.value_of_face(components.Face(face)))
        for total, (power, faces) in sorted(found.items(), reverse=True):
            better = found.get(total + value)
            if (
                better is None
                or power + int(components.count_cards_bought_with_face(components.Face(face))) < better[0]
            ):
                found[total + value] = (
                    power + int(components.count_cards_bought_with_face(components.Face(face))),
                    [*faces, face],
                )
    best: tuple[int, int, int, int] | None = None
    for total, (power, _) in found.items():
        needed = max(0, due - total)
        if needed <= sum(cards):
            rank = (total + needed, needed, power, total)
            best = rank if best is None else min(best, rank)
    if best is None:
        return None
    paid, needed, _, total = best
    return {
        "tiles": [components.face_to_json(components.Face(face)) for face in found[total][1]],
        "cards": pick_from_most_frequent_kinds(cards, needed),
        "sum": paid,
    }


def pick_from_most_frequent_kinds(cards: list[int], number: int) -> message_types.Cards:
    """So many of these cards, each time one of the most frequent kind."""
    left = cards[:]
    given = [0] * components.NUM_KINDS
    for _ in range(number):
        kind = left.index(max(left))
        left[kind] -= 1
        given[kind] += 1
    return {components.KINDS[kind]: given[kind] for kind in range(components.NUM_KINDS) if given[kind]}


def final_crossing(s: AtlantisPosition, seat: i64) -> message_types.Crossing:
    """A seat's end crossing: the bill of each figure not yet ashore, and the joint payment (AT.E2)."""
    figures: list[message_types.CrossingFigure] = []
    for figure in range(components.FIGURES):
        at = s.figure_at[seat * components.FIGURES + figure]
        if at != board.MAINLAND:
            bill = int(gaps.crossing_price(s, at, board.MAINLAND))
            figures.append(
                {"figure": components.FIGURE_NAMES[figure], "from": board.format_place(int(at)), "bill": bill}
            )
    due = int(final_bill(s, seat))
    return {
        "figures": figures,
        "bill": due,
        "gives": cheapest_payment(s, seat, due, card_drawing.card_counts_in_hand(s, seat)),
    }


def record_final_scoring(s: AtlantisPosition) -> None:
    """Record the final events: what each seat pays and scores."""
    for seat in range(s.players):
        bill = final_bill(s, seat)
        record_event(
            s,
            {
                "kind": "scored",
                "seat": int(seat),
                "tiles": int(s.worth[seat]),
                "cards": int(card_drawing.count_cards_in_hand(s, seat)),
                "bill": int(bill),
                "paid": int(smallest_payment_sum(s, seat, bill)),
                "score": int(final_score(s, seat)),
            },
        )
    record_event(s, {"kind": "over"})
