"""JSON Schemas of the files that authors write (`quizgen check --schema`), and the table of fields from which they are
made.

A schema has the fields and their meanings, so that an editor can complete and explain them; `quizgen check` finds far
more than a schema can. The fields are in templates/fields.toml; docs/fields.md is made from the same table."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from quizgen import data_folders

JsonSchema = dict[str, Any]

GROUP_NAME_BY_FILE_KIND = {  # kind of file -> group of its fields
    "items": "items-file", "bank": "bank", "formulas": "formulas-file", "blueprint": "blueprint", "cases": "cases-file",
}  # fmt: skip
# The types of a scalar before a field reads it: YAML turns some texts into numbers and truth values.
SCALAR_SCHEMA: JsonSchema = {"type": ["string", "number", "boolean"]}
_NUMBER_PATTERN = r"^\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*"
SCHEMA_BY_TYPE_WORD: dict[str, JsonSchema] = {
    "text": SCALAR_SCHEMA,
    "texts": {"anyOf": [SCALAR_SCHEMA, {"type": "array", "items": SCALAR_SCHEMA}]},
    "values": {"type": "array", "items": {"anyOf": [SCALAR_SCHEMA, {"type": "array", "items": SCALAR_SCHEMA}]}},
    "id": {"type": ["string", "number"], "pattern": "^[a-z0-9][a-z0-9-]*$"},
    "number": {"type": ["number", "string"], "pattern": f"{_NUMBER_PATTERN}$"},
    "share": {"type": ["number", "string"], "minimum": 0, "maximum": 1, "pattern": rf"{_NUMBER_PATTERN}%?\s*$"},
    "truth": {"enum": [True, False, "true", "false", "yes", "no", "on", "off"]},
}


@dataclass(frozen=True, slots=True)
class Field:
    """One field: the type of its values (in the table's notation), its meaning, its default and its unit."""

    value_type: str
    about: str
    default: str = ""
    unit: str = ""


@dataclass(frozen=True, slots=True)
class FieldGroup:
    """The fields of one mapping. `kind`: the value of the field `kind` that distinguishes groups that extend the same
    one; `other_field_type`: the values of other fields, if any are allowed, in the table's notation."""

    name: str
    heading: str
    fields: Mapping[str, Field]
    name_in_messages: str = ""
    about: str = ""
    required_fields: tuple[str, ...] = ()
    extends: str = ""
    kind: str = ""
    other_field_type: str = ""
    borrowed_fields_by_group: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@cache
def field_group_by_name() -> Mapping[str, FieldGroup]:
    """All groups by name, in the order of the table."""
    table = tomllib.loads((data_folders.shipped_folder_path("templates") / "fields.toml").read_text(encoding="utf-8"))
    group_by_name = {}
    for name, row in table.items():
        fields = {n: Field(**entry) for n, entry in row.pop("fields", {}).items()}
        group_by_name[name] = FieldGroup(name, row.pop("heading"), fields, **row)
    return group_by_name


def all_fields_of_group(group: FieldGroup) -> dict[str, Field]:
    """The fields of a group by name, including those that it borrows from other groups."""
    groups = field_group_by_name()
    base = all_fields_of_group(groups[group.extends]) if group.extends else {}
    borrowed = {n: groups[name].fields[n] for name, names in group.borrowed_fields_by_group.items() for n in names}
    return base | borrowed | dict(group.fields)


def file_kind_schema(file_kind: str, plugin_kinds: Mapping[str, tuple[str, ...]] | None = None) -> JsonSchema:
    """The JSON Schema (2020-12) of a kind of file. `plugin_kinds`: group -> kinds of other packages that extend it."""
    writer = _SchemaWriter(plugin_kinds or {})
    schema = writer.schema_of_mapping(field_group_by_name()[GROUP_NAME_BY_FILE_KIND[file_kind]])
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "$defs": writer.used_schema_by_group}


@dataclass(slots=True)
class _SchemaWriter:
    """Writes one schema. Mutable: `used_schema_by_group` has the schema of each group that a field named so far."""

    plugin_kind_names_by_group: Mapping[str, tuple[str, ...]]
    used_schema_by_group: dict[str, JsonSchema] = field(default_factory=dict)

    def schema_of_mapping(self, group: FieldGroup) -> JsonSchema:
        """The schema of a mapping with the fields of a group."""
        properties = {}
        for name, row in all_fields_of_group(group).items():
            schema = {"const": group.kind} if name == "kind" and group.kind else self.schema_of_notation(row.value_type)
            notes = [f"{label}: {text}" for label, text in (("unit", row.unit), ("default", row.default)) if text]
            properties[name] = {**schema, "description": "; ".join([row.about, *notes])}
        result: JsonSchema = {"title": group.heading, "type": "object", "properties": properties}
        result["additionalProperties"] = self.schema_of_notation(types) if (types := group.other_field_type) else False
        base = field_group_by_name()[group.extends].required_fields if group.extends else ()
        return result | ({"required": names} if (names := list(dict.fromkeys((*base, *group.required_fields)))) else {})

    def schema_of_notation(self, type_notation: str) -> JsonSchema:
        """The schema of the values that `type_notation` describes in the table's notation."""
        head, _, tail = type_notation.partition(" of ")
        if head == "list":
            return {"type": "array", "items": self.schema_of_notation(tail)}
        if head == "map":
            return {"type": "object", "additionalProperties": self.schema_of_notation(tail)}
        first, _, alternatives = type_notation.partition(" or ")
        if alternatives:
            return {"anyOf": [self.schema_of_notation(first), self.schema_of_notation(alternatives)]}
        if head == "one":
            return {"enum": tail.split(", ")}
        if type_notation == "phrases":
            return self.schema_of_notation("text or phrase or list of text or phrase")
        if type_notation.startswith("whole "):
            minimum, maximum = map(int, type_notation.removeprefix("whole ").split(".."))
            return {"type": ["integer", "string"], "minimum": minimum, "maximum": maximum, "pattern": r"^\s*\d+\s*$"}
        if type_notation in SCHEMA_BY_TYPE_WORD:
            return SCHEMA_BY_TYPE_WORD[type_notation]
        # A reference to the schema of a group, which is written on first use.
        groups, name = field_group_by_name(), type_notation.replace(" ", "-")
        if name not in self.used_schema_by_group:
            self.used_schema_by_group[name] = {}  # registered before its contents, which may refer back to it
            branches = [self.schema_of_mapping(g) for g in groups.values() if g.extends == name and g.kind]
            kinds = self.plugin_kind_names_by_group.get(name, ())
            branches += [{"type": "object", "properties": {"kind": {"const": kind}}} for kind in kinds]
            self.used_schema_by_group[name] = {"oneOf": branches} if branches else self.schema_of_mapping(groups[name])
        return {"$ref": f"#/$defs/{name}"}
