"""How languages count and write numbers and lists: `python -m tests.cldr` writes core/cldr.json from Babel's data."""

from __future__ import annotations

import json
from typing import Final

from babel import Locale

from landfall.core.languages import FOLDER, LANGUAGE_TABLE

FILE: Final = FOLDER / "cldr.json"


def render_cldr_rules() -> str:
    """The contents of the file, for the languages there are."""
    rules = {}
    for language, entry in LANGUAGE_TABLE.items():
        locale = Locale.parse(entry["tag"], sep="-")
        symbols, lists = locale.number_symbols["latn"], locale.list_patterns["standard"]
        rules[language] = {
            "plural": dict(locale.plural_form.rules),
            "decimal": symbols["decimal"],
            "group": symbols["group"],
            "list": [lists[part] for part in ("start", "middle", "end", "2")],
        }
    return json.dumps(rules, ensure_ascii=False, indent=2) + "\n"


if __name__ == "__main__":
    FILE.write_text(render_cldr_rules(), encoding="utf-8")
