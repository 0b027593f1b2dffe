"""Names that look alike: two names with the same skeleton are easily confused."""

from __future__ import annotations

import unicodedata
from typing import Final

# Characters that look like Latin ones in most fonts. Capitals are mapped before lower-casing, because a capital and its
# lower-case letter may resemble different letters (a Greek nu is N or v). Every script stays possible: of two names
# that look the same, one is available.
CAPITALS: Final = str.maketrans(
    "АВСЕНІЈКМОРЅТХУԌԚԜӀ" "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" "ᎪᏴᏟᎠᎬᏀᎻᏆᎫᏦᏞᎷᎾᏢᎡᏚᎢᏙᎳᎩᏃ" "ꓐꓑꓒꓓꓔꓖꓗꓙꓚꓝꓞꓟꓠꓡꓢꓣꓥꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ"
    "ⲀⲂⲈⲎⲒⲔⲘⲚⲞⲢⲤⲦⲨⲬ" "ՏՍՕՈԼ",
    "ABCEHIJKMOPSTXYGQWI" "ABEZHIKMNOPTYX" "ABCDEGHIJKLMOPRSTVWYZ" "BPDDTGKJCFFMNLSRAVHWXYAEIOU"
    "ABEHIKMNOPCTYX" "SUOUL",
)  # fmt: skip
SMALL: Final = str.maketrans(
    "асеіорһѕхујгкмпԁԛԝӏьв" "αγικνορυχωβετη" "ıi01|$" "օոսհցզքյք" "ɑɡɩɪʟʏᴀʙᴄᴅᴇꜰɢʜᴊᴋᴍɴᴏᴘʀꜱᴛᴜᴠᴡᴢⅼłøđħŧƚ" "ℓꞁ",
    "aceiophsxyjrkmndqwlbb" "ayikvopuxwbetn" "llolls" "onuhgqpjp" "agllyyabcdefghjkmnoprstuvwzllodhtl" "ll",
)  # fmt: skip
PAIRS: Final = (("rn", "m"), ("vv", "w"))
# Marks that are easily overlooked: accents, points of Hebrew and Arabic. Other scripts' marks are letters.
ACCENTS: Final = (
    range(0x300, 0x370), range(0x483, 0x48A), range(0x591, 0x5C8), range(0x610, 0x61B), range(0x64B, 0x660),
    range(0x1AB0, 0x1B00), range(0x1DC0, 0x1E00), range(0x20D0, 0x2100), range(0xFE20, 0xFE30),
)  # fmt: skip
IGNORED: Final = ("Z", "P", "Sk", "Cf")  # categories: spaces, punctuation, standalone accents, joiners
VOICED: Final = "\u3099\u309a"  # marks of kana, in Unicode without the name of a script
# Scripts that are written together within a word. All others would be there to deceive.
TOGETHER: Final = (
    {"LATIN", "CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "IDEOGRAPHIC", "HALFWIDTH", "FULLWIDTH"},
    {"LATIN", "CJK", "HANGUL", "HALFWIDTH", "FULLWIDTH"},
    {"LATIN", "CJK", "BOPOMOFO", "FULLWIDTH"},
)


def script_of_character(c: str) -> str:
    """The script of a character, as its Unicode name begins."""
    return unicodedata.name(c, "").partition(" ")[0]


def confusable_skeleton(name: str) -> str:
    """A name without everything that is easily overlooked; never empty."""
    small = unicodedata.normalize("NFKC", name).translate(CAPITALS).casefold()
    seen: list[str] = []
    for c in unicodedata.normalize("NFKD", small):
        kind = unicodedata.category(c)
        if kind.startswith(IGNORED) or (kind[0] == "M" and is_easily_overlooked_mark(c, seen[-1] if seen else "")):
            continue
        seen.append(c)
    found = unicodedata.normalize("NFKC", "".join(seen).translate(SMALL).translate(SMALL))
    for pair, single in PAIRS:
        found = found.replace(pair, single)
    return found or name.casefold()


def is_easily_overlooked_mark(mark: str, base: str) -> bool:
    """Whether a mark changes little: an accent, an invisible selector, or one of another script than its letter."""
    if any(ord(mark) in accents for accents in ACCENTS) or "VARIATION SELECTOR" in unicodedata.name(mark, ""):
        return True
    if mark in VOICED:
        return script_of_character(base) not in ("HIRAGANA", "KATAKANA")
    return script_of_character(mark) != (script_of_character(base) if base not in VOICED else script_of_character(mark))


def mixes_scripts(name: str) -> bool:
    """Whether a word of the name has letters of scripts that are not written together: a Cyrillic A in `Ana`."""
    for word in name.split():
        scripts = {
            script_of_character(c) for c in unicodedata.normalize("NFKC", word) if unicodedata.category(c)[0] == "L"
        }
        if len(scripts) > 1 and not any(scripts <= allowed for allowed in TOGETHER):
            return True
    return False
