"""Translates a game: everything that its entries reach, as one C source for host compilers, nvcc and NVRTC."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from landfall.games.observation_and_feature_layouts import feature_layout, tensor_layout
from landfall.kernels.expressions import ExpressionTranslator
from landfall.kernels.functions import Function, Value, literal, make_function
from landfall.kernels.source_modules import Definition, SourceModule, Untranslatable, without_events
from landfall.kernels.statements import FunctionTranslator
from landfall.kernels.structures import ACTIONS, POSITION, TABLE, Declarations, Field, Structure, vector_field
from landfall.kernels.value_types import WIDE, Num, Obj, Text, Texts, Type, Vec, cell_type, join, widen

if TYPE_CHECKING:
    from landfall.core.game import Game

PRELUDE: Final = Path(__file__).with_name("prelude.h")
PLAY: Final = Path(__file__).with_name("play.h")
RNG: Final = "Rng"
ROWS: Final = "RowBuffer"
SEAT: Final = "seat"
MAX_PASSES: Final = 60
LARGE_GAME: Final = 1000  # actions: with more, a GPU's code and workspaces are large

# The methods of a state that kernels have, with their parameters after the position. A game's own come first.
ENTRIES: Final = {
    "apply": ("action",),
    "fill_legal": ("actions",),
    "sample_chance": ("rng",),
    "random_action": ("rng",),
    "scores": (),
    "turn_key": (),
    "write_observation": (SEAT, "buffer"),
}
OPTIONAL_ENTRIES: Final = {
    "tie_break_key": (SEAT, "nth"),
    "step_key": (),
    "evaluate": (SEAT,),
    "is_setup": (),
    "write_features": (SEAT, "buffer"),
    "saved_pieces": (SEAT,),
}
ALL_ENTRIES: Final = (*ENTRIES, "tie_break_key", "step_key", "evaluate")
LEARNER_ENTRIES: Final = (*ENTRIES, "tie_break_key")  # what stepping matches needs: a GPU's code is small
NET_ENTRIES: Final = ("is_setup", "write_features", "saved_pieces")
SELF_PLAY_ENTRIES: Final = (*LEARNER_ENTRIES, *NET_ENTRIES)


class Program:
    """The functions, structures, tables and texts of one game's kernel."""

    def __init__(self, game: Game, entries: tuple[str, ...] = ALL_ENTRIES) -> None:
        self.game = game
        self.texts: dict[str, int] = {"": 0}
        self.tuples: set[int] = set()
        self.tables: dict[tuple[str, str], tuple[str, Any, str]] = {}  # by module and name: its name in C, cells, type
        self.scratch: dict[str, Type] = {}  # objects and vectors of modules, which every thread has for itself
        self.first_cells: dict[str, list[int]] = {}  # of those vectors, before any rule has written to them
        self.functions: dict[object, Function] = {}
        self.names: dict[str, int] = {}
        self.changed = False
        self.declarations = Declarations(game)
        self.structures: dict[str, Structure] = {POSITION: self.declarations.read_position()}
        self.structures[TABLE] = self.declarations.table
        self.entries: dict[str, Function] = {}
        for name in entries:
            self.add_entry(name)
        self.translate()

    # --- what is translated ------------------------------------------------------------------------------------------

    def add_entry(self, name: str) -> None:
        position = self.structures[POSITION]
        found = position.find_method(name)
        if found is None:
            if name in OPTIONAL_ENTRIES:
                return
            raise ValueError(f"a state has no method {name}")
        module, node, owner_class = found
        parameters: dict[str, Type] = {node.args.args[0].arg: Obj(POSITION)}
        for argument, what in zip(node.args.args[1:], (ENTRIES | OPTIONAL_ENTRIES)[name], strict=True):
            parameters[argument.arg] = self.entry_parameter(what)
        self.entries[name] = self.instance(module, node, owner_class, parameters)

    def entry_parameter(self, what: str) -> Type:
        if what == "action":
            return Num(0, self.game.num_actions + self.game.num_outcomes - 1)
        if what == SEAT:
            return Num(0, max(self.game.player_counts) - 1)
        if what == "nth":
            return Num(1, 2)
        module, name = {
            "actions": ("landfall.core.state", ACTIONS),
            "rng": ("landfall.core.rng", RNG),
            "buffer": ("landfall.core.feature_layout", ROWS),
        }[what]
        from landfall.kernels.source_modules import source_module

        found = source_module(module).find(name)
        assert found is not None
        return self.class_type(found)

    def class_type(self, definition: Definition) -> Obj:
        """The structure of a class."""
        name = definition.name
        if name not in self.structures:
            fields = self.declarations.read_class(definition)
            if name == ACTIONS:  # each action is there once
                fields["items"] = vector_field("items", self.game.num_actions, 0, self.game.num_actions)
                fields["count"] = Field("count", Num(0, self.game.num_actions), "i32")
            self.structures[name] = Structure(name, fields, [definition])
        return Obj(name)

    def translate(self) -> None:
        """Translate every function again until no type changes any more."""
        for _ in range(MAX_PASSES):
            self.changed = False
            for function in list(self.functions.values()):
                FunctionTranslator(self, function).translate()
            if not self.changed:
                return
        raise RuntimeError("the types of a kernel do not settle")

    def instance(
        self, module: SourceModule, node: ast.FunctionDef, owner_class: str, parameters: dict[str, Type]
    ) -> Function:
        """The function for these types of what is no number; its numbers' intervals grow with every call."""
        shape = tuple(None if isinstance(kind, Num) else kind for kind in parameters.values())
        key = (module.name, owner_class, node.name, shape)
        if key not in self.functions:
            stem = f"{module.file.stem}__{node.name}"
            self.names[stem] = self.names.get(stem, 0) + 1
            name = stem if self.names[stem] == 1 else f"{stem}_{self.names[stem]}"
            self.functions[key] = make_function(name, module, node, dict(parameters))
            self.changed = True
        return self.functions[key]

    def function(
        self,
        module: SourceModule,
        node: ast.FunctionDef,
        owner_class: str,
        arguments: dict[str, Value],
        caller: ExpressionTranslator,
    ) -> Function:
        """The function for a call, with its parameters' intervals joined with the arguments'."""
        function = self.instance(module, node, owner_class, {n: v.type for n, v in arguments.items()})
        for name, value in arguments.items():
            old = function.parameters[name]
            both = join(old, value.type)
            if both is None:
                raise caller.refuse(node, f"{name} of {node.name} is {old} here and {value.type} elsewhere")
            if both != old:
                self.changed = True
                count = function.growth.get(f"parameter {name}", 0) + 1
                function.growth[f"parameter {name}"] = count
                function.parameters[name] = widen(both) if isinstance(both, Num) and count > 6 else both
        if not function.c:
            function.c = " "  # a recursive call does not translate it again
            FunctionTranslator(self, function).translate()
        return function

    def only_records_events(self, module: SourceModule, call: ast.Call) -> bool:
        """Whether a call does nothing while no events are recorded."""
        node: ast.stmt | None = None
        if isinstance(call.func, ast.Name):
            found = module.find(call.func.id)
            node = found.node if found is not None else None
        elif isinstance(call.func, ast.Attribute):
            if call.func.attr == "record_event":
                return True
            if isinstance(call.func.value, ast.Name):
                outer = module.find(call.func.value.id)
                if outer is not None and outer.node is None:
                    found = outer.module.find(call.func.attr)
                    node = found.node if found is not None else None
        return isinstance(node, ast.FunctionDef) and all(
            isinstance(one, ast.Return) and one.value is None for one in without_events(node.body)
        )

    def is_unused(self, node: ast.FunctionDef, parameter: str) -> bool:
        """Whether only events need a parameter."""
        body = without_events(node.body)
        return not any(isinstance(part, ast.Name) and part.id == parameter for one in body for part in ast.walk(one))

    # --- global names ------------------------------------------------------------------------------------------------

    def global_value(self, caller: ExpressionTranslator, node: ast.expr, module: SourceModule, name: str) -> Value:
        """A constant, a table or an object of a module."""
        found = module.find(name)
        if found is None or not isinstance(found.node, (ast.Assign, ast.AnnAssign)):
            raise caller.refuse(node, f"{name} is neither a parameter, a variable nor a constant")
        value = found.module.value(found.name)
        assigned = found.node.value
        if isinstance(value, (bool, int)):
            return caller.constant(int(value))
        if isinstance(value, str):
            return Value(str(self.text(value)), Text())
        made = assigned.func.id if isinstance(assigned, ast.Call) and isinstance(assigned.func, ast.Name) else ""
        if made == "filled_vector" or found.name in found.module.written_vectors:
            kind: Type = Vec("i64", WIDE.least, WIDE.most, len(value))
            held = self.scratch_name(found, kind)
            if held not in self.first_cells:
                self.first_cells[held] = [int(one) for one in found.module.evaluate(assigned)]
            return Value(f"work->{held}", kind, reads=True)
        if made:
            of = found.module.find(made)
            if of is not None and isinstance(of.node, ast.ClassDef):
                kind = self.class_type(of)
                return Value(f"(&work->{self.scratch_name(found, kind)})", kind, reads=True)
        if isinstance(value, tuple) and all(isinstance(one, str) for one in value):
            return Value(self.table(found, [self.text(one) for one in value], "i16"), Texts(len(value)))
        try:
            cells = [int(one) for one in value]
        except (TypeError, ValueError):
            raise caller.refuse(node, f"{name} is no number, no text and no table of numbers") from None
        cell = cell_type(min(cells), max(cells))
        return Value(self.table(found, cells, cell), Vec(cell, min(cells), max(cells), len(cells), True))

    def scratch_name(self, found: Definition, kind: Type) -> str:
        name = f"{found.module.file.stem}_{found.name}"
        self.scratch[name] = kind
        return name

    def table(self, found: Definition, cells: list[int], cell: str) -> str:
        key = (found.module.name, found.name)
        if key not in self.tables:
            self.tables[key] = (f"{found.module.file.stem}_{found.name}", cells, cell)
        return self.tables[key][0]

    def text(self, text: str) -> int:
        return self.texts.setdefault(text, len(self.texts))

    # --- the source --------------------------------------------------------------------------------------------------

    def source(self) -> str:
        """The whole kernel in C."""
        parts = [
            f"// {self.game.name}: written by landfall.kernels from the game's rules\n",
            PRELUDE.read_text("utf-8"),
        ]
        parts += [
            f"#define NUM_ACTIONS {self.game.num_actions}\n#define NUM_OUTCOMES {self.game.num_outcomes}\n"
            f"#define MAX_PLAYERS {max(self.game.player_counts)}\n"
        ]
        if self.game.num_actions > LARGE_GAME:
            parts.insert(1, "#define LARGE_GAME 1\n")
        for count in sorted(self.tuples):
            parts.append(f"typedef struct {{ {' '.join(f'i64 v{i};' for i in range(count))} }} tuple{count};\n")
        for name in sorted(self.structures, key=lambda name: (name == POSITION, name != TABLE)):
            parts.append(self.structures[name].declaration())
        parts.append(self.work_declaration())
        parts.append(self.copy_function())
        for name, cells, cell in self.tables.values():
            numbers = ", ".join(literal(number) for number in cells)
            parts.append(f"CONSTANT {cell} {name}[{len(cells)}] = {{{numbers}}};\n")
        used = [function for function in self.functions.values() if function.c]
        parts += [f"{function.head()};\n" for function in used]
        parts += [function.c for function in used]
        parts += self.entry_functions()
        parts.append(f"#define OBSERVATION_WORDS {tensor_layout(self.game.name).size // 8}\n")
        if "write_features" in self.entries:
            row = feature_layout(self.game.name)
            parts.append(f"#define FEATURE_WORDS {row.size // 8}\n#define FEATURE_SEATS {row.seats}\n")
            parts.append(f"#define SAVED_PIECES {row.saved_pieces}\n")
        rng = next(one for one in used if one.node.name == "randbelow")
        parts.append(f"#define RANDBELOW {rng.name}\n")
        parts.append(PLAY.read_text("utf-8"))
        return "".join(parts)

    def work_declaration(self) -> str:
        """What every thread needs for itself, and how it begins."""
        fields, begun = ["    const Table *table;\n"], []
        moves = next((name for name, kind in self.scratch.items() if kind == Obj(ACTIONS)), "moves")
        for name, kind in (self.scratch | {moves: Obj(ACTIONS)}).items():
            if isinstance(kind, Vec):
                fields.append(f"    i64 {name}[{kind.length}];\n")
                begun.append(fill_in_c(f"work->{name}", self.first_cells[name]))
            elif isinstance(kind, Obj):
                fields.append(f"    {kind.struct} {name};\n")
                if kind.struct != ACTIONS:
                    begun.append(f"    const {kind.struct} {name} = {{0}};\n    work->{name} = {name};\n")
        begin = f"FUNCTION void begin_work(Work *work) {{\n{''.join(begun)}    (void)work;\n}}\n"
        return f"typedef struct Work {{\n{''.join(fields)}}} Work;\n#define MOVES {moves}\n{begin}"

    def copy_function(self) -> str:
        renewed = [
            f"    to->{one.name} = {literal(one.renewed)};\n"
            for one in self.structures[POSITION].fields.values()
            if one.renewed is not None
        ]
        head = "FUNCTION void copy_position(Position *to, const Position *from)"
        return f"{head} {{\n    *to = *from;\n{''.join(renewed)}}}\n"

    def entry_functions(self) -> list[str]:
        """The entries by names that the drivers know."""
        out = []
        for name, function in self.entries.items():
            out.append(f"#define HAS_{name.upper()} 1\n#define entry_{name} {function.name}\n")
        return out


def fill_in_c(vector: str, cells: list[int]) -> str:
    """Statements that fill a vector."""
    if len(set(cells)) == 1:
        return f"    for (i32 i = 0; i < {len(cells)}; i++) {vector}[i] = {literal(cells[0])};\n"
    return "".join(f"    {vector}[{i}] = {literal(cell)};\n" for i, cell in enumerate(cells))


__all__ = ["ALL_ENTRIES", "ENTRIES", "LEARNER_ENTRIES", "Program", "Untranslatable"]
