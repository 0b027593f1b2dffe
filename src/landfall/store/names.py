"""Names that look alike: two names with the same skeleton are easily confused."""

from __future__ import annotations

import unicodedata
from typing import Final

# Characters that look like Latin ones in most fonts. Capitals are mapped before lower-casing, because a capital and its
# lower-case letter may resemble different letters (a Greek nu is N or v). Every script stays possible: of two names
# that look the same, one is available.
CAPITALS: Final = str.maketrans(
    "АВСЕНІЈКМОРЅТХУԌԚԜӀ" "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "ABCEHIJKMOPSTXYGQWI" "ABEZHIKMNOPTYX",
)  # fmt: skip
SMALL: Final = str.maketrans(
    "асеіорһѕхујгкмпԁԛԝӏ" "αγικνορυχω" "ıi01|$",
    "aceiophsxyjrkmndqwl" "ayikvopuxw" "llolls",
)  # fmt: skip
PAIRS: Final = (("rn", "m"), ("vv", "w"))
ACCENTS: Final = range(0x300, 0x370)  # marks on Latin, Greek and Cyrillic letters; other scripts' marks are letters
IGNORED: Final = ("Z", "P", "Sk", "Cf")  # categories: spaces, punctuation, standalone accents, joiners


def skeleton(name: str) -> str:
    """A name without everything that is easily overlooked; never empty."""
    small = unicodedata.normalize("NFKC", name).translate(CAPITALS).casefold()
    letters = (c for c in unicodedata.normalize("NFKD", small) if ord(c) not in ACCENTS)
    seen = "".join(c for c in letters if not unicodedata.category(c).startswith(IGNORED))
    found = unicodedata.normalize("NFKC", seen.translate(SMALL).translate(SMALL))
    for pair, single in PAIRS:
        found = found.replace(pair, single)
    return found or name.casefold()
