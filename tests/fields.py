"""What follows from the fields of a position: `python -m tests.fields` writes it where a game has marked it.

A field is a line `self.name = declare_number(...)`, or another kind of `landfall.core.position_field_declarations`,
perhaps inside a type of its own: `self.phase = Phase(declare_number(...))`. What lies between `# fields: WHAT` and `#
end of fields` is made, in the order of the fields:

    copy     self.name = source.name, of every field; vectors by a slice
    numbers  int(self.name), of every single number among the bytes
    rows     self.name, of every vector among the bytes
    read     self.name = reader.read_next_in_range(least, most), or to_vector(reader.read_next_vector(...))
    read_numbers, read_rows  the same in two parts, where something else lies between
    options  self.name = options["name"] is True, of every option in the module's list OPTIONS; a choice as its number
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Final

from landfall.kernels.field_declarations import declared_fields

GAMES: Final = Path(__file__).resolve().parents[1] / "src/landfall/games"
LINE_LENGTH: Final = 120
PART: Final = re.compile(r"^( *)# fields: (\w+).*\n(?:.*\n)*?\1# end of fields\n", re.MULTILINE)


def option_assignments(source: str) -> list[str]:
    """The statements that keep the value of every option in a field of its name."""
    out: list[str] = []
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Option":
            name = ast.literal_eval(call.args[0])
            choices = [ast.unparse(word.value) for word in call.keywords if word.arg == "choices"]
            if choices:
                out.append(f'self.{name}: i64 = {choices[0]}.index(str(options["{name}"]))')
            else:
                out.append(f'self.{name} = options["{name}"] is True')
    return out


def generate_part_lines(part: str, source: str) -> list[str]:
    """The lines of one part."""
    if part == "options":
        return option_assignments(source)
    declared = declared_fields(source)
    if part == "copy":
        return [f.copied() for f in declared]
    if part == "numbers":
        return [f"int(self.{f.name})," for f in declared if not f.is_row and f.is_serialized]
    if part == "rows":
        return [f"self.{f.name}," for f in declared if f.is_row and f.is_serialized]
    if part in ("read", "read_numbers", "read_rows"):
        numbers = [f for f in declared if not f.is_row and f.is_serialized and part != "read_rows"]
        rows = [f for f in declared if f.is_row and f.is_serialized and part != "read_numbers"]
        return [f.reading() for f in numbers + rows]
    raise ValueError(f"`# fields: {part}`: the parts are copy, numbers, rows, read, read_numbers, read_rows, options")


def wrap_long_line(indent: str, line: str) -> str:
    """The line as the formatter writes it: the argument of its outer call on a line of its own if it is too long."""
    if len(indent + line) <= LINE_LENGTH:
        return indent + line
    outer, _, argument = line.partition("(")
    return f"{indent}{outer}(\n{indent}    {argument.removesuffix(')')}\n{indent})"


def regenerate_module(source: str) -> str:
    """A module with its parts written anew."""

    def anew(found: re.Match[str]) -> str:
        indent, first = found[1], found[0].partition("\n")[0]
        body = [wrap_long_line(indent, line) for line in generate_part_lines(found[2], source)]
        return "\n".join([first, *body, f"{indent}# end of fields", ""])

    return PART.sub(anew, source)


def modules_with_generated_parts() -> list[Path]:
    """The modules that have such parts."""
    return sorted(p for p in GAMES.rglob("*.py") if PART.search(p.read_text(encoding="utf-8")))


def main() -> None:
    for path in modules_with_generated_parts():
        before = path.read_text(encoding="utf-8")
        after = regenerate_module(before)
        if after != before:
            path.write_text(after, encoding="utf-8")
            print(f"written: {path.relative_to(GAMES)}")


if __name__ == "__main__":
    main()
