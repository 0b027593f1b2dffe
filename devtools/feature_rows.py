"""Writes what packs a row of bytes from its declared fields: `python -m devtools.feature_rows`.

A list of fields or tensors says name, bounds and `read`, an expression over the variables of the function that writes
the row. What lies between `# row: ...` and `# end of row` there is made from it:

    # row: TABLE_FIELDS -> words[o]                       every field, eight to a word, from words[o] on
    # row: PIECE_FIELDS word 1 -> words[o + 1]            the second word alone
    # row: PIECE_FIELDS word 0 of where, worth -> return  two fields of the first word, the others zero
"""

from __future__ import annotations

import ast
import re
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

SRC: Final = Path(__file__).resolve().parents[1] / "src"
GAMES: Final = SRC / "landfall/games"
PART: Final = re.compile(r"^( *)(# row: .+)\n(?:.*\n)*?\1# end of row\n", re.MULTILINE)
MARK: Final = re.compile(r"# row: (\w+)(?: word (\d+))?(?: of ([\w, ]+))? -> (.+)")
LINE_LENGTH: Final = 120
WORD: Final = 8  # bytes
LARGEST_LAST_BYTE: Final = 127  # of a word, which is a signed number


class Byte(NamedTuple):
    """One byte of a row."""

    name: str
    most: int
    read: str


def list_bytes(declared: Any) -> list[Byte]:
    """The bytes that a list of fields or the single numbers of a layout of tensors declare."""
    parts = [part for part in declared.parts if not part.shape] if hasattr(declared, "parts") else declared
    unread = [part.name for part in parts if not part.read]
    if unread:
        raise ValueError(f"nothing says how to read {', '.join(unread)}")
    return [Byte(part.name, part.most, part.read) for part in parts]


def split_into_words(row: list[Byte]) -> list[list[Byte]]:
    words = [row[at : at + WORD] for at in range(0, len(row), WORD)]
    for word in words:
        if len(word) == WORD and word[-1].most > LARGEST_LAST_BYTE:
            raise ValueError(
                f"{word[-1].name} may be {word[-1].most}: the last byte of a word holds {LARGEST_LAST_BYTE}"
            )
    return words


def format_call(indent: str, before: str, arguments: list[str]) -> list[str]:
    """A statement that ends with `pack_eight_bytes`, wrapped as the formatter does."""
    inside = ", ".join(arguments)
    line = f"{indent}{before}pack_eight_bytes({inside})"
    if len(line) <= LINE_LENGTH:
        return [line]
    deeper = f"{indent}    "
    inner = [deeper + inside] if len(deeper + inside) <= LINE_LENGTH else [f"{deeper}{one}," for one in arguments]
    return [f"{indent}{before}pack_eight_bytes(", *inner, f"{indent})"]


def parenthesize(expression: str) -> str:
    """The expression as an operand of a shift."""
    simple = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.Constant)
    return expression if isinstance(ast.parse(expression, mode="eval").body, simple) else f"({expression})"


def format_some_bytes(indent: str, before: str, word: list[Byte], names: list[str]) -> list[str]:
    """A statement that packs some bytes of a word."""
    unknown = set(names) - {one.name for one in word}
    if unknown:
        raise ValueError(f"the word has no {', '.join(sorted(unknown))}")
    terms = [
        parenthesize(one.read) + (f" << {8 * at}" if at else "") for at, one in enumerate(word) if one.name in names
    ]
    return [f"{indent}{before}{' | '.join(terms)}"]


def generate_part_lines(mark: str, indent: str, module: Any) -> list[str]:
    """The statements of one part."""
    found = MARK.fullmatch(mark)
    if found is None:
        raise ValueError(f"`{mark}` is no `# row: LIST [word N] [of NAME, ...] -> TARGET`")
    declared, number, some, target = found.groups()
    words = split_into_words(list_bytes(getattr(module, declared)))
    if number is not None:
        before = "return " if target == "return" else f"{target} = "
        word = words[int(number)]
        if some is not None:
            return format_some_bytes(indent, before, word, some.split(", "))
        return format_call(indent, before, pad_to_word([one.read for one in word]))
    out: list[str] = []
    for at, word in enumerate(words):
        place = target if at == 0 else f"{target.removesuffix(']')} + {at}]"
        out += format_call(indent, f"{place} = ", pad_to_word([one.read for one in word]))
    return out


def pad_to_word(reads: list[str]) -> list[str]:
    return reads + ["0"] * (WORD - len(reads))


def regenerate_module(source: str, module: Any) -> str:
    """A module with its parts written anew, from the lists that the imported module holds."""

    def anew(found: re.Match[str]) -> str:
        indent, mark = found[1], found[2]
        return "\n".join([indent + mark, *generate_part_lines(mark, indent, module), f"{indent}# end of row", ""])

    return PART.sub(anew, source)


def modules_with_rows() -> list[Path]:
    """The modules that have such parts."""
    return sorted(path for path in GAMES.rglob("*.py") if PART.search(path.read_text(encoding="utf-8")))


def import_file(path: Path) -> Any:
    return import_module(".".join(path.relative_to(SRC).with_suffix("").parts))


def main() -> None:
    for path in modules_with_rows():
        before = path.read_text(encoding="utf-8")
        after = regenerate_module(before, import_file(path))
        if after != before:
            path.write_text(after, encoding="utf-8")
            print(f"written: {path.relative_to(GAMES)}")


if __name__ == "__main__":
    main()
