"""Whether what a game really sends is what it declares, and which of what is declared was ever sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from landfall.core.rng import Rng
from landfall.core.state import OVER, State
from landfall.game_checks.option_combinations import Combo
from landfall.game_checks.position_checks import random_game_positions
from landfall.games import game as find_game
from landfall.match import OMNISCIENT, visible_events
from landfall.web.codegen.schema_from_types import build_game_schema

KINDS = {"integer": int, "string": str, "boolean": bool, "null": type(None), "array": list, "object": dict}


@dataclass
class Witness:
    """Reads values by a game's schema; remembers every field and every alternative it met, as `Type.field`."""

    game: str
    met: set[str] = field(default_factory=set)
    verbs: set[str] = field(default_factory=set)
    defs: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        self.defs = build_game_schema(self.game)["$defs"]

    def fault(self, value: object, name: str) -> str:
        """What is wrong with a value that should be of a declared type, or ""."""
        return self.check(value, {"$ref": f"#/$defs/{name}"}, name)

    def check(self, value: object, schema: dict[str, Any], where: str) -> str:
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            return self.check(value, self.defs[name], name)
        if "anyOf" in schema:
            return self.check_union(value, schema["anyOf"], where)
        if "const" in schema or "enum" in schema:
            known = schema.get("enum", [schema.get("const")])
            if value not in known or type(value) not in {type(one) for one in known}:
                return f"{where}: {value!r} is not among {known}"
            self.met.add(f"{where}={value}")
            return ""
        kind = KINDS[schema["type"]]
        if type(value) is not kind:
            return f"{where}: {value!r} is no {schema['type']}"
        if isinstance(value, list):
            return self.check_list(value, schema, where)
        return self.record(value, schema, where) if isinstance(value, dict) else ""

    def check_union(self, value: object, parts: list[dict[str, Any]], where: str) -> str:
        """The alternative that it can be: by its kind of value, and of events and choices by what they say they are."""
        meant = [part for part in parts if self.can_be_alternative(value, part)]
        if len(meant) != 1:
            return f"{where}: {value!r} is {len(meant)} of the alternatives"
        return self.check(value, meant[0], where)

    def can_be_alternative(self, value: object, part: dict[str, Any]) -> bool:
        schema = self.defs[part["$ref"].rpartition("/")[2]] if "$ref" in part else part
        if "const" in schema or "enum" in schema:
            return value in schema.get("enum", [schema.get("const")])
        if not isinstance(value, dict):
            return type(value) is KINDS[schema["type"]]
        tags = [by for by in ("kind", "verb") if by in schema.get("properties", {}) and by in value]
        return schema["type"] == "object" and all(
            self.can_be_alternative(value[by], schema["properties"][by]) for by in tags
        )

    def check_list(self, value: list[object], schema: dict[str, Any], where: str) -> str:
        if "prefixItems" in schema:
            if len(value) != len(schema["prefixItems"]):
                return f"{where}: {value!r} has another length"
            parts = zip(value, schema["prefixItems"], strict=True)
            return next((f for f in (self.check(v, s, f"{where}[]") for v, s in parts) if f), "")
        return next((f for f in (self.check(v, schema["items"], f"{where}[]") for v in value) if f), "")

    def record(self, value: dict[str, object], schema: dict[str, Any], where: str) -> str:
        known, required = schema.get("properties", {}), schema.get("required", [])
        missing = [key for key in required if key not in value]
        if missing:
            return f"{where}: lacks {missing}"
        for key, inner in value.items():
            if key not in known and schema["additionalProperties"] is False:
                return f"{where}: {key!r} is not declared"
            if key not in known and "propertyNames" in schema:
                fault = self.check(key, schema["propertyNames"], where)
                if fault:
                    return fault
            place = f"{where}.{key}" if key in known else f"{where}.*"
            if key in known:
                self.met.add(place)
            fault = self.check(inner, known.get(key, schema["additionalProperties"]), place)
            if fault:
                return fault
        return ""

    def listen(self, state: State) -> None:
        """Everything that is told of a position."""
        for seat in (None, *range(int(state.players))):
            view: Any = state.view(seat)
            own: Any = state.private_part_of_view(seat)
            assert self.fault(view, "View") == ""
            assert self.fault(own, "PrivateView") == ""
            assert {key: view[key] for key in own} == own
        for action in state.legal_actions():
            words = state.action_to_dict(action)
            self.verbs.add(str(words["verb"]))
            assert self.fault(words, "Choice") == ""
        for outcome, _ in state.chance_outcomes():
            assert self.fault(state.action_to_dict(outcome), "Outcome") == ""
        if state.actor >= 0:
            assert self.fault(state.preview(int(state.actor)), "Preview") == ""

    def has_new_verbs(self, state: State) -> bool:
        """Whether something may be chosen here that could not be until now."""
        return any(str(state.action_to_dict(action)["verb"]) not in self.verbs for action in state.legal_actions())

    def play(self, combo: Combo, seed: int, look_every: int) -> None:
        """A random game: some of its positions and all of its events, with and without their secrets."""
        state = find_game(self.game).new(*combo)
        state.events = []
        rng = Rng(seed)
        for s in random_game_positions(state, rng):
            if s.actor == OVER or rng.randbelow(look_every) == 0 or self.has_new_verbs(s):
                self.listen(s)
        for seat in (None, OMNISCIENT):
            reader = state.copy()
            reader.events = state.events
            reader.actor = 0 if seat is None else OVER
            for event in visible_events(reader, seat, numbered=False):
                assert self.fault(event, "Event") == "", event

    def follow(self, line: str, actions: list[str]) -> None:
        """A few actions from a position given as a line: what is told of them."""
        state = find_game(self.game).from_text(line)
        state.events = []
        for text in actions:
            state.apply(state.parse(text))
        for event in visible_events(state, None, numbered=False):
            assert self.fault(event, "Event") == "", event

    def never(self) -> set[str]:
        """What is declared and was not met: fields, and the words a field can be where they tell events apart."""
        declared = set()
        for name, schema in self.defs.items():
            for key, part in schema.get("properties", {}).items():
                declared.add(f"{name}.{key}")
                if key in ("kind", "verb") and "$ref" not in part:
                    declared |= {f"{name}.{key}={word}" for word in part.get("enum", [part.get("const")])}
        return declared - self.met
